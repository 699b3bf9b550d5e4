/** Back from the globs that install has made of `tool_name` (names.ts) to what people write, and to names that fit. */

import type { Glob, One } from './glob.ts';
import type { ToolGlobs } from './program.ts';

/** The globs as a person may have written them. */
export const globsOf = ({ tool }: Pick<ToolGlobs, 'tool'>): string[] => [
  ...new Set(tool.map((glob) => written(glob, asGlob, '*'))),
];

/** A name for each of them that fits it. */
export const namesFor = ({ tool }: Pick<ToolGlobs, 'tool'>): string[] => [
  ...new Set(tool.map((glob) => written(glob, asName, 'x'))),
];

const written = (glob: Glob, one: (one: One) => string, many: string): string =>
  glob.map((part) => [...part].map(one).join('')).join(many);

function asGlob(one: One): string {
  if (typeof one === 'string') return /[*?[\]{}\\]/.test(one) ? `\\${one}` : one;
  const [not, ranges] = 'in' in one ? ['', one.in] : ['!', one.out];
  if (ranges.length === 0) return '?';
  return `[${not}${ranges.map((range) => range.split('').map(escaped).join('-')).join('')}]`;
}

const escaped = (character: string): string => character.replace(/[\\[\]^!-]/, '\\$&');

function asName(one: One): string {
  if (typeof one === 'string') return one;
  const isOne = (character: string) => {
    const among = ('in' in one ? one.in : one.out).some(
      (range) => character >= range.charAt(0) && character <= range.slice(-1),
    );
    return 'in' in one ? among : !among;
  };
  return CHARACTERS.find(isOne) ?? 'x';
}

/** Those that names of tools are made of, then all others of ASCII. */
const CHARACTERS = [
  ...'xabcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
];
