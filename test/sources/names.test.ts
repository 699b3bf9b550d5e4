// The name that init gives a server that was given by its command: its name in a client's configuration, or that of its package.

import { expect } from 'vitest';
import { configuredName, packagedName } from '../../src/sources/draft/manifest.ts';
import { searchPlaceOf } from '../../src/sources/folder.ts';
import { test, type World } from '../support/world.ts';

const configured = (world: World, ...words: string[]) =>
  configuredName(words, searchPlaceOf({ cwd: world.work, env: { HOME: world.home } }, world.home));
const servers = (mcpServers: object) => JSON.stringify({ mcpServers });

test('the name in the configuration of a client that starts exactly this', async ({ world }) => {
  const server = world.path('server.js');
  const start = { command: 'node', args: [server] };
  await world.write('server.js', '');
  await world.write('.mcp.json', servers({ theirs: start }));
  expect(configured(world, 'node', './server.js')).toBe('theirs');
  // The user's own entries take precedence over the folder's, in any order.
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

test('the name of the package that the file is in', async ({ world }) => {
  const named = (name: string) => JSON.stringify({ name });
  for (const file of ['dist/bin/cli.js', 'inner/cli.js', '~/notes/cli.js'])
    await world.write(file, '');
  expect(packagedName(['node', 'dist/bin/cli.js'], world.work)).toBe(undefined);
  await world.write('package.json', named('@acme/minutes-mcp-server'));
  expect(packagedName(['node', 'dist/bin/cli.js'], world.work)).toBe('minutes');
  await world.write('dist/package.json', named('inner'));
  expect(packagedName(['node', 'dist/bin/cli.js'], world.work)).toBe('inner');
  // A package further up than the current folder does not count.
  expect(packagedName(['node', 'cli.js'], world.path('inner'))).toBe(undefined);
  // A file elsewhere takes the name of its own package.
  await world.write('~/notes/package.json', named('notes'));
  expect(packagedName(['node', world.path('~/notes/cli.js')], world.work)).toBe('notes');
  expect(packagedName(['npx', '-y', 'annal'], world.work)).toBe(undefined);
});
