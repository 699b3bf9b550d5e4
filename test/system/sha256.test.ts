// Our own SHA-256 is that of node:crypto.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/system/sha256.ts';

const theirs = (text: string) => createHash('sha256').update(text).digest('hex');

test('for every length around the ends of blocks', () => {
  for (let length = 0; length <= 200; length += 1) {
    const text = 'é'.repeat(length % 7) + 'x'.repeat(length);
    expect(sha256(text)).toBe(theirs(text));
  }
});

test('for random texts', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 3000, size: 'max' });
  fc.assert(
    fc.property(text, (one) => {
      expect(sha256(one)).toBe(theirs(one));
    }),
    { numRuns: 500 },
  );
});
