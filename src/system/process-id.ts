/**
 * Which process wrote a lock or a temporary file, and whether it is still alive. Shares its code with the runner, which has
 * locks, too.
 */

import { runnerCode } from './runner-code.ts';

export const processes = () => runnerCode('./lock.cjs');
