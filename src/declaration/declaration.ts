/**
 * What a server declares: the vocabulary of SEP-2282, word for word, and what a manifest of version 2 may say beside it.
 *
 * Source: https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2282
 */

export const EVENTS = [
  'session_start',
  'session_end',
  'pre_tool_use',
  'post_tool_use',
  'pre_request',
  'post_request',
] as const;

/** Further events, of the extended vocabulary alone (`"version": 2`). */
export const LIFECYCLE_EVENTS = [
  'pre_compact',
  'post_compact',
  'tool_error',
  'subagent_start',
  'subagent_end',
  'budget_exceeded',
] as const;

export const ALL_EVENTS = [...EVENTS, ...LIFECYCLE_EVENTS] as const;
/** When a hook fires: six events are those of SEP-2282, the others need a manifest with `"version": 2`. */
export type Event = (typeof ALL_EVENTS)[number];

/** What the Base Coat specification calls them. */
export const BASE_COAT_EVENTS = {
  SessionStart: 'session_start',
  SessionEnd: 'session_end',
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  PreCompact: 'pre_compact',
  PostCompact: 'post_compact',
  OnError: 'tool_error',
  OnBudgetExceeded: 'budget_exceeded',
} as const satisfies Readonly<Record<string, Event>>;

/** The event of Base Coat's name for it, or the name itself: of an event, perhaps. */
export const ownEventName = <T>(name: T): T | Event =>
  Object.entries(BASE_COAT_EVENTS).find(([theirs]) => theirs === name)?.[1] ?? name;

/** The events that are about a tool call; a matcher means something only on these. */
export const TOOL_EVENTS: readonly Event[] = ['pre_tool_use', 'post_tool_use', 'tool_error'];

/** Strongest first: the order in which several hooks of one event are told. */
export const PRIORITIES = ['required', 'important', 'suggestion'] as const;
/** How strongly a text is worded. `required` counts as `important` unless the user has granted it. */
export type Priority = (typeof PRIORITIES)[number];

/** All fields that are present must match. */
export interface Matcher {
  /** Glob over the tool's name, as SEP-2282 calls it: `Bash`, `mcp__annal__*`. */
  readonly tool_name?: string;
  /** Substring of the serialised tool input. */
  readonly input_contains?: string;
  /** Name of the MCP server whose tool is called, as the client's configuration has it. */
  readonly tool_server?: string;
}

/** What a matcher may ask for in the extended vocabulary. Regular expressions run in linear time, or are refused. */
export interface ExtendedMatcher extends Matcher {
  /** Calls that it is not about. */
  readonly exclude?: {
    /** Globs over names of tools. */
    readonly tools?: readonly string[];
    /** Globs over the paths in the call's input, relative to the session's folder. */
    readonly paths?: readonly string[];
  };
  /** Regular expression over the serialised input. */
  readonly input_matches?: string;
  /** Regular expression over the output. */
  readonly output_matches?: string;
  /** Substring of the output. */
  readonly output_contains?: string;
  /** Whether the call failed. */
  readonly failed?: boolean;
  /** Only when the model repeats itself. */
  readonly repeat?: Repeat;
  /** Glob over the branch that is checked out. */
  readonly branch?: string;
  /** Glob over the project's name. */
  readonly project?: string;
}

/** The same again: so many `times` in `within` seconds. */
export interface Repeat {
  /** How often, with this call. */
  readonly times: number;
  /** Seconds. */
  readonly within: number;
  /**
   * - `call`: the same tool with the same input.
   * - `tool`: the same tool.
   * - `error`: a call that failed with the same output.
   * - `alternating`: two calls in turns.
   */
  readonly same: 'call' | 'tool' | 'error' | 'alternating';
}

/** What the answer of a tool or command may do beside saying something. */
export const DECISIONS = ['block', 'modify'] as const;
/** What the answer of a tool or command may do beside saying something: stop what was about to happen, or change input or output. */
export type Decision = (typeof DECISIONS)[number];

/** The events on which a client can be told to do something else than go on. */
export const DECIDABLE: Readonly<Record<Decision, readonly Event[]>> = {
  block: [
    'pre_tool_use',
    'post_tool_use',
    'tool_error',
    'pre_request',
    'post_request',
    'pre_compact',
    'subagent_end',
    'budget_exceeded',
  ],
  modify: ['pre_tool_use', 'post_tool_use', 'tool_error'],
};

