// Signing in to a server: a real OAuth server on loopback, and a browser that follows every redirect.
import { existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { filesIn } from '../support/runner/world.ts';
import { type OAuthServer, oauthServer } from '../support/servers/oauth.ts';
import { hasTerminal, type Keys, onTerminal } from '../support/terminal.ts';
import { test as base, type World } from '../support/world.ts';

const test = base.skipIf(!hasTerminal());
const SCREEN = { DISPLAY: ':7' };

/** Visits an address like a browser, and follows its redirects. */
function follow(page: string): void {
  const request = get(page, (answer) => {
    answer.resume();
    if (answer.headers.location) follow(new URL(answer.headers.location, page).href);
  });
  request.on('error', () => {}); // the listener may have closed
}

/** A browser whose program only notes the addresses; the test's own process visits them. */
async function withBrowser(world: World, visit: (page: string) => unknown = follow): Promise<void> {
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >>'${world.path('opened')}'\n`;
  await world.write('../bin/xdg-open', script, 0o755);
  let visited = 0;
  const watcher = watch(world.work, () => {
    for (const page of opened(world).slice(visited)) {
      visited += 1;
      visit(page);
    }
  });
  onTestFinished(() => watcher.close());
}

/** The addresses that the browser got; none if the world was removed, or nothing was opened. */
function opened(world: World): string[] {
  try {
    return readFileSync(world.path('opened'), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Signs in from a terminal, as a separate process. */
const loginOnTerminal = (world: World, server: OAuthServer, keys: readonly Keys[] = []) =>
  onTerminal(world, ['login', server.address], { env: SCREEN, keys });

/** Signs in without a process; `out` is everything that is printed, as in a terminal. */
async function login(
  world: World,
  server: OAuthServer,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = SCREEN,
) {
  const words = ['login', server.address, ...more];
  const { code, out, err } = await world.run(words, { env, interactive: true });
  return { code, out: err + out };
}

const folder = '~/.mcp-hooks/tokens';
const tokenFiles = (world: World): string[] =>
  existsSync(world.path(folder)) ? readdirSync(world.path(folder)).sort() : [];

/** The stored sign-in, of which there is one. */
function kept(world: World) {
  const [name = ''] = tokenFiles(world);
  return JSON.parse(readFileSync(join(world.path(folder), name), 'utf8'));
}

/** Changes the stored tokens, as time or others would. */
async function keep(world: World, change: (tokens: Record<string, unknown>) => object) {
  const [name = ''] = tokenFiles(world);
  const now = kept(world);
  await world.write(
    `${folder}/${name}`,
    JSON.stringify({ ...now, tokens: change(now.tokens) }),
    0o600,
  );
}

const ranOut = (tokens: Record<string, unknown>) => ({ ...tokens, expiresAt: 1 });

/** The places of the server's secrets, except for the file that stores them. */
function leaks(world: World, { secrets }: OAuthServer, ...printed: string[]): string[] {
  const files = Object.entries(filesIn(world.root))
    .filter(([path]) => !path.startsWith(world.path(folder)) && !path.endsWith('opened'))
    .concat(printed.map((text, index) => [`printed ${index}`, text]));
  return secrets.flatMap((secret) =>
    files.flatMap(([path, text]) => (text.includes(secret) ? `${path}: ${secret}` : [])),
  );
}

describe('signing in', () => {
  test('happens once, in the browser that opens', async ({ world }) => {
    const server = await oauthServer();
    await withBrowser(world);
    const first = await loginOnTerminal(world, server);
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Signed in to ${server.address}`),
    });
    expect(first.out).toContain('in the browser that opens');
    expect(server.faults).toEqual([]);
    expect(opened(world)).toHaveLength(1);
    expect(server.asked).toEqual([
      'POST /mcp',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /.well-known/oauth-authorization-server',
      'POST /register',
      'GET /authorize',
      'POST /token',
      'POST /mcp',
    ]);

    server.asked.length = 0;
    const second = await world.run(['login', server.address]);
    expect(second).toMatchObject({ code: 0, out: `You are signed in to ${server.address}.\n` });
    expect(server.asked).toEqual(['POST /mcp']);
    expect(leaks(world, server, first.out, second.out, second.err)).toEqual([]);
  });

  test('stores files that only the owner can read, until a logout', async ({ world }) => {
    const server = await oauthServer();
    await withBrowser(world);
    await login(world, server);
    const modes = [folder, `${folder}/${tokenFiles(world)[0]}`].map((name) =>
      (statSync(world.path(name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '600']);
    expect(tokenFiles(world)).toHaveLength(1);
    const { out } = await world.run(['logout', server.address]);
    expect(out).toContain(`Signed out of ${server.address}`);
    expect(await world.snapshot()).toEqual({ '.': 'folder 755' });
    expect((await world.run(['logout', server.address])).out).toContain('You are not signed in');
  });

  test('uses a client secret if the server gives one', async ({ world }) => {
    const server = await oauthServer({ secret: true, lasts: 3600 });
    await withBrowser(world);
    const { code, out } = await login(world, server);
    expect([code, server.faults]).toEqual([0, []]);
    await keep(world, ranOut);
    const again = await world.run(['login', server.address]);
    expect([again.code, server.refreshes()]).toEqual([0, 1]);
    expect(leaks(world, server, out, again.out, again.err)).toEqual([]);
  });

  test.for([
    ['--no-browser', ['--no-browser'], SCREEN],
    ['no display', [], {}],
  ] as const)('only prints the address: %s', async ([, flags, env], { world }) => {
    const server = await oauthServer();
    await withBrowser(world);
    const { code, out } = await login(world, server, ['--timeout', '2', ...flags], env);
    expect([code, opened(world)]).toEqual([2, []]);
    expect(out).toContain(`${new URL(server.address).origin}/authorize?`);
    expect(out).toContain('No one signed in within');
  });

  test('prints the address if the browser cannot be started', async ({ world }) => {
    const server = await oauthServer();
    await world.write('../bin/xdg-open', 'neither a program nor a script', 0o644);
    const { code, out } = await login(world, server, ['--timeout', '2']);
    expect([code, out]).toEqual([2, expect.stringContaining('open this address in a browser')]);
  });

  test('is not needed for an open server', async ({ world }) => {
    const server = await oauthServer({ open: true });
    const { code, out } = await world.run(['login', server.address]);
    expect([code, out]).toEqual([0, `${server.address} does not require signing in.\n`]);
    expect(await world.snapshot()).toEqual({ '.': 'folder 755' });
  });
});

