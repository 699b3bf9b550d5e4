/** `mcp-hooks scan`: asks every configured server of every client for its hooks. */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { tokensName } from '../../src/sources/oauth/address.ts';
import { columnsOf } from '../../src/system/terminal.ts';
import { runAt } from '../support/columns.ts';
import { configure, ENV, HOSTS, replace, SECRET, SERVERS } from '../support/configured.ts';
import { manifest } from '../support/hooks.ts';
import { isRunning, until } from '../support/processes.ts';
import { legacy, serve } from '../support/servers/addressed.ts';
import { type OAuthServer, oauthServer } from '../support/servers/oauth.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const SERVER = join(import.meta.dirname, '../support/servers/configured.mjs');

const scan = (world: World, flags = '') => world.run(`scan ${flags}`, { env: ENV });

interface Scanned {
  readonly name: string;
  readonly client: string;
  readonly file: string;
  readonly also: readonly { readonly client: string }[];
  readonly asked: boolean;
  readonly hooks: number | null;
  readonly events?: readonly string[];
  readonly why?: string;
  readonly install?: string;
  readonly update?: string;
  readonly details?: readonly string[];
}

async function scanned(world: World, flags = ''): Promise<readonly Scanned[]> {
  const { out, err, code } = await scan(world, `--json ${flags}`);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out).servers;
}

/** Configures servers in Cursor's own file, which no other client reads. */
async function inCursor(world: World, servers: Record<string, object>): Promise<void> {
  cpSync(SERVER, join(world.home, 'server.mjs'));
  await world.write('~/.cursor/mcp.json', JSON.stringify({ mcpServers: servers }));
}
const node = (env: Record<string, string> = {}) => ({ command: 'node', args: ['server.mjs'], env });

test("scan lists every command of Claude Code's servers, then the results", async ({
  world,
  expect,
}) => {
  configure(world, 'claude-code', { project: true });
  replace(world.path('~/.claude.json'), '"url": "', '"command": "no-such-command", "was": "');
  replace(world.path('~/.claude.json'), '"type": "http"', '"type": "stdio"');
  const ran = await scan(world);
  expect(ran.transcript).toMatchInlineSnapshot(`
    "
    $ mcp-hooks scan 
    server   configured in  hooks
    annal    Claude Code    2 hooks: session_start, pre_request
    web      Claude Code    failed: no-such-command could not be started: command not found
    resting  Claude Code    not asked: Claude Code does not use it itself: it is switched off in this project

    To install:
      mcp-hooks install annal
    2 of 3 servers could not be asked. They may declare hooks.
    ! Asking 2 servers for hooks:
    !   ~/.claude.json
    !     annal  node server.mjs --api-key *** --db postgres://***@db.example/annal \${NOPE}
    !     web    no-such-command
    exit 0
    "
  `);
  expect(ran.transcript).not.toMatch(SECRET);
});

test('commands are listed by file and aligned; a long name has its own line', async ({
  world,
  expect,
}) => {
  const long = 'a-server-with-a-name-that-nobody-would-type-twice';
  const port = { command: 'no-such-command', args: ['--port', '1', '--root', 'x'.repeat(90)] };
  await inCursor(world, { at: node(), [long]: node({ DECLARES: '1' }), tracker: port });
  await world.write('~/.gemini/settings.json', JSON.stringify({ mcpServers: { at: port } }));
  const { err, out } = await runAt(80, world, ['scan'], { env: ENV });
  expect(`\n${world.tidy(err.replace(/\r.*\r.*/s, ''))}`).toMatchInlineSnapshot(`
    "
    Asking 4 servers for hooks:
      ~/.gemini/settings.json
        at       no-such-command --port 1 --root
                 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                 xxxxxxxxxxxxxxxxxxxxxxx
      ~/.cursor/mcp.json
        at       node server.mjs
        a-server-with-a-name-that-nobody-would-type-twice
                 node server.mjs
        tracker  no-such-command --port 1 --root
                 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                 xxxxxxxxxxxxxxxxxxxxxxx

    "
  `);
  expect(`\n${world.tidy(out)}`).toMatchInlineSnapshot(`
    "
    server                                             hooks
    at                                                 failed: no-such-command could
                                                       not be started: command not
                                                       found
    at                                                 2 hooks: session_start,
                                                       pre_request
    a-server-with-a-name-that-nobody-would-type-twice  1 hook: session_start
    tracker                                            failed: no-such-command could
                                                       not be started: command not
                                                       found

    To install:
      mcp-hooks install at --from cursor
      mcp-hooks install a-server-with-a-name-that-nobody-would-type-twice
    2 of 4 servers could not be asked. They may declare hooks.
    "
  `);
});

