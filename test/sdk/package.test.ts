// What is published, installed into a folder where nothing else is: servers load it from every kind of module, and TypeScript knows it.
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-installed-'));
  // Nothing is built again: other tests run what is there.
  const npm = (...args: string[]) =>
    execa('npm', args, { cwd: folder, env: { HOME: folder, npm_config_update_notifier: 'false' } });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const { stdout } = await npm('pack', ROOT, '--ignore-scripts', '--json');
  const [{ filename }]: [{ filename: string }] = JSON.parse(stdout);
  await npm('install', `./${filename}`, '--offline', '--no-audit', '--no-fund');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A server as far as it is needed, and what was loaded on the way. */
const SCRIPT = `
const server = { connect: async () => {}, getClientCapabilities: () => undefined };
declareHooks(server, [{ event: 'session_start', context: 'Hello.', priority: 'suggestion' }]);
try {
  declareHooks(server, [{ event: 'sesion_start', priority: 'high' }]);
} catch (error) {
  console.log(error.name, error.message);
}
`;

const SAID = `TypeError declareHooks: these hooks cannot be declared.
  declarations[0].event: "event" is "sesion_start"; allowed: session_start, session_end, pre_tool_use, post_tool_use, pre_request, post_request; did you mean "session_start"?
  declarations[0].priority: "priority" is "high"; allowed: required, important, suggestion
  declarations[0]: one of "context" (a text) and "context_tool" (the name of a tool) is needed`;

test.each([
  ['an ES module', 'server.mjs', "import { declareHooks } from 'mcp-hooks/server';"],
  ['CommonJS', 'server.cjs', "const { declareHooks } = require('mcp-hooks/server');"],
])('%s', async (_, file, line) => {
  await writeFile(join(folder, file), `${line}\n${SCRIPT}`);
  const { stdout } = await execa(process.execPath, [file], { cwd: folder });
  expect(stdout).toBe(SAID);
});

test('it is small, and needs no other package and no module of node', async () => {
  for (const file of ['server.js', 'server.cjs']) {
    const text = await readFile(join(folder, 'node_modules/mcp-hooks/dist', file), 'utf8');
    expect(text).not.toMatch(/\brequire\(|\bimport\b/);
    expect(text.length).toBeLessThan(64_000);
    // Node prints the whole line in which a mistake is thrown.
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(400);
  }
});

const TYPED = `
import { type Declaration, declareHooks, type Event } from 'mcp-hooks/server';

const server = { connect: async (_transport: { start(): void }) => {}, getClientCapabilities: () => ({}) };
const declarations = [
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'What did you learn?',
    priority: 'suggestion',
  },
  { event: 'pre_request', context_tool: 'recall', context_tool_args: { deep: [1, null, { a: true }] }, priority: 'important' },
] as const satisfies readonly Declaration[];
declareHooks(server, declarations);
declareHooks({ server }, [{ event: 'session_start', context: 'Hello.', priority: 'required' }]);

const list: Declaration[] = [];
const event: Event | undefined = list[0]?.event;
// What SDKs call JSON.
type JSONValue = string | number | boolean | null | { [key: string]: JSONValue } | JSONValue[];
const json: { [key: string]: JSONValue } = { declarations: list };

// @ts-expect-error: no such event
declareHooks(server, [{ event: 'sesion_start', context: '', priority: 'suggestion' }]);
// @ts-expect-error: no such priority
declareHooks(server, [{ event: 'session_start', context: '', priority: 'high' }]);
// @ts-expect-error: neither text nor tool
declareHooks(server, [{ event: 'session_start', priority: 'required' }]);
// @ts-expect-error: no such key
declareHooks(server, [{ event: 'session_start', context: '', once: true, priority: 'required' }]);
// @ts-expect-error: nothing that can be connected
declareHooks({ start: async () => {} }, list);

export { event, json };
`;

/** Without what browsers have, which takes four times as long to read as all the rest. */
const LANGUAGE = ['--target', 'es2022', '--lib', 'es2022', '--singleThreaded'];

describe('TypeScript, strict', () => {
  test.each([
    ['an ES module, node16', 'typed.mts', ['--module', 'node16']],
    ['CommonJS, node16', 'typed.cts', ['--module', 'node16']],
    ['an ES module, nodenext', 'typed-next.mts', ['--module', 'nodenext']],
    ['bundler', 'typed.ts', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('%s', async (_, file, options) => {
    await writeFile(join(folder, file), TYPED);
    const { stdout } = await execa(
      process.execPath,
      [TSC, '--noEmit', '--strict', '--types', '', ...LANGUAGE, ...options, file],
      { cwd: folder, reject: false },
    );
    expect(stdout).toBe('');
  });
});
