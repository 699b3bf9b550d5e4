/** Finds a server by its name in a client's configuration. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { selectClients } from '../clients/detect.ts';
import { type ClientMessage, lacking } from '../clients/messages.ts';
import { findPlaces, tilde } from '../clients/places.ts';
import { findClient, findServerClient, SERVER_CLIENTS } from '../clients/registry.ts';
import type { ServerClient } from '../clients/servers/servers.ts';
import type { ConfiguredServer } from '../declaration/configured-server.ts';
import { isLabel } from '../declaration/declaration.ts';
import type { Problem, ServerLaunch } from '../declaration/declared.ts';
import { placeOf } from '../edit/edit.ts';
import { attempt, quotes, said, UserError } from '../system/errors.ts';
import { nearest } from '../system/nearest.ts';
import { inLine } from '../system/visible.ts';
import { disambiguate, howOf } from './alike.ts';
import { type CatalogueEntry, entryNamed } from './catalogue/catalogue.ts';
import { isMatch } from './catalogue/match.ts';
import {
  type Configurations,
  type Entry,
  effectiveEntry,
  type Looked,
  readConfigurations,
  sourceOf,
} from './configurations.ts';
import type { Filled, FillOptions, Parts } from './entry.ts';
import { fill, fillIfPossible, passingOf, seenAs, steeringOf, valueNames } from './entry.ts';
import { searchPlaceOf } from './folder.ts';
import { hasAuthorizationHeader } from './headers.ts';
import { SourceError, type SourceMessage } from './messages.ts';
import { serverAt, tokensName } from './oauth/address.ts';
import { launchRedactor, maskAddress, maskWords, shownSteering } from './redacted.ts';
import type { Finder, Request, ResolvedServer } from './resolved-server.ts';
import { shellCommand, startInWords, steeringInWords } from './shown-launch.ts';

/** Undefined when there is no such server, and the name is that of an install. */
export const findConfigured: Finder = async (name, request) => {
  const { home } = findPlaces(request.env, request.cwd, 'user');
  const { from } = request;
  const clients = from === undefined ? SERVER_CLIENTS : [serverClient(from)];
  const found = readConfigurations(searchPlaceOf(request, home), clients);
  const named = found.entries.filter((entry) => entry.name === name);
  const taken = clients.flatMap((client) => {
    const own = named.filter((entry) => entry.client === client);
    return takenFrom(own, request) ?? [];
  });
  if (taken.length === 0 && request.installed?.(name)) return undefined;
  if (taken.length === 0) {
    const known = found.entries.map((entry) => entry.name);
    const listed = entryNamed(name) ?? entryNamed(`server-${name}`);
    // The user may have named the server differently.
    const same = found.entries.filter(
      ({ parts }) => listed && parts && isMatch(listed.match, parts, request.env),
    );
    const isFolder = attempt(() => statSync(join(request.cwd, name)).isDirectory());
    const like = new Set([
      ...(isFolder ? [`./${name}`] : []),
      ...same.map((entry) => entry.name),
      ...nearest(name, known),
    ]);
    const near = [...like].map((one) => inLine(one, 200));
    throw new SourceError({ code: 'not-configured', name, near }, [
      ...(listed && same.length === 0 ? addedBy(listed, name, clients, request) : []),
      ...(listed || near.length > 0 ? [] : [said<SourceMessage>({ code: 'scan-servers' })]),
      ...lookedInto(found, home, request.verbose),
    ]);
  }
  const used = taken.filter(({ off }) => off === undefined);
  const groups = alike(used.length > 0 ? used : taken, request);
  const [entry, ...others] = await oneOf(groups, name, request, home);
  return configuredTarget(entry, request, home, {
    notes: notesOn(entry, others, named, home),
    problems: brokenIn(found, home),
  });
};

/** A server of the catalogue, and the command that adds it to the first selected client with such a command. */
function addedBy(
  entry: CatalogueEntry,
  name: string,
  clients: readonly ServerClient[],
  { clients: meant, env, cwd }: Request,
): SourceMessage[] {
  const { npm: [npm] = [], pypi: [pypi] = [], args: serving = [] } = entry.match;
  const start = npm ? ['npx', '-y', npm, ...serving] : pypi ? ['uvx', pypi] : undefined;
  const selection = selectClients(meant, findPlaces(env, cwd, 'user'));
  const ids = selection.clients.map(({ id }) => id as string);
  const add = clients.find((client) => client.add && ids.includes(client.id))?.add;
  const [command, ...args] = start ?? [];
  const words = command === undefined ? undefined : add?.({ name, command, args, variables: [] });
  return [
    { code: 'catalogue-has', entry: entry.name, what: entry.server },
    ...(words ? [{ code: 'add-server', words: shellCommand(words) } as const] : []),
  ];
}

