/** Where a client's hooks are, and how they are written there. */

import type { Dialect, JsonObject, Layout } from '../../edit/edit.ts';

/** JSON as defined, which most clients read. */
export const STRICT = {
  comments: false,
  returns: false,
  trailingCommas: false,
  bom: false,
  empty: false,
} as const;

/** Hooks by event in an object of their own, as most clients have them. */
export const UNDER_HOOKS: Layout = { kind: 'lists', under: 'hooks' };

export const SCOPES = ['user', 'project', 'local'] as const;
/** Whose settings hold the hooks: the user's, a project's, or the user's own of a project (`local`), which nobody shares. */
export type Scope = (typeof SCOPES)[number];

/** How a client reads a file with hooks. */
interface FileKind {
  /** `program`: one of our own, with a list of hooks in it (program-file.ts). */
  readonly format: 'json' | 'toml' | 'program';
  readonly dialect: Dialect;
  readonly layout: Layout;
}

/** One of the files in which a client looks for hooks. */
export interface ConfigFile extends FileKind {
  /** Name within the config folder. */
  readonly name: string;
  /** How a file that we create begins; absent: it holds nothing but our hooks. */
  readonly start?: string;
  /** The client reads this file only where the file with this name is missing. */
  readonly without?: string;
  /** Other clients, by id, that read this very file, in the same shape: each has entries of its own in it. */
  readonly sharedWith?: readonly string[];
}

/** The files of each scope that may hold hooks and that anybody may write to. Without one, the client has no such scope. */
export interface ScopedFiles {
  readonly user: readonly [ConfigFile, ...ConfigFile[]];
  readonly project?: readonly ConfigFile[];
  readonly local?: readonly ConfigFile[];
}

/**
 * Where a client's hooks are. With `shared-file`, ours are among those of others: in the file of the scope that already holds
 * hooks, else in the first. With `own-file`, each label has a file of its own in a folder, and the others are only read.
 */
export type Placement =
  | {
      readonly kind: 'shared-file';
      readonly files: ScopedFiles;
      /**
       * Hooks of an event in one file hide those of the same event in the files after it. So the file is chosen for each event:
       * it is the one in which others have hooks of it.
       */
      readonly firstFileWins?: true;
    }
  | { readonly kind: 'own-file'; readonly folder: HooksFolder; readonly files: ScopedFiles };

/** The key of a group's handlers. */
export const HANDLERS = 'hooks';

export interface Entry {
  /**
   * - `grouped`: an element has a matcher and a list of handlers, `{ "matcher", "hooks": [{ "type", "command" }] }`.
   * - `flat`: an element is the handler, with its matcher in it.
   */
  readonly shape: 'grouped' | 'flat';
  /** The client fills in `$USER` and `${HOME}` in every string of its settings, even after a backslash. */
  readonly expands?: true;
  readonly handler: (handler: Omit<Handler, 'matcher'>) => JsonObject;
  /** The keys of a handler whose values are commands, starting with the one for this system. */
  readonly commands: readonly [string, ...string[]];
}

/** A folder in which the client reads every file, so that each label can have its own. */
export interface HooksFolder extends FileKind {
  /** Within the config folder, the user's or a project's. */
  readonly name: string;
  readonly fileOf: (label: string) => string;
  readonly ending: string;
  /** Other clients, by id, that read the same folder: a label has one file for all of them. */
  readonly sharedWith?: readonly string[];
}

export interface Handler {
  readonly label: string;
  readonly native: string;
  readonly command: string;
  readonly powerShell?: string;
  /** Seconds. */
  readonly timeout: number;
  /** Absent when every call is wanted or the event has no matcher. */
  readonly matcher?: string;
}
