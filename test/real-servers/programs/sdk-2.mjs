// The official SDK of 2026: stdio or http, of both eras or of the newer alone.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { capabilities, listen } from './capabilities.mjs';

const create = () => {
  const server = new McpServer({ name: 'sdk-2', version: '1.0.0' });
  server.server.registerCapabilities(capabilities);
  return server;
};

const [, , transport, eras] = process.argv;
const options = eras === 'modern' ? { legacy: 'reject' } : {};
if (transport === 'stdio') serveStdio(create, options);
else listen(createServer(toNodeHandler(createMcpHandler(create, options))), '/mcp');
