/** Ends a group of processes when we are killed by a signal that nobody can catch: as the runner does it. */

import { runnerCode } from './runner-code.ts';

/**
 * @param group The number of the process group that ends with us; undefined: it has not started.
 * @returns What to call when the group has ended.
 */
export const guard = (group: number | undefined): (() => void) =>
  runnerCode('./guard.cjs').guard(group);
