// What the developer pages say about files and layers is true.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];

test.each(PAGES)('%s names files that are there', (page) => {
  const text = read(page);
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
  const words = [...text.matchAll(/`((?:src|test|templates|fixtures|docs|\.ci)\/[\w./-]+)`/g)];
  const named = [...links, ...words.map(([, path = '']) => path)];
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the picture names files that are there', () => {
  const named = [...read('ARCHITECTURE.md').matchAll(/\["?((?:\w+\/)+[\w-]+\.ts)/g)];
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(([, path = '']) => !existsSync(join(ROOT, 'src', path)))).toEqual([]);
});

test('the table has every layer and no other', () => {
  const listed = [...read('ARCHITECTURE.md').matchAll(/^\| \[`(\w+)`\]\(src\/\1\)/gm)];
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(listed.map(([, name]) => name).sort()).toEqual(folders.sort());
});

test('every command of CONTRIBUTING is a script', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const commands = [...read('CONTRIBUTING.md').matchAll(/npm run ([\w:]+)/g)].map(
    ([, name]) => name,
  );
  expect(commands.filter((name) => !Object.hasOwn(scripts, name ?? ''))).toEqual([]);
});
