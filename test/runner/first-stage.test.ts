/** The text of the first stage. test/programs runs it in the clients' shells. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawPart } from '../../src/compile/first-stage.ts';
import { character } from '../support/characters.ts';
import { IDS } from '../support/runner/clients.ts';
import { filesIn, type Hook, install } from '../support/runner/world.ts';
import { tries } from '../support/tries.ts';
import { WRITERS } from '../support/writers.ts';

describe('the part of input_contains that is searched for unchanged', () => {
  test.each<[string, string | undefined, string]>([
    ['git commit', 'git commit', 'all of it'],
    ['git commit -m "x"', 'git commit -m ', 'up to the quote, which JSON escapes'],
    ['C:\\work\\notes', 'otes', 'without what may be an escape'],
    ['src/notes.ts', 'notes.ts', 'a slash may be escaped'],
    ['a <b> && c', 'a ', 'as may be what means something in HTML'],
    ['naïve café', 've caf', 'and everything that is not ASCII'],
    ['line one\nline two', 'line one', 'and line breaks'],
    ['"command":"git', 'command', 'white space may stand around a colon'],
    ['["a","b"]', 'a', 'and between items'],
    ["it's", 'it', 'an apostrophe would end the word for the shell'],
    ['0.00001', undefined, 'a number can be written 1e-5'],
    ['1e5', undefined, 'or 100000'],
    ['v1.5', 'v1.5', 'but this is none'],
    ['$(touch x) `y` *?[!a]', '$(touch x) `y` *?', 'nothing means anything between single quotes'],
    ['日本', undefined, 'nothing is left'],
    ['"', undefined, 'nor here'],
    ['', undefined, 'nor here'],
  ])('%j: %j (%s)', (needle, part) => {
    expect(rawPart(needle)).toBe(part);
  });

  const words = fc.string({
    unit: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'abgit commit-m.0123e ') },
      { weight: 2, arbitrary: fc.constantFrom(...'"\\/<>&\':,{}[]\n\t$`*?') },
      character,
    ),
    maxLength: 24,
  });
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { weight: 4, arbitrary: words },
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  /** All texts that the runner searches: the compact input, and the strings in it. */
  const texts = (value: unknown): string[] => {
    const inside = (inner: unknown): string[] =>
      typeof inner === 'string'
        ? [inner]
        : typeof inner === 'object' && inner !== null
          ? Object.values(inner).flatMap(inside)
          : [];
    return [typeof value === 'string' ? value : JSON.stringify(value), ...inside(value)];
  };

  test.each(Object.entries(WRITERS))('is in every payload that matches, %s', (_, write) => {
    fc.assert(
      fc.property(values, fc.nat(), fc.nat(), fc.nat(40), (input, which, from, length) => {
        const all = texts(input);
        const text = all[which % all.length] ?? '';
        const start = text === '' ? 0 : from % text.length;
        const part = rawPart(text.slice(start, start + length));
        if (part === undefined) return;
        expect(write({ session_id: 's', tool_input: input })).toContain(part);
      }),
      { numRuns: tries(300, 20_000) },
    );
  });
});

test('no pattern is cut out of a whole payload, which would take quadratic time', () => {
  const template = readFileSync('templates/run.sh', 'utf8').replace(/^\s*#.*$/gm, '');
  const cut = [...template.matchAll(/\$\{(\w+)[#%]+([^}]*)\}/g)].map(([, name, rest]) => [
    name,
    rest,
  ]);
  // Only a fixed beginning is cut off, which does not search the payload.
  expect(cut.filter(([name]) => name === 'payload' || name === 'found')).toEqual([
    ['payload', '"$begins"'],
  ]);
});

const runnerOf = (hooks: readonly Hook[]) => install({ hooks });

test('every function that is called is defined, and no other', () => {
  const made = runnerOf([
    { event: 'session_start', context: 'Hi.' },
    { event: 'session_start', context_tool: 'x' },
    { event: 'session_end', context: 'Hi.' },
    { event: 'post_request', context: 'Hi.' },
    { event: 'post_tool_use', matcher: { input_contains: 'git' }, context: 'Hi.' },
    { event: 'pre_tool_use', context: 'Hi.' },
  ]);
  const fixed = runnerOf([{ event: 'session_start', context: 'Hi.' }]);
  const names = ['aside', 'take', 'rest', 'find', 'remember', 'field', 'claim', 'note', 'decide'];
  for (const [file, text] of Object.entries({
    ...filesIn(made.runner),
    ...filesIn(fixed.runner),
  })) {
    if (!file.endsWith('.sh')) continue;
    const code = text.replace(/^\s*#.*$/gm, '');
    const there = names.filter((name) => new RegExp(`^mcp_${name}\\(\\) `, 'm').test(code));
    const called = names.filter((name) =>
      new RegExp(`(?:^|[;|&{()]|if|then|do) *mcp_${name}(?![\\w(=])`, 'm').test(code),
    );
    // A stage that decides nothing may have unused functions.
    expect(
      called.filter((name) => !there.includes(name)),
      file,
    ).toEqual([]);
    if (/^ {2}(?!return 0$)/m.test(code)) expect(there.sort(), file).toEqual(called.sort());
  }
});

test('every client has a first stage for every event on which it starts the runner', () => {
  const made = runnerOf([
    { event: 'session_start', context: 'Hi.' },
    { event: 'post_tool_use', context: 'Hi.' },
  ]);
  for (const id of IDS)
    for (const { event } of made.compiled[id].groups)
      expect(existsSync(join(made.runner, `${id}.${event}.sh`))).toBe(true);
});