/**
 * One declared hook. Exactly one of `context` and `context_tool`, or, in the extended vocabulary, `block` and `command`, is
 * present.
 */
export interface HookDeclaration {
  /** When it fires. */
  readonly event: Event;
  /** For which calls of tools; on other events it is ignored, but for `branch` and `project`. Absent: for all. */
  readonly matcher?: ExtendedMatcher;
  /** A text that the model is told. `{project_name}`, `{tool_name}`, `{tool_input}`, `{tool_output}` and `{session_id}` are filled in. */
  readonly context?: string;
  /** A tool of the server, whose text result the model is told. */
  readonly context_tool?: string;
  /** The arguments of the tool; in strings the same is filled in as in a text. */
  readonly context_tool_args?: Readonly<Record<string, unknown>>;
  /** How strongly it is worded, and which of several comes first. */
  readonly priority: Priority;
  // The extended vocabulary.
  /** Why what was about to happen must not. */
  readonly block?: string;
  /** A program and its arguments, relative to the manifest's folder. */
  readonly command?: readonly string[];
  /** What its tool or command may decide; an answer that does more is only text. */
  readonly may?: readonly Decision[];
  /** Ascending; of the same number, as declared. Default 50. */
  readonly order?: number;
  /** It speaks at most once in a session, or in a turn. */
  readonly once?: 'session' | 'turn';
  /** Seconds for which it is silent after it has spoken in a session. */
  readonly cooldown?: number;
  /** How much it may say. */
  readonly limit?:
    | {
        /** UTF-16 code units. */
        readonly characters: number;
      }
    | {
        /** Each is taken for four characters. */
        readonly tokens: number;
      };
  /** Milliseconds that its tool or command has. */
  readonly deadline?: number;
  /** False: it does nothing. Default true. */
  readonly enabled?: boolean;
  /** For `budget_exceeded`. */
  readonly budget?: {
    /** Since the last compaction. */
    readonly tokens: number;
    /** Percent of `tokens` at which it warns. Default 70. */
    readonly warn?: number;
    /** Percent of `tokens` at which it fires. Default 80. */
    readonly fire?: number;
  };
}

/** What a hook does, of which it has exactly one. */
export const HANDLERS = ['context', 'context_tool', 'block', 'command'] as const;

/** The fields that only the extended vocabulary has. */
export const EXTENDED_FIELDS = [
  'block',
  'command',
  'may',
  'order',
  'once',
  'cooldown',
  'limit',
  'deadline',
  'enabled',
  'budget',
] as const satisfies readonly (keyof HookDeclaration)[];

/** The same of a matcher. */
export const EXTENDED_MATCHER_FIELDS = [
  'exclude',
  'input_matches',
  'output_matches',
  'output_contains',
  'failed',
  'repeat',
  'branch',
  'project',
] as const satisfies readonly (keyof ExtendedMatcher)[];

/** Those that mean something on every event. */
export const SESSION_FIELDS: readonly string[] = ['branch', 'project'];

/** Whether a hook uses anything that SEP-2282 has not. */
export const isExtended = (hook: HookDeclaration): boolean =>
  !EVENTS.some((event) => event === hook.event) ||
  EXTENDED_FIELDS.some((field) => hook[field] !== undefined) ||
  EXTENDED_MATCHER_FIELDS.some((field) => hook.matcher?.[field] !== undefined);

/** Where in the chain of its event a hook comes that does not say so. */
export const DEFAULT_ORDER = 50;

/** Percent of a budget at which it warns, and fires. */
export const DEFAULT_BUDGET = { warn: 70, fire: 80 } as const;

/** The matcher, where it means something: SEP-2282 has it ignored on the other events. */
export const toolMatcher = ({ event, matcher }: HookDeclaration): Matcher | undefined =>
  TOOL_EVENTS.includes(event) ? matcher : undefined;

/** A label becomes part of a path and of a command: nothing in it may need quoting. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The extension under which servers may declare hooks for us, beside `hooks` and `experimental.hooks`. */
export const EXTENSION = 'io.github.mcp-hooks/hooks';
