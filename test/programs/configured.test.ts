/**
 * A server by its name in a client's configuration: where it is found, how it is started, and that no secret leaves its file.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect } from 'vitest';
import type { Source } from '../../src/declaration/declared.ts';
import { findAgain, findServer } from '../../src/sources/find.ts';
import type { Request, ResolvedServer } from '../../src/sources/resolved-server.ts';
import type { Message } from '../../src/system/errors.ts';
import {
  configure,
  ENV,
  HOSTS,
  type Host,
  replace,
  SECRET,
  SERVERS,
} from '../support/configured.ts';
import { sentence } from '../support/said.ts';
import { serve, telling } from '../support/servers/addressed.ts';
import { test, type World } from '../support/world.ts';

const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 6);

const request = (world: World, more: Partial<Request> = {}): Request => ({
  command: [],
  cwd: world.work,
  env: world.env(ENV),
  ...more,
});

const find = (
  world: World,
  operand: string,
  more: Partial<Request> = {},
): Promise<ResolvedServer> => findServer(request(world, { operand, ...more }));

/** How a target is started or reached, without our own environment. */
function launchOf(world: World, target: ResolvedServer) {
  const launch = target.launch?.();
  if (!launch || 'url' in launch) return launch;
  const ours = world.env(ENV);
  const own = Object.entries(launch.env).filter(([name, value]) => ours[name] !== value);
  return { ...launch, env: Object.fromEntries(own) };
}

test('the shell script that replaces our server in these tests gives the same answers', ({
  world,
}) => {
  configure(world, 'claude-code');
  const input = ['initialize', 'tools/call', 'server/discover', undefined]
    .map((method, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { protocolVersion: '2025-11-25' } }),
    )
    .join('\n');
  for (const DECLARES of ['0', '1', undefined]) {
    const env = world.env({
      ...ENV,
      DECLARES,
      ANNAL_EMPTY: '',
      ANNAL_KEY: 'a=b  c',
      GEMINI_CLI: '1',
      OTHER: 'x',
    });
    const said = ['node', process.execPath].map(
      (node) =>
        execaSync(node, ['server.mjs', '--one', 'two  words', ''], {
          cwd: world.home,
          env,
          extendEnv: false,
          input,
        }).stdout,
    );
    expect(said[0]).toBe(said[1]);
    expect(said[0]?.split('\n')).toHaveLength(2);
  }
});

const ARGS = ['--api-key', 'hunter2-in-args', '--db'];
const DB = 'postgres://ann:hunter2-password@db.example/annal';

describe('a server on stdio, as each client would start it', () => {
  test.for(HOSTS)('%s', async (host, { world }) => {
    configure(world, host);
    const target = await find(world, 'annal', { from: host });
    const { names, env, last, ...its } = SERVERS[host];
    const file = join(world.home, its.home);
    const path = [its.key, 'annal'];
    expect(target.label).toBe('annal');
    expect(target.source).toEqual({ kind: 'configured', client: host, name: 'annal', file, path });
    expect(target.consent).toBeUndefined();
    const given = JSON.parse(JSON.stringify(env).replaceAll('{home}', world.home));
    expect(launchOf(world, target)).toEqual({
      command: 'node',
      args: [its.absolute ? join(world.home, 'server.mjs') : 'server.mjs', ...ARGS, DB, last],
      cwd: its.inSession ? world.work : world.home,
      env: given,
    });
    expect(target.server?.configured?.entry).toMatchObject({ file, path, names });
    expect(JSON.stringify(target)).not.toMatch(SECRET);
  });

  test('Codex passes on the listed variables, Gemini none that look like secrets', async ({
    world,
  }) => {
    for (const host of HOSTS) configure(world, host);
    const given = async (from: Host) => {
      const target = await find(world, 'annal', {
        from,
        env: world.env({ ...ENV, GITHUB_KEY: 'x' }),
      });
      const launch = target.launch?.();
      return launch && 'env' in launch ? Object.keys(launch.env).toSorted() : [];
    };
    const all = ['ANNAL_PLAIN', 'ANNAL_TOKEN', 'HOME', 'PATH'];
    expect({
      codex: await given('codex'),
      'gemini-cli': await given('gemini-cli'),
      'claude-code': await given('claude-code'),
    }).toEqual({
      codex: all,
      'gemini-cli': [...all, 'ANNAL_EMPTY', 'GEMINI_CLI', 'TEAM'].toSorted(),
      'claude-code': [...all, 'ANNAL_SECRET', 'GITHUB_KEY', 'TEAM'].toSorted(),
    });
  });
});

