/**
 * What a server declares: the vocabulary of SEP-2282, word for word, and the additions of a version 2 manifest.
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

/** Further events, only in the extended vocabulary (`"version": 2`). */
export const LIFECYCLE_EVENTS = [
  'pre_compact',
  'post_compact',
  'tool_error',
  'subagent_start',
  'subagent_end',
  'budget_exceeded',
  'notification',
] as const;

export const ALL_EVENTS = [...EVENTS, ...LIFECYCLE_EVENTS] as const;
/** When a hook fires. Six events are from SEP-2282; the others need a manifest with `"version": 2`. */
export type Event = (typeof ALL_EVENTS)[number];

export const byEvent = <Made>(make: (event: Event) => Made): Readonly<Record<Event, Made>> =>
  Object.fromEntries(ALL_EVENTS.map((event) => [event, make(event)])) as Record<Event, Made>;

/** The Base Coat specification's names for events. */
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

/** Our event for Base Coat's name, or the name itself, which may be an event. */
export const ownEventName = <T>(name: T): T | Event =>
  Object.entries(BASE_COAT_EVENTS).find(([theirs]) => theirs === name)?.[1] ?? name;

/** The events that are about a tool call. Only these look at a matcher. */
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
  /** Name of the called tool's MCP server in the client's configuration. */
  readonly tool_server?: string;
}

/** The conditions that the extended vocabulary adds to a matcher. Regular expressions run in linear time, or are refused. */
export interface ExtendedMatcher extends Matcher {
  /** Calls to leave out. */
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
  /** Of a notification: what the client waits for. */
  readonly waits_for?: WaitsFor;
}

/** Repetition: the same, this many `times` in `within` seconds. */
export interface Repeat {
  /** How often, including this call. */
  readonly times: number;
  /** Seconds. */
  readonly within: number;
  /**
   * - `call`: the same tool with the same input.
   * - `tool`: the same tool.
   * - `error`: a call that failed with the same output.
   * - `call_and_error`: the same call, which failed with the same output.
   * - `event`: the event, whatever it is about; on every event.
   * - `alternating`: two calls in turns.
   * - `alternating_tools`: two tools in turns, whatever their inputs.
   */
  readonly same: (typeof SAME)[number];
}

/** What a client waits for when it notifies its user: the next prompt, or an answer to its question. */
export const WAITS_FOR = ['prompt', 'permission'] as const;
/** What a client waits for when it notifies its user: the next prompt, or an answer to its question. */
export type WaitsFor = (typeof WAITS_FOR)[number];

/** What `repeat` may count. */
export const SAME = [
  'call',
  'tool',
  'error',
  'call_and_error',
  'event',
  'alternating',
  'alternating_tools',
] as const;

/** What a tool's or a command's answer may do besides showing a text. */
export const DECISIONS = ['block', 'modify'] as const;
/** What a tool's or a command's answer may do besides showing a text: stop what was about to happen, or change input or output. */
export type Decision = (typeof DECISIONS)[number];

/** What becomes of something that a hook may decide about and cannot, because it fails: it goes on, or is blocked. */
export const ON_FAILURE = ['allow', 'deny'] as const;
/** What becomes of something that a hook may decide about and cannot, because it fails: it goes on, or is blocked. */
export type OnFailure = (typeof ON_FAILURE)[number];

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

