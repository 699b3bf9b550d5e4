/**
 * A server reached over HTTP: by Streamable HTTP or, if it does not support that, by HTTP+SSE. The runner's client transports
 * the messages; this module adds error messages and deadlines.
 */

import { hasUser } from '../../declaration/schema.ts';
import { reasonOf, Unauthorized, UserError } from '../../system/errors.ts';
import { withinTimerLimit } from '../../system/plurals.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { ending, faultOf, type Talk, tooLarge } from './connection.ts';
import type { Asking } from './conversation.ts';
import { serverOfEvents } from './events.ts';

/** How a server is reached. */
export interface HttpAccess {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absolute path of the file with the token of a sign-in, which is renewed if it has expired. */
  readonly tokens?: string;
}

/** Milliseconds for messages that are only a courtesy: the start and the end of the conversation. */
const COURTESY = 1000;

/** Milliseconds for the renewal of a token. */
const RENEWING = 20_000;

/** An address as shown in sentences, without its query, which may be secret. */
export function shownAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return inLine(redactor({})(`${origin}${pathname}${search ? '?...' : ''}`), 200);
}

/** @throws UserError as `askServer` does; Unauthorized when the server requires a sign-in. */
export async function talkOverHttp<T>(
  { url, headers = {}, tokens, deadline: deadlineMs }: Asking & HttpAccess,
  talk: Talk<T>,
): Promise<T> {
  // A typed address was checked before. An address from a configuration, or one with variables, was not.
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new SourceError({ code: 'address-unfit' });
  if (hasUser(url)) throw new SourceError({ code: 'address-unfit-user' });
  runnerCode('./lifetime.cjs').beGuest();
  const { waitFor } = runnerCode('./values.cjs');
  const address = { url, headers, tokens, last: Date.now() + RENEWING };
  const name = shownAddress(url);
  const { end, orEnd } = ending();
  const timeout = { code: 'address-timeout', name, deadlineMs } as const;
  const timer = setTimeout(() => end(new SourceError(timeout)), withinTimerLimit(deadlineMs));
  const explaining = <R>(work: Promise<R>): Promise<R> =>
    orEnd(work).catch((error: unknown) => {
      throw explained(error, name, url);
    });
  const connection = (
    server: Server,
    transport: 'http' | 'sse',
    onReply: (isTaken: boolean) => void,
  ) => ({
    name,
    transport,
    ask: async (...request: Parameters<Server['ask']>) => {
      try {
        const reply = await explaining(server.ask(...request));
        onReply(reply.status === undefined);
        return reply;
      } catch (error) {
        onReply(true);
        throw error;
      }
    },
    // We already have everything that we need, and a server may never answer this.
    begin: async (handshake: Parameters<Server['begin']>[0]) => {
      await waitFor(
        COURTESY,
        Promise.resolve(server.begin(handshake)).catch(() => {}),
      );
    },
  });
  const server = runnerCode('./http.cjs').connect(address);
  let events: ReturnType<typeof serverOfEvents> | undefined;
  // Whether a request was accepted, or rejected in another way than by a server without Streamable HTTP.
  let isTaken = false;
  try {
    return await talk(
      connection(server, 'http', (isOne) => {
        isTaken ||= isOne;
      }),
    ).catch(async (error: unknown) => {
      if (isTaken || !(error instanceof UserError)) throw error;
      events = serverOfEvents(address);
      if (!(await explaining(events.isThere()))) throw error;
      return talk(connection(events, 'sse', () => {}));
    });
  } finally {
    clearTimeout(timer);
    for (const one of [server, events]) await one?.close(Date.now() + COURTESY);
  }
}

type Server = Pick<ReturnType<typeof serverOfEvents>, 'ask' | 'begin' | 'close'>;

/** The error in words for the user. System errors are unchanged. */
function explained(error: unknown, name: string, url: string): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const { response } = error as { readonly response?: Head };
  const code = faultOf(error);
  if (code === 'answer-too-long') return new SourceError(tooLarge(name));
  if (!response) {
    const why = { ...reasonOf(error), text: String(error) };
    return code === undefined ? new SourceError({ code: 'address-unreached', name, why }) : error;
  }
  const { statusCode: status = 0, headers } = response;
  const { location, 'www-authenticate': challenge } = headers;
  if (status === 401 || status === 403)
    return new Unauthorized<SourceMessage>(
      { code: 'sign-in-needed', name, status },
      challenge ? [{ code: 'challenge', words: inLine(challenge, 500) }] : [],
      status,
      challenge,
    );
  if (status >= 300 && status < 400 && location !== undefined) {
    const to = URL.canParse(location, url) ? new URL(location, url).href : location;
    return new SourceError({ code: 'address-moved', name, to: inLine(redactor({})(to), 500) });
  }
  if (status >= 300) return new SourceError({ code: 'address-status', name, status });
  // The server accepted the message without an answer, or broke off its answer.
  const isOver =
    code === undefined ||
    status === 202 ||
    /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
  return new SourceError(
    isOver ? { code: 'address-hung-up', name } : { code: 'server-not-mcp', command: name },
  );
}

interface Head {
  readonly statusCode?: number;
  readonly headers: {
    readonly [name in 'content-type' | 'location' | 'www-authenticate']?: string;
  };
}