test('a server at an address, as each client would reach it', async ({ world }) => {
  for (const host of HOSTS) configure(world, host);
  const url = 'http://127.0.0.1:9/mcp?key=hunter2-in-query';
  const usual = { Authorization: 'Bearer hunter2-in-header', 'X-Team': 'blue' };
  for (const host of HOSTS) {
    const target = await find(world, 'web', { from: host });
    expect([host, target.launch?.()]).toEqual([
      host,
      {
        url,
        headers:
          host === 'codex'
            ? {
                'X-Plain': 'hunter2-in-header',
                'X-Team': 'blue',
                Authorization: 'Bearer hunter2-in-variable',
              }
            : usual,
      },
    ]);
    expect(target.server).toMatchObject({ url: 'http://127.0.0.1:9/mcp?key=***' });
    expect(JSON.stringify(target)).not.toMatch(SECRET);
  }
});

describe('only plain files are read, not pipes or devices', () => {
  test.for(['/dev/zero', 'pipe', 'folder'])('%s', async (envFile, { world }) => {
    execaSync('mkfifo', [world.path('pipe')]);
    await world.folder('folder');
    const entry = { command: 'true', envFile };
    await world.write('.vscode/mcp.json', JSON.stringify({ servers: { other: entry } }));
    const { code, err } = await world.run(`diff other ${CLIENTS}`, { env: ENV });
    expect([code, err]).toEqual([2, expect.stringContaining('its envFile cannot be read')]);
  });

  test('when a hook fires, either', async ({ world }) => {
    configure(world, 'claude-code');
    await install(world);
    await world.remove('~/.claude.json');
    execaSync('mkfifo', [world.path('~/.claude.json')]);
    for (const { text } of await shown(world)) expect(text ?? '').not.toContain('args');
    expect((await world.run('log annal --trials', { env: ENV })).out).toContain(
      'the configuration cannot be read',
    );
  });
});

describe("a project's file", () => {
  const fromProject = (target: ResolvedServer) =>
    target.source.kind === 'configured' && target.source.file.includes('/desk/');

  test('is asked about in each client before the user has approved it', async ({ world }) => {
    for (const host of HOSTS) configure(world, host, { project: true });
    replace(world.path('~/.claude.json'), '"hasTrustDialogAccepted": true', '"x": 1');
    for (const host of HOSTS) {
      const target = await find(world, 'annal', { from: host });
      const taken = SERVERS[host].offers === true;
      const found = [fromProject(target), target.consent !== undefined];
      expect([host, ...found]).toEqual([host, taken, taken]);
    }
  });

  test('comes first and is not asked about if its client has approved it', async ({ world }) => {
    for (const host of HOSTS) configure(world, host, { project: true });
    const project = JSON.stringify(world.work);
    for (const host of HOSTS) {
      const { approval } = SERVERS[host];
      if (!approval) continue;
      const file = `~/${approval.file}`;
      const to = approval.to.replace('{project}', project);
      if (approval.from === undefined) await world.write(file, to);
      else replace(world.path(file), approval.from, to);
      const target = await find(world, 'annal', { from: host });
      expect([host, fromProject(target), target.consent]).toEqual([host, true, undefined]);
      expect(target.notes?.[0]).toMatchObject({
        code: 'configured-in',
        file: expect.stringContaining('/desk/'),
        scope: 'project',
        over: [expect.stringMatching(/^~\/.* \(user\)$/)],
      });
    }
  });

  test('cannot approve itself', async ({ world }) => {
    for (const host of HOSTS) configure(world, host, { project: true });
    replace(world.path('~/.claude.json'), '"hasTrustDialogAccepted": true', '"x": 1');
    const settings = { enableAllProjectMcpServers: true, enabledMcpjsonServers: ['annal'] };
    for (const name of ['settings.json', 'settings.local.json'])
      await world.write(`.claude/${name}`, JSON.stringify(settings));
    replace(
      world.path('.gemini/settings.json'),
      '{\n  "mcp',
      '{ "security": { "folderTrust": { "enabled": false } },\n  "mcp',
    );
    replace(
      world.path('.codex/config.toml'),
      '[mcp',
      `[projects.${JSON.stringify(world.work)}]\ntrust_level = "trusted"\n[mcp`,
    );
    const all = await Promise.all(HOSTS.map((from) => find(world, 'annal', { from })));
    expect(all.filter((target) => fromProject(target) && !target.consent)).toEqual([]);
  });

  test('in the home folder is the user’s own', async ({ world }) => {
    for (const host of HOSTS) configure(world, host);
    for (const from of ['codex', 'gemini-cli', 'cursor'] as const)
      expect((await find(world, 'annal', { from, cwd: world.home })).consent).toBeUndefined();
  });
});

