/** Where the administrator of a machine puts hooks that everybody on it has, and how a client wants them there. */

import type { ConfigFile, Entry } from './contract.ts';
import type { Machine } from './health/health.ts';

/** As Node calls them. */
export type System = 'linux' | 'darwin' | 'win32';

export interface Managed {
  /**
   * Absolute path on each system:
   * - `folder`: of a folder of which the client reads every file, so that a label has one to itself.
   * - `block`: of the one file there is, in which ours can stand between two lines of comment.
   * - `whole`: of the one file there is, in which nothing can be marked: it is all ours or not ours at all.
   */
  readonly kind: 'folder' | 'block' | 'whole';
  readonly at: Readonly<Record<System, string>>;
  readonly format: ConfigFile['format'];
  /** What a file of ours begins as; absent: there is nothing in it but hooks. */
  readonly start?: string;
  /** Where entries are not written as in the user's own settings. */
  readonly entry?: Entry;
}

/** The file that a label has to itself. */
export const managedFileOf = (label: string): string => `mcp-hooks.${label}.json`;

/** Where it is on this system, or on one like it that is in a folder. */
export const managedHere = ({ at }: Managed, { root }: Pick<Machine, 'root'>): string =>
  `${root}${at[process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux']}`;

/** Where the hooks of a label are on a system. */
export const managedPath = ({ kind, at }: Managed, label: string, system: System): string =>
  kind === 'folder'
    ? [at[system], managedFileOf(label)].join(system === 'win32' ? '\\' : '/')
    : at[system];
