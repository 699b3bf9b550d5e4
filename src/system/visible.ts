import { memoize } from './memoize.ts';
import { runnerCode } from './runner-code.ts';

/**
 * Other people's text on its way to a terminal: control, bidirectional and invisible characters become escapes, so that
 * nothing can move the cursor, or hide or reorder what the user is asked to agree to.
 */
const hidden = memoize((): RegExp => {
  const { HIDDEN }: { readonly HIDDEN: string } = runnerCode('./words.cjs');
  return new RegExp(HIDDEN, 'gu');
});

/** Nearly every text is like this, and making the other expression takes time. */
const PLAIN = /^[\t\n -~]*$/;

/** The version of what commands print as JSON. New keys do not change it; a key with a new meaning does. */
export const SCHEMA_VERSION = 1;

/** A command's result as JSON for a terminal or a script: hidden characters in strings become escapes. */
export const toJson = (value: object): string =>
  toPlainJson({ schemaVersion: SCHEMA_VERSION, ...value });

/** The same for a result with a format of its own. */
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

/** `text` made harmless, with its line breaks. If it is longer than `limit` characters it is cut, and says so. */
export function visible(text: string, limit = 2000): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}` : text;
  if (PLAIN.test(text) && text.length <= limit) return text;
  const shown = cut.replace(hidden(), escaped);
  return text.length > limit ? `${shown}... (${text.length - limit} more characters)` : shown;
}

/** The same on one line: what would begin another line or column is shown too. */
export const inLine = (text: string, limit?: number): string =>
  visible(text, limit).replace(/[\t\n]/g, escaped);

/** Other people's text line by line, each on one line and after a mark, so that none can pass for one of ours. */
export const quoted = (lines: readonly string[], limit?: number): string[] =>
  lines.map((line) => `  | ${inLine(line, limit)}`);

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
