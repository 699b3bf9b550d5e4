/**
 * mcp-hooks: a lock between our processes, as a file that names its holder. When the holder is gone, the lock is removed. The
 * command line uses these functions too (src/system/process-id.ts), so both identify a process by the same mark.
 */

import fs = require('node:fs');

import { textOf } from './files.cjs';
import { statOf } from './process-tree/stat.cjs';
import { attempt, codeOf } from './values.cjs';

/** The age in milliseconds above which a lock without a holder must be left over from a crash of the machine. */
const OLD = 10_000;
/** Milliseconds between attempts. */
const PAUSE = 20;

/**
 * The result of `action`, which runs while no other process has the lock; undefined if the lock is not free before `until`.
 *
 * @param prepare Called before each attempt.
 */
export async function locked<Result>(
  path: string,
  until: number,
  action: () => Result | Promise<Result>,
  prepare: () => void = () => {},
): Promise<Result | undefined> {
  for (;;) {
    prepare();
    if (takeIfUnheld(path)) break;
    if (Date.now() >= until) return undefined;
    await new Promise((done) => setTimeout(done, PAUSE * (0.5 + Math.random())));
  }
  try {
    return await action();
  } finally {
    if (holderOf(path) === ownMark()) giveUp(path);
  }
}

/** The same, but only if the lock is free now or its holder is gone. */
export function lockedNow<Result>(path: string, action: () => Result): Result | undefined {
  if (!takeIfUnheld(path)) return undefined;
  try {
    return action();
  } finally {
    if (holderOf(path) === ownMark()) giveUp(path);
  }
}

/** Takes the lock if it is free or its holder is gone. */
function takeIfUnheld(path: string): boolean {
  if (take(path)) return true;
  const holder = holderOf(path);
  return holder !== undefined && isGone(path, holder) && takeAway(path, holder) && take(path);
}

/** Releases the lock. If it cannot be removed, its holder (this process) will be gone soon. */
const giveUp = (path: string): void => attempt(() => fs.rmSync(path, { force: true }));

/** Creates the lock together with its holder, so it is never empty. False if there is already a lock, or no folder for it. */
function take(path: string): boolean {
  const own = temporaryFor(path);
  try {
    fs.writeFileSync(own, ownMark(), { flag: 'wx', mode: 0o600 });
    try {
      fs.linkSync(own, path);
    } catch (error) {
      // Some file systems have no hard links.
      if (!['EPERM', 'ENOTSUP'].includes(codeOf(error))) throw error;
      fs.writeFileSync(path, ownMark(), { flag: 'wx', mode: 0o600 });
    }
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    throw error;
  } finally {
    giveUp(own);
  }
}

const holderOf = (path: string): string | undefined => attempt(() => textOf(path));

function isGone(path: string, holder: string): boolean {
  if (holder !== '') return !isMark(holder) || !isAlive(holder);
  const made = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > OLD;
}

/** Moves the lock aside first, and back if another process has taken it in the meantime. False: it cannot be moved. */
function takeAway(path: string, holder: string): boolean {
  const aside = temporaryFor(path);
  try {
    fs.renameSync(path, aside);
    if (textOf(aside) !== holder) fs.linkSync(aside, path);
    return true;
  } catch {
    return false; // another process was faster, or the folder is read-only
  } finally {
    giveUp(aside);
  }
}

/** Writes a file completely or not at all, readable only by its owner. */
export function replace(file: string, content: string | Uint8Array): void {
  const temporary = temporaryFor(file);
  try {
    const handle = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(handle, content);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** A unique name for a temporary file next to `path`. It names the process that owns the file. */
export const temporaryFor = (path: string): string =>
  `${path}.mcp-hooks-${ownMark()}.${Math.random().toString(36).slice(2)}.tmp`;

/**
 * The mark of this process, which fits into a file name: its process id and its start time, because ids are reused. Without
 * /proc, it is the id alone.
 */
export function ownMark(): string {
  own ??= markOf(process.pid);
  return own;
}
let own: string | undefined;

/** Whether a text has the form of a process mark. */
export const isMark = (text: string): boolean => /^[1-9]\d*(-[0-9a-f]{8}-\d+)?$/.test(text);

/** Whether the process with that mark is still running. */
export function isAlive(mark: string): boolean {
  const pid = Number.parseInt(mark, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the id may have been reused by a process of another user.
    if (codeOf(error) !== 'EPERM') return false;
  }
  const stat = statOf(pid);
  if (stat?.ended) return false;
  const now = marked(pid, stat);
  return now === mark || !now.includes('-') || !mark.includes('-');
}

/** The mark of a process. */
export const markOf = (pid: number): string => marked(pid, statOf(pid));

function marked(pid: number, stat: ReturnType<typeof statOf>): string {
  const boot = stat && attempt(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'));
  return stat && boot ? `${pid}-${boot.slice(0, 8)}-${stat.start}` : String(pid);
}
