/**
 * The declarations of a server: the vocabulary of SEP-2282, word for word, and the additions of a version 2 manifest.
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

/** Our event for Base Coat's name. Other names are returned unchanged, because they may be events. */
export const ownEventName = <T>(name: T): T | Event =>
  Object.entries(BASE_COAT_EVENTS).find(([theirs]) => theirs === name)?.[1] ?? name;

/** The events that are about a tool call. Only these use a matcher. */
export const TOOL_EVENTS: readonly Event[] = ['pre_tool_use', 'post_tool_use', 'tool_error'];

/** By weight: the order in which several hooks of one event are told. */
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
  /** Calls to exclude. */
  readonly exclude?: {
    /** Globs for names of tools. */
    readonly tools?: readonly string[];
    /** Globs for the paths in the call's input, relative to the session's folder. */
    readonly paths?: readonly string[];
  };
  /** Regular expression for the serialised input. */
  readonly input_matches?: string;
  /** Regular expression for the output. */
  readonly output_matches?: string;
  /** Substring of the output. */
  readonly output_contains?: string;
  /** Whether the call failed. */
  readonly failed?: boolean;
  /** Only when the model repeats itself. */
  readonly repeat?: Repeat;
  /** Glob for the current branch. */
  readonly branch?: string;
  /** Glob for the project's name. */
  readonly project?: string;
  /** What the client waits for. Only for notifications. */
  readonly waits_for?: WaitsFor;
}

/** The same thing repeated `times` times in `within` seconds. */
export interface Repeat {
  /** The number of occurrences, including this call. */
  readonly times: number;
  /** In seconds. */
  readonly within: number;
  /**
   * - `call`: the same tool with the same input.
   * - `tool`: the same tool.
   * - `error`: a call that failed with the same output.
   * - `call_and_error`: the same call, failed with the same output.
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

/** The values of `same` in a `repeat`. */
export const SAME = [
  'call',
  'tool',
  'error',
  'call_and_error',
  'event',
  'alternating',
  'alternating_tools',
] as const;

/** What the answer of a tool or a command may do besides showing a text. */
export const DECISIONS = ['block', 'modify'] as const;
/**
 * What the answer of a tool or a command may do besides showing a text: block what is about to happen, or modify input or
 * output.
 */
export type Decision = (typeof DECISIONS)[number];

/** The result if a hook that may decide about something fails: it goes on, or is blocked. */
export const ON_FAILURE = ['allow', 'deny'] as const;
/** The result if a hook that may decide about something fails: it goes on, or is blocked. */
export type OnFailure = (typeof ON_FAILURE)[number];

/** The events at which a client can be told not to go on as usual. */
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
  /** How strongly it is worded, and its place among several hooks. */
  readonly priority: Priority;
  // The extended vocabulary.
  /** The reason for stopping what was about to happen. */
  readonly block?: string;
  /** A program and its arguments, relative to the manifest's folder. */
  readonly command?: readonly string[];
  /** The command runs in the background: nothing waits for it, and its answer is not read. Default false. */
  readonly async?: boolean;
  /** The decisions that its tool or command may make. Any other decision in an answer is only shown as text. */
  readonly may?: readonly Decision[];
  /** The result for a call or event that it may decide about, if it fails or runs out of time. Default `allow`. */
  readonly on_failure?: OnFailure;
  /** Its place in ascending order. Hooks with the same number run as declared. Default 50. */
  readonly order?: number;
  /** Shown at most once per session, or per turn. */
  readonly once?: 'session' | 'turn';
  /** Seconds after which it may be shown again in a session. */
  readonly cooldown?: number;
  /** Show the tool's reply even if it says nothing, such as `[]`. Default false. */
  readonly show_empty?: boolean;
  /** How much of its text may be shown. */
  readonly limit?:
    | {
        /** In UTF-16 code units. */
        readonly characters: number;
      }
    | {
        /** Each counts as four characters. */
        readonly tokens: number;
      };
  /** Milliseconds for its tool or command. A background command may have more. */
  readonly deadline?: number;
  /** False: the hook is off. Default true. */
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

/** The actions of a hook. Each hook has exactly one of them. */
export const HANDLERS = ['context', 'context_tool', 'block', 'command'] as const;

/** The fields that are only in the extended vocabulary. */
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

/** Whether a field of a matcher has a meaning on an event. Most apply to calls, and a pattern also applies to prompts. */
export const isMeant = (field: string, event: string, matcher: Partial<ExtendedMatcher>): boolean =>
  ['branch', 'project'].includes(field) ||
  (field === 'input_matches' && event === 'pre_request') ||
  (field === 'repeat' && matcher.repeat?.same === 'event') ||
  (field === 'waits_for' ? event === 'notification' : TOOL_EVENTS.some((one) => one === event));

/** Whether a hook uses anything that is not in SEP-2282. */
export const isExtended = (hook: HookDeclaration): boolean =>
  !EVENTS.some((event) => event === hook.event) ||
  EXTENDED_FIELDS.some((field) => hook[field] !== undefined) ||
  EXTENDED_MATCHER_FIELDS.some((field) => hook.matcher?.[field] !== undefined);

/** Characters that count as one token in a `limit`. */
const CHARACTERS_PER_TOKEN = 4;

/** A hook's own limit of its text, in characters. Infinite without one. */
export const ownLimit = ({ limit }: Pick<HookDeclaration, 'limit'>): number => {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  return 'characters' in limit ? limit.characters : CHARACTERS_PER_TOKEN * limit.tokens;
};

/** Whether a hook may do more than show a text, if the user allows it. */
export const isDeciding = ({ block, may = [] }: HookDeclaration): boolean =>
  block !== undefined || may.length > 0;

/** The default place of a hook in the chain of its event. */
export const DEFAULT_ORDER = 50;

/** The default percentages of a budget at which it warns, and fires. */
export const DEFAULT_BUDGET = { warn: 70, fire: 80 } as const;

/** The matcher, on events that use it. By SEP-2282, other events ignore it. */
export const toolMatcher = ({ event, matcher }: HookDeclaration): Matcher | undefined =>
  TOOL_EVENTS.includes(event) ? matcher : undefined;

/** A label becomes part of paths and commands, so nothing in it may need quoting. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/**
 * Names that mean a device in every folder on Windows, with any extension. Windows also drops a dot at the end of a name.
 *
 * Source: https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
 */
const OF_WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|\.$/i;

/** Whether hooks can be installed under a name. It must be valid on all systems, because a manifest may be used on any. */
export const isLabel = (name: string): boolean => LABEL.test(name) && !OF_WINDOWS.test(name);

/** The extension in which servers may declare hooks for us, besides `hooks` and `experimental.hooks`. */
export const EXTENSION = 'io.github.mcp-hooks/hooks';
