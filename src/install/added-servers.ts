/**
 * Adds the server of a declaration to the files in which clients configure their MCP servers, keeps it there, and removes it.
 */

import { basename } from 'node:path';
import type { Client } from '../clients/contract.ts';
import type { Places } from '../clients/places.ts';
import { findServerClient } from '../clients/registry.ts';
import type { ServerFile } from '../clients/servers/servers.ts';
import type { JsonObject, JsonValue } from '../edit/edit.ts';
import { Refusal } from '../edit/edit.ts';
import {
  type AddedMember,
  addMember,
  type Member,
  memberIn,
  stateOf,
  takeOutMember,
} from '../edit/member.ts';
import { valueMark } from '../edit/record.ts';
import { decode } from '../edit/text.ts';
import { equal } from '../edit/value.ts';
import { partsOf, seenAs } from '../sources/entry.ts';
import type { Disk } from '../system/disk.ts';
import { type Message, said, UserError } from '../system/errors.ts';
import { isInside, realPath } from '../system/files.ts';
import type { SystemMessage } from '../system/messages.ts';
import { identityOf, type NamesKept, type ServersOf, searchPlace } from './known-servers.ts';
import type { AddedServer, Install } from './ledger.ts';
import type { InstallMessage } from './messages.ts';
import { differs, type FileChange, type FileEdit, fileRefused } from './planned-file.ts';
import { addWith, type EntryToAdd, entryFor, type ServerToAdd } from './server-to-add.ts';

export interface PlannedServer {
  readonly client: Client;
  /** Absent if the file is unknown. */
  readonly path?: string;
  readonly name: string;
  /**
   * - `added`: it is added now.
   * - `missing`: it could be added, but the user did not ask for it.
   * - `not-added`: it cannot be added, for the reason `why`.
   * - `changed`: it was added earlier, and its entry is rewritten now.
   * - `removed`: it is removed now.
   * - `left`: it was added earlier, and is either not removed or no longer ours, for the reason `why`.
   */
  readonly action: 'added' | 'missing' | 'not-added' | 'changed' | 'removed' | 'left';
  readonly entry?: JsonObject;
  /** Variables that the user has to set for the server. */
  readonly variables?: readonly string[];
  readonly why?: Message;
  /** The client's own command that adds the server. Absent if the client has none, or if the command would contain a secret. */
  readonly command?: string;
  /** How the file changes. Absent if it does not, or if the change is part of the plan for the client's hooks. */
  readonly change?: FileChange;
  readonly format?: Member['format'];
}

export interface PlannedServers {
  readonly planned: readonly PlannedServer[];
  readonly edits: readonly FileEdit[];
  /** Servers that were added earlier and either stay ours (`kept`) or are being removed (`leaving`). */
  readonly kept: readonly AddedServer[];
  readonly leaving: readonly AddedServer[];
}

interface Planning {
  readonly places: Places;
  readonly disk: Disk;
  readonly added: readonly AddedServer[];
}

/** The text of a file. @throws Refusal if the bytes are not text. */
function textAt(path: string, read: Disk['read']): string | null {
  const bytes = read(path);
  return bytes === null ? null : decode(bytes);
}

const whyNot = (error: unknown): Message => {
  if (error instanceof Refusal) return error.problem;
  throw error;
};

/** Removes the servers that were added for these clients. An entry that was edited since then belongs to the user. */
export function planRemoval(
  clients: readonly Client[],
  { added: all, places, disk }: Planning,
): PlannedServers {
  const added = latest(all, disk);
  const own = clients.flatMap((client) =>
    added
      .filter((one) => one.client === client.id)
      .map((one) => ({ one, client, ...removalOf(one, { places, disk }) })),
  );
  return {
    planned: own.flatMap(({ one, client, state, why }): PlannedServer[] => {
      const about = { client, path: one.file, name: one.at.at(-1) ?? '', format: one.format };
      if (why) return [{ ...about, action: 'left', why }];
      return state === 'gone' ? [] : [{ ...about, action: 'removed' }];
    }),
    edits: own.flatMap(({ one, client, state, why }) =>
      why || state === 'gone' ? [] : editOf(client, one.file, [one], undefined),
    ),
    kept: added.filter((one) => clients.every(({ id }) => id !== one.client)),
    leaving: own.map(({ one }) => one),
  };
}

/** What was added to the clients of an install, in their order. */
export function addedTo(
  { added = [], clients }: Pick<Install, 'added' | 'clients'>,
  disk: Pick<Disk, 'read'>,
): AddedServer[] {
  const all = latest(added, disk);
  return clients.flatMap((id) => all.filter(({ client }) => client === id));
}

