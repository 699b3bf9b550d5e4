/** The MCP servers that a client has configured, and which of them a declaration is of. */

import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../clients/contract.ts';
import type { Places } from '../clients/places.ts';
import { findServerClient } from '../clients/registry.ts';
import { type KnownServers, namesServers, unknownServers } from '../compile/mentions.ts';
import type { CompileMessage } from '../compile/messages.ts';
import type { EventProgram, ProgramServer } from '../compile/program.ts';
import type { HookDeclaration } from '../declaration/declaration.ts';
import type { ServerHooks, Source } from '../declaration/declared.ts';
import { readConfigurations } from '../sources/configurations.ts';
import type { Parts } from '../sources/entry.ts';
import { readWrittenDown } from '../sources/manifests/read.ts';
import { said, UserError } from '../system/errors.ts';
import type { Install } from './ledger.ts';

/** Of which server a declaration is, as far as that is known. */
export type Own = Pick<ServerHooks, 'label'> & Partial<Pick<ServerHooks, 'server' | 'source'>>;

/** What a client has configured; undefined where that is not known, because one of its files cannot be read. */
export type ServersOf = (client: Client) => KnownServers | undefined;

/** @param cwd The folder in which the client would be started. */
export const serversOf =
  (own: Own, { env, home, project }: Places, cwd: string): ServersOf =>
  (client) => {
    const theirs = findServerClient(client.id);
    if (!theirs) return undefined;
    const at = { env, home, cwd: project ?? cwd, platform: process.platform };
    const { entries, looked } = readConfigurations(at, [theirs]);
    if (looked.some(({ refusal }) => refusal)) return undefined;
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

export interface InstalledHooks {
  /** As the user agreed to them. */
  readonly hooks: readonly HookDeclaration[];
  readonly install: Pick<Install, 'label' | 'origin'>;
  readonly programs: readonly Pick<EventProgram, 'server'>[];
}

/** What is to be said of installed hooks that name servers which a client has not configured. */
export async function unknownServersNamed(
  { hooks, install, programs }: InstalledHooks,
  clients: readonly Client[],
  places: Places,
  cwd: string,
) {
  if (!hooks.some(namesServers)) return [];
  const { label, origin } = install;
  const server = programs.find((one) => one.server)?.server;
  const own = { label, source: origin, server: await startedAs(server, origin) };
  const of = serversOf(own, places, cwd);
  return clients.flatMap((client) => {
    const servers = of(client);
    if (!servers) return [];
    return hooks.flatMap((hook, index) => {
      const named = { hook: index + 1, client: client.name };
      return unknownServers(hook, servers).map((mention) => ({
        client,
        hook: index + 1,
        mention,
        message: said<CompileMessage>({ code: 'unknown-server-named', ...named, ...mention }),
      }));
    });
  });
}

/** The server whose tools the runner calls; where it calls none, that of the manifest. */
async function startedAs(server: ProgramServer | undefined, origin: Source | undefined) {
  if (server && 'url' in server) return { url: server.url };
  if (server && 'command' in server) return { command: server.command, args: server.args };
  if (origin?.kind !== 'manifest') return undefined;
  try {
    return (await readWrittenDown(origin.path, origin.path)).server;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
