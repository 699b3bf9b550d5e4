// A server in a client's configuration that requires a sign-in: its hooks use the stored sign-in, in all clients.
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

/** The server's entry in each client. */
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
  /** Changes the stored sign-in, as time would. */
  readonly change: (change: (kept: SignIn) => SignIn) => void;
  readonly run: (line: string, env?: Record<string, string>) => ReturnType<World['run']>;
  /** The number of texts that the clients' models read with a prompt. */
  readonly told: (env?: Record<string, string>) => Promise<number>;
}

/** A server in the configuration of one client. The user has signed in, and installed its hooks for three clients. */
async function scene(world: World, host: Host, options: OAuthOptions = {}): Promise<Scene> {
  const server = await oauthServer({ hooks: HOOKS, ...options });
  const { file, text } = HOSTS[host];
  await world.write(file, text(server.address));
  const state = world.path('~/.mcp-hooks');
  await saveSignIn(state, server.grant());
  // With a PATH for the clients' shells.
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

/** Files with a secret, except for the one that stores it. */
const leaks = (world: World, { secrets }: OAuthServer): string[] =>
  Object.entries(filesIn(world.root))
    .filter(([path]) => !path.startsWith(world.path(TOKENS)))
    .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
    .map(([path]) => path);

const hosts: readonly Host[] = ['claude-code', 'codex', 'gemini-cli', 'cursor'];

describe('the sign-in to a configured server', () => {
  test.for(hosts)('of %s is stored, used, renewed and finally removed', async (host, { world }) => {
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

  test('is reported as missing, and doctor says what to do', async ({ world }) => {
    const here = await scene(world, 'claude-code');
    await install(here, 'claude-code');
    await here.run(`logout ${here.address}`);
    expect(await here.told()).toBe(0);
    expect((await here.run('log shy --trials')).out).toContain('not signed in');
    expect((await here.run('doctor shy --json')).out).toContain(`mcp-hooks login ${here.address}`);
  });

  test.skipIf(!hasTerminal())(
    'is offered during an install, and needed only once',
    async ({ world }) => {
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
    },
  );
});

test('a sign-in is stored as long as any label uses it', async ({ world }) => {
  const here = await scene(world, 'claude-code');
  await install(here, 'claude-code');
  await here.run(`install ${here.address} --name other --yes ${CLIENTS.join(' ')}`);
  expect(await here.run('uninstall other --yes')).toMatchObject({ code: 0 });
  expect(await here.told()).toBe(3);
  await here.run('uninstall shy --yes');
  expect(existsSync(here.state)).toBe(false);
});

test('a sign-in that only the install needed is removed with the label, too', async ({ world }) => {
  const context = { event: 'session_start', context: 'Be kind.', priority: 'important' };
  const here = await scene(world, 'claude-code', { hooks: [context] });
  await install(here, 'claude-code');
  await here.run('uninstall shy --yes');
  expect(existsSync(here.state)).toBe(false);
});

test('credentials in the configuration take precedence over a sign-in', async ({ world }) => {
  const here = await scene(world, 'codex');
  await install(here, 'codex');
  const { access_token: SHY = '' } = here.grant().tokens;
  here.change((kept) => ({ ...kept, tokens: { access_token: 'another' } }));
  expect(await here.told({ SHY })).toBe(3);
  expect(tokenStore().isUsable(here.kept() ?? here.grant())).toBe(true);
});

test('an address with a secret in its path is masked', async ({ world }) => {
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

describe('nothing of a sign-in is left', () => {
  /** Leaves what processes leave that are killed during a renewal. */
  const crash = (state: string) => {
    const [name = ''] = readdirSync(join(state, 'tokens'));
    for (const end of ['lock', 'mcp-hooks-999999999.abc.tmp', 'lock.mcp-hooks-999999999.abc.tmp'])
      writeFileSync(
        join(state, 'tokens', `${name}.${end}`),
        end === 'lock' ? '999999999' : 'secret',
      );
  };

  test('after an uninstall', async ({ world }) => {
    const here = await scene(world, 'claude-code');
    await install(here, 'claude-code');
    crash(here.state);
    await here.run('uninstall shy --yes');
    expect(existsSync(here.state)).toBe(false);
  });

  test('after a logout', async ({ world }) => {
    const here = await scene(world, 'claude-code');
    crash(here.state);
    await here.run(`logout ${here.address}`);
    expect(existsSync(here.state)).toBe(false);
  });

  test('after an uninstall during its renewal', async ({ world }) => {
    const here = await scene(world, 'claude-code', { lasts: 3600, slow: 1500 });
    await install(here, 'claude-code');
    here.change(ranOut);
    const firing = here.told();
    await expect.poll(() => here.asked, { timeout: 5000 }).toContain('POST /token');
    await here.run('uninstall shy --yes');
    await firing;
    expect(here.kept()).toBeUndefined();
  });

  test('after an uninstall, which removes no other file that a program names', async ({
    world,
  }) => {
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

test('a stale lock that cannot be removed is waited for only briefly', async ({ world }) => {
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
