/** A server that is a process: messages are lines on its standard input and output. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_BYTES } from '../../declaration/limits.ts';
import { isRecord } from '../../declaration/schema.ts';
import { onExit } from '../../system/cleanup.ts';
import type { Env } from '../../system/env.ts';
import { attempt, type Quote, reasonOf } from '../../system/errors.ts';
import { type Family, familyOf, signalGroup } from '../../system/process-group.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import { type Download, downloadBefore } from '../launchers/download.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { wordsOf } from '../redacted.ts';
import { parse, questions, type Talk, tooLarge, within } from './connection.ts';
import type { Asking } from './conversation.ts';
import { crashMessage } from './crash.ts';

/** How many characters of a server's stderr to keep, in case it ends early. */
const STDERR_LIMIT = 64 * 1024;

/** Milliseconds for its last output to arrive after it has ended. A child of it may hold the pipes open forever. */
const LAST_WORDS = 500;

/** Milliseconds for a server to end on its own, as it should once its input ends. */
const FAREWELL = 30;

/** Milliseconds between the polite signal and the other. */
const GRACE = 300;

/** Milliseconds for killed processes to disappear, and between two checks. */
const GONE = 100;
const POLL = 5;

/** How often to answer a server. One that asks without end may not read the answers, and they would pile up. */
const ANSWERS = 100;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole of its environment. */
  readonly env: Env;
}

type Options = Asking & Command;

type Fail = (problem: SourceMessage, details?: readonly (SourceMessage | Quote)[]) => void;

interface Noise {
  /** The first line that is no JSON. */
  stdout: string;
  stderr: string;
}

/** The process and all that it has started are gone when this returns or throws. */
export async function talkOverStdio<T>(options: Options, talk: Talk<T>): Promise<T> {
  const { command, args, cwd, env, name = command, deadline } = options;
  // Before the start, so that anything npx changes from now on counts as a download of its own.
  const download = downloadBefore({ command, args }, { cwd, env });
  const family = familyOf([command, ...args], env, cwd);
  const { server } = await start(options, family);
  family.begun(server);
  const end = endWith(server, family);
  const noise: Noise = { stdout: '', stderr: '' };
  let fail: Fail = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = (problem, details) => reject(new SourceError(problem, details));
  });
  failed.catch(() => {}); // nobody may be waiting for it any more

  const say = (message: object) =>
    new Promise<void>((done) => {
      // It may exit without reading, which is handled below.
      server.stdin?.write(`${JSON.stringify(message)}\n`, () => done());
    });
  let answers = 0;
  const { ask, hear } = questions((answer) => {
    if (++answers <= ANSWERS) say(answer);
  });
  readLines(server.stdout, {
    onLine: (line) => {
      const message = parse(line);
      if (isRecord(message)) hear(message);
      else noise.stdout ||= line;
    },
    onFlood: () => fail(tooLarge(name)),
  });
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    noise.stderr = (noise.stderr + text).slice(-STDERR_LIMIT);
  });

  server.once('error', (error) =>
    fail({ code: 'server-not-started', command, why: reasonOf(error) }),
  );
  const ended = (exitCode: number | null, signal: NodeJS.Signals | null) =>
    fail({ code: 'server-exited', command: name, exitCode, ...(signal !== null && { signal }) }, [
      ...seen(noise),
      ...lastLines(noise),
    ]);
  server.once('close', ended);
  server.once('exit', (code, signal) => {
    family.end(); // what it left behind, which may hold its streams
    setTimeout(() => ended(code, signal), LAST_WORDS).unref();
  });
  let asked = '';
  const silent = () =>
    fail({ code: 'server-silent', command: name, deadlineMs: deadline, asked }, seen(noise));
  const stopTimer = timing(options, download, server, noise, { fail, silent });
  try {
    const result = await talk({
      name,
      transport: 'stdio',
      request: (method, params) => {
        asked = method;
        const { id, answered } = ask();
        say({ jsonrpc: '2.0', id, method, params });
        return Promise.race([answered, failed]);
      },
      begin: () =>
        Promise.race([say({ jsonrpc: '2.0', method: 'notifications/initialized' }), failed]),
    });
    server.stdin?.end();
    await within(FAREWELL, gone(server));
    return result;
  } finally {
    stopTimer();
    server.stdout?.destroy(); // it may never stop talking
    await end();
    // A process that has left the group may hold the other streams open, and us with them.
    for (const stream of [server.stdin, server.stderr]) stream?.destroy();
  }
}

/** Milliseconds for a download, and between two looks at it. */
const DOWNLOAD = 300_000;
const LOOK = 500;

