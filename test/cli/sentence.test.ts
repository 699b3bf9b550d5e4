// The words that the small bundle leaves out (build.mjs): nothing in it needs them, and were one needed, nothing would break.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { diagnose } from '../../src/cli/messages/diagnose.ts';
import { sentence } from '../../src/cli/messages/sentence.ts';

test('a code without words is told as it is', () => {
  expect(sentence({ code: 'never-heard-of' })).toBe('never-heard-of');
  const level = 'error';
  const problem = { code: 'never-heard-of' };
  const placed = { code: 'problem-in-file', path: 'a.json', line: 1, column: 2, level, problem };
  expect(sentence(placed)).toBe('a.json:1:2: error: never-heard-of');
});

test('the small bundle makes no message whose words it lacks', () => {
  const small = readFileSync(join(dirname(inject('cli')), 'main.cjs'), 'utf8');
  const made = new Set<string>();
  for (const [, value = ''] of small.matchAll(/\bcode:([^,}]*)/g))
    for (const [, code = ''] of value.matchAll(/"([\w-]+)"/g)) made.add(code);
  expect(made).toContain('not-installed');
  expect(Object.keys(diagnose).filter((code) => made.has(code))).toEqual([]);
});
