// Words that users should not have to read. Where our output and docs could have them, there is plain English instead.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MATRIX } from '../../src/diagnose/matrix/matrix.ts';
import { PAGES, ROOT, read } from '../support/pages.ts';
import { test as inWorld } from '../support/world.ts';

/** Each pattern with its replacement. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  // A person or a model may be told something, but a text is shown.
  [/(?<!\b(?:you (?:are|were)|(?:model|server|user) (?:is|was|isn't)) )\btold\b/, 'shown'],
  [/\bmend(?:s|ed|ing)?\b/, 'fix'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b)(?=\w)/i, 'is not a'],
  [/\bsays? --\w/, 'pass --...'],
  [/\bnobody has agreed\b/, 'you have not approved'],
  [/\bwhoever\b/i, 'name who it is'],
  [/\bstands in\b/, 'is in'],
  [/\bleft as it is\b/, 'left unchanged'],
  [/\bnobody has (?:run|tried)\b/i, 'untested'],
  [/\breturned nothing to show\b/, 'returned no text'],
];

const retired = (text: string): string[] => {
  const line = text.replace(/\s+/g, ' ');
  return RETIRED.filter(([word]) => word.test(line)).map(([word, instead]) => {
    const at = line.search(word);
    return `"${line.slice(Math.max(0, at - 30), at + 40)}": ${instead}`;
  });
};

/**
 * The literals of a TypeScript source that hold a sentence or a part of one, without comments, regular expressions, codes, keys
 * and paths.
 */
function said(source: string): string[] {
  const found: string[] = [];
  const tokens =
    /\/\/.*|\/\*[\s\S]*?\*\/|(?<=[(,=:[!&|?{};]\s*|return\s)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\/\w*|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\[\s\S]|\$\{(?:[^{}`]|\{[^{}]*\}|`(?:\\[\s\S]|[^`\\])*`)*\}|[^`\\])*)`/g;
  for (const [, single, double, template] of source.matchAll(tokens)) {
    const text = single ?? double ?? template;
    if (text === undefined) continue;
    // Expressions in a template may contain sentences of their own.
    if (template !== undefined)
      for (const [, inner = ''] of template.matchAll(/\$\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g))
        found.push(...said(inner));
    const words = text.replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '...');
    if (/\w \w/.test(words)) found.push(words);
  }
  return found;
}

const FOLDERS = [
  'src/present/messages',
  'src/present/render',
  'src/cli/commands',
  'src/clients',
  'src/diagnose/matrix',
];
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.ts'))
  .filter((name) => /messages\.ts$/.test(name) || FOLDERS.some((one) => name.startsWith(one)));

/** `told ? ... : ...` inside a template, with words around it. */
const TEMPLATE = ['`', '{told ? `inner is told` : "it is mended"} outer words ', '{told}`'].join(
  '$',
);

describe('reading the sources', () => {
  test('takes sentences, and nothing else', () => {
    const source = String.raw`
      // 'it is told to nobody'
      /* "whoever stands in it" */
      import { told } from './told.ts';
      const one = { told: 'not-told', 'is-told': /told "not a sentence" here/ };
      const two = 'It\'s told here.';
      const three = ${TEMPLATE};
      const four = "whoever " + x;
    `;
    expect(said(source)).toEqual([
      "It\\'s told here.",
      'inner is told',
      'it is mended',
      '... outer words ...',
    ]);
    expect(said(source).flatMap(retired)).toHaveLength(3);
    expect(retired('The model is told that it is a hook, which nobody told.')).toHaveLength(1);
  });

  test('finds most of the printed sentences', () => {
    const all = sources.flatMap((path) => said(readFileSync(join(ROOT, path), 'utf8')));
    for (const known of [
      'Nothing was written.',
      'show what is installed, where, and whether it fires',
    ])
      expect(all).toContain(known);
    expect(all.length).toBeGreaterThan(500);
  });
});

test.for(sources)('%s', (path) => {
  const found = said(readFileSync(join(ROOT, path), 'utf8')).flatMap(retired);
  expect(found).toEqual([]);
});

test('the recorded matrix, and its picture', () => {
  const { cells } = MATRIX;
  const words = Object.values(cells).flatMap((clients) =>
    Object.values(clients).flatMap(({ place = '', why = '' }) => [place, why]),
  );
  const picture = read('docs/matrix.svg').replace(/<[^>]*>/g, '\n');
  expect([...words, ...picture.split('\n')].flatMap(retired)).toEqual([]);
});

inWorld('the help and the manual page', async ({ world }) => {
  const { out: man } = await world.run('man');
  const { out: help } = await world.run('--help');
  const commands = [...man.matchAll(/^\.SS (\w+)/gm)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(10);
  const helps = await Promise.all(
    commands.map(async (name) => (await world.run([name, '--help'])).out),
  );
  expect([man, help, ...helps].flatMap(retired)).toEqual([]);
});

/**
 * A page without its code blocks, inline code and the titles of attacks.
 */
const prose = (page: string): string =>
  read(page)
    .replace(/\[[^\]]*\]\(\.\.\/test\/[^)]*\)/g, '')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '...');

test.for(PAGES.filter((page) => page === 'README.md' || page.startsWith('docs/')))('%s', (page) => {
  const found = prose(page)
    .split(/\n\s*\n/)
    .flatMap(retired);
  expect(found).toEqual([]);
});
