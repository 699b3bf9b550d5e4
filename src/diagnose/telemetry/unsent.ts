/** Which part of a log had not been sent yet when versions without counts were last used. Pure. */

import * as z from 'zod/mini';
import { sha256 } from '../../system/fingerprint.ts';
import { memoize } from '../../system/memoize.ts';

export const markShape = memoize(() => z.object({ bytes: z.int(), sha256: z.string() }));
/**
 * How far a file was sent. The file is recognised by its beginning, not by its name, because the runner renames a log that has
 * grown, and a file can be deleted and started again.
 */
export type Mark = z.infer<ReturnType<typeof markShape>>;

/** @param files The bytes of a log, older ones first. */
export const unsent = (files: readonly Buffer[], marks: readonly Mark[]): string =>
  files
    .map((bytes) => {
      const known = marks.filter((mark) => mark.bytes <= bytes.length && isBegun(bytes, mark));
      return bytes.subarray(Math.max(0, ...known.map((mark) => mark.bytes)));
    })
    .join('');

const isBegun = (bytes: Buffer, mark: Mark): boolean =>
  sha256(bytes.subarray(0, mark.bytes)) === mark.sha256;
