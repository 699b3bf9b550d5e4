// Requests to servers of both eras over each transport, what is made of their answers, and the limits of an answer.

import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test as plain } from 'vitest';
import { EVENTS, EXTENSION } from '../../src/declaration/declaration.ts';
import { findServer } from '../../src/sources/find.ts';
import { type AskOptions, askServer } from '../../src/sources/protocol/ask.ts';
import type { Env } from '../../src/system/env.ts';
import { Unauthorized } from '../../src/system/errors.ts';
import { until } from '../support/processes.ts';
import { linesOf } from '../support/said.ts';
import {
  type Answering,
  events,
  json,
  legacy,
  modern,
  serve,
  withEvents,
} from '../support/servers/addressed.ts';
import { test } from '../support/world.ts';

const SCRIPTED = join(import.meta.dirname, '../support', 'servers', 'scripted.mjs');
const ANSWERING = join(import.meta.dirname, '../support', 'servers', 'answering.sh');
const NODE = process.execPath;
const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const hooks = { declarations: [HELLO] };
const UNSUPPORTED = {
  error: { code: -32022, message: 'Unsupported version', data: { supported: ['2026-07-28'] } },
};
const KNOWN = { supported_events: [...EVENTS] };
const OPT_IN = {
  hooks: KNOWN,
  experimental: { hooks: KNOWN },
  extensions: { [EXTENSION]: KNOWN },
};

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'mcp-hooks-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const common = { label: 'annal', deadline: 10_000, version: '1.2.3' };
const askAt = (url: string, options: Partial<AskOptions> = {}) =>
  askServer({ ...common, url, ...options });
const askProcess = (args: readonly string[], options: { deadline?: number; env?: Env } = {}) =>
  askServer({ ...common, command: NODE, args, cwd: scratch, env: process.env, ...options });

async function planned(plan: object): Promise<string> {
  const path = join(scratch, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(plan));
  return path;
}

const askScripted = async (plan: object, options: { deadline?: number } = {}) =>
  askProcess([SCRIPTED, await planned(plan)], options);

/** The error as the user reads it, with `<url>` for the address. */
async function failure(asking: Promise<unknown>, url = ''): Promise<string[]> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const lines = linesOf(error).map((line) => line.replace(NODE, 'node'));
  return lines.map((line) => (url ? line.replaceAll(url, '<url>') : line));
}

const answered = (capabilities: unknown) => ({
  result: { protocolVersion: '2025-06-18', capabilities },
});

