/** A file that was probably meant by the name of one that is not there. */

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { nearest } from './nearest.ts';

/** Files that may hold hooks. */
const HOLDS_HOOKS = /\.(?:jsonc?|mcpb|dxt)$/i;

/** The name nearest to that of `path`, among files that may hold hooks in its folder. */
export function nearestFile(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  try {
    const names = readdirSync(dirname(path)).filter((name) => HOLDS_HOOKS.test(name));
    return nearest(basename(path), names)[0];
  } catch {
    return undefined; // the folder is not there either
  }
}
