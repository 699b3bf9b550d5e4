/** Who wrote a lock or a temporary file, and whether that process still lives: the same in the runner, which has locks, too. */

import { runnerCode } from './runner-code.ts';

/** What of `templates/lock.cjs` is asked. */
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
