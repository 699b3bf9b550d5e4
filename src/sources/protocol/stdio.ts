/** A server that is a process: messages are lines on its standard input and output. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_BYTES } from '../../declaration/limits.ts';
import { onExit } from '../../system/cleanup.ts';
import type { Env } from '../../system/env.ts';
import { type Quote, quotes, reasonOf, UserError } from '../../system/errors.ts';
import { atMost } from '../../system/plurals.ts';
import { guard, signalGroup } from '../../system/process-group.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine, quoted } from '../../system/visible.ts';
import { type Download, downloadBefore, type Started } from '../launchers/download.ts';
import type { SourceMessage } from '../messages.ts';
import { answerTo, type Connection, type Reply, replyTo, within } from './connection.ts';
import { crashMessage } from './crash.ts';

/** Characters kept of what a server says on stderr, for when it ends early. */
const STDERR_LIMIT = 64 * 1024;

/** Milliseconds in which what it has said may still arrive when it has ended; a child of it may hold the pipes for ever. */
const LAST_WORDS = 500;

/** Milliseconds for a server to end by itself, as it should once it has read that nothing more comes. */
const FAREWELL = 30;

/** Milliseconds between the polite signal and the other. */
const GRACE = 300;

/** Milliseconds for what was killed to be gone, and between two looks. */
const GONE = 100;
const POLL = 5;

/** Questions of a server's that are answered: one that asks without end may not read the answers, which would pile up. */
const QUESTIONS = 100;

export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole of its environment; ours when it is left out. */
  readonly env?: Env;
  /** Milliseconds from start to answer, without what a launcher such as npx downloads first. */
  readonly deadline: number;
  /** What sentences call it; its command when left out. */
  readonly name?: string;
  /** Milliseconds for such a download; five minutes when left out. */
  readonly downloadDeadline?: number;
  /** Told every second while something is downloaded. */
  readonly onDownload?: (downloading: Downloading) => void;
}

/** How far a download is. */
export interface Downloading {
  /** The launcher that does it, such as npx. */
  readonly launcher: string;
  /** What it downloads, as far as that is known. */
  readonly packages: readonly string[];
  /** How long it has taken. */
  readonly seconds: number;
}

/**
 * Starts the server and holds a conversation with it. The process and all that it has started are gone when this
 * returns or throws.
 */
export async function overStdio<T>(
  options: StdioOptions,
  talk: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { command, args, cwd, env = process.env, name = command, deadline } = options;
  // Before the start: what npx changes from now on is a download of its own.
  const download = downloadBefore({ command, args }, { cwd, env });
  const server = await start(options);
  const release = guard(server.pid);
  const end = endWith(server);
  let stopTimer = () => {};
  let junk = '';
  let questions = 0;
  let lastWords = '';
  let waiting: { readonly id: number; readonly answered: (reply: Reply) => void } | undefined;
  const say = (message: object) =>
    new Promise<void>((done) => {
      // It may exit without reading; that is told below.
      server.stdin?.write(`${JSON.stringify(message)}\n`, () => done());
    });

  const failed = new Promise<never>((_, reject) => {
    stopTimer = timing(options, download, {
      started: () => ({ pid: server.pid, stderr: lastWords }),
      onSilent: () =>
        reject(
          new UserError<SourceMessage>(
            { code: 'server-silent', command: name, deadlineMs: deadline },
            seen(junk),
          ),
        ),
      onStuck: ({ launcher }, limit) =>
        reject(
          new UserError<SourceMessage>(
            { code: 'download-too-long', name, launcher: launcher.name, limitMs: limit },
            lastLines(lastWords),
          ),
        ),
    });
    server.once('error', (error) =>
      reject(
        new UserError<SourceMessage>({
          code: 'server-not-started',
          command,
          why: reasonOf(error),
        }),
      ),
    );
    const ended = (code: number | null, signal: NodeJS.Signals | null) =>
      reject(
        new UserError<SourceMessage>(
          {
            code: 'server-exited',
            command: name,
            exitCode: code,
            ...(signal !== null && { signal }),
          },
          [...seen(junk), ...lastLines(lastWords)],
        ),
      );
    server.once('close', ended);
    server.once('exit', (code, signal) => {
      setTimeout(() => ended(code, signal), LAST_WORDS).unref();
    });
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-STDERR_LIMIT);
    });
    readLines(server.stdout, {
      onLine: (line) => {
        const message = parse(line);
        if (typeof message !== 'object' || message === null || Array.isArray(message)) {
          junk ||= line;
          return;
        }
        const answer = answerTo(message);
        if (answer && ++questions <= QUESTIONS) say(answer);
        const reply = waiting && replyTo(waiting.id, message);
        if (reply) waiting?.answered(reply);
      },
      onFlood: () =>
        reject(
          new UserError<SourceMessage>({
            code: 'response-too-large',
            name,
            limitBytes: RESPONSE_BYTES,
          }),
        ),
    });
  });
  failed.catch(() => {}); // it may be nobody's concern any more

  let next = 1;
  const connection: Connection = {
    name,
    transport: 'stdio',
    request: (method, params) => {
      const id = next++;
      const answer = new Promise<Reply>((answered) => {
        waiting = { id, answered };
      });
      say({ jsonrpc: '2.0', id, method, params });
      return Promise.race([answer, failed]);
    },
    begin: () =>
      Promise.race([say({ jsonrpc: '2.0', method: 'notifications/initialized' }), failed]),
  };
  try {
    const said = await talk(connection);
    server.stdin?.end();
    await within(FAREWELL, gone(server));
    return said;
  } finally {
    stopTimer();
    server.stdout?.destroy(); // it may talk for ever
    await end();
    release();
    // Somebody who has left the group of processes may hold the others open, and us with them.
    for (const stream of [server.stdin, server.stderr]) stream?.destroy();
  }
}

