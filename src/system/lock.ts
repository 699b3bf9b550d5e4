/** One mcp-hooks at a time for one state folder. Other programs do not know this lock. */

import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, reasonOf, UserError } from './errors.ts';
import { makeFolders, missingFolders, read, temporaryFor } from './files.ts';
import type { SystemMessage } from './messages.ts';
import { isAlive, isMark, ownMark } from './process-id.ts';

/** Milliseconds. A run holds the lock for a small part of a second. */
const PATIENCE = 30_000;
const PAUSE = 20;

/** The lock of a state folder. */
export const lockPath = (state: string): string => `${state}/lock`;

/** Whether a lock, or what a killed run has left of one, is in a state folder. */
export const isLocked = (state: string): boolean =>
  existsSync(state) &&
  readdirSync(state).some((name) => join(state, name).startsWith(lockPath(state)));

/**
 * Runs `action` while no other mcp-hooks that uses this state folder does. A dead holder does not count.
 *
 * @throws UserError when somebody else holds it for half a minute.
 */
export async function locked<T>(state: string, action: () => T): Promise<T> {
  const path = lockPath(state);
  const until = Date.now() + PATIENCE;
  while (!take(path)) {
    const holder = read(path)?.toString();
    if (holder && !isMark(holder))
      throw new UserError<SystemMessage>({ code: 'not-our-lock', path });
    const dead = holder === '' ? isOld(path) : holder !== undefined && !isAlive(holder);
    if (Date.now() > until)
      throw new UserError<SystemMessage>({
        code: 'locked',
        path,
        pid: holder?.replace(/-.*/s, '') ?? '?',
      });
    if (dead) takeAway(path, holder ?? '');
    else await new Promise((done) => setTimeout(done, PAUSE * (0.5 + Math.random())));
  }
  try {
    return action();
  } finally {
    release(path);
  }
}

/** Removes a file of the lock. What was to be done is done: if it stays, it is one of a dead process. */
function giveUp(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** Gives the lock back, unless somebody else has it by now. */
function release(path: string): void {
  try {
    if (read(path)?.toString() === ownMark()) rmSync(path, { force: true });
  } catch {}
}

/** The lock comes into being with its holder in it, never empty; false when there is one. */
function take(path: string): boolean {
  const own = temporaryFor(path);
  try {
    // Again at each attempt: who held the lock may have removed the folder with it.
    makeFolders(missingFolders(path));
    writeFileSync(own, ownMark(), { flag: 'wx', mode: 0o600 });
    try {
      linkSync(own, path);
    } catch (error) {
      // Not every file system has hard links.
      if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw error;
      writeFileSync(path, ownMark(), { flag: 'wx', mode: 0o600 });
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    throw error instanceof UserError
      ? error
      : new UserError<SystemMessage>({ code: 'cannot-write', path, why: reasonOf(error) });
  } finally {
    giveUp(own);
  }
}

/** Takes away the lock of a dead holder; one that somebody else has taken meanwhile is put back. */
function takeAway(path: string, dead: string): void {
  const aside = temporaryFor(path);
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== dead) linkSync(aside, path);
  } catch {
    // somebody was faster: the next attempt sees what there is
  } finally {
    giveUp(aside);
  }
}

/** An empty lock is what a crash of the machine leaves: ours have their holder in them from the start. */
function isOld(path: string): boolean {
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > 10_000;
}
