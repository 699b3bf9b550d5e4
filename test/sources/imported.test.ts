// Hooks as people publish them (fixtures/imported): every entry is accounted for, and the draft is a valid manifest.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe } from 'vitest';
import { test, type World } from '../support/world.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/imported');

/** By its name: where it is in a project. */
const PLACES: Readonly<Record<string, string>> = Object.fromEntries(
  [...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| `(\S+)` \| `(\S+)`/gm)].map(
    ([, name = '', place = '']) => [name, place],
  ),
);
const OTHERS: Readonly<Record<string, string>> = {
  'codex-docs.toml': '.codex/config.toml',
  'guide.json': '.claude/settings.json',
};
const NAMES = readdirSync(FOLDER).filter((name) => name !== 'README.md');

/** What makes the folder of a plugin one client's. */
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

/** With the scripts that its commands name. */
async function place(world: World, name: string): Promise<string> {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const path = `project/${PLACES[name] ?? OTHERS[name]}`;
  await world.write(path, text);
  for (const [, start = '', script] of text.matchAll(SCRIPT))
    await world.write(`${start === '$HOME/' ? '~' : 'project'}/${script}`, 'exit\n', 0o755);
  // A script without an ending.
  if (name === 'hooks-demo.json') await world.write('project/.github/hooks/recall', 'exit\n');
  await world.write('project/NOTES.md', 'Notes are kept for the next session.\n');
  const beside = BESIDE[name];
  if (beside) await world.write(`project/${beside}`, '{}');
  return path;
}

/** The client, how many hooks and how many of them are commands, and the codes of what was left out. */
function row(entries: readonly Entry[], hooks: readonly { readonly command?: unknown }[]): string {
  const codes = new Map<string, number>();
  for (const { leftOut } of entries)
    if (leftOut) codes.set(leftOut.code, (codes.get(leftOut.code) ?? 0) + 1);
  const commands = hooks.filter(({ command }) => command).length;
  const left = [...codes].sort().map(([code, number]) => `${number} ${code}`);
  const counts = `${entries.length} entries, ${hooks.length} hooks, ${commands} commands`;
  return [`${entries[0]?.client}: ${counts}`, ...left].join('; ');
}

