/** The built site. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DIST = join(import.meta.dirname, '../dist');

/** Paths of the site's pages, such as `clients/index.html`. */
export const HTML: readonly string[] = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.html') && !name.startsWith('playground/'));

/** The file that a server has for an address below the site's root. */
export const fileFor = (path: string): string | undefined =>
  [path, `${path}.html`, join(path, 'index.html')].find(
    (name) => /\.\w+$/.test(name) && existsSync(join(DIST, name)),
  );

export const html = (name: string): string => readFileSync(join(DIST, name), 'utf8');

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The text of a page or of a part of it. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll('\u200B', '');
