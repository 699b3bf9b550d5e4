// What the build made: a page for everything, and links that lead somewhere.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/list.ts';
import { ALL_EVENTS } from '../../src/declaration/declaration.ts';
import { CODES } from '../../src/present/messages/codes.ts';
import { fileFor, HTML, html, textOf } from './built.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The part of a page that is its own. */
const contentOf = (name: string): string =>
  /<main[\s\S]*<\/main>/.exec(html(name))?.[0] ?? html(name);
const headingOf = (name: string): string =>
  textOf(/<h1[^>]*>([\s\S]*?)<a/.exec(html(name))?.[1] ?? '').trim();
const rowsOf = (name: string): string[][] =>
  [...contentOf(name).matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => textOf(cell)),
  );

test('every page of docs, and of a client, is on the site and in its navigation', () => {
  const sources = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) =>
      name
        .replaceAll('\\', '/')
        .replace(/README\.md$/, 'index.md')
        .slice(0, -3),
    );
  expect(sources.length).toBeGreaterThan(10);
  const navigation = [...html('index.html').matchAll(/<a [^>]*href="\/([^"#]*)"/g)].map(
    ([, link = '']) => fileFor(link),
  );
  const made = [...CLIENTS.map(({ id }) => `clients/${id}`), 'security/attacks'];
  const missing = [...sources, ...made].filter((name) => {
    const file = fileFor(name);
    return file === undefined || !navigation.includes(file);
  });
  expect(missing).toEqual([]);
});

test('every code of validate has a page with its title', () => {
  const titled = (code: string) => {
    const file = fileFor(`codes/${code}`);
    return file === undefined ? [] : [headingOf(file), textOf(contentOf(file))];
  };
  for (const [code, title] of Object.entries(CODES))
    expect(titled(code)).toEqual([code, expect.stringContaining(`${title} (`)]);
  expect(HTML.filter((name) => /^codes\/(?!index)/.test(name))).toHaveLength(
    Object.keys(CODES).length,
  );
});

describe('the page of a client has its grades, and where its hooks are', () => {
  test.for(CLIENTS.map((client) => [client.id, client] as const))('%s', ([id, client]) => {
    const page = `clients/${id}.html`;
    expect(headingOf(page)).toBe(client.name);
    const rows = rowsOf(page);
    for (const event of ALL_EVENTS) {
      const [, cell = ''] =
        rows.find(([name]) => name === event || name === `${event}, text`) ?? [];
      expect([event, cell.split(': ').at(-1)]).toEqual([
        event,
        client.lowering[event]?.text.grade ?? 'none',
      ]);
    }
    const text = textOf(contentOf(page));
    const { project } = client.placement.files;
    const [, ofProject] = rows.find(([whose]) => whose?.startsWith('a project')) ?? [];
    expect(ofProject).toEqual(
      project && expect.stringContaining(`<project>/${client.projectFolder}/`),
    );
    expect(text.includes('mcp-hooks was not run in')).toBe('documented' in client.evidence);
  });
});

test('links lead to pages and headings of the site, or to an address of https', () => {
  const ids = new Map(
    HTML.map((name) => [
      name,
      new Set([...html(name).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  );
  let checked = 0;
  const dead = HTML.flatMap((name) =>
    [...html(name).matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, escaped = '']) => {
      const link = textOf(escaped);
      if (/^(?:https|mailto):/.test(link)) return [];
      const [path = '', anchor] = link.split('#');
      const file =
        path === '' ? name : fileFor(posix.resolve('/', posix.dirname(name), path).slice(1));
      checked += 1;
      const there =
        file !== undefined &&
        (anchor === undefined || ids.get(file)?.has(decodeURIComponent(anchor)));
      return there ? [] : [`${name}: ${link}`];
    }),
  );
  expect(dead).toEqual([]);
  expect(checked).toBeGreaterThan(1000);
});

test('links to the repository name files that are there', () => {
  const named = HTML.flatMap((name) =>
    [
      ...html(name).matchAll(/github\.com\/mcp-hooks\/mcp-hooks\/(?:blob|tree)\/main\/([^"#]*)/g),
    ].map(([, path = '']) => path),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('there are small screenshots of five pages and the playground at both widths', () => {
  const folder = join(ROOT, 'docs/screenshots');
  const pages = ['clients-codex', 'codes-gives-orders', 'how-it-works', 'playground'];
  const names = [...pages, 'security-attacks', 'start'].flatMap((page) =>
    [1280, 360].map((width) => `${page}-${width}.webp`),
  );
  expect(readdirSync(folder).sort()).toEqual(names);
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThan(40_000);
});

test('a page loads nothing from another host', () => {
  const loaded = HTML.flatMap((name) =>
    [...html(name).matchAll(/<(?:script|img|link|iframe|source)[^>]*(?:src|href)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    ),
  );
  expect(loaded.length).toBeGreaterThan(HTML.length);
  expect(loaded.filter((address) => !/^(?:\/(?!\/)|data:)/.test(address))).toEqual([]);
});
