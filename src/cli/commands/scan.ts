/** `mcp-hooks scan`: finds configured servers that declare hooks. Writes nothing, except to renew an expired token. */

import { findPlaces, tilde } from '../../clients/places.ts';
import { SERVER_CLIENTS } from '../../clients/registry.ts';
import { isLabel } from '../../declaration/declaration.ts';
import {
  installedOf,
  installsHere,
  type ScanOutcome,
  type Server,
  serversIn,
} from '../../diagnose/scan.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence, sentences } from '../../present/messages/sentence.ts';
import { folded } from '../../present/render/lines.ts';
import { type Scanned, scannedJson, showScanned } from '../../present/render/scanned.ts';
import { launchText } from '../../present/render/words.ts';
import { disambiguate } from '../../sources/alike.ts';
import { cataloguedFor, cataloguedUnasked } from '../../sources/catalogue/catalogue.ts';
import { type Entry, readConfigurations } from '../../sources/configurations.ts';
import {
  brokenIn,
  configuredTarget,
  entryShown,
  howShown,
  lookedInto,
  serverClient,
} from '../../sources/configured.ts';
import { bound } from '../../sources/find.ts';
import { searchPlaceOf } from '../../sources/folder.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import { readWithKeptSignIn } from '../../sources/oauth/authorized.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { launchInWords } from '../../sources/shown-launch.ts';
import { type Message, said, Unauthorized, UserError } from '../../system/errors.ts';
import { columnsOf, cut, isDumb, paint, wrapQuoted } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  FIRST_ID,
  type Flags,
  idsIn,
  OK,
  option,
  timeoutOption,
  yesOption,
} from './command.ts';
import { confirmed } from './confirm.ts';
import { tellingDownload, withProgressAfter } from './progress.ts';

/** Servers that are queried at the same time. */
const AT_ONCE = 4;

export const scan: Command = {
  name: 'scan',
  group: 'Start',
  summary: 'find hooks for the servers that your clients have',
  options: [
    option('--from <clients>', 'only servers of these clients').argParser(idsIn),
    yesOption("also start servers from this folder's files, without asking"),
    timeoutOption('how long each server may take to answer', 10),
  ],
  examples: ['scan', `scan --from ${FIRST_ID}`],
  run,
};

interface Scan extends Context {
  readonly home: string;
  readonly flags: Flags;
}

async function run(context: Context, flags: Flags & { readonly from?: readonly string[] }) {
  const { terminal, cwd } = context;
  const { at, found, broken, servers, scanned } = await scanAll(context, flags);
  if (flags.json) {
    const all = scanned.map((one) => ({
      ...scannedJson(one, scanned, cwd),
      ...(one.server.entry.foreign && { launch: shownLaunch(one.server.entry, at) }),
    }));
    const problems = broken.map(({ message }) => sentence(message));
    terminal.out(toJson({ servers: all, problems }));
  } else if (servers.length === 0)
    terminal.out(
      `${folded([messages.noneConfigured, messages.noneToScan, ...sentences(lookedInto(found, at.home, flags.verbose))], terminal.columns).join('\n')}\n`,
    );
  else terminal.out(showScanned(terminal, scanned, cwd));
  return OK;
}

/** Queries all configured servers for their hooks, after the user agreed to those that came with the folder. */
export async function scanAll(
  context: Context,
  flags: Flags & { readonly from?: readonly string[] },
) {
  const { terminal } = context;
  const { home } = findPlaces(context.env, context.cwd, 'user');
  const at = { ...context, home, flags };
  const clients = flags.from?.map(serverClient) ?? SERVER_CLIENTS;
  const found = readConfigurations(searchPlaceOf(context, home), clients);
  const broken = brokenIn(found, home);
  const servers = serversIn(found.entries, context);
  if (!flags.json)
    for (const { level, message } of broken)
      terminal.err(`${paint(terminal, 'yellow', level)}: ${inLine(sentence(message))}\n`);

  const outcomes = await askAll(at, servers);
  const installs = installsHere(context);
  const scanned = servers.flatMap((server): Scanned[] => {
    const outcome = outcomes.get(server);
    if (!outcome) return [];
    const installed = installedOf(server, outcome, installs, launchText);
    return [{ server, outcome, ...(installed && { installed }) }];
  });
  return { at, found, broken, servers, scanned };
}

async function askAll(at: Scan, servers: readonly Server[]): Promise<Map<Server, ScanOutcome>> {
  const { terminal, flags } = at;
  const outcomes = new Map<Server, ScanOutcome>();
  for (const server of servers) {
    const { off, client, parts } = server.entry;
    if (off !== undefined) {
      const there = { client: client.name, why: off };
      const why = said<SourceMessage>({ code: 'switched-off-there', ...there });
      outcomes.set(server, { kind: 'not asked', why });
    } else if (!parts)
      outcomes.set(server, { kind: 'failed', why: said<CliMessage>({ code: 'no-start' }) });
  }
  const rest = servers.filter((server) => !outcomes.has(server));
  const foreign = rest.filter(({ entry }) => entry.foreign);
  const own = rest.filter(({ entry }) => !entry.foreign);
  if (!flags.json && own.length > 0)
    terminal.err(`${messages.scanStarts(own.length)}\n${announced(own, at)}`);
  if (!flags.json && foreign.length > 0)
    terminal.err(`${messages.scanForeign(foreign.length)}\n${announced(foreign, at)}`);
  const canAsk = terminal.interactive && !flags.json && foreign.length > 0;
  const agreed =
    flags.yes || (canAsk && (await confirmed(messages.scanAskForeign(foreign.length))));
  const why = said<CliMessage>({ code: 'in-foreign-file' });
  if (!agreed) for (const server of foreign) outcomes.set(server, { kind: 'not asked', why });

  const asked = servers.filter((server) => !outcomes.has(server));
  // A blank line separates the results from the list of started servers.
  if (asked.length > 0 && watchedColumns(at)) terminal.err('\n');
  const work = () => askSome(at, asked, outcomes);
  if (asked.length > 0)
    await (watchedColumns(at)
      ? work()
      : withProgressAfter(at, messages.scanning(asked.length), work));
  return outcomes;
}

