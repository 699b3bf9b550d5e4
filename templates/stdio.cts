/** mcp-hooks: an MCP server that is a process. Each message is one line of JSON on stdin or stdout. */

import { jsonOf } from './json.cjs';
import { answering, type Connection, isReply, MOST, type Reply } from './mcp/messages.cjs';
import { type StartedTree, serverTree, startTree } from './process-tree.cjs';
import { fault, isObject, parse, waitFor } from './values.cjs';

/** A running server. It and all its descendants are ended when its connection is closed, or when we end. */
export interface Process extends Connection, StartedTree {
  /** Its other output: the first line of stdout that is not a message, and the end of stderr. */
  readonly noise: { stdout: string; stderr: string };
}

/** Why it can no longer answer. `ended`: its exit status, or the signal that ended it. */
export type Ended = ReturnType<typeof fault> & { readonly ended: number | NodeJS.Signals | null };

/** A server and its complete environment. */
interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds for its last output to arrive, or for the system to end it. */
const LAST = 200;
/** How many characters of its stderr we keep. Most may be an error's stack. */
const STDERR = 64 * 1024;

/**
 * Starts a server. Requests fail with a `fault`, with an `Ended`, or with the system's error if it did not start.
 *
 * @param how `most`: the total number of characters that it may write; a message has at most 4 million. The rest is as in
 *   `startTree`.
 */
export function connect(
  { command, args, cwd, env }: Command,
  { most = MOST, ...how }: { readonly most?: number } & Parameters<typeof startTree>[2] = {},
): Process {
  const started = startTree(serverTree([command, ...args], env, cwd), cwd, how);
  const { child, ended, terminate, end } = started;
  const waiting = new Map<unknown, { resolve(reply: Reply): void; reject(error: unknown): void }>();
  let last = 0;
  let broken: unknown;
  const fail = (error: unknown) => {
    broken ??= error;
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  const send = (message: object) => child.stdin.write(`${jsonOf(message)}\n`);
  const answer = answering(send);
  const take = (reply: Reply) => {
    // If a server cannot read a request, it does not know the id of the request it refuses.
    const isOnly = reply.id === null && reply.error !== undefined && waiting.size === 1;
    const id = isOnly ? last : reply.id;
    waiting.get(id)?.resolve(reply);
    waiting.delete(id);
  };
  // stderr is always read, because a server blocks when its pipe is full.
  const noise = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    noise.stderr = (noise.stderr + text).slice(-STDERR);
  });
  readLines(child.stdout, most, {
    onLine: (line) => {
      const message = parse(line.replace(/^\uFEFF/, '')); // some runtimes write a byte order mark first
      if (isReply(message)) take(message);
      else if (isObject(message)) answer(message);
      else if (line.trim() !== '') noise.stdout ||= line.slice(0, 2000);
    },
    onFlood: () => {
      child.stdout.destroy();
      fail(fault('answer-too-long'));
    },
  });
  child.stdin.on('error', () => {}); // it may exit without reading
  child.on('error', fail);
  child.on('close', (code, signal) => {
    fail(Object.assign(fault('ended'), { ended: code ?? signal }));
  });
  void ended.then(() => {
    // Its output is read to the end, unless a process that we cannot end holds the streams open. If we were busy the whole
    // time, the data that arrived is read only after the timers have run.
    setTimeout(() => {
      setImmediate(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      });
    }, LAST).unref();
  });
  return {
    ...started,
    noise,
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        last += 1;
        waiting.set(last, { resolve, reject });
        send({ jsonrpc: '2.0', id: last, method, params });
      }),
    begin: () => void send({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    async close(until) {
      child.stdin.destroy();
      child.stdout.destroy();
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        const left = until - Date.now();
        if (left > 0) {
          terminate();
          await waitFor(left, ended);
        }
        end();
        await waitFor(LAST, ended); // even the kernel may have to wait for it
        child.unref();
      }
      child.stderr.destroy(); // not earlier, because its writes might fail while the server ends
    },
  };
}

/** Reads lines up to a total size. A line that is too long is skipped, unless it begins like a message. */
function readLines(
  stream: NodeJS.ReadableStream,
  most: number,
  { onLine, onFlood }: { onLine(line: string): void; onFlood(): void },
): void {
  let pieces: string[] = [];
  let length = 0;
  let total = 0;
  const add = (piece: string) => {
    if (piece === '') return;
    length += piece.length;
    if (length <= MOST) pieces.push(piece);
    else if (pieces[0]?.startsWith('{')) onFlood();
    else pieces = ['']; // it cannot be a message
  };
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    total += chunk.length;
    if (total > most) return onFlood();
    const lines = chunk.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      add(line);
      onLine(pieces.join(''));
      pieces = [];
      length = 0;
    }
    add(rest);
  });
}
