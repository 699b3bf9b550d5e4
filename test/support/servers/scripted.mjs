// A server that answers `initialize` as the test tells it to: argv[2] is the path of a JSON file.
//   stderr, before   written first
//   discover         the rest of the answer to `server/discover`, which is otherwise unknown
//   body             the rest of the answer; "$request" in it becomes the request
//   first            method; it ends if its first request is another one
//   tools            pages of tools, for `tools/list`; an object instead of a page is the rest of that answer
//   asks             messages that it sends before it answers; "$replies" in `body` becomes their replies
//   initialized      the path of a file that it writes once the client says that the conversation has begun
//   starts           the path of a file that gets a line for each start
//   mute             it answers only `initialize`
//   pieces           the answer is written in this many pieces, each after the previous one is out
//   exit             it ends with this code after a request, without an answer
//   child, pids      it starts a child that ignores all polite signals; the pids go into this file
//   stubborn         it ignores polite signals itself
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const IGNORE = "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {});";
const write = (text, stream = process.stdout) => new Promise((done) => stream.write(text, done));

if (plan.stubborn) process.on('SIGTERM', () => {});
for (let at = 0; at < (plan.stderr?.length ?? 0); at += 5000)
  await write(plan.stderr.slice(at, at + 5000), process.stderr);
if (plan.before) await write(plan.before);
if (plan.child) {
  const script = `${IGNORE} process.stdout.write('.'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.once('data', () => writeFileSync(plan.pids, `${process.pid} ${child.pid}`));
}

if (plan.starts) appendFileSync(plan.starts, `${process.pid}\n`);
const replies = [];
let asked = false;
let hello;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const { id, method } = message;
  if (plan.first && !asked && method !== plan.first) process.exit(4);
  asked = true;
  if (method === undefined && replies.push(message) === plan.asks?.length)
    await answer(hello, plan.body);
  if (method === 'notifications/initialized' && plan.initialized)
    writeFileSync(plan.initialized, 'yes');
  if (id === undefined || method === undefined) continue;
  if (method !== 'initialize') {
    const unknown = { error: { code: -32601, message: 'Method not found' } };
    const page = method === 'tools/list' && plan.tools?.[Number(message.params?.cursor ?? 0)];
    if (page) await answer(line, paged(page, Number(message.params?.cursor ?? 0)));
    else if (!plan.mute)
      await answer(line, (method === 'server/discover' && plan.discover) || unknown);
    continue;
  }
  if (plan.exit !== undefined) process.exit(plan.exit);
  hello = line;
  for (const one of plan.asks ?? []) await write(`${JSON.stringify(one)}\n`);
  if (plan.body && !plan.asks) await answer(line, plan.body);
}

/** One page; all but the last say which is next. */
function paged(page, at) {
  if (!Array.isArray(page)) return page;
  return { result: { tools: page, ...(plan.tools[at + 1] && { nextCursor: String(at + 1) }) } };
}

async function answer(line, rest) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, ...rest })
    .replace('"$request"', JSON.stringify(line))
    .replace('"$replies"', JSON.stringify(JSON.stringify(replies)));
  const bytes = Buffer.from(`${body}\n`);
  const size = Math.ceil(bytes.length / (plan.pieces ?? 1));
  for (let at = 0; at < bytes.length; at += size) {
    await write(bytes.subarray(at, at + size));
    if (plan.pieces) await new Promise((done) => setImmediate(done));
  }
}
