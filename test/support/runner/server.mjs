// An MCP server over stdio that does as it is told, for tests of what a runner makes of it. Its one argument:
//   log        file to which it writes a line of JSON for its start and for each message it gets
//   results    tool name to the result of a call; a tool that is not here answers with its arguments
//   say        written to stdout at the start, as it is
//   flood      it writes on and on, never a line end
//   lineEnd    after each message; default "\n"
//   silentOn   method that gets no answer
//   exitOn     method at which it ends without an answer
//   exitAfter  method after whose answer it ends
//   errorOn    method that is answered with an error
//   before     written to stdout, as it is, before the answer to each call
//   child      'same' | 'detached': it has a child, in its own process group or not, that holds its streams
//   stubborn   it does not end on SIGTERM
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const told = JSON.parse(process.argv[2]);
const log = (facts) => told.log && appendFileSync(told.log, `${JSON.stringify(facts)}\n`);

process.stderr.write('noise on stderr\n');
if (told.stubborn) process.on('SIGTERM', () => {});
const child =
  told.child &&
  spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], {
    stdio: 'inherit',
    detached: told.child === 'detached',
  });
const git = existsSync('.git');
log({ started: process.pid, child: child?.pid, cwd: process.cwd(), git, env: process.env });
if (told.say) process.stdout.write(told.say);
const flood = () => process.stdout.write('x'.repeat(65_536), () => setImmediate(flood));
if (told.flood) flood();

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'told', version: '1' },
  }),
  'tools/call': ({ name, arguments: args }) =>
    told.results?.[name] ?? {
      content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }],
    },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  log({ method, params });
  if (method === told.exitOn) process.exit(3);
  if (id === undefined || method === told.silentOn || !answers[method]) return;
  const body =
    method === told.errorOn
      ? { error: { code: -32603, message: 'no' } }
      : { result: answers[method](params) };
  if (method === 'tools/call' && told.before) process.stdout.write(told.before);
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, ...body })}${told.lineEnd ?? '\n'}`,
    () => method === told.exitAfter && process.exit(0),
  );
});
