/** The disk, as planning code accesses it. */

import { list, missingFolders, obstacle, read } from './files.ts';
import type { User } from './git/ignored.ts';
import { type GitState, gitState } from './git/state.ts';
import type { SystemMessage } from './messages.ts';

export interface Disk {
  readonly read: (path: string) => Buffer | null;
  /** The folders that would have to be created for a file, outermost first. */
  readonly missingFolders: (path: string) => readonly string[];
  readonly list: (folder: string) => readonly string[];
  /** Why a file must not be written. Undefined if it may be. */
  readonly obstacle: (path: string) => SystemMessage | undefined;
  readonly git: (path: string, user: User) => GitState | undefined;
}

export const disk: Disk = { read, missingFolders, list, obstacle, git: gitState };
