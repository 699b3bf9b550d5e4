/** All of our code in one file, which is `dist/main.cjs`: the command line, and the library, which needs most of the same. */

import type * as index from './index.ts';

export { main } from './cli/main.ts';

/** The library, loaded only when it is asked for: the command line starts without it. At once, so that it can be required. */
export const library = (): typeof index => require('./index.ts');
