/**
 * What a server declares: the vocabulary of SEP-2282, word for word.
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
export type Event = (typeof EVENTS)[number];

/** The events that are about a tool call; a matcher means something only on these. */
export const TOOL_EVENTS: readonly Event[] = ['pre_tool_use', 'post_tool_use'];

/** Strongest first: the order in which several hooks of one event are told. */
export const PRIORITIES = ['required', 'important', 'suggestion'] as const;
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

/** One declared hook. Exactly one of `context` and `context_tool` is present. */
export interface HookDeclaration {
  readonly event: Event;
  readonly matcher?: Matcher;
  readonly context?: string;
  readonly context_tool?: string;
  readonly context_tool_args?: Readonly<Record<string, unknown>>;
  readonly priority: Priority;
}

/** The matcher, where it means something: SEP-2282 has it ignored on the other events. */
export const toolMatcher = ({ event, matcher }: HookDeclaration): Matcher | undefined =>
  TOOL_EVENTS.includes(event) ? matcher : undefined;

/** A label becomes part of a path and of a command: nothing in it may need quoting. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The extension under which servers may declare hooks for us, beside `hooks` and `experimental.hooks`. */
export const EXTENSION = 'io.github.mcp-hooks/hooks';
