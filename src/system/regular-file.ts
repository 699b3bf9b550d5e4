/** Reads files in folders that may be untrusted, where a file may actually be something else. */

import { readFileSync, statSync } from 'node:fs';
import { attempt } from './errors.ts';

/** Larger than any hand-written file, in bytes. */
const WRITTEN = 1024 * 1024;

export const isRegular = (path: string): boolean =>
  attempt(() => statSync(path, { throwIfNoEntry: false })?.isFile()) === true;

/**
 * The bytes of a regular file that is readable and not too long. Reading a pipe would block, and reading a device may never
 * end.
 */
export function readRegular(path: string, most = WRITTEN): Buffer | undefined {
  return attempt(() => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= most ? readFileSync(path) : undefined;
  });
}

/** The same as text. Empty if the file cannot be read. */
export const textOf = (path: string): string => readRegular(path)?.toString('utf8') ?? '';
