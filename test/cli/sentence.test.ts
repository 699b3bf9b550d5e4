// A message without a sentence breaks nothing, and no two messages share a code.
import { expect, test } from 'vitest';
import { messages } from '../../src/present/messages/output.ts';
import { bare, sentence, TABLES } from '../../src/present/messages/sentence.ts';

test('a code without a sentence is shown itself', () => {
  expect(sentence({ code: 'never-heard-of' })).toBe('never-heard-of');
  const level = 'error';
  const problem = { code: 'never-heard-of' };
  const placed = { code: 'problem-in-file', path: 'a.json', line: 1, column: 2, level, problem };
  expect(sentence(placed)).toBe('a.json:1:2: error: never-heard-of');
});

test('facts are filled in once, and their text is not read as a placeholder', () => {
  const message = { code: 'choose-with-from', id: '{nothing} {id} $& $1' };
  expect(sentence(message)).toBe('For example, add --from {nothing} {id} $& $1');
  const refused = { code: 'written-down', label: 'annal' };
  const words = 'The hooks of annal are already in a manifest.';
  expect(sentence(refused)).toBe(`${words} Nothing was written.`);
  expect(bare(refused)).toBe(words);
});

test('a code is in one table only, because only one sentence could be printed', () => {
  const codes = TABLES.flatMap((table) => Object.keys(table));
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('several labels being verified are counted', () => {
  expect(messages.verifying('annal', 2, 3)).toContain('annal (2 of 3)');
  expect(messages.verifying('annal', 1, 1)).not.toContain('1 of 1');
});
