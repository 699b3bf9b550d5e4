/** Every server in a client's configuration, in all of its files. Only reads files. */

import { isOutside, tilde } from '../clients/places.ts';
import { findServerClient, SERVER_CLIENTS } from '../clients/registry.ts';
import type {
  SearchPlace,
  ServerClient,
  ServerFile,
  ServerLook,
} from '../clients/servers/servers.ts';
import type { Source } from '../declaration/declared.ts';
import { ANYTHING, isObject, type JsonObject, memberAt, Refusal } from '../edit/edit.ts';
import { FORMATS } from '../edit/formats.ts';
import { decode } from '../edit/text.ts';
import { codeOf, reasonOf } from '../system/errors.ts';
import { isInside, read, realPath, Unreadable } from '../system/files.ts';
import { foldersUpFrom, repositoryOf } from '../system/git/folders.ts';
import type { SystemMessage } from '../system/messages.ts';
import { inLine } from '../system/visible.ts';
import { type Parts, partsOf } from './entry.ts';
import type { SourceMessage } from './messages.ts';

export interface Entry {
  readonly client: ServerClient;
  readonly file: ServerFile;
  readonly name: string;
  /** Undefined if the entry has neither a command nor an address. */
  readonly parts?: Parts;
  readonly off?: string;
  /** The entry is in a project's file, and its client has no record of the user's approval. */
  readonly foreign: boolean;
  /** The folder that its client starts the server in, or the home folder if the client would ask before starting it here. */
  readonly folder: string;
  /** The headers come from a program that only the client may run. */
  readonly helped: boolean;
}

export interface Looked extends Read {
  readonly client: ServerClient;
  readonly file: ServerFile;
}

export interface Configurations {
  /** Grouped by client, highest precedence first. */
  readonly entries: readonly Entry[];
  readonly looked: readonly Looked[];
}

export function readConfigurations(
  at: SearchPlace,
  clients: readonly ServerClient[] = SERVER_CLIENTS,
): Configurations {
  const reader = documents();
  const look = lookWith(reader, at);
  const entries: Entry[] = [];
  const looked: Looked[] = [];
  for (const client of clients)
    for (const file of filesOf(client, at)) {
      const out = wayOut(file, at);
      const found = out ? { refusal: out } : reader(file.path, file.format);
      looked.push({ client, file, ...found });
      for (const [name, entry] of entriesIn(found.document, file.keys))
        entries.push(entryOf({ client, file, name }, entry, look));
    }
  return { entries, looked };
}

const lookWith = (reader: ReturnType<typeof documents>, at: SearchPlace): ServerLook => ({
  ...at,
  document: (path, format) => reader(path, format).document ?? {},
});

/** The current folder if all of these clients trust it, otherwise the home folder. */
export function folderTrusted(clients: readonly string[], at: SearchPlace): string {
  const look = lookWith(documents(), at);
  const trusting = clients.filter((id) => findServerClient(id)?.trusted?.(look));
  return trusting.length === clients.length ? at.cwd : at.home;
}

/** In the home folder, the project's files are the user's own. */
function filesOf(client: ServerClient, at: SearchPlace): readonly ServerFile[] {
  const files = client.files(at);
  const own = files.filter(({ scope }) => scope === 'user').map(({ path }) => path);
  return files.filter(({ scope, path }) => scope !== 'project' || !own.includes(path));
}

/** Why a project's file is not read: a link leads out of the project, possibly to a private file of the user. */
function wayOut({ scope, path }: ServerFile, { cwd, home }: SearchPlace): Refusal | undefined {
  const folder = scope === 'project' && foldersUpFrom(cwd).find((one) => isInside(path, one));
  if (!folder || folder === home) return undefined;
  const top = repositoryOf(folder);
  const project = top === undefined || top === home || isInside(home, top) ? folder : top;
  const target = realPath(path);
  return isOutside(target, project, home)
    ? new Refusal<SourceMessage>({ code: 'linked-out', target: inLine(tilde(target, home)) })
    : undefined;
}

type Named = Pick<Entry, 'client' | 'file' | 'name'>;

function entryOf(named: Named, entry: JsonObject, look: ServerLook): Entry {
  const { client, file, name } = named;
  const parts = partsOf(entry, client.fields);
  const off = client.switchedOff(entry, name, file, look);
  const approved = file.scope !== 'project' || client.approved?.(name, file, look) === true;
  // The user's own server must not run something with the same name from an untrusted folder.
  const stays = file.scope === 'project' || client.trusted?.(look) === true;
  return {
    ...named,
    foreign: !approved,
    folder: stays ? look.cwd : look.home,
    helped: client.helper !== undefined && Object.hasOwn(entry, client.helper),
    parts,
    off,
  };
}

/** The entry's source, for finding it again. */
export const sourceOf = ({ client, file, name }: Entry) =>
  ({
    kind: 'configured',
    client: client.id,
    name,
    file: file.path,
    path: [...file.keys, name],
  }) as const satisfies Source;

/** The entry that a client uses, among its entries with the same name. */
export const effectiveEntry = (entries: readonly Entry[]): Entry | undefined =>
  entries.find(({ file, foreign }) => !(file.onlyApproved && foreign)) ?? entries[0];

function entriesIn(
  document: JsonObject | undefined,
  keys: readonly string[],
): [string, JsonObject][] {
  const servers = memberAt(document, keys);
  return Object.entries(isObject(servers) ? servers : {}).flatMap(([name, entry]) =>
    isObject(entry) ? [[name, entry]] : [],
  );
}

interface Read {
  /** Absent if there is no file, or if it cannot be read. */
  readonly document?: JsonObject;
  readonly refusal?: Refusal;
  /** The system does not let us read it, whatever is in it. */
  readonly unread?: true;
}

/** Reads each file once, because several clients and scopes may share one. */
function documents(): (path: string, format: ServerFile['format']) => Read {
  const known = new Map<string, Read>();
  return (path, format) => {
    const found = known.get(path) ?? readDocument(path, format);
    known.set(path, found);
    return found;
  };
}

function readDocument(path: string, format: ServerFile['format']): Read {
  try {
    const bytes = read(path);
    if (bytes === null) return {};
    return { document: FORMATS[format].read(decode(bytes), ANYTHING) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    // A system error is reported as a refusal, too.
    if (error instanceof Unreadable) return refused(error.why);
    if (codeOf(error) !== undefined) return refused(reasonOf(error));
    throw error;
  }
}

/** Not for what a clone can put in a file's place, such as a folder: that would keep its user from adding a server. */
const UNREAD: readonly unknown[] = ['EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'];

const refused = (why: SystemMessage): Read => ({
  refusal: new Refusal<SystemMessage>(why),
  ...('errno' in why && UNREAD.includes(why.errno) && { unread: true }),
});
