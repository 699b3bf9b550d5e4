// `--with-server`: the server in the files in which clients keep theirs, found there by what `scan` reads, and taken out again.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import { describe, expect } from 'vitest';
import { prepare } from '../../src/cli/commands/prepare.ts';
import { readConfigurations } from '../../src/sources/configurations.ts';
import { fillIfPossible } from '../../src/sources/entry.ts';
import { configure, ENV, HOSTS, type Host, SECRET, SERVERS } from '../support/configured.ts';
import { ALL_IDS, clientOf, FOLDERS } from '../support/runner/clients.ts';
import { NO_TERMINAL, test, type World } from '../support/world.ts';

const SERVER = { command: 'npx', args: ['-y', '@acme/notes@1', '--dir', '/srv/notes'] };
const HOOK = {
  event: 'post_tool_use',
  context: 'mcp__{server}__recall knows more.',
  priority: 'important',
};

const manifest = (server: object = SERVER) =>
  JSON.stringify({ name: 'notes', server, hooks: { declarations: [HOOK] } });

const run = async (world: World, line: string) => {
  const ran = await world.run(line);
  expect(`${ran.code} ${ran.err}`).toMatch(/^[01] /);
  return ran;
};

const inWords = (text: string) => text.replace(/\s+/g, ' ');

/** How a client has the server, as `scan` reads it. */
function found(world: World, host: Host, name = 'notes') {
  const at = { env: world.env(ENV), home: world.home, cwd: world.work, platform: 'linux' as const };
  const { entries } = readConfigurations(at);
  const entry = entries.find((one) => one.client.id === host && one.name === name);
  return entry?.parts && { ...entry.parts, off: entry.off, path: entry.file.path };
}

describe('is added to what somebody has configured, and taken out to the byte', () => {
  test.for(HOSTS)('%s', async (host, { world }) => {
    configure(world, host);
    await world.write('m.json', manifest());
    const before = await world.snapshot();
    const line = `m.json --client ${host} --with-server`;
    const diff = await run(world, `diff ${line}`);
    expect(await world.snapshot()).toEqual(before);
    await run(world, `install ${line} --yes`);
    const path = world.path(`~/${SERVERS[host].home}`);
    expect(found(world, host)).toMatchObject({ ...SERVER, off: undefined, path });
    // What the user sees before, and what the ledger has, are without the secrets of the file.
    const ledger = await world.read('~/.mcp-hooks/ledger.json');
    for (const text of [diff.out, ledger]) expect(text).not.toMatch(SECRET);
    expect(diff.out).toContain('@acme/notes@1');

    const stamps = await world.stamps();
    expect((await run(world, 'update notes --yes')).out).toContain('Nothing to do');
    await run(world, `install ${line} --yes`);
    expect(await world.stamps()).toEqual(stamps);

    await run(world, 'uninstall notes --yes');
    expect(await world.snapshot()).toEqual(before);
  });
});

const CLIENTS: readonly Host[] = ['claude-code', 'codex', 'gemini-cli'];
const folders = (world: World) => world.folder(...'~/.claude ~/.codex ~/.gemini'.split(' '));

test('by default, the plan says where it is missing, and one command adds it', async ({
  world,
}) => {
  await folders(world);
  await world.write('m.json', manifest());
  const literal = manifest().replace('{server}', 'notes');
  await world.write('n.json', literal);
  const lack = 'These clients lack the server';
  const { out: named } = await run(world, 'diff n.json');
  expect(inWords(named)).toContain(`note: ${lack}; --with-server adds it.`);
  const { out } = await run(world, 'install m.json --yes');
  expect(inWords(out)).toContain(
    'warning: This server is not configured in Claude Code, Codex CLI and Gemini CLI, so the hooks call it "notes"; install --with-server adds it there',
  );
  expect(out).not.toContain('lack the server');
  const added = await run(world, 'update notes --with-server --yes');
  expect(added.out).not.toContain('not configured');
  for (const host of CLIENTS) expect(found(world, host)).toMatchObject(SERVER);
  expect((await run(world, 'doctor')).out).not.toContain('not configured');
  await run(world, 'uninstall notes --client codex --yes');
  expect(CLIENTS.filter((host) => found(world, host))).toEqual(
    CLIENTS.filter((host) => host !== 'codex'),
  );
  await run(world, 'uninstall notes --yes');
  expect(CLIENTS.filter((host) => found(world, host))).toEqual([]);
});

test('what is made for it goes with it, and files of others stay', async ({ world }) => {
  await folders(world);
  await world.folder(...FOLDERS);
  await world.write('~/.claude.json', '{}');
  await world.write('~/.gemini/settings.json', '{}\n');
  await world.write('m.json', manifest());
  const before = await world.snapshot();
  for (const [first, then] of [
    ['--with-server', ''],
    ['', '--with-server'],
  ]) {
    await run(world, `install m.json --yes ${first}`);
    await run(world, `install m.json --yes ${then}`);
    for (const id of ALL_IDS) expect(found(world, id), id).toMatchObject(SERVER);
    await run(world, 'uninstall notes --yes');
    expect(await world.snapshot()).toEqual(before);
  }
});