test('scan asks the servers of every client, even if it is not installed', async ({ world }) => {
  for (const host of HOSTS) configure(world, host);
  const servers = await scanned(world);
  const annals = servers.filter(({ name }) => name === 'annal');
  expect(
    new Set(annals.flatMap(({ client, also }) => [client, ...also.map((one) => one.client)])),
  ).toEqual(new Set(HOSTS));
  expect(annals.map(({ hooks }) => hooks)).toEqual(annals.map(() => 2));
  // If servers in several clients have the same name, the command names the client.
  expect(annals.map(({ client, install }) => [client, install])).toEqual(
    annals.map(({ client }) => [client, `mcp-hooks install annal --from ${client}`]),
  );
  expect(servers.filter(({ name }) => name === 'asks')).toMatchObject([
    { asked: true, hooks: null, why: expect.stringContaining(`\${input:annal-key}`) },
  ]);
  const chosen = await scanned(world, '--from cursor,vscode');
  expect([...new Set(chosen.map(({ client }) => client))]).toEqual(['cursor', 'vs-code']);
});

test('the same server in several clients is asked once', async ({ world }) => {
  const log = world.path('started');
  const args = ['-e', `require('fs').appendFileSync(${JSON.stringify(log)}, 'x'); process.exit(1)`];
  await inCursor(world, { annal: { command: 'node', args } });
  await world.write(
    '~/.config/Code/User/mcp.json',
    JSON.stringify({ servers: { annal: { command: 'node', args } } }),
  );
  expect(await scanned(world)).toMatchObject([
    { name: 'annal', client: 'cursor', also: [{ client: 'vs-code' }], hooks: null },
  ]);
  expect(readFileSync(log, 'utf8')).toBe('x');
});

test('a server with a variable, which each client writes in its own way, is asked once', async ({
  world,
}) => {
  const server = { command: 'no-such-command', args: [], env: { NOTES_TOKEN: 'hunter2' } };
  const hook = { event: 'session_start', context: 'Hi.', priority: 'suggestion' };
  await world.write('m.json', JSON.stringify({ server, hooks: { declarations: [hook] } }));
  await world.run(`install m.json --name notes --client ${HOSTS} --with-server --yes`);
  const found = async (NOTES_TOKEN?: string) => {
    const { out } = await world.run('scan --json', { env: { NOTES_TOKEN } });
    const { servers }: { servers: readonly Scanned[] } = JSON.parse(out);
    return servers.map(({ client, also }) => [client, ...also.map((one) => one.client)].sort());
  };
  for (const token of ['x', '', undefined])
    expect([token, await found(token)]).toEqual([token, [HOSTS.toSorted()]]);
  const [one = '', ...others] = HOSTS;
  const path = `~/${SERVERS[HOSTS[0] ?? 'codex'].home}`;
  await world.write(path, (await world.read(path)).replace('{NOTES_TOKEN}', '{OTHER_TOKEN}'));
  expect(await found()).toEqual([[one], others.sort()]);
});

