/** Files of folders that may be a stranger's, whatever is there in place of a file. */

import { readFileSync, statSync } from 'node:fs';
import { attempt } from './errors.ts';

/** Bytes of a file that people write. */
const WRITTEN = 1024 * 1024;

/** The bytes of a regular file, if it can be read and is not too long: a pipe would be waited for, and a device never ends. */
export function readRegular(path: string, most = WRITTEN): Buffer | undefined {
  return attempt(() => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= most ? readFileSync(path) : undefined;
  });
}

/** The same as text; what cannot be read is empty. */
export const textOf = (path: string): string => readRegular(path)?.toString('utf8') ?? '';
