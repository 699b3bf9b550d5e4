/**
 * A server reached over HTTP: by Streamable HTTP or, if it does not support that, by HTTP+SSE. The official SDK carries the
 * messages. Their contents are ours, and are read as they arrive.
 */

import type { AuthProvider, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { RESPONSE_BYTES } from '../../declaration/limits.ts';
import { hasUser } from '../../declaration/schema.ts';
import { withBoundedBody } from '../../system/bounded-body.ts';
import { codeOf, reasonOf, Unauthorized, UserError } from '../../system/errors.ts';
import { atMost } from '../../system/plurals.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import type { Connection, Reply, Talk } from './connection.ts';
import { parse, questions, replyTo, tooLarge, within } from './connection.ts';
import type { Asking } from './conversation.ts';
import type * as McpClient from './mcp-client.ts';

/** How a server is reached, and where its token comes from. */
export interface HttpAccess {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Has the token of a sign-in, and renews it. Its errors pass through, so the caller can ask again after a sign-in. */
  readonly provider?: AuthProvider;
}

/**
 * Statuses of a server that does not accept a POST as Streamable HTTP defines it. An older server may offer a stream of events
 * instead.
 */
const NOT_TAKEN: readonly unknown[] = [400, 404, 405];

/** Milliseconds for messages that are only polite: that the conversation begins, and that it is over. */
const COURTESY = 1000;

/** An address as sentences show it, because its query may be secret. */
export function shownAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return inLine(redactor({})(`${origin}${pathname}${search ? '?...' : ''}`), 200);
}

/** Throws a UserError as `askServer` does, and when the server wants a sign-in; with a provider also what that throws. */
export async function talkOverHttp<T>(options: Options, talk: Talk<T>): Promise<T> {
  const { url } = options;
  // A typed address has been checked before. One from a configuration, or built from its variables, has not.
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new SourceError({ code: 'address-unfit' });
  if (hasUser(url)) throw new SourceError({ code: 'address-unfit-user' });
  return new Attempt(await import('./mcp-client.ts'), options).run(talk);
}

type Sdk = typeof McpClient;
type Options = Asking & HttpAccess;

/** One attempt at a server: over Streamable HTTP and, if that is not accepted, over HTTP+SSE. */
class Attempt {
  readonly #sdk: Sdk;
  readonly #options: Options;
  readonly #name: string;
  readonly #streamable: InstanceType<Sdk['StreamableHTTPClientTransport']>;
  #sse: InstanceType<Sdk['SSEClientTransport']> | undefined;
  /** Ends the attempt, whatever it waits for. */
  #fail: (error: unknown) => void = () => {};
  readonly #failed: Promise<never>;
  /** Set once a request is not refused as a server without Streamable HTTP would refuse it. */
  #taken = false;
  /** The last response, because the SDK's errors do not contain everything. */
  #last: Pick<Response, 'status' | 'headers'> = { status: 0, headers: new Headers() };
  /** All bodies together, after decompression. */
  #bytes = 0;

