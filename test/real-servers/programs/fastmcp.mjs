// fastmcp (TypeScript) has no option for capabilities of one's own: they are put in when it connects.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { FastMCP } from 'fastmcp';
import { capabilities } from './capabilities.mjs';

const { connect } = Server.prototype;
Server.prototype.connect = function (transport) {
  this.registerCapabilities(capabilities);
  return connect.call(this, transport);
};

const [, , transport, port] = process.argv;
const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
if (transport === 'stdio') await server.start({ transportType: 'stdio' });
else {
  const httpStream = { port: Number(port), host: '127.0.0.1' };
  await server.start({ transportType: 'httpStream', httpStream });
  console.log(`http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`);
}
