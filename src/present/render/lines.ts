/** Lines for a terminal, some of which may contain untrusted text. */

import { paint, type Style, type Terminal, wrap, wrapQuoted } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';

export const inLines = (lines: readonly string[]): string =>
  `${lines.map((line) => inLine(line, 10_000)).join('\n')}\n`;

/** Wrapped here, because a terminal would continue at its left edge, where the rest looks like another line of ours. */
export const folded = (lines: readonly string[], columns: number, indent = ''): string[] =>
  lines.map((line) => {
    const shown = inLine(line, 10_000);
    const quote = shown.startsWith(QUOTE) ? QUOTE : undefined;
    return quote === undefined
      ? wrapMessage(shown, columns, `${indent}  `, indent)
      : wrapQuoted(shown.slice(quote.length), columns, indent + quote);
  });

/** Keeps a command that is meant to be copied on one line. If it does not fit after the sentence, it gets its own line. */
export const wrapMessage = (
  text: string,
  columns: number,
  indent: string,
  first = indent,
): string =>
  text
    .split('\n')
    .map((line, index) => {
      const before = index === 0 ? first : indent;
      const whole = wrap(line, columns, indent, before);
      const [, said, command] = /^(.*:) ((?:mcp-hooks |--).*[^.])$/.exec(line) ?? [];
      if (said === undefined || command === undefined || !whole.includes('\n')) return whole;
      return `${wrap(said, columns, indent, before)}\n${indent || '  '}${command}`;
    })
    .join('\n');

/** Precedes quoted text. */
const QUOTE = '  | ';

/** Text on as many lines as it needs, preceded by its kind: `warning: ...`. */
export const headed = (
  terminal: Terminal,
  style: Style,
  name: string,
  text: string,
  indent = '',
): string =>
  wrapMessage(text, terminal.columns, '  ', `${indent}${paint(terminal, style, name)}: `);

export const indented = (terminal: Terminal, text: string, indent = '  '): string =>
  wrapMessage(text, terminal.columns, indent);
