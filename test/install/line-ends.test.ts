// Files with hooks that others wrote, in every client that has such files: an install keeps to their ends of lines, and an uninstall
// restores every byte.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe } from 'vitest';
import { entriesIn, FOLDERS, IDS } from '../support/runner/clients.ts';
import { test } from '../support/world.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/imported');
const MANIFEST = {
  name: 'annal',
  hooks: {
    declarations: [
      { event: 'post_tool_use', priority: 'suggestion', context: 'After a call.' },
      { event: 'pre_request', priority: 'suggestion', context: 'Before a request.' },
    ],
  },
};

/** Claude Code would ignore this file, so an install refuses it. */
const REFUSED = 'lumine.json';

const filesOf = (id: string, extension: string): string[] =>
  readdirSync(FIXTURES).includes(id)
    ? readdirSync(join(FIXTURES, id)).filter((name) => extname(name) === extension)
    : [];

const CASES = IDS.flatMap((id) => {
  const file = entriesIn(id, 'annal');
  return filesOf(id, extname(file)).map((fixture) => ({ id, file, fixture }));
});

describe.each(CASES)('$id in $fixture', ({ id, file, fixture }) => {
  const lines = readFileSync(join(FIXTURES, id, fixture), 'utf8').split(/\r?\n/);

  test.for(['\n', '\r\n'])('with %j', async (end, { world, expect }) => {
    await world.folder(...FOLDERS);
    const before = lines.join(end);
    await world.write(file, before);
    await world.write('annal.json', JSON.stringify(MANIFEST));
    const { err } = await world.run(`install annal.json --yes --client ${id}`);
    const after = await world.read(file);
    expect(after !== before, err).toBe(fixture !== REFUSED);
    expect(new Set(after.match(/\r?\n/g))).toEqual(new Set(before.match(/\r?\n/g)));
    await world.run('uninstall annal --yes');
    expect(await world.read(file)).toBe(before);
  });
});
