/**
 * The facts about a client that `doctor` needs but the compiler does not: where hooks can be switched off, which mistakes
 * invalidate a whole file, and what trust in a folder means. They are not in the client's own file, because only rare commands
 * need them.
 */

import type { JsonObject, JsonValue } from '../../edit/edit.ts';
import type { Env } from '../../system/env.ts';

/** The machine as a client sees it. */
export interface Machine {
  readonly env: Env;
  readonly home: string;
  /** The folder in which the client would be started; absolute, without links. */
  readonly cwd: string;
  /** A prefix for machine-wide paths: empty, unless a folder contains the machine's image. */
  readonly root: string;
}

/** The owner of a settings file. */
export type Whose = 'defaults' | 'user' | 'project' | 'local' | 'managed';

/** A settings file, or all files that the client's own data names for a scope. */
export type Layer =
  | { readonly whose: 'user' | 'project' | 'local' }
  | {
      readonly whose: Exclude<Whose, 'user'>;
      readonly path: (machine: Machine) => string;
    }
  /** Every JSON file in a folder. */
  | { readonly whose: 'managed'; readonly folder: (machine: Machine) => string };

interface Switch {
  readonly key: readonly string[];
  readonly off: boolean;
  readonly only?: Whose;
}

export interface Fault {
  /** Keys and indexes from the root of the document. */
  readonly path: readonly (string | number)[];
  /** The mistake in the value: "is not a number above 0". */
  readonly what: string;
  /** What the client drops: all hooks in the file, or only this entry. Absent: the whole file. */
  readonly lost?: 'hooks' | 'entry';
}

export type Trusted = 'trusted' | 'refused' | 'undecided';

export interface FolderTrust {
  readonly state: Trusted;
  /** Absolute path of the file that stores the decision, or would store it. */
  readonly where: string;
}

/** How a client decides about a folder. */
interface TrustRule {
  readonly decide: (look: FolderLook) => FolderTrust;
  /** The situation before the user has decided: the end of "this folder is not trusted yet: ...". */
  readonly undecided: string;
  /** Only hooks of projects wait for it; the user's run in any folder. */
  readonly onlyProjects?: true;
  readonly todo: string;
}

export type FolderLook = Omit<TrustLook, 'root' | 'list'>;

export interface TrustLook extends Machine {
  readonly folder: string;
  /** A JSON file by value, or the list in our own program; an empty object if it is missing or cannot be read. */
  readonly json: (path: string) => JsonObject;
  /** The names in a folder; empty if there is no folder. */
  readonly list: (folder: string) => readonly string[];
  /** The effective value of a setting, ignoring settings from the folder. */
  readonly setting: (...key: readonly string[]) => JsonValue | undefined;
}

/** Hooks that are switched off in another way than by `switches`. */
export interface SwitchedOff {
  /** The end of "no hook runs: ...". */
  readonly why: string;
  /** Absolute path of the file with the setting; absent: it is in the environment. */
  readonly where?: string;
  /** The only file whose hooks do not run; absent: none of the client's hooks run. */
  readonly file?: string;
  readonly todo: string;
}

/** Another program that also runs this client's hooks. */
export interface AlsoRunBy {
  /** Its id, if it is also one of our clients. If our hooks are installed in it, these hooks do nothing there. */
  readonly id?: string;
  readonly name: string;
  readonly executables: readonly string[];
  /** Relative to the home folder. */
  readonly folders: readonly string[];
  /** Which hooks it runs: "those of the user and of projects". */
  readonly which: string;
}

export interface Health {
  /** Lowest precedence first: a later one overrides an earlier one. */
  readonly layers: readonly Layer[];
  readonly switches: readonly Switch[];
  readonly off?: (look: TrustLook) => readonly SwitchedOff[];
  /** The folders whose settings apply in a project, nearest first; absent: the current folder, or as in `layers`. */
  readonly projects?: (look: FolderLook) => readonly string[];
  /** The key of the client's list of disabled hooks. A hook without a name is listed by its command. */
  readonly disabled?: readonly string[];
  readonly faults?: (document: JsonObject, file: string) => readonly Fault[];
  /** What happens to a file with a fault that invalidates it: "is ignored as a whole". */
  readonly faulty?: (file: string) => string;
  readonly stops?: (file: string) => boolean;
  readonly trust?: TrustRule;
  readonly alsoRunBy?: readonly AlsoRunBy[];
  /** Absolute paths of files of extensions and plugins that may contain hooks. */
  readonly plugins?: (look: TrustLook) => readonly string[];
}
