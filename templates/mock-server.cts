/**
 * mcp-hooks: an MCP server that replaces another while hooks are tried (verify --live). Its tools are named by its arguments,
 * and return the text that they get. Each description names the tool's server, because a client may rename the tool. Never
 * started otherwise.
 *
 *   node mock-server.cjs <server> <tool>...
 */

import { createInterface } from 'node:readline';

interface Params {
  readonly protocolVersion?: string;
  readonly arguments?: { readonly text?: string };
}

const [server, ...names] = process.argv.slice(2);
const tools = names.map((name) => ({
  name,
  description: `Returns its text: ${name} of ${server}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}));

const answers: Readonly<Record<string, (params: Params) => object>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'mock-server', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: given }) => ({
    content: [{ type: 'text', text: `mock: ${given?.text ?? ''}` }],
  }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line: string) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const act = Object.hasOwn(answers, method) ? answers[method] : undefined;
  const answer = act
    ? { result: act(params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