/** What has become of an added server. */
export type AddedNow = { readonly name: string } & (
  | { readonly state: 'gone' | 'unread' }
  | { readonly state: 'as added' | 'changed'; readonly entry: JsonValue | undefined }
);

export function addedNow(one: AddedServer, read: Disk['read']): AddedNow {
  const name = one.at.at(-1) ?? '';
  try {
    const text = textAt(one.file, read);
    const state = stateOf(text, one);
    if (state === 'gone' || text === null) return { name, state: 'gone' };
    return { name, state, entry: memberIn(text, one) };
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof UserError)) throw error;
    return { name, state: 'unread' };
  }
}

/** Whether an added server can be taken out. */
function removalOf(one: AddedServer, { places, disk }: Pick<Planning, 'places' | 'disk'>) {
  try {
    if (!isPlace(one, places))
      return { state: 'changed', why: said<InstallMessage>({ code: 'server-elsewhere' }) } as const;
    const text = textAt(one.file, disk.read);
    const state = stateOf(text, one);
    if (state === 'changed') return { state, why: said<InstallMessage>({ code: 'server-edited' }) };
    if (text !== null && state === 'as added') {
      takeOutMember(text, one);
      const why = disk.obstacle(one.file);
      if (why) return { state, why };
    }
    return { state };
  } catch (error) {
    // A file that the system keeps from us is left as it is, like one that cannot be edited.
    const why = error instanceof UserError ? disk.obstacle(one.file) : undefined;
    return { state: 'changed', why: why ?? whyNot(error) } as const;
  }
}

/**
 * Whether the client may have a server there. Any program could have written our record. A file may be behind a link, and the
 * variables that place it may have changed since.
 */
function isPlace({ client, file, format, at }: AddedServer, places: Places): boolean {
  const name = basename(file);
  return filesOf(client, places).some(
    (one) =>
      equal(one.keys, at.slice(0, -1)) &&
      one.format === format &&
      (one.path === file || basename(one.path) === name),
  );
}

interface ToAdd extends Planning {
  /** Every server that was added, under any label. */
  readonly all: readonly AddedServer[];
  /** A message if it is not known how to add the server. */
  readonly server: ServerToAdd | InstallMessage | undefined;
  readonly withServer: boolean;
  readonly serversOf: ServersOf | undefined;
  readonly names: NamesKept | undefined;
}

/**
 * Adds the server to the clients that lack it, or reports which clients do. Servers that were added earlier stay, and their
 * entries are rewritten if the server now starts in another way.
 */
export function planAdding(clients: readonly Client[], options: ToAdd): PlannedServers {
  const fates = latest(options.added, options.disk)
    .map((one) => fateOf(one, clients, options))
    .filter(({ state }) => state !== 'gone');
  const found = clients
    .filter(({ id }) => fates.every(({ one }) => one.client !== id))
    .flatMap((client) => addingTo(client, options) ?? []);
  const paths = new Set<string>();
  const edits = [...fates, ...found].flatMap(({ edit }) => {
    // Several clients may read the same file in a project.
    if (!edit || paths.has(edit.path)) return [];
    paths.add(edit.path);
    return [edit];
  });
  return {
    planned: [...fates, ...found].flatMap(({ planned }) => planned ?? []),
    edits,
    kept: fates.flatMap(({ one, edit }) => (edit ? [] : one)),
    leaving: fates.flatMap(({ one, edit }) => (edit ? one : [])),
  };
}

/**
 * What a server of another source does to those that were added under its label: it takes over the entries that start it, or,
 * with `--with-server`, are written anew for it. The others are taken out.
 */
export function planReplacing(clients: readonly Client[], options: ToAdd): PlannedServers {
  const { withServer } = options;
  const own = latest(options.added, options.disk);
  const gone = own.filter((one) => {
    const { state, isSame, edit } = fateOf(one, clients, options);
    return state === 'changed' || !(isSame || (withServer && edit));
  });
  const staying = own.filter((one) => !gone.includes(one));
  const removal = planRemoval(clients, { ...options, added: gone });
  const adding = planAdding(clients, { ...options, added: staying });
  return {
    planned: [...removal.planned, ...adding.planned],
    edits: [...removal.edits, ...adding.edits],
    kept: [...removal.kept, ...adding.kept],
    leaving: [...removal.leaving, ...adding.leaving],
  };
}

