/**
 * A server that is a process, with errors in words. The runner's client starts it and transports the messages
 * (templates/stdio.cts).
 */

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onExit } from '../../system/cleanup.ts';
import type { Env } from '../../system/env.ts';
import { type Quote, reasonOf, UserError } from '../../system/errors.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import { type Download, downloadBefore } from '../launchers/download.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { wordsOf } from '../redacted.ts';
import { ending, faultOf, type Talk, tooLarge } from './connection.ts';
import type { Asking } from './conversation.ts';
import { crashMessage } from './crash.ts';

/** Milliseconds for a server to exit on its own after its input ends. */
const FAREWELL = 30;

/** Milliseconds between the polite signal and the forced one. */
const GRACE = 300;

/** Milliseconds for killed processes to end (`GONE`), and between two checks (`POLL`). */
const GONE = 100;
const POLL = 5;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment of the server. */
  readonly env: Env;
}

type Options = Asking & Command;

const stdio = () => runnerCode('./stdio.cjs');
type Server = ReturnType<ReturnType<typeof stdio>['connect']>;
type Noise = Server['noise'];

type Fail = (problem: SourceMessage, details?: readonly (SourceMessage | Quote)[]) => void;

/** npm retries after 10 and after 60 seconds, even without a network. The user's own settings take precedence. */
const NPM_RETRIES: Env = {
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '5000',
};

/**
 * The process and everything that it started have ended when this returns or throws, or once the promise passed to `leave` is
 * resolved.
 */
export async function talkOverStdio<T>(options: Options, talk: Talk<T>): Promise<T> {
  const { command, args, cwd, env, name = command, deadline, leave } = options;
  if (!existsSync(cwd))
    throw new SourceError({ code: 'server-folder-missing', command, folder: cwd });
  // Created before the start, so that anything npx changes from now on counts as its download.
  const download = downloadBefore({ command, args }, { cwd, env });
  const server = start({ ...options, env: download ? { ...NPM_RETRIES, ...env } : env });
  const { end, orEnd } = ending();
  const fail: Fail = (problem, details) => end(new SourceError(problem, details));
  let asked = '';
  const timeOut = () =>
    fail(
      { code: 'server-timeout', command: name, deadlineMs: deadline, asked },
      seen(server.noise),
    );
  const stopTimer = timing(options, download, server, { fail, timeOut });
  let result: T;
  try {
    result = await talk({
      name,
      transport: 'stdio',
      ask: (method, params) => {
        asked = method;
        return orEnd(server.ask(method, params)).catch((error: unknown) => {
          throw explained(error, options, server.noise);
        });
      },
      begin: server.begin,
    }).finally(stopTimer);
  } catch (error) {
    await closed(server);
    throw error;
  }
  const { waitFor } = runnerCode('./values.cjs');
  const inputClosed = new Promise<void>((resolve) => {
    server.child.stdin.end(() => resolve());
  });
  const gone = waitFor(FAREWELL, server.ended).then(() => closed(server));
  if (leave) leave(gone);
  // The input ends only when the event loop is free for a moment, and the caller may be busy for the whole exit.
  await (leave ? waitFor(FAREWELL, inputClosed) : gone);
  return result;
}

async function closed(server: Server): Promise<void> {
  await server.close(Date.now() + GRACE);
  const { pid } = server.child;
  if (pid !== undefined) await groupEnded(pid);
}

function start(command: Command): Server {
  try {
    return stdio().connect(command, { most: Number.POSITIVE_INFINITY, atExit: onExit });
  } catch (error) {
    throw notStarted(command.command, error);
  }
}

const notStarted = (command: string, error: unknown): SourceError =>
  new SourceError({
    code: 'server-not-started',
    command,
    why: { ...reasonOf(error), text: String(error) },
  });

/** The error in words for the user. */
function explained(error: unknown, { command, name = command }: Options, noise: Noise): unknown {
  if (error instanceof UserError) return error;
  const code = faultOf(error);
  if (code === 'answer-too-long') return new SourceError(tooLarge(name));
  if (code !== 'ended') return notStarted(command, error);
  const { ended }: { readonly ended?: number | NodeJS.Signals } = Object(error);
  const how =
    typeof ended === 'string' ? { exitCode: null, signal: ended } : { exitCode: ended ?? null };
  return new SourceError({ code: 'server-exited', command: name, ...how }, [
    ...seen(noise),
    ...lastLines(noise),
  ]);
}

/** Killed processes take a moment to end. */
async function groupEnded(pid: number): Promise<void> {
  const { haveEnded } = runnerCode('./process-tree.cjs');
  for (const until = performance.now() + GONE; performance.now() < until; await sleep(POLL))
    if (haveEnded(pid)) return;
}

/** Milliseconds for a download (`DOWNLOAD`), and between two checks (`LOOK`). */
const DOWNLOAD = 300_000;
const LOOK = 500;

/** Enforces the deadlines. A download has its own: if every attempt were cut off, it would never complete. */
function timing(
  { command, name = command, deadline, downloadDeadline: limitMs = DOWNLOAD, onDownload }: Options,
  download: Download | undefined,
  { child: { pid }, noise }: Server,
  { fail, timeOut }: { readonly fail: Fail; readonly timeOut: () => void },
): () => void {
  const { name: launcher = '', packages = [] } = download?.launcher ?? {};
  let timer: NodeJS.Timeout;
  let reported = 0;
  let looked = performance.now();
  // A server may appear to download now and then, which would restart the wait each time.
  const last = looked + limitMs + deadline;
  let [waited, downloaded] = [0, 0];
  const wait = () => {
    const left = Math.min(deadline - waited, download ? limitMs - downloaded : deadline);
    timer = setTimeout(look, Math.max(0, Math.min(LOOK, left)));
  };
  const look = () => {
    const now = performance.now();
    if (download?.isUnderWay({ pid, stderr: noise.stderr })) {
      downloaded += now - looked;
      waited = 0;
      const seconds = Math.floor(downloaded / 1000);
      if (seconds > reported) onDownload?.({ launcher, packages: packages.map(mask), seconds });
      reported = seconds;
    } else waited += now - looked;
    looked = now;
    if (waited >= deadline) timeOut();
    else if (download && (downloaded >= limitMs || now >= last))
      fail({ code: 'download-too-long', name, launcher, limitMs }, lastLines(noise));
    else wait();
  };
  wait();
  return () => clearTimeout(timer);
}

/** A server's output may contain its secrets. */
const mask = redactor({});

const seen = ({ stdout }: Noise): SourceMessage[] =>
  stdout ? [{ code: 'stdout-not-json', text: inLine(mask(stdout.slice(0, 2000)), 120) }] : [];

/** The message of a crash, which its stack may have pushed out of the last lines, followed by those lines. */
function lastLines({ stderr }: Noise): (SourceMessage | Quote)[] {
  const text = stderr.trimEnd();
  if (!text) return [];
  const crash = wordsOf(crashMessage(text));
  return [
    ...(crash.length > 0 ? [{ code: 'server-crashed' } as const, ...crash] : []),
    { code: 'server-last-lines' },
    ...wordsOf(text.split(/\r?\n/).slice(-8)),
  ];
}
