/** The server of a declaration in the files in which clients keep their servers: added, kept, and taken out. */

import type { Client } from '../clients/contract.ts';
import type { Places } from '../clients/places.ts';
import { findServerClient } from '../clients/registry.ts';
import type { ServerFile } from '../clients/servers/servers.ts';
import type { JsonObject } from '../edit/edit.ts';
import { Refusal } from '../edit/edit.ts';
import {
  type AddedMember,
  addMember,
  type Member,
  stateOf,
  takeOutMember,
} from '../edit/member.ts';
import { decode } from '../edit/text.ts';
import { equal } from '../edit/value.ts';
import { partsOf, seenAs } from '../sources/entry.ts';
import type { Disk } from '../system/disk.ts';
import { type Message, said } from '../system/errors.ts';
import { isInside, realPath } from '../system/files.ts';
import type { SystemMessage } from '../system/messages.ts';
import { identityOf, type NamesKept, type ServersOf, searchPlace } from './known-servers.ts';
import type { AddedServer } from './ledger.ts';
import type { InstallMessage } from './messages.ts';
import { differs, type FileChange, type FileEdit } from './planned-file.ts';
import { addWith, type EntryToAdd, entryFor, type ServerToAdd } from './server-to-add.ts';

export interface PlannedServer {
  readonly client: Client;
  /** Absent: nobody knows the file. */
  readonly path?: string;
  readonly name: string;
  /**
   * - `added`: it is added now.
   * - `missing`: it could be, and nobody has asked for it.
   * - `not-added`: it cannot be, for the reason `why`.
   * - `removed`: it is taken out now.
   * - `left`: it was added, and is not taken out or is no longer ours, for the reason `why`.
   */
  readonly action: 'added' | 'missing' | 'not-added' | 'removed' | 'left';
  readonly entry?: JsonObject;
  /** Variables that the user has to set for it. */
  readonly variables?: readonly string[];
  readonly why?: Message;
  /** The client's own command that adds it; absent: it has none, or there is a secret in it. */
  readonly command?: string;
  /** How its file changes; absent: not at all, or the plan of the client's hooks has it. */
  readonly change?: FileChange;
  readonly format?: Member['format'];
}

export interface PlannedServers {
  readonly planned: readonly PlannedServer[];
  readonly edits: readonly FileEdit[];
  /** What was added earlier and stays ours, or is being taken out. */
  readonly kept: readonly AddedServer[];
  readonly leaving: readonly AddedServer[];
}

interface Planning {
  readonly places: Places;
  readonly disk: Disk;
  readonly added: readonly AddedServer[];
}

/** Text of a file. @throws Refusal if it is none. */
function textAt(path: string, disk: Disk): string | null {
  const bytes = disk.read(path);
  return bytes === null ? null : decode(bytes);
}

const whyNot = (error: unknown): Message => {
  if (error instanceof Refusal) return error.problem;
  throw error;
};

/** Takes out what was added for these clients. What somebody has edited since is theirs. */
export function planRemoval(clients: readonly Client[], { added, disk }: Planning): PlannedServers {
  const own = clients.flatMap((client) =>
    added
      .filter((one) => one.client === client.id)
      .map((one) => ({ one, client, ...removalOf(one, disk) })),
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

/** Whether an added server can be taken out. */
function removalOf(one: AddedServer, disk: Disk) {
  try {
    const text = textAt(one.file, disk);
    const state = stateOf(text, one);
    if (state === 'changed') return { state, why: said<InstallMessage>({ code: 'server-edited' }) };
    if (text !== null && state === 'as added') {
      takeOutMember(text, one);
      const why = disk.obstacle(one.file);
      if (why) return { state, why };
    }
    return { state };
  } catch (error) {
    return { state: 'changed', why: whyNot(error) } as const;
  }
}

interface ToAdd extends Planning {
  /** Everything that was added, under whatever label. */
  readonly all: readonly AddedServer[];
  /** A message: why nobody knows how to add it. */
  readonly server: ServerToAdd | InstallMessage | undefined;
  readonly withServer: boolean;
  readonly serversOf: ServersOf | undefined;
  readonly names: NamesKept | undefined;
}

/** Adds the server to the clients that lack it, or says which these are. What was added earlier stays. */
export function planAdding(clients: readonly Client[], options: ToAdd): PlannedServers {
  const { added, disk } = options;
  const states = added.map((one) => ({ one, ...removalOf(one, disk) }));
  const kept = states.filter(({ state }) => state !== 'gone');
  const edited = kept.flatMap(({ one, state, why }): PlannedServer[] => {
    const client = clients.find(({ id }) => id === one.client);
    if (!client || state !== 'changed' || !why) return [];
    const name = one.at.at(-1) ?? '';
    return [{ client, path: one.file, name, format: one.format, action: 'left', why }];
  });
  const found = clients
    .filter(({ id }) => kept.every(({ one }) => one.client !== id))
    .flatMap((client) => addingTo(client, options) ?? []);
  const paths = new Set<string>();
  const edits = found.flatMap(({ edit }) => {
    // Several clients may read one file of a project.
    if (!edit || paths.has(edit.path)) return [];
    paths.add(edit.path);
    return [edit];
  });
  return {
    planned: [...edited, ...found.map(({ planned }) => planned)],
    edits,
    kept: kept.map(({ one }) => one),
    leaving: [],
  };
}

interface Adding {
  readonly planned: PlannedServer;
  readonly edit?: FileEdit;
}

/** Undefined: the client has it, or it is not known whether it has. */
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
    ...{ file, name, entry, disk },
    others: options.all.filter((one) => one.file === file.path),
  });
  try {
    edit.apply(textAt(file.path, disk));
    const why = disk.obstacle(file.path);
    if (why) throw new Refusal<SystemMessage>(why);
  } catch (error) {
    return refuse(whyNot(error), about);
  }
  return { planned: { ...about, action: 'added', ...entry }, edit };
}

/** The file that is there already, or else the strongest. */
function fileFor({ id }: Client, { places, disk }: ToAdd): ServerFile | undefined {
  const theirs = findServerClient(id);
  const { scope } = places;
  if (!theirs?.written?.scopes.includes(scope)) return undefined;
  const files = theirs
    .files(searchPlace(places, places.home))
    .filter((one) => one.scope === scope)
    .map((one) => ({ ...one, path: scope === 'project' ? one.path : realPath(one.path) }));
  return files.find(({ path }) => disk.read(path) !== null) ?? files[0];
}

interface New {
  readonly file: ServerFile;
  readonly name: string;
  readonly entry: EntryToAdd;
  readonly disk: Disk;
  /** What was added to the same file, under whatever label. */
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
      const { file, name, entry, disk, others } = added;
      const member = { format: file.format, at: [...file.keys, name] };
      // What we have made for another server goes with the last of them.
      const made = others.some((one) => one.made && equal(one.at.slice(0, -1), file.keys));
      const existed = left !== null && others.every((one) => one.existed);
      const begun = { existed, ...(made && { made }) };
      const done = addMember(left ?? start ?? '', member, entry.entry, begun);
      const madeFolders = disk.missingFolders(path);
      return {
        isMade,
        text: done.text,
        added: [{ ...done.added, client: client.id, file: path, madeFolders }],
      };
    },
  };
}

/** The change of a file that has no hooks of ours. */
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

/** What is known of the servers of a client once this one is added. */
export const serversWith =
  (planned: readonly PlannedServer[], serversOf: ServersOf): ServersOf =>
  (client, kept) => {
    const own = planned.find((one) => one.client === client && one.action === 'added');
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
