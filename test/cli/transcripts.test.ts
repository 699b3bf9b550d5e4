// What users see of the most common commands, in terminals of two sizes. `vitest -u` rewrites the files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe } from 'vitest';
import { runAt } from '../support/columns.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/memory.json');
const SERVERS = join(import.meta.dirname, '../support/servers');

/** Commands run in the home, so that no path changes its length. */
const desk = (name: string): string => `~/desk/${name}`;

/** A home with three clients. Codex trusts nothing yet. */
async function furnish(world: World): Promise<void> {
  await world.folder('~/.claude', '~/.codex', '~/.gemini');
  await world.write(desk('annal.json'), manifest(COMMITTED));
  await world.link(join(world.bin, 'node'), execPath);
}

/** An install with two hooks, one of which calls a tool; an entry was edited afterwards. */
async function install(world: World): Promise<void> {
  const server = { command: '/bin/sh', args: [join(SERVERS, 'notes.sh')] };
  const recall = { event: 'session_start', context_tool: 'recall', priority: 'important' };
  const hooks = { declarations: [COMMITTED, recall] };
  await world.write(desk('annal.json'), JSON.stringify({ server, hooks }));
  const cwd = world.path(desk('.'));
  await world.run('install annal.json --yes --allow context-tool', { cwd });
  const settings = await world.read('~/.gemini/settings.json');
  await world.write('~/.gemini/settings.json', settings.replace('run_shell_command', 'run_shell'));
}

/** A server that declares a hook, in two clients, one that declares none, and one whose command does not exist. */
async function configure(world: World): Promise<void> {
  await world.write('~/answer.sh', await readFile(join(SERVERS, 'answering.sh')));
  const answering = async (name: string, declarations: readonly object[]) => {
    const capabilities = { experimental: { hooks: { declarations } } };
    const serverInfo = { name, version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
    await world.write(`~/${name}`, JSON.stringify({ body: { result } }));
    return { command: 'sh', args: ['answer.sh', name] };
  };
  const notes = await answering('notes', [COMMITTED]);
  const weather = await answering('weather', []);
  const tracker = { command: 'tracker-mcp', args: ['--stdio', '--project', 'annal'] };
  await world.write('~/.claude.json', JSON.stringify({ mcpServers: { notes, tracker } }));
  await world.write('~/.gemini/settings.json', JSON.stringify({ mcpServers: { notes, weather } }));
}

const COMMANDS: readonly (readonly [
  name: string,
  line: string,
  prepare: (world: World) => Promise<void>,
])[] = [
  ['install', 'install annal.json --yes --client claude,codex,gemini', async () => {}],
  [
    'refusal',
    'install annal.json --yes --client claude,codex,gemini',
    (world) => world.write('~/.claude/settings.json', '{\n  // mine\n  "model": "opus"\n}\n'),
  ],
  ['doctor', 'doctor', install],
  ['verify', 'verify', install],
  ['scan', 'scan', configure],
];

test('--help takes at most 40 lines of 80 columns', async ({ world, expect }) => {
  const { lines } = await runAt(80, world, ['--help']);
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('with four clients, the outputs of the README fit their lines of 80 columns', async ({
  world,
  expect,
}) => {
  await world.folder('~/.claude', '~/.codex', '~/.gemini', '~/.copilot');
  const env = { PATH: '/usr/bin:/bin' };
  const limits = [
    [25, 'install', EXAMPLE, '--yes'],
    [20, 'doctor'],
    [37, 'matrix'], // 30, and a line for each of the seven other clients
  ] as const;
  for (const [limit, ...line] of limits) {
    const lines = (await runAt(80, world, line, { env })).all.trimEnd().split('\n');
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(limit);
    expect(lines.length).toBeGreaterThan(limit / 2);
    expect(lines.filter((one) => one.length > 80)).toEqual([]);
  }
});

test("no command's help or examples are wider than 80 columns", async ({ world, expect }) => {
  const overview = (await runAt(80, world, ['--help'])).lines;
  const names = overview.flatMap((line) => /^(?:\w+ +| {8})([a-z]+) {2,}/.exec(line)?.[1] ?? []);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const { lines } = await runAt(80, world, [name, '--help']);
    expect(lines.join('\n')).toContain('\nExamples:\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  }
});

describe.for([
  [80, '80x24'],
  [100, '100x30'],
] as const)('in a terminal of %i columns', ([columns, size]) => {
  test.for(COMMANDS)('%s', async ([name, line, prepare], { world, expect }) => {
    await furnish(world);
    await prepare(world);
    const env = { PATH: `${world.bin}:/usr/bin:/bin` };
    const { code, all } = await runAt(columns, world, line.split(' '), {
      env,
      cwd: world.path(desk('.')),
    });
    // Progress is overwritten, and gone at the end.
    const seen = all
      .replace(/\r\u001B\[2K[^\r\n]*(?=\r\u001B\[2K)/g, '')
      .replace(/\r\u001B\[2K/g, '');
    expect(seen).not.toContain(world.root);
    const lines = seen.trimEnd().split('\n');
    const wide = lines.filter((one) => one.length > columns && /\S \S/.test(one.trim()));
    expect(wide).toEqual([]);
    expect(lines.filter((one) => / $/.test(one))).toEqual([]);
    if (name === 'install') expect(lines.length).toBeLessThanOrEqual(25);
    const transcript = [`$ mcp-hooks ${line}`, ...lines, `exit ${code}`, ''].join('\n');
    await expect(transcript).toMatchFileSnapshot(`transcripts/${size}/${name}.txt`);
  });
});
