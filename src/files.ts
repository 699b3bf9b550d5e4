/** The only place that touches the disk for writing: whole files, atomically, and only if they are as expected. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
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
    try {
      at = resolve(dirname(at), readlinkSync(at));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EINVAL' || code === 'ENOENT') return at;
      throw error;
    }
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

function writeBeside(
  target: string,
  bytes: Buffer,
  old: { uid: number; gid: number; mode: number } | undefined,
  mode: number,
): void {
  // A file that may not be written is not to be replaced either, although a rename would.
  if (old && (old.mode & 0o200) === 0)
    throw Object.assign(new Error('read-only'), { code: 'EACCES' });
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
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
  const folders = missingFolders(path);
  makeFolders(folders);
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw new UserError(messages.cannotWrite(path, error));
      const holder = read(path)?.toString() ?? '';
      if (holder !== '' && !alive(Number(holder))) rmSync(path, { force: true });
      else if (attempt >= 100) throw new UserError(messages.locked(path, holder));
      else await new Promise((done) => setTimeout(done, 50));
    }
  }
  try {
    return await action();
  } finally {
    rmSync(path, { force: true });
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

const same = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);
