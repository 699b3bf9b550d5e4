/** Splits a typed command into words like a POSIX shell, without anything that only a shell can do. */

/** The words, or the part of the text that requires a shell. */
export type Split = { readonly words: readonly string[] } | { readonly needs: string };

/**
 * Characters that require a shell outside quotes. In addition, `#` and `~` at the start of a word, and `=` in the first word,
 * where it would set a variable.
 */
const OF_SHELL = '|&;<>()$`*?[\n\r{}!';

export function splitWords(text: string): Split {
  const words: string[] = [];
  let word: string | undefined;
  let plain = true;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
      plain = true;
    } else if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return { needs: character };
      word = (word ?? '') + text.slice(at + 1, end);
      plain = false;
      at = end;
    } else if (character === '"') {
      const quoted = inDoubleQuotes(text, at + 1);
      if ('needs' in quoted) return quoted;
      word = (word ?? '') + quoted.text;
      plain = false;
      at = quoted.end;
    } else if (character === '\\') {
      at += 1;
      const next = text[at];
      if (next === undefined || next === '\n') return { needs: character };
      word = (word ?? '') + next;
      plain = false;
    } else {
      const starts = word === undefined && '#~'.includes(character);
      const assigns = character === '=' && words.length === 0 && plain;
      if (starts || assigns || OF_SHELL.includes(character)) return { needs: character };
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return { words };
}

/** Parses from after the opening quote to the closing one. A backslash is literal except before four characters. */
function inDoubleQuotes(
  text: string,
  start: number,
): { readonly text: string; readonly end: number } | { readonly needs: string } {
  let inside = '';
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') return { text: inside, end: at };
    if (character === '$' || character === '`') return { needs: character };
    const next = text[at + 1] ?? '';
    if (character === '\\' && next !== '' && '$`"\\\n'.includes(next)) {
      inside += next === '\n' ? '' : next;
      at += 1;
    } else inside += character;
  }
  return { needs: '"' };
}
