/** runner.cjs searches a short input, texts.cjs a long one. Both find the same. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { character } from '../support/characters.ts';

const load = createRequire(join(import.meta.dirname, '../../dist/templates/runner.cjs'));
const { matches }: { matches(when: object, firing: object, at: object): boolean } =
  load('./runner.cjs').stage;
const texts = load('./texts.cjs');

const inputs = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(fc.string({ unit: character, maxLength: 5 }), fc.string({ unit: character })),
);

test.each([
  ['a quote in a key', { 'a"b': 1 }, 'a"b', true],
  ['a newline in a list', [['a\nb']], 'a\nb', true],
  ['the number of an element', ['a', 'b', 'c'], '2', false],
  ['two strings that are not one', ['a', 'b'], 'ab', false],
  ['the JSON itself', { a: ['b"'] }, '{"a":["b\\""]}', true],
  ['what is nested deeply', JSON.parse(`${'['.repeat(6000)}"a"${']'.repeat(6000)}`), '["b', false],
  ['a needle of 300 characters', { a: 'x'.repeat(400) }, 'x'.repeat(300), true],
] as const)('%s', (_name, input, needle, isFound) => {
  expect(matches({ input: needle }, { input }, {})).toBe(isFound);
  expect(texts.contains({ texts: new Map() }, input, needle)).toBe(isFound);
});

test('both find a text in the input, or neither does', () => {
  const cases = inputs.chain((input) => {
    const json = JSON.stringify(input);
    const part = fc
      .tuple(fc.nat(json.length), fc.nat(6))
      .map(([from, length]) => json.slice(from, from + length + 1));
    const needle = fc.oneof(part, fc.string({ unit: character, minLength: 1, maxLength: 3 }));
    return fc.record({ input: fc.constant(input), needle });
  });
  fc.assert(
    fc.property(cases, ({ input, needle }) => {
      const long = texts.contains({ texts: new Map() }, input, needle);
      expect(matches({ input: needle }, { input }, {})).toBe(long);
    }),
    { seed: 0x2282, numRuns: 2000 },
  );
});
