/** The files that we write, and those that we leave alone. */
import { chown, link, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, inject } from 'vitest';
import { followLinks } from '../../src/system/files.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const SETTINGS = '{\n  "model": "opus"\n}\n';
const ALL = '--client claude,codex,gemini';

const furnish = (world: World) => world.write('annal.json', manifest(COMMITTED));

describe.concurrent('links are followed and kept, and their targets are written', () => {
  const LINKS: Record<string, (world: World) => Promise<void>> = {
    'a file': async (world) => {
      await world.write('~/dotfiles/claude.json', SETTINGS, 0o640);
      await world.link('~/.claude/settings.json', '~/dotfiles/claude.json');
    },
    'a folder': async (world) => {
      await world.write('~/dotfiles/claude/settings.json', SETTINGS);
      await world.link('~/.claude', '~/dotfiles/claude');
    },
    'a chain of both': async (world) => {
      await world.write('~/dotfiles/claude/settings.json', SETTINGS);
      await world.link('~/dotfiles/there', '~/dotfiles/claude');
      await world.link('~/one', '~/dotfiles/there/settings.json');
      await world.link('~/.claude/settings.json', '~/one');
    },
    'a missing file': async (world) => {
      await world.folder('~/dotfiles');
      await world.link('~/.claude/settings.json', '~/dotfiles/claude.json');
    },
    'a missing folder': async (world) => {
      await world.link('~/.claude', '~/dotfiles/claude');
    },
    'the state folder': async (world) => {
      await world.link('~/.mcp-hooks', '~/dotfiles/hooks');
    },
  };
  const MODES: Readonly<Record<string, number>> = { 'a file': 640, 'a missing file': 600 };
  test.for(Object.entries(LINKS))('%s', async ([name, make_], { make, expect }) => {
    const world = await make();
    await furnish(world);
    await make_(world);
    const before = await world.snapshot();
    expect(await world.run(`install annal.json --yes ${ALL}`)).toMatchObject({ code: 0, err: '' });
    const now = await world.snapshot();
    for (const [path, what] of Object.entries(before))
      if (what.startsWith('link')) expect({ path, what: now[path] }).toEqual({ path, what });
    if (name in MODES)
      expect(now['dotfiles/claude.json']).toMatch(new RegExp(`^file ${MODES[name]} `));
    expect(await world.read('~/.claude/settings.json')).toContain('PostToolUse');
    expect((await world.run('list')).out.match(/ intact\b/g)).toHaveLength(3);
    // By its other names, the file is still the same.
    expect((await world.run(`install annal.json --yes ${ALL}`)).out).toContain('Nothing to do');
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0, err: '' });
    expect(await world.snapshot()).toEqual(before);
  });

  test('two clients with the same folder: each has its own file in it', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    await world.folder('~/agents');
    for (const folder of ['.claude', '.codex']) await world.link(`~/${folder}`, '~/agents');
    const before = await world.snapshot();
    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 0, err: '' });
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0, err: '' });
    expect(await world.snapshot()).toEqual(before);
  });

  test.for<[string, string]>([
    ['a file', '~/.claude/settings.json'],
    ['a folder', '~/.claude'],
  ])('a circle of links is refused: %s', async ([_, path], { make, expect }) => {
    const world = await make();
    await furnish(world);
    await world.link(path, '~/other');
    await world.link('~/other', path);
    const before = await world.stamps();
    const { code, out, err } = await world.run(`install annal.json --yes ${ALL}`);
    expect({ code, said: out + err }).toEqual({
      code: 2,
      said: expect.stringContaining('its links go in a circle'),
    });
    expect(await world.stamps()).toEqual(before);
    expect(await readlink(world.path('~/other'))).toBe(world.path(path));
  });
});

