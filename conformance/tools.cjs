/**
 * An MCP server whose tools answer as a case of the conformance suite says, under `tools`:
 *
 *   node tools.cjs '{ "recall": { "text": "..." } | { "structured": {...} } | { "error": "..." } |
 *     { "echo": true } | { "show": ["arguments.to"] } | { "never": true } }'
 */
'use strict';
const script = JSON.parse(process.argv[2]);

/** Undefined if there is no answer. */
function answerTo({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'conformance', version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: Object.keys(script).map((name) => ({ name, inputSchema: { type: 'object' } })),
      };
    case 'tools/call':
      return Object.hasOwn(script, params.name) ? called(script[params.name], params) : undefined;
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

/** `echo` returns the arguments; `show` returns some of their fields, as show.cjs does. */
function called({ text, structured, error, echo, show }, given) {
  const at = (path) => path.split('.').reduce((within, key) => within?.[key], given);
  const shown = show?.map((path) => `${path}=${JSON.stringify(at(path))}`).join('\n');
  const said = text ?? error ?? shown ?? JSON.stringify(echo ? given : structured);
  return {
    content: [{ type: 'text', text: said }],
    ...(structured && { structuredContent: structured }),
    ...(error !== undefined && { isError: true }),
  };
}

require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined) return;
    const isCall = message.method === 'tools/call';
    if (isCall && script[message.params.name]?.never) return;
    const result = answerTo(message);
    const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer })}\n`);
  });