describe('nothing is stored', () => {
  const nothing = { '.': 'folder 755' };

  test('without a terminal', async ({ world }) => {
    const server = await oauthServer();
    await withBrowser(world);
    const { code, err } = await world.run(['login', server.address], { env: SCREEN });
    expect([code, opened(world)]).toEqual([2, []]);
    expect(err).toContain(`mcp-hooks login ${server.address}`);
    expect(err).toContain('--header');
    expect(await world.snapshot()).toEqual(nothing);
    expect(server.asked).toEqual(['POST /mcp']);
  });

  test('if the answer is to another request', async ({ world }) => {
    const server = await oauthServer({ state: 'somebody-elses' });
    await withBrowser(world);
    const { code, out } = await login(world, server, ['--timeout', '2']);
    expect([code, out]).toEqual([
      2,
      expect.stringMatching(/an answer to another request was\s+ignored/),
    ]);
    expect(server.asked).not.toContain('POST /token');
    expect(await world.snapshot()).toEqual(nothing);
  });

  test('if the user refuses', async ({ world }) => {
    const server = await oauthServer({
      answer: { error: 'access_denied', error_description: 'FOREIGN \u001b[31mWORDS' },
    });
    await withBrowser(world);
    const { code, out } = await login(world, server);
    expect([code, out]).toEqual([2, expect.stringContaining('was refused (access_denied)')]);
    expect(out).not.toContain('WORDS');
    expect(await world.snapshot()).toEqual(nothing);
  });

  test('if the server rejects the code', async ({ world }) => {
    const server = await oauthServer({
      refusal: { error: 'invalid_grant', error_description: 'FOREIGN \u001b[31mWORDS' },
    });
    await withBrowser(world);
    // A separate process, because the SDK may write to the console.
    const { code, out } = await loginOnTerminal(world, server);
    expect([code, out]).toEqual([2, expect.stringContaining('was refused (invalid_grant)')]);
    expect(out).not.toMatch(/WORDS|mcp-sdk/);
    expect(await world.snapshot()).toEqual(nothing);
  });

  test('if the server rejects the registration', async ({ world }) => {
    const server = await oauthServer({ closed: true });
    const { code, out } = await login(world, server);
    expect([code, out]).toEqual([2, expect.stringMatching(/rejected\s+client\s+registration/)]);
    expect(await world.snapshot()).toEqual(nothing);
  });

  test('if a browser should not open the page', async ({ world }) => {
    await withBrowser(world);
    for (const page of ['http://example.com/authorize', 'ftp://127.0.0.1/authorize']) {
      const server = await oauthServer({ page });
      const { code, out } = await login(world, server);
      expect([code, out]).toEqual([
        2,
        expect.stringMatching(/Signing in to \S+ failed: it redirects to/),
      ]);
    }
    expect(opened(world)).toEqual([]);
    expect(await world.snapshot()).toEqual(nothing);
  });

  test('after ctrl-C', async ({ world }) => {
    const server = await oauthServer();
    await withBrowser(world, () => {});
    const keys = [{ after: '/authorize?', type: '\u0003' }];
    const { code, out } = await loginOnTerminal(world, server, keys);
    expect(code).toBe(130);
    expect(await world.snapshot()).toEqual(nothing);
    const [, redirect = ''] = /redirect_uri=([^&\s]+)/.exec(out) ?? [];
    await expect(fetch(decodeURIComponent(redirect))).rejects.toThrow(); // the listener has closed
  });

  test.for([
    'ftp://example.com',
    'https://you:secret@example.com/mcp',
    'http://example.com/mcp',
    'annal',
  ])('for the invalid address %s', async (address, { world }) => {
    const { code, err } = await world.run(['login', address]);
    expect([code, err]).toEqual([2, expect.not.stringContaining('secret')]);
    expect(await world.snapshot()).toEqual(nothing);
  });
});

