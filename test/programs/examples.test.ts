// Every example does what its page says.
import { cpSync, readdirSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { describe } from 'vitest';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { ROOT, read } from '../support/pages.ts';
import { until } from '../support/processes.ts';
import { test } from '../support/world.ts';

const EXAMPLES = readdirSync(join(ROOT, 'examples'));

test('examples are linked from a page', ({ expect }) => {
  const names = ['getting-started', 'authors', 'cookbook', 'declaration', 'vendors', 'engine'];
  const pages = ['README.md', ...names.map((name) => `docs/${name}.md`)].map(read).join('\n');
  expect(EXAMPLES.filter((name) => !pages.includes(`examples/${name}`))).toEqual([]);
});

describe('manifests', () => {
  const all = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' });
  test.for(all.filter((name) => name.endsWith('.json') && !name.startsWith('notes-package')))(
    '%s is valid and installs',
    async (name, { world, expect }) => {
      await world.folder('~/.claude');
      // Stand-ins for the programs that the hooks start, so that nothing is downloaded.
      const server = join(ROOT, 'test/support/servers/configured.mjs');
      for (const launcher of ['npx', 'uvx'])
        await world.write(
          `../bin/${launcher}`,
          `#!/bin/sh\nexec ${process.execPath} ${server}\n`,
          0o755,
        );
      cpSync(join(ROOT, 'examples'), world.work, { recursive: true });
      const before = await world.snapshot();
      for (const line of [
        `validate ./${name} --strict`,
        `install ./${name} --yes --allow block,context-tool,command`,
      ]) {
        const { code, err } = await world.run(line);
        expect([line, code, err]).toEqual([line, 0, '']);
      }
      const { hooks }: { hooks: Record<string, unknown> } = JSON.parse(
        await world.read('~/.claude/settings.json'),
      );
      expect(Object.keys(hooks)).not.toEqual([]);
      const { name: label } = JSON.parse(read(`examples/${name}`));
      await world.run(['uninstall', label, '--yes']);
      expect(await world.snapshot()).toEqual(before);
    },
  );
});

test('notes-server.ts declares hooks, and recalls in one process what another process saved', async ({
  world,
  expect,
}) => {
  await build({
    entryPoints: [join(ROOT, 'examples/notes-server.ts')],
    outfile: world.path('notes-server.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  await world.folder('node_modules');
  for (const [name, target] of [
    ['mcp-hooks', '.'],
    ['@modelcontextprotocol', 'node_modules/@modelcontextprotocol'],
    ['zod', 'node_modules/zod'],
  ] as const)
    await symlink(join(ROOT, target), world.path(`node_modules/${name}`));
  const { hooks } = await askServer({
    label: 'notes',
    command: process.execPath,
    args: ['notes-server.mjs'],
    cwd: world.work,
    env: process.env,
    deadline: 20_000,
    version: '1.0.0',
  });
  expect(hooks.map(({ event }) => event)).toEqual(['session_start', 'post_tool_use']);

  const env = { PATH: process.env.PATH, NOTES_FILE: world.path('notes.txt') };
  const protocolVersion = '2025-11-25';
  const asked = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { method: 'notifications/initialized' },
    {
      id: 2,
      method: 'tools/call',
      params: { name: 'add_note', arguments: { text: 'Node 20 is needed.' } },
    },
  ];
  const saving = execa(process.execPath, ['notes-server.mjs'], { cwd: world.work, env });
  for (const one of asked) saving.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`);
  await until('the note is saved', () =>
    world.read('notes.txt').then(
      (text) => text.endsWith('\n'),
      () => false,
    ),
  );
  saving.kill();
  await saving.catch(() => {}); // it was ended by a signal
  const line = ['fire', '--name', 'notes', 'session_start', '--allow', 'context-tool', '--json'];
  const command = ['--', process.execPath, world.path('notes-server.mjs')];
  const { out } = await world.run([...line, '--client', 'claude-code', ...command], { env });
  expect(JSON.parse(out).clients[0].firings[0].text).toContain('Node 20 is needed.');
});

test('install-hooks.mjs writes only after a yes', async ({ world, expect }) => {
  await world.folder('~/.gemini', 'node_modules');
  await symlink(ROOT, world.path('node_modules/mcp-hooks'));
  for (const name of ['install-hooks.mjs', 'commit-reminder.json'])
    await world.write(name, read(`examples/${name}`));
  const before = await world.snapshot();
  const run = (...flags: string[]) =>
    execa(process.execPath, ['install-hooks.mjs', ...flags], {
      cwd: world.work,
      env: world.env(),
      extendEnv: false,
      reject: false,
      input: '',
    });
  const asked = await run();
  expect(asked).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/Nothing was written\.$/),
  });
  const { hooks } = JSON.parse(read('examples/commit-reminder.json'));
  const told = asked.stdout.replace(/\n +\| /g, ' ');
  for (const { context } of hooks.declarations) expect(told).toContain(context);
  expect(await world.snapshot()).toEqual(before);
  expect(await run('--yes')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Installed.'),
  });
  expect(await world.read('~/.gemini/settings.json')).toContain('commit-reminder');
  const removed = await run('--remove', '--yes');
  expect(removed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Removed.') });
  expect(removed.stdout).toMatch(/^To uninstall: commit-reminder for Gemini CLI; /m);
  expect(await world.snapshot()).toEqual(before);

  await world.write('~/.gemini/settings.json', '{ "hooks": [');
  const refused = await run('--yes');
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    'Refused for Gemini CLI. Nothing was written.',
  ]);
  expect(refused.stdout).toContain('settings.json:1:');
});
