/** Asks a server on stdio for its hooks: starts it, says hello, reads the raw answer, ends it. */

import type { ResultPromise } from 'execa';
import type { Env } from '../clients/client.ts';
import { type Declared, EVENTS, EXTENSION, type Problem } from '../declaration/declaration.ts';
import { findForm, readDeclarations } from '../declaration/manifest.ts';
import { isRecord } from '../declaration/schema.ts';
import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import { masker } from '../secrets.ts';
import { visible } from '../visible.ts';

/** Characters of one line of a server's stdout; a longer one cannot be an answer we want. */
const LINE_LIMIT = 4 * 1024 * 1024;

/** Characters kept of what a server says on stderr, for when it ends early. */
const STDERR_LIMIT = 64 * 1024;

/** Milliseconds; node fires a timer of more at once. */
const TIMER_LIMIT = 2 ** 31 - 1;

/** The newest version with `initialize`; a server answers with the version it speaks. */
const PROTOCOL = '2025-11-25';

export interface HandshakeOptions {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What it has in its environment besides. */
  readonly env?: Env;
  /** Milliseconds from start to answer. */
  readonly deadline: number;
  /** Our own version, for `clientInfo`. */
  readonly version: string;
}

/**
 * Starts the server, sends `initialize` with the opt-in and returns what it declares. An entry that is not
 * understood (a newer event, say) is a warning and left out. The process and its children are gone when
 * this returns or throws.
 *
 * SDK clients strip `capabilities.hooks`, so the answer is read as the JSON it is.
 *
 * @returns `hooks` is empty when the server declares none.
 */
export async function askServer(options: HandshakeOptions): Promise<Declared> {
  const result = await initialize(options);
  const capabilities = isRecord(result) ? result.capabilities : undefined;
  const form = findForm({ capabilities });
  const { declarations, problems } = form
    ? readDeclarations(form.hooks, form.path)
    : { declarations: [], problems: [] };
  return {
    label: options.label,
    hooks: declarations,
    server: { command: options.command, args: options.args },
    source: { kind: 'command', command: options.command, args: options.args },
    problems: problems.map(leftOut),
  };
}

/** What a running server says is not refused for one entry: it may be newer than we are. */
const leftOut = (problem: Problem): Problem => ({
  ...problem,
  level: 'warning',
  message:
    problem.level === 'error'
      ? `${where(problem.path)}: left out: ${problem.message}`
      : `${where(problem.path)}: ${problem.message}`,
});

const where = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .slice(1);

/** One legacy handshake over a fresh process; the `result` of `initialize`. */
async function initialize({
  command,
  args,
  cwd,
  env,
  deadline,
  version,
}: HandshakeOptions): Promise<unknown> {
  const opt = { supported_events: EVENTS };
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: PROTOCOL,
      capabilities: {
        hooks: opt,
        experimental: { hooks: opt },
        extensions: { [EXTENSION]: opt },
      },
      clientInfo: { name: 'mcp-hooks', version },
    },
  };

  const { execa } = await import('execa');
  // Its own process group, so that what it starts (npx, uvx) can be ended with it.
  const server = execa(command, args, {
    cwd,
    ...(env && { env }),
    detached: process.platform !== 'win32',
    cleanup: false,
    reject: false,
    buffer: false,
    encoding: 'utf8',
  });
  const end = endWith(server);
  let junk = '';
  let lastWords = '';
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new UserError(messages.serverSilent(command, deadline), seen(junk))),
        Math.min(deadline, TIMER_LIMIT),
      );
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        lastWords = (lastWords + text).slice(-STDERR_LIMIT);
      });
      server.stdin.on('error', () => {}); // it may exit without reading; that is reported below
      server.stdin.write(`${JSON.stringify(request)}\n`);
      readLines(server.stdout, (line) => {
        const message = parse(line);
        if (!isRecord(message)) {
          junk ||= line;
          return;
        }
        if (message.id !== request.id) return; // a log notification, say
        if ('error' in message)
          reject(new UserError(messages.serverError(command, errorText(message.error))));
        else if (isRecord(message.result)) resolve(message.result);
        else reject(new UserError(messages.serverNotMcp(command)));
      });
      server.then((ended) => {
        if (ended.code !== undefined)
          reject(new UserError(messages.serverNotStarted(command, ended.code)));
        else
          reject(
            new UserError(
              messages.serverExited(command, ended.signal ?? `exit code ${ended.exitCode}`),
              [...seen(junk), ...lastLines(lastWords)],
            ),
          );
      });
    });
  } finally {
    clearTimeout(timer);
    server.stdout.destroy(); // it may talk for ever
    await end();
  }
}

/** Ends the process and all it started: politely, then not. Returns when the process is gone. */
function endWith(server: ResultPromise): () => Promise<void> {
  const { pid } = server;
  const kill = (signal: NodeJS.Signals) => {
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') server.kill(signal);
      else process.kill(-pid, signal);
    } catch {} // already gone
  };
  const now = () => kill('SIGKILL');
  const interrupted = (signal: NodeJS.Signals) => {
    now();
    process.kill(process.pid, signal);
  };
  process.once('exit', now);
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  process.once('SIGHUP', interrupted); // its terminal was closed
  return async () => {
    kill('SIGTERM');
    const timer = setTimeout(now, 300);
    await server.catch(() => {});
    clearTimeout(timer);
    now(); // a child of it that ignored the polite signal
    process.off('exit', now);
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    process.off('SIGHUP', interrupted);
  };
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, LINE_LIMIT);
    for (const line of lines) if (line.trim()) onLine(line);
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const errorText = (error: unknown): string => {
  if (!isRecord(error)) return visible(String(error), 300);
  const { message = 'without a text', code } = error;
  return visible(code === undefined ? `${message}` : `${message} (${code})`, 300);
};

/** What a server prints may name its secrets. */
const mask = masker({});

const seen = (junk: string): string[] =>
  junk
    ? [`On its standard output was, instead of JSON: ${visible(mask(junk.slice(0, 2000)), 120)}`]
    : [];

const lastLines = (stderr: string): string[] => {
  const lines = stderr.trimEnd();
  if (!lines) return [];
  return [
    'Its last words on standard error:',
    ...lines
      .split('\n')
      .slice(-8)
      .map((line) => `  ${visible(mask(line.slice(0, 2000)), 200)}`),
  ];
};
