/** mcp-hooks: the repository of a session, read without git. */

import fs = require('node:fs');
import path = require('node:path');

import { partOf, withFile } from './files.cjs';
import type { Firing, Running } from './types.cjs';
import { attempt } from './values.cjs';

/** The name of the repository's folder; outside a repository, the name of the session's folder. */
export function projectName(cwd: string): string {
  const named = foldersFrom(cwd).find((at) => fs.existsSync(path.join(at, '.git')));
  return path.basename(named ?? path.resolve(cwd));
}

/** A folder and its parents, as far up as a real repository could be. */
function foldersFrom(cwd: string): string[] {
  const all: string[] = [];
  let folder = path.resolve(cwd);
  while (all.length < LEVELS && folder !== all.at(-1)) {
    all.push(folder);
    folder = path.dirname(folder);
  }
  return all;
}
const LEVELS = 100;

/** Whether a session is outside the only folder that a label was installed for. */
export function isElsewhere({ onlyIn }: Pick<Running, 'onlyIn'>, { cwd }: Firing): boolean {
  if (onlyIn === undefined) return false;
  const folder = realPath(path.resolve(cwd));
  return folder !== onlyIn && !folder.startsWith(onlyIn + path.sep);
}

function realPath(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** The current branch; undefined: there is none, or git stores it in reftable format, which we do not read. */
export function branchOf(firing: Firing): string | undefined {
  firing.branch ??= { name: branchIn(headOf(gitFile(firing.cwd, 'HEAD'))) };
  return firing.branch.name;
}

function branchIn(head: string): string | undefined {
  const [, line = ''] = /^ref:[ \t\r\n]*refs\/heads\/(.*)/.exec(head) ?? [];
  const name = line.trim();
  return name === '' || name === '.invalid' ? undefined : name;
}

/** The content of HEAD, which may also be a symbolic link to the branch's file. */
function headOf(file: string | undefined): string {
  try {
    return `ref: ${fs.readlinkSync(file ?? '')}`;
  } catch {
    return beginningOf(file);
  }
}

/** `owner/name` of the repository that this one was cloned from. */
export function repositoryOf(firing: Firing): string | undefined {
  firing.repository ??= { name: repositoryIn(beginningOf(gitFile(firing.cwd, 'config'))) };
  return firing.repository.name;
}

function repositoryIn(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) isOrigin = line.startsWith('[remote "origin"]');
    const [key, ...rest] = isOrigin ? line.split('=') : [];
    if (key?.trim() !== 'url') continue;
    const [url = ''] = rest.join('=').trim().split(/\s/);
    const [name, before] = url
      .replace(/\/$/, '')
      .replace(/\.git$/, '')
      .split('/')
      .reverse();
    const owner = before?.split(/[:@?#]/).at(-1);
    return name && owner && !/[:@?#]/.test(name) ? `${owner}/${name}` : undefined;
  }
  return undefined;
}

/** A file of the repository that contains a folder; undefined: there is no repository. */
function gitFile(cwd: string, name: string): string | undefined {
  for (const at of foldersFrom(cwd)) {
    const git = path.join(at, '.git');
    const found = statOf(git);
    if (found?.isDirectory() && isRepository(git)) return path.join(git, name);
    if (found?.isFile()) return inWorktree(at, beginningOf(git), name);
  }
  return undefined;
}

/**
 * Whether git accepts a folder as a repository. If not, git continues with the parent, and so do we, because a guard may be for
 * a branch there.
 */
const isRepository = (git: string): boolean =>
  ['objects', 'refs'].every((name) => statOf(path.join(git, name)) !== undefined) &&
  /^(?:ref:[ \t\r\n]*refs\/|[0-9a-f]{40})/i.test(headOf(path.join(git, 'HEAD')));

/** Undefined: it does not exist or is not accessible. */
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * For a linked worktree or a submodule: `.git` is a file that names its own folder, in which a file may name the common one.
 */
function inWorktree(root: string, text: string, name: string): string | undefined {
  const [, folder] = /^gitdir: (.+)$/m.exec(text) ?? [];
  if (folder === undefined) return undefined;
  const own = path.resolve(root, folder.trim());
  const common = beginningOf(path.join(own, 'commondir')).trim();
  return path.join(name === 'HEAD' || common === '' ? own : path.resolve(own, common), name);
}

/** Bytes of a file that are read. Git's own have what is needed in them. */
const BEGINNING = 16 * 1024;

/** The beginning of a file; '' if there is no file. */
function beginningOf(file: string | undefined): string {
  if (file === undefined) return '';
  return attempt(() => withFile(file, (handle) => partOf(handle, 0, BEGINNING))) ?? '';
}
