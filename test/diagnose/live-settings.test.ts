// The user's file in a session of `verify --live`: complete, but without other commands.
import { existsSync, mkdirSync } from 'node:fs';
import { expect } from 'vitest';
import { driverOf, findClient } from '../../src/clients/registry.ts';
import { copyHooks, placesIn } from '../../src/diagnose/live/copy.ts';
import { disk } from '../../src/system/disk.ts';
import { copied, OURS } from '../support/live-copy.ts';
import { test } from '../support/world.ts';

test('Claude Code gets its settings, without what leads elsewhere, and other commands do nothing', async () => {
  const settings = {
    cleanupPeriodDays: 7,
    disableAllHooks: true,
    theNewHelper: 'theirs',
    statusLine: { type: 'command', command: 'theirs' },
    apiKeyHelper: 'theirs',
    env: { ANTHROPIC_BASE_URL: 'theirs' },
    permissions: { deny: ['Bash'] },
    hooks: {
      Stop: [
        { hooks: [{ type: 'command', command: 'theirs', timeout: 3 }, 5] },
        { hooks: [OURS, { type: 'http', url: 'https://theirs' }] },
      ],
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'theirs' }] }],
    },
  };
  const text = await copied('claude-code', 'settings.json', JSON.stringify(settings), '{}');
  const nothing = { type: 'command', command: 'true' };
  expect(JSON.parse(text)).toEqual({
    cleanupPeriodDays: 7,
    disableAllHooks: true,
    theNewHelper: 'true',
    statusLine: nothing,
    hooks: {
      Stop: [
        { hooks: [{ ...nothing, timeout: 3 }, 5] },
        { hooks: [{ ...OURS, command: '/copy/servers/annal/x.sh' }, nothing] },
      ],
      PreToolUse: [{ matcher: 'Bash', hooks: [nothing] }],
    },
  });
});

test('Codex gets all of hooks.json, and from config.toml the hooks next to our settings', async () => {
  const group = (command: string) => ({ hooks: [{ type: 'command', command }] });
  const hooks = { Stop: [group('theirs'), { hooks: [OURS] }] };
  const json = await copied('codex', 'hooks.json', JSON.stringify({ description: 'x', hooks }));
  expect(JSON.parse(json)).toEqual({
    description: 'x',
    hooks: { Stop: [group('true'), { hooks: [{ ...OURS, command: '/copy/servers/annal/x.sh' }] }] },
  });

  const config = `model = "theirs"\n[mcp_servers.x]\ncommand = "theirs"\n[[hooks.Stop]]\nhooks = [{ type = "command", command = "theirs", commandWindows = "theirs" }]\n[[hooks.Stop]]\nhooks = [{ type = "command", command = "${OURS.command}", timeout = 15 }]\n`;
  const toml = await copied('codex', 'config.toml', config, 'model = "ours"\n');
  expect(toml).not.toContain('theirs');
  expect(toml).toContain('model = "ours"');
  expect(toml.match(/\[\[hooks\.Stop\]\]/g)).toHaveLength(2);
  expect(toml).toContain('/copy/servers/annal/x.sh');
});

test('Gemini CLI gets the hooks next to our settings', async () => {
  const settings = {
    mcpServers: { x: { command: 'theirs' } },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'theirs' }] }, { hooks: [OURS] }] },
  };
  const prepared = '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }';
  const text = await copied('gemini-cli', 'settings.json', JSON.stringify(settings), prepared);
  expect(text).not.toContain('theirs');
  expect(JSON.parse(text)).toMatchObject({ security: { auth: {} }, hooks: { Stop: [{}, {}] } });
});

test('a server starts from the copy of its package, at the place that the copied runner names', async ({
  world,
}) => {
  const client = findClient('codex');
  const driver = client && (await driverOf(client));
  if (!client || !driver) throw new Error('no driver');
  const places = placesIn(world.home);
  const there = placesIn(world.path('~/scratch'));
  const folder = 'packages/notes-0123456789ab';
  mkdirSync(there.home);
  await world.write(`~/.mcp-hooks/${folder}/start.json`, '{}');
  const runner = new Map([
    ['codex.Stop.json', Buffer.from(JSON.stringify({ folder: `${places.state}/${folder}` }))],
  ]);
  copyHooks({ client, driver, label: 'notes', places, disk, runner, written: [] }, there.home);
  const copied = await world.read('~/scratch/.mcp-hooks/servers/notes/codex.Stop.json');
  expect(existsSync(`${JSON.parse(copied).folder}/start.json`)).toBe(true);
});
