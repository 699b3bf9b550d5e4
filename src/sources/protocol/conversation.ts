/**
 * One conversation with a server, in either era of the protocol.
 *
 * Source: https://modelcontextprotocol.io/specification, 2025-11-25 (`initialize`) and 2026-07-28 (`server/discover`)
 */

import { EVENTS, EXTENSION } from '../../declaration/declaration.ts';
import { isRecord } from '../../declaration/schema.ts';
import { UserError } from '../../system/errors.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { type Connection, errorText, type Params, type Reply } from './connection.ts';
import type { ServerAnswer } from './declared.ts';

/** The newest version with `initialize`; a server answers with the version that it speaks. */
const LEGACY = '2025-11-25';

/** The version without it, in which each request says who asks. */
const MODERN = '2026-07-28';

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
  /** Its name in sentences; by default, its command. */
  readonly name?: string;
  /** Milliseconds from start to answer, without what a launcher such as npx downloads first. */
  readonly deadline: number;
  /** Milliseconds for such a download; by default, five minutes. */
  readonly downloadDeadline?: number;
  /** Told every second while something is downloaded. */
  readonly onDownload?: (downloading: Downloading) => void;
  readonly version: string;
}

/**
 * `initialize` comes first, because some servers from before 2026 exit or fall silent if they are asked anything else before
 * it. A server that no longer has `initialize` says so, and gets `server/discover` on the same connection.
 */
export async function converse(connection: Connection, version: string): Promise<ServerAnswer> {
  const { name, transport } = connection;
  const old = await connection.request('initialize', {
    protocolVersion: LEGACY,
    capabilities: OPT_IN,
    clientInfo: { name: 'mcp-hooks', version },
  });
  if ('result' in old) {
    const result = resultOf(old, connection);
    const protocol = versionIn(result.protocolVersion);
    await connection.begin(protocol);
    const { capabilities } = result;
    return { name, transport, era: 'legacy', protocol, capabilities, ...calledItself(result) };
  }
  const refused = (details: readonly SourceMessage[]) =>
    new SourceError({ code: 'server-error', command: name, error: errorText(old.error) }, details);
  const now = await connection
    .request('server/discover', saying(version))
    .catch((error: unknown) => {
      throw error instanceof UserError ? refused([]) : error;
    });
  if ('result' in now) {
    const result = resultOf(now, connection);
    const { capabilities } = result;
    const own = calledItself(result);
    return { name, transport, era: 'modern', protocol: MODERN, capabilities, ...own };
  }
  const why = errorText(now.error);
  const tellsMore = why !== errorText(old.error) && !isUnknownMethod(now.error);
  throw refused(tellsMore ? [{ code: 'discover-error', error: why }] : []);
}

/** The part of each request to a server without `initialize`. */
export const saying = (version: string): Params => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'mcp-hooks', version },
    'io.modelcontextprotocol/clientCapabilities': OPT_IN,
  },
});

/** The events that we know, in every place where a server may look for them. */
const OPT_IN = {
  hooks: { supported_events: EVENTS },
  experimental: { hooks: { supported_events: EVENTS } },
  extensions: { [EXTENSION]: { supported_events: EVENTS } },
};

/** @throws UserError for a result that does not follow MCP. */
export function resultOf(reply: Extract<Reply, { result: unknown }>, { name }: Connection) {
  if (!isRecord(reply.result)) throw new SourceError({ code: 'server-not-mcp', command: name });
  return reply.result;
}

const calledItself = ({ serverInfo }: Params): Pick<ServerAnswer, 'ownName'> =>
  isRecord(serverInfo) && typeof serverInfo.name === 'string' ? { ownName: serverInfo.name } : {};

/** Makes a server's version safe, because it goes into a header and is printed. */
const versionIn = (value: unknown): string =>
  typeof value === 'string' && /^[\w.-]{1,40}$/.test(value) ? value : 'unknown';
