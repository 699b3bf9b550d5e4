/** Carries messages to a server and back, over any transport. */

import type { FoundIn } from '../../declaration/declared.ts';
import { RESPONSE_BYTES } from '../../declaration/limits.ts';
import { isRecord } from '../../declaration/schema.ts';
import { attempt } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { SourceMessage } from '../messages.ts';

/** The connection of a conversation. Its errors are not the conversation's to handle: a request then gets no reply. */
export interface Connection {
  /** The server's name in sentences: its command, or its address. */
  readonly name: string;
  readonly transport: FoundIn['transport'];
  readonly request: (method: string, params: Params) => Promise<Reply>;
  /** Says that the conversation has begun, with the agreed version. There is no answer to this. */
  readonly begin: (protocol: string) => Promise<void>;
}

/** A conversation over a connection, and its result. */
export type Talk<T> = (connection: Connection) => Promise<T>;

export type Params = Record<string, unknown>;

export type Reply = { readonly result: unknown } | { readonly error: unknown };

/** Waits for something, but not for long; undefined: it has not come by then. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  const came = await Promise.race([work, enough]);
  clearTimeout(timer);
  return came;
}

/** A server's message as JSON; undefined if it is none. Some runtimes write a byte order mark before it. */
export const parse = (text: string): unknown =>
  attempt(() => JSON.parse(text.replace(/^\uFEFF/, '')));

export function tooLarge(name: string): SourceMessage {
  return { code: 'response-too-large', name, limitBytes: RESPONSE_BYTES };
}

/** The answer to the request `id`; undefined for any other message. */
export function replyTo(id: number, message: unknown): Reply | undefined {
  if (!isRecord(message) || 'method' in message) return undefined;
  // A server that could not read a request cannot say which one it answers.
  if ('error' in message && (message.id === id || message.id === null))
    return { error: message.error };
  return 'result' in message && message.id === id ? { result: message.result } : undefined;
}

/** Our requests, with one open at a time. `answer` sends our response when the server asks something, as it may at any time. */
export function questions(answer: (message: Answer) => void) {
  let id = 0;
  let open: ((reply: Reply) => void) | undefined;
  return {
    isOpen: (asked: number) => open !== undefined && asked === id,
    ask() {
      id += 1;
      const answered = new Promise<Reply>((resolve) => {
        open = resolve;
      });
      return { id, answered };
    },
    hear(message: unknown) {
      const ours = answerTo(message);
      if (ours) answer(ours);
      const reply = replyTo(id, message);
      if (!reply) return;
      open?.(reply);
      open = undefined;
    },
  };
}

/** Undefined for a message that is no request. */
function answerTo(message: unknown): Answer | undefined {
  if (!isRecord(message) || typeof message.method !== 'string') return undefined;
  const { id, method } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return method === 'ping'
    ? { jsonrpc: '2.0', id, result: {} }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}

type Answer = { readonly jsonrpc: '2.0'; readonly id: string | number } & (
  | { readonly result: Params }
  | { readonly error: { readonly code: number; readonly message: string } }
);

export function errorText(error: unknown): string {
  const { message, code } = isRecord(error) ? error : { message: error };
  const text = textOf(message) ?? 'without a text';
  const number = textOf(code);
  return inLine(number === undefined ? text : `${text} (${number})`, 300);
}

/** Undefined for an object: it may have a `toString` of its own that fails, or be nested without end. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'object' || value === undefined ? undefined : String(value);