describe.concurrent('a file is left alone, and the user is told what to do', () => {
  const CASES: Record<string, [string, (world: World) => Promise<void>]> = {
    'if it is read-only': [
      'it is read-only',
      (world) => world.write('~/.claude/settings.json', SETTINGS, 0o444),
    ],
    'if it has a second name': [
      'it has a second name (a hard link)',
      async (world) => {
        await world.write('~/.claude/settings.json', SETTINGS);
        await link(world.path('~/.claude/settings.json'), world.path('~/second'));
      },
    ],
    'if it belongs to another user': [
      'it belongs to another user (12345)',
      async (world) => {
        await world.write('~/.claude/settings.json', SETTINGS, 0o666);
        await chown(world.path('~/.claude/settings.json'), 12345, 12345);
      },
    ],
    'if it is a folder': ['it is a folder', (world) => world.folder('~/.claude/settings.json')],
    'if it is broken': [
      'not valid JSON: invalid symbol',
      (world) => world.write('~/.claude/settings.json', '{\n  model: "opus"\n}\n'),
    ],
  };
  test.for(Object.entries(CASES))('%s', async ([name, [why, make_]], { make, expect, skip }) => {
    if (name.includes('another') && process.geteuid?.() !== 0)
      skip('only root can give a file to another user');
    const world = await make();
    await furnish(world);
    await make_(world);
    const before = await world.stamps();
    for (const line of [
      'diff annal.json',
      'install annal.json --yes',
      'install annal.json --yes --json',
    ]) {
      const { code, out, err } = await world.run(`${line} ${ALL}`);
      expect(code).toBe(2);
      expect(out).toContain(why);
      // An entry added by hand would start a runner that was not written.
      expect(out).not.toMatch(/by ?hand/i);
      if (!line.startsWith('diff'))
        expect(err).toBe(
          'Nothing was written. Fix the refused file, then run this command again. Without that client: --client codex,gemini\n',
        );
    }
    expect(await world.stamps()).toEqual(before);
    // The other clients can be installed.
    expect(await world.run('install annal.json --yes --client codex,gemini')).toMatchObject({
      code: 0,
    });
  });

  test('if it is broken and our hooks have to be removed from it', async ({ world, expect }) => {
    await furnish(world);
    await world.write('~/.claude/settings.json', SETTINGS);
    await world.run('install annal.json --yes --client claude');
    await world.write('~/.claude/settings.json', `${await world.read('~/.claude/settings.json')}]`);
    const before = await world.stamps();
    const { code, out } = await world.run('uninstall annal --yes');
    expect(code).toBe(2);
    expect(world.tidy(out).replace(/\s+/g, ' ')).toContain(
      'To do it by hand, remove every hook whose command names /home/ann/.mcp-hooks/servers/annal/, then try again.',
    );
    expect(await world.stamps()).toEqual(before);
  });
});

test('a path below an already resolved folder resolves in the same way as from the top', async ({
  world,
  expect,
}) => {
  await world.write('~/real/deep/file', '');
  await world.link('~/real/absolute', '~/real/deep');
  await symlink('../real/deep', join(world.home, 'real/relative'));
  await symlink('nowhere/../deep', join(world.home, 'real/broken'));
  await symlink('circle', join(world.home, 'real/circle'));
  const known = join(world.home, 'real');
  const lead = (path: string, from?: string) => {
    try {
      return followLinks(path, from);
    } catch (error) {
      return String(error);
    }
  };
  const paths = ['deep/file', 'absolute/file', 'relative/new', 'broken/file', 'circle/file', 'new']
    .map((path) => `${known}/${path}`)
    .concat(known, `${known}-not/file`, `${known}/deep/../../real/relative/./file`);
  const found = paths.map((path) => lead(path, known));
  expect(found).toEqual(paths.map((path) => lead(path)));
  expect(found.slice(0, 3)).toEqual([
    `${known}/deep/file`,
    `${known}/deep/file`,
    `${known}/deep/new`,
  ]);
});

test('a file keeps its mode, owner and group; a new file is only for its owner', async ({
  world,
  expect,
  skip,
}) => {
  if (process.geteuid?.() !== 0) skip('only root can give a file another group');
  await furnish(world);
  await world.write('~/.claude/settings.json', SETTINGS, 0o664);
  await chown(world.path('~/.claude/settings.json'), 0, 12345);
  await world.run(`install annal.json --yes ${ALL}`);
  const { uid, gid, mode } = await stat(world.path('~/.claude/settings.json'));
  expect([uid, gid, (mode & 0o7777).toString(8)]).toEqual([0, 12345, '664']);
  expect((await world.snapshot('~/.codex/config.toml'))['.']).toMatch(/^file 600 /);
});

test('Codex: our hooks go into the file that has hooks for events that Codex knows, and into no other', async ({
  world,
  expect,
}) => {
  await furnish(world);
  const config = '[hooks]\nNope = [{ hooks = [] }]\n';
  await world.write('~/.codex/config.toml', config);
  await world.write('~/.codex/hooks.json', '{"hooks":{"PreCompact":[{"hooks":[]}]}}');
  await world.run('install annal.json --yes --client codex');
  expect(await world.read('~/.codex/config.toml')).toBe(config);
  expect(await world.read('~/.codex/hooks.json')).toContain('PostToolUse');
});

