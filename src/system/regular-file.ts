/** Reads files in folders that may be a stranger's, where anything may be in place of a file. */

import { readFileSync, statSync } from 'node:fs';
import { attempt } from './errors.ts';

/** The largest file that people write, in bytes. */
const WRITTEN = 1024 * 1024;

export const isRegular = (path: string): boolean =>
  attempt(() => statSync(path, { throwIfNoEntry: false })?.isFile()) === true;

/** The bytes of a regular file, if it can be read and is not too long: reading a pipe would wait, and a device never ends. */
export function readRegular(path: string, most = WRITTEN): Buffer | undefined {
  return attempt(() => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= most ? readFileSync(path) : undefined;
  });
}

/** The same as text; empty if the file cannot be read. */
export const textOf = (path: string): string => readRegular(path)?.toString('utf8') ?? '';
