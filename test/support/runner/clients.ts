/**
 * The clients of the registry, side by side. The types make every table name all of them. The values here come from their
 * folders.
 */
import { readFileSync } from 'node:fs';
import type { Client, Wire } from '../../../src/clients/contract.ts';
import { wireOf } from '../../../src/clients/contract.ts';
import { CLIENTS, type ClientId } from '../../../src/clients/registry.ts';
import type { Event } from '../../../src/declaration/declaration.ts';
import { expected, known, type McpTool } from '../../clients/expectations.ts';

export type { ClientId };

/** The clients that were run, of which recordings exist. For the other clients, see test/clients/documented.test.ts. */
export const IDS = Object.keys(expected) as ClientId[];
/** All clients. */
export const ALL_IDS = CLIENTS.map(({ id }) => id as ClientId);

/** One value for every client, none left out. */
export type Each<T> = Readonly<Record<ClientId, T>>;

export const each = <T>(make: (id: ClientId) => T, ids: readonly ClientId[] = IDS): Each<T> =>
  Object.fromEntries(ids.map((id) => [id, make(id)])) as Each<T>;

/** The clients that write a transcript of each session. */
export const WRITING = IDS.filter((id) => expected[id].transcript);

/** The facts about the transcript of one of them. */
export function written(id: ClientId) {
  const { transcript, writes } = expected[id];
  if (!transcript || !writes) throw new Error(`${id} writes nothing down`);
  return { transcript, writes };
}

/** The same result for every client. */
export const all = <T>(value: T): Each<T> => each(() => value);

/** The same for every client, each in its own processes, at the same time. */
export async function eachAsync<T>(
  make: (id: ClientId) => Promise<T>,
  ids: readonly ClientId[] = IDS,
): Promise<Each<T>> {
  const made = await Promise.all(ids.map(async (id) => [id, await make(id)]));
  return Object.fromEntries(made) as Each<T>;
}

export function clientOf(id: ClientId): Client {
  const client = CLIENTS.find((one) => one.id === id);
  if (!client) throw new Error(`no client ${id}`);
  return client;
}

/** The folders in a home by which we find each client. */
export const FOLDERS = ALL_IDS.flatMap((id) => {
  const found = clientOf(id).foundBy?.({}, '~', 'linux');
  return [`~/${known[id].folder}`, ...(found === undefined ? [] : [found])];
});

/** The names of these clients, in a sentence's order. */
export const namesOf = (ids: readonly ClientId[]): string[] => ids.map((id) => clientOf(id).name);

/** Where the hooks of a label are in a home. */
export function entriesIn(id: ClientId, label: string): string {
  const { placement } = clientOf(id);
  const [file] = placement.files.user ?? [];
  const name =
    placement.kind === 'own-file'
      ? `${placement.folder.name}/${placement.folder.fileOf(label)}`
      : file?.name;
  return `~/${known[id].folder}/${name}`;
}

/** Whether a client runs a hook with this matcher for this tool: a second implementation, independent of `fire`. */
export function runsFor(id: ClientId, matcher: string | undefined, name: string): boolean {
  const { lists, aliases = {}, anchored, noStar } = clientOf(id).matching;
  if (matcher === undefined || matcher === '') return true;
  if (matcher === '*') return !noStar;
  const names = [name, ...(aliases[name] ?? [])];
  if (lists !== undefined && matcher.replace(new RegExp(lists), '') === '')
    return matcher.split(/[|,]/).some((one) => names.includes(one.trim()));
  const pattern = new RegExp(anchored ? `^(?:${matcher})$` : matcher.trim());
  return names.some((one) => pattern.test(one));
}

