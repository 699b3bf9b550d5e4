// fastmcp, which has no option for it. Argument: stdio or http.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { FastMCP } from 'fastmcp';
import { declareHooks } from '../../../dist/server.js';
import { declarations } from './declarations.mjs';

declareHooks(Server.prototype, declarations);

const server = new FastMCP({ name: 'declaring', version: '1.0.0' });
server.addTool({ name: 'recall', execute: async () => 'All that is known.' });
if (process.argv[2] === 'stdio') await server.start({ transportType: 'stdio' });
else {
  const port = Number(process.argv[3]);
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } });
  console.log(`http://127.0.0.1:${port}/mcp`);
}
