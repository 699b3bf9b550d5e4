/**
 * mcp-hooks: an MCP server at a URL, over Streamable HTTP. Each message is a POST; the response is JSON or a stream of events.
 * It uses `node:http`, because loading `fetch` takes some six times as long as `node -e 0`.
 */

import fs = require('node:fs');

import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { jsonOf } from './json.cjs';
import { isGuest } from './lifetime.cjs';
import { answering, type Connection, isReply, MOST, type Reply } from './mcp/messages.cjs';
import { fault, parse, waitFor } from './values.cjs';

export { answering, isReply } from './mcp/messages.cjs';

type Headers = Readonly<Record<string, string>>;

/** How a server is reached. */
interface Address {
  readonly url: string;
  readonly headers: Headers;
  /** The file with the token from the user's sign-in, which is sent to this server and no other. */
  readonly tokens?: string | undefined;
  /** The deadline for renewing an expired token, as in Date.now(). It is not cut short: a refresh token works only once. */
  readonly last: number;
}

/** The head of a response that refuses a request, or has no answer in its body. */
type Head = Pick<IncomingMessage, 'statusCode' | 'headers'>;

/** Why there is no answer. `response` is never logged. */
export type Refused = ReturnType<typeof fault> & { readonly response: Head };

export const refusal = (code: string, { statusCode, headers }: Head, facts?: object): Refused =>
  Object.assign(fault(code, facts), { response: { statusCode, headers } });

/** Statuses with which a server refuses a message whose body does not say so. */
const NOT_TAKEN = [400, 404, 405];
/** Redirects that keep the method and the body, and how many are followed in a row. */
const MOVED = [307, 308];
const MOVES = 3;

/** Requests to one server. */
export function requestsTo({ url: address, headers: own, tokens, last }: Address) {
  let url = addressOf(address);
  const { Agent, request } = clientFor(url);
  const agent = new Agent({ keepAlive: true });
  const signIn = tokens === undefined ? undefined : signInAt(tokens, url, last);

  const respond = (
    to: URL,
    method: string,
    { token, ...headers }: Headers,
    body?: string,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const all = {
        'user-agent': 'mcp-hooks',
        'accept-encoding': 'identity',
        ...own,
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const sent = request(to, { method, agent, lookup, headers: all });
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.on('error', () => {}); // the reader of the body gets the error, too
        resolve(response);
      });
      sent.end(body);
    });

  return {
    /**
     * The response to a request. Its body is still unread: it may say why the server refuses the request.
     *
     * @param to The target; by default the server's address, or the address that it has moved to.
     * @throws `Refused`, or an error of the system.
     */
    async send(
      method: 'GET' | 'POST',
      headers: Headers,
      body?: string,
      to?: URL,
    ): Promise<IncomingMessage> {
      let refused: { readonly token: string; readonly response: Head } | undefined;
      for (let at = to ?? url, moves = 0; ; ) {
        const token = await signIn?.token(refused?.token);
        if (refused && token === undefined) throw refusal('not-signed-in', refused.response);
        const response = await respond(at, method, { ...headers, ...(token && { token }) }, body);
        const { statusCode: status = 0, headers: got } = response;
        if ((status >= 200 && status < 300) || NOT_TAKEN.includes(status)) return response;
        response.destroy();
        if (MOVED.includes(status) && moves < MOVES) {
          const next = parseUrl(got.location ?? '', at);
          // Never to another server: the user meant the headers for this one.
          if (next?.origin !== url.origin) throw refusal('moved-elsewhere', response);
          if (!to) url = next;
          at = next;
          moves += 1;
        } else if (status === 401 && tokens !== undefined) {
          // A second 401 has another cause than the token.
          if (token === undefined || refused) throw refusal('not-signed-in', response);
          refused = { token, response };
        } else throw refusal('http-status', response, { status });
      }
    },
    /** Tells the server that the session with these headers is over. */
    async leave(session: Headers, milliseconds: number): Promise<void> {
      const token = signIn?.last();
      const goodbye = respond(url, 'DELETE', { ...session, ...(token && { token }) });
      await waitFor(
        milliseconds,
        goodbye.catch(() => {}),
      );
    },
    /** The token that was sent last. */
    token: () => signIn?.last(),
    async end(): Promise<void> {
      await signIn?.settled();
      agent.destroy();
    },
  };
}