/** Keeps the time. A download has a limit of its own: if it were ended with every attempt, it would never be complete. */
function timing(
  { command, name = command, deadline, downloadDeadline: limitMs = DOWNLOAD, onDownload }: Options,
  download: Download | undefined,
  { pid }: ChildProcess,
  noise: Noise,
  { fail, silent }: { readonly fail: Fail; readonly silent: () => void },
): () => void {
  const { name: launcher = '', packages = [] } = download?.launcher ?? {};
  let timer: NodeJS.Timeout;
  let told = 0;
  let looked = performance.now();
  // A server may seem to download now and then, and restart the wait each time.
  const last = looked + limitMs + deadline;
  let [waited, downloaded] = [0, 0];
  const wait = () => {
    const left = Math.min(deadline - waited, download ? limitMs - downloaded : deadline);
    timer = setTimeout(look, Math.min(LOOK, left));
  };
  const look = () => {
    const now = performance.now();
    if (download?.isUnderWay({ pid, stderr: noise.stderr })) {
      downloaded += now - looked;
      waited = 0;
      const seconds = Math.floor(downloaded / 1000);
      if (seconds > told) onDownload?.({ launcher, packages: packages.map(mask), seconds });
      told = seconds;
    } else waited += now - looked;
    looked = now;
    if (waited >= deadline) silent();
    else if (download && (downloaded >= limitMs || now >= last))
      fail({ code: 'download-too-long', name, launcher, limitMs }, lastLines(noise));
    else wait();
  };
  wait();
  return () => clearTimeout(timer);
}

/**
 * Starts it in its own process group, so that what it starts (npx, uvx) ends with it. On Windows `npx` is a script, which only
 * a shell can start; execa knows how. Its result is also a promise of the end, so it is wrapped in an object.
 */
async function start(
  { command, args, cwd, env }: Command,
  { words: [program = command, ...words], stdio }: Family,
): Promise<{ readonly server: ChildProcess }> {
  if (!existsSync(cwd))
    throw new SourceError({ code: 'server-folder-missing', command, folder: cwd });
  const options = { cwd, ...(env && { env: { ...env } }) };
  const alone = { extendEnv: env === undefined, cleanup: false, reject: false, buffer: false };
  try {
    const server =
      process.platform === 'win32'
        ? (await import('execa')).execa(command, args, { ...options, ...alone })
        : spawn(program, words, { ...options, stdio, detached: true });
    server.stdin?.on('error', () => {});
    return { server };
  } catch (error) {
    const why = { ...reasonOf(error), text: String(error) };
    throw new SourceError({ code: 'server-not-started', command, why });
  }
}

const gone = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const { pid, exitCode, signalCode } = server;
    if (pid === undefined || exitCode !== null || signalCode !== null) resolve();
    else server.once('exit', () => resolve());
  });

/** Ends the process and everything it started, first politely, then by force. Returns when the process is gone. */
function endWith(server: ChildProcess, family: Family): () => Promise<void> {
  const { pid } = server;
  const over = gone(server);
  const now = () => family.end();
  const ended = onExit(now);
  return async () => {
    signalGroup(server, 'SIGTERM');
    const timer = setTimeout(now, GRACE);
    await over;
    clearTimeout(timer);
    now(); // a child of it that ignored the polite signal
    if (pid !== undefined) await groupGone(pid);
    ended();
  };
}

/** Killed processes take a moment to disappear. One whose parent never collects it is given up. */
async function groupGone(pid: number): Promise<void> {
  for (const until = performance.now() + GONE; performance.now() < until; await sleep(POLL))
    if (!attempt(() => process.kill(-pid, 0))) return;
}

const [NEWLINE, BRACE] = ['\n'.charCodeAt(0), '{'.charCodeAt(0)];

/** Reads lines of any length. A line that is too long is dropped, and is reported only if it begins like a message. */
function readLines(
  stream: NodeJS.ReadableStream | null,
  { onLine, onFlood }: { onLine: (line: string) => void; onFlood: () => void },
): void {
  let pieces: Buffer[] = [];
  let length = 0;
  let first: number | undefined;
  const add = (piece: Buffer) => {
    length += piece.length;
    first ??= piece[0];
    if (length <= RESPONSE_BYTES) pieces.push(piece);
    else if (first === BRACE) onFlood();
    else pieces = [];
  };
  stream?.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      const line = Buffer.concat(pieces).toString('utf8');
      pieces = [];
      length = 0;
      first = undefined;
      if (line.trim()) onLine(line);
    }
    if (from < chunk.length) add(chunk.subarray(from));
  });
}

/** A server's output may contain its secrets. */
const mask = redactor({});

const seen = ({ stdout }: Noise): SourceMessage[] =>
  stdout ? [{ code: 'stdout-not-json', text: inLine(mask(stdout.slice(0, 2000)), 120) }] : [];

/** The message of a crash, which its stack may have pushed out of the last lines, and then those lines. */
function lastLines({ stderr }: Noise): (SourceMessage | Quote)[] {
  const text = stderr.trimEnd();
  if (!text) return [];
  const crash = wordsOf(crashMessage(text));
  return [
    ...(crash.length > 0 ? [{ code: 'server-crashed' } as const, ...crash] : []),
    { code: 'server-last-lines' },
    ...wordsOf(text.split('\n').slice(-8)),
  ];
}
