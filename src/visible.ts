/**
 * Text of others on its way to a terminal: control, bidirectional and invisible characters are shown as
 * escapes, so that nothing can move the cursor, hide or reorder what the user is asked to agree to.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: characters that combine are meant one by one
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uD800-\uDFFF\u{E0000}-\u{E0FFF}]/gu;

/** `text` made harmless, on as many lines as it has; longer than `limit` characters it is cut, and says so. */
export function visible(text: string, limit = 2000): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}` : text;
  const shown = cut.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16).toUpperCase()}}`;
  });
  return text.length > limit ? `${shown}... (${text.length - limit} more characters)` : shown;
}
