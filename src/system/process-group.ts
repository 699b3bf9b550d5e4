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

/** Makes a process group end with us, and what carries its mark. @returns A function to call when the group has ended. */
export const guard = (group: number | undefined, mark = ''): (() => void) =>
  runnerCode('./guard.cjs').guard(group, mark);

/** How a server is started so that all that it starts is known, and ended with it (templates/family.cjs). */
export interface Family {
  readonly words: readonly string[];
  readonly mark: string;
  /** Call this right after the start. */
  readonly begun: (pid: number | undefined) => void;
  /** Ends all of them. Call it when the server ends at the latest. */
  readonly end: () => void;
}

export const serverFamily = (words: readonly string[], env: Env, cwd: string): Family =>
  runnerCode('./family.cjs').serverFamily(words, env, cwd);
