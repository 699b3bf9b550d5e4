// @modelcontextprotocol/sdk 1.x. Arguments: McpServer or Server; stdio, sessions (over HTTP) or stateless (over HTTP).
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { declareHooks } from '../../../dist/server.js';
import { declarations } from './declarations.mjs';
import { listen } from './http.mjs';

const [kind, transport] = process.argv.slice(2);
const recalled = { content: [{ type: 'text', text: 'All that is known.' }] };

function make() {
  const info = { name: 'declaring', version: '1.0.0' };
  // What an author has declared by other means is kept.
  const capabilities = { experimental: { other: { kept: true } } };
  if (kind === 'McpServer') {
    const server = new McpServer(info, { capabilities });
    server.registerTool('recall', {}, () => recalled);
    declareHooks(server, declarations);
    return server;
  }
  const server = new Server(info, { capabilities: { ...capabilities, tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'recall', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, () => recalled);
  declareHooks(server, declarations);
  return server;
}

if (transport === 'stdio') await make().connect(new StdioServerTransport());
else {
  const sessions = new Map();
  listen(async (request) => {
    const known = sessions.get(request.headers.get('mcp-session-id'));
    if (known) return known.handleRequest(request);
    const http = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      ...(transport === 'sessions' && {
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, http),
      }),
    });
    await make().connect(http);
    return http.handleRequest(request);
  });
}
