/**
 * What `import 'mcp-hooks'` loads: it takes the library out of main.cjs, where it shares its code with the command line.
 * Under which names, build.mjs adds.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import type * as all from './all.ts';

const folder = import.meta.dirname;
const main = join(folder, 'main.cjs');
const loaded: { exports: Partial<typeof all> } = { exports: {} };
// The file is a function (build.mjs).
const run = runInThisContext(readFileSync(main, 'latin1'), { filename: main });
run(loaded.exports, createRequire(main), loaded, main, folder);

export const library = loaded.exports.library?.();
