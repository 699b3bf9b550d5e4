/** Where the browser brings the answer: an address on this machine that is there for one answer, and for a while. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { reasonOf } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { SourceError } from '../messages.ts';

export interface Redirect {
  readonly address: string;
  /** What the answer has to bring along, so that nobody else's is taken for it. */
  readonly state: string;
  /**
   * The answer, a code.
   *
   * @throws UserError for a refusal, and when there is none in time.
   */
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
      server.close(); // one use
      resolve(answer);
    });
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return {
    address: addressOf(port),
    state,
    close,
    async answer(milliseconds) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const seconds = Math.round(milliseconds / 1000);
        timer = setTimeout(
          () => reject(new SourceError({ code: 'sign-in-late', seconds, strangers })),
          milliseconds,
        );
      });
      try {
        const answer = await Promise.race([answered, late]);
        const error = answer.get('error');
        if (error !== null)
          throw new SourceError({ code: 'sign-in-refused', why: errorCode(error) });
        return answer;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** What somebody else calls an error: a word, or nothing that is printed. */
export const errorCode = (code: string): string =>
  /^[\w.-]{1,64}$/.test(code) ? inLine(code) : 'error';

const addressOf = (port: number): string => `http://127.0.0.1:${port}/callback`;

/** A free port of this machine alone. */
function bind(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SourceError({ code: 'no-redirect', why: reasonOf(error) })),
    );
    server.listen(0, '127.0.0.1', () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0);
    });
  });
}

/** The answer, if that is one: asked for by the name that we have given, and by no other that leads here. */
function answerIn({ method, url, headers }: IncomingMessage, port: number) {
  if (method !== 'GET' || headers.host !== `127.0.0.1:${port}`) return undefined;
  const asked = new URL(url ?? '/', addressOf(port));
  return asked.pathname === '/callback' ? asked.searchParams : undefined;
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
