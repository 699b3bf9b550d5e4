/**
 * The meaning of hooks that somebody wrote by hand for a client: the way back from its own events to declared ones. What the
 * contract says already (names of tools, matchers, how an entry is shaped) is not repeated here.
 */

import type { Event, WaitsFor } from '../declaration/declaration.ts';
import { words } from './words.ts';

export interface ByHand {
  /** The client's events; null: no declared event matches. Any other name is not an event of this client. */
  readonly events: Readonly<Record<string, Meaning | null>>;
  /** The files that may hold hooks. A file's place also tells its client. */
  readonly files: readonly [HandFile, ...HandFile[]];
  /** The keys of a handler that hold a command for a POSIX shell, and those for other shells. */
  readonly commands: readonly [string, ...string[]];
  readonly otherShells: readonly string[];
  /** The keys that hold a time limit, in the client's unit. */
  readonly timeouts: readonly string[];
  /**
   * Variables that people's commands expect, whether or not the client sets them all: where our event has the value, as a
   * program of jq.
   */
  readonly values?: Readonly<Record<string, string>>;
  /** Keys of its payloads that our event does not have: the same, from our event. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Keys at the top of its file that name a program which the client starts and does not wait for. */
  readonly notifiers?: Readonly<Record<string, Notifier>>;
}

/** A program that is given the event as its last word. */
export interface Notifier {
  /** The event of its hooks that comes at the same time. */
  readonly native: string;
  /** That word from our event, as a program of jq. */
  readonly word: string;
  /** What its own word also has, and our event has not. */
  readonly lacks: readonly string[];
}

export interface Meaning {
  readonly event: Event;
  /**
   * - `tool`: it matches names of tools.
   * - `ignored`: the client does not look at it.
   * - `kind`: it distinguishes what a declaration cannot, such as kinds of subagents.
   * - `sources`: its values decide which event the hook stands for; null: an event that cannot be declared.
   * - `waitsFor`: its values are kinds of notifications; null: the client waits for nothing then.
   */
  readonly matcher:
    | 'tool'
    | 'ignored'
    | 'kind'
    | { readonly sources: Readonly<Record<string, Event | null>>; readonly exact?: true }
    | { readonly waitsFor: Readonly<Record<string, WaitsFor | null>> };
  /** How much of a hook's output the model reads: any text, only the text in a JSON answer, or nothing. */
  readonly reads: 'text' | 'json' | 'nothing';
}

export interface HandFile {
  /** The end of its path with slashes, after the folder that holds the hooks: regular expression. */
  readonly path: string;
  /** What must be in that folder to make the file this client's; absent: nothing. */
  readonly beside?: string;
  /** The variables in commands that stand for that folder. */
  readonly variables: readonly string[];
  /** The folder is that of a plugin or an extension. Otherwise it is the one that sessions are in. */
  readonly isPackage?: true;
}

/** Events by all their names. */
export const events = (meanings: Readonly<Record<string, Meaning | null>>): ByHand['events'] =>
  Object.fromEntries(
    Object.entries(meanings).flatMap(([names, meaning]) =>
      words(names).map((name) => [name, meaning]),
    ),
  );

const matching =
  (matcher: Meaning['matcher']) =>
  (event: Event, reads: Meaning['reads']): Meaning => ({ event, matcher, reads });

export const anyTime = matching('ignored');
export const ofCall = matching('tool');
export const ofKind = matching('kind');

/** Hooks whose matcher can only choose among several ways to the same event. */
export const inAnyWay = (
  event: Event,
  ways: readonly string[],
  reads: Meaning['reads'],
  more: { readonly exact?: true } = {},
): Meaning => ({
  event,
  matcher: { sources: Object.fromEntries(ways.map((way) => [way, event])), ...more },
  reads,
});

/** A notification to the user. @param others Kinds of it in which the client waits for nothing. */
export const notice = (...others: readonly string[]): Meaning => ({
  event: 'notification',
  matcher: {
    waitsFor: {
      permission_prompt: 'permission',
      elicitation_dialog: 'permission',
      idle_prompt: 'prompt',
      ...Object.fromEntries(others.map((other) => [other, null])),
    },
  },
  reads: 'nothing',
});

/** Why there is a compaction. */
export const COMPACTIONS = ['manual', 'auto'];

/** The file of a call, and all of them, in our event. */
export const FILE = '.tool_input.file_path // (.paths // [])[0] // empty';
export const PATHS = '.paths // [.tool_input.file_path // empty] | join(" ")';

/** Variables about a call, as people expect them of a client whose variables begin like this. */
export const ofCalls = (prefix: string): Readonly<Record<string, string>> => ({
  [`${prefix}_TOOL_NAME`]: '.tool_name // empty',
  [`${prefix}_TOOL_INPUT`]: '.tool_input // {} | tojson',
  [`${prefix}_TOOL_INPUT_FILE_PATH`]: FILE,
  [`${prefix}_TOOL_INPUT_COMMAND`]: '.tool_input.command // empty',
  [`${prefix}_TOOL_OUTPUT`]: '.tool_output // empty | if type == "string" then . else tojson end',
});
