/** What a terminal needs: colour only where it is wanted, text that fits, diffs. */

import { fstatSync, writeSync } from 'node:fs';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Env } from './env.ts';
import { attempt, codeOf } from './errors.ts';

export interface Terminal {
  readonly out: (text: string) => void;
  /** Progress and asides, so that stdout stays what was asked for. */
  readonly err: (text: string) => void;
  readonly colour: boolean;
  readonly interactive: boolean;
  readonly columns: number;
  /** The columns of the terminal to which asides go; undefined when they go elsewhere. */
  readonly errColumns: number | undefined;
}

/** How wide what is printed becomes where there is no terminal. */
export const PLAIN_COLUMNS = 100;

export function openTerminal(env: Env): Terminal {
  // Asking node whether it is a terminal makes a stream of it, which costs: what is a file or a pipe is none.
  const tty = isCharacterDevice(1) && process.stdout.isTTY === true;
  return {
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    colour: tty && !env.NO_COLOR,
    get interactive() {
      return tty && process.stdin.isTTY === true;
    },
    columns: (tty && process.stdout.columns) || PLAIN_COLUMNS,
    get errColumns() {
      return process.stderr.isTTY === true ? process.stderr.columns || 80 : undefined;
    },
  };
}

/** One that is closed is none. */
const isCharacterDevice = (fd: number): boolean =>
  attempt(() => fstatSync(fd).isCharacterDevice()) === true;

/** Writes all of it now: nothing is lost when the process ends. */
function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') {
        // Nobody reads on (`mcp-hooks list | head`), or the disk is full: the work itself goes on.
        if (codeOf(error) !== 'EPIPE') process.exitCode = 2;
        return;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export const paint = (terminal: Terminal, style: Style, text: string): string =>
  terminal.colour ? styleText(style, text, { validateStream: false }) : text;

/** `text` on as many lines as it needs, each with `indent` before it; `first` stands on the first instead. */
export function wrap(text: string, columns: number, indent: string, first = indent): string {
  const within = (taken: number) => Math.max(20, columns - taken);
  const width = within(indent.length);
  // What stands before the first line may be painted, and longer.
  const head = within(stripVTControlCharacters(first).length);
  return text
    .split('\n')
    .flatMap((line, index) => fold(line, width, index === 0 ? Math.min(head, width) : width))
    .map((line, index) => (index === 0 ? first : indent) + line)
    .join('\n');
}

/** A line as several that a terminal does not fold again, where it would put them at its left edge as if they were ours. */
function fold(line: string, width: number, head: number): string[] {
  if (line.length <= head && NARROW.test(line)) return [line];
  const lines: string[] = [];
  let [start, space, used] = [0, -1, 0];
  for (let at = 0; at < line.length; ) {
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    const wide = character === '\t' ? 8 : NARROW.test(character) ? 1 : 2;
    if (character === ' ') space = at;
    if (used + wide <= (lines.length === 0 ? head : width) || at === start) {
      used += wide;
      at += character.length;
      continue;
    }
    const end = space > start ? space : at;
    lines.push(line.slice(start, end).trimEnd());
    start = end;
    while (line[start] === ' ') start += 1;
    [at, space, used] = [start, -1, 0];
  }
  return [...lines, line.slice(start)];
}

/** What takes one column in every terminal; anything else may take two. */
const NARROW = /^[ -~\u00A0-\u02FF]*$/;

export interface Column<Row> {
  readonly head: string;
  /** One line, made visible. */
  readonly cell: (row: Row) => string;
  /** Aligned to the right, unless it is the last. */
  readonly right?: boolean;
  readonly style?: Style | ((row: Row) => Style | undefined);
}

/** The lines of a table, its head first; nothing is cut. */
export function table<Row>(
  terminal: Terminal,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const widths = columns.map(({ head }, at) =>
    cells.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), head.length),
  );
  const line = (texts: readonly string[], styleOf: (column: Column<Row>) => Style | undefined) =>
    columns
      .map((column, at) => {
        const [text = '', width = 0, style] = [texts[at], widths[at], styleOf(column)];
        const painted = style && text !== '' ? paint(terminal, style, text) : text;
        const space = ' '.repeat(width - text.length);
        if (at === columns.length - 1) return painted;
        return column.right ? space + painted : painted + space;
      })
      .join('  ')
      .trimEnd();
  const heads = columns.map(({ head }) => head);
  return [
    line(heads, () => 'dim'),
    ...rows.map((row, at) =>
      line(cells[at] ?? [], ({ style }) => (typeof style === 'function' ? style(row) : style)),
    ),
  ];
}

export function paintDiff(terminal: Terminal, diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(---|\+\+\+) /.test(line)) return paint(terminal, 'bold', line);
      if (line.startsWith('+')) return paint(terminal, 'green', line);
      if (line.startsWith('-')) return paint(terminal, 'red', line);
      if (line.startsWith('@@')) return paint(terminal, 'cyan', line);
      return line;
    })
    .join('\n');
}