describe('over stdio', () => {
  plain('a server of before 2026', async () => {
    expect(await askScripted({ body: answered({ hooks }) })).toMatchObject({
      hooks: [HELLO],
      found: {
        transport: 'stdio',
        era: 'legacy',
        protocol: '2025-06-18',
        key: 'capabilities.hooks',
        passedOver: [],
      },
    });
  });

  plain('a server of 2026 only is asked again in the same process', async () => {
    const pids = join(scratch, `${randomUUID()}.pids`);
    const echo = { declarations: [{ ...HELLO, context: '$request' }] };
    const discover = { result: { resultType: 'complete', capabilities: { hooks: echo } } };
    const declared = await askScripted({ body: UNSUPPORTED, discover, starts: pids });
    expect(declared).toMatchObject({ found: { era: 'modern', protocol: '2026-07-28' } });
    expect((await readFile(pids, 'utf8')).split('\n').filter(Boolean)).toHaveLength(1);
    expect(JSON.parse(declared.hooks[0]?.context ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 2,
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'mcp-hooks', version: '1.2.3' },
          'io.modelcontextprotocol/clientCapabilities': OPT_IN,
        },
      },
    });
  });

  plain('a server of both eras is asked as one of before 2026', async () => {
    const discover = { result: { capabilities: {} } };
    const declared = await askScripted({ body: answered({ hooks }), discover });
    expect(declared).toMatchObject({ hooks: [HELLO], found: { era: 'legacy' } });
  });

  plain('a server that ends on an unknown first request', async () => {
    const body = answered({ hooks });
    expect((await askScripted({ body, first: 'initialize' })).hooks).toEqual([HELLO]);
  });

  plain('a server that continues only after "notifications/initialized" gets it', async () => {
    const seen = join(scratch, `${randomUUID()}.initialized`);
    await askScripted({ body: answered({ hooks }), initialized: seen });
    await until('it was told', async () => (await readFile(seen, 'utf8').catch(() => '')) !== '');
  });

  plain('a server that asks something before it answers', async () => {
    const asks = [
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', id: 'b', method: 'roots/list' },
    ];
    const { hooks: echoed } = await askScripted({
      asks,
      body: answered({ hooks: { declarations: [{ ...HELLO, context: '$replies' }] } }),
    });
    expect(JSON.parse(echoed[0]?.context ?? '')).toEqual([
      { jsonrpc: '2.0', id: 'a', result: {} },
      { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
    ]);
  });

  plain('a server that refuses both ways to ask reports why', async () => {
    const discover = { error: { code: -32000, message: 'not today' } };
    expect(await failure(askScripted({ body: UNSUPPORTED, discover }))).toEqual([
      'node answered "initialize" with an error: Unsupported version (-32022). Nothing was written.',
      '"server/discover" (protocol 2026-07-28) was answered with an error, too: not today (-32000).',
    ]);
  });

  plain('if a server sends nothing more after its refusal, the refusal counts', async () => {
    const refusing = askScripted({ body: UNSUPPORTED, mute: true }, { deadline: 3000 });
    expect(await failure(refusing)).toEqual([
      'node answered "initialize" with an error: Unsupported version (-32022). Nothing was written.',
    ]);
  });

  plain('a server gets only the given environment', async () => {
    const script = `
      process.stdin.once('data', () => {
        const context = Object.keys(process.env).sort().join();
        const hooks = { declarations: [{ ...${JSON.stringify(HELLO)}, context }] };
        console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { capabilities: { hooks } } }));
      });`;
    const { hooks: told } = await askProcess(['-e', script], { env: { ONLY: 'this' } });
    expect(told[0]?.context).toBe('ONLY');
  });

  plain('a missing folder is not reported as a missing command', async () => {
    const cwd = join(scratch, 'gone');
    const asking = askServer({ ...common, command: NODE, args: [], cwd, env: {} });
    expect(await failure(asking)).toEqual([
      `node could not be started: ${cwd}, the folder in which it is to run, is not there. Nothing was written.`,
    ]);
  });
});

test("a process that left its server's group does not delay the answer", async ({ world }) => {
  const far = world.path('far');
  const answer = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    ...answered({ hooks: { declarations: [] } }),
  });
  const script = `
    const options = { detached: true, stdio: 'inherit' };
    const { pid } = require('child_process').spawn('sleep', ['60'], options);
    require('fs').writeFileSync(${JSON.stringify(far)}, String(pid));
    process.stdin.once('data', () => console.log(${JSON.stringify(answer)}));
  `;
  await world.folder('~/.claude');
  const ran = await world.run(['diff', '--name', 'annal', '--', NODE, '-e', script], {
    env: { PATH: process.env.PATH },
  });
  process.kill(Number(await readFile(far, 'utf8')), 'SIGKILL');
  expect(ran.out).toContain('annal declares no hooks');
});