/** The clients' name for the tool of an MCP server, independent of the compiler. */
export function nativeName(id: ClientId, { server, tool }: McpTool): string {
  const { mcpNames } = clientOf(id);
  const { prefix, separator, allowed, replacement = '_', limit, suffixOf } = mcpNames;
  const isThere = prefix !== '' && prefix !== 'mcp__' && server.startsWith(prefix);
  const { server: ofServer } = mcpNames;
  const first = ofServer
    ? server
        .replace(new RegExp(`[^${allowed}]`, 'g'), ofServer.replacement)
        .slice(0, ofServer.length)
    : server;
  const full = `${isThere ? '' : prefix}${first}${separator}${tool}`;
  const name = full.replace(new RegExp(`[^${allowed}]`, 'g'), replacement);
  const isChanged = name !== full || (limit && name.length > limit.length);
  if (suffixOf && isChanged) return `${name.slice(0, limit?.kept)}${suffixOf(full)}`;
  if (!limit || name.length <= limit.length) return name;
  const { first: ends } = limit;
  if (ends === undefined) return name.slice(0, limit.kept ?? limit.length);
  return `${name.slice(0, ends)}...${name.slice(-ends)}`;
}

/** The server's fields in a payload, if the client has any. */
export function serverFields(id: ClientId, { server, tool }: McpTool): Payload {
  const { serverName, serverTool } = clientOf(id).wire;
  return {
    ...(serverName !== undefined && { serverName: server }),
    ...(serverTool !== undefined && { serverTool: tool }),
  };
}

/** Fields by their names in the contract (`session`, `toolInput`), or else by those in the payload. */
export type Payload = Readonly<Record<string, unknown>>;

/** What the real client sent, byte for byte. */
export const recordedText = (id: ClientId, name: string): string =>
  readFileSync(new URL(`../../../fixtures/events/${id}/${name}.json`, import.meta.url), 'utf8');

/** What the real client sent, with some of its fields changed. */
export function recorded(id: ClientId, name: string, changes: Payload = {}): Payload {
  const payload: unknown = JSON.parse(recordedText(id, name));
  if (!isObject(payload)) throw new Error(`${name} is no object`);
  const [native = ''] = name.split('.');
  const wire = wireOf(clientOf(id), native);
  return Object.entries(changes).reduce(
    (changed, [key, value]) => withValue(changed, placeOf(wire, key, payload).split('.'), value),
    payload,
  );
}

/** The dotted path of a field. */
function placeOf(wire: Wire, key: string, payload: object): string {
  const { toolOutput } = wire;
  const isThere = (path: string) => valueAt(payload, path.split('.')) !== undefined;
  if (key === 'toolOutput') return toolOutput.find(isThere) ?? toolOutput.join();
  const place = Object.entries(wire).find(([name]) => name === key)?.[1];
  return typeof place === 'string' ? place : key;
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((at, key) => (isObject(at) ? at[key] : undefined), value);

function withValue(at: Payload, [key = '', ...rest]: readonly string[], value: unknown): Payload {
  const inner = at[key];
  return {
    ...at,
    [key]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value),
  };
}

const isObject = (value: unknown): value is Payload => typeof value === 'object' && value !== null;

/** A moment of a session, as each client announces it: native event and recorded payload. */
interface Announced {
  readonly event: string;
  readonly file: string;
}

/** The first native event for a hook on this event. */
const where = (declared: Event, by: 'text' | 'tool' = 'text', kind = ''): Each<Announced> =>
  each((id) => {
    const event = clientOf(id).lowering[declared]?.[by]?.on[0]?.native;
    if (event === undefined) throw new Error(`${id} has no ${declared}`);
    return { event, file: `${event}${kind}` };
  });

export type Moment = keyof typeof MOMENTS;
export const MOMENTS = {
  /** Gemini CLI shows it with the first prompt. */
  start: where('session_start'),
  prompt: where('pre_request'),
  /** The shell tool runs `git commit`. Gemini CLI shows it afterwards. */
  before: where('pre_tool_use'),
  after: where('post_tool_use'),
  /** A tool of the MCP server `tiny`: `echo`, in Gemini CLI's recording `echo_text`. */
  afterMcp: where('post_tool_use', 'text', '.mcp'),
  turnEnd: where('session_end'),
  sessionEnd: where('session_end', 'tool'),
};
