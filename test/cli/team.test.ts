// A manifest in a repository, for all who clone it: it is found from the current folder, and counts only for sessions in the clone.
import { spawnSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import { findPlaces, runnerFolder } from '../../src/clients/places.ts';
import { copyHooks } from '../../src/diagnose/live/copy.ts';
import { disk } from '../../src/system/disk.ts';
import { test, type World } from '../support/world.ts';

const TEXT = 'Run npm test before you commit.';

const manifest = (context = TEXT) =>
  JSON.stringify({
    version: 2,
    name: 'shop',
    hooks: {
      declarations: [
        { event: 'session_start', context, priority: 'suggestion' },
        { event: 'session_start', command: ['./hooks/branch.sh'], priority: 'suggestion' },
      ],
    },
  });

const script = (words: string) => `#!/bin/sh\ncat >/dev/null\necho ${words}\n`;

async function clone(world: World, folder: string): Promise<void> {
  await world.folder('~/.claude', '~/.codex', '~/.gemini', '~/.qwen', `${folder}/.git`);
  await world.folder(`${folder}/src/deep`);
  await world.write(`${folder}/mcp-hooks.json`, manifest());
  await world.write(`${folder}/hooks/branch.sh`, script('first'), 0o755);
}

const ALLOW = '--yes --allow command --client claude-code';

/** What the hook prints when a session starts in a folder. @param from The folder in which the client starts the hook. */
async function started(world: World, label: string, folder: string, from = folder) {
  const { hooks } = JSON.parse(await world.read('~/.claude/settings.json'));
  const command: string = hooks.SessionStart.map(
    (group: { hooks: [{ command: string }] }) => group.hooks[0].command,
  ).find((one: string) => one.includes(`/${label}/`));
  return startedBy(world, command, folder, from);
}

function startedBy(world: World, command: string, folder: string, from = folder): string {
  sessions += 1;
  const payload = { session_id: `s${sessions}`, transcript_path: '/none', cwd: world.path(folder) };
  const event = { ...payload, hook_event_name: 'SessionStart', source: 'startup' };
  const { stdout, status } = spawnSync('/bin/sh', ['-c', command], {
    cwd: world.path(from),
    env: { PATH: process.env.PATH, HOME: world.home },
    input: JSON.stringify(event),
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout;
}
let sessions = 0;

const doctor = async (world: World) => {
  const { out } = await world.run('doctor --json');
  const {
    findings,
  }: { findings: { check: string; level: string; code: string; where?: string }[] } =
    JSON.parse(out);
  return findings
    .filter(
      ({ check, level }) => ['source', 'programs', 'shown-twice'].includes(check) && level !== 'ok',
    )
    .map(({ code, where }) => [code, where]);
};

describe('without a server, in a repository with a manifest', () => {
  test('diff shows it from any folder of the repository, and writes nothing', async ({ world }) => {
    await clone(world, 'shop');
    const before = await world.snapshot();
    for (const folder of ['shop', 'shop/src/deep']) {
      const { code, out } = await world.run('diff', { cwd: world.path(folder) });
      expect(code).toBe(1);
      expect(out).toMatch(/^shop has 2 hooks, declared in mcp-hooks\.json\.$/m);
      expect(out).toContain(`Only for sessions in ${world.path('shop')}\n`);
      expect(out).toContain(`| ${TEXT}`);
    }
    expect(await world.snapshot()).toEqual(before);
  });

  test('without a manifest, the error says where it was looked for', async ({ world }) => {
    await clone(world, 'shop');
    await world.folder('shop/vendor/other/.git', '~/.claude');
    for (const cwd of [world.work, world.path('shop/vendor/other')]) {
      const { code, err } = await world.run('install --yes', { cwd });
      expect(code).toBe(2);
      expect(err).toContain('Name a server:');
      expect(err).toContain(
        'There is none in this folder, nor above it up to the top of the repository.',
      );
    }
  });

  test('in a project scope, only the folder itself is searched', async ({ world }) => {
    await clone(world, 'shop');
    const at = (folder: string) =>
      world.run('diff --scope local --client claude-code', { cwd: world.path(folder) });
    const { out } = await at('shop');
    expect(out).toContain(`+++ ${world.path('shop')}/.claude/settings.local.json`);
    expect(out).not.toContain('Only for sessions in');
    expect((await at('shop/src')).code).toBe(2);
  });

  test('the home itself is not a project', async ({ world }) => {
    await world.write('~/mcp-hooks.json', manifest());
    await world.write('~/hooks/branch.sh', script('first'));
    await world.folder('~/.claude');
    const { code, err } = await world.run('install --yes', { cwd: world.home });
    expect([code, err]).toEqual([2, expect.stringContaining('home')]);
  });
});

describe('the hooks of a clone', () => {
  test('run only in its folder, wherever the client starts them', async ({ world }) => {
    await clone(world, 'shop');
    await world.folder('shopping', 'elsewhere');
    await world.link('alias', 'shop');
    await world.run(`install ${ALLOW}`, { cwd: world.path('shop') });
    for (const [folder, from] of [
      ['shop', 'shop'],
      ['shop/src', 'shop/src'],
      ['shop', 'elsewhere'],
      ['alias', 'alias'],
    ] as const) {
      const answer = await started(world, 'shop', folder, from);
      expect([folder, from, answer.includes(TEXT), answer.includes('first')]).toEqual([
        folder,
        from,
        true,
        true,
      ]);
    }
    for (const folder of ['elsewhere', 'shopping', '.'])
      expect([folder, await started(world, 'shop', folder)]).toEqual([folder, '']);
  });

  test('start no Node in another folder', async ({ world }) => {
    await clone(world, 'shop');
    await world.folder('elsewhere');
    await world.run(`install ${ALLOW}`, { cwd: world.path('shop') });
    const runner = world.path('~/.mcp-hooks/servers/shop/runner.cjs');
    await world.write(
      runner,
      `require('node:fs').writeFileSync(${JSON.stringify(world.path('ran'))}, '')`,
    );
    await started(world, 'shop', 'elsewhere');
    await expect(world.read('ran')).rejects.toThrow();
    await started(world, 'shop', 'shop');
    expect(await world.read('ran')).toBe('');
  });

  test('do not replace those of another clone, and both are uninstalled to the byte', async ({
    world,
  }) => {
    await clone(world, 'one');
    await clone(world, 'two');
    await world.write('~/.claude/settings.json', '{"theme":"dark"}');
    await world.write('~/.codex/config.toml', 'model = "x" # mine\n');
    await world.write('~/.gemini/settings.json', '{ }\n');
    const before = await world.snapshot();
    const install = (folder: string) =>
      world.run('install --yes --allow command', { cwd: world.path(folder) });
    expect((await install('one')).out).toMatch(/^shop has 2 hooks/m);
    expect((await install('two')).out).toMatch(/^shop-2 has 2 hooks/m);
    // When they are installed again, each keeps its own label.
    const settled = await world.snapshot();
    expect((await install('two')).out).toMatch(/^shop-2 has 2 hooks/m);
    expect((await install('one')).out).toMatch(/^shop has 2 hooks/m);
    expect(await world.snapshot()).toEqual(settled);

    const { out } = await world.run('list');
    expect(out).toMatch(new RegExp(`^shop .* only in ${world.path('one')} `, 'm'));
    expect(out).toMatch(new RegExp(`^shop-2 .* only in ${world.path('two')} `, 'm'));
    expect(await doctor(world)).toEqual([]);
    expect(await started(world, 'shop', 'two')).toBe('');
    expect(await started(world, 'shop-2', 'two')).toContain(TEXT);

    expect((await world.run('uninstall shop --yes')).code).toBe(0);
    expect(await started(world, 'shop-2', 'two')).toContain(TEXT);
    // The first label is free again, and the other clone keeps its own.
    expect((await world.run('diff', { cwd: world.path('two') })).out).toMatch(/^shop-2 /m);
    expect((await world.run('uninstall shop-2 --yes')).code).toBe(0);
    expect(await world.snapshot()).toEqual(before);
  });

  test('stay as approved after a pull, and a changed script does not run', async ({ world }) => {
    await clone(world, 'shop');
    const cwd = world.path('shop');
    await world.run(`install ${ALLOW}`, { cwd });
    expect(await doctor(world)).toEqual([]);
    await world.write('shop/mcp-hooks.json', manifest('Words of the pull.'));
    await world.write('shop/hooks/branch.sh', script('pulled'), 0o755);
    const answer = await started(world, 'shop', 'shop');
    expect(answer).toContain(TEXT);
    expect(answer).not.toMatch(/pull/);
    expect(await doctor(world)).toEqual([
      ['manifest-declares-else', `${cwd}/mcp-hooks.json`],
      ['program-changed', `${cwd}/hooks/branch.sh`],
    ]);

    // --yes accepts the new texts, but the script needs a new grant.
    const shown = await world.run('update shop --yes');
    expect(shown.out).toContain('+ | Words of the pull.');
    expect(shown.out).toContain('+ | echo pulled');
    const text = await started(world, 'shop', 'shop');
    expect([text.includes('Words of the pull.'), text.includes('pulled')]).toEqual([true, false]);
    await world.run('update shop --yes --allow command');
    expect(await started(world, 'shop', 'shop')).toContain('pulled');
    await world.folder('elsewhere');
    expect(await started(world, 'shop', 'elsewhere')).toBe('');
    expect(await doctor(world)).toEqual([]);
  });

  test('do nothing after the clone was moved, and doctor reports it', async ({ world }) => {
    await clone(world, 'shop');
    const before = await world.snapshot('~');
    await world.run('install --yes --client claude-code', { cwd: world.path('shop') });
    await rename(world.path('shop'), world.path('moved'));
    expect(await started(world, 'shop', 'moved')).toBe('');
    expect(await doctor(world)).toEqual([['folder-gone', world.path('shop/mcp-hooks.json')]]);
    await world.run('uninstall shop --yes');
    expect(await world.snapshot('~')).toEqual(before);
  });

  test('are tried by verify --live in the folder of its session', async ({ world }) => {
    await clone(world, "a'b");
    await world.folder('scratch', 'session');
    await world.run(`install ${ALLOW} --name shop`, { cwd: world.path("a'b") });
    const places = findPlaces({ HOME: world.home }, world.work, 'user');
    const folder = runnerFolder(places, 'shop');
    const files = disk.list(folder).map((name) => [name, disk.read(join(folder, name))] as const);
    const runner = new Map(
      files.flatMap(([name, bytes]) => (bytes ? [[name, bytes] as const] : [])),
    );
    const subject = { client: claudeCode, driver: {}, label: 'shop', written: [], places, disk };
    const from = world.path("a'b");
    copyHooks({ ...subject, runner }, world.path('scratch'), { from, to: world.path('session') });
    const start = (at: string, home: string) => {
      const command = `. ${join(world.path(home), '.mcp-hooks/servers/shop/claude-code.SessionStart.sh')}`;
      return startedBy(world, command, at);
    };
    expect(start('session', 'scratch')).toContain('first');
    expect(start("a'b", 'scratch')).toBe('');
    expect(start("a'b", '~')).toContain('first');
  });

  test('can be fired and verified from any folder, and run in their own', async ({ world }) => {
    await clone(world, 'shop');
    await world.run(`install ${ALLOW}`, { cwd: world.path('shop') });
    const env = { PATH: process.env.PATH };
    expect((await world.run('fire shop session_start', { env })).out).toContain(TEXT);
    expect((await world.run('verify shop --client claude-code', { env })).out).toMatch(/fires/);
    const payload = { session_id: 's', cwd: world.home, hook_event_name: 'SessionStart' };
    await world.write('payload.json', JSON.stringify({ ...payload, source: 'startup' }));
    const { out } = await world.run('fire shop SessionStart --payload payload.json', { env });
    expect(out).toContain('it is for sessions in another folder');
  });
});
