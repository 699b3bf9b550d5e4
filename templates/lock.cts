/**
 * mcp-hooks: a lock among our processes: a file that names its holder. When the holder is gone, the lock is taken away. The
 * command line uses these functions, too (src/system/process-id.ts), so all know a process by the same mark.
 */

import fs = require('node:fs');

import { textOf } from './files.cjs';
import { statOf } from './process-tree/stat.cjs';
import { attempt, codeOf } from './values.cjs';

/** Milliseconds after which a lock that names no holder must be one that a crash of the machine has left. */
const OLD = 10_000;
/** Milliseconds between two looks at a lock. */
const PAUSE = 20;

/**
 * The result of `action`, which runs while no other process has the lock; undefined if the lock is not free by `until`.
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
    if (takeFromNobody(path)) break;
    if (Date.now() >= until) return undefined;
    await new Promise((done) => setTimeout(done, PAUSE * (0.5 + Math.random())));
  }
  try {
    return await action();
  } finally {
    if (holderOf(path) === ownMark()) giveUp(path);
  }
}

/** The same, but only if the lock is free now, or its holder is gone. */
export function lockedNow<Result>(path: string, action: () => Result): Result | undefined {
  if (!takeFromNobody(path)) return undefined;
  try {
    return action();
  } finally {
    if (holderOf(path) === ownMark()) giveUp(path);
  }
}

/** Takes the lock if it is free, or its holder is gone. */
function takeFromNobody(path: string): boolean {
  if (take(path)) return true;
  const holder = holderOf(path);
  return holder !== undefined && isGone(path, holder) && takeAway(path, holder) && take(path);
}

/** The work is done. A lock that cannot be removed belongs to a process that will be gone. */
const giveUp = (path: string): void => attempt(() => fs.rmSync(path, { force: true }));

/** Creates the lock with its holder in it, never empty. False when there is a lock already, or no folder for it. */
function take(path: string): boolean {
  const own = temporaryFor(path);
  try {
    fs.writeFileSync(own, ownMark(), { flag: 'wx', mode: 0o600 });
    try {
      fs.linkSync(own, path);
    } catch (error) {
      // Not every file system has hard links.
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

/** Moves the lock aside first: if another process has taken it since we looked, it gets it back. False: it cannot be moved. */
function takeAway(path: string, holder: string): boolean {
  const aside = temporaryFor(path);
  try {
    fs.renameSync(path, aside);
    if (textOf(aside) !== holder) fs.linkSync(aside, path);
    return true;
  } catch {
    return false; // somebody was faster, or nothing can be changed there
  } finally {
    giveUp(aside);
  }
}

/** Writes all of a file or nothing, readable for its owner alone. */
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

/** A name for a temporary file next to `path` that nobody else has. It tells whose file it is. */
export const temporaryFor = (path: string): string =>
  `${path}.mcp-hooks-${ownMark()}.${Math.random().toString(36).slice(2)}.tmp`;

/**
 * This process, in a form that fits into a file's name: its number and its start, because numbers are reused. Without /proc,
 * the number has to do.
 */
export function ownMark(): string {
  own ??= markOf(process.pid);
  return own;
}
let own: string | undefined;

/** Whether a text can be the mark of a process. */
export const isMark = (text: string): boolean => /^[1-9]\d*(-[0-9a-f]{8}-\d+)?$/.test(text);

/** Whether the process with that mark is still there. */
export function isAlive(mark: string): boolean {
  const pid = Number.parseInt(mark, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user may have been given the number since.
    if (codeOf(error) !== 'EPERM') return false;
  }
  const stat = statOf(pid);
  if (stat?.ended) return false;
  const now = marked(pid, stat);
  return now === mark || !now.includes('-') || !mark.includes('-');
}

/** A process in that form. */
export const markOf = (pid: number): string => marked(pid, statOf(pid));

function marked(pid: number, stat: ReturnType<typeof statOf>): string {
  const boot = stat && attempt(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'));
  return stat && boot ? `${pid}-${boot.slice(0, 8)}-${stat.start}` : String(pid);
}