/** `token`: the last token that was sent. */
type HttpConnection = Connection & Pick<ReturnType<typeof requestsTo>, 'token'>;

/** Requests fail with `Refused`, a `fault` or an error of the system, which has a `response` if that was cut off. */
export function connect(address: Address): HttpConnection {
  const requests = requestsTo(address);
  const post = (message: object, headers: Headers) =>
    requests.send('POST', { ...JSON_ONLY, ...headers }, jsonOf(message));
  let session: Headers = {};
  let last = 0;
  const answer = answering((message) => {
    post(message, session).then(
      (response) => response.resume(),
      () => {},
    );
  });
  return {
    async ask(method, params, era) {
      last += 1;
      const id = last;
      const response = await post(
        { jsonrpc: '2.0', id, method, params },
        era === undefined ? session : headersFor(method, params, era),
      );
      const { 'mcp-session-id': begun } = response.headers;
      if (typeof begun === 'string' && method === 'initialize')
        session = { 'mcp-session-id': begun };
      return replyIn(response, id, answer);
    },
    async begin({ protocolVersion: version }) {
      if (typeof version === 'string' && /^[\w.-]+$/.test(version))
        session = { ...session, 'mcp-protocol-version': version };
      const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
      response.resume();
      // Its body is usually empty and ends in this turn of the event loop. The next request then needs no connection of its own.
      await new Promise((resolve) => setImmediate(resolve));
    },
    token: requests.token,
    async close(until) {
      const left = until - Date.now();
      if (session['mcp-session-id'] !== undefined && left > 0) await requests.leave(session, left);
      await requests.end();
    },
  };
}

const JSON_ONLY = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request of the second era repeats parts of its body in its headers. */
const headersFor = (
  method: string,
  { name }: { readonly name?: unknown },
  era: string,
): Headers => ({
  'mcp-protocol-version': era,
  'mcp-method': method,
  ...(typeof name === 'string' && { 'mcp-name': headerOf(name) }),
});