test('each server has hooks, none, or a reason for its failure', async ({ world, expect }) => {
  await inCursor(world, {
    two: node(),
    one: node({ DECLARES: '1' }),
    none: node({ DECLARES: '0' }),
    ended: { command: 'node', args: ['-e', 'process.exit(3)'] },
    missing: { command: 'no-such-command' },
    empty: {},
    'no label!': node(),
  });
  const ran = await scan(world);
  expect(ran.code).toBe(0);
  expect(`\n${world.tidy(ran.out)}`).toMatchInlineSnapshot(`
    "
    server     configured in  hooks
    two        Cursor         2 hooks: session_start, pre_request
    one        Cursor         1 hook: session_start
    none       Cursor         none
    ended      Cursor         failed: ended ended (exit code 3) before it answered
    missing    Cursor         failed: no-such-command could not be started: command not found
    empty      Cursor         failed: no command and no address
    no label!  Cursor         2 hooks: session_start, pre_request

    To install:
      mcp-hooks install two
      mcp-hooks install one
      mcp-hooks install 'no label!' --name <label>
    To install all of these:
      mcp-hooks install --all
    To write hooks for a server that has none:
      mcp-hooks init <server>
    3 of 7 servers could not be asked. They may declare hooks.
    "
  `);
});

test('servers that could not be asked may still declare hooks', async ({ world }) => {
  const ended = { command: 'node', args: ['-e', 'process.exit(3)'] };
  await inCursor(world, { none: node({ DECLARES: '0' }), a: ended, b: ended });
  const some = await scan(world);
  expect(some.out).toMatch(
    /\nThe one server that answered declares no hooks\.\nTo write hooks for a server that has none:\n {2}mcp-hooks init <server>\n2 of 3 servers could not be asked. They may declare hooks\.\n$/,
  );
  await inCursor(world, { a: ended, b: { ...ended, disabled: true } });
  const { out } = await scan(world);
  expect(out).toMatch(/\n\n2 of 2 servers could not be asked\. They may declare hooks\.\n$/);
  expect(out).not.toContain('None of them declares hooks');
  await inCursor(world, { none: node({ DECLARES: '0' }) });
  expect((await scan(world)).out).toMatch(
    /\n\nNone of them declares hooks\.\nTo write hooks for a server that has none:\n {2}mcp-hooks init <server>\n$/,
  );
});

test('a server that one client has switched off is asked as another client has it', async ({
  world,
}) => {
  await inCursor(world, { annal: node() });
  const off = '[mcp_servers.annal]\ncommand = "node"\nargs = ["server.mjs"]\nenabled = false\n';
  await world.write('~/.codex/config.toml', off);
  expect(await scanned(world)).toMatchObject([
    { client: 'cursor', also: [{ client: 'codex' }], asked: true, hooks: 2 },
  ]);
});

test('the reason of a failure is the same as in install', async ({ world }) => {
  const crash = "throw new Error('no DATABASE_URL set')";
  await inCursor(world, { notes: { command: 'node', args: ['-e', crash] } });
  const { out } = await scan(world);
  expect(out).toContain('failed: notes ended (exit code 1) before it answered');
  const { err } = await world.run('install notes --client claude --yes', { env: ENV });
  const said = err.slice(err.indexOf('It crashed with:')).trimEnd().split('\n');
  expect(said.slice(0, 2)).toEqual(['It crashed with:', '  | Error: no DATABASE_URL set']);
  expect(out).toContain(`\nnotes\n${said.map((line) => `  ${line}\n`).join('')}`);
  expect(await scanned(world)).toMatchObject([{ details: said }]);
});

