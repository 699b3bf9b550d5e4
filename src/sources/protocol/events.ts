/** HTTP+SSE of 2024-11-05: the server's messages come in one stream of events, which also names the address for ours. */

import { runnerCode } from '../../system/runner-code.ts';
import { ending } from './connection.ts';

const http = () => runnerCode('./http.cjs');
type Http = ReturnType<typeof http>;
type Server = Omit<ReturnType<Http['connect']>, 'token'>;
type Reply = Awaited<ReturnType<Server['ask']>>;

/**
 * Throws the same errors as the runner's client.
 *
 * @returns `isThere`: whether the server has such a stream, and the stream does not point to another server.
 */
export function serverOfEvents(address: Parameters<Http['connect']>[0]): Server & {
  readonly isThere: () => Promise<boolean>;
} {
  const { requestsTo, read, answering, isReply, refusal } = http();
  const requests = requestsTo(address);
  const { end, orEnd } = ending();
  let endpoint: URL | undefined;
  let stream: Awaited<ReturnType<typeof requests.send>> | undefined;
  let open: { readonly id: unknown; readonly resolve: (reply: Reply) => void } | undefined;
  let last = 0;
  const post = async (message: object) => {
    const body = JSON.stringify(message);
    const headers = { 'content-type': 'application/json' };
    const response = await requests.send('POST', headers, body, endpoint);
    response.resume();
    if ((response.statusCode ?? 0) >= 300) throw refusal('http-status', response);
  };
  const answer = answering((message) => {
    post(message).catch(() => {});
  });
  /** The address for our messages. Undefined if it belongs to another server. */
  const endpointIn = (events: NonNullable<typeof stream>) =>
    new Promise<URL | undefined>((resolve) => {
      events.on('error', (error) => end(Object.assign(error, { response: events })));
      read(events, {
        onMessage: (message, event, text) => {
          if (event === 'endpoint') {
            const to = URL.canParse(text, address.url) ? new URL(text, address.url) : undefined;
            resolve(to?.origin === new URL(address.url).origin ? to : undefined);
          } else if (isReply(message) && message.id === open?.id) open?.resolve(message);
          else answer(message);
        },
        onFlood: () => end(refusal('answer-too-long', events)),
        onEnd: () => end(refusal('no-answer', events)),
      });
    });
  return {
    async isThere() {
      stream = await requests.send('GET', { accept: 'text/event-stream' });
      const isStream = /^text\/event-stream\b/i.test(stream.headers['content-type'] ?? '');
      endpoint =
        stream.statusCode === 200 && isStream ? await orEnd(endpointIn(stream)) : undefined;
      return endpoint !== undefined;
    },
    async ask(method, params) {
      last += 1;
      const id = last;
      const reply = new Promise<Reply>((resolve) => {
        open = { id, resolve };
      });
      await orEnd(post({ jsonrpc: '2.0', id, method, params }));
      return orEnd(reply);
    },
    begin: () => post({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    async close() {
      stream?.destroy();
      await requests.end();
    },
  };
}
