/**
 * Text of others on its way to a terminal: control, bidirectional and invisible characters are shown as
 * escapes, so that nothing can move the cursor, hide or reorder what the user is asked to agree to.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: characters that combine are meant one by one
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uD800-\uDFFF\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Nearly everything is this, and the other expression takes its time to be compiled. */
const PLAIN = /^[\t\n -~]*$/;

/** Of what commands print as JSON: keys are added to it, and a key whose meaning changes makes it another. */
export const SCHEMA_VERSION = 1;

/** What a command found as JSON for a terminal or a script: what is hidden in a string is written as an escape. */
export function toJson(value: object): string {
  return plainJson({ schemaVersion: SCHEMA_VERSION, ...value });
}

/** Any value in the same way. */
export function plainJson(value: object): string {
  const json = JSON.stringify(value, null, 2);
  if (PLAIN.test(json)) return `${json}\n`;
  return `${json.replace(HIDDEN, (hidden) => [...hidden].map(escapeUnits).join(''))}\n`;
}

const escapeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** `text` made harmless, on as many lines as it has; longer than `limit` characters it is cut, and says so. */
export function visible(text: string, limit = 2000): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}` : text;
  if (PLAIN.test(text) && text.length <= limit) return text;
  const shown = cut.replace(HIDDEN, escaped);
  return text.length > limit ? `${shown}... (${text.length - limit} more characters)` : shown;
}

/** The same on one line: what would begin another line or column is shown too. */
export const inLine = (text: string, limit?: number): string =>
  visible(text, limit).replace(/[\t\n]/g, escaped);

/** Text of others line by line, each with a mark before it and on one line: none can pass for one of ours. */
export const quoted = (lines: readonly string[], limit?: number): string[] =>
  lines.map((line) => `  | ${inLine(line, limit)}`);

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
