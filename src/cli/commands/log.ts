/** `mcp-hooks log`: what hooks have added and when, and why some of them failed; the runner keeps the log. */

import { existsSync, readdirSync } from 'node:fs';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces, logFiles, logFolder, type Places, tilde } from '../../clients/places.ts';
import { type LogEntry, labelsOf, lastLines, parseLog, withoutTrials } from '../../diagnose/log.ts';
import { ledgerPath, readLedger } from '../../install/ledger.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { joinedSentences } from '../../present/messages/sentence.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { type Column, table } from '../../system/table.ts';
import { type Terminal, wrapQuoted } from '../../system/terminal.ts';
import { inLine, toJson, visible } from '../../system/visible.ts';
import {
  atMost,
  type Command,
  type Context,
  clientOption,
  type Flags,
  OK,
  option,
} from './command.ts';

/** How many firings are shown by default. */
const LAST = 50;

export const log: Command = {
  name: 'log',
  group: 'Debug',
  summary: 'show which hooks fired when, and why some failed',
  operands: '[label]',
  options: [
    clientOption(),
    option('--failed', 'only failures'),
    option('--decisions', 'only what was blocked or changed'),
    option('--trials', 'also runs of fire and verify'),
    option('--last <number>', `how many firings, 0 for all (default: ${LAST})`).argParser(atMost),
  ],
  examples: ['log annal --failed', 'log --decisions', 'log --last 0 --json'],
  run,
};

async function run(
  { terminal, env, cwd }: Context,
  label: string | undefined,
  flags: Flags,
): Promise<number> {
  const places = findPlaces(env, cwd, 'user');
  const ids = flags.client && selectClients(flags.client, places).clients.map(({ id }) => id);
  const all = readLogs(terminal, places, label);
  const entries = flags.trials ? all : withoutTrials(all);
  const fitting = entries.filter(
    ({ client, why, onFailure, decisions }) =>
      (ids?.includes(client) ?? true) &&
      (!flags.failed || why !== undefined || onFailure !== undefined) &&
      (!flags.decisions || decisions !== undefined),
  );
  const shown = fitting.slice(-(flags.last ?? LAST)); // -0 is the beginning
  const earlier = fitting.length - shown.length;
  if (earlier > 0 && flags.last === undefined) terminal.err(`${messages.earlier(earlier)}\n`);

  const inJson = (entry: LogEntry) => ({ ...entry, reason: reasonFor(entry) });
  if (flags.json) terminal.out(toJson({ entries: shown.map(inJson) }));
  else if (entries.length === 0)
    terminal.out(`${all.length > 0 ? messages.onlyTrials(all.length) : messages.nothingSaid}\n`);
  else if (shown.length === 0) terminal.out(`${messages.noneFits(entries.length)}\n`);
  else
    terminal.out(
      showEntries(terminal, shown, { labelled: label === undefined, decided: flags.decisions }),
    );
  return OK;
}

const reasonFor = ({ why }: LogEntry): string | undefined => why && joinedSentences(why);

const reasonAndWarnings = (entry: LogEntry): string =>
  [
    reasonFor(entry),
    ...(entry.onFailure ?? []).map(({ hook, action }) => messages.failed[action](hook)),
    entry.warnings && messages.warned(entry.warnings),
  ]
    .filter(Boolean)
    .join('; ');

/** The hooks that had an effect; otherwise those that were asked. */
function hooksCell({ hooks, each = [] }: LogEntry): string {
  const asked = each.map(({ hook }) => hook);
  const numbers = hooks.length > 0 ? hooks : asked;
  return numbers.length > 0 ? `hook ${numbers.join(', ')}` : '-';
}

/** The reason comes last, because it can be of any length. */
const LOG_COLUMNS: readonly Column<LogEntry>[] = [
  { head: 'time', cell: ({ at }) => localTime(new Date(at)), style: 'dim' },
  { head: 'label', cell: ({ label }) => label, style: 'bold' },
  { head: 'client', cell: ({ client }) => inLine(client, 40) },
  { head: 'event', cell: ({ event, trial }) => `${inLine(event, 40)}${trial ? ' (trial)' : ''}` },
  { head: 'hooks', cell: hooksCell },
  { head: 'characters', cell: ({ characters }) => String(characters), right: true },
  { head: 'ms', cell: ({ milliseconds }) => String(milliseconds ?? '-'), right: true },
  { head: 'reason', cell: (entry) => inLine(reasonAndWarnings(entry), 500), style: 'red' },
];