/** One declared hook. It has exactly one of `context`, `context_tool` and, in the extended vocabulary, `block` and `command`. */
export interface HookDeclaration {
  /** When it fires. */
  readonly event: Event;
  /** Which tool calls it is for. Other events ignore this, except `branch` and `project`. Absent: all calls. */
  readonly matcher?: ExtendedMatcher;
  /** A text for the model. `{project_name}`, `{tool_name}`, `{tool_input}`, `{input.<key>}`, `{tool_output}` and `{session_id}` are filled in. */
  readonly context?: string;
  /** A tool of the server. The model reads its text result. */
  readonly context_tool?: string;
  /** The arguments of the tool. Strings may have the same variables as a text. */
  readonly context_tool_args?: Readonly<Record<string, unknown>>;
  /** How strongly it is worded, and which of several comes first. */
  readonly priority: Priority;
  // The extended vocabulary.
  /** The reason why what was about to happen must not happen. */
  readonly block?: string;
  /** A program and its arguments, relative to the manifest's folder. */
  readonly command?: readonly string[];
  /** The command runs in the background: nothing waits for it, and nobody reads its answer. Default false. */
  readonly async?: boolean;
  /** What its tool or command may decide. An answer that decides more is only a text. */
  readonly may?: readonly Decision[];
  /** What becomes of a call or event that it may decide about, if it fails or runs out of time. Default `allow`. */
  readonly on_failure?: OnFailure;
  /** Ascending; hooks with the same number run as declared. Default 50. */
  readonly order?: number;
  /** It is shown at most once per session, or per turn. */
  readonly once?: 'session' | 'turn';
  /** Seconds for which it is not shown again in a session. */
  readonly cooldown?: number;
  /** The tool's reply is shown even if it says nothing, such as `[]`. Default false. */
  readonly show_empty?: boolean;
  /** How much of it may be shown. */
  readonly limit?:
    | {
        /** UTF-16 code units. */
        readonly characters: number;
      }
    | {
        /** Each counts as four characters. */
        readonly tokens: number;
      };
  /** Milliseconds that its tool or command has. In the background, it may have more. */
  readonly deadline?: number;
  /** False: it does nothing. Default true. */
  readonly enabled?: boolean;
  /** For `budget_exceeded`. */
  readonly budget?: Budget;
}

/** How many tokens a session may use. */
export interface Budget {
  /** Since the last compaction. */
  readonly tokens: number;
  /** Percent of `tokens` at which it warns. Default 70. */
  readonly warn?: number;
  /** Percent of `tokens` at which it fires. Default 80. */
  readonly fire?: number;
}

/** The things that a hook can do. Each hook does exactly one of them. */
export const HANDLERS = ['context', 'context_tool', 'block', 'command'] as const;

/** The fields that only the extended vocabulary has. */
export const EXTENDED_FIELDS = [
  'block',
  'command',
  'async',
  'may',
  'on_failure',
  'order',
  'once',
  'cooldown',
  'show_empty',
  'limit',
  'deadline',
  'enabled',
  'budget',
] as const satisfies readonly (keyof HookDeclaration)[];

/** The same for a matcher. */
export const EXTENDED_MATCHER_FIELDS = [
  'exclude',
  'input_matches',
  'output_matches',
  'output_contains',
  'failed',
  'repeat',
  'branch',
  'project',
  'waits_for',
] as const satisfies readonly (keyof ExtendedMatcher)[];

/** Whether a field of a matcher has a meaning on an event. Most are about a call, and a pattern also about a prompt. */
export const isMeant = (field: string, event: string, matcher: Partial<ExtendedMatcher>): boolean =>
  ['branch', 'project'].includes(field) ||
  (field === 'input_matches' && event === 'pre_request') ||
  (field === 'repeat' && matcher.repeat?.same === 'event') ||
  (field === 'waits_for' ? event === 'notification' : TOOL_EVENTS.some((one) => one === event));

/** Whether a hook uses anything that SEP-2282 does not have. */
export const isExtended = (hook: HookDeclaration): boolean =>
  !EVENTS.some((event) => event === hook.event) ||
  EXTENDED_FIELDS.some((field) => hook[field] !== undefined) ||
  EXTENDED_MATCHER_FIELDS.some((field) => hook.matcher?.[field] !== undefined);

/** Whether a hook may do more than show a text, if the user allows it. */
export const isDeciding = ({ block, may = [] }: HookDeclaration): boolean =>
  block !== undefined || may.length > 0;

/** The place, in the chain of its event, of a hook that does not say one. */
export const DEFAULT_ORDER = 50;

/** Percent of a budget at which it warns, and fires. */
export const DEFAULT_BUDGET = { warn: 70, fire: 80 } as const;

/** The matcher, on events that use it: SEP-2282 says that the others ignore it. */
export const toolMatcher = ({ event, matcher }: HookDeclaration): Matcher | undefined =>
  TOOL_EVENTS.includes(event) ? matcher : undefined;

/** A label becomes part of a path and of a command: nothing in it may need quoting. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The extension in which servers may declare hooks for us, besides `hooks` and `experimental.hooks`. */
export const EXTENSION = 'io.github.mcp-hooks/hooks';