const EXPECTED: Readonly<Record<string, string>> = {
  'agent-hooks-github.json': 'copilot-cli: 1 entries, 1 hooks, 1 commands',
  'agent-hooks.json': 'claude-code: 1 entries, 1 hooks, 1 commands',
  'basic-memory-codex.json': 'codex: 2 entries, 2 hooks, 2 commands',
  'basic-memory.json': 'claude-code: 2 entries, 2 hooks, 2 commands',
  'claude-mods.json': 'claude-code: 7 entries, 6 hooks, 6 commands; 1 hand-no-moment',
  'claude-security.json': 'claude-code: 1 entries, 0 hooks, 0 commands; 1 hand-no-moment',
  'codex-docs.toml': 'codex: 4 entries, 2 hooks, 1 commands; 1 hand-needs-shell; 1 hand-tool-input',
  'context-mode.json': 'claude-code: 13 entries, 13 hooks, 13 commands',
  'continuous.json': 'claude-code: 36 entries, 35 hooks, 35 commands; 1 hand-sources',
  'devkit.json': 'claude-code: 14 entries, 13 hooks, 13 commands; 1 hand-subagents',
  'everything.json': 'claude-code: 28 entries, 28 hooks, 28 commands',
  'expressions.json':
    'claude-code: 18 entries, 0 hooks, 0 commands; 3 hand-matcher; 8 hand-no-file; 2 hand-no-moment; 5 hand-no-tool',
  'flow.json': 'claude-code: 5 entries, 0 hooks, 0 commands; 5 hand-no-event',
  'gemini-showcase.json': 'gemini-cli: 6 entries, 0 hooks, 0 commands; 6 hand-no-event',
  'gh-zen-codex.json': 'codex: 1 entries, 0 hooks, 0 commands; 1 hand-needs-shell',
  'git-hooks-path.json': 'codex: 1 entries, 1 hooks, 1 commands',
  'guide.json':
    'claude-code: 9 entries, 4 hooks, 0 commands; 1 hand-approves; 1 hand-asks-model; 1 hand-needs-shell; 1 hand-sends; 1 hand-subagents',
  'hookify.json': 'claude-code: 4 entries, 4 hooks, 4 commands',
  'hooks-demo.json': 'copilot-cli: 1 entries, 1 hooks, 1 commands',
  'hooks-mastery.json': 'claude-code: 13 entries, 10 hooks, 10 commands; 3 hand-no-moment',
  'loa.json': 'claude-code: 5 entries, 2 hooks, 2 commands; 2 hand-no-moment; 1 hand-no-tool',
  'lopen-memory.json': 'copilot-cli: 2 entries, 2 hooks, 2 commands',
  'lumine.json': 'claude-code: 5 entries, 0 hooks, 0 commands; 5 hand-unknown-kind',
  'mem0.json': 'claude-code: 2 entries, 2 hooks, 2 commands',
  'memory-engine-codex.json': 'codex: 2 entries, 2 hooks, 2 commands',
  'memory-engine.json':
    'claude-code: 3 entries, 0 hooks, 0 commands; 1 hand-no-moment; 2 hand-variable',
  'mercury.json':
    'claude-code: 15 entries, 13 hooks, 13 commands; 1 hand-no-file; 1 hand-subagents',
  'presets.json': 'claude-code: 3 entries, 3 hooks, 2 commands',
  'ralph-github.json': 'copilot-cli: 1 entries, 1 hooks, 1 commands',
  'ralph-loop.json': 'claude-code: 1 entries, 1 hooks, 1 commands',
  'sage.json': 'claude-code: 5 entries, 4 hooks, 4 commands; 1 hand-needs-shell',
  'security-guidance.json': 'claude-code: 6 entries, 6 hooks, 6 commands',
  'starter-codex.json': 'codex: 2 entries, 2 hooks, 2 commands',
  'starter-gemini.json': 'gemini-cli: 3 entries, 2 hooks, 2 commands; 1 hand-no-moment',
  'starter-github.json': 'copilot-cli: 2 entries, 2 hooks, 2 commands',
  'starter.json': 'claude-code: 3 entries, 3 hooks, 3 commands',
  'superpowers.json': 'claude-code: 1 entries, 1 hooks, 1 commands',
  'templates.json':
    'claude-code: 10 entries, 0 hooks, 0 commands; 9 hand-needs-shell; 1 hand-no-moment',
  'vex-talon.json': 'claude-code: 21 entries, 19 hooks, 19 commands; 2 hand-no-moment',
};

describe('as published', () => {
  test('each has its row, and its place', ({ expect }) => {
    expect(Object.keys(EXPECTED).sort()).toEqual(NAMES.sort());
    expect(Object.keys({ ...PLACES, ...OTHERS }).sort()).toEqual(NAMES.sort());
  });

  for (const name of NAMES)
    test(name, async ({ world, expect }) => {
      const path = await place(world, name);
      const out = 'project/draft.json';
      const ran = await world.run(['import', path, '--out', out, '--json']);
      const { entries, manifest, grants } = JSON.parse(ran.out);
      const hooks = manifest?.hooks.declarations ?? [];
      expect(row(entries, hooks)).toBe(EXPECTED[name]);
      expect(ran.code).toBe(hooks.length > 0 ? 0 : 1);
      // Each is one or the other, and where it is said to be.
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
      // The suggested install command works.
      const allow = grants.length > 0 ? ['--allow', grants.join(',')] : [];
      const client = ['--client', entries[0].client];
      const diff = await world.run(['diff', out, ...client, ...allow, '--json']);
      expect([basename(out), diff.code]).toEqual([basename(out), 1]);
    });
});
