/**
 * The meaning of hooks that were written by hand for a client: the way back from its own events to declared ones. Facts from
 * the contract (tool names, matchers, the shape of an entry) are not repeated here.
 */

import type { Event, WaitsFor } from '../declaration/declaration.ts';
import { words } from './words.ts';

export interface ByHand {
  /** The client's events; null: no declared event matches. Other names are not events of this client. */
  readonly events: Readonly<Record<string, Meaning | null>>;
  /** The files that may contain hooks. A file's path also identifies its client. */
  readonly files: readonly [HandFile, ...HandFile[]];
  /** The keys of a handler that contain a command for a POSIX shell, and those for other shells. */
  readonly commands: readonly [string, ...string[]];
  readonly otherShells: readonly string[];
  /** The key of a program that the client starts without a shell, with the words of `args`. It excludes the keys above. */
  readonly program?: string;
  /** The keys of a time limit, in the client's unit. */
  readonly timeouts: readonly string[];
  /**
   * Variables that users' commands expect, even if the client does not set all of them. Each has a jq program that gets the
   * value from our event.
   */
  readonly values?: Readonly<Record<string, string>>;
  /** Keys of its payloads that our event does not have, also with a jq program for our event. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Top-level keys of its file that name a program which the client starts without waiting for it. */
  readonly notifiers?: Readonly<Record<string, Notifier>>;
}

/** A program that gets the event as its last argument. */
export interface Notifier {
  /** The name of the only file in which the client reads the key. */
  readonly file: string;
  /** The hook event that happens at the same time. */
  readonly native: string;
  /** A jq program that makes that argument from our event. */
  readonly word: string;
  /** Keys that the client's own argument has but our event does not. */
  readonly lacks: readonly string[];
}

export interface Meaning {
  readonly event: Event;
  /**
   * - `tool`: it matches tool names.
   * - `ignored`: the client ignores it.
   * - `kind`: it distinguishes things that a declaration cannot, such as types of subagents.
   * - `sources`: its value determines the declared event; null: an event that cannot be declared.
   * - `waitsFor`: its values are kinds of notifications; null: the client does not wait for anything then.
   */
  readonly matcher:
    | 'tool'
    | 'ignored'
    | 'kind'
    | { readonly sources: Readonly<Record<string, Event | null>>; readonly exact?: true }
    | { readonly waitsFor: Readonly<Record<string, WaitsFor | null>> };
  /** Which part of a hook's output the model reads: any text, only the text in a JSON answer, or nothing. */
  readonly reads: 'text' | 'json' | 'nothing';
}

export interface HandFile {
  /** The end of its path with slashes, relative to the folder that contains the hooks: regular expression. */
  readonly path: string;
  /** What must be in that folder for the file to belong to this client; absent: nothing. */
  readonly beside?: string;
  /** The variables in commands that refer to that folder. */
  readonly variables: readonly string[];
  /** The folder is that of a plugin or an extension. Otherwise, it is the folder of sessions. */
  readonly isPackage?: true;
}

/** Events, by each of their names. */
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

/** Hooks whose matcher only distinguishes several ways to the same event. */
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

/** A notification to the user. @param others Its kinds in which the client does not wait for anything. */
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

/** The causes of a compaction. */
export const COMPACTIONS = ['manual', 'auto'];

/** The file of a call, and all its files, in our event. */
export const FILE = '.tool_input.file_path // (.paths // [])[0] // empty';
export const PATHS = '.paths // [.tool_input.file_path // empty] | join(" ")';

/** Variables about a call, as users expect them of a client with this prefix. */
export const ofCalls = (prefix: string): Readonly<Record<string, string>> => ({
  [`${prefix}_TOOL_NAME`]: '.tool_name // empty',
  [`${prefix}_TOOL_INPUT`]: '.tool_input // {} | tojson',
  [`${prefix}_TOOL_INPUT_FILE_PATH`]: FILE,
  [`${prefix}_TOOL_INPUT_COMMAND`]: '.tool_input.command // empty',
  [`${prefix}_TOOL_OUTPUT`]: '.tool_output // empty | if type == "string" then . else tojson end',
});
