/** The parent folders of a folder, and where git keeps its data about them. Does not start git. */

import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { attempt } from '../errors.ts';
import { textOf } from '../regular-file.ts';

/** A folder and all of its parents, nearest first. */
export function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}

/** Whether a folder contains a `.git` of any kind. */
const hasGit = (folder: string): boolean => existsSync(`${folder}${sep}.git`);

/** The same, except that a `.git` folder without a HEAD does not count. */
export function hasGitHead(folder: string): boolean {
  const git = join(folder, '.git');
  const found = statSync(git, { throwIfNoEntry: false });
  return found?.isDirectory() ? existsSync(join(git, 'HEAD')) : found !== undefined;
}

export const repositoryOf = (folder: string, isTop = hasGit): string | undefined =>
  foldersUpFrom(folder).find(isTop);

/** A folder and its parents up to `top`. Without `top`, only the folder itself. */
export function foldersUpTo(folder: string, top = folder): string[] {
  const all = foldersUpFrom(folder);
  return all.slice(0, all.indexOf(top) + 1);
}

/** The same up to the top of its repository. */
export const foldersOfProject = (folder: string): string[] =>
  foldersUpTo(folder, repositoryOf(folder));

/**
 * The repository's folder for a worktree; otherwise the folder itself. An untrusted `.git` may name any repository, so, as in
 * git, that repository has to name the worktree as well.
 *
 * Source: https://git-scm.com/docs/gitrepository-layout (`worktrees/<id>/gitdir`)
 */
export function mainOf(top: string): string {
  const own = join(top, '.git');
  const main = attempt(() => {
    if (!lstatSync(own).isFile()) return top;
    const folder = realpathSync.native(gitFolderOf(top));
    const worktrees = dirname(folder);
    const common = dirname(worktrees);
    const known = resolve(folder, textOf(join(folder, 'gitdir')).trim());
    const isKnown = realpathSync.native(known) === realpathSync.native(own);
    const isPlace = basename(worktrees) === 'worktrees' && basename(common) === '.git';
    return isKnown && isPlace ? dirname(common) : top;
  });
  return main ?? top; // one of these files may be missing
}

/** Where git keeps its data about a working tree. */
export function gitFolderOf(top: string): string {
  const own = join(top, '.git');
  if (!statSync(own, { throwIfNoEntry: false })?.isFile()) return own;
  const [, path = ''] = /^gitdir: (.*)$/m.exec(textOf(own)) ?? [];
  return resolve(top, path);
}
