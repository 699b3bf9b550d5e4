/**
 * The files with hand-written hooks: the client that each belongs to, the folder in which its hooks start, and its contents.
 */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { HandFile, Notifier } from '../../clients/by-hand.ts';
import { type Client, type ConfigFile, HANDLERS } from '../../clients/contract.ts';
import {
  configPath,
  fileLike,
  filesIn,
  layoutsOf,
  type Places,
  tilde,
  wayOut,
} from '../../clients/places.ts';
import { byHandOf, CLIENTS } from '../../clients/registry.ts';
import {
  ANYTHING,
  isObject,
  type JsonObject,
  type JsonValue,
  type Layout,
  type Path,
  Refusal,
} from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { type Position, positionsIn } from '../../edit/positions.ts';
import { decode } from '../../edit/text.ts';
import { eventsOf, listsIn, pathTo, underOf } from '../../edit/value.ts';
import { attempt, type Message, said } from '../../system/errors.ts';
import { isInside, read, realPath, Unreadable } from '../../system/files.ts';
import type { HandFileMessage } from './messages.ts';

export interface HandSettings {
  /** The absolute path, and the path as it is shown. */
  readonly path: string;
  readonly shown: string;
  readonly client: Client;
  readonly text: string;
  readonly document: JsonObject;
  readonly layout: Layout;
  readonly at: (keys: Path) => Position;
  /**
   * The folder in which its hooks start, and the variables for it. The user's own hooks start in the folder of each session.
   */
  readonly root: string | undefined;
  readonly variables: readonly string[];
  /** The file belongs to a plugin or an extension. */
  readonly isPackage: boolean;
  /** Why the client itself reads nothing in the file. Absent: it reads the file, or would not look for hooks there. */
  readonly refused?: Message;
}

/** A file that exists but is not read, and the reason. */
export interface Unread {
  readonly shown: string;
  readonly why: Message;
  readonly line?: number;
  readonly column?: number;
  /** The system does not let us read it. */
  readonly error?: Unreadable;
}

export const isUnread = (file: HandSettings | Unread): file is Unread => 'why' in file;

const because = said<HandFileMessage>;

/** Larger than any hand-written settings file. */
const LIMIT = 4 * 1024 * 1024;

/**
 * The clients' files in these places that exist and have hooks.
 *
 * @param changed The scope whose files are to be changed. One of them that the system does not let us read is an error.
 */
export function handFilesOf(
  clients: readonly Client[],
  places: readonly Places[],
  changed?: Places['scope'],
): (HandSettings | Unread)[] {
  const seen = new Set<string>();
  return places.flatMap((at) =>
    clients.flatMap((client) =>
      filesIn(client, at).flatMap((file): (HandSettings | Unread)[] => {
        const path = configPath(client, file, at);
        if (seen.has(path) || isMissing(path)) return [];
        seen.add(path);
        const shown = tilde(path, at.home);
        const out = wayOut(client, file, at);
        if (out) return [{ shown, why: because({ code: 'hand-linked-out' }) }];
        const found = readSettings(path, shown, at, client, file);
        if ('error' in found && at.scope === changed) throw found.error;
        return isUnread(found) || entriesIn(found).length > 0 ? [found] : [];
      }),
    ),
  );
}

/** A file that cannot be looked at is not missing. */
const isMissing = (path: string): boolean =>
  attempt(() => statSync(path, { throwIfNoEntry: false }) === undefined) === true;

const FORMAT_OF: Readonly<Record<string, keyof typeof FORMATS>> = {
  '.toml': 'toml',
  '.js': 'program',
  '.mjs': 'program',
};

/**
 * @param chosen The client that the user named. By default, the client that the file itself suggests.
 * @param known How that client reads the file. By default, as it reads files of that name.
 */
export function readSettings(
  path: string,
  shown: string,
  { env, home }: Pick<Places, 'env' | 'home'>,
  chosen?: Client,
  known?: ConfigFile,
): HandSettings | Unread {
  const size = attempt(() => statSync(path, { throwIfNoEntry: false })?.size) ?? 0;
  if (size > LIMIT)
    return { shown, why: because({ code: 'hand-large', bytes: size, limitBytes: LIMIT }) };
  const format = known?.format ?? FORMAT_OF[extname(path)] ?? 'json';
  try {
    const bytes = read(path);
    if (bytes === null) return { shown, why: because({ code: 'hand-not-there' }) };
    const text = decode(bytes);
    const document = FORMATS[format].read(text, ANYTHING);
    const client = chosen ?? clientOf(path, document);
    if (!client) return { shown, why: because({ code: 'hand-no-client' }) };
    const place = placeOf(path, client);
    const layout = known?.layout ?? layoutIn(client, path, document, place);
    // Only now is it known where a duplicate key would matter.
    FORMATS[format].read(text, ANYTHING, layout);
    const { dialect } = known ?? fileLike(client, path);
    const isOwn = known !== undefined || (place !== undefined && !place.file.isPackage);
    const refused = isOwn
      ? refusalOf(() => FORMATS[format].read(text, dialect, layout))
      : undefined;
    const isUsers = [path, realPath(path)].some((one) =>
      isInside(one, realPath(client.userFolder(env, home, process.platform))),
    );
    const at = positionsIn(text, format);
    const root = isUsers ? undefined : (place?.root ?? folderFor(path, client));
    return {
      path,
      shown,
      client,
      text,
      document,
      layout,
      at,
      root,
      variables: place?.file.variables ?? [],
      isPackage: place?.file.isPackage ?? false,
      ...(refused && { refused: refused.problem }),
    };
  } catch (error) {
    if (error instanceof Unreadable) return { shown, why: error.why, error };
    if (!(error instanceof Refusal)) throw error;
    const { line, column, problem } = error;
    return {
      shown,
      why: problem,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    };
  }
}

