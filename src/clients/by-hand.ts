/**
 * What hooks mean that somebody wrote by hand for a client: the way back from its own events to those that are declared. What
 * the contract says already (names of tools, matchers, how an entry is shaped) is not said again.
 */

import type { Event } from '../declaration/declaration.ts';

export interface ByHand {
  /** Its events; null: a declaration has no such moment. What is not here is no event of the client's. */
  readonly events: Readonly<Record<string, Meaning | null>>;
  /** The files that may hold hooks, which also tell the client by a file's place. */
  readonly files: readonly [HandFile, ...HandFile[]];
  /** The keys of a handler that hold a command for a POSIX shell, and those that are for another one. */
  readonly commands: readonly [string, ...string[]];
  readonly otherShells: readonly string[];
  /** The keys that hold a time limit, in the client's unit. */
  readonly timeouts: readonly string[];
}

export interface Meaning {
  readonly event: Event;
  /**
   * - `tool`: it is about the names of tools.
   * - `ignored`: the client does not look at it.
   * - `kind`: it chooses among what a declaration cannot tell apart, such as kinds of subagents.
   * - `sources`: which of these values it chooses decides what the hook stands for; null: nothing that is declared.
   */
  readonly matcher:
    | 'tool'
    | 'ignored'
    | 'kind'
    | { readonly sources: Readonly<Record<string, Event | null>>; readonly exact?: true };
  /** What the model reads of what a hook prints: any text, only the text in an answer of JSON, or nothing. */
  readonly reads: 'text' | 'json' | 'nothing';
}

export interface HandFile {
  /** The end of its path with slashes, behind the folder in which its hooks are: regular expression. */
  readonly path: string;
  /** What has to be in that folder, so that the file is this client's; absent: nothing. */
  readonly beside?: string;
  /** The variables in commands that stand for that folder. */
  readonly variables: readonly string[];
}
