/** A command for people. It is what they agree to, so what may hide in it counts for more than how well a secret is hidden. */

import { maskCommand } from '../secrets.ts';

/** All of it, as one would type it in a shell. */
export const inWhole = (words: readonly string[]): string => words.map(quoted).join(' ');

/** The same without what is a secret for certain, or next to it. */
export const commandInWords = (words: readonly string[]): string => maskCommand(inWhole(words));

const quoted = (word: string): string =>
  /^[\w/.:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
