/** Where a machine's administrator puts hooks for everybody on it, and how a client wants them there. */

import type { Layout } from '../edit/edit.ts';
import type { ConfigFile, Entry } from './contract.ts';
import type { Machine } from './health/health.ts';

/** The names that Node uses. */
export type System = 'linux' | 'darwin' | 'win32';

export interface Managed {
  /**
   * Absolute path on each system:
   * - `folder`: a folder in which the client reads every file, so that a label can have its own.
   * - `block`: the only file, in which our hooks can stand between two comment lines.
   * - `whole`: the only file, in which nothing can be marked: it is all ours or not ours at all.
   */
  readonly kind: 'folder' | 'block' | 'whole';
  readonly at: Readonly<Record<System, string>>;
  readonly format: ConfigFile['format'];
  readonly layout: Layout;
  /** How our file begins; absent: it holds nothing but hooks. */
  readonly start?: string;
  /** Set if entries are written differently than in the user's own settings. */
  readonly entry?: Entry;
}

/** The name of a label's own file. */
export const managedFileOf = (label: string): string => `mcp-hooks.${label}.json`;

/** The path on this system, or in a folder that stands for a machine like it. */
export const managedHere = ({ at }: Managed, { root }: Pick<Machine, 'root'>): string =>
  `${root}${at[process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux']}`;

/** Where the hooks of a label are on a system. */
export const managedPath = ({ kind, at }: Managed, label: string, system: System): string =>
  kind === 'folder'
    ? [at[system], managedFileOf(label)].join(system === 'win32' ? '\\' : '/')
    : at[system];
