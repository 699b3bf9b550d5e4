/** `mcp-hooks log`: shows what hooks added and when, and why some of them failed. The runner writes the log. */

import { existsSync, readdirSync } from 'node:fs';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces, logFiles, logFolder, type Places, tilde } from '../../clients/places.ts';
import {
  isFailure,
  type LogEntry,
  labelsOf,
  lastLines,
  parseLog,
  withoutTrials,
} from '../../diagnose/log.ts';
import { ledgerPath, readLedger } from '../../install/ledger.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { reasonFor, showLog } from '../../present/render/logged.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { type Terminal, wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
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
      (!flags.failed || why?.some(isFailure) || onFailure !== undefined) &&
      (!flags.decisions || decisions !== undefined),
  );
  const shown = fitting.slice(-(flags.last ?? LAST)); // -0 slices from the start
  const earlier = fitting.length - shown.length;
  // In a terminal, the last line reports it.
  const isKnown = flags.last !== undefined || (terminal.tty && !flags.json);
  if (earlier > 0 && !isKnown) terminal.err(`${messages.earlier(earlier)}\n`);

  const inJson = (entry: LogEntry) => ({ ...entry, reason: reasonFor(entry) });
  if (flags.json) terminal.out(toJson({ entries: shown.map(inJson) }));
  else if (entries.length === 0) {
    const why = all.length > 0 ? messages.onlyTrials(all.length) : messages.nothingSaid;
    terminal.out(`${wrap(why, terminal.columns, '')}\n`);
  } else if (shown.length === 0) terminal.out(`${messages.noneFits(entries.length)}\n`);
  else {
    const asked = { decided: flags.decisions ?? false, oneLabel: label !== undefined, earlier };
    terminal.out(showLog(terminal, shown, asked));
  }
  return OK;
}

/**
 * The entries of one label or of all labels; only the last ones if a log is long. Reports how many lines cannot be read.
 * @throws as `labelsFor`
 */
function readLogs(terminal: Terminal, places: Places, label: string | undefined): LogEntry[] {
  const { entries, skipped } = gather(places.state, labelsFor(terminal, places, label));
  tellSkipped(terminal, places, skipped);
  return entries;
}

/** An unreadable log must not look empty. */
const logNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** The label, or all labels with a log. @throws UserError for an unknown label. */
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

/** The entries of one label in the order of writing; those of several labels by time. */
function gather(state: string, labels: readonly string[]) {
  const read = labels.flatMap((label) =>
    logFiles(state, label).map((file) => ({ file, ...parseLog(label, lastLines(file)) })),
  );
  const entries = read.flatMap((one) => one.entries);
  if (labels.length > 1) entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return { entries, skipped: read.filter(({ skipped }) => skipped > 0) };
}
