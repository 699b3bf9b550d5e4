// The official SDK before 2026: stdio, http or sse.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { capabilities, listen } from './capabilities.mjs';

const create = () => new Server({ name: 'sdk-1', version: '1.0.0' }, { capabilities });
const sessions = new Map();

const overHttp = async (request, response) => {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known.handleRequest(request, response);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await create().connect(transport);
  return transport.handleRequest(request, response);
};

const overEvents = async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (request.method === 'GET' && url.pathname === '/sse') {
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    return create().connect(transport);
  }
  const session = sessions.get(url.searchParams.get('sessionId'));
  if (session && url.pathname === '/messages') return session.handlePostMessage(request, response);
  return response.writeHead(404).end('Not found');
};

const [, , transport] = process.argv;
if (transport === 'stdio') await create().connect(new StdioServerTransport());
else if (transport === 'http') listen(createServer(overHttp), '/mcp');
else listen(createServer(overEvents), '/sse');
