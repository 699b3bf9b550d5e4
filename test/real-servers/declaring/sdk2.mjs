// @modelcontextprotocol/server 2.x. Arguments: McpServer or Server; stdio or http.
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { declareHooks } from '../../../dist/server.js';
import { declarations } from './declarations.mjs';
import { listen } from './http.mjs';

const [kind, transport] = process.argv.slice(2);
const recalled = { content: [{ type: 'text', text: 'All that is known.' }] };

function make() {
  const info = { name: 'declaring', version: '1.0.0' };
  const options = {
    // What an author has declared by other means is kept.
    capabilities: { experimental: { other: { kept: true } } },
    cacheHints: { 'server/discover': { ttlMs: 60_000, cacheScope: 'public' } },
  };
  if (kind === 'McpServer') {
    const server = new McpServer(info, options);
    server.registerTool('recall', {}, () => recalled);
    declareHooks(server, declarations);
    return server;
  }
  const server = new Server(info, {
    ...options,
    capabilities: { ...options.capabilities, tools: {} },
  });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'recall', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler('tools/call', () => recalled);
  declareHooks(server, declarations);
  return server;
}

if (transport === 'stdio') serveStdio(make);
else listen(createMcpHandler(make).fetch);