describe('over HTTP', () => {
  plain.each([
    ['JSON', false],
    ['a stream of events, with a question before it', true],
  ])('a server of before 2026 that answers with %s', async (_, stream) => {
    const { url, sent, asked } = await serve(legacy({ hooks }, { stream }));
    expect(await askAt(url, { headers: { authorization: 'Bearer t' } })).toMatchObject({
      label: 'annal',
      hooks: [HELLO],
      server: { url },
      source: { kind: 'url', url },
      found: { transport: 'http', era: 'legacy', protocol: '2025-06-18' },
    });
    expect(asked().filter((one) => one !== 'POST')).toEqual([
      'POST initialize',
      'POST notifications/initialized',
      'DELETE',
    ]);
    expect(sent[0]?.message?.params).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: OPT_IN,
      clientInfo: { name: 'mcp-hooks', version: '1.2.3' },
    });
    expect(sent[0]?.headers).not.toHaveProperty('mcp-protocol-version');
    expect(sent[0]?.headers.accept).toBe('application/json, text/event-stream');
    for (const { headers } of sent) expect(headers.authorization).toBe('Bearer t');
    for (const { headers } of sent.slice(-2))
      expect(headers).toMatchObject({
        'mcp-session-id': 'session-7',
        'mcp-protocol-version': '2025-06-18',
      });
  });

  plain('for a server of 2026 only, headers repeat parts of the message', async () => {
    const { url, asked } = await serve(modern({ extensions: { [EXTENSION]: hooks } }));
    expect(await askAt(url)).toMatchObject({
      hooks: [HELLO],
      found: {
        transport: 'http',
        era: 'modern',
        protocol: '2026-07-28',
        key: `capabilities.extensions["${EXTENSION}"]`,
      },
    });
    expect(asked()).toEqual(['POST initialize', 'POST server/discover']);
  });

  plain('a server of both eras', async () => {
    const [old, now] = [legacy({ hooks }), modern({})];
    const { url, asked } = await serve((sent, response) =>
      (sent.headers['mcp-method'] ? now : old)(sent, response),
    );
    expect(await askAt(url)).toMatchObject({ hooks: [HELLO], found: { era: 'legacy' } });
    expect(asked()).not.toContain('POST server/discover');
  });

  plain('a server of HTTP+SSE', async () => {
    const { url, asked } = await serve(withEvents({ hooks }));
    expect(await askAt(url)).toMatchObject({
      hooks: [HELLO],
      found: { transport: 'sse', era: 'legacy', protocol: '2024-11-05' },
    });
    expect(asked()).toEqual([
      'POST initialize',
      'POST server/discover',
      'GET',
      'POST initialize',
      'POST notifications/initialized',
    ]);
  });

  plain('a redirect within the server is followed, with the headers', async () => {
    const there = legacy({ hooks });
    const { url, sent } = await serve((one, response) => {
      if (one.path === '/mcp') response.writeHead(308, { location: '/new' }).end();
      else there(one, response);
    });
    expect((await askAt(url, { headers: { 'x-key': 'k' } })).hooks).toEqual([HELLO]);
    expect(sent.find(({ path }) => path === '/new')?.headers['x-key']).toBe('k');
  });

  plain.each([301, 302, 307, 308])(
    'a redirect to another host (%i) is not followed, and nothing is sent there',
    async (status) => {
      const other = await serve(legacy({ hooks }));
      const { url } = await serve((_, response) => {
        response.writeHead(status, { location: other.url }).end();
      });
      expect(await failure(askAt(url, { headers: { 'x-key': 'k' } }), url)).toEqual([
        `<url> redirects to ${other.url}, which was not followed: use that address if you mean that server. Nothing was written.`,
      ]);
      expect(other.sent).toEqual([]);
    },
  );
});