describe('an installed server', () => {
  const install = (world: World, line: string) =>
    world.run(`${line} --client claude --yes --allow context-tool`, { env: ENV });

  test('is marked, and not offered again', async ({ world, expect }) => {
    await inCursor(world, { two: node(), one: node({ DECLARES: '1' }) });
    await install(world, 'install two');
    const { out } = await scan(world);
    expect(`\n${world.tidy(out)}`).toMatchInlineSnapshot(`
      "
      server  configured in  hooks
      two     Cursor         2 hooks: session_start, pre_request (installed)
      one     Cursor         1 hook: session_start

      To install:
        mcp-hooks install one
      "
    `);
    const [two, one] = await scanned(world);
    expect(two).toMatchObject({ installed: { label: 'two', sameServer: true } });
    expect(two?.install).toBeUndefined();
    expect(one?.install).toBe('mcp-hooks install one');
    await install(world, 'install one --name other');
    expect((await scan(world)).out).toMatch(
      /1 hook: session_start \(installed as other\)\n\nEverything they declare is already installed\.\n$/,
    );
  });

  test('needs an update if it now declares something else', async ({ world }) => {
    await inCursor(world, { two: node({ DECLARES: '1' }) });
    await install(world, 'install two');
    await inCursor(world, { two: node() });
    const { out } = await scan(world);
    expect(out).toContain('pre_request (installed; its hooks have changed)');
    expect(out).toContain('To update:\n  mcp-hooks update two\n');
    expect(out).not.toContain('mcp-hooks install');
    expect(await scanned(world)).toMatchObject([{ update: 'mcp-hooks update two' }]);
    await world.run('update two --yes', { env: ENV });
    expect((await scan(world)).out).toContain('pre_request (installed)');
  });

  test('is recognized by its command, not by its name', async ({ world }) => {
    const server = join(world.home, 'server.mjs');
    await inCursor(world, { two: { command: 'node', args: [server] } });
    await world.run(
      ['install', '--name', 'typed', '--client', 'claude', '--yes', '--', 'node', server],
      { env: ENV },
    );
    expect((await scan(world)).out).toContain('pre_request (installed as typed)');
    const hook = { event: 'session_start', context: 'Hi.', priority: 'suggestion' };
    await world.write('two.json', manifest(hook));
    await world.run('uninstall typed --yes', { env: ENV });
    await install(world, 'install two.json');
    const { out } = await scan(world);
    expect(world.tidy(out)).toMatch(/pre_request \(two is installed from \/desk\/two.json\)\n$/);
  });
});

test('two servers that differ in hidden values are distinguished without these values', async ({
  world,
}) => {
  const env = { DATABASE_URL: 'postgres://ann:hunter2@one/notes', TEAM_NAME: 'blue' };
  await inCursor(world, { notes: node(env) });
  const other = {
    DATABASE_URL: 'postgres://ann:hunter2@two/notes',
    REGION: 'eu',
    TEAM_NAME: 'blue',
  };
  await world.write(
    '~/.config/Code/User/mcp.json',
    JSON.stringify({ servers: { notes: node(other) } }),
  );
  const { err, transcript } = await scan(world);
  expect(err.split('\n').slice(1, 5)).toEqual([
    '  ~/.cursor/mcp.json',
    '    notes  node server.mjs; environment: DATABASE_URL=*** (value 1), no REGION',
    '  ~/.config/Code/User/mcp.json',
    '    notes  node server.mjs; environment: DATABASE_URL=*** (value 2), REGION=***',
  ]);
  expect(transcript).not.toMatch(SECRET);
});

