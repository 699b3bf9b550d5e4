/** A command for people. It is what they agree to, so what may hide in it counts for more than how well a secret is hidden. */

import { maskCommand } from '../system/secrets.ts';
import { headOf, withoutPassword } from './redacted.ts';

/** All of it, as one would type it in a shell. */
export const inWhole = (words: readonly string[]): string => words.map(quoted).join(' ');

/** The same without what is a secret for certain, or next to it, behind the words that say what runs. */
export function commandInWords(words: readonly string[]): string {
  const end = headOf(words);
  const head = inWhole(words.slice(0, end).map(withoutPassword));
  const rest = words.slice(end);
  return rest.length > 0 ? `${head} ${maskCommand(inWhole(rest))}` : head;
}

/** A word as one would type it in a shell. */
export const quoted = (word: string): string =>
  /^[\w/.:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
