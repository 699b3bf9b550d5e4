/** A server that is asked for its hooks or its tools. The runner's own client carries the messages (templates/stdio.cts, http.cts). */

import type { FoundIn } from '../../declaration/declared.ts';
import { RESPONSE_BYTES } from '../../declaration/limits.ts';
import { isRecord } from '../../declaration/schema.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { inLine } from '../../system/visible.ts';
import type { SourceMessage } from '../messages.ts';

/** The functions for both eras of the protocol (templates/mcp/conversation.cts). */
export const eras = () => runnerCode('./call.cjs');

type Sender = Parameters<ReturnType<typeof eras>['shakeHands']>[0];

/** The connection of a conversation. Its errors are not the conversation's to handle: a request then gets no reply. */
export interface Connection extends Sender {
  /** The server's name in sentences: its command, or its address. */
  readonly name: string;
  readonly transport: FoundIn['transport'];
}

/** A conversation over a connection, and its result. */
export type Talk<T> = (connection: Connection) => Promise<T>;

export type Reply = Awaited<ReturnType<Sender['ask']>>;

/** A promise that is only ever rejected: for what ends a conversation, whatever that waits for. */
export function ending() {
  let end: (why: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => {}); // nobody may be waiting for it any more
  return { end, orEnd: <T>(work: Promise<T>): Promise<T> => Promise.race([work, ended]) };
}

export const tooLarge = (name: string): SourceMessage => ({
  code: 'response-too-large',
  name,
  limitBytes: RESPONSE_BYTES,
});

/** The code of an error that the runner's client throws; undefined: it is somebody else's. */
export const faultOf = (error: unknown): string | undefined => Object(error).why?.code;

/** An error in a reply, in the server's words. */
export function errorText({ error, status }: Reply): string {
  const { message, code } = isRecord(error) ? error : { message: error };
  const text = textOf(message);
  if (text === undefined && status !== undefined) return `HTTP ${status}`;
  const number = textOf(code);
  return inLine(`${text ?? 'without a text'}${number === undefined ? '' : ` (${number})`}`, 300);
}

/** Undefined for an object: it may have a `toString` of its own that fails, or be nested without end. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'object' || value === undefined ? undefined : String(value);
