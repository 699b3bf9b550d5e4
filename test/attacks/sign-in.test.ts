/** A server that requires a sign-in decides neither where requests go, nor that something is sent unencrypted. */
import { createServer } from 'node:http';
import { expect } from 'vitest';
import { boundedFetch, isAllowed } from '../../src/sources/oauth/fetch.ts';
import { listening } from '../support/servers/listening.ts';
import { type OAuthOptions, oauthServer } from '../support/servers/oauth.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import type { World } from '../support/world.ts';
import { attack } from './attack.ts';

const withTerminal = attack.skipIf(!hasTerminal());

/** A foreign host, which must get no request. mcp-hooks does not count `127.0.0.2` as this machine. */
async function stranger(host: string) {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { origin: await listening(server, { host }), asked };
}

/** Signs in with a browser that follows every redirect. */
async function login(world: World, options: OAuthOptions) {
  const server = await oauthServer(options);
  const script = `#!${process.execPath}\nfetch(process.argv[2]);\n`;
  await world.write('../bin/xdg-open', script, 0o755);
  const words = ['login', server.address, '--timeout', '5'];
  const { code, out } = await onTerminal(world, words, { env: { DISPLAY: ':7' } });
  return { server, code, out };
}

withTerminal('metadata on another host is not fetched', async ({ world }) => {
  const other = await stranger('127.0.0.1');
  const { code, server } = await login(world, { metadataAt: `${other.origin}/metadata` });
  expect(other.asked).toEqual([]);
  // The default place is used, so that a harmless mistake of a server does not prevent the sign-in.
  expect([code, server.faults]).toEqual([0, []]);
});

for (const endpoint of ['registration_endpoint', 'authorization_endpoint', 'token_endpoint'])
  withTerminal(`nothing is sent in the clear to a ${endpoint}`, async ({ world }) => {
    const other = await stranger('127.0.0.2');
    const endpoints = { [endpoint]: `${other.origin}/x` };
    const { code, out } = await login(world, { endpoints });
    expect(other.asked).toEqual([]);
    expect([code, out]).toEqual([2, expect.stringContaining(other.origin)]);
    expect(await world.snapshot()).toEqual({ '.': 'folder 755' });
  });

withTerminal('an issuer is not asked in the clear', async ({ world }) => {
  const other = await stranger('127.0.0.2');
  const { code } = await login(world, { issuer: other.origin });
  expect([other.asked, code]).toEqual([[], 2]);
});

withTerminal('a redirect to another host is not followed', async ({ world }) => {
  const other = await stranger('127.0.0.1');
  await login(world, { movedTo: `${other.origin}/x` });
  expect(other.asked).toEqual([]);
});

attack('a code or a secret is not sent on to where a redirect leads', async () => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(url === '/moved' ? 200 : 307, { location: '/moved' }).end();
  });
  const origin = await listening(server);
  const fetch = boundedFetch(origin, 5000);
  expect((await fetch(`${origin}/metadata`)).status).toBe(200);
  expect((await fetch(`${origin}/token`, { method: 'POST', body: 'code=1' })).status).toBe(307);
  expect(asked).toEqual(['GET /metadata', 'GET /moved', 'POST /token']);
});

attack('a server on the internet cannot have a port of this machine asked', async () => {
  const local = await stranger('127.0.0.1');
  const fetch = boundedFetch('https://mcp.example.com/mcp', 5000);
  await expect(fetch(`${local.origin}/x`)).rejects.toMatchObject({
    problem: { code: 'sign-in-failed', why: { code: 'sign-in-elsewhere' } },
  });
  await expect(fetch(local.origin, { method: 'POST' })).rejects.toThrow();
  expect(local.asked).toEqual([]);
});

attack("a server on the internet cannot have a host of the user's network asked", () => {
  const near = [
    'http://localhost:1',
    'https://localhost:1',
    'https://a.localhost.',
    'https://127.9.9.9',
    'https://2130706433',
    'https://0x7f.1',
    'https://0',
    'https://10.0.0.1',
    'https://172.20.0.1',
    'https://192.168.1.1',
    'https://100.64.0.1',
    'https://169.254.169.254',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:10.0.0.1]',
    'https://[::7f00:1]',
    'https://[fd00::1]',
    'https://[fe80::1]',
    'http://mcp.example.com',
    'file:///etc/passwd',
  ];
  const from = (server: string) =>
    near.filter((address) => isAllowed(new URL(server), new URL(address)));
  expect(from('https://mcp.example.com/mcp')).toEqual([]);
  expect(from('https://8.8.8.8/mcp')).toEqual([]);
  // A server in the same network may name addresses in it.
  expect(from('http://127.0.0.1:1/mcp')).toContain('http://localhost:1');
  expect(from('http://127.0.0.1:1/mcp')).not.toContain('https://169.254.169.254');
  expect(from('https://10.0.0.2/mcp')).toContain('https://192.168.1.1');
  expect(from('https://10.0.0.2/mcp')).not.toContain('https://127.9.9.9');
  for (const far of ['https://auth.example.org', 'https://8.8.4.4', 'https://[2001:db8::1]'])
    expect(isAllowed(new URL('https://mcp.example.com/mcp'), new URL(far))).toBe(true);
});