describe('a server that has to be downloaded first', () => {
  /** An npx that takes some time, puts the package where npx does, and starts the server. */
  const npx = (world: World, milliseconds: number, server = "import(home + '/server.mjs')") =>
    world.write(
      '~/bin/npx',
      `#!${process.execPath}
const fs = require('node:fs');
const { createHash } = require('node:crypto');
const home = process.env.HOME;
const spec = process.argv.at(-1);
const hash = createHash('sha512').update(spec).digest('hex').slice(0, 16);
const modules = home + '/.npm/_npx/' + hash + '/node_modules';
const start = () => { process.argv.splice(2); ${server}; };
const download = () => {
  fs.mkdirSync(modules + '/' + spec, { recursive: true });
  fs.writeFileSync(modules + '/' + spec + '/package.json', '{ "bin": "cli.js" }');
  fs.writeFileSync(modules + '/' + spec + '/cli.js', '');
  fs.writeFileSync(modules + '/.package-lock.json', '{}');
  start();
};
if (fs.existsSync(modules)) start();
else setTimeout(download, ${milliseconds});
`,
      0o755,
    );
  const withNpx = (world: World) => ({ ...ENV, PATH: `${world.home}/bin:${process.env.PATH}` });
  const entry = { command: 'npx', args: ['-y', '@notes/server'] };

  test('gets time for the download, and then the usual time to answer', async ({ world }) => {
    await npx(world, 3500);
    await inCursor(world, { notes: entry });
    const { out, err } = await world.run('scan --timeout 2', { env: withNpx(world) });
    expect(out).toContain('2 hooks: session_start, pre_request');
    expect(err).toContain('notes: npx is downloading @notes/server (1 s) ...');
  });

  test('gets the same time by install', async ({ world }) => {
    await npx(world, 3500);
    await inCursor(world, { notes: entry });
    const line = 'install notes --client claude --yes --timeout 2';
    const { code, err } = await world.run(line, { env: withNpx(world) });
    expect(code).toBe(0);
    expect(err).toContain('notes: npx is downloading @notes/server (1 s) ...');
  });

  test('is ended if it does not answer after the download', async ({ world }) => {
    await npx(world, 600, 'setInterval(() => {}, 1000)');
    await inCursor(world, { notes: entry });
    const { out } = await world.run('scan --timeout 2', { env: withNpx(world) });
    expect(out).toContain('notes did not answer "initialize" within 2 seconds');
  });
});

test('the printed command means only this server, even in a shell', async ({ world }) => {
  await world.write('folder/x', '');
  const names = ['x.json', 'npm:annal', 'folder', 'a$(touch here)', "it's", 'plain'];
  await inCursor(world, Object.fromEntries(names.map((name) => [name, node()])));
  const lines = (await scanned(world)).map(({ install }) => install);
  expect(lines.slice(0, 3)).toEqual([
    'mcp-hooks install x.json --from cursor',
    'mcp-hooks install npm:annal --from cursor --name <label>',
    'mcp-hooks install folder --from cursor',
  ]);
  expect(lines[4]).toBe(`mcp-hooks install 'it'\\''s' --name <label>`);
  expect(lines[5]).toBe('mcp-hooks install plain');
  const typed = `printf %s ${lines[3]?.slice('mcp-hooks install '.length, -' --name <label>'.length)}`;
  const { stdout } = await execa('sh', ['-c', typed], { cwd: world.work });
  expect([stdout, existsSync(world.path('here'))]).toEqual([names[3], false]);
});

test('no command is printed for a name that would be a flag', async ({ world }) => {
  await inCursor(world, { '--yes': node(), plain: node() });
  expect((await scanned(world)).map(({ install }) => install)).toEqual([
    undefined,
    'mcp-hooks install plain',
  ]);
  const { out } = await scan(world);
  expect(out).not.toContain('install --yes');
  expect(out).toContain('(--yes: its name would be read as a flag. Rename it first.)');
  const all = await world.run('install --all --dry-run', { env: ENV });
  expect(all.out).toContain('--yes: its name would be read as a flag. Rename it first.');
});

test('an invalid address does not stop the others', async ({ world, expect }) => {
  await inCursor(world, {
    words: { url: 'not an address' },
    file: { url: 'file:///etc/passwd' },
    named: { url: 'http://ann:hunter2hunter2@127.0.0.1:9/mcp' },
    two: node(),
  });
  const ran = await scan(world);
  expect(ran.code).toBe(0);
  expect(`\n${world.tidy(ran.out)}`).toMatchInlineSnapshot(`
    "
    server  configured in  hooks
    words   Cursor         failed: Invalid server URL: it must begin with http:// or https://, with all variables filled in
    file    Cursor         failed: Invalid server URL: it must begin with http:// or https://, with all variables filled in
    named   Cursor         failed: Its address holds a user or a password, which is not sent: pass your credentials in a header
    two     Cursor         2 hooks: session_start, pre_request

    To install:
      mcp-hooks install two
    3 of 4 servers could not be asked. They may declare hooks.
    "
  `);
  expect(ran.transcript).not.toContain('hunter2');
});

