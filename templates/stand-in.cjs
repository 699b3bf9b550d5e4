/**
 * mcp-hooks: an MCP server that stands in for another while hooks are tried (verify --live). Its tools have the names in its
 * arguments, and return the text that they get. Never started otherwise.
 *
 *   node stand-in.cjs <tool>...
 */
'use strict';
const tools = process.argv.slice(2).map((name) => ({
  name,
  description: 'Returns its text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'stand-in', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: given }) => ({
    content: [{ type: 'text', text: `stand-in: ${given?.text ?? ''}` }],
  }),
  ping: () => ({}),
};

require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = Object.hasOwn(answers, method)
      ? { result: answers[method](params) }
      : { error: { code: -32601, message: 'Method not found' } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  });
