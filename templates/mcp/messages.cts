/** mcp-hooks: the JSON-RPC messages between a client and an MCP server. */

import type { JsonObject } from '../types.cjs';
import { isObject } from '../values.cjs';

/** A server's answer. */
export interface Reply {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  /** The HTTP status with which the server refuses the request. */
  readonly status?: number;
}

/** A connection to a server. */
export interface Connection {
  /** @param era The protocol version, if requests are complete in themselves in it. */
  ask(method: string, params: JsonObject, era?: string): Promise<Reply>;
  /** Tells the server that the conversation has begun, after its answer to the handshake. */
  begin(handshake: JsonObject): Promise<void> | void;
  /** @param until The deadline for an orderly end, as in Date.now(). */
  close(until: number): Promise<void>;
}

/** The maximum number of characters from a server: all its output over stdio, or one reply over HTTP. */
export const MOST = 4 * 1024 * 1024;
/** How many of a server's own requests we answer. If it asks endlessly and does not read the answers, they would pile up. */
const QUESTIONS = 100;

export const isReply = (message: unknown): message is Reply =>
  isObject(message) && message.method === undefined && ('result' in message || 'error' in message);

/** Answers a server's own requests and ignores everything else. */
export function answering(send: (answer: object) => void): (message: unknown) => void {
  let questions = 0;
  return (message) => {
    if (!isObject(message) || typeof message.method !== 'string' || message.id === undefined)
      return;
    questions += 1;
    if (questions <= QUESTIONS) send(answerTo(message));
  };
}

/** The answer to a server's own request: we are alive, but support nothing. */
const answerTo = ({ id, method }: JsonObject): object => ({
  jsonrpc: '2.0',
  id,
  ...(method === 'ping'
    ? { result: {} }
    : { error: { code: -32601, message: 'Method not found' } }),
});
