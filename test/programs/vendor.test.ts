// A package that installs its own hooks: packed, installed into an empty folder with nothing but the two files, and used as its
// users do.
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe } from 'vitest';
import { code, ROOT } from '../support/pages.ts';
import { hasTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

/** The user's own settings, in a format that no program would write. */
const OWN = '{\n    "model": "opus",   "hooks": { "Stop": [] }\n}';
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;

let root: string;
/** Both packages are installed here, from their files and nothing else. */
let folder: string;
const envOf = (home: string) => ({
  HOME: home,
  PATH,
  npm_config_cache: join(root, 'npm'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_logs_max: '0',
});
beforeAll(async () => {
  root = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-vendor-'));
  folder = join(root, 'a project');
  await mkdir(folder);
  const npm = (...words: string[]) =>
    execa('npm', words, { cwd: folder, env: envOf(root), extendEnv: false });
  await npm('pack', ROOT, '--ignore-scripts');
  await npm('pack', join(ROOT, 'examples/notes-package'));
  const files = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npm('install', ...files.map((name) => `./${name}`), '--no-audit', '--no-fund');
}, 120_000);
afterAll(() => rm(root, { recursive: true, force: true }));

/** Runs a command of a package there, in a home with two clients. */
async function userOf(world: World) {
  await world.write('~/.claude/settings.json', OWN);
  await world.folder('~/.gemini');
  const options = { cwd: folder, env: envOf(world.home), extendEnv: false, reject: false } as const;
  return (...words: string[]) =>
    execa('npx', ['--no-install', ...words], { ...options, input: '' });
}

describe('example-notes', () => {
  test('shows its hooks, installs them after a yes, and takes them out to the byte', async ({
    world,
    expect,
  }) => {
    const npx = await userOf(world);
    const before = await world.snapshot();

    const unasked = await npx('example-notes', 'install-hooks');
    expect([unasked.exitCode, unasked.stderr]).toEqual([
      2,
      'There is no terminal to ask in: add --yes. Nothing was written.',
    ]);
    for (const part of [
      /^example-notes has 3 hooks, declared in \S+\.json\.$/m,
      /\| You just committed work\./,
      /Runs as you in the session folder: node '\/.*\n? *.*\/server\.mjs'$/m,
      /^ {2}Claude Code .* ~\/\.claude\/settings\.json$/m,
      /^ {2}Gemini CLI .* ~\/\.gemini\/settings\.json$/m,
      /^To allow that, add --allow context-tool\.$/m,
    ])
      expect(unasked.stdout).toMatch(part);
    expect(await world.snapshot()).toEqual(before);

    const allow = ['--yes', '--allow', 'context-tool'];
    const written = await npx('example-notes', 'install-hooks', ...allow);
    expect([written.exitCode, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toContain('\nInstalled.');
    const verified = await npx('mcp-hooks', 'verify', 'example-notes');
    expect(verified.stdout).toMatch(/\nEverything fires once .*: 3 hooks in 2 clients\.$/s);
    const told = await npx('mcp-hooks', 'fire', 'example-notes', 'pre_request');
    expect(told.stdout).toContain('Nothing was noted yet.');
    const again = await npx('example-notes', 'install-hooks', ...allow);
    expect(again.stdout).toMatch(/Nothing to do: the files are up to date\.$/);

    const removed = await npx('example-notes', 'uninstall-hooks', '--yes');
    expect([removed.exitCode, removed.stderr]).toEqual([0, '']);
    expect(removed.stdout).toMatch(
      /^To uninstall: example-notes for Claude Code and Gemini CLI; /m,
    );
    expect(await world.snapshot()).toEqual(before);
  });

  test('asks, and a no writes nothing', async ({ world, expect, skip }) => {
    skip(!hasTerminal(), 'there is no script(1)');
    await userOf(world);
    const before = await world.snapshot();
    const answering = async (answer: string) => {
      const command = 'npx --no-install example-notes install-hooks';
      const running = execa('script', ['-qefc', command, '/dev/null'], {
        ...{ cwd: folder, extendEnv: false, reject: false },
        env: { ...envOf(world.home), TERM: 'dumb', SHELL: '/bin/sh' },
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

  test('refuses unknown commands, options and grants, and settings that cannot be edited', async ({
    world,
    expect,
  }) => {
    const npx = await userOf(world);
    for (const [words, said] of [
      [
        ['instal-hooks'],
        'There is no command instal-hooks; known: install-hooks, uninstall-hooks.',
      ],
      [['install-hooks', '--yess'], "Unknown option '--yess'"],
      [['install-hooks', '--yes', '--allow', 'tools'], 'There is no grant "tools"; known: '],
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
    expect(lines.map((line) => /^npx example-notes (\S+) +#/.exec(line)?.[1])).toEqual([
      'install-hooks',
      'uninstall-hooks',
    ]);
  });
});
