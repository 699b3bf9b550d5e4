// `--with-server` adds the server to the clients' own files, where `scan` finds it, and an uninstall removes it again.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { prepare } from '../../src/cli/commands/prepare.ts';
import { readConfigurations } from '../../src/sources/configurations.ts';
import { fillIfPossible } from '../../src/sources/entry.ts';
import { configure, ENV, HOSTS, type Host, SECRET, SERVERS } from '../support/configured.ts';
import { answer } from '../support/hooks.ts';
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

/** The server in a client's configuration, as `scan` reads it. */
function found(world: World, host: Host, name = 'notes') {
  const at = { env: world.env(ENV), home: world.home, cwd: world.work, platform: 'linux' as const };
  const { entries } = readConfigurations(at);
  const entry = entries.find((one) => one.client.id === host && one.name === name);
  return entry?.parts && { ...entry.parts, off: entry.off, path: entry.file.path };
}

describe("the server is added to the user's configuration, and removed to the byte", () => {
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
    // Neither the shown plan nor the ledger contains the file's secrets.
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

test('by default, the plan says where the server is missing, and one command adds it', async ({
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

test('verify names a missing server even without the ledger', async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest());
  await run(world, 'install m.json --yes');
  await world.remove('~/.mcp-hooks/ledger.json');
  const { out } = await run(world, 'verify notes');
  expect(inWords(out)).toContain('warning: notes: This server is not configured in Claude Code');
  expect(out).not.toContain('undefined');
});

test('files made for the server are removed with it, and other files stay', async ({ world }) => {
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

test('two servers in one file can be removed in any order', async ({ world }) => {
  await folders(world);
  await world.write('~/.claude.json', '{\n  "numStartups": 3\n}\n');
  await world.write('m.json', manifest());
  const before = await world.snapshot();
  for (const order of ['notes other', 'other notes']) {
    for (const name of ['notes', 'other'])
      await run(world, `install m.json --name ${name} --replace --with-server --yes`);
    // It is the same server under another label, so it is not added twice.
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

/** An entry of a client as it is in its file. */
const MEMORY = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
/** Claude Code has a server of the catalogue, which is not asked, because npx is missing. */
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
  test('a value is replaced by a variable, in the syntax of each client', async ({ world }) => {
    const env = { TOKEN: 'hunter2-in-env', MODE: '${TEAM}', MEMORY_FILE_PATH: '/srv/memory.json' };
    const out = await configuredWith(world, { env });
    expect(out).toContain('(no value is copied: set TOKEN and TEAM where you start it)');
    const around = { cwd: world.work, env: world.env({ TOKEN: 'mine', TEAM: 'blue' }) };
    for (const id of ALL_IDS) {
      const { givenToServers: given } = clientOf(id);
      const parts = found(world, id, 'memory');
      if (id === 'claude-code') continue;
      const filled = parts && fillIfPossible(parts, { ...around, given });
      // A client that does not fill in variables cannot give one another name.
      expect(filled && 'own' in filled ? filled.own : undefined, id).toEqual(
        given.expansion && { TOKEN: 'mine', MODE: 'blue', MEMORY_FILE_PATH: '/srv/memory.json' },
      );
    }
    expect(out).toContain(
      "Codex CLI, ~/.codex/config.toml: the value of \"MODE\" is a variable there, which it would not fill in. To add it yourself: codex mcp add memory --env 'TOKEN=<value>' --env 'MODE=<value>' --env 'MEMORY_FILE_PATH=<value>' -- npx -y @modelcontextprotocol/server-memory",
    );
  });

  test('a token with a slash, a PIN and words before a variable are replaced as well', async ({
    world,
  }) => {
    const env = {
      A: '/hunter2Qw9Er8Ty7Ui6Op5',
      USER_PIN: '4821',
      PHRASE: 'hunterwithwords ${TEAM}',
      TEAM_AUTH: 'Bearer ${TEAM}',
      PORT: '8080',
    };
    await configuredWith(world, { env });
    expect(await world.read('~/.gemini/settings.json')).not.toMatch(/hunter|4821/);
    expect(found(world, 'gemini-cli', 'memory')).toMatchObject({
      env: { PORT: '8080', TEAM_AUTH: 'Bearer ${TEAM}', PHRASE: '${PHRASE}' },
    });
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

test('an entry that the user edited stays', async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest());
  await run(world, 'install m.json --with-server --yes');
  const mine = (await world.read('~/.claude.json')).replace('/srv/notes', '/srv/mine');
  await world.write('~/.claude.json', mine);
  const updated = await run(world, 'update notes --yes');
  expect(updated.out).toContain('its entry was changed since, so it is yours.');
  const { out } = await run(world, 'uninstall notes --yes');
  expect(inWords(out)).toContain(
    'warning: The server stays as it is in these clients: Claude Code, ~/.claude.json: its entry was changed since, so it is yours.',
  );
  expect(await world.read('~/.claude.json')).toBe(mine);
  expect(CLIENTS.filter((host) => found(world, host))).toEqual(['claude-code']);
});

test('another server of the same name is left alone', async ({ world }) => {
  await folders(world);
  await world.write('~/.claude.json', '{"mcpServers": {"notes": {"command": "other"}}}');
  await world.write('~/.codex/config.toml', '[mcp_servers');
  await world.write('m.json', manifest());
  const { out } = await run(world, 'install m.json --with-server --client claude,gemini --yes');
  expect(inWords(out)).toContain('Claude Code: it has another server called "notes".');
  expect(found(world, 'claude-code')).toMatchObject({ command: 'other' });
  expect(found(world, 'gemini-cli')).toMatchObject(SERVER);
});

test.for([
  ['is read-only', 'it is read-only (chmod u+w makes it writable)'],
  ['cannot be read', 'it is a folder'],
])('if the file for the server %s, nothing is written', async ([what, why], { world }) => {
  await folders(world);
  if (what === 'is read-only') await world.write('~/.claude.json', '{}', 0o444);
  else await world.folder('~/.claude.json');
  await world.write('m.json', manifest());
  const before = await world.snapshot();
  const { code, err } = await world.run('install m.json --with-server --yes');
  expect([code, inWords(world.tidy(err))]).toEqual([
    2,
    `/home/ann/.claude.json: ${why}. Nothing was written. Fix the file, or leave Claude Code out. `,
  ]);
  expect(await world.snapshot()).toEqual(before);
});

test('an uninstall leaves a file for servers alone that cannot be read', async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest());
  await run(world, 'install m.json --with-server --yes');
  await world.remove('~/.claude.json');
  await world.folder('~/.claude.json');
  const { out } = await run(world, 'uninstall notes --yes');
  expect(inWords(out)).toContain('Claude Code, ~/.claude.json: it is not a regular file. ');
  expect(CLIENTS.filter((host) => found(world, host))).toEqual([]);
  expect((await world.run('list')).out).not.toContain('notes');
});

test("a project's install uses the project's file; a project's server is not added elsewhere", async ({
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

test("replacing a label's source removes the server that it added", async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest());
  await world.write('n.json', manifest({ command: 'npx', args: ['-y', '@acme/other'] }));
  await run(world, 'install m.json --with-server --yes');
  await run(world, 'install n.json --replace --yes');
  expect(CLIENTS.filter((host) => found(world, host))).toEqual([]);
});

test('a hostile command is shown in full, with its control characters spelled out', async ({
  world,
}) => {
  await folders(world);
  await world.write('m.json', manifest({ command: 'npx', args: ['-y', 'a\u202eb\u001b[2Kc'] }));
  const { out } = await run(world, 'diff m.json --with-server');
  expect(out).not.toMatch(/[\u202e\u001b]/);
  expect(out).toContain('a\\u{202E}b\\u001b[2Kc');
});

test("a header's name is written as the server likes", async ({ world }) => {
  await folders(world);
  const server = { url: 'https://notes.example', headers: { authorization: 'Bearer ${TEAM}' } };
  await world.write('m.json', manifest(server));
  await run(world, 'install m.json --with-server --yes --client codex');
  expect(await world.read('~/.codex/config.toml')).toContain('bearer_token_env_var = "TEAM"');
});

test('text around a variable in a value stays', async ({ world }) => {
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
    'the user is asked whether to add the server: %s',
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

test('a killed run is finished by the same command', async ({ world }) => {
  await folders(world);
  await world.write('~/.claude.json', '{"numStartups": 3}\n');
  await world.write('m.json', manifest());
  const before = await world.snapshot();
  await run(world, 'install m.json --with-server --yes');
  const ours = await world.read('~/.claude.json');
  // The ledger already has what was to be written, or still has what was to be removed.
  await world.write('~/.claude.json', '{"numStartups": 3}\n');
  await run(world, 'install m.json --with-server --yes');
  expect(await world.read('~/.claude.json')).toBe(ours);
  await world.write('~/.claude.json', '{"numStartups": 3}\n');
  await run(world, 'uninstall notes --yes');
  expect(await world.snapshot()).toEqual(before);
});

test('list names the added servers, and what has changed since', async ({ world }) => {
  await folders(world);
  await world.write('m.json', manifest());
  await run(world, 'install m.json --with-server --yes');
  const inList = async () => inWords((await run(world, 'list notes')).out);
  expect(await inList()).toContain(
    'added the server notes: in Claude Code, Codex CLI and Gemini CLI',
  );
  await world.write('~/.claude.json', '{}');
  const path = '~/.gemini/settings.json';
  await world.write(path, (await world.read(path)).replace('/srv/notes', '/srv/mine'));
  expect(await inList()).toContain(
    'added the server notes: in Codex CLI; changed since in Gemini CLI; gone from Claude Code',
  );
  const { installed } = JSON.parse((await run(world, 'list --json')).out);
  expect(installed[0].servers).toContainEqual({
    ...{ client: 'gemini-cli', name: 'notes', file: world.path(path), state: 'changed' },
  });
  await run(world, 'install m.json --yes --client gemini --name bare');
  expect((await run(world, 'list bare')).out).not.toContain('added the server');
});

describe('an added server whose start has changed', () => {
  const NEWER = { command: 'npx', args: ['-y', '@acme/notes@2'], env: { MODE: 'fast' } };

  test.for(HOSTS)('has its entry in %s rewritten by an update', async (host, { world }) => {
    configure(world, host);
    await world.write('m.json', manifest());
    const before = await world.snapshot();
    await run(world, `install m.json --client ${host} --with-server --yes`);
    await world.write('m.json', manifest(NEWER));
    const { out: diff } = await run(world, 'diff notes');
    expect(inWords(diff)).toContain(
      'The server starts in another way now, so its entry changes in these clients:',
    );
    await run(world, 'update notes --yes');
    expect(found(world, host)).toMatchObject({ ...NEWER, off: undefined });
    const stamps = await world.stamps();
    expect((await run(world, 'update notes --yes')).out).toContain('Nothing to do');
    expect(await world.stamps()).toEqual(stamps);
    await run(world, 'uninstall notes --yes');
    expect(await world.snapshot()).toEqual(before);
  });

  test('keeps an entry that the user edited', async ({ world }) => {
    await folders(world);
    await world.write('m.json', manifest());
    await run(world, 'install m.json --with-server --yes');
    const path = '~/.gemini/settings.json';
    const mine = (await world.read(path)).replace('/srv/notes', '/srv/mine');
    await world.write(path, mine);
    await world.write('m.json', manifest(NEWER));
    const { out } = await run(world, 'update notes --yes');
    expect(out).toContain('its entry was changed since, so it is yours.');
    expect(found(world, 'gemini-cli')).toMatchObject({
      args: [...SERVER.args.slice(0, 3), '/srv/mine'],
    });
    expect(found(world, 'codex')).toMatchObject(NEWER);
  });

  test.for(['before', 'after'] as const)(
    'is finished by the same command if the update is killed %s its file is written',
    async (when, { world }) => {
      await folders(world);
      await world.write('~/.claude.json', '{\n  "numStartups": 3\n}\n');
      await world.write('m.json', manifest());
      const before = await world.snapshot();
      await run(world, 'install m.json --with-server --yes --client claude');
      const was = await world.read('~/.claude.json');
      const known = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
      await world.write('m.json', manifest(NEWER));
      await run(world, 'update notes --yes');
      // The ledger's state during the run.
      const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
      ledger.installs[0].added.unshift(...known.installs[0].added);
      await world.write('~/.mcp-hooks/ledger.json', JSON.stringify(ledger));
      if (when === 'before') await world.write('~/.claude.json', was);
      await run(world, 'update notes --yes');
      expect(found(world, 'claude-code')).toMatchObject(NEWER);
      await run(world, 'uninstall notes --yes');
      expect(await world.snapshot()).toEqual(before);
    },
  );
});

describe('a label from another source', () => {
  const CATALOGUED = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
  const listedServer = (server: object) =>
    manifest(server).replace('"name":"notes"', '"name":"memory"');

  test('keeps the added servers that still start in the same way', async ({ world }) => {
    await folders(world);
    await world.write('m.json', listedServer({ ...CATALOGUED, env: { MODE: 'fast' } }));
    const before = await world.snapshot();
    await run(world, 'install m.json --with-server --yes');
    // An npx that starts a server without hooks.
    await cp(join(import.meta.dirname, '../support/servers/answering.sh'), world.path('server.sh'));
    await world.write('answer.json', answer({ tools: {} }));
    const [script, said] = [world.path('server.sh'), world.path('answer.json')];
    const npx = `#!/bin/sh\nexec /bin/sh '${script}' '${said}'\n`;
    await world.write(join(world.bin, 'npx'), npx, 0o755);
    const env = { PATH: `${world.bin}:${process.env.PATH}` };
    const { code, out } = await world.run('install memory --replace --yes', { env });
    expect(code).toBe(0);
    expect(inWords(out)).toContain('another source: memory is installed from');
    expect(out).not.toContain('taken out');
    for (const host of CLIENTS)
      expect(found(world, host, 'memory')).toMatchObject({ ...CATALOGUED, env: { MODE: 'fast' } });
    const updated = await world.run('update memory --yes', { env });
    expect(updated.out).toContain('Nothing to do');
    await run(world, 'uninstall memory --yes');
    expect(await world.snapshot()).toEqual(before);
  });

  test('removes or rewrites the others, and the question says so', async ({ world }) => {
    await folders(world);
    await world.write('m.json', manifest());
    await world.write('n.json', manifest({ command: 'npx', args: ['-y', '@acme/other'] }));
    const before = await world.snapshot();
    await run(world, 'install m.json --with-server --yes');
    expect(inWords((await run(world, 'diff n.json')).out)).toContain(
      'its hooks and grants would be removed, and so would the server that it added to Claude Code, Codex CLI and Gemini CLI.',
    );
    await run(world, 'install n.json --with-server --replace --yes');
    for (const host of CLIENTS)
      expect(found(world, host)).toMatchObject({ args: ['-y', '@acme/other'] });
    await run(world, 'uninstall notes --yes');
    expect(await world.snapshot()).toEqual(before);
  });
});
