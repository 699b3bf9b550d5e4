/** The MCP servers that a client has configured, and which of them a declaration is of. */

import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../clients/client.ts';
import { findServerClient } from '../clients/servers/index.ts';
import { type KnownServers, namesServers, unknownServers } from '../compile/mentions.ts';
import type { ProgramServer } from '../compile/program.ts';
import type { Declaration } from '../declaration/declaration.ts';
import type { Declared } from '../declaration/declared.ts';
import { messages } from '../messages.ts';
import type { Places } from '../places.ts';
import { readConfigurations } from './configurations.ts';
import type { Parts } from './entry.ts';

/** Of which server a declaration is, as far as that is known. */
export type Own = Pick<Declared, 'label'> & Partial<Pick<Declared, 'server' | 'source'>>;

/** What a client has configured; undefined where that cannot be told, because one of its files cannot be read. */
export type ServersOf = (client: Client) => KnownServers | undefined;

/** @param cwd The folder in which the client would be started. */
export const serversOf =
  (own: Own, { env, home, project }: Places, cwd: string): ServersOf =>
  (client) => {
    const theirs = findServerClient(client.id);
    if (!theirs) return undefined;
    const at = { env, home, cwd: project ?? cwd, platform: process.platform };
    const { entries, looked } = readConfigurations(at, [theirs]);
    if (looked.some(({ state }) => state === 'broken')) return undefined;
    const names = [...new Set(entries.map(({ name }) => name))];
    const name =
      names.find((one) => own.source?.kind === 'configured' && one === own.source.name) ??
      entries.find(({ parts }) => parts && isSame(parts, own.server ?? typed(own.source)))?.name ??
      names.find((one) => one === own.label);
    return { names, ...(name !== undefined && { own: name }) };
  };

/** The server that a user has given by its command or address. */
const typed = (source: Own['source']): Own['server'] =>
  source?.kind === 'command'
    ? { command: source.command, args: source.args }
    : source?.kind === 'url'
      ? { url: source.url }
      : undefined;

/** Whether it is started or reached in the same way. */
function isSame(parts: Parts, server: Own['server']): boolean {
  if (!server) return false;
  if ('url' in server) return 'url' in parts && parts.url === server.url;
  return (
    'command' in parts &&
    parts.command === server.command &&
    isDeepStrictEqual(parts.args, server.args ?? [])
  );
}

/** What is to be said of hooks that name servers which the client has not configured, a sentence each. */
export const unknownServersInWords = (
  hooks: readonly Declaration[],
  client: Client,
  of: ServersOf,
): string[] => {
  if (!hooks.some(namesServers)) return [];
  const servers = of(client);
  if (!servers) return [];
  return hooks.flatMap((hook, index) =>
    unknownServers(hook, servers).map(
      (mention) => `hook ${index + 1} ${messages.namesUnknownServer(mention, client.name)}`,
    ),
  );
};

/** The server whose tools an installed runner calls. */
export function startedAs(server: ProgramServer | undefined): Pick<Own, 'server'> {
  if (!server || 'entry' in server) return {};
  return {
    server: 'url' in server ? { url: server.url } : { command: server.command, args: server.args },
  };
}
