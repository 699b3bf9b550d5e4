/** All code in one file, `dist/main.cjs`: the command line, and the library, which needs mostly the same modules. */

import type * as index from './index.ts';
import type * as evaluating from './library/engine.ts';

export { main } from './cli/main.ts';

/**
 * The library, loaded only on demand, because the command line does not need it. Loaded synchronously, so that it can be
 * required.
 */
export const library = (): typeof index => require('./index.ts');

/** The same for `mcp-hooks/engine`. */
export const engine = (): typeof evaluating => require('./library/engine.ts');
