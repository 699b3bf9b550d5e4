/** Ensures that only one mcp-hooks at a time works on a state folder. Other programs do not use this lock. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from './errors.ts';
import { cannotWrite, makeFolders, missingFolders, read } from './files.ts';
import type { SystemMessage } from './messages.ts';
import { processes } from './process-id.ts';

/** Milliseconds. A run holds the lock for a fraction of a second. */
const PATIENCE = 30_000;

export const lockPath = (state: string): string => `${state}/lock`;

/** Whether a state folder has a lock, or the remains of a killed run's lock. */
export const isLocked = (state: string): boolean =>
  existsSync(state) &&
  readdirSync(state).some((name) => join(state, name).startsWith(lockPath(state)));

/** Runs the action while no other live mcp-hooks uses this state folder. @throws UserError after half a minute. */
export async function locked<T>(state: string, action: () => T): Promise<T> {
  const path = lockPath(state);
  const { isMark, locked: hold } = processes();
  let pid = '?';
  const prepare = () => {
    // Repeated before each attempt, because the previous holder may have removed the folder along with the lock.
    makeFolders(missingFolders(path));
    const holder = read(path)?.toString();
    if (holder && !isMark(holder))
      throw new UserError<SystemMessage>({ code: 'not-our-lock', path });
    pid = holder?.replace(/-.*/s, '') ?? pid;
  };
  // Only an error of the lock itself means that the lock cannot be written.
  const outcome = () => {
    try {
      return { it: action() };
    } catch (error) {
      return { error };
    }
  };
  const done = await hold(path, Date.now() + PATIENCE, outcome, prepare).catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  if (!done) throw new UserError<SystemMessage>({ code: 'locked', path, pid });
  if ('error' in done) throw done.error;
  return done.it;
}
