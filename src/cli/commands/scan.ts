/**
 * `mcp-hooks scan`: which of the servers that clients have configured declare hooks. It writes nothing but a token that
 * had run out and was renewed.
 */

import { findPlaces } from '../../clients/find-places.ts';
import { tilde } from '../../clients/places.ts';
import { findServerClient, SERVER_CLIENTS } from '../../clients/registry.ts';
import type { ServerClient } from '../../clients/servers/servers.ts';
import { LABEL } from '../../declaration/declaration.ts';
import { installedOf, installsHere, type ScanOutcome } from '../../diagnose/scan/installed.ts';
import { type Server, serversIn } from '../../diagnose/scan/servers.ts';
import { toldApart } from '../../sources/alike.ts';
import { type Entry, readConfigurations } from '../../sources/configurations.ts';
import { brokenIn, entryShown, howShown, lookedInto, targetOf } from '../../sources/configured.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import { readWithKeptSignIn } from '../../sources/oauth/authenticated-read.ts';
import type { Downloading } from '../../sources/protocol/stdio.ts';
import { searchPlaceOf } from '../../sources/search-place.ts';
import { launchInWords } from '../../sources/shown-launch.ts';
import { type Message, said, Unauthorized, UserError } from '../../system/errors.ts';
import { paint, wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { CliMessage } from '../messages/codes.ts';
import { messages } from '../messages/output.ts';
import { sentence, sentences } from '../messages/sentence.ts';
import { type Scanned, scannedJson, showScanned } from '../render/scanned.ts';
import { launchText } from '../render/words.ts';
import { confirmed } from './confirm.ts';
import { type Context, type Flags, OK, patiently, tellingDownload } from './context.ts';

export interface ScanFlags extends Pick<Flags, 'json'> {
  /** Clients. */
  readonly from?: readonly string[];
  readonly yes?: boolean;
  /** Seconds that each server has. */
  readonly timeout: number;
}

const NOT_ASKED: ScanOutcome = {
  kind: 'not asked',
  why: said<CliMessage>({ code: 'not-scanned' }),
};

/** Servers asked at one time. */
const AT_ONCE = 4;

export async function scan(context: Context, flags: ScanFlags): Promise<number> {
  const { terminal, env, cwd } = context;
  const { home } = findPlaces(env, cwd, 'user');
  const clients = flags.from?.map(clientOf) ?? SERVER_CLIENTS;
  const found = readConfigurations(searchPlaceOf(context, home), clients);
  const broken = brokenIn(found, home);
  const servers = serversIn(found.entries, context);
  if (!flags.json)
    for (const { level, message } of broken)
      terminal.err(`${paint(terminal, 'yellow', level)}: ${inLine(sentence(message))}\n`);

  const outcomes = await askAll(context, servers, flags, home);
  const installs = installsHere(context);
  const scanned = servers.map((server): Scanned => {
    const outcome = outcomes.get(server) ?? NOT_ASKED;
    const installed = installedOf(server, outcome, installs, launchText);
    return { server, outcome, ...(installed && { installed }) };
  });
  if (flags.json) {
    const all = scanned.map((one) => ({
      ...scannedJson(one, scanned, cwd),
      ...(one.server.entry.foreign && { launch: launchOf(one.server.entry, context, home) }),
    }));
    terminal.out(
      toJson({ servers: all, problems: broken.map(({ message }) => sentence(message)) }),
    );
  } else if (servers.length === 0)
    terminal.out(
      `${[messages.noneConfigured, ...sentences(lookedInto(found, home))].map((line) => inLine(line, 10_000)).join('\n')}\n`,
    );
  else terminal.out(showScanned(terminal, scanned, { cwd, home }));
  return OK;
}

function clientOf(name: string): ServerClient {
  const client = findServerClient(name);
  if (client) return client;
  const known = SERVER_CLIENTS.map(({ id }) => id);
  throw new UserError<SourceMessage>({ code: 'unknown-server-client', name, known });
}

async function askAll(
  context: Context,
  servers: readonly Server[],
  flags: ScanFlags,
  home: string,
): Promise<Map<Server, ScanOutcome>> {
  const { terminal } = context;
  const outcomes = new Map<Server, ScanOutcome>();
  for (const server of servers) {
    const { off, client, parts } = server.entry;
    const why =
      off === undefined
        ? undefined
        : said<SourceMessage>({ code: 'switched-off-there', client: client.name, why: off });
    if (why !== undefined) outcomes.set(server, { kind: 'not asked', why });
    else if (!parts)
      outcomes.set(server, { kind: 'failed', why: said<CliMessage>({ code: 'no-start' }) });
  }
  const rest = servers.filter((server) => !outcomes.has(server));
  const [foreign, own] = [true, false].map((is) =>
    rest.filter(({ entry }) => entry.foreign === is),
  );
  const announce = (sentence: string, some: readonly Server[]) => {
    if (flags.json || some.length === 0) return;
    const lines = announced(some, context, home);
    const text = lines.map((one) => `${one.join('\n')}\n`).join('');
    terminal.err(`${sentence}\n${text}`);
  };
  announce(messages.scanStarts(own?.length ?? 0), own ?? []);
  announce(messages.scanForeign(foreign?.length ?? 0), foreign ?? []);
  const canAsk = terminal.interactive && !flags.json && (foreign?.length ?? 0) > 0;
  const agreed = flags.yes || (canAsk && (await confirmed(messages.scanAskForeign)));
  if (!agreed)
    for (const server of foreign ?? [])
      outcomes.set(server, {
        kind: 'not asked',
        why: said<CliMessage>({ code: 'in-foreign-file' }),
      });

  const asked = servers.filter((server) => !outcomes.has(server));
  const work = () => askSome(context, asked, flags, home, outcomes);
  if (asked.length > 0)
    await (isWatched(context, flags)
      ? work()
      : patiently(terminal, messages.scanning(asked.length), work));
  return outcomes;
}

/** What will be started or reached, a block of lines each. */
function announced(servers: readonly Server[], context: Context, home: string): string[][] {
  const shown = servers.map(({ name, entry }) => {
    const [start = '', ...more] = entry.foreign
      ? launchOf(entry, context, home)
      : [inLine(entry.parts ? howShown(entry.parts) : '', 300)];
    return { entry, line: `${inLine(name, 100)}  ${start}`, more };
  });
  const heads = toldApart(shown, context);
  return shown.map(({ entry, more }, index) => [
    `  ${heads[index]}  (${inLine(tilde(entry.file.path, home))})`,
    ...more.map((one) => wrap(one, context.terminal.columns, '      ', '    ')),
  ]);
}

/** What is to be agreed to, with all that decides what runs. */
function launchOf(entry: Entry, context: Context, home: string): string[] {
  if (!entry.parts) return [];
  const { server, folder } = entryShown(entry, entry.parts, context);
  return launchInWords({ server, source: { kind: 'configured' } }, folder && tilde(folder, home));
}

/** Somebody sees lines that are written over. */
const isWatched = ({ terminal }: Context, { json }: ScanFlags): boolean =>
  !json && terminal.errColumns !== undefined;

async function askSome(
  context: Context,
  servers: readonly Server[],
  flags: ScanFlags,
  home: string,
  outcomes: Map<Server, ScanOutcome>,
): Promise<void> {
  const waiting = [...servers];
  /** Each with what to add to its name. */
  const running = new Map<Server, string>();
  let done = 0;
  const watched = isWatched(context, flags);
  const tell = (text: string) => {
    // What a terminal folds could not be written over.
    const { err, errColumns } = context.terminal;
    if (watched && errColumns) err(`\r\u001B[2K${text.slice(0, errColumns - 1)}`);
  };
  const tellAll = () => {
    const names = [...running].map(([{ name }, more]) => inLine(name, 30) + more).join(', ');
    tell(messages.scanProgress(done, servers.length, names));
  };
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const server = next;
      running.set(server, '');
      tellAll();
      const inLines = tellingDownload(context.terminal, server.name);
      outcomes.set(
        server,
        await ask(context, server, flags, home, (downloading) => {
          if (!watched) return inLines(downloading);
          running.set(server, messages.scanDownloading(downloading.seconds));
          tellAll();
        }),
      );
      running.delete(server);
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
  onDownload: (downloading: Downloading) => void,
): Promise<ScanOutcome> {
  try {
    const label = LABEL.test(name) ? name : 'server';
    const target = targetOf(entry, { ...context, name: label }, home);
    const { version, env, cwd } = context;
    const { state } = findPlaces(env, cwd, 'user');
    const options = { deadline: timeout * 1000, version, name, onDownload };
    return { kind: 'hooks', declared: await readWithKeptSignIn(target, state, options) };
  } catch (error) {
    const details = error instanceof UserError ? error.details : [];
    return { kind: 'failed', why: whyOf(error, entry), details };
  }
}

/** Whatever goes wrong with one server is no reason to keep from the user what the others say. */
function whyOf(error: unknown, { parts }: Entry): Message {
  const own = said<CliMessage>;
  if (error instanceof Unauthorized && parts)
    return own({ code: 'server-unauthorized', name: howShown(parts), status: error.status });
  if (error instanceof UserError) return error.problem;
  return own({ code: 'unexpected', what: error instanceof Error ? error.message : String(error) });
}