describe("a server in the folder's own files", () => {
  test('is not started without a question', async ({ world }) => {
    const mark = world.path('started');
    await world.write(
      '.vscode/mcp.json',
      JSON.stringify({
        servers: {
          evil: {
            command: 'node',
            args: ['-e', `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`],
          },
        },
      }),
    );
    const ran = await scan(world);
    expect(ran.err).toContain('Files of this folder configure 1 server:');
    expect(ran.out).toContain(
      'not asked: it is configured in a file of this folder; --yes starts it',
    );
    expect(existsSync(mark)).toBe(false);
    expect(await scanned(world)).toMatchObject([{ name: 'evil', asked: false, hooks: null }]);
    await scan(world, '--yes');
    expect(existsSync(mark)).toBe(true);
  });
});

describe('a server that wants a sign-in', () => {
  const hooks = [{ event: 'session_start', context: 'Be kind.', priority: 'important' }];
  const saveSignIn = async (world: World, server: OAuthServer, change: object = {}) => {
    const kept = server.grant();
    const tokens = { ...kept.tokens, ...change };
    const file = `~/.mcp-hooks/tokens/${tokensName(server.address)}`;
    await world.write(file, JSON.stringify({ ...kept, tokens }), 0o600);
  };

  test('is reported with the login command, and no browser is opened', async ({ world }) => {
    const server = await oauthServer({ hooks });
    await inCursor(world, { shy: { url: server.address } });
    const { code, out, err } = await scan(world);
    expect([code, err]).toEqual([0, expect.stringContaining('Asking 1 server for hooks:')]);
    expect(out).toContain(
      `failed: ${server.address} cannot be asked before you have signed in. Sign in: mcp-hooks login ${server.address}\n`,
    );
    expect(server.asked.filter((one) => one !== 'POST /mcp')).toEqual([]);
  });

  test('is asked with the stored one, which is renewed if it has expired', async ({ world }) => {
    const server = await oauthServer({ hooks });
    await inCursor(world, { shy: { url: server.address } });
    await saveSignIn(world, server);
    expect(await scanned(world)).toMatchObject([{ name: 'shy', hooks: 1 }]);
    await saveSignIn(world, server, { expiresAt: 1 });
    const { out, err } = await scan(world);
    expect(out).toContain('1 hook: session_start');
    expect([server.refreshes(), server.faults]).toEqual([1, []]);
    for (const secret of server.secrets) expect(out + err).not.toContain(secret);
  });

  test('with a secret address is named without it, also by install', async ({ world }) => {
    const path = '/s/0123456789abcdef0123456789abcdef/mcp';
    const { url } = await serve((_, response) => void response.writeHead(401).end(), path);
    await inCursor(world, { shy: { url } });
    const { transcript } = await scan(world);
    expect(transcript).toContain('before you have signed in');
    const tried = await world.run('install shy --client claude --yes');
    expect(tried).toMatchObject({ code: 2, err: expect.stringContaining('mcp-hooks login') });
    expect(transcript + tried.transcript).not.toContain('0123456789abcdef');
  });

  test('and rejects the configured credentials is reported', async ({ world }) => {
    const server = await oauthServer({ hooks });
    await saveSignIn(world, server); // not used, because the entry has its own credentials
    await inCursor(world, {
      shy: { url: server.address, headers: { Authorization: 'Bearer of-somebody-else' } },
    });
    const [shy] = await scanned(world);
    expect(shy?.why).toBe(`${server.address} rejected the configured credentials (HTTP 401)`);
  });
});

test('declarations that are not understood are counted', async ({ world }) => {
  const newer = { event: 'on_dream', context: 'Wake up.', priority: 'suggestion' };
  const { url } = await serve(legacy({ hooks: { declarations: [newer] } }));
  await inCursor(world, { odd: { url } });
  expect((await scan(world)).out).toContain('none; 1 entry not understood');
  expect(await scanned(world)).toMatchObject([
    { hooks: 0, notUnderstood: [expect.stringContaining('on_dream')] },
  ]);
});

