/** mcp-hooks: the messages of JSON-RPC that a client of an MCP server sends and gets. */

import type { JsonObject } from '../types.cjs';
import { isObject } from '../values.cjs';

/** What a server answers. */
export interface Reply {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  /** The HTTP status with which it refuses the request. */
  readonly status?: number;
}

/** A server that messages go to. */
export interface Connection {
  /** @param era The version of the protocol, if it is one in which each request says all. */
  ask(method: string, params: JsonObject, era?: string): Promise<Reply>;
  /** Says that the conversation has begun, as the server has answered the handshake. */
  begin(handshake: JsonObject): Promise<void> | void;
  /** @param until How long it may take to end in an orderly way, as in Date.now(). */
  close(until: number): Promise<void>;
}

/** Characters that a server may send: everything it writes over stdio, or one reply over HTTP. */
export const MOST = 4 * 1024 * 1024;
/** How many of a server's own requests we answer. One that asks without end may not read the answers, and they would pile up. */
const QUESTIONS = 100;

export const isReply = (message: unknown): message is Reply =>
  isObject(message) && message.method === undefined && ('result' in message || 'error' in message);

/** Answers what a server itself asks, and nothing else that it says. */
export function answering(send: (answer: object) => void): (message: unknown) => void {
  let questions = 0;
  return (message) => {
    if (!isObject(message) || typeof message.method !== 'string' || message.id === undefined)
      return;
    questions += 1;
    if (questions <= QUESTIONS) send(answerTo(message));
  };
}

/** The answer to a server's own request: we are here, and can do nothing for it. */
const answerTo = ({ id, method }: JsonObject): object => ({
  jsonrpc: '2.0',
  id,
  ...(method === 'ping'
    ? { result: {} }
    : { error: { code: -32601, message: 'Method not found' } }),
});
