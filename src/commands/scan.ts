/**
 * `mcp-hooks scan`: which of the servers that clients have configured declare hooks. It writes nothing but a token that
 * had run out and was renewed.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findServerClient, SERVER_CLIENTS } from '../clients/servers/index.ts';
import type { ServerClient } from '../clients/servers/servers.ts';
import { shellQuote } from '../compile/command.ts';
import { LABEL } from '../declaration/declaration.ts';
import { NotLetIn, UserError } from '../errors.ts';
import { type Entry, readConfigurations, winner } from '../finding/configurations.ts';
import {
  brokenIn,
  entryShown,
  howOf,
  howShown,
  lookedInto,
  targetOf,
} from '../finding/configured.ts';
import { looksLikePath } from '../finding/manifest.ts';
import { whereaboutsOf } from '../finding/whereabouts.ts';
import { messages } from '../messages.ts';
import { count } from '../numbers.ts';
import { readWithKeptSignIn } from '../oauth/kept.ts';
import { findPlaces, tilde } from '../places.ts';
import { launchInWords } from '../showing/launch.ts';
import { unsupportedInWords } from '../showing/words.ts';
import { paint, table, wrap } from '../terminal.ts';
import { inLine, toJson } from '../visible.ts';
import { confirmed } from './confirm.ts';
import { type Context, type Flags, OK, patiently } from './context.ts';

export interface ScanFlags extends Pick<Flags, 'json'> {
  /** Clients. */
  readonly from?: readonly string[];
  readonly yes?: boolean;
  /** Seconds that each server has. */
  readonly timeout: number;
}

/** Servers asked at one time. */
const AT_ONCE = 4;

/** One server: the entries that start or reach it in the same way, under one name. */
interface Server {
  readonly name: string;
  readonly entry: Entry;
  /** Where else it stands just so. */
  readonly also: readonly Entry[];
}

/** What came of it. */
type Outcome =
  | {
      readonly kind: 'hooks';
      readonly events: readonly string[];
      /** What it declares besides and is not understood here, in words. */
      readonly more: readonly string[];
    }
  | { readonly kind: 'not asked' | 'failed'; readonly why: string };

export async function scan(context: Context, flags: ScanFlags): Promise<number> {
  const { terminal, env, cwd } = context;
  const { home } = findPlaces(env, cwd, 'user');
  const clients = flags.from?.map(clientOf) ?? SERVER_CLIENTS;
  const found = readConfigurations(whereaboutsOf(context, home), clients);
  const broken = brokenIn(found, home);
  const servers = serversIn(found.entries, context);
  if (!flags.json)
    for (const { level, message } of broken)
      terminal.err(`${paint(terminal, 'yellow', level)}: ${inLine(message)}\n`);

  const outcomes = await askAll(context, servers, flags, home);
  if (flags.json) {
    const all = servers.map((server) => ({
      ...inJson(server, outcomes.get(server), servers, cwd),
      ...(server.entry.foreign && { launch: launchOf(server.entry, context, home) }),
    }));
    terminal.out(toJson({ servers: all, problems: broken.map(({ message }) => message) }));
  } else if (servers.length === 0)
    terminal.out(
      `${[messages.noneConfigured, ...lookedInto(found, home)].map((line) => inLine(line, 10_000)).join('\n')}\n`,
    );
  else terminal.out(show(context, servers, outcomes, home));
  return OK;
}

function clientOf(name: string): ServerClient {
  const client = findServerClient(name);
  if (client) return client;
  const known = SERVER_CLIENTS.map(({ id }) => id);
  throw new UserError(messages.unknownServerClient(name, known));
}

/** Each client's own choice among entries of one name; the same in several clients is one. */
function serversIn(entries: readonly Entry[], context: Context): Server[] {
  const servers: { name: string; entry: Entry; also: Entry[]; how: unknown }[] = [];
  for (const { client, name } of entries) {
    const entry = winner(entries.filter((one) => one.client === client && one.name === name));
    const isKnown = servers.some(
      (one) => one.entry === entry || one.also.some((other) => other === entry),
    );
    if (!entry || isKnown) continue;
    const how = howOf(entry, context);
    const same = servers.find((one) => one.name === name && isDeepStrictEqual(one.how, how));
    if (!same) servers.push({ name, entry, also: [], how });
    else if (isHarder(same.entry, entry)) {
      same.also.push(same.entry);
      same.entry = entry;
    } else same.also.push(entry);
  }
  return servers;
}

