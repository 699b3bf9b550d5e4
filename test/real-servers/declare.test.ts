// The answers on the wire of servers that call declareHooks: the published official SDKs of both generations, and two
// frameworks on the older SDK, in both eras of the protocol, over stdio and HTTP.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa, type ResultPromise } from 'execa';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { EVENTS, EXTENSION } from '../../src/declaration/declaration.ts';
import { freePort } from '../support/free-port.ts';
import { test } from '../support/world.ts';
// @ts-expect-error: plain JavaScript, which the servers load, too
import { declarations } from './declaring/declarations.mjs';
import { type Exchange, type Message, overHttp, overStdio } from './raw.ts';

const server = (file: string, ...args: string[]): readonly string[] => [
  join(import.meta.dirname, 'declaring', file),
  ...args,
];

const clientInfo = { name: 'raw', version: '1.0.0' };

/** How a client of each era introduces itself, and then calls a tool. */
const ERAS = {
  legacy: {
    hello: (capabilities: Message): Message[] => [
      {
        jsonrpc: '2.0',
        id: 'hello',
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities, clientInfo },
      },
    ],
    call: (): Message[] => [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'recall', arguments: {} } },
    ],
  },
  modern: {
    hello: (capabilities: Message): Message[] => [
      {
        jsonrpc: '2.0',
        id: 'hello',
        method: 'server/discover',
        params: { _meta: envelope(capabilities) },
      },
    ],
    call: (capabilities: Message): Message[] => [
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'recall', arguments: {}, _meta: envelope(capabilities) },
      },
    ],
  },
};

const envelope = (capabilities: Message) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

interface Subject {
  readonly name: string;
  readonly eras: readonly (keyof typeof ERAS)[];
  readonly args: readonly string[];
  readonly http: boolean;
}

const BOTH = ['legacy', 'modern'] as const;
const SUBJECTS: readonly Subject[] = [
  ...['McpServer', 'Server'].flatMap((kind): Subject[] => [
    {
      name: `SDK 1.x, ${kind}, stdio`,
      eras: ['legacy'],
      args: server('sdk1.mjs', kind, 'stdio'),
      http: false,
    },
    {
      name: `SDK 2.x, ${kind}, stdio`,
      eras: BOTH,
      args: server('sdk2.mjs', kind, 'stdio'),
      http: false,
    },
    {
      name: `SDK 2.x, ${kind}, HTTP`,
      eras: BOTH,
      args: server('sdk2.mjs', kind, 'http'),
      http: true,
    },
  ]),
  {
    name: 'SDK 1.x, McpServer, HTTP with sessions',
    eras: ['legacy'],
    args: server('sdk1.mjs', 'McpServer', 'sessions'),
    http: true,
  },
  {
    name: 'SDK 1.x, Server, HTTP without sessions',
    eras: ['legacy'],
    args: server('sdk1.mjs', 'Server', 'stateless'),
    http: true,
  },
  ...['fastmcp', 'mcp-framework'].flatMap((name): Subject[] => [
    { name: `${name}, stdio`, eras: ['legacy'], args: server(`${name}.mjs`, 'stdio'), http: false },
    { name: `${name}, HTTP`, eras: ['legacy'], args: server(`${name}.mjs`, 'http'), http: true },
  ]),
];

const CASES = SUBJECTS.flatMap(({ eras, name, ...subject }) =>
  eras.map((era) => ({ ...subject, name, era, title: `${name}, ${era}` })),
);

describe.each(CASES)('$title', ({ args, http, era, name }) => {
  let exchange: Exchange;
  let listening: ResultPromise | undefined;
  beforeAll(async () => {
    if (!http) {
      exchange = overStdio(args);
      return;
    }
    const child = execa(process.execPath, [...args, String(await freePort())], {
      reject: false,
      buffer: false,
    });
    listening = child;
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith('http://')) {
        exchange = overHttp(line);
        return;
      }
    throw new Error(`${name} did not say where it listens`);
  });
  afterAll(async () => {
    listening?.kill('SIGKILL');
    await listening;
  });
  const { hello, call } = ERAS[era];

  test.each([
    ['hooks', (asked: object) => ({ hooks: asked })],
    ['experimental.hooks', (asked: object) => ({ experimental: { hooks: asked } })],
    ['our extension', (asked: object) => ({ extensions: { [EXTENSION]: asked } })],
  ])('a client that asks under %s gets the hooks for the events it knows', async (_, under) => {
    const events = ['pre_request', 'session_start', 'of_tomorrow'];
    const hooks = { declarations: [declarations[0], declarations[2]] };
    const said = await exchange(hello(under({ supported_events: events })));
    expect(said).toMatchObject({
      capabilities: {
        hooks,
        experimental: { hooks },
        extensions: { [EXTENSION]: hooks },
        tools: {},
      },
      ...(era === 'modern' && { cacheScope: 'private' }),
    });
  });

  test('a client that does not ask gets no hooks', async () => {
    const said = await exchange(hello({ experimental: {}, extensions: {} }));
    expect(said).toMatchObject({ capabilities: { tools: {} } });
    expect(JSON.stringify(said)).not.toContain('hooks');
    if (era === 'modern') expect(said).toMatchObject({ cacheScope: 'private' });
  });

  test("the author's other capabilities are kept, and tools are called as before", async () => {
    const capabilities = { hooks: { supported_events: EVENTS } };
    const said = await exchange(hello(capabilities));
    expect(said).toMatchObject({ capabilities: { hooks: { declarations } } });
    if (name.startsWith('SDK'))
      expect(said).toMatchObject({ capabilities: { experimental: { other: { kept: true } } } });
    expect(await exchange([...hello(capabilities), ...call(capabilities)])).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('All that is known.') }],
    });
  });
});

test.for(SUBJECTS.filter(({ http }) => !http))(
  'mcp-hooks install: $name',
  async ({ args }, { world, expect }) => {
    await world.folder('~/.claude', '~/.codex', '~/.gemini');
    const install = ['install', '--name', 'annal', '--yes', '--json'];
    const { out, code } = await world.runProcess([...install, '--', process.execPath, ...args]);
    expect(code).toBe(0);
    const { clients } = JSON.parse(out);
    expect(clients.map(({ id }: { id: string }) => id)).toEqual([
      'claude-code',
      'codex',
      'gemini-cli',
    ]);
    for (const file of [
      '~/.claude/settings.json',
      '~/.codex/config.toml',
      '~/.gemini/settings.json',
    ])
      expect(await world.read(file)).toContain('.mcp-hooks/servers/annal/');
    const { out: listed } = await world.runProcess('list --json');
    expect(listed).toContain('pre_request');
  },
);

describe('a mistake in a declaration, SDK 2.x', () => {
  const MISTAKE =
    'TypeError: declareHooks: these hooks cannot be declared.\n  declarations[0].priority: "priority" is "high"';

  test('around the factory ends the process at its start, before any request', async ({
    expect,
  }) => {
    const ended = await execa(process.execPath, server('wrong.mjs', 'around'), { reject: false });
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toContain(MISTAKE);
    expect(ended.stderr.split(MISTAKE)).toHaveLength(2);
  });

  test.for(Object.entries(ERAS))(
    'inside the factory is reported on standard error when a client asks: %s',
    async ([, { hello }], { expect }) => {
      const { stdout, stderr } = await execa(process.execPath, server('wrong.mjs', 'inside'), {
        input: hello({})
          .map((message) => `${JSON.stringify(message)}\n`)
          .join(''),
      });
      expect(stdout).toContain('-32603');
      expect(stderr).toContain(MISTAKE);
    },
  );
});
