// Asks servers made with each SDK for their hooks, and compares the results with the committed table.
// `UPDATE_SEEN=1 npm run test:servers` writes it; then `UPDATE_PAGES=1 npx vitest run test/cli/pages.test.ts`.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { EXTENSION } from '../../src/declaration/declaration.ts';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { freePort } from '../support/free-port.ts';
import { legacy, modern, serve, withEvents } from '../support/servers/addressed.ts';
import { FILE, type Row, recorded } from './seen.ts';

const HERE = import.meta.dirname;
const NODE = process.execPath;
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(HERE, 'package.json'), 'utf8'),
);

const common = { label: 'it', deadline: 50_000, version: '0.0.0' };
const environment = { PATH: process.env.PATH, HOME: tmpdir() };
const started = new Set<ChildProcess>();
afterAll(() => {
  for (const one of started) one.kill('SIGKILL');
});

const overStdio = (...args: string[]) =>
  askServer({ ...common, command: NODE, args, cwd: HERE, env: environment });

/** Starts a server that listens, and asks it at the address that it prints, or at `url`. */
async function overHttp(args: readonly string[], ready: RegExp, url?: string, env = {}) {
  const server = spawn(NODE, args, { cwd: HERE, env: { ...environment, ...env } });
  started.add(server);
  onTestFinished(() => {
    server.kill('SIGKILL');
  });
  const address = await new Promise<string>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    for (const stream of [server.stdout, server.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        const found = ready.exec(line);
        if (found) resolve(url ?? found[0]);
      });
  });
  return askServer({ ...common, url: address });
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/\w+/;
const program = (name: string) => join(HERE, 'programs', name);
const installed = (name: string) => join(HERE, 'node_modules', name, 'dist', 'index.js');
const everything = '@modelcontextprotocol/server-everything';
const memory = '@modelcontextprotocol/server-memory';

const HOOKS = {
  declarations: [{ event: 'session_start', context: 'Hi.', priority: 'suggestion' }],
};
const ALL = {
  hooks: HOOKS,
  experimental: { hooks: HOOKS },
  extensions: { [EXTENSION]: HOOKS },
};

/** A server on stdio that gets its answers from the test; see the top of scripted.mjs. */
function scripted(name: string, plan: object) {
  const folder = join(HERE, '.scratch');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(plan));
  return overStdio(join(HERE, '..', 'support', 'servers', 'scripted.mjs'), file);
}
const ANSWER = { result: { protocolVersion: '2025-06-18', capabilities: ALL } };
const UNSUPPORTED = { error: { code: -32022, message: 'Unsupported protocol version' } };

const everythingAt = async (transport: string, path: string) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${path}`;
  return overHttp([installed(everything), transport], /\b\d{4,5}\b/, url, { PORT: `${port}` });
};
const fastmcpAt = async (transport: string) =>
  overHttp([program('fastmcp.mjs'), transport, `${await freePort()}`], ADDRESS);
const sdk1 = '@modelcontextprotocol/sdk';
const sdk2 = '@modelcontextprotocol/server';

type Case = readonly [server: string, kind: string, ask: () => ReturnType<typeof askServer>];

const CASES: readonly Case[] = [
  ['by hand', 'legacy', () => scripted('legacy', { body: ANSWER })],
  ['by hand', 'modern alone', () => scripted('modern', { body: UNSUPPORTED, discover: ANSWER })],
  ['by hand', 'both eras', () => scripted('both', { body: ANSWER, discover: ANSWER })],
  ['by hand', 'logs to stdout', () => scripted('log', { body: ANSWER, before: 'Hi!\n{"a":1}\n' })],
  ['by hand', 'legacy', async () => askServer({ ...common, url: (await serve(legacy(ALL))).url })],
  [
    'by hand',
    'modern alone',
    async () => askServer({ ...common, url: (await serve(modern(ALL))).url }),
  ],
  [
    'by hand',
    '2024',
    async () => askServer({ ...common, url: (await serve(withEvents(ALL))).url }),
  ],
  [sdk1, '', () => overStdio(program('sdk-1.mjs'), 'stdio')],
  [sdk1, '', () => overHttp([program('sdk-1.mjs'), 'http'], ADDRESS)],
  [sdk1, '', () => overHttp([program('sdk-1.mjs'), 'sse'], ADDRESS)],
  [sdk2, 'both eras', () => overStdio(program('sdk-2.mjs'), 'stdio')],
  [sdk2, 'modern alone', () => overStdio(program('sdk-2.mjs'), 'stdio', 'modern')],
  [sdk2, 'both eras', () => overHttp([program('sdk-2.mjs'), 'http'], ADDRESS)],
  [sdk2, 'modern alone', () => overHttp([program('sdk-2.mjs'), 'http', 'modern'], ADDRESS)],
  ['fastmcp', '', () => overStdio(program('fastmcp.mjs'), 'stdio')],
  ['fastmcp', 'at /mcp', () => fastmcpAt('http')],
  ['fastmcp', 'at /sse', () => fastmcpAt('sse')],
  ['mcp-framework', '', () => overStdio(program('mcp-framework.mjs'))],
  [everything, '', () => overStdio(installed(everything), 'stdio')],
  [everything, '', () => everythingAt('streamableHttp', 'mcp')],
  [everything, '', () => everythingAt('sse', 'sse')],
  [memory, '', () => overStdio(installed(memory))],
];

const seen: Row[] = [];

test.each(CASES.map((one, index) => ({ index, one })))(
  '$one.0 $one.1 ($index)',
  async ({ one }) => {
    const [server, kind, ask] = one;
    const { hooks, problems, found } = await ask();
    if (!found) throw new Error('nothing was asked');
    const { transport, era, protocol, key, passedOver } = found;
    const version = dependencies[server];
    const keys = key === undefined ? [] : [key, ...passedOver];
    seen.push({
      server,
      ...(kind !== '' && { kind }),
      ...(version !== undefined && { version }),
      transport,
      era,
      protocol,
      keys,
    });
    expect({ problems, hooks: hooks.length }).toEqual({
      problems: [],
      hooks: keys.length > 0 ? 1 : 0,
    });
  },
);

test('the committed table matches the answers', () => {
  mkdirSync(dirname(FILE), { recursive: true });
  if (process.env.UPDATE_SEEN) writeFileSync(FILE, `${JSON.stringify(seen, null, 2)}\n`);
  else expect(recorded()).toEqual(seen);
});
