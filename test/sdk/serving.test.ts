// Mistakes that a server's author can make with declareHooks, and its effect between a server and its transport. What real SDKs
// and frameworks then send is tested in test/real-servers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS, EXTENSION } from '../../src/declaration/declaration.ts';
import { type Declaration, declareHooks } from '../../src/sdk/server.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { sentence } from '../support/said.ts';

const INFO = { name: 'declaring', version: '1.0.0' };
const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' } as const;
const BYE = { event: 'session_end', context: 'Bye.', priority: 'suggestion' } as const;
const ALL = { supported_events: EVENTS };

// The tests inspect warnings instead of printing them.
const printers = process.listeners('warning');
beforeAll(() => void process.removeAllListeners('warning'));
afterAll(async () => {
  await new Promise(setImmediate); // the last warnings are still pending
  for (const printer of printers) process.on('warning', printer);
});

/** A transport that exposes less than most: its `onmessage` can be set, but not read. */
class Wire {
  readonly sent: unknown[] = [];
  onclose?: () => void;
  #listener: ((message: unknown) => void) | undefined;
  set onmessage(listener: (message: unknown) => void) {
    this.#listener = listener;
  }
  async start() {
    if (!this.#listener) throw new Error('started before anybody listens');
  }
  async send(message: unknown) {
    this.sent.push(message);
  }
  async close() {
    this.onclose?.();
  }
  /** Sends `initialize`, and returns the answer. */
  async ask(capabilities: unknown, id: unknown = 1) {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: INFO };
    this.#listener?.({ jsonrpc: '2.0', id, method: 'initialize', params });
    await expect.poll(() => this.sent.length).toBeGreaterThan(0);
    return this.sent.pop();
  }
}

const connected = async (declarations: readonly Declaration[], server = new Server(INFO)) => {
  const wire = new Wire();
  declareHooks(server, declarations);
  await server.connect(wire);
  return wire;
};

/** A server's answer to a client with these capabilities. */
const said = async (capabilities: unknown, declarations: readonly Declaration[] = [HELLO, BYE]) =>
  (await connected(declarations)).ask(capabilities);

describe('a client gets', () => {
  const told = (...declarations: Declaration[]) => ({
    result: { capabilities: { hooks: { declarations } } },
  });

  test('the hooks for the events that it knows', async () => {
    expect(await said({ hooks: ALL })).toMatchObject(told(HELLO, BYE));
    expect(await said({ hooks: { supported_events: ['session_end'] } })).toMatchObject(told(BYE));
    expect(await said({ hooks: { supported_events: ['of_tomorrow', 1] } })).toMatchObject(told());
  });

  test('hooks under the first key that it asks for', async () => {
    const hooks = { supported_events: ['session_start'] };
    const experimental = { hooks: { supported_events: ['session_end'] } };
    const extensions = { [EXTENSION]: { supported_events: [] } };
    expect(await said({ experimental })).toMatchObject(told(BYE));
    expect(await said({ experimental, hooks })).toMatchObject(told(HELLO));
    expect(await said({ experimental, hooks, extensions })).toMatchObject(told());
  });

  test.each([
    ['nothing', {}],
    ['no events', { hooks: {} }],
    ['events that are no list', { hooks: { supported_events: 'session_start' } }],
    ['hooks that are none', { hooks: true, experimental: { hooks: {} } }],
  ])('no hooks if it asks with %s', async (_, capabilities) => {
    expect(await said(capabilities)).toMatchObject({ id: 1, result: { serverInfo: INFO } });
    expect(JSON.stringify(await said(capabilities))).not.toContain('"hooks"');
  });

  test('no hooks in an error', async () => {
    expect(await said('what')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: expect.objectContaining({ code: expect.any(Number) }),
    });
  });

  test('hooks for its own request, even if the server had other connections before', async () => {
    const server = new Server(INFO);
    const first = await connected([HELLO], server);
    expect(await first.ask({ hooks: ALL }, 'a')).toMatchObject({ id: 'a', ...told(HELLO) });
    expect(JSON.stringify(await first.ask({}, 'a'))).not.toContain('"hooks"');
    await server.close();
    const second = new Wire();
    await server.connect(second);
    expect(await second.ask({ hooks: ALL })).toMatchObject(told(HELLO));
  });

  test('the declarations as they were passed, not as they were changed later', async () => {
    const list: Declaration[] = [{ ...HELLO }];
    const wire = await connected(list);
    list.push(BYE);
    expect(await wire.ask({ hooks: ALL })).toMatchObject(told(HELLO));
  });

  test('the hooks of its server, even if all servers of the SDK declare some', async () => {
    class Framework extends Server {}
    declareHooks(Framework.prototype, [HELLO]);
    const wire = new Wire();
    await new Framework(INFO).connect(wire);
    expect(await wire.ask({ hooks: ALL })).toMatchObject(told(HELLO));
    expect(await (await connected([BYE], new Framework(INFO))).ask({ hooks: ALL })).toMatchObject(
      told(BYE),
    );
    // Servers of other classes are not changed.
    const other = new Wire();
    await new Server(INFO).connect(other);
    expect(JSON.stringify(await other.ask({ hooks: ALL }))).not.toContain('"hooks"');
  });
});