/** Whether the other one can be asked with less ado. */
const isHarder = (entry: Entry, other: Entry): boolean =>
  (entry.foreign && !other.foreign) || (entry.off !== undefined && other.off === undefined);

async function askAll(
  context: Context,
  servers: readonly Server[],
  flags: ScanFlags,
  home: string,
): Promise<Map<Server, Outcome>> {
  const { terminal } = context;
  const outcomes = new Map<Server, Outcome>();
  for (const server of servers) {
    const { off, client, parts } = server.entry;
    const why = off === undefined ? undefined : messages.switchedOffThere(client.name, off);
    if (why !== undefined) outcomes.set(server, { kind: 'not asked', why });
    else if (!parts) outcomes.set(server, { kind: 'failed', why: 'no command and no address' });
  }
  const rest = servers.filter((server) => !outcomes.has(server));
  const [foreign, own] = [true, false].map((is) =>
    rest.filter(({ entry }) => entry.foreign === is),
  );
  const line = ({ name, entry }: Server) => {
    const [start = '', ...more] = entry.foreign
      ? launchOf(entry, context, home)
      : [inLine(entry.parts ? howShown(entry.parts) : '', 300)];
    const head = `  ${inLine(name, 100)}  ${start}  (${inLine(tilde(entry.file.path, home))})\n`;
    return [head, ...more.map((one) => `${wrap(one, terminal.columns, '      ', '    ')}\n`)].join(
      '',
    );
  };
  const announce = (sentence: string, some: readonly Server[]) => {
    if (!flags.json && some.length > 0) terminal.err(`${sentence}\n${some.map(line).join('')}`);
  };
  announce(messages.scanStarts(own?.length ?? 0), own ?? []);
  announce(messages.scanForeign(foreign?.length ?? 0), foreign ?? []);
  const canAsk = terminal.interactive && !flags.json && (foreign?.length ?? 0) > 0;
  const agreed = flags.yes || (canAsk && (await confirmed(messages.scanAskForeign)));
  if (!agreed)
    for (const server of foreign ?? [])
      outcomes.set(server, { kind: 'not asked', why: messages.scanSkipsForeign });

  const asked = servers.filter((server) => !outcomes.has(server));
  const work = () => askSome(context, asked, flags, home, outcomes);
  if (asked.length > 0)
    await (isWatched(flags) ? work() : patiently(terminal, messages.scanning(asked.length), work));
  return outcomes;
}

/** What is to be agreed to, with all that decides what runs. */
function launchOf(entry: Entry, context: Context, home: string): string[] {
  if (!entry.parts) return [];
  const { server, folder } = entryShown(entry, entry.parts, context);
  return launchInWords({ server, source: { kind: 'configured' } }, folder && tilde(folder, home));
}

/** Somebody sees lines that are written over. */
const isWatched = ({ json }: ScanFlags): boolean => !json && process.stderr.isTTY === true;

async function askSome(
  context: Context,
  servers: readonly Server[],
  flags: ScanFlags,
  home: string,
  outcomes: Map<Server, Outcome>,
): Promise<void> {
  const waiting = [...servers];
  const running = new Set<Server>();
  let done = 0;
  const tell = (text: string) => {
    // What a terminal folds could not be written over.
    const width = (process.stderr.columns || 80) - 1;
    if (isWatched(flags)) context.terminal.err(`\r\u001B[2K${text.slice(0, width)}`);
  };
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      running.add(next);
      const names = [...running].map(({ name }) => inLine(name, 30)).join(', ');
      tell(messages.scanProgress(done, servers.length, names));
      outcomes.set(next, await ask(context, next, flags, home));
      running.delete(next);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  tell('');
}

