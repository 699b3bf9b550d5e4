/** All of our code in one file, which is `dist/main.cjs`: the command line, and the library, which needs most of the same. */

export * as engine from './cli/library/engine.ts';
export { main } from './cli/main.ts';
export * as library from './index.ts';
