/**
 * What `mcp-hooks` and `mcp-hooks/engine` are taken from: the library in main.cjs, where it shares its code with the command
 * line. Under which names, build.mjs adds. A program that imports both loads this once, so a class of one is that of the other.
 */

import { createRequire } from 'node:module';
import type * as all from './all.ts';

// By require: to import CommonJS, node would first look through all of it for what it exports.
const { library, engine }: typeof all = createRequire(import.meta.url)('./main.cjs');

export { engine, library };
