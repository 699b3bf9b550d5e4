// The user's file in a session of `verify --live`: complete, but without other commands.
import { expect, test } from 'vitest';
import { type ClientId, driverOf, findClient } from '../../src/clients/registry.ts';
import { settingsFor } from '../../src/diagnose/live/copy.ts';

const OURS = { type: 'command', command: '/state/servers/annal/x.sh', timeout: 15 };

/** A user's file as it is copied for a session of ours. */
async function copied(id: ClientId, name: string, text: string, prepared: string | null = null) {
  const client = findClient(id);
  const driver = client && (await driverOf(client));
  const file = client?.placement.files.user.find((one) => one.name === name);
  if (!client || !driver || !file) throw new Error(`${id} has no ${name}`);
  const move = (words: string) => words.replace('/state/', '/copy/');
  const at = { client, path: '/settings.json', native: 'Stop', index: 1, handlerIndex: 0 };
  const ours = [{ ...at, command: OURS.command, handler: OURS }];
  return settingsFor(file, { client, driver, bytes: Buffer.from(text), prepared, ours, move });
}

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

test("the user's hooks of GitHub Copilot CLI do nothing under any key", async () => {
  const theirs = { type: 'command', bash: 'theirs', powershell: 'theirs', timeoutSec: 3 };
  const text = await copied(
    'copilot-cli',
    'settings.json',
    JSON.stringify({ hooks: { Stop: [theirs, OURS] } }),
  );
  expect(JSON.parse(text).hooks.Stop).toEqual([
    { ...theirs, bash: 'true', powershell: 'true' },
    { ...OURS, command: '/copy/servers/annal/x.sh' },
  ]);
});
