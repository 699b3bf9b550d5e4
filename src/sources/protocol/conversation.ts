/** One conversation with a server, in either era of the protocol. */

import { EVENTS, EXTENSION } from '../../declaration/declaration.ts';
import { isRecord } from '../../declaration/schema.ts';
import { UserError } from '../../system/errors.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { type Connection, eras, errorText, type Reply } from './connection.ts';
import type { ServerAnswer } from './declared.ts';

/** The JSON-RPC error of a server that does not know the method. */
export const isUnknownMethod = (error: unknown): boolean =>
  isRecord(error) && error.code === -32601;

export interface Downloading {
  readonly launcher: string;
  readonly packages: readonly string[];
  readonly seconds: number;
}

export interface Asking {
  readonly label: string;
  /** Its name in sentences. By default, its command. */
  readonly name?: string;
  /** Milliseconds from start to answer, excluding what a launcher such as npx downloads first. */
  readonly deadline: number;
  /** Milliseconds for such a download. By default, five minutes. */
  readonly downloadDeadline?: number;
  /** Called every second during a download. */
  readonly onDownload?: (downloading: Downloading) => void;
  readonly version: string;
  /**
   * Receives a promise for the exit of a server that has answered, so that the caller can continue in the meantime. By default,
   * the answer is returned after the exit.
   */
  readonly leave?: (gone: Promise<void>) => void;
}

/** A server that has answered, and a function to query it further. */
export interface Conversation {
  readonly answer: ServerAnswer;
  readonly ask: (method: string, params: Params) => Promise<Reply>;
}

type Params = Record<string, unknown>;

/**
 * `initialize` comes first, because some servers from before 2026 exit or stop answering after any other first request. A
 * server that no longer supports `initialize` rejects it, and gets `server/discover` on the same connection.
 */
export async function converse(connection: Connection, version: string): Promise<Conversation> {
  const { name } = connection;
  const asker = { clientInfo: { name: 'mcp-hooks', version }, capabilities: OPT_IN };
  const { shakeHands, askModern, MODERN } = eras();
  const old = await shakeHands(connection, asker);
  if (old.result !== undefined) {
    const result = resultOf(old, connection);
    const protocol = versionIn(result.protocolVersion);
    return {
      answer: { ...answerIn(result, connection), era: 'legacy', protocol },
      ask: (method, params) => connection.ask(method, params),
    };
  }
  const refused = (details: readonly SourceMessage[]) =>
    new SourceError({ code: 'server-error', command: name, error: errorText(old) }, details);
  const ask = (method: string, params: Params) => askModern(connection, asker, method, params);
  const now = await ask('server/discover', {}).catch((error: unknown) => {
    throw error instanceof UserError ? refused([]) : error;
  });
  if (now.result !== undefined) {
    const result = resultOf(now, connection);
    return { answer: { ...answerIn(result, connection), era: 'modern', protocol: MODERN }, ask };
  }
  const why = errorText(now);
  const tellsMore = why !== errorText(old) && !isUnknownMethod(now.error);
  throw refused(tellsMore ? [{ code: 'discover-error', error: why }] : []);
}

/** The events that we know, in every place where a server may look for them. */
const OPT_IN = {
  hooks: { supported_events: EVENTS },
  experimental: { hooks: { supported_events: EVENTS } },
  extensions: { [EXTENSION]: { supported_events: EVENTS } },
};

/** @throws UserError for a result that does not follow MCP. */
export function resultOf({ result }: Reply, { name }: Pick<Connection, 'name'>): Params {
  if (!isRecord(result)) throw new SourceError({ code: 'server-not-mcp', command: name });
  return result;
}

/** What a server says of itself in either era. */
const answerIn = ({ capabilities, serverInfo }: Params, { name, transport }: Connection) => ({
  ...{ name, transport, capabilities },
  ...(isRecord(serverInfo) && typeof serverInfo.name === 'string' && { ownName: serverInfo.name }),
});

/** Makes a server's protocol version safe, because it goes into a header and is printed. */
const versionIn = (value: unknown): string =>
  typeof value === 'string' && /^[\w.-]{1,40}$/.test(value) ? value : 'unknown';
