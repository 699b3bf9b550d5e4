// A message that has no words breaks nothing.
import { expect, test } from 'vitest';
import { sentence } from '../../src/cli/messages/sentence.ts';

test('a code without words is told as it is', () => {
  expect(sentence({ code: 'never-heard-of' })).toBe('never-heard-of');
  const level = 'error';
  const problem = { code: 'never-heard-of' };
  const placed = { code: 'problem-in-file', path: 'a.json', line: 1, column: 2, level, problem };
  expect(sentence(placed)).toBe('a.json:1:2: error: never-heard-of');
});
