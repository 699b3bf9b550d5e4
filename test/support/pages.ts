/** The pages of the documentation, and their blocks that tests write or run. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

export const ROOT = join(import.meta.dirname, '..', '..');

/** Paths below the root of the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** The block after a marker: fenced, or a table. */
const BLOCK = (marker: string) =>
  new RegExp(`(<!-- ${marker} -->\\n)(\`\`\`\\w*\\n[\\s\\S]*?\`\`\`\\n|(?:\\|.*\\n)*)`);

/** The contents of the fenced block after a marker. */
export function code(page: string, marker: string): string {
  const [, , block = ''] = BLOCK(marker).exec(read(page)) ?? [];
  return /^```\w*\n([\s\S]*?)```\n$/.exec(block)?.[1] ?? '';
}

/** Compares a block with what it should be; `UPDATE_PAGES=1` writes it. */
export function shows(page: string, marker: string, expected: string): void {
  const text = read(page);
  expect(text, `${page} has no block "${marker}"`).toMatch(BLOCK(marker));
  if (process.env.UPDATE_PAGES)
    writeFileSync(
      join(ROOT, page),
      text.replace(BLOCK(marker), (_all, head) => `${head}${expected}`),
    );
  else expect(BLOCK(marker).exec(text)?.[2]).toBe(expected);
}

export const fenced = (kind: string, text: string) => `\`\`\`${kind}\n${text.trimEnd()}\n\`\`\`\n`;

/** Every fenced block of a page with the marker before it, if it has one. */
export const blocks = (page: string) =>
  [...read(page).matchAll(/(?:<!-- (.*) -->\n)?```(\w*)\n([\s\S]*?)```\n/g)].map(
    ([, marker, kind = '', text = '']) => ({ marker, kind, text }),
  );

/** The words of a line from a page, as a script has to pass them. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
