/** Whether a file came with the folder that it is in, as far as git knows: git itself is not started in a stranger's folder. */

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { foldersUpTo, gitFolderOf } from './folders.ts';

/**
 * Whether git tracks a file of a working tree. What cannot be told counts as tracked: links, a repository within the
 * repository, and an index in which paths are shortened.
 *
 * Source: https://git-scm.com/docs/index-format
 */
export function isCommitted(file: string, top: string): boolean {
  try {
    const between = foldersUpTo(dirname(file), top).filter((folder) => folder !== top);
    if ([file, ...between].some((path) => lstatSync(path).isSymbolicLink())) return true;
    if (between.some((folder) => lstatSync(join(folder, '.git'), QUIET))) return true;
    const git = gitFolderOf(top);
    if (!lstatSync(git, QUIET)) return false;
    // Where the file system ignores case, any spelling is this file.
    const path = `${relative(top, file)}\0`.toLowerCase();
    return readdirSync(git)
      .filter((name) => /^(?:index|sharedindex\..*)$/.test(name))
      .map((name) => readFileSync(join(git, name)))
      .some(
        (index) => index.readUInt32BE(4) > 3 || index.toString('utf8').toLowerCase().includes(path),
      );
  } catch {
    return true;
  }
}

const QUIET = { throwIfNoEntry: false } as const;
