/** Opens the browser, and receives its redirect. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Env } from '../../system/env.ts';
import { reasonOf } from '../../system/errors.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { inLine } from '../../system/visible.ts';
import { SourceError } from '../messages.ts';
import { tokenStore } from './tokens.ts';

export interface Redirect {
  readonly address: string;
  /** The answer must contain this value, so that no other request is mistaken for it. */
  readonly state: string;
  /** The answer, which contains a code. @throws UserError for a refusal, and if no answer arrives in time. */
  readonly answer: (milliseconds: number) => Promise<URLSearchParams>;
  readonly close: () => void;
}

export async function listen(): Promise<Redirect> {
  const state = randomBytes(24).toString('base64url');
  const server = createServer();
  const port = await bind(server);
  let strangers = false;
  const answered = new Promise<URLSearchParams>((resolve) => {
    server.on('request', (request, response) => {
      const answer = answerIn(request, port);
      if (!answer) return say(response, 404, 'Nothing is here.');
      if (answer.get('state') !== state) {
        strangers = true;
        return say(response, 400, 'This is not the answer that mcp-hooks waits for.');
      }
      say(response, 200, 'mcp-hooks has its answer: go on in the terminal. You can close this.');
      server.close(); // for a single use
      resolve(answer);
    });
  });
  return {
    address: addressOf(port),
    state,
    close() {
      server.close();
      server.closeAllConnections();
    },
    async answer(milliseconds) {
      const answer = await runnerCode('./values.cjs').waitFor(milliseconds, answered);
      const seconds = Math.round(milliseconds / 1000);
      if (!answer) throw new SourceError({ code: 'sign-in-late', seconds, strangers });
      const error = answer.get('error');
      if (error !== null) throw new SourceError({ code: 'sign-in-refused', why: errorCode(error) });
      return answer;
    },
  };
}

/** An error code from another party, reduced to a single safe word. */
export const errorCode = (code: string): string =>
  /^[\w.-]{1,64}$/.test(code) ? inLine(code) : 'error';

const addressOf = (port: number): string => `http://127.0.0.1:${port}/callback`;

async function bind(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new SourceError({ code: 'no-redirect', why: reasonOf(error) });
  }
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

/**
 * The parameters of the answer. Undefined if the request is not the answer. Requests must use the host that we passed, and no
 * other name for this machine.
 */
function answerIn({ method, url, headers }: IncomingMessage, port: number) {
  if (method !== 'GET' || headers.host !== `127.0.0.1:${port}`) return undefined;
  const [path, ...query] = url?.split('?') ?? [];
  return path === '/callback' ? new URLSearchParams(query.join('?')) : undefined;
}

function say(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(`<!doctype html><title>mcp-hooks</title><p>${text}</p>\n`);
}

/** Starts a program of the system, never a shell. False if there is none, or no display. */
export function openBrowser(address: URL, env: Env): Promise<boolean> {
  const [command, ...args] = opener(address.href, env);
  // The server chooses the address, so only web pages are opened.
  if (command === undefined || !tokenStore().isSafe(address)) return Promise.resolve(false);
  return new Promise((resolve) => {
    // Not in the current folder, because the opener is a script that searches for other programs.
    const at = env.HOME ? { cwd: env.HOME } : {};
    const child = spawn(command, args, { ...at, env: { ...env }, stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref(); // it may be the browser itself, and keep running
      resolve(true);
    });
  });
}

function opener(address: string, env: Env): readonly string[] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', address] : [];
}
