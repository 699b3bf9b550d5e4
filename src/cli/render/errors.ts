/** What went wrong, for people and for scripts; others may have written some of its lines. */

import type { UserError } from '../../system/errors.ts';
import { wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { sentence, sentences } from '../messages/sentence.ts';

export const inLines = (lines: readonly string[]): string =>
  `${lines.map((line) => inLine(line, 10_000)).join('\n')}\n`;

/**
 * What a terminal folds by itself would go on at its left edge, as if it were one more line of ours.
 *
 * @param indent Stands before each line.
 */
export const folded = (lines: readonly string[], columns: number, indent = ''): string[] =>
  lines.map((line) => wrap(inLine(line, 10_000), columns, `${indent}  `, indent));

export const errorJson = ({ problem, details }: Pick<UserError, 'problem' | 'details'>) => ({
  error: sentence(problem),
  details: sentences(details),
  code: problem.code,
});
