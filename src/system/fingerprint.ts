/**
 * A checksum of a text: its length and 106 bits, in hex. It detects accidental changes and serves as a name, but it is not
 * secure against an attacker. (node:crypto would add a tenth to our startup time. A loop over characters runs so long that V8
 * would spend as much time on optimizing it, so it processes four bytes at a time.)
 *
 * The mixing is that of cyrb53, a public-domain hash by bryc, with two seeds.
 */
export function fingerprint(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return `${text.length.toString(16)}-${mix(words, 0x2282)}${mix(words, 0x6d63)}`;
}

function mix(words: Uint32Array, seed: number): string {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  // Without an iterator, which V8 would call for each word.
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    a = Math.imul(a ^ word, 2654435761);
    b = Math.imul(b ^ word, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, '0');
}

/**
 * SHA-256 of a text or of bytes, as 64 hexadecimal digits. `node:crypto` is loaded on first use: it takes a sixth of node's
 * startup time, and most commands do not need this hash.
 */
export const sha256 = (content: string | Uint8Array): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest('hex');

/** The 32-bit hash of Fowler, Noll and Vo over UTF-16, with which clients shorten names. */
export const fnv1a = (text: string): number =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).reduce(
    (hash, code) => Math.imul(hash ^ code, 0x01000193) >>> 0,
    0x811c9dc5,
  );

/** JSON that is independent of the order of keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? inKeyOrder(Object.entries(inner))
      : inner,
  );

/** An object whose keys do not have the order in which they were found. */
export const inKeyOrder = <V>(entries: Iterable<readonly [string, V]>): Record<string, V> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
