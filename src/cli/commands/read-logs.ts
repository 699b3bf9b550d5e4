/** The runner's log, for the commands that show it. */

import { logFiles, logFolder, type Places, tilde } from '../../clients/places.ts';
import { type LogEntry, labelsOf, lastLines, parseLog } from '../../diagnose/log.ts';
import { ledgerPath, readLedger } from '../../install/ledger.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { list } from '../../system/files.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';

/** The entries of one label, or of all: the last ones, if a log is long. Reports how many lines cannot be read. @throws as `labelsFor` */
export function readLogs(
  terminal: Terminal,
  places: Places,
  label: string | undefined,
): LogEntry[] {
  const { entries, skipped } = gather(places.state, labelsFor(terminal, places, label));
  tellSkipped(terminal, places, skipped);
  return entries;
}

/** The label, or all that have a log. @throws UserError for a label that nobody knows. */
export function labelsFor(
  terminal: Terminal,
  places: Places,
  label: string | undefined,
): readonly string[] {
  const logged = labelsOf(list(logFolder(places.state)));
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
