// Servers in the clients' own configurations: we find the one that the real client uses, and the hooks of a server that only
// Claude Code has configured are shown in every client.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findClient, findServerClient } from '../../src/clients/registry.ts';
import { readConfigurations } from '../../src/sources/configurations.ts';
import { findServer } from '../../src/sources/find.ts';
import { run } from '../../src/system/child.ts';
import { expected } from '../clients/expectations.ts';
import { CLIENTS, LAUNCH } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { mcpHooks, tree } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const SERVER = fileURLToPath(new URL('../support/servers/configured.mjs', import.meta.url));

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

function put(path: string, value: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

const read = (path: string): object =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};

describe.each(Object.values(CLIENTS))('$id', (client) => {
  test('shows the hooks of a server that only ~/.claude.json has, with a value that is only there', async () => {
    client.prepare(place);
    cpSync(SERVER, join(place.files, 'server.mjs'));
    const annal = {
      type: 'stdio',
      command: process.execPath,
      args: [join(place.files, 'server.mjs')],
      env: { ANNAL_PLAIN: 'hunter2-in-env' },
    };
    const config = join(place.home, '.claude.json');
    put(config, { ...read(config), mcpServers: { annal } });
    await mcpHooks(
      place,
      'install',
      'annal',
      '--client',
      client.id,
      '--yes',
      '--allow',
      'context-tool',
    );
    if (client.id === 'codex') await trustHooks(place.home, place.project);

    const { conversation } = await client.run({
      ...place,
      prompts: ['PROMPT-ONE'],
      steps: [{ text: 'first answer' }],
    });
    // The hash of that value, which the server's tool returns, as in test/programs/configured.test.ts.
    expect(conversation.first(' in ANNAL_PLAIN')?.request).toBe(1);
    expect(conversation.first('Annal is there.')?.request).toBe(1);
    expect(JSON.stringify(tree(join(place.home, '.mcp-hooks')))).not.toContain('hunter2');
  });
});

/** The command that we would use for a server of a client. */
async function ours(from: string, name: string, cwd: string): Promise<string | undefined> {
  const env = { HOME: place.home, PATH: process.env.PATH };
  const target = await findServer({ operand: name, command: [], from, cwd, env }).catch(
    () => undefined,
  );
  return target?.server && 'command' in target.server ? target.server.command : undefined;
}

/** What a client prints about its servers. */
async function says(id: keyof typeof LAUNCH, cwd: string, ...args: string[]): Promise<string> {
  const env = {
    HOME: place.home,
    PATH: process.env.PATH ?? '',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
  const { stdout, stderr } = await run(LAUNCH[id], ['mcp', ...args], { cwd, env });
  return stdout + stderr;
}

describe('the command that adds a server, as we print it,', () => {
  const all = Object.keys(LAUNCH) as (keyof typeof LAUNCH)[];
  const IDS = all.filter((id) => findServerClient(id)?.add);
  const servers = [
    { name: 'notes', command: '/bin/no-such', args: ['-y', '--flag', 'a b'], variables: ['KEY'] },
    { name: 'bare', command: 'no-such', args: [], variables: [] },
    { name: 'web', url: 'https://mcp.annal.example/mcp', headers: [] },
  ];
  test.each(IDS)('adds it to %s', async (id) => {
    const client = findServerClient(id);
    for (const { folder } of Object.values(expected))
      mkdirSync(join(place.home, folder), { recursive: true });
    for (const server of servers) {
      const [program, mcp, ...words] = client?.add?.(server) ?? [];
      expect([program, mcp]).toEqual([findClient(id)?.executable, 'mcp']);
      await says(id, place.project, ...words);
    }
    const at = { env: { HOME: place.home }, home: place.home, cwd: place.project };
    const { entries } = readConfigurations(
      { ...at, platform: process.platform },
      client ? [client] : [],
    );
    const added = entries.map(({ name, file: { scope }, parts }) => ({ name, scope, ...parts }));
    expect(added).toMatchObject([
      { name: 'notes', scope: 'user', command: '/bin/no-such', args: ['-y', '--flag', 'a b'] },
      { name: 'bare', scope: 'user', command: 'no-such', args: [] },
      { name: 'web', scope: 'user', url: 'https://mcp.annal.example/mcp' },
    ]);
    expect(added[0]).toMatchObject({ env: { KEY: '<value>' } });
  });
});

describe('we find a server where the real client finds it', () => {
  const NAMES = ['user', 'user-top', 'top', 'top-sub', 'sub', 'all', 'local'];
  const servers = (where: string) =>
    Object.fromEntries(
      NAMES.filter((name) => name === 'all' || name.split('-').includes(where)).map((name) => [
        name,
        { command: `no-such-${where}` },
      ]),
    );
  const toml = (where: string) =>
    Object.entries(servers(where))
      .map(([name, { command }]) => `[mcp_servers.${name}]\ncommand = "${command}"\n`)
      .join('\n');

  const folders = () => {
    const top = place.project;
    const sub = join(top, 'sub');
    mkdirSync(join(top, '.git'), { recursive: true });
    mkdirSync(sub, { recursive: true });
    return { top, sub };
  };

  test.each([true, false])('Claude Code, approved: %s', async (approved) => {
    const { top, sub } = folders();
    put(join(top, '.mcp.json'), { mcpServers: servers('top') });
    put(join(sub, '.mcp.json'), { mcpServers: servers('sub') });
    put(join(place.home, '.claude.json'), {
      mcpServers: servers('user'),
      projects: {
        [top]: {
          mcpServers: servers('local'),
          hasTrustDialogAccepted: true,
          ...(approved && { enabledMcpjsonServers: NAMES }),
        },
        [sub]: { mcpServers: { local: { command: 'no-such-other' } } },
      },
    });
    for (const name of NAMES) {
      const told = await says('claude-code', sub, 'get', name);
      expect([name, await ours('claude-code', name, sub)]).toEqual([
        name,
        /Command: (\S+)/.exec(told)?.[1],
      ]);
    }
  });

  test.each([true, false])('Codex CLI, the folder trusted: %s', async (trusted) => {
    const { top, sub } = folders();
    const trust = trusted ? `[projects.${JSON.stringify(top)}]\ntrust_level = "trusted"\n` : '';
    put(join(place.home, '.codex/config.toml'), `${toml('user')}\n${trust}`);
    put(join(top, '.codex/config.toml'), toml('top'));
    put(join(sub, '.codex/config.toml'), toml('sub'));
    const told = await says('codex', sub, 'list', '--json');
    const listed: { name: string; transport: { command: string } }[] = JSON.parse(
      told.slice(told.indexOf('['), told.lastIndexOf(']') + 1),
    );
    for (const name of NAMES.filter((one) => trusted || /user|all/.test(one)))
      expect([name, await ours('codex', name, sub)]).toEqual([
        name,
        listed.find((one) => one.name === name)?.transport.command,
      ]);
  });

  test('Gemini CLI', async () => {
    const { top, sub } = folders();
    put(join(place.home, '.gemini/settings.json'), { mcpServers: servers('user') });
    put(join(top, '.gemini/settings.json'), { mcpServers: servers('top') });
    put(join(sub, '.gemini/settings.json'), { mcpServers: servers('sub') });
    const told = await says('gemini-cli', sub, 'list');
    for (const name of NAMES)
      expect([name, await ours('gemini-cli', name, sub)]).toEqual([
        name,
        new RegExp(` ${name}: (\\S+)`).exec(told)?.[1],
      ]);
  });
});
