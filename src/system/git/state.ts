/**
 * Whether git tracks or ignores a file: read from git's own files, because git itself is not started in an untrusted folder.
 */

import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../errors.ts';
import { pathIn } from '../files.ts';
import { readRegular } from '../regular-file.ts';
import { foldersUpTo, gitFolderOf, repositoryOf } from './folders.ts';
import { isIgnored, type User } from './ignored.ts';
import { namesIn } from './index-file.ts';

export type GitState = 'tracked' | 'ignored' | 'untracked';

/** Undefined if the file is in no repository, or if the state is unknown. The file may not exist yet. */
export function gitState(file: string, user: User): GitState | undefined {
  const top = repositoryOf(dirname(file));
  if (top === undefined) return undefined;
  const tracked = isTracked(file, top);
  if (tracked === undefined) return undefined;
  if (tracked) return 'tracked';
  return isIgnored(file, top, user) ? 'ignored' : 'untracked';
}

/** Whether a file came with the working tree below `top`. If that is unknown, it counts as committed. */
export const isCommitted = (file: string, top: string): boolean => isTracked(file, top) !== false;

/**
 * Whether git tracks a file of a working tree. The file may be missing. Undefined if that is unknown: for links, a nested
 * repository, or an index that cannot be read or that has only folders.
 */
export function isTracked(file: string, top: string): boolean | undefined {
  return attempt(() => {
    const between = foldersUpTo(dirname(file), top).filter((folder) => folder !== top);
    if ([file, ...between].some((path) => lstatSync(path, QUIET)?.isSymbolicLink()))
      return undefined;
    if (between.some((folder) => lstatSync(join(folder, '.git'), QUIET))) return undefined;
    const git = gitFolderOf(top);
    if (!lstatSync(git, QUIET)) return false;
    const path = folded(pathIn(file, top));
    const isIt = (name: string) => {
      const known = folded(name);
      return known === path || (known.endsWith('/') && path.startsWith(known));
    };
    const names = readdirSync(git)
      .filter((name) => /^(?:index|sharedindex\..*)$/.test(name))
      .flatMap((name) => {
        const index = readRegular(join(git, name), INDEX);
        if (!index) throw new Error('not a file, or too large');
        return namesIn(index, isIt);
      });
    if (names.length === 0) return false;
    return names.every((name) => name.endsWith('/')) ? undefined : true;
  });
}

const QUIET = { throwIfNoEntry: false } as const;

/** The largest supported index, in bytes: a hundred times that of the Linux kernel. */
const INDEX = 1 << 30;

/**
 * On a case-insensitive file system, any spelling is the same file. Some treat `\u017F` as an s, or skip invisible characters.
 */
const folded = (name: string): string =>
  /^[ -~]*$/.test(name)
    ? name.toLowerCase()
    : name.replace(INVISIBLE, '').normalize('NFD').toUpperCase().toLowerCase();

/** Characters that HFS+ ignores in names, from git's list (`next_hfs_char` in its utf8.c). */
const INVISIBLE = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;
