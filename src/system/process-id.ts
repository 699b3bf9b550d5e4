/** Who wrote a lock or a temporary file, and whether that process is still alive. The runner has locks, too, and the same code. */

import { runnerCode } from './runner-code.ts';

/** The functions of `templates/lock.cts` that we use. */
interface Processes {
  readonly ownMark: () => string;
  readonly isMark: (text: string) => boolean;
  readonly isAlive: (mark: string) => boolean;
  readonly temporaryFor: (path: string) => string;
  readonly locked: <T>(
    path: string,
    until: number,
    action: () => T | Promise<T>,
    prepare?: () => void,
  ) => Promise<T | undefined>;
}

export const processes = (): Processes => runnerCode('./lock.cjs');
