/**
 * The meaning of hooks that somebody wrote by hand for a client: the way back from its own events to declared ones. What the
 * contract says already (names of tools, matchers, how an entry is shaped) is not repeated here.
 */

import type { Event } from '../declaration/declaration.ts';
import { words } from './words.ts';

export interface ByHand {
  /** The client's events; null: a declaration has no such moment. Any other name is not an event of this client. */
  readonly events: Readonly<Record<string, Meaning | null>>;
  /** The files that may hold hooks. A file's place also tells its client. */
  readonly files: readonly [HandFile, ...HandFile[]];
  /** The keys of a handler that hold a command for a POSIX shell, and those for other shells. */
  readonly commands: readonly [string, ...string[]];
  readonly otherShells: readonly string[];
  /** The keys that hold a time limit, in the client's unit. */
  readonly timeouts: readonly string[];
}

export interface Meaning {
  readonly event: Event;
  /**
   * - `tool`: it matches names of tools.
   * - `ignored`: the client does not look at it.
   * - `kind`: it distinguishes what a declaration cannot, such as kinds of subagents.
   * - `sources`: its values decide which event the hook stands for; null: an event that cannot be declared.
   */
  readonly matcher:
    | 'tool'
    | 'ignored'
    | 'kind'
    | { readonly sources: Readonly<Record<string, Event | null>>; readonly exact?: true };
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

/** Why there is a compaction. */
export const COMPACTIONS = ['manual', 'auto'];
