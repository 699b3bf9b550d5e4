/**
 * The source of `mcp-hooks` and `mcp-hooks/engine`: the library in main.cjs, which shares its code with the command line
 * there. build.mjs adds the exported names. A program that imports both loads this once, so they share their classes.
 */

import { createRequire } from 'node:module';
import type * as all from './all.ts';

// With require: to import CommonJS, node would first search all of it for its exports.
const { library, engine }: typeof all = createRequire(import.meta.url)('./main.cjs');

export { engine, library };
