/**
 * The names in git's index.
 *
 * Source: https://git-scm.com/docs/index-format
 */

/** Bytes of an object's hash: SHA-1, SHA-256. Only git's configuration says which. */
const HASHES = [20, 32];
/** Bytes of what `stat` says of a file. */
const STAT = 40;
const FLAGS = 2;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;

/** @throws Error when it is no index of a version that we know. */
export function namesIn(index: Buffer): string[] {
  for (const hash of HASHES) {
    const names = tryNames(index, STAT + hash);
    if (names) return names;
  }
  throw new Error('not an index');
}

/** @param flagsAt Where the flags of an entry are in it. */
function tryNames(index: Buffer, flagsAt: number): string[] | undefined {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const names: string[] = [];
  let name = Buffer.alloc(0);
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const start = at;
    at += flagsAt;
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
    name = Buffer.concat([name.subarray(0, kept), index.subarray(at, end)]);
    if ((flags & LENGTH) !== Math.min(name.length, LENGTH)) return undefined;
    names.push(name.toString('utf8'));
    // Up to version 3 an entry is filled up with one to eight zeros.
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  return names;
}

/** A number in 7 bits of each byte, the highest first; each byte but the last adds one. */
function varint(bytes: Buffer, from: number): { value: number; end: number } {
  let end = from;
  let byte = bytes.readUInt8(end++);
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes.readUInt8(end++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end };
}