test('two servers in one file, in whatever order they go', async ({ world }) => {
  await folders(world);
  await world.write('~/.claude.json', '{\n  "numStartups": 3\n}\n');
  await world.write('m.json', manifest());
  const before = await world.snapshot();
  for (const order of ['notes other', 'other notes']) {
    for (const name of ['notes', 'other'])
      await run(world, `install m.json --name ${name} --replace --with-server --yes`);
    // The second is the same server as the first.
    expect(found(world, 'claude-code', 'other')).toBe(undefined);
    for (const name of order.split(' ')) await run(world, `uninstall ${name} --yes`);
    expect(await world.snapshot()).toEqual(before);
  }
  await world.write('n.json', manifest({ command: 'npx', args: ['-y', '@acme/other'] }));
  for (const order of ['notes other', 'other notes']) {
    await run(world, 'install m.json --with-server --yes');
    await run(world, 'install n.json --name other --with-server --yes');
    expect(found(world, 'claude-code', 'other')).toMatchObject({ args: ['-y', '@acme/other'] });
    for (const name of order.split(' ')) await run(world, `uninstall ${name} --yes`);
    expect(await world.snapshot()).toEqual(before);
  }
});

/** What an entry of a client looks like in its file. */
const MEMORY = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
/** Claude Code has a server of the catalogue, which is not asked, because there is no npx. */
async function configuredWith(world: World, more: object) {
  await world.folder(...FOLDERS);
  await world.write(
    '~/.claude.json',
    JSON.stringify({ mcpServers: { memory: { ...MEMORY, ...more } } }),
  );
  const { out } = await run(world, 'install memory --from claude-code --with-server --yes');
  expect(out).not.toMatch(SECRET);
  const { '.claude.json': _, ...rest } = await world.snapshot();
  const files = await Promise.all(
    Object.keys(rest).map((name) => world.read(`~/${name}`).catch(() => '')),
  );
  expect(files.join('\n')).not.toMatch(SECRET);
  return inWords(out);
}

describe('nothing that may be a secret is copied', () => {
  test('a variable stands for a value, as each client fills it in', async ({ world }) => {
    const env = { TOKEN: 'hunter2-in-env', MODE: '${TEAM}', MEMORY_FILE_PATH: '/srv/memory.json' };
    const out = await configuredWith(world, { env });
    expect(out).toContain('(no value is copied: set TOKEN and TEAM where you start it)');
    const around = { cwd: world.work, env: world.env({ TOKEN: 'mine', TEAM: 'blue' }) };
    for (const id of ALL_IDS) {
      const { givenToServers: given } = clientOf(id);
      const parts = found(world, id, 'memory');
      if (id === 'claude-code') continue;
      const filled = parts && fillIfPossible(parts, { ...around, given });
      // One that fills in nothing has no way to give a variable another name.
      expect(filled && 'own' in filled ? filled.own : undefined, id).toEqual(
        given.expansion && { TOKEN: 'mine', MODE: 'blue', MEMORY_FILE_PATH: '/srv/memory.json' },
      );
    }
    expect(out).toContain(
      "Codex CLI, ~/.codex/config.toml: the value of \"MODE\" is a variable there, which it would not fill in. To add it yourself: codex mcp add memory --env 'TOKEN=<value>' --env 'MODE=<value>' --env 'MEMORY_FILE_PATH=<value>' -- npx -y @modelcontextprotocol/server-memory",
    );
  });

  test('a variable of the same name is passed on', async ({ world }) => {
    await configuredWith(world, { env: { TOKEN: 'hunter2', TEAM: '${TEAM}' } });
    expect(found(world, 'codex', 'memory')).toMatchObject({ env: {}, passedOn: ['TOKEN', 'TEAM'] });
  });

  test.for([
    [
      'an argument',
      { args: [...MEMORY.args, '--api-key', 'hunter2'] },
      '"***" may be or hold a secret',
    ],
    [
      'a variable that decides what runs',
      { env: { NODE_OPTIONS: '--require /x' } },
      '"NODE_OPTIONS" may be',
    ],
    ['a default', { env: { TOKEN: '${TOKEN:-hunter2}' } }, '"TOKEN" may be'],
  ] as const)('not even %s', async ([, more, why], { world }) => {
    expect(await configuredWith(world, more)).toContain(why);
    expect(found(world, 'gemini-cli', 'memory')).toBe(undefined);
  });
});

test('an entry that somebody has changed is theirs', async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest());
  await run(world, 'install m.json --with-server --yes');
  const mine = (await world.read('~/.claude.json')).replace('/srv/notes', '/srv/mine');
  await world.write('~/.claude.json', mine);
  const updated = await run(world, 'update notes --yes');
  expect(updated.out).toContain('its entry was changed since, so it is yours.');
  const { out } = await run(world, 'uninstall notes --yes');
  expect(inWords(out)).toContain(
    'warning: The server stays in these clients: Claude Code, ~/.claude.json: its entry was changed since, so it is yours.',
  );
  expect(await world.read('~/.claude.json')).toBe(mine);
  expect(CLIENTS.filter((host) => found(world, host))).toEqual(['claude-code']);
});

