// A server on stdio whose tool says how it was started, without secrets: arguments and variables as short hashes.
//   DECLARES   how many hooks it declares; by default 2
//   HANGS      it never answers, and writes its process id to the file of this name
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const short = (text) => createHash('sha256').update(text).digest('hex').slice(0, 6);
const variables = Object.entries(process.env)
  .filter(([name]) => /^ANNAL_|^GEMINI_CLI$/.test(name))
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, value]) => `${short(value)} in ${name}`);
const told = [`args ${process.argv.slice(2).map(short).join(' ')}`, ...variables].join(', ');

const declarations = [
  { event: 'session_start', context_tool: 'recall', priority: 'important' },
  { event: 'pre_request', context: 'Annal is there.', priority: 'suggestion' },
].slice(0, Number(process.env.DECLARES ?? 2));
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, experimental: { hooks: { declarations } } },
    serverInfo: { name: 'annal', version: '1' },
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: told }] }),
};

if (process.env.HANGS) writeFileSync(process.env.HANGS, String(process.pid));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (process.env.HANGS || id === undefined || !answer) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(params) })}\n`);
}
