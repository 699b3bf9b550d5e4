/**
 * mcp-hooks: the two eras of the protocol. Up to 2025-11-25, a handshake comes first. From 2026-07-28 on, each request is
 * complete in itself.
 *
 * Source: https://modelcontextprotocol.io/specification, 2025-11-25 (`initialize`) and 2026-07-28 (`server/discover`)
 */

import type { JsonObject } from '../types.cjs';
import { isObject } from '../values.cjs';
import type { Connection, Reply } from './messages.cjs';

/** The client's name and capabilities. */
export interface Asker {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
}

type Sender = Pick<Connection, 'ask' | 'begin'>;

/** The newest version with a handshake. A server answers with the version that it uses. */
const LEGACY = '2025-11-25';
/** The version without a handshake. */
export const MODERN = '2026-07-28';

/** The handshake. Returns the server's reply, which is an error if the server has no handshake. */
export async function shakeHands(connection: Sender, asker: Asker): Promise<Reply> {
  const reply = await connection.ask('initialize', { protocolVersion: LEGACY, ...asker });
  if (isObject(reply.result)) await connection.begin(reply.result);
  return reply;
}

/** A request to a server that has no handshake. */
export const askModern = (
  connection: Sender,
  { clientInfo, capabilities }: Asker,
  method: string,
  params: JsonObject,
): Promise<Reply> => {
  const _meta = {
    ...Object(params._meta),
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return connection.ask(method, { ...params, _meta }, MODERN);
};

/** Remembers whether a server is of the second era. */
export interface EraMemory {
  isModern(): boolean;
  remember(): void;
  forget(): void;
}

/** The errors with which a server of the first era refuses a call without a handshake. In that case, the tool has not run. */
const NOT_WITHOUT_HANDSHAKE: readonly unknown[] = [-32600, -32601, -32602, -32000];

/** Requests in the form of the server's era. */
export interface Conversation {
  ask(method: string, params: JsonObject): Promise<Reply>;
  /** The server was remembered as one of the second era and has not answered, so a different server may be there now. */
  isUnanswered(): boolean;
}

/**
 * Starts with the handshake, unless we remember that the server has none. A server of the second era refuses it with an error.
 * One of the first era hangs or exits without it.
 */
export function conversation(connection: Sender, asker: Asker, memory: EraMemory): Conversation {
  const wasModern = memory.isModern();
  let isAnswered = false;
  let shaken: Promise<boolean> | undefined;
  const isLegacy = () => {
    shaken ??= shakeHands(connection, asker).then(({ result }) => Boolean(result));
    return shaken;
  };
  return {
    async ask(method, params) {
      if ((!wasModern || shaken) && (await isLegacy())) return connection.ask(method, params);
      const reply = await askModern(connection, asker, method, params);
      isAnswered = true;
      if (!wasModern && reply.result) memory.remember();
      const isRefused = wasModern && NOT_WITHOUT_HANDSHAKE.includes(Object(reply.error).code);
      if (!isRefused || !(await isLegacy())) return reply;
      memory.forget();
      return connection.ask(method, params);
    },
    isUnanswered: () => wasModern && !isAnswered,
  };
}
