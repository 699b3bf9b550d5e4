// Which servers verify --live can start in its scratch home, without a network.
import { expect } from 'vitest';
import type { ProgramServer } from '../../src/compile/program.ts';
import { parseProgram } from '../../src/compile/runner-files.ts';
import { offline } from '../../src/diagnose/live/hook-scenarios.ts';
import { partsOf, seenAs } from '../../src/sources/entry.ts';
import { test, type World } from '../support/world.ts';

const given = { variables: [] } as unknown as ProgramServer['given'];
const fields = { url: ['url'], headers: 'headers', envFile: 'envFile', cwd: 'cwd' } as const;

/** The server that the copied runner starts, and the download that it would need. */
function tried(world: World, server: object) {
  const program = {
    ...{ label: 'notes', client: 'codex', native: 'Stop', state: '/s', wire: {}, names: {} },
    ...{ policy: {}, hooks: [], server: { given, ...server } },
  };
  const files = new Map([['codex.Stop.json', Buffer.from(JSON.stringify(program))]]);
  const { runner, downloads } = offline(files, { cwd: world.home, env: world.env() });
  const copied = parseProgram(runner.get('codex.Stop.json') ?? null);
  if (!copied) throw new Error('no program');
  return { server: copied.server, downloads: downloads(copied)?.name };
}

test('servers without a download are left unchanged', ({ world }) => {
  const servers = [
    { command: 'node', args: ['server.mjs'] },
    { command: 'docker', args: ['run', '-i', 'acme/notes'] }, // docker keeps its images outside the home
    { url: 'https://notes.example/mcp' },
    { entry: { file: world.path('~/gone.json'), format: 'json', path: ['a'], names: [], fields } },
  ];
  for (const server of servers)
    expect(tried(world, server)).toEqual({ server: { given, ...server } });
});

test('an entry is started with its own values, or not at all', async ({ world }) => {
  await world.write('~/node_modules/notes/package.json', '{ "bin": "cli.js" }');
  await world.write('~/node_modules/notes/cli.js', '');
  const entered = async (more: object) => {
    const value = { command: 'npx', args: ['notes', '--all'], env: { KEY: 'hunter2' }, ...more };
    await world.write('~/mcp.json', JSON.stringify({ servers: { notes: value } }));
    const parts = partsOf(value, fields);
    const place = { file: world.path('~/mcp.json'), format: 'json', names: ['KEY'] };
    const seen = parts && seenAs(parts);
    return tried(world, { entry: { ...place, path: ['servers', 'notes'], fields, seen } });
  };
  const { server, downloads } = await entered({});
  expect(downloads).toBeUndefined();
  expect(server).toEqual({
    ...{ given, command: process.execPath },
    args: [world.path('~/node_modules/notes/cli.js'), '--all'],
    env: {
      ...{ file: world.path('~/mcp.json'), format: 'json', names: ['KEY'] },
      path: ['servers', 'notes', 'env'],
    },
  });
  for (const more of [{ envFile: '.env' }, { cwd: 'below' }, { args: ['other'] }]) {
    const { server, downloads } = await entered(more);
    expect([server, downloads]).toMatchObject([{ args: ['-e', ''] }, 'npx']);
  }
});