describe('the redirect', () => {
  test('accepts only its own answer, and only once', async ({ world }) => {
    const server = await oauthServer();
    const status = async (address: string, init?: RequestInit) =>
      (await fetch(address, init).catch(() => undefined))?.status;
    const visit = async (page: string) => {
      const to = new URL(page).searchParams.get('redirect_uri') ?? '';
      const found: unknown[] = [
        await status(to.replace('/callback', '/')),
        await status(to.replace('/callback', '//')),
        await status(to, { method: 'POST' }),
        await status(to.replace('127.0.0.1', 'localhost')),
        await status(`${to}?code=x&state=y`),
      ];
      const answer = await fetch(page, { redirect: 'manual' });
      const there = answer.headers.get('location') ?? '';
      const last = await fetch(there);
      found.push(last.status, last.headers.get('content-security-policy'), await status(there));
      return found;
    };
    const results = new Promise((resolve, reject) => {
      withBrowser(world, (page) => visit(page).then(resolve, reject)).catch(reject);
    });
    const { code } = await login(world, server);
    expect(code).toBe(0);
    expect(await results).toEqual([404, 404, 404, 404, 400, 200, "default-src 'none'", undefined]);
  });
});

describe('an expired token', () => {
  const expired = async (world: World, server: OAuthServer) => {
    await withBrowser(world);
    await login(world, server);
    await keep(world, ranOut);
    server.asked.length = 0;
  };

  test('is renewed without a browser, and the refresh token is used once', async ({ world }) => {
    const server = await oauthServer({ lasts: 3600 });
    await expired(world, server);
    const before = kept(world).tokens;
    const { code } = await world.run(['login', server.address]);
    expect([code, server.asked]).toEqual([0, ['POST /token', 'POST /mcp']]);
    const after = kept(world).tokens;
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect(after.expiresAt).toBeGreaterThan(Date.now());
    expect(server.faults).toEqual([]);
    expect(tokenFiles(world)).toHaveLength(1); // neither a lock nor a temporary file
  });

  test('is renewed if the server rejects it, even before it expires', async ({ world }) => {
    const server = await oauthServer();
    await withBrowser(world);
    await login(world, server);
    server.revoke();
    server.asked.length = 0;
    const { code } = await world.run(['login', server.address]);
    expect([code, server.asked]).toEqual([0, ['POST /mcp', 'POST /token', 'POST /mcp']]);
  });

  test('needs a new sign-in if the server rejects the renewed token, too', async ({ world }) => {
    const server = await oauthServer({ hollow: true });
    await withBrowser(world);
    await login(world, server);
    server.revoke();
    const { code } = await login(world, server);
    expect([code, opened(world).length, server.refreshes()]).toEqual([0, 2, 1]);
  });

  test('is renewed once by eight processes at the same time', async ({ world }) => {
    const server = await oauthServer({ lasts: 3600, slow: 100 });
    await expired(world, server);
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => world.run(['login', server.address])),
    );
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0));
    expect([server.refreshes(), server.faults]).toEqual([1, []]);
    expect(tokenFiles(world)).toHaveLength(1);
  });

  test('is renewed despite the lock of a killed process', async ({ world }) => {
    const server = await oauthServer({ lasts: 3600 });
    await expired(world, server);
    await world.write(`${folder}/${tokenFiles(world)[0]}.lock`, '999999999', 0o600);
    expect((await world.run(['login', server.address])).code).toBe(0);
    expect([server.refreshes(), tokenFiles(world).length]).toEqual([1, 1]);
  });

  test('needs a new sign-in if its renewal is refused', async ({ world }) => {
    const server = await oauthServer({ lasts: 3600 });
    await expired(world, server);
    server.revoke({ refresh: true });
    const alone = await world.run(['login', server.address]);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('wants you to sign in')]);
    expect(kept(world).tokens).toEqual({});
    const { code } = await login(world, server);
    expect([code, opened(world).length]).toEqual([0, 2]);
    expect(leaks(world, server, alone.out, alone.err)).toEqual([]);
  });
});

