// An MCP server over stdio that does as it is told, to test how a runner copes. Its one argument is JSON with:
//   log        file that gets a line of JSON for its start and for each message received
//   results    tool name to the result of a call; a tool that is not here answers with its arguments
//   long       characters of text in the result of each call
//   tools      names of tools that it says it has
//   say        written to stdout at the start, unchanged
//   flood      it writes without end, and never a line break
//   lineEnd    after each message; default "\n"
//   ignored   method that gets no answer
//   exitOn     method at which it ends without an answer
//   exitAfter  method after whose answer it ends
//   errorOn    method that gets an error as its answer
//   before     written to stdout, unchanged, before the answer to each call
//   child      'same' | 'detached': it has a child, in its own process group or not, that holds its streams
//   stubborn   it does not end on SIGTERM
//   deaf       it does not read its input
//   ask        requests that it sends before it answers a call; it answers once each has a reply
//   era        'modern': it refuses `initialize`, and calls with incomplete metadata; 'legacy': it refuses calls before it.
//              A number: 'legacy', with this as the code of the error
//   also       JSON file with more of these, which override the ones here
// CommonJS, without modules that few tests need, because it starts a hundred times.
'use strict';
const { appendFileSync, existsSync, readFileSync } = require('node:fs');

const given = JSON.parse(process.argv[2]);
const told = { ...given, ...(given.also && JSON.parse(readFileSync(given.also, 'utf8'))) };
const log = (facts) => told.log && appendFileSync(told.log, `${JSON.stringify(facts)}\n`);

process.stderr.write('noise on stderr\n');
if (told.stubborn) process.on('SIGTERM', () => {});
const child =
  told.child &&
  require('node:child_process').spawn(
    process.execPath,
    ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'],
    {
      stdio: 'inherit',
      detached: told.child === 'detached',
    },
  );
const git = existsSync('.git');
const PARENT = `/proc/${process.ppid}/cmdline`;
const parent = existsSync(PARENT)
  ? readFileSync(PARENT, 'utf8').replaceAll('\0', ' ')
  : require('node:child_process').execFileSync('ps', ['-o', 'args=', '-p', String(process.ppid)], {
      encoding: 'utf8',
    });
log({
  started: process.pid,
  child: child?.pid,
  cwd: process.cwd(),
  git,
  args: process.argv.slice(3),
  parent,
  env: process.env,
});
if (told.say) process.stdout.write(told.say);
const flood = () => process.stdout.write('x'.repeat(65_536), () => setImmediate(flood));
if (told.flood) flood();

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'told', version: '1' },
  }),
  'tools/list': () => ({ tools: (told.tools ?? []).map((name) => ({ name })) }),
  'tools/call': ({ name, arguments: args }) =>
    told.results?.[name] ?? {
      content: [
        { type: 'text', text: 'x'.repeat(told.long ?? 0) || `${name} ${JSON.stringify(args)}` },
      ],
    },
};

/** Why the server refuses a request, if it does. */
function refusal(method, params) {
  const isModern = params?._meta?.['io.modelcontextprotocol/protocolVersion'] === '2026-07-28';
  if (told.era === 'modern' && method === 'initialize') return -32022;
  if (told.era === 'modern' && !isModern) return -32602;
  if (told.era && told.era !== 'modern' && method === 'tools/call' && !shaken)
    return told.era === 'legacy' ? -32602 : told.era;
  return method === told.errorOn || told.errorOn === '*' ? -32603 : undefined;
}

const send = (message, then) =>
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', ...message })}${told.lineEnd ?? '\n'}`,
    then,
  );

let shaken = false;
let unanswered = new Set();
let whenAnswered;
const onLine = (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  log({ method, params, result, error });
  if (method === undefined) {
    unanswered.delete(id);
    if (unanswered.size === 0) whenAnswered?.();
    return;
  }
  if (method === 'tools/call' && told.ask && !whenAnswered) {
    unanswered = new Set(told.ask.map((_, index) => `ask-${index}`));
    whenAnswered = () => onLine(line);
    for (const [index, question] of told.ask.entries())
      send({ id: `ask-${index}`, method: question });
    return;
  }
  if (method === told.exitOn) process.exit(3);
  if (id === undefined || method === told.ignored || !answers[method]) return;
  const code = refusal(method, params);
  if (method === 'initialize') shaken = true;
  const body =
    code === undefined
      ? { result: answers[method](params) }
      : { error: { code, message: 'no: sw0rdfish' } };
  if (method === 'tools/call' && told.before) process.stdout.write(told.before);
  send({ id, ...body }, () => method === told.exitAfter && process.exit(0));
};
let unread = '';
if (told.deaf) setInterval(() => {}, 1000);
else
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = `${unread}${text}`.split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