export function serverClient(name: string): ServerClient {
  const client = findServerClient(name);
  if (client) return client;
  const known = SERVER_CLIENTS.map(({ id }) => id);
  const ours = findClient(name);
  if (ours) throw new UserError<ClientMessage>(lacking(ours, 'servers'));
  throw new SourceError({ code: 'unknown-server-client', name, known });
}

/** The entry in the recorded place, otherwise the one that the client uses. */
const takenFrom = (entries: readonly Entry[], { place }: Request): Entry | undefined =>
  entries.find(
    ({ file, name }) =>
      file.path === place?.file && isDeepStrictEqual([...file.keys, name], place.path),
  ) ?? effectiveEntry(entries);

type Group = readonly [Entry, ...Entry[]];

/** Groups entries that start the same server in the same way. Groups that need no consent come first. */
function alike(entries: readonly Entry[], request: Request): Group[] {
  const groups: { readonly how: unknown; readonly entries: [Entry, ...Entry[]] }[] = [];
  const easiest = entries.toSorted((a, b) => Number(a.foreign) - Number(b.foreign));
  for (const entry of easiest) {
    const how = howOf(entry, request);
    const group = groups.find((one) => isDeepStrictEqual(one.how, how));
    if (group) group.entries.push(entry);
    else groups.push({ how, entries: [entry] });
  }
  return groups.map((group) => group.entries);
}

async function oneOf(
  groups: readonly Group[],
  name: string,
  request: Request,
  home: string,
): Promise<Group> {
  const [first, ...more] = groups;
  if (first && more.length === 0) return first;
  const shown = groups.map(([entry]) => ({
    entry,
    line: entry.parts ? howChosen(entry, entry.parts, request).join('; ') : '',
  }));
  const lines = disambiguate(shown, request);
  const choices = groups.map(
    ([{ client, file }], index) => `${client.id}  ${tilde(file.path, home)}  ${lines[index]}`,
  );
  const question = said<SourceMessage>({ code: 'which-server', name });
  const index = await request.choose?.(question, choices);
  const chosen = index === undefined ? undefined : groups[index];
  if (chosen) return chosen;
  throw new SourceError({ code: 'several-servers', name }, [
    ...quotes(choices.map((choice) => `  ${inLine(choice, Number.POSITIVE_INFINITY)}`)),
    { code: 'choose-with-from', id: first?.[0].client.id ?? '' },
  ]);
}

/** What a choice would run, on one line, and therefore without variable names that all choices share. */
function howChosen(entry: Entry, parts: Parts, request: Request): string[] {
  const { server } = entryShown(entry, parts, request);
  const folder = 'cwd' in parts && parts.cwd !== undefined ? [`in ${parts.cwd}`] : [];
  const start = entry.foreign
    ? startInWords({ server, source: { kind: 'configured' } })
    : howShown(parts);
  return [start, ...folder, ...steeringInWords(server)];
}

export const howShown = (parts: Parts): string =>
  'url' in parts ? maskAddress(parts.url) : maskWords([parts.command, ...parts.args]).join(' ');

export function configuredTarget(
  entry: Entry,
  request: Pick<Request, 'cwd' | 'env' | 'name'>,
  home: string,
  sayings: Pick<ResolvedServer, 'notes' | 'problems'> = { notes: [], problems: [] },
): ResolvedServer {
  const { client, file, folder, name, parts, foreign } = entry;
  const shown = tilde(file.path, home);
  if (!parts) throw new SourceError({ code: 'no-command-or-address', name, file: shown });
  if (request.name === undefined && !isLabel(name))
    throw new SourceError({ code: 'no-label-in-name', name });
  const around = { env: request.env, cwd: folder, given: client.given };
  const filled = fill(parts, valueNames(parts, around), around);
  const { own: _own, ...launch } = filled;
  const canTell = client.approved !== undefined;
  return {
    label: request.name ?? name,
    source: { ...sourceOf(entry), ...signInOf(filled) },
    server: shownServer(entry, parts, around, filled),
    launch: () => launch,
    hide: launchRedactor(parts, filled),
    ...sayings,
    ...(foreign && {
      consent: { code: 'file-of-the-folder', file: shown, client: client.name, canTell },
    }),
  };
}

/** An entry as shown before the user agrees to it. Parts that cannot be expanded here are shown as written. */
export function entryShown(
  entry: Entry,
  parts: Parts,
  request: Pick<Request, 'cwd' | 'env'>,
): { readonly server: ServerLaunch; readonly folder?: string } {
  const around = { ...request, given: entry.client.given };
  const filled = fillIfPossible(parts, around);
  const server = shownServer(entry, parts, around, filled);
  return { server, folder: 'url' in parts ? undefined : { ...parts, ...filled }.cwd };
}

/**
 * The parts of an entry that may be shown. An entry from an untrusted file is shown in full, because it contains no secret of
 * the user.
 */
