// Published hooks (fixtures/imported): every entry is accounted for, and the draft is a valid manifest.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { expected } from '../clients/expectations.ts';
import { type ClientId, IDS } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/imported');

/** The place of each file in a project. */
const PLACES: Readonly<Record<string, string>> = Object.fromEntries(
  [...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| `(\S+)` \| `(\S+)`/gm)].map(
    ([, name = '', place = '']) => [name, place],
  ),
);
const OTHERS: Readonly<Record<string, string>> = {
  'codex-docs.toml': '.codex/config.toml',
  'guide.json': '.claude/settings.json',
};

/** A file that marks the folder of a plugin as that of one client. */
const BESIDE: Readonly<Record<string, string>> = {
  'basic-memory-codex.json': '.codex-plugin/plugin.json',
  'memory-engine-codex.json': '.codex-plugin/plugin.json',
};

interface Entry {
  readonly line: number;
  readonly column: number;
  readonly client: string;
  readonly native: string;
  readonly hook?: number;
  readonly leftOut?: { readonly code: string };
}

const SCRIPT = /(\$\w+\/)?([\w.-]+(?:\/[\w.-]+)*\.(?:sh|py|mjs|js|ts|cmd|ps1)\b)/g;

/** Copies a file to its place, with the scripts that its commands name. */
async function place(world: World, id: ClientId, name: string): Promise<string> {
  const text = readFileSync(join(FOLDER, id, name), 'utf8');
  const path = `project/${PLACES[name] ?? OTHERS[name]}`;
  await world.write(path, text);
  for (const [, start = '', script] of text.matchAll(SCRIPT))
    await world.write(`${start === '$HOME/' ? '~' : 'project'}/${script}`, 'exit\n', 0o755);
  // This script has no ending.
  if (name === 'hooks-demo.json') await world.write('project/.github/hooks/recall', 'exit\n');
  await world.write('project/NOTES.md', 'Notes are kept for the next session.\n');
  const beside = BESIDE[name];
  if (beside) await world.write(`project/${beside}`, '{}');
  return path;
}

/** The numbers of hooks and of commands among them, and the codes of what was left out. */
function row(entries: readonly Entry[], hooks: readonly { readonly command?: unknown }[]): string {
  const codes = new Map<string, number>();
  for (const { leftOut } of entries)
    if (leftOut) codes.set(leftOut.code, (codes.get(leftOut.code) ?? 0) + 1);
  const commands = hooks.filter(({ command }) => command).length;
  const left = [...codes].sort().map(([code, number]) => `${number} ${code}`);
  const counts = `${entries.length} entries, ${hooks.length} hooks, ${commands} commands`;
  return [counts, ...left].join('; ');
}

describe('published hooks', () => {
  test.for(IDS)('each file of %s has a row and a place', (id) => {
    const names = Object.keys(expected[id].published).sort();
    const folder = join(FOLDER, id);
    expect(names).toEqual(existsSync(folder) ? readdirSync(folder).sort() : []);
    for (const name of names) expect(PLACES[name] ?? OTHERS[name]).toBeTruthy();
  });

  const all = IDS.flatMap((id) =>
    Object.entries(expected[id].published).map(([name, row]) => [id, name, row] as const),
  );
  for (const [id, name, its] of all)
    test(name, async ({ world }) => {
      const path = await place(world, id, name);
      const out = 'project/draft.json';
      const ran = await world.run(['import', path, '--out', out, '--json']);
      const { entries, manifest, grants } = JSON.parse(ran.out);
      const hooks = manifest?.hooks.declarations ?? [];
      expect([entries[0]?.client, row(entries, hooks)]).toEqual([id, its]);
      expect(ran.code).toBe(hooks.length > 0 ? 0 : 1);
      // Each entry became a hook or was left out, and its position is right.
      const text = readFileSync(world.path(path), 'utf8').split('\n');
      for (const { line, column, hook, leftOut } of entries as Entry[]) {
        expect([hook === undefined, leftOut === undefined]).toContain(true);
        expect(hook === undefined).not.toBe(leftOut === undefined);
        expect(text[line - 1]?.slice(column - 1, column)).toMatch(/[{["]/);
      }
      if (hooks.length === 0) return;
      const valid = await world.run(['validate', out, '--json']);
      expect([valid.code, JSON.parse(valid.out)]).toMatchObject([
        0,
        { valid: true, hooks: hooks.length },
      ]);
      // The suggested command for an install works.
      const allow = grants.length > 0 ? ['--allow', grants.join(',')] : [];
      const client = ['--client', id];
      const diff = await world.run(['diff', out, ...client, ...allow, '--json']);
      expect([basename(out), diff.code]).toEqual([basename(out), 1]);
    });
});
