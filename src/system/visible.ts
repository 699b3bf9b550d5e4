/**
 * Other people's text on its way to a terminal: control, bidirectional and invisible characters become escapes, so that
 * nothing can move the cursor, or hide or reorder what the user is asked to agree to.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: characters that combine are meant one by one
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uD800-\uDFFF\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Nearly every text is like this, and compiling the other expression takes time. */
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
  return `${json.replace(HIDDEN, (hidden) => [...hidden].map(escapeUnits).join(''))}\n`;
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
  const shown = cut.replace(HIDDEN, escaped);
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