describe.concurrent('a file that is not ours stays', () => {
  test('in a folder of the user named by MCP_HOOKS_HOME, and so does the folder', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    await world.folder('~/empty');
    await world.write('~/.codex/sessions/2026/rollout.jsonl', '{}\n');
    await world.write('~/.codex/log/other.jsonl', '{}\n');
    const before = await world.snapshot();
    for (const name of ['~/empty', '~/.codex', '~/new/one']) {
      const env = { MCP_HOOKS_HOME: world.path(name) };
      expect(await world.run(`install annal.json --yes ${ALL}`, { env })).toMatchObject({
        code: 0,
      });
      expect(await world.run('uninstall annal --yes', { env })).toMatchObject({ code: 0, err: '' });
      expect(await world.snapshot()).toEqual(before);
    }
  });

  test.for<[string, (path: string) => Promise<unknown>]>([
    ['a pipe', (path) => execa('mkfifo', [path])],
    ['a device', (path) => execa('mknod', [path, 'c', '1', '3'])],
  ])(
    '%s in the place of a file is neither read nor replaced',
    async ([name, put], { make, expect, skip }) => {
      if (name === 'a device' && process.geteuid?.() !== 0) skip('only root can make a device');
      const world = await make();
      await furnish(world);
      await world.folder('~/.claude');
      await put(world.path('~/there'));
      await world.link('~/.claude/settings.json', '~/there');
      const { code, out } = await world.run('install annal.json --yes --client claude');
      expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('is not a file') });
      const found = await stat(world.path('~/there'));
      expect(found.isFile()).toBe(false);
    },
  );

  test('if another scope or client has the same settings file', async ({ world, expect }) => {
    await furnish(world);
    await world.folder('~/dotfiles/.claude');
    await world.link('~/.claude', '~/dotfiles/.claude');
    await world.run('install annal.json --yes --client claude');
    const installed = await world.snapshot();
    const again = [
      'install',
      world.path('annal.json'),
      '--yes',
      '--client',
      'claude',
      '--scope',
      'project',
    ];
    const { code, out } = await world.run(again, { cwd: world.path('~/dotfiles') });
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining('the same file as that of the user'),
    });
    expect(await world.snapshot()).toEqual(installed);

    // By another name, it is still the same file.
    await world.link('~/work/settings.json', '~/.claude/settings.json');
    const env = { CLAUDE_CONFIG_DIR: world.path('~/work') };
    expect((await world.run('install annal.json --yes --client claude', { env })).out).toContain(
      'Nothing to do',
    );
    const both = { CLAUDE_CONFIG_DIR: world.path('~/.gemini') };
    const two = await world.run('install annal.json --yes --name other --client claude,gemini', {
      env: both,
    });
    expect(two).toMatchObject({
      code: 2,
      out: expect.stringContaining('the same file as that of Claude Code'),
    });
    expect(await world.run('uninstall annal --yes', { env })).toMatchObject({ code: 0 });
    expect(await world.read('~/.claude/settings.json').catch(() => 'gone')).toBe('gone');
  });

  test('if it is a link through a missing folder', async ({ world, expect }) => {
    await furnish(world);
    await world.folder('~/.claude');
    await symlink('missing/../real.json', world.path('~/.claude/settings.json'));
    const before = await world.stamps();
    expect(await world.run('install annal.json --yes --client claude')).toMatchObject({ code: 2 });
    expect(await world.stamps()).toEqual(before);
  });
});

describe.concurrent('when the ledger was lost', () => {
  test('no client keeps an entry whose runner is gone', async ({ world, expect }) => {
    await furnish(world);
    const left = ['runner.cjs', 'claude-code.PostToolUse.sh', 'claude-code.PostToolUse.json'];
    await world.run('install annal.json --yes --client claude,codex');
    await world.write('~/.mcp-hooks/ledger.json', '{');
    await world.run('install annal.json --yes --client codex');
    expect(await world.run('uninstall annal --yes --client codex')).toMatchObject({ code: 0 });
    expect(await world.read('~/.claude/settings.json')).toContain(
      '/annal/claude-code.PostToolUse.sh',
    );
    for (const name of left)
      expect(await world.read(`~/.mcp-hooks/servers/annal/${name}`)).not.toBe('');
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0 });
    expect(await world.read('~/.claude/settings.json')).not.toContain('/annal/');
    for (const name of left)
      await expect(world.read(`~/.mcp-hooks/servers/annal/${name}`)).rejects.toThrow();
  });

  test('the backup stays the file from before the first install', async ({ world, expect }) => {
    await furnish(world);
    await world.write('~/.claude/settings.json', SETTINGS);
    await world.run('install annal.json --yes --client claude');
    await world.write('~/.mcp-hooks/ledger.json', '{');
    await world.write('annal.json', manifest({ ...COMMITTED, matcher: { tool_name: 'Edit' } }));
    await world.run('install annal.json --yes --client claude');
    const { installed } = JSON.parse((await world.run('list --json')).out);
    expect(await world.read(installed[0].clients[0].backup)).toBe(SETTINGS);
  });
});

test('a current folder that is gone is reported without a stack trace', async ({
  world,
  expect,
}) => {
  await world.folder('gone');
  const { exitCode, stdout, stderr } = await execa(
    'sh',
    [
      '-c',
      'cd "$1" && rmdir "$1" && shift && exec "$@"',
      'sh',
      world.path('gone'),
      process.execPath,
      inject('cli'),
      'list',
    ],
    { env: world.env({ PATH: process.env.PATH }), reject: false },
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).not.toContain('    at ');
});
