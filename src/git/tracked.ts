/** Whether git tracks a file: read from its index, because git itself is not started in a stranger's folder. */

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldersUpTo, gitFolderOf } from '../clients/servers/folders.ts';
import { namesIn } from './index-file.ts';
import { pathIn } from './path.ts';

/**
 * Whether a file came with the folder that it is in, as far as git knows. What cannot be told counts as tracked.
 *
 * @param top The top of the working tree.
 */
export const isCommitted = (file: string, top: string): boolean => isTracked(file, top) !== false;

/**
 * Whether git tracks a file of a working tree, which need not be there. Undefined where that cannot be told: links, a
 * repository within the repository, an index that cannot be read or that has only folders.
 */
export function isTracked(file: string, top: string): boolean | undefined {
  try {
    const between = foldersUpTo(dirname(file), top).filter((folder) => folder !== top);
    if ([file, ...between].some((path) => lstatSync(path, QUIET)?.isSymbolicLink()))
      return undefined;
    if (between.some((folder) => lstatSync(join(folder, '.git'), QUIET))) return undefined;
    const git = gitFolderOf(top);
    if (!lstatSync(git, QUIET)) return false;
    // Where the file system ignores case, any spelling is this file.
    const path = pathIn(file, top).toLowerCase();
    const names = readdirSync(git)
      .filter((name) => /^(?:index|sharedindex\..*)$/.test(name))
      .flatMap((name) => namesIn(readFileSync(join(git, name))))
      .map((name) => name.toLowerCase());
    if (names.includes(path)) return true;
    return names.some((name) => name.endsWith('/') && path.startsWith(name)) ? undefined : false;
  } catch {
    return undefined;
  }
}

const QUIET = { throwIfNoEntry: false } as const;