describe('a function that makes servers', () => {
  const hooksOf = async (server: { connect(transport: never): Promise<void> }) => {
    const wire = new Wire();
    await Reflect.apply(server.connect, server, [wire]);
    return wire.ask({ hooks: ALL });
  };
  const declares = { result: { capabilities: { hooks: { declarations: [HELLO] } } } };

  test.each([
    ['a Server', () => new Server(INFO)],
    ['an McpServer', () => new McpServer(INFO)],
    ['a promise of one', async () => new McpServer(INFO)],
  ])('makes only servers that declare the hooks: %s', async (_, make) => {
    const declaring = declareHooks(make, [HELLO]);
    for (const server of [await declaring(), await declaring()])
      expect(await hooksOf(server)).toMatchObject(declares);
  });

  test('gets its arguments', async () => {
    const make = declareHooks(
      ({ era }: { era: string }) => new Server({ ...INFO, name: era }),
      [HELLO],
    );
    expect(await hooksOf(make({ era: 'modern' }))).toMatchObject({
      result: { serverInfo: { name: 'modern' } },
    });
  });

  test('may return the same server again', async () => {
    const server = new Server(INFO);
    const make = declareHooks(() => server, [HELLO]);
    expect(make()).toBe(server);
    expect(await hooksOf(make())).toMatchObject(declares);
  });

  test('is not called before the declarations are checked', () => {
    const make = () => {
      throw new Error('it was called');
    };
    expect(() =>
      Reflect.apply(declareHooks, undefined, [make, [{ ...HELLO, priority: 'high' }]]),
    ).toThrow(TypeError);
  });

  test('has to make a server', () => {
    const make: () => Server = declareHooks(() => JSON.parse('{}'), [HELLO]);
    expect(make).toThrow('declareHooks: this is an object, and no McpServer or Server');
  });
});