describe('errors of a server at an address', () => {
  const status =
    (code: number, headers: Record<string, string> = {}): Answering =>
    (_, response) => {
      response.writeHead(code, headers).end('<html>no</html>');
    };

  plain(
    'it wants a sign-in, and its request is shown with hidden characters spelled out',
    async () => {
      const words = 'Bearer realm="x", resource_metadata="http://127.0.0.1/.well-known/x"';
      const { url, sent } = await serve(
        status(401, { 'www-authenticate': `${words}, note="\u00ad"` }),
      );
      expect(await failure(askAt(url), url)).toEqual([
        '<url> rejected the request (HTTP 401): pass credentials with --header, or sign in. Nothing was written.',
        `What it asks for: ${words}, note="\\u{AD}"`,
      ]);
      expect(sent).toHaveLength(1); // no other era is tried
    },
  );

  plain('it forbids the request', async () => {
    const { url } = await serve(status(403));
    expect(await failure(askAt(url), url)).toEqual([
      '<url> rejected the request (HTTP 403): pass credentials with --header, or sign in. Nothing was written.',
    ]);
  });

  plain('it rejects the credentials', async () => {
    const words = 'Bearer error="insufficient_scope", scope="hooks"';
    const { url } = await serve(status(403, { 'www-authenticate': words }));
    expect(await failure(askAt(url), url)).toEqual([
      '<url> rejected the request (HTTP 403): pass credentials with --header, or sign in. Nothing was written.',
      `What it asks for: ${words}`,
    ]);
  });

  plain('it uses HTTP+SSE, and wants a sign-in', async () => {
    const { url } = await serve(({ method }, response) => {
      response.writeHead(method === 'GET' ? 401 : 405, { 'www-authenticate': 'Bearer' }).end();
    });
    expect(await failure(askAt(url), url)).toEqual([
      '<url> rejected the request (HTTP 401): pass credentials with --header, or sign in. Nothing was written.',
      'What it asks for: Bearer',
    ]);
  });

  plain('it uses HTTP+SSE, and then fails', async () => {
    const { url } = await serve(({ method, path }, response) => {
      if (method === 'GET') events(response)('/messages', 'endpoint');
      else response.writeHead(path === '/mcp' ? 405 : 500).end();
    });
    expect(await failure(askAt(url), url)).toEqual([
      '<url> answered with HTTP 500, not as an MCP server. Nothing was written.',
    ]);
  });

  plain('it uses HTTP+SSE, and then closes the connection', async () => {
    let stream: ServerResponse | undefined;
    const { url } = await serve(({ method, path }, response) => {
      if (method !== 'GET') {
        response.writeHead(path === '/mcp' ? 405 : 202).end();
        if (path !== '/mcp') stream?.destroy();
        return;
      }
      stream = response;
      events(response)('/messages', 'endpoint');
    });
    expect(await failure(askAt(url), url)).toEqual([
      '<url> closed the connection before it answered. Nothing was written.',
    ]);
  });

  plain('it fails', async () => {
    const { url, sent } = await serve(status(500));
    expect(await failure(askAt(url), url)).toEqual([
      '<url> answered with HTTP 500, not as an MCP server. Nothing was written.',
    ]);
    expect(sent).toHaveLength(1);
  });

  plain('it is not an MCP server', async () => {
    const { url, asked } = await serve(status(404));
    expect(await failure(askAt(url), url)).toEqual([
      '<url> answered "initialize" with an error: HTTP 404. Nothing was written.',
    ]);
    expect(asked()).toEqual(['POST initialize', 'POST server/discover', 'GET']);
  });

  plain.each<[string, Answering]>([
    [
      'a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    [
      'no JSON',
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"js'),
    ],
    ['no message', (_, response) => json(response, [1])],
    [
      'no result',
      ({ message }, response) => json(response, { jsonrpc: '2.0', id: message?.id, result: 'yes' }),
    ],
  ])('it answers with %s', async (_, answer) => {
    const { url } = await serve(answer);
    expect(await failure(askAt(url), url)).toEqual([
      '<url> answered, but not as an MCP server: the answer has no result. Nothing was written.',
    ]);
  });

  plain.each<[string, Answering]>([
    [
      'ends its stream without an answer',
      (_, response) => {
        events(response);
        response.end();
      },
    ],
    [
      'says that it took the message, and nothing more',
      (_, response) => void response.writeHead(202).end(),
    ],
  ])('it %s', async (_, answer) => {
    const { url } = await serve(answer);
    const [said] = await failure(askAt(url, { deadline: 1500 }), url);
    expect(said).toMatch(/^<url> (closed the connection before it answered|did not answer within)/);
  });

  plain('it closes the connection', async () => {
    const { url } = await serve((_, response) => void response.destroy());
    expect(await failure(askAt(url), url)).toEqual([
      '<url> could not be reached: the connection was broken off. Nothing was written.',
    ]);
  });

  plain('no server listens at its port', async () => {
    const { url, stop } = await serve(legacy({}));
    await stop();
    expect(await failure(askAt(url), url)).toEqual([
      '<url> could not be reached: nothing listens there. Nothing was written.',
    ]);
  });

  plain.each<[string, () => Answering]>([
    ['sends nothing', () => () => {}],
    ['opens a stream and sends nothing', () => (_, response) => void events(response)],
    ['sends nothing in the stream of HTTP+SSE', () => withEvents({}, { hangs: true })],
    [
      'begins an answer and stops',
      () => (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
  ])('it %s, until the time is up', async (_, answer) => {
    const { url } = await serve(answer());
    expect(await failure(askAt(url, { deadline: 700 }), url)).toEqual([
      '<url> did not answer within 0.7 seconds (--timeout allows more). Nothing was written.',
    ]);
  });

  plain('its refusal of the first request counts, whatever the second one returns', async () => {
    const { url } = await serve(({ message }, response) => {
      if (message?.method === 'initialize') response.writeHead(404).end();
    });
    expect(await failure(askAt(url, { deadline: 2000 }), url)).toEqual([
      '<url> answered "initialize" with an error: HTTP 404. Nothing was written.',
    ]);
  });

  plain('it has a secret in its address, which is not shown', async () => {
    const { url } = await serve(status(500));
    const [said] = await failure(askAt(`${url}?api_key=hunter2hunter2`), url);
    expect(said).toContain('<url>?... answered');
  });
});

describe('with a caller that can sign in, like the command line', () => {
  const asked = (url: string, deadline = 10_000) =>
    askServer({ ...common, url, deadline, tokens: join(scratch, 'no-tokens.json') });
  const oldOne =
    (get: (response: ServerResponse) => void, post = 405): Answering =>
    ({ method, path }, response) => {
      if (method === 'GET') get(response);
      else response.writeHead(path === '/mcp' ? 405 : post).end();
    };

  plain('a request to sign in is passed to the caller', async () => {
    const { url } = await serve((_, response) => void response.writeHead(401).end());
    await expect(asked(url)).rejects.toBeInstanceOf(Unauthorized);
  });

  plain.each<[string, Answering, string]>([
    [
      'wants more than a sign-in has given',
      (_, response) => {
        const words = 'Bearer error="insufficient_scope", scope="hooks"';
        response.writeHead(403, { 'www-authenticate': words }).end();
      },
      '<url> rejected the request (HTTP 403)',
    ],
    [
      'stops in the middle of its answer',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
        response.write('{"jsonrpc"', () => response.destroy());
      },
      '<url> closed the connection before it answered.',
    ],
    [
      'says that its answer is compressed, which it is not',
      (_, response) => {
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
        response.writeHead(200, headers).end('{"jsonrpc":"2.0"}');
      },
      '<url> answered, but not as an MCP server:',
    ],
    [
      'has no stream of events',
      oldOne((response) => response.writeHead(204).end()),
      '<url> answered "initialize" with an error: HTTP 405.',
    ],
    [
      'sends us elsewhere with what we say',
      oldOne((response) => events(response)('http://127.0.0.1:9/', 'endpoint')),
      '<url> answered "initialize" with an error: HTTP 405.',
    ],
    [
      'has a stream of events, and fails then',
      oldOne((response) => events(response)('/messages', 'endpoint'), 500),
      '<url> answered with HTTP 500',
    ],
    [
      'has a stream of events that fails',
      oldOne((response) => response.writeHead(503).end()),
      '<url> answered with HTTP 503',
    ],
    [
      'sends us round in circles',
      (_, response) => void response.writeHead(307, { location: '/mcp?again' }).end(),
      '<url> redirects to <url>?again, which was not followed',
    ],
  ])('a server that %s', async (_, answer, said) => {
    const { url } = await serve(answer);
    const [first] = await failure(asked(url), url);
    expect(first).toContain(said);
  });

  plain.each<[string, (response: ServerResponse) => void]>([
    ['does not answer that', () => {}],
    ['answers that without end', (response) => void events(response)],
  ])(
    'a server that gets "notifications/initialized" and %s is not waited for',
    async (_, answer) => {
      const old = legacy({ hooks });
      const { url } = await serve((sent, response) => {
        if (sent.message?.method === 'notifications/initialized') answer(response);
        else old(sent, response);
      });
      const before = performance.now();
      expect((await asked(url, 20_000)).hooks).toEqual([HELLO]);
      expect(performance.now() - before).toBeLessThan(5000);
    },
  );
});

describe('the place of the hooks', () => {
  const under = (context: string) => ({ declarations: [{ ...HELLO, context }] });
  const capabilities = {
    hooks: under('hooks'),
    experimental: { hooks: under('experimental') },
    extensions: { [EXTENSION]: under('extension') },
  };
  const keys = [
    `capabilities.extensions["${EXTENSION}"]`,
    'capabilities.hooks',
    'capabilities.experimental.hooks',
  ];

  plain.each<[string, () => Promise<{ hooks: unknown; found?: object }>]>([
    ['stdio, legacy', () => askScripted({ body: answered(capabilities) })],
    ['stdio, modern', () => askScripted({ body: UNSUPPORTED, discover: answered(capabilities) })],
    ['HTTP, legacy', async () => askAt((await serve(legacy(capabilities))).url)],
    ['HTTP, modern', async () => askAt((await serve(modern(capabilities))).url)],
    ['HTTP+SSE', async () => askAt((await serve(withEvents(capabilities))).url)],
  ])('%s: our extension counts, and the others are named', async (_, asking) => {
    expect(await asking()).toMatchObject({
      hooks: [{ context: 'extension' }],
      found: { key: keys[0], passedOver: keys.slice(1) },
    });
  });

  plain('an extension without declarations does not count', async () => {
    const known = { ...capabilities, extensions: { [EXTENSION]: {} } };
    expect(await askScripted({ body: answered(known) })).toMatchObject({
      hooks: [{ context: 'hooks' }],
      found: { key: keys[1], passedOver: [keys[2], keys[0]] },
    });
  });

  plain('there may be none', async () => {
    const { found } = await askScripted({ body: answered({ tools: {} }) });
    expect(found).toEqual({
      transport: 'stdio',
      era: 'legacy',
      protocol: '2025-06-18',
      passedOver: [],
    });
  });

  test('is shown with --verbose, and in JSON', async ({ world }) => {
    await world.folder('~/.claude');
    const plan = await planned({ body: answered(capabilities) });
    const line = ['--name', 'annal', '--', '/bin/sh', ANSWERING, plan];
    const sentence = `Hooks found in ${keys[0]}; also there, but not used: ${keys[1]}, ${keys[2]} (stdio, initialize, 2025-06-18).`;
    expect((await world.run(['diff', ...line])).out).not.toContain('Hooks found');
    expect((await world.run(['diff', '--verbose', ...line])).out).toContain(sentence);
    expect((await world.run(['install', '--yes', '--verbose', ...line])).out).toContain(sentence);
    const { out } = await world.run(['diff', '--json', ...line]);
    expect(JSON.parse(out).foundIn).toMatchObject({ key: keys[0], era: 'legacy' });
  });
});

describe('a hook with an event that no client has', () => {
  const newer = { ...HELLO, event: 'pre_compact', context: 'Soon\u202E', once: true };

  test('from a server is listed, also in JSON, and --strict refuses it', async ({ world }) => {
    await world.folder('~/.claude');
    const body = answered({ hooks: { declarations: [newer, HELLO] } });
    const line = ['--name', 'annal', '--', '/bin/sh', ANSWERING, await planned({ body })];
    const { out, code } = await world.run(['diff', ...line]);
    expect(out).toContain('pre_compact: no client here has this event (Soon\\u{202E})');
    expect(out).not.toContain('left out');
    expect(code).toBe(1);
    const said = JSON.parse((await world.run(['diff', '--json', ...line])).out);
    expect(said.unsupported).toEqual([{ event: 'pre_compact', context: 'Soon\u202E' }]);
    expect(said.problems).toEqual([]);
    const strict = await world.run(['diff', '--strict', ...line]);
    expect(strict.err).toContain('--strict: not everything that the server declares is understood');
    expect(strict.code).toBe(2);
  });

  test('is mentioned even if there are no other hooks', async ({ world }) => {
    await world.folder('~/.claude');
    const body = answered({ hooks: { declarations: [newer] } });
    const line = ['--name', 'annal', '--', '/bin/sh', ANSWERING, await planned({ body })];
    expect((await world.run(['install', ...line])).out).toMatchInlineSnapshot(`
      "annal declares hooks, but none that a client here could fire, so there is nothing to install.
      pre_compact: no client here has this event (Soon\\u{202E})
      "
    `);
    expect(JSON.parse((await world.run(['install', '--json', ...line])).out)).toMatchObject({
      hooks: [],
      unsupported: [{ event: 'pre_compact' }],
    });
  });

  test('does not count if it is invalid, but is reported', async ({ world }) => {
    const { url } = await serve(legacy({ hooks: { declarations: [{ ...HELLO, context: 7 }] } }));
    await world.folder('~/.claude');
    const { out, code } = await world.run(['diff', url, '--name', 'annal']);
    expect(code).toBe(0);
    expect(out).toContain('annal declares hooks, but mcp-hooks understands none of them');
    expect(out).toContain('declarations[0].context: left out');
  });

  test('from a manifest is an error, like every mistake there', async ({ world }) => {
    await world.write('annal.json', JSON.stringify({ hooks: { declarations: [newer, HELLO] } }));
    const { err, code } = await world.run('install annal.json --client claude');
    expect(err).toContain('"event" is "pre_compact"; allowed: ');
    expect(code).toBe(2);
  });
});

describe('limits', () => {
  const many = (count: number) => Array.from({ length: count }, () => HELLO);
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const tool = { ...HELLO, context: undefined, context_tool: 'recall' };

  /** Declarations that servers and manifests must not have, with the message about each. */
  const CASES: readonly (readonly [string, object, string])[] = [
    [
      'declarations',
      { declarations: many(1001) },
      'declarations: 1001 declarations; at most 1000 are allowed',
    ],
    [
      'a text',
      { declarations: [{ ...HELLO, context: 'x'.repeat(1_000_001) }] },
      'declarations[0].context: "context" has 1000001 characters; at most 1000000 are allowed',
    ],
    [
      "a tool's name",
      { declarations: [{ ...tool, context_tool: 'x'.repeat(1001) }] },
      'declarations[0].context_tool: "context_tool" has 1001 characters; at most 1000 are allowed',
    ],
    [
      'arguments',
      { declarations: [{ ...tool, context_tool_args: { a: 'x'.repeat(100_000) } }] },
      'declarations[0].context_tool_args: "context_tool_args" has 100008 characters; at most 100000 are allowed',
    ],
    [
      "a matcher's field",
      {
        declarations: [
          { ...HELLO, event: 'post_tool_use', matcher: { input_contains: 'x'.repeat(1001) } },
        ],
      },
      'declarations[0].matcher.input_contains: "matcher.input_contains" has 1001 characters; at most 1000 are allowed',
    ],
    [
      'an event',
      { declarations: [{ ...HELLO, event: 'x'.repeat(1001) }] },
      'declarations[0].event: "event" has 1001 characters; at most 1000 are allowed',
    ],
  ];

  plain.each(CASES)('of %s: a server is refused', async (_, odd, said) => {
    expect(await failure(askScripted({ body: answered({ hooks: odd }) }))).toEqual([
      'node exceeds the limits of a declaration. Nothing was written.',
      `capabilities.hooks.${said}`,
    ]);
  });

  test.for(CASES)('of %s: a manifest is refused', async ([, odd, said], { world }) => {
    const server = { command: 'annal' };
    await world.write('annal.json', JSON.stringify({ name: 'annal', server, hooks: odd }));
    const { out, code } = await world.run('validate annal.json --json');
    const { problems } = JSON.parse(out);
    const words = said.replace(/^\S+ /, '');
    // A manifest of this length is also too large to be read.
    expect({ code, problems }).toMatchObject({
      code: 2,
      problems: [{ level: 'error', message: words, line: 1, column: expect.any(Number) }],
    });
  });

  plain('a declaration of exactly the allowed size is accepted', async () => {
    const full = [
      { ...HELLO, context: 'x'.repeat(1_000_000) },
      {
        ...HELLO,
        context: undefined,
        context_tool: 't'.repeat(1000),
        context_tool_args: { a: deep(90) },
      },
      ...many(998),
    ];
    const { hooks: kept, problems } = await askScripted({
      body: answered({ hooks: { declarations: full } }),
    });
    // The policy shows less of this text, which is only a warning.
    const codes = problems.map(({ level, message }) => [level, JSON.stringify(message)]);
    expect({ kept: kept.length, codes }).toEqual({
      kept: 1000,
      codes: [['warning', expect.stringContaining('"text-too-long"')]],
    });
  });

  plain('of depth', async () => {
    const text = JSON.stringify({ ...tool, context_tool_args: { a: 1 } });
    const nested = text.replace('"a":1', `"a":${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const answer = `{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"hooks":{"declarations":[${nested}]}}}}`;
    const file = await planned([answer]);
    const script = `
      const [answer] = JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8'));
      process.stdin.once('data', () => process.stdout.write(answer + '\\n'));`;
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    const said = 'declares is nested too deeply: at most 100 levels are read. Nothing was written.';
    expect(await failure(askProcess(['-e', script]))).toEqual([`What node ${said}`]);
    expect(await failure(askAt(url), url)).toEqual([`What <url> ${said}`]);
  });

  plain('of the data that is read over stdio', async () => {
    const script = `process.stdin.once('data', () => process.stdout.write('{"a":"' + 'x'.repeat(5_000_000) + '"}\\n'))`;
    expect(await failure(askProcess(['-e', script]))).toEqual([
      'node sent too much: at most 4.0 MiB. Nothing was written.',
    ]);
  });

  plain.each<[string, Answering]>([
    [
      'as JSON',
      ({ message }, response) =>
        json(response, {
          jsonrpc: '2.0',
          id: message?.id,
          result: { more: 'x'.repeat(5_000_000) },
        }),
    ],
    [
      'in a stream without end',
      (_, response) => {
        const write = events(response);
        const more = () => {
          for (let at = 0; at < 8; at++)
            write({
              jsonrpc: '2.0',
              method: 'notifications/message',
              params: { data: 'x'.repeat(65_536) },
            });
          if (!response.destroyed) setImmediate(more);
        };
        more();
      },
    ],
  ])('of the data that is read over HTTP, %s', async (_, answer) => {
    const { url } = await serve(answer);
    expect(await failure(askAt(url), url)).toEqual([
      '<url> sent too much: at most 4.0 MiB. Nothing was written.',
    ]);
  });
});

describe('a server at an address on the command line', () => {
  test('is asked, and installed under the name of its host or another', async ({ world }) => {
    await world.folder('~/.claude');
    const { url } = await serve(legacy({ hooks }));
    const unnamed = await world.run(['install', url, '--yes']);
    expect(unnamed).toMatchObject({
      code: 2,
      err: `${new URL(url).host} can't be used as a label: add --name <label>. Nothing was written.\n`,
    });
    const named = await world.run(['install', url, '--name', 'annal', '--yes']);
    expect(named).toMatchObject({ code: 0, err: `Asking annal for its hooks:\n  ${url}\n` });
    expect((await world.run('list')).out).toContain('annal');
    const again = await world.run(['diff', url, '--name', 'annal']);
    expect(again.code).toBe(0);
  });

  test('is reported as named after its host', async ({ world }) => {
    const { err, code } = await world.run('diff https://mcp.linear.invalid/sse --client claude');
    const [asked, address, said, why] = err.split('\n');
    expect([asked, address, said]).toEqual([
      'Asking linear for its hooks:',
      '  https://mcp.linear.invalid/sse',
      '  Called linear, after mcp.linear.invalid: --name gives another name.',
    ]);
    expect(why).toMatch(/^https:\/\/mcp.linear.invalid\/sse could not be reached: /);
    expect(code).toBe(2);
  });

  plain.each([
    ['https://mcp.linear.app/sse', 'linear'],
    ['https://docs.mcp.cloudflare.com/mcp', 'docs.cloudflare'],
    ['https://api.example.co.uk:8443/', 'example'],
    ['https://mcp.dev/', 'mcp'],
    ['HTTPS://WWW.Example.org', 'example'],
  ])('%s gets the name %s', async (operand, label) => {
    const around = { command: [], cwd: scratch, env: {} };
    const found = { label, source: { kind: 'url', url: operand } };
    expect(await findServer({ ...around, operand })).toMatchObject(found);
    const named = await findServer({ ...around, operand, name: 'mine' });
    expect(named).toMatchObject({ ...found, label: 'mine' });
    expect(named).not.toHaveProperty('notes');
  });

  test.for([
    [
      'http://',
      'http:// is not the address of a server (http:// or https://). Nothing was written.',
    ],
    [
      'file:///etc/passwd',
      'file:///etc/passwd is not the address of a server (http:// or https://). Nothing was written.',
    ],
    [
      '',
      'Name a server: a manifest, an address, npm:<package>, the name of a configured one, or after -- the command that starts it.',
    ],
    [
      'https://ann:hunter2hunter2@x.invalid/mcp',
      'https://x.invalid holds a user or a password, which would be saved: pass your credentials in a header. Nothing was written.',
    ],
    [
      'http://localhost:3000/mcp',
      "localhost:3000 can't be used as a label: add --name <label>. Nothing was written.",
    ],
  ])('%s is refused', async ([url = '', said], { world }) => {
    await world.write('mcp-hooks.json', JSON.stringify({ name: 'annal', hooks }));
    expect(await world.run(['diff', url, '--client', 'claude'])).toMatchObject({
      code: 2,
      err: `${said}\n`,
    });
  });
});