describe('the sign-ins of a label', () => {
  const install = async (world: World, server: OAuthServer, label: string) => {
    const declarations = [{ event: 'pre_request', context_tool: 'recall', priority: 'important' }];
    const manifest = { server: { url: server.address }, hooks: { declarations } };
    await world.write(`${label}.json`, JSON.stringify(manifest));
    return world.run(
      `install ${label}.json --yes --allow context-tool --client claude,codex,gemini`,
    );
  };

  test('are removed with the last label that uses them', async ({ world }) => {
    const server = await oauthServer();
    const other = await oauthServer();
    await withBrowser(world);
    const printed: string[] = [];
    for (const label of ['shy', 'coy']) printed.push((await install(world, server, label)).out);
    for (const one of [server, other]) printed.push((await login(world, one)).out);
    for (const words of ['list', 'doctor', 'diff shy.json', 'fire shy pre_request --json']) {
      const PATH = process.env.PATH; // for the clients' shells
      const { out, err } = await world.run(words, { env: { PATH } });
      printed.push(out, err);
    }
    expect(printed.join().match(/You know who\./g)).toHaveLength(3); // one for each client
    expect(printed[0]).toContain('calls use your sign-in');
    expect([...leaks(world, server, ...printed), ...leaks(world, other, ...printed)]).toEqual([]);

    await world.run('uninstall shy --yes --client claude');
    expect(tokenFiles(world)).toHaveLength(2);
    await world.run('uninstall shy --yes');
    expect(tokenFiles(world)).toHaveLength(2);
    await world.run('uninstall coy --yes --dry-run');
    expect(tokenFiles(world)).toHaveLength(2);
    await world.run('uninstall coy --yes');
    expect(kept(world).server).toBe(other.address);
    expect(tokenFiles(world)).toHaveLength(1);
    await world.run(['logout', other.address]);
    expect(existsSync(world.path('~/.mcp-hooks'))).toBe(false);
  });
});

