// A write that takes only part of the bytes, which is no error, and a next write that finds no room.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test, type World } from '../support/world.ts';
import { find, ours, start } from './processes.ts';
import { CONFIGS, furnish, INSTALL, UNINSTALL, undisturbed } from './scene.ts';
import { capture, differences, restore, sameBytes, type Tree } from './tree.ts';

/** Bytes; the runner's files are smaller. */
const LIMIT = 256 * 1024;
const PRLIMIT = find('prlimit');
const COMPILER = find('cc') ?? find('gcc');

/** The files that are written whole: the files of the clients and of the runner, the ledger, a backup. */
const FILES = [
  ...Object.values(CONFIGS),
  'claude-code.PostToolUse.sh',
  'runner.cjs',
  'codex.PostToolUse.json',
  'ledger.json',
];

/** Builds the library that makes writes short, or returns the reason why it cannot be built. */
async function library(world: World): Promise<{ file: string } | string> {
  if (!COMPILER) return 'there is no C compiler on this machine';
  const file = join(world.root, 'shortwrite.so');
  const source = join(import.meta.dirname, 'shortwrite.c');
  const argv = [COMPILER, '-shared', '-fPIC', '-O1', '-o', file, source, '-ldl'];
  const env = { PATH: process.env.PATH ?? '' };
  const { code, err } = await start(argv, { cwd: world.work, env }).ended;
  return code === 0 ? { file } : `the C compiler fails: ${err}`;
}

const writes = (name: string, before: Tree, after: Tree): boolean =>
  [...after].some(([path, file]) => path.endsWith(name) && !sameBytes(file, before.get(path)));

describe('a short write', () => {
  test.for(FILES)(
    'of %s with no room for the rest is reported, and the old bytes stay',
    async (name, { world, skip }) => {
      const made = await library(world);
      if (typeof made === 'string') return skip(made);
      const { install, update } = await undisturbed(world);
      for (const { line, before, after } of [install, update]) {
        if (!writes(name, before, after)) continue;
        restore(world.home, before);
        const env = { LD_PRELOAD: made.file, SHORT_FILE: `${name}.mcp-hooks-`, SHORT_NEXT: 'full' };
        const ended = await ours(world, line, { env });
        expect(ended).toMatchObject({ code: 2, late: false });
        expect(ended.err).toContain('the disk is full');
        expect(ended.err).toContain(name);
        expect(differences(capture(world.home), before)).toEqual([]);
        expect(await ours(world, line)).toMatchObject({ code: 0, err: '' });
        expect(differences(capture(world.home), after)).toEqual([]);
      }
    },
  );

  test.for(FILES)('of %s with room for the rest is continued', async (name, { world, skip }) => {
    const made = await library(world);
    if (typeof made === 'string') return skip(made);
    const { install } = await undisturbed(world);
    restore(world.home, install.before);
    const env = { LD_PRELOAD: made.file, SHORT_FILE: `${name}.mcp-hooks-` };
    expect(await ours(world, install.line, { env })).toMatchObject({ code: 0, err: '' });
    expect(differences(capture(world.home), install.after)).toEqual([]);
  });

  test('of settings beyond the size limit of a file is reported, and the old bytes stay', async ({
    world,
    skip,
  }) => {
    if (!PRLIMIT) return skip('prlimit is not on this machine');
    await furnish(world);
    // As large as a file may be: the backup just fits, and our addition does not.
    const empty = '{ "env": { "NOTE": "" } }\n';
    const note = 'x'.repeat(LIMIT - empty.length);
    await world.write('~/.claude/settings.json', empty.replace('""', `"${note}"`));
    const first = capture(world.home);
    const { code, err } = await ours(world, INSTALL, { under: [PRLIMIT, `--fsize=${LIMIT}`] });
    expect(code).toBe(2);
    expect(err).toContain(join(world.home, '.claude', 'settings.json'));
    expect(differences(capture(world.home), first)).toEqual([]);
    expect(existsSync(join(world.home, '.mcp-hooks'))).toBe(false);

    expect(await ours(world, INSTALL)).toMatchObject({ code: 0, err: '' });
    expect(await ours(world, UNINSTALL)).toMatchObject({ code: 0, err: '' });
    expect(differences(capture(world.home), first)).toEqual([]);
  });
});
