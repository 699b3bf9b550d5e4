/** Lines for a terminal; others may have written some of them. */

import { paint, type Style, type Terminal, wrap, wrapQuoted } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';

export const inLines = (lines: readonly string[]): string =>
  `${lines.map((line) => inLine(line, 10_000)).join('\n')}\n`;

/** Folded, for what a terminal folds by itself goes on at its left edge, as if it were one more line of ours. */
export const folded = (lines: readonly string[], columns: number, indent = ''): string[] =>
  lines.map((line) => {
    const shown = inLine(line, 10_000);
    const quote = shown.startsWith(QUOTE) ? QUOTE : undefined;
    return quote === undefined
      ? wrap(shown, columns, `${indent}  `, indent)
      : wrapQuoted(shown.slice(quote.length), columns, indent + quote);
  });

/** Before what others said. */
const QUOTE = '  | ';

/** Text on as many lines as it needs, with its name before it: `warning: ...`. */
export const headed = (
  terminal: Terminal,
  style: Style,
  name: string,
  text: string,
  indent = '',
): string => wrap(text, terminal.columns, '  ', `${indent}${paint(terminal, style, name)}: `);

export const indented = (terminal: Terminal, text: string, indent = '  '): string =>
  wrap(text, terminal.columns, indent);