describe('an install of a server that requires a sign-in', () => {
  const hooks = [
    { event: 'session_start', context: 'Be kind.', priority: 'important' },
    { event: 'pre_request', context_tool: 'recall', priority: 'important' },
  ];
  const clients = ['--client', 'claude,codex,gemini', '--allow', 'context-tool'];
  const installing = (server: OAuthServer) => [
    'install',
    server.address,
    '--name',
    'shy',
    ...clients,
  ];

  test('offers the sign-in, continues after it, and needs it once', async ({ world }) => {
    const server = await oauthServer({ hooks });
    await withBrowser(world);
    const keys = [
      { after: 'Open a browser now?', type: 'y\r' },
      { after: 'Apply changes to 3 files?', type: 'y\r' },
    ];
    const { code, out } = await onTerminal(world, installing(server), { env: SCREEN, keys });
    expect([code, opened(world).length]).toEqual([0, 1]);
    expect(out).toContain('Installed: shy in 3 clients');

    const diff = ['diff', server.address, '--name', 'shy', ...clients];
    const again = await world.run(diff, { whole: true }); // unchanged since the install
    expect([again.code, opened(world).length]).toEqual([0, 1]);
    await keep(world, ranOut);
    const PATH = process.env.PATH; // for the clients' shells
    const fired = await world.run('fire shy pre_request --json', { env: { PATH } });
    expect(fired.out.match(/You know who\./g)).toHaveLength(3); // one for each client
    expect([server.refreshes(), server.faults]).toEqual([1, []]);
    const checked = await world.run('doctor shy --servers --json');
    const findings: { check: string; level: string }[] = JSON.parse(checked.out).findings;
    expect(findings.filter(({ check }) => check === 'server')).toMatchObject([{ level: 'ok' }]);
    expect(leaks(world, server, out, again.out, fired.out, fired.err, checked.out)).toEqual([]);

    await world.run('uninstall shy --yes');
    expect(existsSync(world.path('~/.mcp-hooks'))).toBe(false);
  });

  test('installs nothing if the user declines', async ({ world }) => {
    const server = await oauthServer({ hooks });
    await withBrowser(world);
    const keys = [{ after: 'Open a browser now?', type: 'n\r' }];
    const { code, out } = await onTerminal(world, installing(server), { env: SCREEN, keys });
    expect([code, opened(world)]).toEqual([2, []]);
    expect(out).toContain(`mcp-hooks login ${server.address}`);
    expect(await world.snapshot()).toEqual({ '.': 'folder 755' });
  });

  test('is refused without a terminal, with the command for a sign-in', async ({ world }) => {
    const server = await oauthServer({ hooks });
    await withBrowser(world);
    const { code, err } = await world.run([...installing(server), '--yes'], { env: SCREEN });
    expect([code, opened(world)]).toEqual([2, []]);
    expect(err).toContain(`mcp-hooks login ${server.address}`);
    expect(await world.snapshot()).toEqual({ '.': 'folder 755' });
  });

  test('accepts a header instead', async ({ world }) => {
    const server = await oauthServer({ hooks });
    const { tokens } = server.grant();
    const TOKEN = tokens.access_token;
    for (const [value, env] of [
      [`Bearer ${TOKEN}`, {}],
      ['Bearer $' + '{TOKEN}', { TOKEN }],
    ] as const) {
      const words = [...installing(server), '--yes', '--header', `Authorization: ${value}`];
      const { code, out, err } = await world.run(words, { env });
      expect(code).toBe(0);
      expect(err.includes('used once and not saved')).toBe(env.TOKEN === undefined);
      expect(leaks(world, server, out, err)).toEqual([]);
    }
    const fired = await world.run('fire shy pre_request --json', { env: { TOKEN } });
    expect(fired.out).toContain('You know who.');
    const wrong = [
      'diff',
      server.address,
      ...clients,
      '--name',
      'shy',
      '--header',
      'Authorization: no',
    ];
    const { code, err } = await world.run(wrong);
    expect([code, err]).toEqual([2, expect.stringContaining('HTTP 401')]);
  });
});
