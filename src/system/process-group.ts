/** Processes in groups of their own, so that everything they start ends with them. */

import type { ChildProcess } from 'node:child_process';
import { onExit } from './cleanup.ts';
import type { Env } from './env.ts';
import { attempt } from './errors.ts';
import { runnerCode } from './runner-code.ts';

/** Milliseconds between the polite signal and the other, if nobody can wait. */
const GRACE = 200;

/** Signals everything in a process's group; on Windows, which has no groups, only the process. */
export function signalGroup(
  leader: Pick<ChildProcess, 'pid' | 'kill'>,
  signal: NodeJS.Signals,
): void {
  const { pid } = leader;
  if (pid === undefined) return; // it has not started
  // It may already have ended, with everything in it.
  attempt(() => (process.platform === 'win32' ? leader.kill(signal) : process.kill(-pid, signal)));
}

const code = () => runnerCode('./process-tree.cjs');

/** A program that has started, with all that it starts. */
export type Group = ReturnType<ReturnType<typeof code>['startTree']>;

/**
 * Starts a program in a group of its own. Whatever ends us, for example Ctrl-C, ends it as well.
 *
 * @param env Its whole environment.
 */
export function startGroup(words: readonly string[], env: Env, cwd: string): Group {
  const { serverTree, startTree } = code();
  const atExit = () => onExit(() => endGroup(group));
  const group = startTree(serverTree(words, env, cwd), cwd, { atExit });
  return group;
}

/** Ends a group right away, politely at first, for a process that may itself be ending and can do nothing later. */
export function endGroup({ terminate, end }: Pick<Group, 'terminate' | 'end'>): void {
  terminate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE);
  end();
}

/** Whether a process in a group is only the shell that waits for our end, by its command line. */
export const isWaiting = (command: string): boolean => code().isWaiting(command);

/** For Linux: the process group of a process; undefined: it has ended. */
export const groupOf = (pid: number): number | undefined => code().statOf(pid)?.group;

/** The ids of all that this process has started, and of what that has started. None where the system does not say. */
export const descendants = (): readonly number[] =>
  process.platform === 'win32' ? [] : code().descendantsOf(process.pid);
