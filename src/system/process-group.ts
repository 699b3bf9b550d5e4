/** Processes in a group of their own, so that what they start is ended with them. */

import type { ChildProcess } from 'node:child_process';
import { attempt } from './errors.ts';
import { runnerCode } from './runner-code.ts';

type Member = Pick<ChildProcess, 'pid' | 'kill'>;

/** Milliseconds between the polite signal and the other, where nobody can wait. */
const GRACE = 200;

/** Signals everything in the group of a process; on Windows, which has no groups, the process alone. */
export function signalGroup(leader: Member, signal: NodeJS.Signals): void {
  const { pid } = leader;
  if (pid === undefined) return; // it has not started
  // It may have ended already, with all of it.
  attempt(() => (process.platform === 'win32' ? leader.kill(signal) : process.kill(-pid, signal)));
}

/** Ends a group at once, for a process that may be ending itself and can do nothing later: politely at first. */
export function endGroup(leader: Member): void {
  signalGroup(leader, 'SIGTERM');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE);
  signalGroup(leader, 'SIGKILL');
}

/** Has a process group end with us. @returns What to call when it has ended. */
export const guard = (group: number | undefined): (() => void) =>
  runnerCode('./guard.cjs').guard(group);
