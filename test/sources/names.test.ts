// What init calls a server that was given by its command: as a client has configured it, or as its package is called.

import { expect } from 'vitest';
import { configuredName, packagedName } from '../../src/sources/draft/manifest.ts';
import { searchPlaceOf } from '../../src/sources/folder.ts';
import { test, type World } from '../support/world.ts';

const configured = (world: World, ...words: string[]) =>
  configuredName(words, searchPlaceOf({ cwd: world.work, env: { HOME: world.home } }, world.home));
const servers = (mcpServers: object) => JSON.stringify({ mcpServers });

test('as a client calls it that starts just this', async ({ world }) => {
  const server = world.path('server.js');
  const start = { command: 'node', args: [server] };
  await world.write('server.js', '');
  await world.write('.mcp.json', servers({ theirs: start }));
  expect(configured(world, 'node', './server.js')).toBe('theirs');
  // What somebody has configured himself comes first, whichever stands first.
  const mine = { 'not a label!': start, far: { url: 'https://notes.example' }, mine: start };
  await world.write('~/.claude.json', servers(mine));
  await world.write('~/.gemini/settings.json', servers({ other: { command: 'node' } }));
  expect(configured(world, 'node', './server.js')).toBe('mine');
  expect(configured(world, 'node', './server.js', '--quiet')).toBe(undefined);
  await world.write('deep/index.js', '');
  const there = { command: 'node', args: ['./index.js'], cwd: world.path('deep') };
  await world.write('~/.gemini/settings.json', servers({ deep: there }));
  expect(configured(world, 'node', 'deep/index.js')).toBe('deep');
});

test('as the package is called that its file is in', async ({ world }) => {
  const named = (name: string) => JSON.stringify({ name });
  for (const file of ['dist/bin/cli.js', 'inner/cli.js', '~/notes/cli.js'])
    await world.write(file, '');
  expect(packagedName(['node', 'dist/bin/cli.js'], world.work)).toBe(undefined);
  await world.write('package.json', named('@acme/minutes-mcp-server'));
  expect(packagedName(['node', 'dist/bin/cli.js'], world.work)).toBe('minutes');
  await world.write('dist/package.json', named('inner'));
  expect(packagedName(['node', 'dist/bin/cli.js'], world.work)).toBe('inner');
  // What is above the folder that somebody is in says nothing of it.
  expect(packagedName(['node', 'cli.js'], world.path('inner'))).toBe(undefined);
  // A file elsewhere is in a package, too.
  await world.write('~/notes/package.json', named('notes'));
  expect(packagedName(['node', world.path('~/notes/cli.js')], world.work)).toBe('notes');
  expect(packagedName(['npx', '-y', 'annal'], world.work)).toBe(undefined);
});
