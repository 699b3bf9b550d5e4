/** Back from the globs that install has made of `tool_name` (names.ts) to what people write, and to names that fit. */

import { type Glob, isLike, type Piece } from './glob.ts';
import type { ToolGlobs } from './program.ts';

/** The globs as a person may have written them. */
export const globsOf = ({ tool }: Pick<ToolGlobs, 'tool'>): string[] => [
  ...new Set(tool.map((glob) => written(glob, asGlob, '*'))),
];

/** A name for each of them that fits it. */
export const namesFor = ({ tool }: Pick<ToolGlobs, 'tool'>): string[] => [
  ...new Set(tool.map((glob) => written(glob, asName, 'x'))),
];

const written = (glob: Glob, word: (piece: Piece) => string, many: string): string =>
  glob.map((part) => (typeof part === 'string' ? [part] : part).map(word).join('')).join(many);

function asGlob(piece: Piece): string {
  if (typeof piece === 'string') return piece.replace(/[*?[\]{}\\]/g, '\\$&');
  if (typeof piece === 'number') return '?'.repeat(piece);
  const [not, ranges] = 'in' in piece ? ['', piece.in] : ['!', piece.out];
  const escaped = (character: string) => character.replace(/[\\[\]^!-]/, '\\$&');
  return `[${not}${ranges.map((range) => range.split('').map(escaped).join('-')).join('')}]`;
}

function asName(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if (typeof piece === 'number') return 'x'.repeat(piece);
  return CHARACTERS.find((one) => isLike(one, [[piece]])) ?? 'x';
}

/** Those that names of tools are made of, then all others of ASCII. */
const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
];
