// A package that installs its own hooks: packed, installed into an empty folder with nothing but the two files, and used as its users
// do.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe } from 'vitest';
import { code, ROOT } from '../support/pages.ts';
import { hasTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

/** What somebody has in their settings: not as any program would write it. */
const OWN = '{\n    "model": "opus",   "hooks": { "Stop": [] }\n}';
const NODE = dirname(process.execPath);

/** Both tarballs in a folder with nothing else, offline; and what runs a command there as the user of a scratch home. */
async function installed(world: World) {
  const folder = join(world.root, 'desk', 'a project');
  await mkdir(folder, { recursive: true });
  const env = {
    HOME: world.home,
    PATH: `${NODE}:/usr/bin:/bin`,
    npm_config_cache: join(world.root, 'npm'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_logs_max: '0',
  };
  const run = (command: string, args: readonly string[], input = '') =>
    execa(command, args, { cwd: folder, env, extendEnv: false, reject: false, input });
  const done = async (...words: string[]) => {
    const ran = await run('npm', words);
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
  };
  await done('pack', ROOT, '--ignore-scripts');
  await done('pack', join(ROOT, 'examples/notes-package'));
  const tarballs = (await readdir(folder)).map((name) => `./${name}`);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await done('install', ...tarballs, '--no-audit', '--no-fund');
  await world.write('~/.claude/settings.json', OWN);
  await world.folder('~/.gemini');
  const npx = (...words: string[]) => run('npx', ['--no-install', ...words]);
  return { folder, env, npx };
}

describe('example-notes', () => {
  test('shows its hooks, installs them after a yes, and takes them out to the byte', async ({
    world,
    expect,
  }) => {
    const { npx } = await installed(world);
    const before = await world.snapshot();

    const unasked = await npx('example-notes', 'install-hooks');
    expect([unasked.exitCode, unasked.stderr]).toEqual([
      2,
      'There is no terminal to ask in: add --yes. Nothing was written.',
    ]);
    for (const part of [
      /^example-notes declares 3 hooks\.$/m,
      /\| You just committed work\./,
      /For its tools this is run: node '\/.*\n? *.*\/server\.mjs'$/m,
      /^Files: ~\/\.claude\/settings\.json, ~\/\.gemini\/settings\.json$/m,
      /^With --allow context-tool you allow it\.$/m,
    ])
      expect(unasked.stdout).toMatch(part);
    expect(await world.snapshot()).toEqual(before);

    const allow = ['--yes', '--allow', 'context-tool'];
    const written = await npx('example-notes', 'install-hooks', ...allow);
    expect([written.exitCode, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toContain('\nInstalled.');
    const verified = await npx('mcp-hooks', 'verify', 'example-notes', '--json');
    expect(verified.exitCode).toBe(0);
    const { clients } = JSON.parse(verified.stdout);
    const texts = JSON.stringify(clients);
    expect(texts).toContain('You just committed work.');
    expect(texts).toContain('Nothing was noted yet.');
    const again = await npx('example-notes', 'install-hooks', ...allow);
    expect(again.stdout).toMatch(/Nothing to do: the files are up to date\.$/);

    const removed = await npx('example-notes', 'uninstall-hooks', '--yes');
    expect([removed.exitCode, removed.stderr]).toEqual([0, '']);
    expect(removed.stdout).toMatch(/^To uninstall: example-notes for Claude Code, Gemini CLI; /m);
    expect(await world.snapshot()).toEqual(before);
  });

  test('asks, and a no writes nothing', async ({ world, expect, skip }) => {
    skip(!hasTerminal(), 'there is no script(1)');
    const { folder, env } = await installed(world);
    const before = await world.snapshot();
    const answering = async (answer: string) => {
      const command = 'npx --no-install example-notes install-hooks';
      const running = execa('script', ['-qefc', command, '/dev/null'], {
        ...{ cwd: folder, extendEnv: false, reject: false },
        env: { ...env, TERM: 'dumb', SHELL: '/bin/sh' },
      });
      let seen = '';
      running.stdout?.on('data', (part) => {
        seen += part;
        if (seen.endsWith('Install? [y/N] ')) running.stdin?.write(`${answer}\n`);
      });
      return (await running).stdout;
    };
    expect(await answering('n')).toContain('Nothing was written.');
    expect(await world.snapshot()).toEqual(before);
    expect(await answering('y')).toContain('Installed.');
    expect(await world.read('~/.claude/settings.json')).toContain('example-notes');
  });

  test('refuses what it does not know, and settings that cannot be edited', async ({
    world,
    expect,
  }) => {
    const { npx } = await installed(world);
    for (const [words, said] of [
      [
        ['instal-hooks'],
        'There is no command instal-hooks; known: install-hooks, uninstall-hooks.',
      ],
      [['install-hooks', '--yess'], "Unknown option '--yess'"],
      [['install-hooks', '--yes', '--allow', 'tools'], 'There is no permission "tools"; known: '],
    ] as const) {
      const { exitCode, stderr } = await npx('example-notes', ...words);
      expect([words, exitCode, stderr.slice(0, said.length)]).toEqual([words, 2, said]);
    }
    await world.write('~/.claude/settings.json', '{ "hooks": [');
    const before = await world.snapshot();
    const refused = await npx('example-notes', 'install-hooks', '--yes');
    expect(refused).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('~/.claude/settings.json:1:'),
      stderr: 'Refused for Claude Code. Nothing was written.',
    });
    expect(await world.snapshot()).toEqual(before);
  });

  test('docs/vendors.md says how it is called', ({ expect }) => {
    const lines = code('docs/vendors.md', 'code: vendor').split('\n').filter(Boolean);
    expect(lines.map((line) => /^\$ npx example-notes (\S+) +#/.exec(line)?.[1])).toEqual([
      'install-hooks',
      'uninstall-hooks',
    ]);
  });
});
