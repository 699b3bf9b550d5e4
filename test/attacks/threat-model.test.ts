/** docs/security.md says what an attacker can and cannot do. Every statement names a test, and every attack is named. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DOCS = join(import.meta.dirname, '../../docs');
const PAGE = readFileSync(join(DOCS, 'security.md'), 'utf8');

/** `[title](../test/file.test.ts)` with the exact title, after the title of its group and a colon if needed. */
const PROOF = /\[([^\]]+)\]\((\.\.\/test\/[\w./-]+\.test\.ts)\)/g;
/** The title of a test or an attack, with or without a table. */
const TITLE =
  /(?:\b(attack|withTerminal|test|describe)(?:\.\w+)?|\))\(\s*(['"`])((?:\\.|(?!\2).)+)\2,\s*(?:[A-Z]+,\s*)?(?:async|\(|\{|function)/gs;

const proofs = [...PAGE.matchAll(PROOF)].map(([, words = '', file = '']) => ({
  words: words.replace(/\s+/g, ' '),
  file,
}));

/** Titles as patterns: a placeholder matches any words. If a title is nothing else, the words have to be in the file. */
function titlesIn(file: string) {
  const source = readFileSync(file, 'utf8');
  const unescaped = source.replace(/\\(['"`\\])/g, '$1').replace(/\s+/g, ' ');
  const isIn = (words: string) => words.split(': ').some((one) => unescaped.includes(one));
  return [...source.matchAll(TITLE)].map(([, kind, , raw = '']) => {
    const title = raw.replace(/\\(['"`\\])/g, '$1');
    const parts = title.split(/\$\{[^}]*\}|\$[a-z]\w*(?:\.\w+)*|%[sdijo]/i);
    const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.+');
    const whole = new RegExp(`^(?:.+: )?${pattern}$`);
    const isBare = parts.every((part) => part.trim() === '');
    const fits = (words: string) => whole.test(words) && (!isBare || isIn(words));
    return { title, isGroup: kind === 'describe', fits };
  });
}

test('every proof is a test that exists', () => {
  const missing = proofs.filter(({ words, file }) => {
    const path = join(DOCS, file);
    return !existsSync(path) || !titlesIn(path).some(({ fits }) => fits(words));
  });
  expect(proofs.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test('every statement has a proof', () => {
  // A marked table describes settings, and has its own test.
  const rows = PAGE.replace(/<!-- table: \w+ -->\n(?:\|.*\n)+/g, '')
    .split('\n')
    .filter((line) => /^(?:- |\| (?!---|Attack ))/.test(line));
  expect(rows.filter((row) => !new RegExp(PROOF.source).test(row))).toEqual([]);
});

test('every attack is on the page', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const attacks = files
    .filter((name) => !['harness.test.ts', 'threat-model.test.ts'].includes(name))
    .flatMap((name) => titlesIn(join(import.meta.dirname, name)).map((one) => ({ ...one, name })));
  const absent = attacks.filter(
    ({ fits, isGroup, name }) =>
      !isGroup &&
      !proofs.some(({ words, file }) => file === `../test/attacks/${name}` && fits(words)),
  );
  expect(absent.map(({ name, title }) => `${name}: ${title}`)).toEqual([]);
});
