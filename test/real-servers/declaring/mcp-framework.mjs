// mcp-framework, which has no option for it. Argument: stdio or http.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { MCPServer, MCPTool } from 'mcp-framework';
import { declareHooks } from '../../../dist/server.js';
import { declarations } from './declarations.mjs';

declareHooks(Server.prototype, declarations);

class Recall extends MCPTool {
  name = 'recall';
  description = 'All that is known.';
  schema = {};
  async execute() {
    return 'All that is known.';
  }
}
const port = Number(process.argv[3]);
const server = new MCPServer({
  name: 'declaring',
  version: '1.0.0',
  transport:
    process.argv[2] === 'stdio'
      ? { type: 'stdio' }
      : { type: 'http-stream', options: { port, host: '127.0.0.1', responseMode: 'batch' } },
});
server.addTool(Recall);
server.start(); // its promise is settled when the server ends
if (process.argv[2] !== 'stdio') {
  const url = `http://127.0.0.1:${port}/mcp`;
  while (!(await fetch(url).catch(() => undefined)));
  console.log(url);
}
