/** Output for a terminal: colours only on request, text that fits, diffs. */

import { fstatSync, writeSync } from 'node:fs';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Env } from './env.ts';
import { attempt, codeOf } from './errors.ts';

export interface Terminal {
  readonly out: (text: string) => void;
  /** For progress and notes, so that stdout contains only the requested output. */
  readonly err: (text: string) => void;
  readonly colour: boolean;
  readonly interactive: boolean;
  /** Whether stdout is a terminal that people read, and not a script's input. */
  readonly tty: boolean;
  readonly columns: number;
  /** The width of the terminal on stderr. Undefined if stderr is not a terminal. */
  readonly errColumns: number | undefined;
}

/** The width of output without a terminal. */
export const PLAIN_COLUMNS = 100;

/** Whether a terminal declares that it supports neither colours nor cursor movement. */
export const isDumb = ({ TERM }: Env): boolean => TERM === 'dumb';

/** @param onLost Called once if stdout cannot be written, except when its reader has closed it. */
export function openTerminal(env: Env, onLost: (error: unknown) => void = () => {}): Terminal {
  // Node creates a stream to tell whether a descriptor is a terminal, which takes time. A file or a pipe never is.
  const tty = isCharacterDevice(1) && process.stdout.isTTY === true;
  let isLost = false;
  const lost = (error: unknown) => {
    if (!isLost) onLost(error);
    isLost = true;
  };
  return {
    out: (text) => writeAll(1, text, lost),
    err: (text) => writeAll(2, text),
    colour: tty && !env.NO_COLOR && !isDumb(env),
    get interactive() {
      return tty && process.stdin.isTTY === true;
    },
    tty,
    columns: (tty && process.stdout.columns) || PLAIN_COLUMNS,
    get errColumns() {
      return process.stderr.isTTY === true ? process.stderr.columns || 80 : undefined;
    },
  };
}

/** A closed descriptor is not a device. */
const isCharacterDevice = (fd: number): boolean =>
  attempt(() => fstatSync(fd).isCharacterDevice()) === true;

/** Writes the whole text synchronously, so that nothing is lost when the process ends. */
function writeAll(fd: number, text: string, onLost: (error: unknown) => void = () => {}): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') {
        // The reader has closed the pipe (`mcp-hooks list | head`), or the disk is full. The work itself continues.
        if (codeOf(error) === 'EPIPE') return;
        process.exitCode = 2;
        onLost(error);
        return;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export const paint = (terminal: Terminal, style: Style, text: string): string =>
  terminal.colour ? styleText(style, text, { validateStream: false }) : text;

/**
 * `text` on as many lines as it needs, each after `indent`, except that the first one follows `first`. Words are not broken: a
 * word that does not fit has its own line, so that it can be copied as a whole.
 */
export const wrap = (text: string, columns: number, indent: string, first = indent): string =>
  joined(wrapped(text, columns, { indent, first, cuts: false }));

/** The same for quoted text: a word that is too long is split, so that the terminal does not wrap it. */
export const wrapQuoted = (text: string, columns: number, indent: string, first = indent): string =>
  joined(wrapped(text, columns, { indent, first, cuts: true }));

const joined = (lines: readonly Line[]): string =>
  lines.map(([before, text]) => before + text).join('\n');

interface Wrapping {
  readonly indent: string;
  readonly first: string;
  /** Whether a word that is too long is split. */
  readonly cuts: boolean;
}

/** The text before a line, and the text of the line. */
export type Line = readonly [before: string, text: string];

/** `text` line by line, for callers that add colours. */
export function wrapped(text: string, columns: number, { indent, first, cuts }: Wrapping): Line[] {
  const within = (taken: number) => Math.max(20, columns - taken);
  const width = within(indent.length);
  // `first` may contain colour codes, which do not take up columns.
  const before = stripVTControlCharacters(first);
  const head = within(columnsOf(before));
  // A word that does not fit next to `first` goes below it.
  const isAlone = before.trim() === '';
  return text
    .split('\n')
    .flatMap((line, index) =>
      fold(
        line,
        width,
        index === 0 ? { head, isAlone, cuts } : { head: width, isAlone: true, cuts },
      ),
    )
    .map((line, index) => {
      if (columnsOf(line) > (index === 0 ? Math.max(head, width) : width) && !cuts)
        return [indent.slice(0, OUT), line];
      return [index === 0 ? first : indent, line];
    });
}

/** How far to indent a word that does not fit. */
const OUT = 2;

interface Folding {
  /** Columns of the first line. */
  readonly head: number;
  readonly isAlone: boolean;
  readonly cuts: boolean;
}

/** Splits a line so that the terminal does not wrap it, which would put the rest at the left edge as if it were our text. */
function fold(line: string, width: number, { head, isAlone, cuts }: Folding): string[] {
  if (line.length <= head && NARROW.test(line)) return [line];
  const lines: string[] = [];
  let [start, space, used] = [0, -1, 0];
  for (let at = 0; at < line.length; ) {
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    const wide = columnsOf(character);
    if (character === ' ' && !line.startsWith(OURS, at - OURS.length)) space = at;
    if (used + wide <= (lines.length === 0 ? head : width) || at === start) {
      used += wide;
      at += character.length;
      continue;
    }
    let end = space > start ? space : at;
    const [word = ''] = cuts || space > start ? [] : (WHOLE.exec(line.slice(start)) ?? []);
    if (word !== '')
      end = lines.length === 0 && !(isAlone && head >= width) ? start : start + word.length;
    lines.push(line.slice(start, end).replace(/(?<! ) +$/, ''));
    start = end;
    while (line[start] === ' ') start += 1;
    [at, space, used] = [start, -1, 0];
  }
  return start < line.length || lines.length === 0 ? [...lines, line.slice(start)] : lines;
}

/** The name of our command. Its line does not end there, because the next word is often a part of the command. */
const OURS = 'mcp-hooks';

/** Characters that take one column in every terminal. All others may take two. */
const NARROW = /^[ -~\u00A0-\u02FF]*$/;

/**
 * Something that people copy, such as a path or an address. Scripts without spaces, and other kinds of spaces, do not count.
 */
const WHOLE = /^[!-~\u00A1-\u02FF]+(?= |$)/;

/** The maximum number of columns that a text takes in any terminal. */
export function columnsOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += character === '\t' ? 8 : NARROW.test(character) ? 1 : 2;
  return columns;
}

/** The beginning of a line of text, with a mark if it was truncated. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const room = columns - CUT.length;
  let [end, used] = [0, 0];
  for (const character of text) {
    used += columnsOf(character);
    if (used > room) break;
    end += character.length;
  }
  return text.slice(0, end) + CUT;
}

const CUT = '...';

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
