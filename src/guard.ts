/** Ends a group of processes when we are killed by a signal that nobody can catch: as the runner does it. */

import { runnerCode } from './runner-code.ts';

/** Started before what it is there for. */
interface Guard {
  /** The process group that ends with us. */
  readonly over: (pid: number | undefined) => void;
  /** It has ended. */
  readonly release: () => void;
}

export const guard = (): Guard => runnerCode('./guard.cjs').guard();