function refusalOf(read: () => unknown): Refusal | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error;
  }
}

/** The client of a file, judged by its path. If several clients have such files, by the names of its events. */
function clientOf(path: string, document: JsonObject): Client | undefined {
  const ranked = CLIENTS.map((client) => {
    const place = placeOf(path, client);
    const layout = layoutIn(client, path, document, place);
    return {
      client,
      own: place && !isShared(place.file) ? path.length - place.root.length : 0,
      named: eventsIn(client, document, layout).length,
      beside: place?.file.beside === undefined ? 0 : 1,
    };
  });
  const [best] = ranked
    .filter(({ own, named }) => own > 0 || named > 0)
    .sort((a, b) => b.own - a.own || b.named - a.named || b.beside - a.beside);
  return best?.client;
}

/** The layout of the hooks in a file. A package may use the layout of any of the client's files. */
function layoutIn(client: Client, path: string, document: JsonObject, place?: Place): Layout {
  const usual = fileLike(client, path).layout;
  if (place && !place.file.isPackage) return usual;
  const isIn = (layout: Layout) => eventsIn(client, document, layout).length > 0;
  return [usual, ...layoutsOf(client)].find(isIn) ?? usual;
}

function eventsIn(client: Client, document: JsonObject, layout: Layout): string[] {
  const known = Object.keys(byHandOf(client)?.events ?? {});
  return eventNames(document, layout).filter((event) => known.includes(event));
}

/** Whether otherwise unrelated clients have files of this name. */
const isShared = ({ path }: HandFile): boolean => {
  const all = CLIENTS.filter((client) => byHandOf(client)?.files.some((one) => one.path === path));
  return new Set(all.map(({ projectFolder }) => projectFolder)).size > 1;
};

/** The project of a file with another name, or the file's own folder. */
function folderFor(path: string, { projectFolder }: Client): string {
  const at = path.replaceAll('\\', '/').lastIndexOf(`/${projectFolder}/`);
  return at > 0 ? path.slice(0, at) : dirname(path);
}

interface Place {
  readonly root: string;
  readonly file: HandFile;
}

function placeOf(path: string, client: Client): Place | undefined {
  const slashes = path.replaceAll('\\', '/');
  for (const file of byHandOf(client)?.files ?? []) {
    const found = new RegExp(`^(.*)/(?:${file.path})$`).exec(slashes);
    const root = found?.[1];
    if (root === undefined) continue;
    if (file.beside === undefined || attempt(() => existsSync(join(root, file.beside ?? ''))))
      return { root: root === '' ? '/' : root, file };
  }
  return undefined;
}

/** An entry in a file, or a value in the place of one. */
export interface HandEntry {
  readonly native: string;
  readonly keys: Path;
  readonly handler: JsonValue;
  readonly matcher?: JsonValue;
  /** Not a hook, but a program that the client starts at an event. */
  readonly notifier?: Notifier;
}

/** All entries, in any kind of group: clients differ in that, and people confuse them. */
export function entriesIn(file: HandSettings): HandEntry[] {
  const notifiers = Object.entries(byHandOf(file.client)?.notifiers ?? {});
  const found = notifiers.filter(
    ([key, one]) => one.file === basename(file.path) && Object.hasOwn(file.document, key),
  );
  return [
    ...found.map(([key, notifier]): HandEntry => {
      return { native: key, keys: [key], handler: file.document[key] ?? null, notifier };
    }),
    ...hooksIn(file),
  ];
}

function hooksIn({ document, layout }: HandSettings): HandEntry[] {
  if (layout.kind === 'rows') {
    const { list, eventKey } = layout;
    return (listsIn(document, layout).get(list) ?? []).flatMap((row, at): HandEntry[] => {
      const { [eventKey]: native, ...element } = isObject(row) ? row : {};
      return typeof native === 'string' ? handlersOf(native, [list, at], element) : [];
    });
  }
  return listsOf(document, layout).flatMap(([native, list]): HandEntry[] => {
    const keys = pathTo(native, layout.under);
    // A setting of the client, not a hook.
    if (!Array.isArray(list))
      return isObject(list) && !('command' in list) && !(HANDLERS in list)
        ? []
        : [{ native, keys, handler: null }];
    return list.flatMap((element: JsonValue, at) => handlersOf(native, [...keys, at], element));
  });
}

function handlersOf(native: string, keys: Path, element: JsonValue): HandEntry[] {
  if (!isObject(element)) return [{ native, keys, handler: element }];
  const { matcher, [HANDLERS]: inner, ...rest } = element;
  const filter = matcher === undefined ? {} : { matcher };
  if (!Array.isArray(inner)) return [{ native, keys, handler: rest, ...filter }];
  return inner.map((handler: JsonValue, at) => ({
    native,
    keys: [...keys, HANDLERS, at],
    handler,
    ...filter,
  }));
}

/** The names of the events, including those whose value is not a list. */
const eventNames = (document: JsonObject, layout: Layout): string[] =>
  layout.kind === 'rows'
    ? [...eventsOf(document, layout).keys()]
    : listsOf(document, layout).map(([name]) => name);

/** The values where lists of groups belong, by event. */
function listsOf(document: JsonObject, layout: Layout): [string, JsonValue][] {
  const under = underOf(layout);
  const object = under === undefined ? document : document[under];
  return isObject(object) ? Object.entries(object) : [];
}
