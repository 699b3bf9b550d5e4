/** What carries messages to a server and back, whatever it is made of. */

import type { FoundIn } from '../../declaration/declared.ts';
import { RESPONSE_BYTES } from '../../declaration/limits.ts';
import { isRecord } from '../../declaration/schema.ts';
import { attempt } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { SourceMessage } from '../messages.ts';

/** A conversation's means. Whatever goes wrong with it is no matter of the conversation: nothing is answered then. */
export interface Connection {
  /** The server as sentences call it: its command, or its address. */
  readonly name: string;
  readonly transport: FoundIn['transport'];
  readonly request: (method: string, params: Params) => Promise<Reply>;
  /** Says that the conversation has begun, in the version that was agreed on; nothing is answered. */
  readonly begin: (protocol: string) => Promise<void>;
}

/** What is said over a connection, and what comes of it. */
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

/** What a server says, as JSON; undefined: it is none. Some runtimes write a byte order mark before it. */
export const parse = (text: string): unknown =>
  attempt(() => JSON.parse(text.replace(/^\uFEFF/, '')));

export function tooLarge(name: string): SourceMessage {
  return { code: 'response-too-large', name, limitBytes: RESPONSE_BYTES };
}

/** The answer to the request `id`; undefined for any other message. */
export function replyTo(id: number, message: unknown): Reply | undefined {
  if (!isRecord(message) || 'method' in message) return undefined;
  // A server that could not read what it was asked cannot say what it answers.
  if ('error' in message && (message.id === id || message.id === null))
    return { error: message.error };
  return 'result' in message && message.id === id ? { result: message.result } : undefined;
}

/** Our questions, of which one is open at a time. `answer` sends what we say when the server asks, as it may at any time. */
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

/** Undefined for a message that asks nothing. */
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
  if (!isRecord(error)) return inLine(String(error), 300);
  const { message = 'without a text', code } = error;
  return inLine(code === undefined ? `${message}` : `${message} (${code})`, 300);
}