type Decided = LogEntry & { readonly decision: NonNullable<LogEntry['decisions']>[number] };

const decisionsOf = (entry: LogEntry): Decided[] =>
  (entry.decisions ?? []).map((decision) => ({ ...entry, decision }));

/** Enough of a SHA-256 to tell two texts apart; `--json` has it whole. */
const short = (hash: string | undefined) => inLine(hash?.slice(0, 12) ?? '-');

const DECIDED: readonly Column<Decided>[] = [
  ...LOG_COLUMNS.slice(0, 4),
  { head: 'hook', cell: ({ decision }) => String(decision.hook), right: true },
  { head: 'decision', cell: ({ decision }) => decision.action, style: 'yellow' },
  { head: 'before', cell: ({ decision }) => short(decision.before) },
  { head: 'after', cell: ({ decision }) => short(decision.after) },
  { head: 'reason', cell: ({ decision }) => inLine(decision.reason ?? '', 500) },
];

/** A table. The text that the model read, if known, is below its line. */
function showEntries(
  terminal: Terminal,
  entries: readonly LogEntry[],
  {
    labelled,
    decided = false,
  }: { readonly labelled: boolean; readonly decided?: boolean | undefined },
): string {
  const wanted = <Row>(columns: readonly Column<Row>[]) =>
    columns.filter(({ head }) => labelled || head !== 'label');
  const below = ({ text }: LogEntry) =>
    text === undefined ? undefined : wrapQuoted(visible(text, 10_000), terminal.columns, '    | ');
  const lines = decided
    ? table(terminal, wanted(DECIDED), entries.flatMap(decisionsOf))
    : table(terminal, wanted(LOG_COLUMNS), entries, { below });
  return `${lines.join('\n')}\n`;
}

/** Local time, always in full, so that a copied line still says when. */
function localTime(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())];
  const time = [two(at.getHours()), two(at.getMinutes()), two(at.getSeconds())];
  return `${day.join('-')} ${time.join(':')}`;
}

/** The entries of one label, or of all: the last ones, if a log is long. Reports how many lines cannot be read. @throws as `labelsFor` */
function readLogs(terminal: Terminal, places: Places, label: string | undefined): LogEntry[] {
  const { entries, skipped } = gather(places.state, labelsFor(terminal, places, label));
  tellSkipped(terminal, places, skipped);
  return entries;
}

/** A log that cannot be read must not look empty. */
const logNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** The label, or all that have a log. @throws UserError for a label that nobody knows. */
export function labelsFor(
  terminal: Terminal,
  places: Places,
  label: string | undefined,
): readonly string[] {
  const logged = labelsOf(logNames(logFolder(places.state)));
  if (label === undefined || logged.includes(label)) return label === undefined ? logged : [label];
  const { ledger, broken } = readLedger(places.state, disk.read);
  const record = tilde(ledgerPath(places.state), places.home);
  if (broken) terminal.err(`${inLine(messages.ledgerUnread(record))}\n`);
  const known = [...logged, ...ledger.installs.map((install) => install.label)];
  if (!known.includes(label))
    throw new UserError<CliMessage>({ code: 'no-log', label, known: [...new Set(known)] });
  return [];
}

export function tellSkipped(
  terminal: Terminal,
  places: Places,
  skipped: readonly { readonly file: string; readonly skipped: number }[],
): void {
  if (skipped.length === 0) return;
  const lines = skipped.reduce((sum, one) => sum + one.skipped, 0);
  const files = skipped.map(({ file }) => tilde(file, places.home));
  terminal.err(`${inLine(messages.linesSkipped(lines, files))}\n`);
}

/** One label's entries in the order in which they were written; those of several labels by time. */
function gather(state: string, labels: readonly string[]) {
  const read = labels.flatMap((label) =>
    logFiles(state, label).map((file) => ({ file, ...parseLog(label, lastLines(file)) })),
  );
  const entries = read.flatMap((one) => one.entries);
  if (labels.length > 1) entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return { entries, skipped: read.filter(({ skipped }) => skipped > 0) };
}
