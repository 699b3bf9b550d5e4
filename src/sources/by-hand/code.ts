/** The code that a command starts, which is read to find out what it may decide. It is neither run nor passed on. */

import { resolve } from 'node:path';
import { knowsHooks, printsNothing } from '../../compile/raise/programs.ts';
import type { Started } from '../../compile/raise/raise.ts';
import { loadedBy, SCRIPT } from '../../declaration/loaded.ts';
import { attempt } from '../../system/errors.ts';
import { readRegular } from '../../system/regular-file.ts';
import { decode } from '../manifests/load.ts';

/** Larger than any hand-written script for a hook. */
const BYTES = 256 * 1024;

/** The text of a script. Undefined if it cannot be read, or is not text. */
export function codeOf(file: string): string | undefined {
  const bytes = readRegular(file, BYTES);
  const text = bytes && attempt(() => decode(bytes, file));
  return text?.includes('\0') ? undefined : text;
}

/** The positions of the words that are code, such as the argument of `--require`. */
export const codePlaces = (words: readonly string[]): ReadonlySet<number> =>
  new Set(loadedBy(words).places.flatMap(({ index, from }) => (from === 0 ? [index] : [])));

/** The positions of the words that name a script. */
export function scriptsIn(words: readonly string[]): number[] {
  const loaded = codePlaces(words);
  return words.flatMap((word, index) => {
    if (index === 0) return word.includes('/') ? [index] : [];
    return loaded.has(index) || (!word.startsWith('-') && SCRIPT.test(word)) ? [index] : [];
  });
}

const INTERPRETERS = /^(?:python[\d.]*|node|ruby|perl|php|sh|bash|zsh|deno|bun|osascript)$/;

/** Whether the code is a word of the command, or part of its command line. */
export const isInWord = ([program = '', option = '']: readonly string[]): boolean =>
  INTERPRETERS.test(program) && /^(?:-\w{0,9}[ce]|--eval|eval|-)$/.test(option);

/** @param words Relative to the folder of the manifest. */
export function started(
  words: readonly string[],
  { manifest }: { readonly manifest: string },
): Started {
  const texts = scriptsIn(words).map((index) => codeOf(resolve(manifest, words[index] ?? '')));
  const isRead = isInWord(words) || (texts.length > 0 && texts.every((text) => text !== undefined));
  return {
    words,
    source: {
      texts: [words.join(' '), ...texts.flatMap((text) => text ?? [])],
      isUnread: !isRead && knowsHooks(words),
      prints: !printsNothing(words),
    },
    isAwaited: false,
    taken: [],
  };
}
