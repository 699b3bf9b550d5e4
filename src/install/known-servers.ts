/** The MCP servers that a client has configured, and which of them made a declaration. */

import type { Client } from '../clients/contract.ts';
import type { Places } from '../clients/places.ts';
import { findServerClient } from '../clients/registry.ts';
import type { SearchPlace } from '../clients/servers/servers.ts';
import {
  type KnownServers,
  type Mention,
  namesServers,
  unknownServers,
} from '../compile/mentions.ts';
import type { CompileMessage } from '../compile/messages.ts';
import { namesOwnServer } from '../compile/own-server.ts';
import type { EventProgram, ProgramServer } from '../compile/program.ts';
import type { HookDeclaration } from '../declaration/declaration.ts';
import {
  type ServerHooks,
  type ServerSource,
  type Source,
  serverSource,
} from '../declaration/declared.ts';
import { equal } from '../edit/value.ts';
import { entryNamed } from '../sources/catalogue/catalogue.ts';
import { isMatch, packageOf } from '../sources/catalogue/match.ts';
import { type Entry, readConfigurations } from '../sources/configurations.ts';
import { type Parts, seenAs } from '../sources/entry.ts';
import { readManifestFile } from '../sources/manifests/read.ts';
import { maskAddress } from '../sources/redacted.ts';
import { commandInWords } from '../sources/shown-launch.ts';
import type { Env } from '../system/env.ts';
import { said, UserError } from '../system/errors.ts';
import type { Install } from './ledger.ts';
import { fileRefused } from './planned-file.ts';

/** The server that made a declaration, as far as it is known. */
export type Own = Pick<ServerHooks, 'label'> & Partial<Pick<ServerHooks, 'server' | 'source'>>;

/** The server's name in each client when its hooks were installed: `Install.servers`. */
export type NamesKept = NonNullable<Install['servers']>;

interface ServersOfClient extends KnownServers {
  /** For the server's own entry: a hash of how it is started or reached, which identifies it after a renaming. */
  readonly seen?: string | undefined;
  /** How the entry starts or reaches the server. */
  readonly parts?: Parts | undefined;
}

/**
 * The servers that a client has configured. Undefined if they are unknown, because one of the client's files cannot be read.
 */
export type ServersOf = (client: Client, kept?: NamesKept) => ServersOfClient | undefined;

/**
 * @param cwd The folder in which the client would be started.
 * @param mustRead Throws if a file of the scope, in which the server is to be added, is refused, or if the system does not let us
 * read another file of the client: the server may be in it.
 */
export const serversOf =
  (own: Own, places: Places, cwd: string, mustRead = false): ServersOf =>
  (client, kept) => {
    const theirs = findServerClient(client.id);
    if (!theirs) return undefined;
    const { entries, looked } = readConfigurations(searchPlace(places, cwd), [theirs]);
    for (const { file, refusal, unread } of looked)
      if (refusal && mustRead && (unread || file.scope === places.scope))
        throw fileRefused(client, file.path, refusal);
    if (looked.some(({ refusal }) => refusal)) return undefined;
    const names = [...new Set(entries.map(({ name }) => name))];
    const found = ownEntry(own, entries, kept?.[client.id], places.env);
    if (!found) return { names };
    const { name, parts } = found;
    return {
      ...{ names, own: name, parts },
      // Computed only when a hook says `{server}`: hashing loads node:crypto.
      get seen() {
        return parts && seenAs(parts);
      },
    };
  };

/**
 * The server's entry. It is found by the server's source, then by how the server is started, and last by its name. A file that
 * came with the folder and that the user has not approved cannot name a server, unless the user chose that entry.
 */
