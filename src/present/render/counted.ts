/** Statistics about hooks: a line for each hook on each event of a client. */

import type { Stat } from '../../diagnose/stats.ts';
import { type Column, table } from '../../system/table.ts';
import { cut, paint, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { clientName } from './logged.ts';

/** @param oneLabel Whether a single label was requested. */
export function showStats(terminal: Terminal, stats: readonly Stat[], oneLabel: boolean): string {
  const slow = stats.filter(({ over }) => over).length;
  const untimed = stats.some(({ timed }) => timed === 0);
  const notes = messages.statsNotes(slow, untimed);
  const lines = terminal.tty
    ? [...drawn(terminal, stats), ...notes.map((note) => wrap(note, terminal.columns, '   ', ''))]
    : [...table(terminal, plain(oneLabel), stats), ...notes];
  return `${lines.join('\n')}\n`;
}

const inMs = (time: number | undefined): string => (time === undefined ? '-' : String(time));

// In a terminal

/** A single table, so that all rows are aligned. If there are several labels, they are printed between the rows. */
function drawn(terminal: Terminal, stats: readonly Stat[]): readonly string[] {
  const isGrouped = new Set(stats.map(({ label }) => label)).size > 1;
  const lines = table(terminal, columnsFor(stats), stats, { indent: isGrouped ? '  ' : '' });
  const head = lines.length - stats.length;
  return lines.flatMap((line, at) => {
    const [before, one] = [stats[at - head - 1], stats[at - head]];
    const isNew = isGrouped && one !== undefined && one.label !== before?.label;
    return [...(isNew ? [paint(terminal, 'bold', inLine(one.label))] : []), line];
  });
}

/** Maximum characters of a name, which comes from others and may be very long. */
const NAME = 20;

const BAR = 5;

function columnsFor(stats: readonly Stat[]): readonly Column<Stat>[] {
  const most = Math.max(...stats.map(({ firings }) => firings));
  const failed: Column<Stat> = {
    head: 'failed',
    cell: ({ failures }) => (failures > 0 ? String(failures) : ''),
    right: true,
    style: 'red',
  };
  return [
    { head: 'client', cell: ({ client }) => cut(clientName(client), NAME) },
    { head: 'event', cell: ({ event }) => cut(inLine(event, 40), NAME) },
    { head: 'hook', cell: ({ hook }) => String(hook ?? '-') },
    { head: 'fired', cell: ({ firings }) => String(firings), right: true },
    { head: '', cell: ({ firings }) => bar(firings / most), style: 'cyan', spare: 1 },
    ...(stats.some(({ failures }) => failures > 0) ? [failed] : []),
    { head: 'chars', cell: ({ characters }) => String(characters), right: true, spare: 4 },
    { head: '50 %', cell: ({ p50 }) => inMs(p50), right: true, spare: 3 },
    { head: '99 %', cell: ({ p99 }) => inMs(p99), right: true },
    { head: 'limit', cell: ({ limit }) => inMs(limit), right: true, spare: 2 },
    { head: '(ms)', cell: ofLimit, style: ({ over }) => (over ? 'yellow' : 'green') },
  ];
}

/** At least one mark, because a blank would mean zero. */
const bar = (part: number): string => '#'.repeat(Math.max(1, Math.round(BAR * part)));

/** How much of the limit most firings took. An arrow means that they exceeded it. */
function ofLimit({ p99, limit, over }: Stat): string {
  if (p99 === undefined || limit === undefined) return '';
  return over ? `${'#'.repeat(BAR - 1)}>` : bar(p99 / limit).padEnd(BAR, '.');
}

// For a script: IDs and numbers

const plain = (oneLabel: boolean): readonly Column<Stat>[] =>
  PLAIN.filter(({ head }) => !oneLabel || head !== 'label');

const PLAIN: readonly Column<Stat>[] = [
  { head: 'label', cell: ({ label }) => label },
  { head: 'client', cell: ({ client }) => inLine(client, 40) },
  { head: 'event', cell: ({ event }) => inLine(event, 40) },
  { head: 'hook', cell: ({ hook }) => String(hook ?? '-') },
  { head: 'fired', cell: ({ firings }) => String(firings), right: true },
  { head: 'failed', cell: ({ failures }) => String(failures), right: true },
  { head: 'characters', cell: ({ characters }) => String(characters), right: true },
  { head: 'p50', cell: ({ p50 }) => inMs(p50), right: true },
  { head: 'p99', cell: ({ p99 }) => inMs(p99), right: true },
  { head: 'limit (ms)', cell: ({ limit, over }) => `${inMs(limit)}${over ? ' over' : ''}` },
];