  constructor(sdk: Sdk, options: Options) {
    this.#sdk = sdk;
    this.#options = options;
    this.#name = shownAddress(options.url);
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#failed.catch(() => {}); // nobody may be waiting for it any more
    this.#streamable = new sdk.StreamableHTTPClientTransport(new URL(options.url), {
      ...this.#common(this.#withoutStream),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 0,
        maxReconnectionDelay: 0,
        reconnectionDelayGrowFactor: 1,
      },
    });
  }

  async run<T>(talk: Talk<T>): Promise<T> {
    const { deadline: deadlineMs } = this.#options;
    const silent = { code: 'address-silent', name: this.#name, deadlineMs } as const;
    const timer = setTimeout(() => this.#fail(new SourceError(silent)), atMost(deadlineMs));
    try {
      return await this.#ask(talk);
    } finally {
      clearTimeout(timer);
      await this.#end();
    }
  }

  async #ask<T>(talk: Talk<T>): Promise<T> {
    await this.#streamable.start();
    try {
      return await talk(this.#connection(this.#streamable, 'http'));
    } catch (error) {
      if (this.#taken || !(error instanceof UserError)) throw error;
      return await this.#askWithEvents(talk, error);
    }
  }

  /** HTTP+SSE of 2024-11-05. */
  async #askWithEvents<T>(talk: Talk<T>, before: UserError): Promise<T> {
    const address = new URL(this.#options.url);
    const sse = new this.#sdk.SSEClientTransport(address, this.#common(this.#fetch));
    this.#sse = sse;
    const connection = this.#connection(sse, 'sse');
    try {
      await Promise.race([sse.start(), this.#failed]);
    } catch (error) {
      const { status } = this.#last;
      const isNone = NOT_TAKEN.includes(status) || (status >= 200 && status < 300);
      throw isNone && !(error instanceof UserError) ? before : this.#explained(error);
    }
    // Errors of posting reject their own promise.
    sse.onerror = (error) => {
      if (error instanceof this.#sdk.SseError) this.#hungUp();
    };
    return talk(connection);
  }

  #common(fetch: typeof globalThis.fetch) {
    const { provider: authProvider, headers } = this.#options;
    return { fetch, requestInit: { headers: { ...headers } }, authProvider };
  }

  #connection(transport: Transport, kind: 'http' | 'sse'): Connection {
    const { ask, hear, isOpen } = questions((answer) => {
      transport.send(answer).catch(() => {});
    });
    transport.onmessage = (message: JSONRPCMessage) => hear(message);
    return {
      name: this.#name,
      transport: kind,
      request: async (method, params) => {
        const { id, answered } = ask();
        const onRequestStreamEnd = () => {
          if (isOpen(id)) this.#hungUp();
        };
        const sent = transport.send({ jsonrpc: '2.0', id, method, params }, { onRequestStreamEnd });
        try {
          await Promise.race([sent, this.#failed]);
        } catch (error) {
          const refused = this.#refusal(error, id);
          if (refused) return refused;
          this.#taken = true;
          throw this.#explained(error);
        }
        this.#taken = true;
        return Promise.race([answered, this.#failed]);
      },
      begin: async (protocol) => {
        if (protocol !== 'unknown') transport.setProtocolVersion?.(protocol);
        // We already know everything we wanted, and a server may never answer this.
        const sent = transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
        await within(
          COURTESY,
          sent.catch(() => {}),
        );
      },
    };
  }

  /** An error status that is still an answer: it has a JSON-RPC error as its body, or the server uses another transport. */
  #refusal(error: unknown, id: number): Reply | undefined {
    if (!(error instanceof this.#sdk.SdkHttpError)) return undefined;
    const { status } = error;
    const { text } = error.data;
    if (status === 401 || status === 403) return undefined;
    const reply = replyTo(id, parse(typeof text === 'string' ? text : ''));
    if (reply && 'error' in reply) {
      if (!NOT_TAKEN.includes(status)) this.#taken = true;
      return reply;
    }
    return NOT_TAKEN.includes(status) ? { error: { message: `HTTP ${status}` } } : undefined;
  }

  /** The error for a person. Errors of the provider or of the machine stay as they are. */
  #explained(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof UserError || 'syscall' in error) return error;
    if (error instanceof this.#sdk.UnauthorizedError && this.#options.provider) return error;
    const name = this.#name;
    const { status, headers } = this.#last;
    const challenge = headers.get('www-authenticate');
    const location = status >= 300 && status < 400 ? headers.get('location') : null;
    if (error instanceof TypeError && error.message === 'fetch failed') {
      const why = { ...reasonOf(error.cause), text: String(error.cause) };
      return new SourceError({ code: 'address-unreached', name, why });
    }
    if (status === 401 || status === 403)
      return new Unauthorized<SourceMessage>(
        { code: 'sign-in-needed', name, status },
        challenge ? [{ code: 'challenge', words: inLine(challenge, 500) }] : [],
        status,
      );
    if (location) {
      const { url } = this.#options;
      const whole = URL.canParse(location, url) ? new URL(location, url).href : location;
      return new SourceError({ code: 'address-moved', name, to: inLine(redactor({})(whole), 500) });
    }
    if (status >= 300) return new SourceError({ code: 'address-status', name, status });
    // A body that ends too early, or is not compressed as announced.
    if (error instanceof TypeError && error.message === 'terminated')
      return new SourceError(
        codeOf(error.cause)?.startsWith('Z_')
          ? { code: 'server-not-mcp', command: name }
          : { code: 'address-hung-up', name },
      );
    // JSON of another shape, or none at all.
    if (/^(\$?ZodError|SyntaxError|SdkError)$/.test(error.name))
      return new SourceError({ code: 'server-not-mcp', command: name });
    return error;
  }

  async #end(): Promise<void> {
    await this.#sse?.close();
    if (this.#streamable.sessionId !== undefined)
      await within(
        COURTESY,
        this.#streamable.terminateSession().catch(() => {}),
      );
    await this.#streamable.close();
  }

  /** The SDK wants to listen once the conversation has begun, but ours is over by then. */
  #withoutStream: typeof fetch = async (input, init) => {
    const accepted = new Headers(init?.headers).get('accept') ?? '';
    return (init?.method ?? 'GET') === 'GET' && accepted.includes('text/event-stream')
      ? new Response(null, { status: 405 })
      : this.#fetch(input, init);
  };

  #fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    this.#last = response;
    return withBoundedBody(response, (more) => {
      this.#bytes += more;
      const isTooMuch = this.#bytes > RESPONSE_BYTES;
      if (isTooMuch) this.#fail(new SourceError(tooLarge(this.#name)));
      return !isTooMuch;
    });
  };

  #hungUp(): void {
    this.#fail(new SourceError({ code: 'address-hung-up', name: this.#name }));
  }
}