function ownEntry(
  own: Own,
  entries: readonly Entry[],
  kept: NamesKept[string] | undefined,
  env: Env,
): Entry | undefined {
  const source = own.source && serverSource(own.source);
  const chosen = ({ client, name, file }: Entry) =>
    source?.kind === 'configured' &&
    name === source.name &&
    client.id === source.client &&
    file.path === source.file;
  const launch = own.server ?? typed(source);
  // Each client may start a server of the catalogue in its own way.
  const listed = own.source?.kind === 'catalogue' ? entryNamed(own.source.name) : undefined;
  const isOwn = ({ parts }: Entry) =>
    parts !== undefined &&
    (isSame(parts, launch) ||
      (kept?.seen !== undefined && seenAs(parts) === kept.seen) ||
      (listed !== undefined && isMatch(listed.match, parts, env)));
  const usable = entries.filter((one) => !one.foreign || chosen(one));
  const same = usable.filter(isOwn);
  return (
    usable.find(chosen) ??
    same.find(({ name }) => name === kept?.name) ??
    same[0] ??
    usable.find(({ name }) => source?.kind === 'configured' && name === source.name) ??
    usable.find(({ name }) => name === own.label)
  );
}

/** The server that the user passed as a command or an address. */
const typed = (source: ServerSource | undefined): Own['server'] =>
  source?.kind === 'command'
    ? { command: source.command, args: source.args }
    : source?.kind === 'url'
      ? { url: source.url }
      : undefined;

/** Whether the server is started or reached in the same way. */
function isSame(parts: Parts, server: Own['server']): boolean {
  if (!server) return false;
  if ('url' in server) return 'url' in parts && parts.url === server.url;
  return (
    'command' in parts && parts.command === server.command && equal(parts.args, server.args ?? [])
  );
}

interface InstalledHooks {
  /** As the user agreed to them. */
  readonly hooks: readonly HookDeclaration[];
  readonly install: Pick<Install, 'label' | 'origin' | 'servers'>;
  readonly programs: readonly Pick<EventProgram, 'server'>[];
}

/** One message about a name that installed hooks use. */
export interface ServerNameWarning {
  readonly client: Client;
  /** Absent if the message is about all hooks that use `{server}`. */
  readonly hook?: number;
  readonly mention?: Mention;
  /** The name is the label, and it is known how the server starts, so `--with-server` can add it. */
  readonly isAddable?: boolean;
  readonly message: CompileMessage;
}

/** Messages about installed hooks that name servers that a client has not configured, or has under another name. */
export async function unknownServersNamed(
  { hooks, install, programs }: InstalledHooks,
  clients: readonly Client[],
  places: Places,
  cwd: string,
): Promise<ServerNameWarning[]> {
  if (!hooks.some(namesServers)) return [];
  const { label, origin, servers: kept = {} } = install;
  const server = programs.find((one) => one.server)?.server;
  const own = {
    label,
    source: origin,
    server: await startedAs(server, origin, searchPlace(places, cwd)),
  };
  const of = serversOf(own, places, cwd);
  const known = clients.flatMap((client) => {
    const servers = of(client, kept);
    return servers ? [{ client, servers }] : [];
  });
  const others = hooks.some(namesOwnServer) ? otherServers(known) : [];
  const inClients = known.flatMap(({ client, servers }): ServerNameWarning[] => {
    const byName = hooks.flatMap((hook, index) => {
      const facts = { hooks: [index + 1], client: client.name };
      return unknownServers(hook, servers).map((mention) => ({
        client,
        hook: index + 1,
        mention,
        isAddable:
          own.server !== undefined && servers.own === undefined && mention.server === label,
        message: said<CompileMessage>({ code: 'unknown-server-named', ...facts, ...mention }),
      }));
    });
    const message = hooks.some(namesOwnServer)
      ? ofOwn(client, servers, kept[client.id]?.name ?? label)
      : undefined;
    return message ? [...byName, { client, message }] : byName;
  });
  return [...inClients, ...others];
}

/**
 * Warns where an entry with the server's name starts or reaches another server than in most clients, or than in the first
 * client.
 */
