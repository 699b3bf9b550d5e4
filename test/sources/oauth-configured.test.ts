// A server in a client's configuration, at an address that requires a sign-in: its hooks use what is stored, in all clients.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { readSignIn, type SignIn, saveSignIn, tokenStore } from '../../src/sources/oauth/tokens.ts';
import { filesIn } from '../support/runner/world.ts';
import { serve } from '../support/servers/addressed.ts';
import { type OAuthOptions, type OAuthServer, oauthServer } from '../support/servers/oauth.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const HOOKS = [{ event: 'pre_request', context_tool: 'recall', priority: 'important' }] as const;
const CLIENTS = ['--client', 'claude,codex,gemini', '--allow', 'context-tool'];
const TOKENS = '~/.mcp-hooks/tokens';
const ROOT = join(import.meta.dirname, '..', '..');

/** How the server stands in each client. */
const HOSTS = {
  'claude-code': {
    file: '~/.claude.json',
    text: (url: string) => JSON.stringify({ mcpServers: { shy: { type: 'http', url } } }),
  },
  codex: {
    file: '~/.codex/config.toml',
    text: (url: string) => `[mcp_servers.shy]\nurl = "${url}"\nbearer_token_env_var = "SHY"\n`,
  },
  'gemini-cli': {
    file: '~/.gemini/settings.json',
    text: (httpUrl: string) => JSON.stringify({ mcpServers: { shy: { httpUrl } } }),
  },
  cursor: {
    file: '~/.cursor/mcp.json',
    text: (url: string) => JSON.stringify({ mcpServers: { shy: { url } } }),
  },
} as const;
type Host = keyof typeof HOSTS;

interface Scene extends OAuthServer {
  readonly state: string;
  readonly kept: () => SignIn | undefined;
  /** Changes what is kept as time would. */
  readonly change: (change: (kept: SignIn) => SignIn) => void;
  readonly run: (line: string, env?: Record<string, string>) => ReturnType<World['run']>;
  /** What each client's model is told with a prompt. */
  readonly told: (env?: Record<string, string>) => Promise<number>;
}

/** Configured in one client; somebody has signed in, and has it installed for three. */
async function scene(world: World, host: Host, options: OAuthOptions = {}): Promise<Scene> {
  const server = await oauthServer({ hooks: HOOKS, ...options });
  const { file, text } = HOSTS[host];
  await world.write(file, text(server.address));
  const state = world.path('~/.mcp-hooks');
  await saveSignIn(state, server.grant());
  // With shells, which clients start.
  const run = (line: string, env = {}) =>
    world.run(line, { env: { PATH: process.env.PATH, ...env } });
  return {
    ...server,
    state,
    kept: () => readSignIn(state, server.address),
    change(change) {
      const [name = ''] = readdirSync(join(state, 'tokens'));
      const path = join(state, 'tokens', name);
      writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))));
    },
    run,
    async told(env) {
      const { out } = await run('fire shy pre_request --json', env);
      return out.match(/You know who\./g)?.length ?? 0;
    },
  };
}

const install = ({ run }: Scene, host: Host) =>
  run(`install shy --from ${host} --yes ${CLIENTS.join(' ')}`);
const ranOut = (kept: SignIn): SignIn => ({ ...kept, tokens: { ...kept.tokens, expiresAt: 1 } });

/** Files that hold a secret, but for the one that keeps it. */
const leaks = (world: World, { secrets }: OAuthServer): string[] =>
  Object.entries(filesIn(world.root))
    .filter(([path]) => !path.startsWith(world.path(TOKENS)))
    .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
    .map(([path]) => path);

const hosts: readonly Host[] = ['claude-code', 'codex', 'gemini-cli', 'cursor'];

describe('a configured server that one has to sign in to', () => {
  test.for(hosts)('of %s: kept, used, renewed, and gone in the end', async (host, { world }) => {
    const here = await scene(world, host, { lasts: 3600 });
    const before = await world.snapshot();
    expect(await install(here, host)).toMatchObject({ code: 0 });
    expect(await here.told()).toBe(3); // once for each client

    here.change(ranOut);
    expect(await here.told()).toBe(3);
    expect([here.refreshes(), here.faults]).toEqual([1, []]);
    here.revoke();
    expect(await here.told()).toBe(3);
    expect([here.refreshes(), here.faults, leaks(world, here)]).toEqual([2, [], []]);

    here.revoke({ refresh: true });
    expect(await here.told()).toBe(0);
    expect(here.kept()?.tokens).toEqual({});
    const doctor = await here.run('doctor shy --json');
    expect(
      JSON.parse(doctor.out).findings.filter((one: { check: string }) => one.check === 'sign-in'),
    ).toMatchObject([
      {
        level: 'error',
        about: 'shy',
        what: `you are no longer signed in to ${here.address}`,
        todo: `mcp-hooks login ${here.address}`,
      },
    ]);

    expect(await here.run('uninstall shy --yes')).toMatchObject({ code: 0 });
    const ours = ([name]: [string, unknown]) => !name.startsWith('.mcp-hooks');
    expect(await world.snapshot()).toEqual(Object.fromEntries(Object.entries(before).filter(ours)));
  });

  test('that is missing: nothing else is reported, and doctor knows what to do', async ({
    world,
  }) => {
    const here = await scene(world, 'claude-code');
    await install(here, 'claude-code');
    await here.run(`logout ${here.address}`);
    expect(await here.told()).toBe(0);
    expect((await here.run('log shy --trials')).out).toContain('not signed in');
    expect((await here.run('doctor shy --json')).out).toContain(`mcp-hooks login ${here.address}`);
  });

  test.skipIf(!hasTerminal())('while it is read: offered, and needed once', async ({ world }) => {
    const here = await scene(world, 'gemini-cli');
    await here.run(`logout ${here.address}`);
    await world.write(
      '../bin/xdg-open',
      `#!${process.execPath}\n(async () => { await fetch(process.argv[2]); })();\n`,
      0o755,
    );
    const keys = [
      { after: 'Open a browser now?', type: 'y\r' },
      { after: 'Apply changes to ', type: 'y\r' },
    ];
    const words = ['install', 'shy', ...CLIENTS];
    const { code, out } = await onTerminal(world, words, { env: { DISPLAY: ':7' }, keys });
    expect([code, out]).toEqual([0, expect.stringContaining('Installed: shy')]);
    expect([await here.told(), leaks(world, here)]).toEqual([3, []]);
  });
});