describe('an author gets an error about', () => {
  /** Calls declareHooks with arguments that the types do not allow. */
  const declare = (...args: unknown[]) => Reflect.apply(declareHooks, undefined, args);
  const refusal = (...args: unknown[]): string => {
    try {
      declare(...args);
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
    throw new Error('it was not refused');
  };

  test('every mistake, with the sentence of mcp-hooks validate', () => {
    const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'declarations', 'invalid');
    let checked = 0;
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8');
      const { problems } = parseManifest(text, join(folder, file));
      const wrong = problems.filter(
        ({ level, path }) =>
          level === 'error' && typeof path.at(path.indexOf('declarations') + 1) === 'number',
      );
      const list = declarationsIn(text);
      if (!list || wrong.length === 0) continue;
      const lines = refusal(new Server(INFO), list).split('\n');
      expect(lines[0]).toBe('declareHooks: these hooks cannot be declared.');
      expect([file, lines.slice(1).map((line) => line.replace(/^ {2}\S+: /, ''))]).toEqual([
        file,
        // validate may suggest another version, which a server of the SDK cannot have.
        wrong.map(({ message }) => sentence(message).replace(/; add "version": 2, .*$/, '')),
      ]);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(5);
  });

  test('the place of each mistake', () => {
    const entries = [HELLO, { ...HELLO, matcher: { tool: 'Bash' } }];
    expect(refusal(new Server(INFO), entries)).toBe(
      `declareHooks: these hooks cannot be declared.
  declarations[1].matcher.tool: unknown key "tool"; allowed: tool_name, input_contains, tool_server; did you mean "tool_name"?`,
    );
  });

  test('a value that is not a list of hooks', () => {
    expect(refusal(new Server(INFO), { declarations: [HELLO] })).toBe(
      'declareHooks: the declarations must be an array, not an object.',
    );
    expect(refusal(new Server(INFO))).toBe(
      'declareHooks: the declarations must be an array, not undefined.',
    );
  });

  test('a matcher without effect, as a warning on standard error', async () => {
    const warned = warning('McpHooksWarning');
    declareHooks(new Server(INFO), [{ ...HELLO, matcher: {} }]);
    expect(await warned).toMatchObject({
      name: 'McpHooksWarning',
      message:
        'declarations[0].matcher: "matcher" is ignored: session_start is not about a tool call (pre_tool_use, post_tool_use are)',
    });
  });

  test('no key that JSON leaves out', async () => {
    const server = new Server(INFO);
    declare(server, [{ ...HELLO, context_tool: undefined }]);
    const wire = new Wire();
    await server.connect(wire);
    expect(await wire.ask({ hooks: ALL })).toMatchObject({
      result: { capabilities: { hooks: { declarations: [HELLO] } } },
    });
  });

  test.each([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object', {}, 'an object'],
    ['a class', Server, 'a function'],
    ['a client', new Client(INFO), 'an instance of Client'],
  ])('something that is not a server: %s', (_, server, called) => {
    expect(refusal(server, [HELLO])).toBe(
      `declareHooks: this is ${called}, and no McpServer or Server of an MCP SDK. For a framework that makes its servers itself, give it Server.prototype of the SDK that the framework uses.`,
    );
  });

  test('it on standard error, too, because an SDK may swallow the exception', async () => {
    const message = refusal(new Server(INFO), [{ ...HELLO, priority: 'high' }]);
    expect(await warning('TypeError', message)).toMatchObject({ message });
  });

  test('a call that comes too late', async () => {
    const server = new McpServer(INFO);
    await server.connect(new Wire());
    expect(refusal(server, [HELLO])).toBe(
      'declareHooks: this server is connected already, and may have said what it can. Declare its hooks before.',
    );
  });

  test('a second call', () => {
    const server = new McpServer(INFO);
    declareHooks(server, [HELLO]);
    const sentence =
      'declareHooks: this server declares hooks already. Give all of them in one call.';
    expect(refusal(server, [BYE])).toBe(sentence);
    expect(refusal(server.server, [BYE])).toBe(sentence);
  });
});

/** The next warning of the process with this name, and with this message if one is given. */
const warning = (name: string, message?: string) =>
  new Promise<Error>((resolve) => {
    const listen = (said: Error) => {
      if (said.name !== name || (message !== undefined && said.message !== message)) return;
      process.off('warning', listen);
      resolve(said);
    };
    process.on('warning', listen);
  });

/** The list of declarations in a manifest, if it has one. */
function declarationsIn(text: string): unknown {
  try {
    const { hooks, declarations } = JSON.parse(text);
    const list = hooks?.declarations ?? declarations;
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
