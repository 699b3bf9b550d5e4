/** The places of a client's hooks, and how they are written there. */

import type { Dialect, JsonObject, Layout } from '../../edit/edit.ts';

/** Standard JSON, which most clients read. */
export const STRICT = {
  comments: false,
  returns: false,
  trailingCommas: false,
  bom: false,
  empty: false,
} as const;

/** Hooks by event in a separate object, as in most clients. */
export const UNDER_HOOKS: Layout = { kind: 'lists', under: 'hooks' };

export const SCOPES = ['user', 'project', 'local'] as const;
/**
 * Whose settings contain the hooks: the user's, a project's, or the user's own of a project (`local`), which are not shared.
 */
export type Scope = (typeof SCOPES)[number];

/** How a client reads a file with hooks. */
interface FileKind {
  /** `program`: our own program that contains a list of hooks (program-file.ts). */
  readonly format: 'json' | 'toml' | 'program';
  readonly dialect: Dialect;
  readonly layout: Layout;
}

/** One of the files in which a client looks for hooks. */
export interface ConfigFile extends FileKind {
  /** Name within the config folder. */
  readonly name: string;
  /** The beginning of a file that we create; absent: it contains only our hooks. */
  readonly start?: string;
  /** The client reads this file only if the file with this name is missing. */
  readonly without?: string;
  /** Other clients, by id, that read this very file in the same shape. Each has its own entries in it. */
  readonly sharedWith?: readonly string[];
}

/**
 * The files of each scope that may contain hooks and that users may write. If a scope has none, the client does not support it.
 */
interface ScopedFiles {
  readonly user: readonly [ConfigFile, ...ConfigFile[]];
  readonly project?: readonly ConfigFile[];
  readonly local?: readonly ConfigFile[];
}

/**
 * The place of a client's hooks. With `shared-file`, our hooks are added to a file that may contain others: the first file of
 * the scope that already contains hooks, or otherwise the first file. With `own-file`, each label has a separate file in a
 * folder, and the others are only read.
 */
export type Placement =
  | {
      readonly kind: 'shared-file';
      readonly files: ScopedFiles;
      /**
       * Hooks of an event in one file hide those of the same event in later files. So the file is chosen for each event: the
       * one that already has other hooks of it.
       */
      readonly firstFileWins?: true;
    }
  | { readonly kind: 'own-file'; readonly folder: HooksFolder; readonly files: ScopedFiles };

/** The key of a group's handlers. */
export const HANDLERS = 'hooks';

export interface Entry {
  /**
   * - `grouped`: an element has a matcher and a list of handlers, `{ "matcher", "hooks": [{ "type", "command" }] }`.
   * - `flat`: an element is the handler and contains its matcher.
   */
  readonly shape: 'grouped' | 'flat';
  /** The client expands `$USER` and `${HOME}` in every string of its settings, even after a backslash. */
  readonly expands?: true;
  readonly handler: (handler: Omit<Handler, 'matcher'>) => JsonObject;
  /** The keys of a handler whose values are commands. The first is the one for this system. */
  readonly commands: readonly [string, ...string[]];
}

/** A folder in which the client reads every file, so that each label can have its own. */
export interface HooksFolder extends FileKind {
  /** Relative to the user's or a project's config folder. */
  readonly name: string;
  readonly fileOf: (label: string) => string;
  readonly ending: string;
  /** Other clients, by id, that read the same folder. A label has one file for all of them. */
  readonly sharedWith?: readonly string[];
}

export interface Handler {
  readonly label: string;
  readonly native: string;
  readonly command: string;
  readonly powerShell?: string;
  /** In seconds. */
  readonly timeout: number;
  /** Absent if every call matches, or the event has no matcher. */
  readonly matcher?: string;
}