async function ask(
  context: Context,
  { entry, name }: Server,
  { timeout }: ScanFlags,
  home: string,
): Promise<Outcome> {
  try {
    const label = LABEL.test(name) ? name : 'server';
    const target = targetOf(entry, { ...context, name: label }, home);
    const { version, env, cwd } = context;
    const { state } = findPlaces(env, cwd, 'user');
    const deadline = timeout * 1000;
    const declared = await readWithKeptSignIn(target, state, { deadline, version });
    const problems = declared.problems.map(({ message }) => message);
    return {
      kind: 'hooks',
      events: declared.hooks.map(({ event }) => event),
      more: [...problems, ...unsupportedInWords(declared)],
    };
  } catch (error) {
    return { kind: 'failed', why: whyOf(error, entry) };
  }
}

/** Whatever goes wrong with one server is no reason to keep from the user what the others say. */
function whyOf(error: unknown, { parts }: Entry): string {
  if (error instanceof NotLetIn && parts)
    return messages.scanNotLetIn(howShown(parts), error.status);
  return error instanceof UserError
    ? messages.withoutNothing(error.message)
    : messages.scanOdd(error instanceof Error ? error.message : String(error));
}

/** The line that installs it, for a shell; who has named it is not always the user. */
function installLine({ name, entry }: Server, servers: readonly Server[], cwd: string): string {
  const isOne = servers.every((one) => one.entry === entry || one.name !== name);
  return [
    'mcp-hooks install',
    shellQuote(inLine(name)),
    ...(isOne && !meansOther(name, cwd) ? [] : ['--from', entry.client.id]),
    ...(LABEL.test(name) ? [] : ['--name <label>']),
  ].join(' ');
}

/** Whether a file, an address or a package comes before the name of a server. */
const meansOther = (name: string, cwd: string): boolean =>
  looksLikePath(name) || /^(?:https?|npm):/i.test(name) || existsSync(resolve(cwd, name));

function show(
  { terminal, cwd }: Context,
  servers: readonly Server[],
  outcomes: ReadonlyMap<Server, Outcome>,
  home: string,
): string {
  const declaring = servers.filter((server) => countOf(outcomes.get(server)) > 0);
  const lines = table(
    terminal,
    [
      { head: 'server', cell: ({ name }) => inLine(name, 60), style: 'bold' },
      {
        head: 'configured in',
        cell: ({ entry, also }) =>
          [entry, ...also]
            .map(({ client, file }) => `${client.name} ${inLine(tilde(file.path, home))}`)
            .join(', '),
      },
      { head: 'hooks', cell: (server) => inWords(outcomes.get(server)) },
    ],
    servers,
  );
  return `${[
    ...lines,
    '',
    ...(declaring.length > 0
      ? [
          messages.scanInstalls,
          ...declaring.map((server) => `  ${installLine(server, servers, cwd)}`),
        ]
      : [messages.nobodyDeclares]),
  ].join('\n')}\n`;
}

const countOf = (outcome: Outcome | undefined): number =>
  outcome?.kind === 'hooks' ? outcome.events.length : 0;

function inWords(outcome: Outcome | undefined): string {
  if (!outcome) return '';
  if (outcome.kind !== 'hooks') return inLine(`${outcome.kind}: ${outcome.why}`, 300);
  const events = [...new Set(outcome.events)].join(', ');
  const known = events === '' ? 'none' : `${count(outcome.events.length, 'hook')}: ${events}`;
  return outcome.more.length > 0 ? `${known}; ${messages.scanMore(outcome.more.length)}` : known;
}

/** Keys are only ever added. */
function inJson(
  server: Server,
  outcome: Outcome | undefined,
  servers: readonly Server[],
  cwd: string,
): object {
  const { name, entry, also } = server;
  const where = ({ client, file }: Entry) => ({
    client: client.id,
    scope: file.scope,
    file: file.path,
  });
  return {
    name,
    ...where(entry),
    also: also.map(where),
    server: entry.parts ? howShown(entry.parts) : null,
    asked: outcome?.kind !== 'not asked',
    hooks: outcome?.kind === 'hooks' ? outcome.events.length : null,
    ...(outcome?.kind === 'hooks'
      ? { events: outcome.events, notUnderstood: outcome.more }
      : { why: outcome?.why }),
    ...(countOf(outcome) > 0 && { install: installLine(server, servers, cwd) }),
  };
}
