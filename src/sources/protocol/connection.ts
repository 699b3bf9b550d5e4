/**
 * A server that is queried for its hooks or tools. The runner's own client transports the messages (templates/stdio.cts,
 * http.cts).
 */

import type { FoundIn } from '../../declaration/declared.ts';
import { RESPONSE_BYTES } from '../../declaration/limits.ts';
import { isRecord } from '../../declaration/schema.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { inLine } from '../../system/visible.ts';
import type { SourceMessage } from '../messages.ts';

/** The functions for both eras of the protocol (templates/mcp/conversation.cts). */
export const eras = () => runnerCode('./call.cjs');

type Sender = Parameters<ReturnType<typeof eras>['shakeHands']>[0];

/** The connection of a conversation. The conversation does not handle its errors: a request simply gets no reply. */
export interface Connection extends Sender {
  /** The server's name in sentences: its command, or its address. */
  readonly name: string;
  readonly transport: FoundIn['transport'];
}

/** A conversation over a connection, and its result. */
export type Talk<T> = (connection: Connection) => Promise<T>;

export type Reply = Awaited<ReturnType<Sender['ask']>>;

/** A promise that is only ever rejected, to end a conversation regardless of what it is waiting for. */
export function ending() {
  let end: (why: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => {}); // there may be no one waiting for it any more
  return { end, orEnd: <T>(work: Promise<T>): Promise<T> => Promise.race([work, ended]) };
}

export const tooLarge = (name: string): SourceMessage => ({
  code: 'response-too-large',
  name,
  limitBytes: RESPONSE_BYTES,
});

/** The code of an error from the runner's client. Undefined for any other error. */
export const faultOf = (error: unknown): string | undefined => Object(error).why?.code;

/** The error text of a reply, in the server's words. */
export function errorText({ error, status }: Reply): string {
  const { message, code } = isRecord(error) ? error : { message: error };
  const text = textOf(message);
  if (text === undefined && status !== undefined) return `HTTP ${status}`;
  const number = textOf(code);
  return inLine(`${text ?? 'without a text'}${number === undefined ? '' : ` (${number})`}`, 300);
}

/** Undefined for an object: its own `toString` may fail, or it may be nested too deeply. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'object' || value === undefined ? undefined : String(value);