/** A longer name gets its own line. */
const NAME_COLUMNS = 20;

/** The servers that will be started or reached, grouped by the file that configures them. */
function announced(servers: readonly Server[], at: Scan): string {
  const shown = servers.map(({ name, entry }) => {
    const [start = '', ...more] = entry.foreign
      ? shownLaunch(entry, at)
      : [inLine(entry.parts ? howShown(entry.parts) : '', 300)];
    const said = inLine(name, 100);
    return { entry, name: said, line: `${said}  ${start}`, more };
  });
  const heads = disambiguate(shown, at);
  const columns = at.terminal.errColumns ?? Number.POSITIVE_INFINITY;
  const widths = shown.map(({ name }) => columnsOf(name)).filter((one) => one <= NAME_COLUMNS);
  const width = Math.max(0, ...widths);
  const indent = ' '.repeat('    '.length + width + '  '.length);
  const lines = shown.flatMap(({ entry, name, more }, index) => {
    const { path } = entry.file;
    const space = ' '.repeat(Math.max(0, width - columnsOf(name)));
    const isLong = columnsOf(name) > width;
    const first = isLong ? indent : `    ${name}${space}  `;
    return [
      ...(path === shown[index - 1]?.entry.file.path
        ? []
        : [wrapQuoted(inLine(tilde(path, at.home)), columns, '    ', '  ')]),
      ...(isLong ? [wrapQuoted(name, columns, '      ', '    ')] : []),
      wrapQuoted(heads[index]?.slice(name.length).trimStart() ?? '', columns, indent, first),
      ...more.map((one) => wrapQuoted(one, columns, `${indent}  `, indent)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** What the user agrees to: everything that determines what runs. */
function shownLaunch(entry: Entry, at: Scan): string[] {
  if (!entry.parts) return [];
  const { server, folder } = entryShown(entry, entry.parts, at);
  const shown = folder && tilde(folder, at.home);
  return launchInWords({ server, source: { kind: 'configured' } }, shown);
}

/**
 * The width for progress lines that overwrite each other; undefined if they are not visible. A line that the terminal wraps
 * could not be overwritten.
 */
const watchedColumns = ({ terminal, env, flags }: Scan): number | undefined =>
  flags.json || isDumb(env) ? undefined : terminal.errColumns;

async function askSome(at: Scan, servers: readonly Server[], outcomes: Map<Server, ScanOutcome>) {
  /** Each server with a suffix for its name. */
  const running = new Map<Server, string>();
  let done = 0;
  const columns = watchedColumns(at);
  const tell = (text: string) => {
    if (columns) at.terminal.err(`\r\u001B[2K${cut(text, columns - 1)}`);
  };
  const tellAll = () => {
    const names = [...running].map(([{ name }, more]) => inLine(name, 30) + more).join(', ');
    tell(messages.scanProgress(done, servers.length, names));
  };
  const waiting = servers.values();
  const worker = async () => {
    for (const server of waiting) {
      running.set(server, '');
      tellAll();
      const inLines = tellingDownload(at.terminal, server.name);
      const outcome = await ask(at, server, (downloading) => {
        if (!columns) return inLines(downloading);
        running.set(server, messages.scanDownloading(downloading.seconds));
        tellAll();
      });
      outcomes.set(server, outcome);
      running.delete(server);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  tell('');
}

async function ask(
  { home, flags, ...context }: Scan,
  { entry, name }: Server,
  onDownload: (downloading: Downloading) => void,
): Promise<ScanOutcome> {
  const { version, env, cwd } = context;
  const around = { env, foreign: entry.foreign };
  let target: ResolvedServer | undefined;
  try {
    const named = { ...context, name: isLabel(name) ? name : 'server' };
    target = bound(configuredTarget(entry, named, home), context);
    const { state } = findPlaces(env, cwd, 'user');
    const options = { deadline: flags.timeout * 1000, version, name, onDownload };
    const declared = await readWithKeptSignIn(target, state, options);
    const catalogued = cataloguedFor(declared, around);
    return { kind: 'hooks', declared, ...(catalogued && { catalogued }) };
  } catch (error) {
    const details = error instanceof UserError ? error.details : [];
    const catalogued = target && cataloguedUnasked(target, error, around);
    const why = failureOf(error, entry);
    return { kind: 'failed', why, details, ...(catalogued && { catalogued }) };
  }
}

/** A failure of one server, of any kind, must not hide the results of the others. */
function failureOf(error: unknown, { parts }: Entry): Message {
  const own = said<CliMessage>;
  if (error instanceof Unauthorized && parts)
    return own({ code: 'server-unauthorized', name: howShown(parts), status: error.status });
  if (error instanceof UserError) return error.problem;
  return own({ code: 'unexpected', what: error instanceof Error ? error.message : String(error) });
}