describe('a server that never answers', () => {
  test('has its own deadline, and the others are asked meanwhile', async ({ world }) => {
    const pids = ['a', 'b', 'c', 'd', 'e'].map((name) => world.path(name));
    await inCursor(world, {
      ...Object.fromEntries(pids.map((path, index) => [`stuck${index}`, node({ HANGS: path })])),
      two: node(),
    });
    const servers = await scanned(world, '--timeout 0.7');
    expect(servers.map(({ name, hooks }) => [name, hooks])).toEqual([
      ...pids.map((_, index) => [`stuck${index}`, null]),
      ['two', 2],
    ]);
    expect(servers[0]?.why).toContain('within 0.7 seconds');
    const left = await Promise.all(
      pids.map((path) => isRunning(Number(readFileSync(path, 'utf8')))),
    );
    expect(left).toEqual(pids.map(() => false));
  });

  test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends with us on %s',
    async (signal, { world }) => {
      const pids = ['a', 'b', 'c'].map((name) => world.path(name));
      await inCursor(
        world,
        Object.fromEntries(pids.map((path, index) => [`stuck${index}`, node({ HANGS: path })])),
      );
      const running = world.start('scan', { env: ENV });
      await until('all servers run', () =>
        pids.every((path) => existsSync(path) && readFileSync(path, 'utf8') !== ''),
      );
      running.kill(signal);
      expect((await running).signal ?? signal).toBe(signal);
      for (const path of pids)
        await until(
          'none runs',
          async () => !(await isRunning(Number(readFileSync(path, 'utf8')))),
        );
    },
  );
});

test('an invalid file is reported, and the other servers are asked', async ({ world }) => {
  await inCursor(world, { two: node() });
  await world.write('~/.codex/config.toml', '[mcp_servers.x\n');
  const ran = await scan(world);
  expect(ran.err).toContain('warning: ~/.codex/config.toml:1:');
  expect(ran.out).toContain('2 hooks: session_start, pre_request');
});

test('a folder or a circular link in the place of a file is reported once', async ({ world }) => {
  await world.folder('~/.cursor/mcp.json');
  await world.link('~/.gemini/settings.json', '~/.gemini/settings.json');
  const { err } = await scan(world);
  expect(err.split('\n')).toEqual([
    'warning: ~/.gemini/settings.json: its links go in a circle; no server in it is found',
    'warning: ~/.cursor/mcp.json: it is a folder; no server in it is found',
    '',
  ]);
});

test.skipIf(!hasTerminal())('progress is one line in a terminal', async ({ world }) => {
  const names = ['a', 'b', 'c', 'd', 'e', '語'].map((letter) => letter.repeat(40));
  await inCursor(world, Object.fromEntries(names.map((name) => [name, node()])));
  const { code, out } = await onTerminal(world, ['scan']);
  const lines = out.split('\u001B[2K').slice(1, -1);
  expect(lines[0]).toContain('0 of 6 asked; now aaa');
  for (const line of lines) expect(columnsOf(line)).toBeLessThan(80);
  expect([code, out]).toEqual([0, expect.stringContaining(`mcp-hooks install ${names[0]}`)]);
});

test('without servers, scan says where it looked', async ({ world }) => {
  const ran = await scan(world);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain('No client has a server configured.');
  expect(ran.out).toMatch(/^\d+ files in which clients keep servers are not there; /m);
  expect(ran.out).not.toContain('mcp.json');
  expect((await scan(world, '--verbose')).out).toContain('~/.config/Code/User/mcp.json');
});

test('wrong usage', async ({ world }) => {
  expect((await scan(world, '--from zed')).code).toBe(2);
  expect((await scan(world, 'annal')).code).toBe(2);
  expect((await scan(world, '--timeout soon')).code).toBe(2);
});

test('scan writes nothing', async ({ world }) => {
  configure(world, 'codex');
  const before = await world.stamps();
  await scan(world);
  expect(await world.stamps()).toEqual(before);
});
