/** The log of firings: in a terminal, one line each, fitted to the width; for a script, a table with all columns. */

import { nameOfClient } from '../../clients/registry.ts';
import type { RunnerReason } from '../../compile/runner-messages.ts';
import { isFailure, type LogEntry } from '../../diagnose/log.ts';
import { type Column, table } from '../../system/table.ts';
import {
  columnsOf,
  cut,
  paint,
  type Style,
  type Terminal,
  wrap,
  wrapped,
  wrapQuoted,
} from '../../system/terminal.ts';
import { inLine, visible } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { joinedSentences } from '../messages/sentence.ts';

interface Asked {
  /** Show a line for each decision, with the hashes before and after a change. */
  readonly decided: boolean;
  /** Whether a single label was requested. */
  readonly oneLabel: boolean;
  /** How many earlier firings are not shown. */
  readonly earlier: number;
}

export function showLog(
  terminal: Terminal,
  entries: readonly LogEntry[],
  { decided, oneLabel, earlier }: Asked,
): string {
  const lines = terminal.tty
    ? [
        ...firingLines(terminal, entries, decided),
        paint(terminal, 'dim', wrap(summary(entries, earlier), terminal.columns, '')),
      ]
    : tableFor(terminal, entries, { decided, oneLabel });
  return `${lines.join('\n')}\n`;
}

/** The client's display name. The log may contain an unknown client. */
export const clientName = (id: string): string => inLine(nameOfClient(id), 40);

// In a terminal

/** The date above the firings of each day, and a line for each firing, with anything that does not fit below it. */
function firingLines(
  terminal: Terminal,
  entries: readonly LogEntry[],
  decided: boolean,
): readonly string[] {
  const isLabelled = new Set(entries.map(({ label }) => label)).size > 1;
  const most = Math.max(8, Math.min(WIDEST, terminal.columns - UNDER.length));
  const short = (cells: readonly Cell[]) =>
    cells.map((cell) => ({ ...cell, text: cut(cell.text, most) }));
  const rows = entries.flatMap((entry) => {
    const lead = leadOf(entry, isLabelled);
    const rest = decided ? decisionRows(entry) : [firingRow(entry)];
    return rest.map(({ cells, spare, notes }) => ({
      ...{ entry, notes },
      ...{ cells: short([...lead, ...cells]), spare: short(spare) },
    }));
  });
  const draw = drawing(terminal, rows);
  return rows.flatMap((row, at) => {
    const day = localDate(row.entry.at);
    const before = rows[at - 1]?.entry;
    const isNew = before === undefined || localDate(before.at) !== day;
    const isLast = rows[at + 1]?.entry !== row.entry;
    return [
      ...(isNew ? [paint(terminal, 'bold', day)] : []),
      ...draw(row),
      ...(isLast && !decided ? textBelow(terminal, row.entry) : []),
    ];
  });
}

interface Cell {
  readonly text: string;
  readonly style?: Style;
  /** Aligned to the right. */
  readonly right?: boolean;
}

interface Row {
  readonly cells: readonly Cell[];
  /** Left out from the end if that saves a line. `--json` includes them. */
  readonly spare: readonly Cell[];
  /** Failures and decisions: of any length, and never left out. */
  readonly notes: readonly Cell[];
}

/** The indentation of continuation lines, which start after the time. */
const UNDER = ' '.repeat('00:00:00  '.length);

/** Maximum columns of a cell, because names come from others and may be very long. */
const WIDEST = 28;

const leadOf = (
  { at, label, client, event, trial }: LogEntry,
  isLabelled: boolean,
): readonly Cell[] => [
  { text: localTime(at), style: 'dim' },
  { text: isLabelled ? label : '', style: 'bold' },
  { text: clientName(client) },
  { text: inLine(event, 40) },
  { text: trial ? messages.trial : '', style: 'dim' },
];

function firingRow(entry: LogEntry): Row {
  const { characters, milliseconds, decisions = [], warnings } = entry;
  const numbers = hooksOf(entry);
  const { failures, others } = reasonsOf(entry);
  const isOne = numbers.length <= 1 && decisions.length === 1;
  const note = (style: Style | undefined, ...texts: readonly string[]): Cell[] =>
    texts.map((text) => ({ text: inLine(text, 500), ...(style && { style }) }));
  const notes = [
    ...note('red', ...(failures === '' ? [] : [messages.failedBecause(failures)])),
    ...note('red', ...guardsFailed(entry)),
    ...note('dim', ...inBackground(entry)),
    ...note('yellow', ...(others === '' ? [] : [others])),
    ...note(
      'yellow',
      ...decisions.map(({ hook, action, reason }) =>
        messages.decided(action, isOne ? undefined : hook, reason),
      ),
    ),
    ...note(undefined, ...(warnings ? [messages.warned(warnings)] : [])),
  ];
  return {
    cells: [{ text: numbers.length > 0 ? messages.byHooks(numbers) : '' }],
    spare: [
      { text: characters > 0 ? messages.chars(characters) : '', right: true },
      { text: milliseconds === undefined ? '' : messages.ms(milliseconds), right: true },
    ],
    notes,
  };
}