/** Of a run that was killed, the ledger may have an entry as it was and as it was to be. */
function latest(added: readonly AddedServer[], disk: Pick<Disk, 'read'>): readonly AddedServer[] {
  const isAlike = (a: AddedServer, b: AddedServer) =>
    a !== b && a.client === b.client && a.file === b.file && equal(a.at, b.at);
  const isThere = (one: AddedServer) => addedNow(one, disk.read).state === 'as added';
  return added.filter((one, index) => {
    const alike = added.filter((other) => isAlike(one, other));
    if (alike.length === 0 || isThere(one)) return true;
    return !alike.some(isThere) && alike.every((other) => added.indexOf(other) < index);
  });
}

interface Fate {
  readonly one: AddedServer;
  readonly state: ReturnType<typeof removalOf>['state'];
  /** It starts the server as it is to be started. */
  readonly isSame?: boolean;
  readonly planned?: PlannedServer;
  /** It is written anew. */
  readonly edit?: FileEdit;
}

/** What becomes of an added server if nothing is to be taken out. */
function fateOf(one: AddedServer, clients: readonly Client[], options: ToAdd): Fate {
  const { server, disk } = options;
  const { state, why } = removalOf(one, options);
  const client = clients.find(({ id }) => id === one.client);
  const theirs = findServerClient(one.client);
  if (!client || state === 'gone') return { one, state };
  const { file: path, format } = one;
  const about = { client, path, name: one.at.at(-1) ?? '', format };
  const left = (why: Message): Fate => ({
    one,
    state,
    planned: { ...about, action: 'left', why },
  });
  if (state === 'changed') return why ? left(why) : { one, state };
  if (!server || 'code' in server || !theirs) return { one, state };
  const written = entryFor(server, theirs);
  const isSame =
    ('entry' in written && valueMark(written.entry) === one.value) ||
    (server.scope !== undefined && startsAlike(one, server, disk));
  if (isSame) return { one, state, isSame };
  if ('code' in written) return left(written);
  if (why) return left(why);
  const edit = editOf(client, path, [one], {
    ...{ member: one, entry: written, madeFolders: one.madeFolders },
    others: options.all.filter((other) => other.file === path),
  });
  try {
    edit.apply(textAt(path, disk.read));
  } catch (error) {
    return left(whyNot(error));
  }
  return { one, state, planned: { ...about, action: 'changed', ...written }, edit };
}

/** Whether an entry starts or reaches the server with the same words, whatever variables it gives. */
function startsAlike(one: AddedServer, { parts }: ServerToAdd, disk: Disk): boolean {
  const now = addedNow(one, disk.read);
  const theirs = findServerClient(one.client);
  const own = 'entry' in now && theirs ? partsOf(now.entry, theirs.fields) : undefined;
  if (!own) return false;
  if ('url' in own) return 'url' in parts && own.url === parts.url;
  return 'command' in parts && own.command === parts.command && equal(own.args, parts.args);
}

interface Adding {
  readonly planned: PlannedServer;
  readonly edit?: FileEdit;
}

/** Undefined if the client already has the server, or if that is unknown. */
function addingTo(client: Client, options: ToAdd): Adding | undefined {
  const { server, serversOf, names, withServer, places, disk } = options;
  if (!server || !serversOf) return undefined;
  const servers = serversOf(client, names);
  const theirs = findServerClient(client.id);
  const refuse = (why: Message, about: Partial<PlannedServer> = {}): Adding | undefined => {
    if (!withServer) return undefined;
    const known = 'code' in server ? undefined : server;
    const isMissing = servers?.own === undefined && places.scope === 'user';
    const command = theirs && known && isMissing ? addWith(theirs, known) : undefined;
    const planned = {
      client,
      name: known?.name ?? '',
      ...about,
      action: 'not-added',
      why,
    } as const;
    return { planned: { ...planned, ...(command && { command }) } };
  };
  const not = (why: InstallMessage) => refuse(why);
  if (!servers || !theirs) return not({ code: 'servers-unread' });
  if ('code' in server) return servers.own === undefined ? not(server) : undefined;
  const { name } = server;
  if (servers.own !== undefined) {
    const isOther =
      servers.parts !== undefined && identityOf(servers.parts) !== identityOf(server.parts);
    return isOther ? not({ code: 'server-name-taken', name: servers.own }) : undefined;
  }
  if (servers.names.includes(name)) return not({ code: 'server-name-taken', name });
  const { unpredictable } = client.mcpNames;
  if (unpredictable !== undefined && new RegExp(unpredictable).test(`mcp__${name}__tool`))
    return not({ code: 'server-name-refused', name });
  if (server.scope !== undefined && server.scope !== 'user' && server.scope !== places.scope)
    return not({ code: 'server-of-project' });
  const file = fileFor(client, options);
  if (!file) return not({ code: 'server-no-file' });
  const entry = entryFor(server, theirs);
  if ('code' in entry) return refuse(entry, { path: file.path });
  const about = { client, path: file.path, name, format: file.format };
  if (!withServer) return { planned: { ...about, action: 'missing' } };
  const edit = editOf(client, file.path, [], {
    member: { format: file.format, at: [...file.keys, name] },
    ...{ entry, madeFolders: disk.missingFolders(file.path) },
    others: options.all.filter((one) => one.file === file.path),
  });
  const obstacle = disk.obstacle(file.path);
  // As for the files of hooks: the user wants this file to be changed.
  if (obstacle) throw fileRefused(client, file.path, new Refusal<SystemMessage>(obstacle));
  try {
    edit.apply(textAt(file.path, disk.read));
  } catch (error) {
    return refuse(whyNot(error), about);
  }
  return { planned: { ...about, action: 'added', ...entry }, edit };
}

