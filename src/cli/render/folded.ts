/** Lines that others may have written, for a terminal. */

import { wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';

/**
 * What a terminal folds by itself would go on at its left edge, as if it were one more line of ours.
 *
 * @param indent Stands before each line.
 */
export const folded = (lines: readonly string[], columns: number, indent = ''): string[] =>
  lines.map((line) => wrap(inLine(line, 10_000), columns, `${indent}  `, indent));
