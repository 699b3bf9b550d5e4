// A server that answers `initialize` as the test tells it to: argv[2] is the path of a JSON file.
//   stderr, before   written first
//   discover         the rest of the answer to `server/discover`, which it otherwise does not know
//   body             the rest of the answer; "$request" in it becomes what was asked
//   pieces           the answer is written in so many pieces, each when the last one is out
//   exit             it ends with this code once it has been asked, without an answer
//   child, pids      it starts a child that ignores all polite signals; the pids go into this file
//   stubborn         it ignores polite signals itself
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
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

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method !== 'initialize' && id !== undefined) {
    const unknown = { error: { code: -32601, message: 'Method not found' } };
    const rest = (method === 'server/discover' && plan.discover) || unknown;
    await write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`);
  }
  if (method !== 'initialize') continue;
  if (plan.exit !== undefined) process.exit(plan.exit);
  if (!plan.body) continue;
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...plan.body });
  const answer = body.replace('"$request"', JSON.stringify(line));
  const bytes = Buffer.from(`${answer}\n`);
  const size = Math.ceil(bytes.length / (plan.pieces ?? 1));
  for (let at = 0; at < bytes.length; at += size) {
    await write(bytes.subarray(at, at + size));
    if (plan.pieces) await new Promise((done) => setImmediate(done));
  }
}
