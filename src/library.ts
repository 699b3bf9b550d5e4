/**
 * The source of `mcp-hooks` and `mcp-hooks/engine`: the library in main.cjs, which shares its code with the command line in the
 * same file. build.mjs adds the exported names. A program that imports both loads main.cjs once, so they share their classes.
 */

import { createRequire } from 'node:module';
import type * as all from './all.ts';

// Uses require, because for an import of CommonJS, node would first scan the whole file for its exports.
const { library, engine }: typeof all = createRequire(import.meta.url)('./main.cjs');

export { engine, library };
