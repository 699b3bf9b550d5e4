/**
 * A team's manifest: that of the project around the current folder. The user did not name it, so the rules for it are strict.
 */

import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { foldersUpTo, repositoryOf } from '../../system/git/folders.ts';
import { SourceError } from '../messages.ts';
import { IN_FOLDER } from './read.ts';

/**
 * The absolute path of the nearest manifest, from the current folder up to the top of its repository. Undefined if there is
 * none.
 *
 * @param above If false, only the current folder is searched.
 * @throws SourceError as `refuseStrange` does.
 */
export function manifestOfFolder(cwd: string, { above }: { above: boolean }): string | undefined {
  const here = realpathSync.native(cwd);
  const folders = above ? foldersUpTo(here, repositoryOf(here)) : [here];
  const found = folders
    .flatMap((folder) => IN_FOLDER.map((name) => join(folder, name)))
    .find((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (found !== undefined) refuseStrange(found);
  return found;
}

/**
 * Refuses an untrusted manifest. Another user may have put it there, for example in a parent folder, or it may be a link in a
 * cloned repository that points to a file of the user.
 *
 * @throws SourceError if it is not a regular file, or if the file or its folder belongs to another user.
 */
export function refuseStrange(path: string): void {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file && !file.isFile()) throw new SourceError({ code: 'team-no-plain-file', path });
  const own = process.getuid?.();
  const owners = [file, lstatSync(join(path, '..'), { throwIfNoEntry: false })];
  if (own !== undefined && owners.some((one) => one && one.uid !== own))
    throw new SourceError({ code: 'team-of-another', path });
}