function otherServers(
  known: readonly { readonly client: Client; readonly servers: ServersOfClient }[],
): ServerNameWarning[] {
  const found = known.flatMap(({ client, servers: { own, parts } }) =>
    own === undefined || !parts ? [] : [{ client, name: own, parts, is: identityOf(parts) }],
  );
  const alike = (is: string) => found.filter((one) => one.is === is);
  const [usual] = found.toSorted((a, b) => alike(b.is).length - alike(a.is).length);
  if (!usual) return [];
  const clients = alike(usual.is).map(({ client }) => client.name);
  const theirs = startOf(usual.parts);
  return found
    .filter(({ is }) => is !== usual.is)
    .map(({ client, name, parts }) => {
      const facts = { client: client.name, name, command: startOf(parts), others: clients, theirs };
      return { client, message: { code: 'own-server-differs', ...facts } };
    });
}

/** Identifies a server independently of the client that starts it: by its package, otherwise by its full command. */
export function identityOf(parts: Parts): string {
  if ('url' in parts) return parts.url;
  const { command, args } = parts;
  return packageOf({ command, args }) ?? JSON.stringify([command, ...args]);
}

const startOf = (parts: Parts): string =>
  'url' in parts ? maskAddress(parts.url) : commandInWords([parts.command, ...parts.args]);

/** @param was The name that the installed hooks use for the server. */
function ofOwn(
  { name: client }: Client,
  servers: KnownServers,
  was: string,
): CompileMessage | undefined {
  const { own } = servers;
  if (own === undefined) return { code: 'own-server-missing', client, name: was };
  return own === was ? undefined : { code: 'own-server-renamed', client, was, name: own };
}

/** The server whose tools the runner calls. If it calls none, the manifest's server. */
async function startedAs(
  server: ProgramServer | undefined,
  origin: Source | undefined,
  at: SearchPlace,
): Promise<Own['server']> {
  if (server && 'url' in server) return { url: server.url };
  if (server && 'command' in server) return { command: server.command, args: server.args };
  const from = origin && serverSource(origin);
  if (from?.kind === 'configured') return launchAt(from, at);
  if (origin?.kind !== 'manifest') return undefined;
  try {
    return (await readManifestFile(origin.path, origin.path)).server;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The server as configured in its entry now, without the values of its variables. */
function launchAt(
  { client, file, path }: Extract<Source, { readonly kind: 'configured' }>,
  at: SearchPlace,
): Own['server'] {
  const theirs = findServerClient(client);
  const { entries } = theirs ? readConfigurations(at, [theirs]) : { entries: [] };
  const parts = entries.find(
    (one) => one.file.path === file && equal([...one.file.keys, one.name], path),
  )?.parts;
  if (!parts) return undefined;
  if ('url' in parts) return { url: parts.url, headers: parts.headers };
  return { command: parts.command, args: parts.args, env: parts.env };
}

export const searchPlace = ({ env, home, project }: Places, cwd: string): SearchPlace => ({
  ...{ env, home, cwd: project ?? cwd },
  platform: process.platform,
});

/** The source of an install whose client has renamed the server. Undefined if no entry starts the server as before. */
export function renamedSource(
  { origin, servers }: Pick<Install, 'origin' | 'servers'>,
  places: Places,
  cwd: string,
): Source | undefined {
  const from = origin && serverSource(origin);
  if (from?.kind !== 'configured') return undefined;
  const seen = servers?.[from.client]?.seen;
  const theirs = findServerClient(from.client);
  if (!theirs) return undefined;
  const [entry, ...others] = readConfigurations(searchPlace(places, cwd), [theirs]).entries.filter(
    ({ file, foreign, parts }) =>
      file.path === from.file && !foreign && parts !== undefined && seenAs(parts) === seen,
  );
  if (!entry || others.length > 0) return undefined;
  const { name, file } = entry;
  const source = { ...from, name, path: [...file.keys, name] };
  return origin?.kind === 'catalogue' ? { ...origin, of: source } : source;
}
