// The developer pages are right about files and layers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];

test.each(PAGES)('%s names only existing files', (page) => {
  const text = read(page);
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
  const words = [...text.matchAll(/`((?:src|test|templates|fixtures|docs|\.ci)\/[\w./-]+)`/g)];
  const named = [...links, ...words.map(([, path = '']) => path)];
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the picture names only existing files', () => {
  const named = [...read('ARCHITECTURE.md').matchAll(/\["?((?:\w+\/)+[\w-]+\.ts)/g)];
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(([, path = '']) => !existsSync(join(ROOT, 'src', path)))).toEqual([]);
});

test('the picture of the runner names its files', () => {
  const named = [...read('ARCHITECTURE.md').matchAll(/\["?([a-z-]+(?:\/[a-z-]+)?): /g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'cli');
  expect(named.length).toBeGreaterThan(8);
  const isThere = (name: string) =>
    ['.cts', ''].some((end) => existsSync(join(ROOT, `templates/${name}${end}`)));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test('ARCHITECTURE names only paths and identifiers that exist', () => {
  const words = [...read('ARCHITECTURE.md').matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  const layers = readdirSync(join(ROOT, 'src'));
  const paths = words.filter((word) => layers.includes(word.split('/')[0] ?? ''));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(ROOT, 'src', path)))).toEqual([]);
  const code = ['src', 'templates', 'test/clients']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((name) => /\.c?ts$/.test(name))
    .map(read)
    .join('\n');
  const names = words.filter((word) => /^[A-Za-z]+[A-Z]\w*$/.test(word) && !/^[A-Z]+$/.test(word));
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !code.includes(name))).toEqual([]);
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