/** A name as a header value: in ASCII, and never equal to the encoded form of another name. */
function headerOf(name: string): string {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(name) && !/^=\?base64\?.*\?=$/i.test(name);
  return isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

/** The reply to a request: the body, or one event of a stream. Anything after it is not read. */
function replyIn(
  response: IncomingMessage,
  id: number,
  answer: (message: unknown) => void,
): Promise<Reply> {
  const { statusCode: status = 0 } = response;
  const isRefused = status >= 400;
  return new Promise((resolve, reject) => {
    let found = false;
    const take = (message: unknown, isAny = false) => {
      const isIt = isReply(message) && (message.id === id || isAny);
      if (!isIt || (isRefused && message.error === undefined)) return answer(message);
      found = true;
      resolve(isRefused ? { ...message, status } : message);
    };
    response.on('error', (error) => reject(Object.assign(error, { response })));
    read(response, {
      onMessage: (message) => {
        // A refusal has a null id if the server could not read the id of the request.
        if (!found) take(message, isRefused && Object(message).id === null);
      },
      onFlood: () => {
        response.destroy();
        reject(refusal('answer-too-long', response));
      },
      onEnd: () => {
        if (isRefused) resolve({ error: { code: -32600 }, status });
        else reject(refusal('no-answer', response));
      },
    });
  });
}

/** Reads the messages in a body, which is one message or a stream of events with one message each. */
export function read(
  response: IncomingMessage,
  {
    onMessage,
    onFlood,
    onEnd,
  }: {
    /** @param event The name of the event; '' if the body is not a stream. */
    onMessage(message: unknown, event: string, text: string): void;
    onFlood(): void;
    onEnd(): void;
  },
): void {
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
  let pieces: string[] = [];
  let length = 0;
  let data: string[] = [];
  let event = '';
  const onLine = (line: string) => {
    if (line.startsWith('data:')) data.push(line.slice(5));
    else if (line.startsWith('event:')) event = line.slice(6).trim();
    if (line !== '') return;
    const text = data.join('\n');
    if (data.length > 0) onMessage(parse(text), event, text.trim());
    data = [];
    event = '';
  };
  response.setEncoding('utf8').on('data', (chunk: string) => {
    length += chunk.length;
    if (length > MOST) return onFlood();
    pieces.push(chunk);
    if (!isStream || !chunk.includes('\n')) return;
    const lines = pieces.join('').split(/\r?\n/);
    pieces = [lines.pop() ?? ''];
    for (const line of lines) onLine(line);
  });
  response.on('end', () => {
    const text = pieces.join('');
    if (!isStream) onMessage(parse(text), '', text);
    onEnd();
  });
}

/** The token from the user's sign-in, renewed when it has expired. */
function signInAt(file: string, url: URL, last: number) {
  if (!fs.existsSync(file)) return undefined;
  const { bearer } = require('./tokens.cjs');
  const server = url.origin + url.pathname;
  let given: string | undefined;
  let asked: Promise<string | undefined> | undefined;
  const until = last - BEFORE;
  return {
    // Requests made at the same time share one token.
    token(refused?: string) {
      if (!asked || (refused !== undefined && refused === given))
        asked = bearer(file, server, { until, refused, post: postForm }).then((token) => {
          given = token;
          return token;
        });
      return asked;
    },
    last: () => given,
    settled: () =>
      waitFor(
        Math.max(0, until - Date.now()),
        Promise.resolve(asked).catch(() => undefined),
      ),
  };
}
/** Milliseconds before the deadline at which a renewal must be over. */
const BEFORE = 200;

/** Sends a form. The response is empty if it is late or too long. */
export function postForm(url: URL, headers: Headers, body: string, until: number) {
  const { request } = clientFor(url);
  return new Promise<{ status?: number | undefined; body?: unknown }>((resolve) => {
    const sent = request(url, { method: 'POST', headers, lookup }, (response) => {
      read(response, {
        onMessage: (message) => resolve({ status: response.statusCode, body: message }),
        onFlood: () => sent.destroy(),
        onEnd: () => resolve({}),
      });
      response.on('error', () => resolve({})).on('close', () => resolve({}));
    });
    const timer = setTimeout(() => sent.destroy(), Math.max(0, until - Date.now()));
    sent.on('close', () => clearTimeout(timer)).on('error', () => resolve({}));
    sent.end(body);
  });
}

const clientFor = ({ protocol }: URL): typeof import('node:http') =>
  require(protocol === 'https:' ? 'node:https' : 'node:http');

/** The number of address lookups in progress. */
let lookups = 0;
let isHandled = false;
/**
 * While the system looks up an address, node cannot exit, not even with process.exit, and that may take longer than the client
 * waits for us.
 */
const lookup: LookupFunction = (host, options, onFound) => {
  if (!isHandled && !isGuest()) {
    isHandled = true;
    process.once('exit', () => {
      if (lookups === 0) return;
      process.once('SIGPIPE', () => {}).removeAllListeners('SIGPIPE'); // node ignores it until a listener was added
      process.kill(process.pid, 'SIGPIPE'); // shells print nothing about this signal
    });
  }
  lookups += 1;
  require('node:dns').lookup(host, options, (...found: Parameters<typeof onFound>) => {
    lookups -= 1;
    onFound(...found);
  });
};

function addressOf(text: string): URL {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw fault('address-unusable');
  return url;
}

const parseUrl = (text: string, base?: URL): URL | undefined =>
  URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
