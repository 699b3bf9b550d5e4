/** `node:crypto`: the one hash that the command line and its runner use, and random values. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export function createHash(name: string) {
  if (name !== 'sha256') throw new Error(`no ${name} in a browser`);
  const hash = sha256.create();
  const self = {
    update(content: string | Uint8Array) {
      hash.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
      return self;
    },
    digest: (_form: 'hex'): string => bytesToHex(hash.digest()),
  };
  return self;
}

export const randomUUID = (): string => crypto.randomUUID();
export const randomBytes = (size: number): Buffer =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(size)));

export default { createHash, randomBytes, randomUUID };
