// A small MCP server over standard input and output, without a library. It keeps its notes in a file, because a hook that calls a
// tool starts a server of its own. It declares no hooks itself: they are in mcp-hooks.json, where nothing has to be started to read them.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const file = process.env.EXAMPLE_NOTES_FILE ?? join(homedir(), '.example-notes.txt');

const tools = {
  recall: {
    description: 'What was noted so far.',
    inputSchema: { type: 'object' },
    run: () => (existsSync(file) ? readFileSync(file, 'utf8') : 'Nothing was noted yet.'),
  },
  add_note: {
    description: 'Keeps a note for later sessions.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: ({ text }) => {
      appendFileSync(file, `- ${text}\n`);
      return 'Kept.';
    },
  },
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: 'example-notes', version: '1.0.0' },
    capabilities: { tools: {} },
  }),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, { run, ...tool }]) => ({ name, ...tool })),
  }),
  'tools/call': ({ name, arguments: args }) => {
    if (!Object.hasOwn(tools, name)) throw new Error(`no tool ${name}`);
    return { content: [{ type: 'text', text: tools[name].run(args ?? {}) }] };
  },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return; // a notification
  const answer = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  try {
    if (Object.hasOwn(methods, method)) answer({ result: methods[method](params ?? {}) });
    else answer({ error: { code: -32601, message: `no method ${method}` } });
  } catch (error) {
    answer({ error: { code: -32603, message: error.message } });
  }
});
