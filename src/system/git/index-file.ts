/**
 * The names in git's index.
 *
 * Source: https://git-scm.com/docs/index-format
 */

/** Bytes of an object hash: SHA-1, SHA-256. */
const HASHES = [20, 32];
/** Bytes for the `stat` data of a file. */
const STAT = 40;
const FLAGS = 2;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;

/** Maximum bytes copied for shortened names. No real repository needs this many. */
const COPIED = 1 << 28;

/**
 * The index does not specify the length of its hashes. An attacker can choose the hashed contents so that an index with long
 * hashes can also be read as one with short hashes and other names. Therefore both lengths are tried, and every valid reading
 * counts. Only wanted names are kept, because a short index may contain very long names. @throws Error when the index has an
 * unknown version.
 */
export function namesIn(index: Buffer, isWanted: (name: string) => boolean): string[] {
  const readings = HASHES.flatMap((hash) => {
    const names = tryNames(index, hash, isWanted);
    return names ? [names] : [];
  });
  if (readings.length === 0) throw new Error('not an index');
  return readings.flat();
}

/** @param hash Bytes of a hash. The index ends with a hash of the whole file. */
function tryNames(
  index: Buffer,
  hash: number,
  isWanted: (name: string) => boolean,
): string[] | undefined {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const names: string[] = [];
  let name: Buffer = Buffer.alloc(0);
  let at = 12;
  let copied = 0;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const start = at;
    at += STAT + hash;
    if (at + FLAGS > index.length) return undefined;
    const flags = index.readUInt16BE(at);
    at += flags & EXTENDED ? 2 * FLAGS : FLAGS;
    let kept = 0;
    if (version === 4) {
      const cut = varint(index, at);
      kept = name.length - cut.value;
      at = cut.end;
    }
    const end = index.indexOf(0, at);
    if (end === -1 || kept < 0) return undefined;
    const own = index.subarray(at, end);
    copied += kept;
    if (copied > COPIED) throw new Error('names that are too long');
    name = kept === 0 ? own : Buffer.concat([name.subarray(0, kept), own]);
    if ((flags & LENGTH) !== Math.min(name.length, LENGTH)) return undefined;
    const text = name.toString('utf8');
    if (isWanted(text)) names.push(text);
    // Up to version 3, an entry is padded with one to eight zeros.
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  return at + hash <= index.length ? names : undefined;
}

/** A number in 7-bit groups, the highest first. Each byte but the last adds one. */
function varint(bytes: Buffer, from: number): { value: number; end: number } {
  let end = from;
  let byte = bytes[end++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes[end++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end };
}