/** Milliseconds for a download, and between two looks at it. */
const DOWNLOAD = 300_000;
const LOOK = 500;

interface Timing {
  readonly started: () => Started;
  /** It has not answered in time. */
  readonly onSilent: () => void;
  /** The download has not come to its end. */
  readonly onStuck: (download: Download, limit: number) => void;
}

/**
 * Keeps the time. A download has a limit of its own: if it were ended with every attempt, it would never be complete.
 *
 * @returns What stops it.
 */
function timing(
  { deadline, downloadDeadline = DOWNLOAD, onDownload }: StdioOptions,
  download: Download | undefined,
  { started, onSilent, onStuck }: Timing,
): () => void {
  let timer: NodeJS.Timeout;
  if (!download) {
    timer = setTimeout(onSilent, atMost(deadline));
    return () => clearTimeout(timer);
  }
  const { name: launcher } = download.launcher;
  const packages = download.launcher.packages.map(mask);
  let told = 0;
  let looked = performance.now();
  // A server may look as if it downloaded now and then, and begin to be waited for anew each time.
  const last = looked + downloadDeadline + deadline;
  let [waited, downloaded] = [0, 0];
  const look = () => {
    const now = performance.now();
    if (download.isUnderWay(started())) {
      downloaded += now - looked;
      waited = 0;
      const seconds = Math.floor(downloaded / 1000);
      if (seconds > told) onDownload?.({ launcher, packages, seconds });
      told = seconds;
    } else waited += now - looked;
    looked = now;
    if (waited >= deadline) onSilent();
    else if (downloaded >= downloadDeadline || now >= last) onStuck(download, downloadDeadline);
    else timer = setTimeout(look, Math.min(LOOK, deadline - waited, downloadDeadline - downloaded));
  };
  timer = setTimeout(look, Math.min(LOOK, deadline));
  return () => clearTimeout(timer);
}

/** In a process group of its own, so that what it starts (npx, uvx) can be ended with it. */
async function start({ command, args, cwd, env }: StdioOptions): Promise<ChildProcess> {
  if (!existsSync(cwd))
    throw new UserError<SourceMessage>({ code: 'server-folder-missing', command, folder: cwd });
  const options = { cwd, ...(env && { env: { ...env } }) };
  try {
    const server =
      process.platform === 'win32'
        ? (await startOnWindows(command, args, options)).server
        : spawn(command, args, { ...options, detached: true });
    server.stdin?.on('error', () => {});
    return server;
  } catch (error) {
    throw new UserError<SourceMessage>({
      code: 'server-not-started',
      command,
      why: { ...reasonOf(error), text: String(error) },
    });
  }
}

/** There `npx` is a script, which only a shell can start; execa knows how. */
async function startOnWindows(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Env },
): Promise<{ readonly server: ChildProcess }> {
  const { execa } = await import('execa');
  // What execa gives is also a promise of the end: in an object, so that nobody waits for that.
  const server = execa(command, args, {
    ...options,
    extendEnv: options.env === undefined,
    cleanup: false,
    reject: false,
    buffer: false,
  });
  return { server };
}

/** Resolves when the process has ended, or was never there. */
const gone = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const { pid, exitCode, signalCode } = server;
    if (pid === undefined || exitCode !== null || signalCode !== null) resolve();
    else server.once('exit', () => resolve());
  });

/** Ends the process and all it started: politely, then not. Returns when the process is gone. */
function endWith(server: ChildProcess): () => Promise<void> {
  const { pid } = server;
  const over = gone(server);
  const now = () => signalGroup(server, 'SIGKILL');
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

/** What was killed takes a moment to be gone; somebody who is never waited for is given up. */
async function groupGone(pid: number): Promise<void> {
  for (const until = performance.now() + GONE; performance.now() < until; await sleep(POLL))
    try {
      process.kill(-pid, 0);
    } catch {
      return;
    }
}

const [NEWLINE, BRACE] = ['\n'.charCodeAt(0), '{'.charCodeAt(0)];

/** Lines of any length; of one that is too long nothing is kept, and only if it begins as a message does it matter. */
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

/** What some runtimes write before the first character, a byte order mark, is none of the message. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** What a server prints may name its secrets. */
const mask = redactor({});

const seen = (junk: string): SourceMessage[] =>
  junk ? [{ code: 'stdout-not-json', text: inLine(mask(junk.slice(0, 2000)), 120) }] : [];

/** The message of a crash, which its stack may have pushed out of the last lines, and those. */
const lastLines = (stderr: string): (SourceMessage | Quote)[] => {
  const text = stderr.trimEnd();
  if (!text) return [];
  const shown = (lines: readonly string[]) =>
    quotes(
      quoted(
        lines.map((line) => mask(line.slice(0, 2000))),
        200,
      ),
    );
  const message = crashMessage(text);
  const last: (SourceMessage | Quote)[] = [
    { code: 'server-last-lines' },
    ...shown(text.split('\n').slice(-8)),
  ];
  return message.length > 0 ? [{ code: 'server-crashed' }, ...shown(message), ...last] : last;
};