const decisionRows = ({ decisions = [] }: LogEntry): Row[] =>
  decisions.map(({ hook, action, reason, before, after }) => ({
    cells: [
      { text: messages.byHooks([hook]) },
      { text: messages.decided(action), style: 'yellow' },
    ],
    spare: [{ text: before || after ? messages.changedInto(short(before), short(after)) : '' }],
    notes: reason ? [{ text: inLine(reason, 500) }] : [],
  }));

/** A function that draws the lines of a row, aligned with those of all others. */
function drawing(terminal: Terminal, rows: readonly Row[]): (row: Row) => readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (most, { cells, spare }) =>
      [...cells, ...spare].map(({ text }, at) => Math.max(most[at] ?? 0, columnsOf(text))),
    [],
  );
  return ({ cells, spare, notes }) => {
    const ways = [...spare.keys(), spare.length]
      .toReversed()
      .map((many) =>
        linesOf(terminal, { cells: [...cells, ...spare.slice(0, many)], notes, widths }),
      );
    return ways.reduce((best, one) => (one.length < best.length ? one : best));
  };
}

interface Aligned extends Pick<Row, 'cells' | 'notes'> {
  readonly widths: readonly number[];
}

function linesOf(terminal: Terminal, { cells, notes, widths }: Aligned): readonly string[] {
  const lines: string[] = [];
  let [line, used] = ['', 0];
  const add = ({ text, style, right = false }: Cell, width: number): void => {
    const gap = used === 0 ? '' : '  ';
    const space = ' '.repeat(Math.max(0, width - columnsOf(text)));
    const shown = style && text !== '' ? paint(terminal, style, text) : text;
    line += gap + (right ? space + shown : shown + space);
    used += gap.length + columnsOf(text) + space.length;
  };
  const last = cells.findLastIndex(({ text }) => text !== '');
  for (const [at, cell] of cells.slice(0, last + 1).entries()) {
    const width = widths[at] ?? 0;
    if (width === 0) continue; // empty in all rows
    const needed = cell.right ? width : columnsOf(cell.text);
    const fits = used === 0 || used + 2 + needed <= terminal.columns;
    if (!fits) {
      lines.push(line.trimEnd());
      [line, used] = [UNDER.slice(2), UNDER.length - 2];
    }
    add(cell, fits ? width : 0);
  }
  // The notes are either all next to the rest, or all below it.
  const beside = notes.reduce((sum, { text }) => sum + 2 + columnsOf(text), used);
  if (beside <= terminal.columns) for (const note of notes) add(note, 0);
  lines.push(line.trimEnd());
  if (beside <= terminal.columns) return lines;
  const folding = { indent: UNDER, first: UNDER, cuts: true };
  return [
    ...lines,
    ...notes.flatMap(({ text, style }) =>
      wrapped(text, terminal.columns, folding).map(
        ([indent, one]) => indent + (style ? paint(terminal, style, one) : one),
      ),
    ),
  ];
}

function summary(entries: readonly LogEntry[], earlier: number): string {
  const many = (is: (entry: LogEntry) => unknown) => entries.filter(is).length;
  const decided = (wanted: Decision['action']) =>
    many(({ decisions = [] }) => decisions.some(({ action }) => action === wanted));
  return messages.logged({
    firings: entries.length,
    earlier,
    failed: many((entry) => reasonsOf(entry).failures !== '' || entry.onFailure),
    dropped: many(({ why = [] }) => why.some(({ code }) => code === 'dropped')),
    blocked: decided('block'),
    changed: decided('modify'),
  });
}

// Facts about a firing

type Decision = NonNullable<LogEntry['decisions']>[number];

function reasonsOf(entry: LogEntry) {
  const where = (isHarmless: boolean) =>
    reasonsInWords(entry, (reason) => isHarmless !== isFailure(reason));
  return { failures: where(false), others: where(true) };
}

