/** Who wrote a lock or a temporary file, and whether that process is still alive. The runner has locks, too, and the same code. */

import { runnerCode } from './runner-code.ts';

export const processes = () => runnerCode('./lock.cjs');
