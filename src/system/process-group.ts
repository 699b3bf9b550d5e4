/** Processes in groups of their own, so that everything they start ends with them. */

import type { ChildProcess } from 'node:child_process';
import type { Env } from './env.ts';
import { attempt } from './errors.ts';
import { runnerCode } from './runner-code.ts';

type Member = Pick<ChildProcess, 'pid' | 'kill'>;

/** Milliseconds between the polite signal and the other, if nobody can wait. */
const GRACE = 200;

/** Signals everything in a process's group; on Windows, which has no groups, only the process. */
export function signalGroup(leader: Member, signal: NodeJS.Signals): void {
  const { pid } = leader;
  if (pid === undefined) return; // it has not started
  // It may already have ended, with everything in it.
  attempt(() => (process.platform === 'win32' ? leader.kill(signal) : process.kill(-pid, signal)));
}

/** Ends a group right away, politely at first, for a process that may itself be ending and can do nothing later. */
export function endGroup(leader: Member): void {
  signalGroup(leader, 'SIGTERM');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE);
  signalGroup(leader, 'SIGKILL');
}

const code = () => runnerCode('./family.cjs');

/** A process with all that it starts, which ends with it, or with us: what to start, with which streams, and what to call then. */
export type Family = ReturnType<ReturnType<typeof code>['serverFamily']>;

/** @param env Its whole environment. */
export const familyOf = (words: readonly string[], env: Env, cwd: string): Family =>
  code().serverFamily(words, env, cwd);

/** Whether a process in a family's group is only the shell that waits for our end, by its command line. */
export const isWaiting = (command: string): boolean => code().isWaiting(command);
