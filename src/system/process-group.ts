/** Processes in separate groups, so that everything they start ends with them. */

import { onExit } from './cleanup.ts';
import type { Env } from './env.ts';
import { runnerCode } from './runner-code.ts';

/** Milliseconds between the polite signal and the forced one, when we cannot wait asynchronously. */
const GRACE = 200;

const code = () => runnerCode('./process-tree.cjs');

/** A running program, with everything that it starts. */
export type Group = ReturnType<ReturnType<typeof code>['startTree']>;

/**
 * Starts a program in a separate group. It also ends when our process ends, for example by Ctrl-C.
 *
 * @param env Its complete environment.
 */
export function startGroup(words: readonly string[], env: Env, cwd: string): Group {
  const { serverTree, startTree } = code();
  const atExit = () => onExit(() => endGroup(group));
  const group = startTree(serverTree(words, env, cwd), cwd, { atExit });
  return group;
}

/** Ends a group immediately, politely at first. For a process that is ending itself and cannot do anything later. */
export function endGroup({ terminate, end }: Pick<Group, 'terminate' | 'end'>): void {
  terminate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE);
  end();
}

/** Whether a process in a group is only the shell that waits for us to end, judged by its command line. */
export const isWaiting = (command: string): boolean => code().isWaiting(command);

/** Linux only: the process group of a process. Undefined if the process has ended. */
export const groupOf = (pid: number): number | undefined => code().statOf(pid)?.group;

/** The IDs of all direct and indirect child processes. Empty if the system does not report them. */
export const descendants = (): readonly number[] =>
  process.platform === 'win32' ? [] : code().descendantsOf(process.pid);
