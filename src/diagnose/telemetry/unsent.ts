/** Which part of a log has not been sent yet. Pure. */

import * as z from 'zod/mini';
import { sha256 } from '../../system/fingerprint.ts';
import { memoize } from '../../system/memoize.ts';

export const markShape = memoize(() => z.object({ bytes: z.int(), sha256: z.string() }));
/**
 * How far a file was sent. The file is recognised by its beginning, not by its name, because the runner renames a log that has
 * grown, and a file can be deleted and started again.
 */
export type Mark = z.infer<ReturnType<typeof markShape>>;

/** A log is two files. One that is renamed while we read is missed, and turns up the next time. */
const MARKS = 4;

/**
 * @param files The bytes of a log, older ones first.
 * @returns What is new in it, and the marks that hold once it was sent.
 */
export function unsent(
  files: readonly Buffer[],
  marks: readonly Mark[],
): { text: string; marks: Mark[] } {
  // A line that is still being written is for the next time.
  const whole = files.map((bytes) => bytes.subarray(0, bytes.lastIndexOf('\n') + 1));
  const known = whole.map((bytes) =>
    marks
      .filter((mark) => mark.bytes <= bytes.length && isBegun(bytes, mark))
      .toSorted((a, b) => b.bytes - a.bytes),
  );
  const now = whole.map((bytes) => ({ bytes: bytes.length, sha256: sha256(bytes) }));
  const others = marks.filter((mark) => !known.flat().includes(mark));
  return {
    text: whole.map((bytes, at) => bytes.subarray(known[at]?.[0]?.bytes ?? 0)).join(''),
    marks: [...now.toReversed(), ...others].slice(0, MARKS),
  };
}

const isBegun = (bytes: Buffer, mark: Mark): boolean =>
  sha256(bytes.subarray(0, mark.bytes)) === mark.sha256;