describe('Claude Code', () => {
  test("takes a local server before the project's and the user's", async ({ world }) => {
    configure(world, 'claude-code', { project: true });
    replace(
      world.path('~/.claude.json'),
      '"mcpServers": {},',
      '"mcpServers": { "annal": { "command": "local" } },',
    );
    await world.folder('.git', 'deep/er');
    const target = await find(world, 'annal', { cwd: world.path('deep/er') });
    expect(target.server).toMatchObject({ command: 'local' });
    expect(target.source).toMatchObject({ path: ['projects', world.work, 'mcpServers', 'annal'] });
  });
});

describe('a server in several clients', () => {
  const configs = (world: World, claude: object, gemini: object) =>
    Promise.all([
      world.write('~/.claude.json', JSON.stringify({ mcpServers: { annal: claude } })),
      world.write('~/.gemini/settings.json', JSON.stringify({ mcpServers: { annal: gemini } })),
    ]);

  test('counts as one, however its variables are written', async ({ world }) => {
    await configs(
      world,
      { command: 'annal', env: { KEY: `\${ANNAL_SECRET}` } },
      { command: 'annal', args: [], env: { KEY: '$ANNAL_SECRET' } },
    );
    const target = await find(world, 'annal');
    expect(target.source).toMatchObject({ client: 'claude-code' });
    expect(target.notes).toEqual([
      {
        code: 'configured-in',
        file: '~/.claude.json',
        client: 'Claude Code',
        scope: 'user',
        over: [],
      },
      { code: 'also-configured', where: ['~/.gemini/settings.json (Gemini CLI)'] },
    ]);
  });

  test('is distinguished by hidden differences, without showing a value', async ({ world }) => {
    const server = (env: object) => ({ command: 'annal', args: ['--token', 'hunter2'], env });
    await configs(
      world,
      server({ DATABASE_URL: 'postgres://ann:hunter2@one/x', TEAM_NAME: 'red', NODE_ENV: 'dev' }),
      server({ DATABASE_URL: 'postgres://ann:hunter2@two/x', REGION: 'eu', NODE_ENV: 'dev' }),
    );
    for (const command of ['install', 'diff']) {
      const { code, err } = await world.run(`${command} annal --client claude`, { env: ENV });
      expect([code, err.split('\n').slice(1, 3)]).toEqual([
        2,
        [
          '  claude-code  ~/.claude.json  annal --token ***; environment: DATABASE_URL=*** (value 1), no REGION, TEAM_NAME=***',
          '  gemini-cli  ~/.gemini/settings.json  annal --token ***; environment: DATABASE_URL=*** (value 2), REGION=***, no TEAM_NAME',
        ],
      ]);
    }
    await configs(
      world,
      { type: 'http', url: 'https://annal.example/?k=hunter2', headers: { Team: 'hunter2' } },
      { httpUrl: 'https://annal.example/?k=hunter22', headers: { team: 'hunter22' } },
    );
    const { err } = await world.run('diff annal', { env: ENV });
    expect(err).toContain(
      'https://annal.example/?k=***; headers: team=*** (value 2); address=*** (value 2)\n',
    );
    await configs(
      world,
      { command: 'annal', args: ['--token', 'hunter2'] },
      { command: 'annal', args: ['--token', 'hunter22'] },
    );
    const masked = await world.run('diff annal', { env: ENV });
    expect(masked.err).toContain('annal --token ***; argument 2=*** (value 2)\n');
    const hostile = { command: 'annal', env: { 'A=*** (value 1), B\u001b[2K': 'x' } };
    await configs(world, { command: 'annal' }, hostile);
    const quoted = await world.run('diff annal', { env: ENV });
    expect(quoted.err).toContain("annal; environment: 'A=*** (value 1), B\\u{1B}[2K'=***\n");
    expect(err + masked.err).not.toMatch(SECRET);
  });

  test('is shown with variables that decide what runs, without passwords in them', async ({
    world,
  }) => {
    const env = {
      HTTPS_PROXY: 'http://ann:hunter2@proxy.example:3128',
      NODE_OPTIONS: '--no-warnings',
    };
    const annal = { command: 'no-such-command', env };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { annal } }));
    for (const line of ['install', 'diff']) {
      const { err } = await world.run(`${line} annal --client claude --yes`, { env: ENV });
      expect(err).toContain("environment: HTTPS_PROXY='http://ann:***@proxy.example:3128'\n");
      expect(err).toContain('environment: NODE_OPTIONS=--no-warnings\n');
      expect(err).not.toMatch(SECRET);
    }
  });

  test('needs --from if the entries differ', async ({ world, expect }) => {
    await configs(
      world,
      { command: 'annal', args: ['--token', 'hunter2'] },
      { httpUrl: 'https://annal.example/?k=hunter2' },
    );
    const ran = await world.run('diff annal', { env: ENV });
    expect(ran.transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks diff annal
      ! Several clients have a server "annal", and they differ: choose one with --from. Nothing was written.
      !   claude-code  ~/.claude.json  annal --token ***
      !   gemini-cli  ~/.gemini/settings.json  https://annal.example/?k=***
      ! For example, add --from claude-code
      exit 2
      "
    `);
    expect(await find(world, 'annal', { from: 'gemini' })).toMatchObject({
      source: { client: 'gemini-cli' },
    });
    const asked: string[] = [];
    const choose = async (question: Message, choices: readonly string[]) => {
      asked.push(sentence(question), ...choices);
      return 1;
    };
    expect(await find(world, 'annal', { choose })).toMatchObject({
      source: { client: 'gemini-cli' },
    });
    expect(asked.join('\n')).toMatch(/^Which "annal"\?\nclaude-code {2}.*\ngemini-cli {2}.*$/);
    expect(asked.join('\n')).not.toMatch(SECRET);
  });

  test('is a different one if its variables have other values', async ({ world }) => {
    await configs(
      world,
      { command: 'annal', env: { DB: 'one' } },
      { command: 'annal', env: { DB: 'two' } },
    );
    await expect(find(world, 'annal')).rejects.toThrow('several-servers');
  });

  test('is taken from an entry that is not switched off', async ({ world }) => {
    await world.write(
      '~/.codex/config.toml',
      '[mcp_servers.annal]\ncommand = "old"\nenabled = false\n',
    );
    await world.write('~/.cursor/mcp.json', '{ "mcpServers": { "annal": { "command": "new" } } }');
    expect(await find(world, 'annal')).toMatchObject({ server: { command: 'new' } });
    const old = await find(world, 'annal', { from: 'codex' });
    expect(old).toMatchObject({
      server: { command: 'old' },
      notes: [
        { code: 'configured-in', client: 'Codex CLI', scope: 'user' },
        { code: 'switched-off-there', client: 'Codex CLI', why: 'it has "enabled = false"' },
      ],
    });
  });
});

describe('a server that is switched off is found, and reported as such', () => {
  test.for(['claude-code', 'codex', 'gemini-cli', 'cursor'] as const)(
    '%s',
    async (host, { world }) => {
      configure(world, host);
      const { notes } = await find(world, 'resting', { from: host });
      expect(notes?.[1]).toMatchObject({
        code: 'switched-off-there',
        why: expect.stringMatching(/^it /),
      });
    },
  );
});

test('a folder with hooks takes precedence over such a server, and --from over both', async ({
  world,
}) => {
  configure(world, 'claude-code');
  const declarations = [{ event: 'session_start', context: 'From the folder.' }];
  const hooks = { declarations: declarations.map((one) => ({ ...one, priority: 'important' })) };
  await world.write('annal/mcp-hooks.json', JSON.stringify({ name: 'annal', hooks }));
  const diff = async (flags: string) =>
    (await world.run(`diff annal --client claude ${flags}`, { env: ENV })).out;
  expect(await diff('')).toContain('From the folder.');
  expect(await diff('--from claude')).not.toContain('From the folder.');
  await world.write('annal/mcp-hooks.json', '{"hooks":');
  expect((await world.run('diff annal --client claude', { env: ENV })).code).toBe(2);
  await world.remove('annal/mcp-hooks.json');
  expect(await diff('')).toContain('annal declares 2 hooks');
});

describe('errors', () => {
  test('a name of the catalogue: the error says how to add that server', async ({ world }) => {
    await world.write('~/.codex/config.toml', '');
    const said = async (name: string) => {
      const { err } = await world.run(`install ${name} --yes`, { env: ENV });
      return err.split('\n').slice(1, err.split('\n').indexOf('Looked in:'));
    };
    expect(await said('memory')).toEqual([
      "mcp-hooks' catalogue has hooks for server-memory (a knowledge graph that is kept between sessions). Add that server to a client first, with the arguments it needs.",
      'For example: codex mcp add memory -- npx -y @modelcontextprotocol/server-memory',
    ]);
    expect((await said('git')).at(-1)).toBe('For example: codex mcp add git -- uvx mcp-server-git');
    expect((await said('shadcn')).at(-1)).toMatch(/ -- npx -y shadcn mcp$/);
    expect((await said('aws-documentation')).at(-1)).toMatch(
      / -- uvx awslabs\.aws-documentation-mcp-server$/,
    );
    expect(await said('github')).toHaveLength(1);
    expect(await said('annals')).toEqual(['To find hooks for your servers: mcp-hooks scan']);
    expect((await said('memory --from claude')).join()).not.toContain('codex');
    expect((await said('git --client gemini')).at(-1)).toBe(
      'For example: gemini mcp add --scope user git uvx -- mcp-server-git',
    );
  });

  test('a name of the catalogue, if the server is configured under another name', async ({
    world,
  }) => {
    const graph = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { graph } }));
    const { err } = await world.run('install memory --client claude --yes', { env: ENV });
    expect(err).toContain('Did you mean graph?');
    expect(err).not.toContain('Add that server');
  });

  test.for(['install', 'diff', 'init'])(
    'an unknown name, like no other: %s names the command that lists the servers',
    async (command, { world }) => {
      await world.folder('~/.claude');
      const { code, err } = await world.run(`${command} nosuch`, { env: ENV });
      expect([code, err.split('\n')[1]]).toEqual([
        2,
        'To find hooks for your servers: mcp-hooks scan',
      ]);
    },
  );

  test('an unknown name that is a folder: the error says how to write a folder', async ({
    world,
  }) => {
    await world.folder('~/.claude', 'hooks');
    const { err } = await world.run('install hooks --yes', { env: ENV });
    expect(err).toContain('no client has a server of that name. Did you mean ./hooks?');
  });

  test('an unknown name: the error says where it was looked for, and the nearest name', async ({
    world,
  }) => {
    configure(world, 'claude-code', { project: true });
    await world.write('~/.codex/config.toml', '[mcp_servers.x]\ncommand = \n');
    const ran = await world.run('install anal --yes', { env: ENV });
    expect(ran.code).toBe(2);
    const lines = (err: string) => err.replaceAll(world.root, '').trim().split('\n');
    const [said, looked, ...places] = lines(ran.err);
    expect(said).toBe(
      '"anal" is not a file here, and no client has a server of that name. Did you mean annal? Nothing was written.',
    );
    expect(looked).toBe('Looked in:');
    expect(places.slice(0, -1)).toEqual([
      '  ~/.claude.json  (Claude Code, local: no servers)',
      '  /desk/.mcp.json  (Claude Code, project: annal)',
      '  ~/.claude.json  (Claude Code, user: annal, web, resting)',
      '  ~/.codex/config.toml  (Codex CLI, user: cannot be read at 2:11: not valid TOML: invalid value)',
    ]);
    expect(places.at(-1)).toMatch(
      /^\d+ files in which clients keep servers are not there; --verbose lists them\.$/,
    );
    const all = lines((await world.run('install anal --yes --verbose', { env: ENV })).err);
    for (const place of [
      '  /.mcp.json  (Claude Code, project: not there, nor in folders above)',
      '  /desk/.codex/config.toml  (Codex CLI, project: not there)',
      ...Object.values(SERVERS)
        .slice(2)
        .map(({ home }) => expect.stringContaining(`  ~/${home}  (`)),
    ])
      expect(all).toContainEqual(place);
    const none = await world.run('install annal --from zed', { env: ENV });
    expect(none.err).toMatch(/^--from: there is no client "zed"; known: claude-code, codex, /);
  });

  test('a broken file is named, and servers in other files are found', async ({ world }) => {
    configure(world, 'claude-code');
    await world.write('~/.cursor/mcp.json', '{\n  "mcpServers": {\n    oops\n');
    const ran = await world.run('diff annal --client codex --json', { env: ENV });
    expect(JSON.parse(ran.out).problems).toEqual([
      {
        level: 'warning',
        code: 'configuration-broken',
        message: expect.stringMatching(
          /^~\/\.cursor\/mcp\.json:3:5: not valid JSON: .*; no server in it is found$/,
        ),
      },
    ]);
  });

  test('a value that only VS Code can ask for', async ({ world }) => {
    configure(world, 'vs-code');
    await expect(find(world, 'asks')).rejects.toMatchObject({
      problem: { code: 'only-its-client', reference: `\${input:annal-key}` },
    });
  });

  test('a name that cannot be a label needs --name', async ({ world }) => {
    await world.write(
      '~/.cursor/mcp.json',
      '{ "mcpServers": { "My Annal!": { "command": "annal" } } }',
    );
    await expect(find(world, 'My Annal!')).rejects.toThrow('no-label-in-name');
    expect(await find(world, 'My Annal!', { name: 'annal' })).toMatchObject({ label: 'annal' });
  });

  test('an entry that has neither a command nor an address', async ({ world }) => {
    await world.write('~/.cursor/mcp.json', '{ "mcpServers": { "annal": { "comand": "annal" } } }');
    await expect(find(world, 'annal')).rejects.toThrow('no-command-or-address');
  });

  test('hostile names and values reach no prototype, terminal or path', async ({ world }) => {
    const hostile = { ['__proto__']: { command: 'x' }, 'a\u001b[2Jb': { command: 'y\u202e' } };
    await world.write(
      '~/.cursor/mcp.json',
      JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(hostile)) }).replace(
        '{"a',
        '{"__proto__":{"command":"x"},"a',
      ),
    );
    await expect(find(world, '__proto__')).rejects.toThrow('no-label-in-name');
    const { err } = await world.run('install nothing', { env: ENV });
    expect(err).not.toContain('\u001b');
  });
});

test("the user's server is found again even if a project has one of the same name", async ({
  world,
}) => {
  const own = { annal: { command: 'node', args: ['own.mjs'] } };
  const local = { annal: { command: 'node', args: ['local.mjs'] } };
  await world.write(
    '~/.claude.json',
    JSON.stringify({ mcpServers: own, projects: { [world.work]: { mcpServers: local } } }),
  );
  const env = world.env(ENV);
  const { source } = await find(world, 'annal', { cwd: world.home });
  const again = await findAgain(source, 'annal', { cwd: world.work, env });
  expect(again.source).toEqual(source);
  expect(again.server).toMatchObject({ args: ['own.mjs'] });
});

test('a server is found again in its place, or elsewhere if it was moved', async ({ world }) => {
  configure(world, 'cursor', { project: true });
  const around = { cwd: world.work, env: world.env(ENV) };
  const { source } = await find(world, 'annal', { cwd: world.home });
  const again = async (from: Source) => (await findAgain(from, 'chosen', around)).source;
  expect(source).toMatchObject({ file: world.path('~/.cursor/mcp.json') });
  expect(await again(source)).toEqual(source);
  await world.remove('~/.cursor/mcp.json');
  expect(await again(source)).toMatchObject({ file: world.path('.cursor/mcp.json') });
});

/** The text of all files below a folder, except for backups, which are copies of the user's own files. */
function textIn(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/backups'))
    .map(
      (entry) =>
        `${entry.parentPath}/${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`,
    )
    .join('\n');
}

const CLIENTS = '--client claude-code,codex,gemini-cli --allow context-tool';

interface Shown {
  readonly id: string;
  readonly text: string | null;
  readonly message: string | undefined;
}

/** What each model reads at the start of a session, or the reason if it reads nothing. */
async function shown(
  world: World,
  env: Record<string, string | undefined> = ENV,
): Promise<Shown[]> {
  const ran = await world.run('fire annal session_start --json', { env });
  const { clients } = JSON.parse(ran.out);
  return clients.map(
    ({
      id,
      firings = [],
    }: {
      id: string;
      firings?: { text: string | null; message?: string }[];
    }) => {
      const told = firings.find(({ text }) => text !== null) ?? firings[0];
      return { id, text: told?.text ?? null, message: told?.message };
    },
  );
}

const install = async (world: World, more = '') => {
  const ran = await world.run(`install annal --yes ${CLIENTS} ${more}`, { env: ENV });
  if (ran.code !== 0) throw new Error(ran.err);
  return ran;
};

describe("a server that only Claude's ~/.claude.json has can be called in all three clients", () => {
  test('with the values that are only in that file', async ({ world }) => {
    configure(world, 'claude-code');
    await install(world);
    const args = [...ARGS, DB, `\${NOPE}`].map(short).join(' ');
    const own = `${short('hunter2-in-env')} in ANNAL_PLAIN`;
    const token = `${short('hunter2-in-variable')} in ANNAL_TOKEN`;
    for (const { id, text } of await shown(world)) {
      expect([id, text]).toEqual([id, expect.stringContaining(`args ${args}, `)]);
      // Gemini CLI adds other variables.
      expect(text).toContain(own);
      expect(text).toContain(token);
      expect(text?.includes(' in ANNAL_SECRET')).toBe(id === 'claude-code');
    }
    expect(textIn(world.path('~/.mcp-hooks'))).not.toMatch(SECRET);
  });

  test('with renewed values at once, but not with another command', async ({ world }) => {
    configure(world, 'claude-code');
    await install(world);
    const file = world.path('~/.claude.json');
    replace(file, 'hunter2-in-env', 'hunter2-renewed');
    replace(file, '"ANNAL_PLAIN"', '"ANNAL_LATER": "hunter2-later", "ANNAL_PLAIN"');
    for (const { text } of await shown(world)) {
      expect(text).toContain(`${short('hunter2-renewed')} in ANNAL_PLAIN`);
      expect(text).not.toContain('ANNAL_LATER'); // not shown before the grant, so not passed on
    }
    const doctor = async () => {
      const { out } = await world.run('doctor annal --json', { env: ENV });
      return JSON.parse(out).findings.filter(
        ({ check }: { check: string }) => check === 'configured',
      );
    };
    expect(await doctor()).toMatchObject([{ level: 'ok' }]);

    replace(file, '"server.mjs", "--api-key"', '"server.mjs", "--evil", "--api-key"');
    for (const { text } of await shown(world)) expect(text ?? '').not.toContain('args');
    expect((await world.run('log annal --trials', { env: ENV })).out).toContain(
      'its configuration has changed',
    );
    expect(await doctor()).toMatchObject([
      {
        level: 'error',
        about: 'annal',
        where: file,
        what: 'its configuration has changed: its tools are not called',
        todo: 'mcp-hooks update annal',
      },
    ]);

    replace(file, '"annal"', '"other"');
    for (const { text } of await shown(world)) expect(text ?? '').not.toContain('args');
    expect((await world.run('log annal --trials', { env: ENV })).out).toContain(
      'it is no longer configured',
    );
    expect(await doctor()).toMatchObject([
      { what: expect.stringContaining('no longer configured') },
    ]);

    await world.remove('~/.claude.json');
    for (const { text } of await shown(world)) expect(text ?? '').not.toContain('args');
    await install(world, '').then(
      () => expect.unreachable(),
      (error: Error) => expect(error.message).toContain('no client has a server of that name'),
    );
  });

  test('another argument is another server to grants, also if masked', async ({ world }) => {
    configure(world, 'claude-code');
    await install(world);
    replace(world.path('~/.claude.json'), 'hunter2-in-args', 'hunter2-in-others');
    const { out, err } = await world.run('update annal --yes', { env: ENV });
    expect(out + err).toContain('--allow context-tool');
    for (const { text } of await shown(world)) expect(text ?? '').not.toContain('args');
  });

  test('as can a server of any client', async ({ make }) => {
    for (const host of HOSTS) {
      const world = await make();
      configure(world, host);
      await install(world, `--from ${host}`);
      for (const { id, text } of await shown(world))
        expect([host, id, text]).toEqual([
          host,
          id,
          expect.stringContaining(`${short('hunter2-in-env')} in ANNAL_PLAIN`),
        ]);
    }
  });
});

test('a server at an address is reached with its configured headers', async ({ world }) => {
  const { url, sent } = await serve(telling('Recalled.'), '');
  try {
    const { callTools } = createRequire(import.meta.url)('../../dist/templates/call.cjs');
    for (const host of HOSTS) {
      configure(world, host);
      replace(world.path(`~/${SERVERS[host].home}`), 'http://127.0.0.1:9', url);
      const target = await find(world, 'web', { from: host });
      const configured = target.server?.configured;
      Object.assign(process.env, { TEAM: ENV.TEAM, ANNAL_SECRET: ENV.ANNAL_SECRET });
      const results = await callTools(
        { given: configured?.given, entry: configured?.entry },
        [{ name: 'recall', arguments: {} }],
        { cwd: world.work, until: Date.now() + 5000 },
      );
      expect([host, results]).toMatchObject([host, [{ text: 'Recalled.' }]]);
      const token = host === 'codex' ? 'hunter2-in-variable' : 'hunter2-in-header';
      const last = ['tools/call', '/mcp?key=hunter2-in-query', `Bearer ${token}`, 'blue'];
      const { message, path, headers } = sent.at(-1) ?? {};
      const seen = [message?.method, path, headers?.authorization, headers?.['x-team']];
      expect([host, seen]).toEqual([host, last]);
    }
  } finally {
    delete process.env.TEAM;
    delete process.env.ANNAL_SECRET;
  }
});

describe('no secret of a configuration is printed or kept', () => {
  test.for(HOSTS)('%s', async (host, { world }) => {
    configure(world, host, { project: true });
    const said: string[] = [];
    const run = async (line: string) => {
      const { out, err } = await world.run(line, { env: ENV });
      said.push(out, err);
    };
    for (const line of [
      `diff annal --from ${host} ${CLIENTS} --verbose`,
      `install annal --from ${host} ${CLIENTS} --dry-run --json`,
      `install annal --from ${host} ${CLIENTS} --yes`,
      `install web --from ${host} ${CLIENTS} --yes --timeout 3`,
      'install nothing --yes',
      'scan --timeout 3',
      'scan --yes --json --timeout 3',
      'list',
      'fire annal session_start',
      'fire annal session_start --json',
      'log annal --json',
      'doctor annal',
      'verify annal',
    ])
      await run(line);
    // The command of the folder's own file needs approval, so it is shown in full.
    const agreedTo = 'node server.mjs --from project hunter2a8f3c9d1e5b7xyz';
    expect(
      said
        .map((text) => text.replaceAll(agreedTo, ''))
        .filter((text) => SECRET.test(text))
        .map((text) => text.split('\n').filter((line) => SECRET.test(line))),
    ).toEqual([]);
    expect(textIn(world.path('~/.mcp-hooks'))).not.toMatch(SECRET);
    const configs = ['~/.claude/settings.json', '~/.codex/hooks.json'].map((name) =>
      world.path(name),
    );
    for (const path of configs.filter((one) => existsSync(one)))
      expect(readFileSync(path, 'utf8')).not.toMatch(SECRET);
  });

  test.for([0, 150, 178, 185, 190])(
    'in the last output of a server, cut or not: after %i characters',
    async (before, { world }) => {
      const script = `process.stderr.write('-'.repeat(${before}) + process.env.MINE + ' and ' + process.argv.at(-1)); process.exit(3)`;
      await world.write(
        '~/.cursor/mcp.json',
        JSON.stringify({
          mcpServers: {
            annal: {
              command: 'node',
              args: ['-e', script, '--', '--password', 'hunter2'],
              env: { MINE: 'hunter2 and again' },
            },
          },
        }),
      );
      const { err, code } = await world.run(`diff annal ${CLIENTS}`, { env: ENV });
      expect(code).toBe(2);
      expect(err).toContain('Its last lines');
      expect(err).not.toMatch(/hunt/);
    },
  );
});