function shownServer(
  { client, file, name, foreign }: Entry,
  parts: Parts,
  around: FillOptions,
  filled: Filled | undefined,
): ServerLaunch {
  const envFile = 'envFile' in parts ? parts.envFile : undefined;
  // An unreadable file of variables may be the reason why the entry cannot be expanded.
  const read = filled ? parts : { ...parts, envFile: undefined };
  const names = valueNames(read, around);
  const { values, mark } = steeringOf(read, around);
  const { passing, mark: passingMark } = passingOf(parts, foreign);
  const configured: ConfiguredServer = {
    given: client.given,
    ...(filled && signInOf(filled)),
    steering: shownSteering(values, foreign),
    ...(passing.length > 0 && { passing }),
    ...(envFile !== undefined && { envFile }),
    entry: {
      file: file.path,
      format: file.format,
      path: [...file.keys, name],
      fields: client.fields,
      names,
      seen: seenAs(parts),
      ...(mark !== undefined && { steering: mark }),
      ...(passingMark !== undefined && { passing: passingMark }),
    },
  };
  const given = names.length > 0 && Object.fromEntries(names.map((one) => [one, '***']));
  if ('url' in parts) {
    const url = foreign ? parts.url : maskAddress(parts.url);
    return { url, ...(given && { headers: given }), configured };
  }
  const { cwd } = parts;
  const words = [parts.command, ...parts.args];
  const [command = '', ...args] = foreign ? words : maskWords(words);
  return {
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    ...(given && { env: given }),
    configured,
  };
}

/** The client's sign-in belongs to the client, so the user has to sign in again here. */
function signInOf(filled: Filled): Pick<ConfiguredServer, 'tokens'> {
  if (!('url' in filled)) return {};
  const server = serverAt(filled.url);
  return server === undefined || hasAuthorizationHeader(filled.headers)
    ? {}
    : { tokens: tokensName(server) };
}

function notesOn(
  entry: Entry,
  others: readonly Entry[],
  named: readonly Entry[],
  home: string,
): SourceMessage[] {
  const { client, file, off, helped } = entry;
  const { name } = client;
  const path = tilde(file.path, home);
  const where = (one: Entry) => `${tilde(one.file.path, home)} (${one.client.name})`;
  const place = (one: Entry) => `${tilde(one.file.path, home)} (${one.file.scope})`;
  const same = named.filter((one) => one.client === client && one !== entry);
  const over = same.map(place);
  const notes: SourceMessage[] = [
    { code: 'configured-in', file: path, client: name, scope: file.scope, over },
  ];
  if (client.merges === true && same.length > 0)
    notes.push({ code: 'only-nearest', client: name, file: path });
  if (others.length > 0) notes.push({ code: 'also-configured', where: others.map(where) });
  if (off !== undefined) notes.push({ code: 'switched-off-there', client: name, why: off });
  if (helped) notes.push({ code: 'helper-left-out', client: name });
  return notes;
}

export function brokenIn({ looked }: Configurations, home: string): Problem<SourceMessage>[] {
  const broken = new Map(
    looked.flatMap(({ file, refusal }) => (refusal ? [[file.path, refusal]] : [])),
  );
  return [...broken].map(([path, refusal]) => ({
    level: 'warning',
    message: {
      code: 'configuration-broken',
      file: tilde(path, home),
      ...placeOf(refusal),
      why: refusal.problem,
    },
    path: [],
  }));
}

/** Every file and its contents. @param absent Also lists missing files by name, instead of leaving them out. */
export function lookedInto(
  { entries, looked }: Configurations,
  home: string,
  absent = false,
): SourceMessage[] {
  const isAbsent = ({ document, refusal }: Looked) => !document && !refusal;
  const isAlike = (one: Looked, other: Looked | undefined) =>
    other !== undefined &&
    isAbsent(one) &&
    isAbsent(other) &&
    one.client === other.client &&
    one.file.scope === other.file.scope;
  const lines = looked.flatMap((one, index): SourceMessage[] => {
    // The same file in the next folder above.
    if (isAlike(one, looked[index - 1]) || (isAbsent(one) && !absent)) return [];
    const { client, file, refusal } = one;
    const names = entries
      .filter((entry) => entry.client === client && entry.file === file)
      .map((entry) => inLine(entry.name, 100));
    const found: SourceMessage = refusal
      ? { code: 'not-read', ...placeOf(refusal), why: refusal.problem }
      : isAbsent(one)
        ? { code: 'not-there', above: isAlike(one, looked[index + 1]) }
        : { code: 'servers-there', names };
    const path = tilde(file.path, home);
    return [{ code: 'looked-at', path, client: client.name, scope: file.scope, found }];
  });
  const files = absent ? 0 : new Set(looked.filter(isAbsent).map(({ file }) => file.path)).size;
  return [
    ...(lines.length > 0 ? [{ code: 'looked-in' } as const, ...lines] : []),
    ...(files > 0 ? [{ code: 'not-there-either', files } as const] : []),
  ];
}