test('another server of the name, a name with other tools and a broken file are left alone', async ({
  world,
}) => {
  await folders(world);
  await world.write('~/.claude.json', '{"mcpServers": {"notes": {"command": "other"}}}');
  await world.write('~/.codex/config.toml', '[mcp_servers');
  await world.write('m.json', manifest());
  const { out } = await run(world, 'install m.json --with-server --client claude,gemini --yes');
  expect(inWords(out)).toContain('Claude Code: it has another server called "notes".');
  expect(found(world, 'claude-code')).toMatchObject({ command: 'other' });
  expect(found(world, 'gemini-cli')).toMatchObject(SERVER);
});

test('a project has it in its own file; a server of a project is not added for all', async ({
  world,
}) => {
  await folders(world);
  await world.write('m.json', manifest());
  const before = { home: await world.snapshot(), work: await world.snapshot('.') };
  await run(world, 'install m.json --scope project --with-server --yes --client claude,gemini');
  expect(JSON.parse(await world.read('.mcp.json')).mcpServers.notes).toEqual(SERVER);
  expect(JSON.parse(await world.read('.gemini/settings.json')).mcpServers.notes).toEqual(SERVER);
  await run(world, 'uninstall notes --scope project --yes');
  expect(await world.snapshot('.')).toEqual(before.work);
  expect(await world.snapshot()).toEqual(before.home);

  const local = { projects: { [world.work]: { mcpServers: { memory: MEMORY } } } };
  await world.write('~/.claude.json', JSON.stringify(local));
  const { out } = await run(world, 'install memory --with-server --yes');
  expect(inWords(out)).toContain('the server is configured for a project only');
  expect(found(world, 'gemini-cli', 'memory')).toBe(undefined);
});

test('another source under the label takes its server along', async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest());
  await world.write('n.json', manifest({ command: 'npx', args: ['-y', '@acme/other'] }));
  await run(world, 'install m.json --with-server --yes');
  await run(world, 'install n.json --replace --yes');
  expect(CLIENTS.filter((host) => found(world, host))).toEqual([]);
});

test('what a stranger writes is shown whole, with its control characters', async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest({ command: 'npx', args: ['-y', 'a\u202eb\u001b[2Kc'] }));
  const { out } = await run(world, 'diff m.json --with-server');
  expect(out).not.toMatch(/[\u202e\u001b]/);
  expect(out).toContain('a\\u{202E}b\\u001b[2Kc');
});

test("an author's text around a variable stays, in the way of each client", async ({ world }) => {
  await folders(world);
  const env = { DB: 'sqlite:${STORE}/notes', PLAIN: 'yes' };
  await world.write('m.json', manifest({ ...SERVER, env }));
  const { out } = await run(world, 'install m.json --with-server --yes');
  expect(found(world, 'gemini-cli')).toMatchObject({ env });
  expect(inWords(out)).toContain(
    'Codex CLI, ~/.codex/config.toml: the value of "DB" is a variable',
  );
});

describe('in a terminal', () => {
  test.for([true, false])(
    'whether to add it is asked for with the entries: %s',
    async (yes, { world }) => {
      await folders(world);
      await world.write('m.json', manifest());
      const printed: string[] = [];
      const asked: unknown[] = [];
      const out = (text: string) => printed.push(text);
      const prepared = await prepare(
        {
          terminal: { ...NO_TERMINAL, interactive: true, out },
          ...{ env: world.env(), cwd: world.work, version: '0' },
        },
        './m.json',
        { scope: 'user', timeout: 20, browser: true, extraTurns: true, withServer: true },
        {
          grant: async () => false,
          originals: async () => false,
          server: async (clients) => asked.push(clients) > 0 && yes,
        },
      );
      expect(asked).toEqual([['Claude Code', 'Codex CLI', 'Gemini CLI']]);
      expect(printed.join('')).toContain('"notes": {"command":"npx"');
      const added = prepared?.plan.servers?.filter(({ action }) => action === 'added') ?? [];
      expect(added).toHaveLength(yes ? 3 : 0);
    },
  );
});

test('a run that is killed before, or after, is finished by the same command', async ({
  world,
}) => {
  await folders(world);
  await world.write('~/.claude.json', '{"numStartups": 3}\n');
  await world.write('m.json', manifest());
  const before = await world.snapshot();
  await run(world, 'install m.json --with-server --yes');
  const ours = await world.read('~/.claude.json');
  // The ledger says what was about to be written, or what was about to be taken out.
  await world.write('~/.claude.json', '{"numStartups": 3}\n');
  await run(world, 'install m.json --with-server --yes');
  expect(await world.read('~/.claude.json')).toBe(ours);
  await world.write('~/.claude.json', '{"numStartups": 3}\n');
  await run(world, 'uninstall notes --yes');
  expect(await world.snapshot()).toEqual(before);
});
