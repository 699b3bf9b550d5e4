// TypeScript with the types of the real SDKs accepts a server, and nothing else.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SERVERS = join(import.meta.dirname, 'node_modules');

const TYPED = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Server as Server1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { FastMCP } from 'fastmcp';
import { MCPServer } from 'mcp-framework';
import { type Declaration, declareHooks } from 'mcp-hooks/server';

const info = { name: 'typed', version: '1.0.0' };
const list: Declaration[] = [{ event: 'session_start', context: 'Hello.', priority: 'important' }];

declareHooks(new Server1(info), list);
declareHooks(new McpServer1(info), list);
declareHooks(Server1.prototype, list);
declareHooks(new Server(info), list);
declareHooks(new McpServer(info), list);
serveStdio(declareHooks(() => new McpServer(info), list));
createMcpHandler(declareHooks(async ({ era }) => new Server({ ...info, name: era }), list));

// By hand, without us.
const hooks = { declarations: list };
new McpServer(info, { capabilities: { experimental: { hooks }, extensions: { 'com.example/hooks': hooks } } });
new McpServer1(info, { capabilities: { experimental: { hooks } } });

// @ts-expect-error: a client
declareHooks(new Client(info), list);
// @ts-expect-error: a framework that hides its servers
declareHooks(new FastMCP({ name: 'typed', version: '1.0.0' }), list);
// @ts-expect-error: another one
declareHooks(new MCPServer(), list);
`;

let folder: string;
beforeAll(async () => {
  // A build has no types; they are made when the package is packed.
  await execa(process.execPath, ['scripts/declarations.mjs'], { cwd: ROOT });
  folder = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-typed-'));
  await mkdir(join(folder, 'node_modules'));
  const link = (name: string, target: string) =>
    symlink(target, join(folder, 'node_modules', name));
  await link('mcp-hooks', ROOT);
  for (const name of ['@modelcontextprotocol', 'fastmcp', 'mcp-framework'])
    await link(name, join(SERVERS, name));
  await link('@types', join(ROOT, 'node_modules', '@types'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['node16', ['--module', 'node16']],
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
])('%s', async (name, options) => {
  await writeFile(join(folder, `${name}.mts`), TYPED);
  const { stdout } = await execa(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--types', 'node'],
      ...options,
      `${name}.mts`,
    ],
    { cwd: folder, reject: false },
  );
  expect(stdout).toBe('');
});