/** The file that already exists; otherwise the one with the highest precedence. */
function fileFor({ id }: Client, { places, disk }: ToAdd): ServerFile | undefined {
  if (!findServerClient(id)?.written?.scopes.includes(places.scope)) return undefined;
  const files = filesOf(id, places);
  return files.find(({ path }) => disk.read(path) !== null) ?? files[0];
}

/** The files of a scope in which a client has its servers, behind the user's own links. */
const filesOf = (client: string, places: Places): readonly ServerFile[] =>
  (findServerClient(client)?.files(searchPlace(places, places.home)) ?? [])
    .filter(({ scope }) => scope === places.scope)
    .map((one) => ({ ...one, path: places.scope === 'project' ? one.path : realPath(one.path) }));

interface New {
  readonly member: Member;
  readonly entry: EntryToAdd;
  readonly madeFolders: readonly string[];
  /** Servers that were added to the same file, under any label. */
  readonly others: readonly AddedServer[];
}

function editOf(
  client: Client,
  path: string,
  gone: readonly AddedMember[],
  added: New | undefined,
): FileEdit {
  return {
    ...{ client, path },
    apply: (source, start) => {
      const left = gone.reduce<string | null>(
        (text, one) => (text === null ? null : takeOutMember(text, one, start)),
        source,
      );
      const isMade = gone.some(({ existed }) => !existed);
      if (!added) return { text: left, added: [], isMade };
      const { member, entry, madeFolders, others } = added;
      const around = member.at.slice(0, -1);
      // An object that we created for another server is removed together with the last server in it.
      const made = others.some((one) => one.made && equal(one.at.slice(0, -1), around));
      const existed = left !== null && others.every((one) => one.existed);
      const begun = { existed, ...(made && { made }) };
      const { format, at } = member;
      const done = addMember(left ?? start ?? '', { format, at }, entry.entry, begun);
      return {
        isMade,
        text: done.text,
        added: [{ ...done.added, client: client.id, file: path, madeFolders }],
      };
    },
  };
}

/** The change to a file that has none of our hooks. */
export function changeOf(
  { path, apply }: FileEdit,
  { places, disk }: Pick<Planning, 'places' | 'disk'>,
): { readonly change?: FileChange; readonly added: readonly AddedServer[] } {
  const before = disk.read(path);
  const { text, added } = apply(before === null ? null : decode(before));
  const { project } = places;
  const change: FileChange = {
    ...{ path, before, after: text === null ? null : Buffer.from(text), mode: 0o600 },
    ...(project !== undefined && isInside(path, project) && { within: project }),
  };
  return { added, ...(differs(change) && { change }) };
}

/** The known servers of a client once this one is added. */
export const serversWith =
  (planned: readonly PlannedServer[], serversOf: ServersOf): ServersOf =>
  (client, kept) => {
    const own = planned.find(
      (one) => one.client === client && (one.action === 'added' || one.action === 'changed'),
    );
    const servers = serversOf(client, kept);
    const theirs = findServerClient(client.id);
    if (!own?.entry || !servers || !theirs) return servers;
    const parts = partsOf(own.entry, theirs.fields);
    return {
      names: [...servers.names, own.name],
      own: own.name,
      parts,
      seen: parts && seenAs(parts),
    };
  };
