// Forms of tokens: each is masked anywhere, but ordinary words in the same place are not.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { expect, test } from 'vitest';
import { FORMS } from './forms.ts';

const load = createRequire(join(import.meta.dirname, '../../dist/templates/redact.cjs'));
const { masked } = load('./redact.cjs');
const one = async (value: unknown) => JSON.stringify((await masked([value])).values[0]);

/** Places for a token: texts around it, and values that contain it. */
const PLACES: Record<string, (text: string) => unknown> = {
  alone: (text) => text,
  'at the end of a text': (text) => `said\n${text}`,
  'at the end of a value in an object': (text) => ({ content: `said\n${text}` }),
  'at the beginning of a text': (text) => ({ content: `${text}\nand more` }),
  'in a list of lines': (text) => ({ lines: ['first', ...text.split('\n'), 'last'] }),
  'in JSON in a text': (text) => `said ${JSON.stringify({ all: `first\n${text}\nlast` })}`,
  'before the words of others': (text) => `secretlint-disable\n${text}\n`,
  'in 8,000 lists': (text) => {
    let value: unknown = text;
    for (let level = 0; level < 8000; level++) value = [value];
    return value;
  },
};

test('there are at least 79 forms, each with its own page or that of its service', () => {
  expect(FORMS.length).toBeGreaterThanOrEqual(79);
  expect(FORMS.filter(([, page]) => !page.startsWith('https://'))).toEqual([]);
});

test.each(Object.keys(PLACES))('every form is masked: %s', async (place) => {
  const seen: string[] = [];
  for (const [name, , text, secret] of FORMS) {
    const value = PLACES[place]?.(text);
    const { values } = await masked([value]);
    let shown = values[0];
    while (Array.isArray(shown)) [shown] = shown;
    const said = JSON.stringify(shown);
    if (said.includes(JSON.stringify(secret).slice(1, -1)) || said.includes(secret))
      seen.push(name);
    // The text next to the token stays.
    if (place === 'at the beginning of a text' && !said.includes('\\nand more')) seen.push(name);
  }
  expect(seen).toEqual([]);
});

test('everything that secretlint finds in the forms is masked', async () => {
  const rules = [{ id: 'recommended', rule: creator, options: {} }];
  const left: string[] = [];
  for (const [name, , text] of FORMS) {
    const { messages } = await lintSource({
      source: { filePath: 'text', content: text, contentType: 'text' },
      options: { config: { rules }, noPhysicFilePath: true },
    });
    if (messages.length > 0 && !(await one(text)).includes('***')) left.push(name);
  }
  expect(left).toEqual([]);
});
