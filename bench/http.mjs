// An MCP server over Streamable HTTP, for the benchmark. Prints its address.
import { createServer } from 'node:http';

const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: {} },
  'tools/call': { content: [{ type: 'text', text: 'The build needs Node 20.' }] },
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method } = JSON.parse(body || '{}');
  if (id === undefined) return response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
