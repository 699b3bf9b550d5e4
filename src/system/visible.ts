import { memoize } from './memoize.ts';
import { runnerCode } from './runner-code.ts';

/**
 * Characters to escape in untrusted text for a terminal: control, bidirectional and invisible characters, so that nothing can
 * move the cursor, or hide or reorder what the user is asked to agree to.
 */
const hidden = memoize((): RegExp => {
  const { HIDDEN }: { readonly HIDDEN: string } = runnerCode('./words.cjs');
  return new RegExp(HIDDEN, 'gu');
});

/** Matches nearly every text, and avoids compiling the other expression, which takes time. */
const PLAIN = /^[\t\n -~]*$/;

/** The version of the JSON output. New keys do not change it; a new meaning of a key does. */
export const SCHEMA_VERSION = 1;

/** A command's result as JSON for a terminal or a script. Hidden characters in strings are escaped. */
export const toJson = (value: object): string =>
  toPlainJson({ schemaVersion: SCHEMA_VERSION, ...value });

/** The same for a result with its own format. */
export function toPlainJson(value: object): string {
  const json = JSON.stringify(value, null, 2);
  if (PLAIN.test(json)) return `${json}\n`;
  return `${json.replace(hidden(), escapeUnits)}\n`;
}

const escapeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * `text` without dangerous characters, with its line breaks. If it is longer than `limit` characters, it is truncated and
 * marked.
 */
export function visible(text: string, limit = 2000): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  const shown = text.slice(0, limit).replace(hidden(), escaped);
  return text.length > limit ? `${shown}... (${text.length - limit} more characters)` : shown;
}

/** The same on one line: tabs and line breaks are escaped, too. */
export const inLine = (text: string, limit?: number): string =>
  visible(text, limit).replace(/[\t\n]/g, escaped);

/** The same, however long. */
export const fullLine = (text: string): string => inLine(text, Number.POSITIVE_INFINITY);

/** Quoted text line by line, each after a mark, so that none can be mistaken for one of our lines. */
export const quoted = (lines: readonly string[], limit?: number): string[] =>
  lines.map((line) => `  | ${inLine(line, limit)}`);

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
