// An MCP server on the official SDK over stdio that refuses the handshake of earlier versions of the protocol.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const factory = () => {
  const server = new McpServer({ name: 'modern', version: '1.0.0' });
  server.registerTool('recall', {}, () => ({ content: [{ type: 'text', text: 'Known.' }] }));
  return server;
};
serveStdio(factory, { legacy: 'reject' });
