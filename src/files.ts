/** The only place that touches the disk for writing: whole files, atomically, and only if they are as expected. */

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, UserError } from './errors.ts';
import { messages } from './messages.ts';

/** The bytes of a file, or null when there is none. */
export function read(path: string): Buffer | null {
  try {
    // Most of what we look for is not there, and an error costs more than a look.
    if (!lstatSync(path, { throwIfNoEntry: false })) return null;
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new UserError(messages.cannotRead(path, error));
  }
}

/** Where a path leads, link by link, also when nothing is there yet: that is where we write. */
export function followLinks(path: string): string {
  const seen = new Set<string>();
  for (let at = resolve(path); ; ) {
    if (seen.has(at)) throw Object.assign(new Error('link loop'), { code: 'ELOOP' });
    seen.add(at);
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at;
    at = resolve(dirname(at), readlinkSync(at));
  }
}

/**
 * Replaces a file, or removes it when `next` is null. Others see the old bytes or the new, nothing between;
 * on any failure the old bytes stay and a UserError says why.
 *
 * @param expected The bytes it must still hold; null: it must not exist.
 * @param mode For a new file; an existing one keeps its own.
 */
export function replace(
  path: string,
  expected: Buffer | null,
  next: Buffer | null,
  mode = 0o600,
): void {
  try {
    const target = followLinks(path);
    const now = read(target);
    if (!same(now, expected)) throw new UserError(messages.changedMeanwhile(path));
    if (next === null) rmSync(target, { force: true });
    else writeBeside(target, next, now === null ? undefined : statSync(target), mode);
    syncFolder(dirname(target));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(messages.cannotWrite(path, error));
  }
}

/** Throws a UserError when a file, or its folder, says that it is not to be written. */
export function checkWritable(path: string): void {
  try {
    const target = followLinks(path);
    const file = statSync(target, { throwIfNoEntry: false });
    // A rename would replace it all the same, and root may do anything: what counts is what it says.
    if (file && (file.mode & 0o200) === 0) throw Object.assign(new Error(), { code: 'EACCES' });
    if (file && file.nlink > 1) throw new UserError(messages.hardLink(path));
    const [missing] = missingFolders(target);
    accessSync(dirname(missing ?? target), constants.W_OK);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(messages.cannotWrite(path, error));
  }
}

/** Part of a name that nobody else has; it is only ever used for a file that must not exist yet. */
const unique = (): string => `${process.pid}${Math.random().toString(36).slice(2)}`;

function writeBeside(
  target: string,
  bytes: Buffer,
  old: { uid: number; gid: number; mode: number } | undefined,
  mode: number,
): void {
  const temporary = `${target}.${unique()}.tmp`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, bytes); // all of them, or an error: fs.writeSync may write a part and say nothing
      if (old) {
        const own = fstatSync(file);
        if (own.uid !== old.uid || own.gid !== old.gid) fchownSync(file, old.uid, old.gid);
      }
      fchmodSync(file, (old?.mode ?? mode) & 0o7777);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The folders that are missing on the way to a file, outermost first. */
export function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (
    let at = dirname(followLinks(path));
    !statSync(at, { throwIfNoEntry: false });
    at = dirname(at)
  )
    missing.unshift(at);
  return missing;
}

export function makeFolders(folders: readonly string[]): void {
  for (const folder of folders)
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw new UserError(messages.cannotWrite(folder, error));
    }
}

/** Removes folders, innermost first, that hold nothing. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed())
    try {
      rmdirSync(folder);
    } catch {} // something is in it: it stays
}

/** Runs `action` while no other mcp-hooks that uses this state folder does. A dead holder does not count. */
export async function locked<T>(state: string, action: () => T | Promise<T>): Promise<T> {
  const path = `${state}/lock`;
  makeFolders(missingFolders(path));
  for (let attempt = 0; !take(path); attempt++) {
    const holder = read(path)?.toString() ?? '';
    if (holder === '' ? isOld(path) : !alive(Number(holder))) takeAway(path, holder);
    else if (attempt >= 200) throw new UserError(messages.locked(path, holder));
    else await new Promise((done) => setTimeout(done, 50));
  }
  try {
    return await action();
  } finally {
    rmSync(path, { force: true });
  }
}

/** The lock comes into being with its holder's number in it, never empty; false when there is one. */
function take(path: string): boolean {
  const own = `${path}.${unique()}`;
  try {
    writeFileSync(own, String(process.pid), { flag: 'wx', mode: 0o600 });
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new UserError(messages.cannotWrite(path, error));
  } finally {
    rmSync(own, { force: true });
  }
}

/** Takes away the lock of a dead holder; one that somebody else has taken meanwhile is put back. */
function takeAway(path: string, dead: string): void {
  const aside = `${path}.${unique()}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== dead) linkSync(aside, path);
  } catch {
    // somebody was faster: the next attempt sees what there is
  } finally {
    rmSync(aside, { force: true });
  }
}

/** An empty lock is what a crash of the machine leaves: ours have their holder in them from the start. */
function isOld(path: string): boolean {
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > 10_000;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The same bytes, or both absent. */
export const same = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);