/** The reasons, without duplicates. If several hooks were evaluated, each with the numbers of its hooks. */
function reasonsInWords(entry: LogEntry, isMeant: (reason: RunnerReason) => boolean): string {
  const { hooks, each = [], why = [] } = entry;
  const about = why.flatMap(({ hook }) => hook ?? []);
  const isOne = new Set([...hooks, ...each.map(({ hook }) => hook), ...about]).size <= 1;
  const meant = why.filter(isMeant);
  if (isOne) return joinedSentences(meant);
  const found = new Map<string, number[]>();
  for (const reason of meant) {
    const words = joinedSentences([reason]);
    found.set(words, [...(found.get(words) ?? []), ...(reason.hook ? [reason.hook] : [])]);
  }
  return [...found]
    .map(([words, of]) => (of.length > 0 ? `${messages.byHooks(of)}: ${words}` : words))
    .join(', ');
}

export const reasonFor = ({ why }: LogEntry): string | undefined => why && joinedSentences(why);

const guardsFailed = ({ onFailure = [] }: LogEntry): readonly string[] =>
  onFailure.map(({ hook, action }) => messages.failed[action](hook));

/** A note that commands were only started. If one of them failed, the log has another line with the outcome. */
function inBackground({ hooks, each = [] }: LogEntry): readonly string[] {
  const started = each.flatMap((one) => (one.background && !one.failed ? one.hook : []));
  return started.length > 0
    ? [messages.inBackground(hooks.length > started.length ? started : undefined)]
    : [];
}

/** The hooks that had an effect; otherwise those that were evaluated. */
const hooksOf = ({ hooks, each = [] }: LogEntry): readonly number[] =>
  hooks.length > 0 ? hooks : each.map(({ hook }) => hook);

/** The text that the model read, if it is known. */
const textBelow = ({ columns }: Terminal, { text }: LogEntry): readonly string[] =>
  text === undefined ? [] : [wrapQuoted(visible(text, 10_000), columns, '    | ')];

/** Enough of a SHA-256 to distinguish two texts. `--json` has the full hash. */
const short = (hash: string | undefined) => inLine(hash?.slice(0, 12) ?? '-');

const two = (number: number) => String(number).padStart(2, '0');

function localDate(iso: string): string {
  const at = new Date(iso);
  return [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
}

function localTime(iso: string): string {
  const at = new Date(iso);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
}

// For a script: IDs and numbers, with every line complete

/** The reason comes last, because it can be of any length. */
const COLUMNS: readonly Column<LogEntry>[] = [
  { head: 'time', cell: ({ at }) => `${localDate(at)} ${localTime(at)}` },
  { head: 'label', cell: ({ label }) => label },
  { head: 'client', cell: ({ client }) => inLine(client, 40) },
  { head: 'event', cell: ({ event, trial }) => eventCell(inLine(event, 40), trial) },
  { head: 'hooks', cell: (entry) => hooksCell(hooksOf(entry)) },
  { head: 'characters', cell: ({ characters }) => String(characters), right: true },
  { head: 'ms', cell: ({ milliseconds }) => String(milliseconds ?? '-'), right: true },
  { head: 'reason', cell: (entry) => inLine(reasonAndWarnings(entry), 500) },
];

const eventCell = (event: string, trial: true | undefined) =>
  trial ? `${event} (${messages.trial})` : event;
const hooksCell = (numbers: readonly number[]) =>
  numbers.length > 0 ? messages.byHooks(numbers) : '-';

const reasonAndWarnings = (entry: LogEntry): string =>
  [
    reasonsInWords(entry, () => true),
    ...inBackground(entry),
    ...guardsFailed(entry),
    entry.warnings && messages.warned(entry.warnings),
  ]
    .filter(Boolean)
    .join('; ');

type Decided = LogEntry & { readonly decision: Decision };

const DECIDED: readonly Column<Decided>[] = [
  ...COLUMNS.slice(0, 4),
  { head: 'hook', cell: ({ decision }) => String(decision.hook), right: true },
  { head: 'decision', cell: ({ decision }) => decision.action },
  { head: 'before', cell: ({ decision }) => short(decision.before) },
  { head: 'after', cell: ({ decision }) => short(decision.after) },
  { head: 'reason', cell: ({ decision }) => inLine(decision.reason ?? '', 500) },
];

/** The text that the model read, if it is known, is below its line. */
function tableFor(
  terminal: Terminal,
  entries: readonly LogEntry[],
  { decided, oneLabel }: Pick<Asked, 'decided' | 'oneLabel'>,
): readonly string[] {
  const wanted = <One>(columns: readonly Column<One>[]) =>
    columns.filter(({ head }) => !oneLabel || head !== 'label');
  if (!decided)
    return table(terminal, wanted(COLUMNS), entries, {
      below: (entry) => textBelow(terminal, entry)[0],
    });
  const decisions = entries.flatMap((entry) =>
    (entry.decisions ?? []).map((decision): Decided => ({ ...entry, decision })),
  );
  return table(terminal, wanted(DECIDED), decisions);
}