test('a sign-in stays as long as any label uses it', async ({ world }) => {
  const here = await scene(world, 'claude-code');
  await install(here, 'claude-code');
  await here.run(`install ${here.address} --name other --yes ${CLIENTS.join(' ')}`);
  expect(await here.run('uninstall other --yes')).toMatchObject({ code: 0 });
  expect(await here.told()).toBe(3);
  await here.run('uninstall shy --yes');
  expect(existsSync(here.state)).toBe(false);
});

test('a sign-in that was needed to read it alone goes with it, too', async ({ world }) => {
  const context = { event: 'session_start', context: 'Be kind.', priority: 'important' };
  const here = await scene(world, 'claude-code', { hooks: [context] });
  await install(here, 'claude-code');
  await here.run('uninstall shy --yes');
  expect(existsSync(here.state)).toBe(false);
});

test('what authorises the user in the configuration comes before it', async ({ world }) => {
  const here = await scene(world, 'codex');
  await install(here, 'codex');
  const { access_token: SHY = '' } = here.grant().tokens;
  here.change((kept) => ({ ...kept, tokens: { access_token: 'another' } }));
  expect(await here.told({ SHY })).toBe(3);
  expect(tokenStore().isUsable(here.kept() ?? here.grant())).toBe(true);
});

test('of a path in which there is a secret nothing is printed', async ({ world }) => {
  const { url: origin } = await serve((_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  }, '');
  const { file, text } = HOSTS['claude-code'];
  await world.write(file, text(`${origin}/k3yk3yk3yk3yk3yk3y77/mcp`));
  const { code, out, err } = await world.run(`install shy --yes ${CLIENTS.join(' ')}`);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`${origin}/***/mcp wants you to sign in`),
  ]);
  expect(out + err).not.toContain('k3y');
});

describe('nothing is left of a sign-in', () => {
  /** What processes that were killed in the midst of it leave. */
  const crash = (state: string) => {
    const [name = ''] = readdirSync(join(state, 'tokens'));
    for (const end of ['lock', 'mcp-hooks-999999999.abc.tmp', 'lock.mcp-hooks-999999999.abc.tmp'])
      writeFileSync(
        join(state, 'tokens', `${name}.${end}`),
        end === 'lock' ? '999999999' : 'secret',
      );
  };

  test('by an uninstall', async ({ world }) => {
    const here = await scene(world, 'claude-code');
    await install(here, 'claude-code');
    crash(here.state);
    await here.run('uninstall shy --yes');
    expect(existsSync(here.state)).toBe(false);
  });

  test('by a logout', async ({ world }) => {
    const here = await scene(world, 'claude-code');
    crash(here.state);
    await here.run(`logout ${here.address}`);
    expect(existsSync(here.state)).toBe(false);
  });

  test('when it is renewed at the time', async ({ world }) => {
    const here = await scene(world, 'claude-code', { lasts: 3600, slow: 1500 });
    await install(here, 'claude-code');
    here.change(ranOut);
    const firing = here.told();
    await expect.poll(() => here.asked, { timeout: 5000 }).toContain('POST /token');
    await here.run('uninstall shy --yes');
    await firing;
    expect(here.kept()).toBeUndefined();
  });

  test('and nothing else, whatever the name of a file in a program says', async ({ world }) => {
    const here = await scene(world, 'claude-code');
    await install(here, 'claude-code');
    await world.write('~/mine', 'mine');
    const folder = join(here.state, 'servers/shy');
    for (const name of readdirSync(folder).filter((one) => /^[a-z-]+\.\w+\.json$/.test(one))) {
      const program = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      program.server.tokens = world.path('~/mine');
      writeFileSync(join(folder, name), JSON.stringify(program));
    }
    await here.run('uninstall shy --yes');
    expect(await world.read('~/mine')).toBe('mine');
    expect(existsSync(here.state)).toBe(false);
  });
});

test('a lock that nobody holds and nobody can remove is waited for, briefly', async ({ world }) => {
  await world.write('a.lock', '999999999');
  const script = `require('node:fs').renameSync = () => { throw new Error('EROFS'); };
    require(${JSON.stringify(join(ROOT, 'dist/templates/lock.cjs'))})
      .locked('a.lock', Date.now() + 300, () => 'taken').then(console.log)`;
  const ran = await execa(process.execPath, ['-e', script], {
    cwd: world.work,
    reject: false,
    timeout: 5000,
  });
  expect(ran).toMatchObject({ timedOut: false, stdout: 'undefined' });
});
