/** The code that a command starts, which is read for what it may decide. Nothing of it is run or passed on. */

import { resolve } from 'node:path';
import { knowsHooks, printsNothing } from '../../compile/raise/programs.ts';
import type { Started } from '../../compile/raise/raise.ts';
import { loadedBy, SCRIPT } from '../../declaration/loaded.ts';
import { attempt } from '../../system/errors.ts';
import { readRegular } from '../../system/regular-file.ts';
import { decode } from '../manifests/load.ts';

/** Nobody writes a longer script for a hook. */
const BYTES = 256 * 1024;

/** The text of a script; undefined: it cannot be read, or is no text. */
export function codeOf(file: string): string | undefined {
  const bytes = readRegular(file, BYTES);
  const text = bytes && attempt(() => decode(bytes, file));
  return text?.includes('\0') ? undefined : text;
}

/** The places of the words that are code, such as what follows `--require`. */
export const codePlaces = (words: readonly string[]): ReadonlySet<number> =>
  new Set(loadedBy(words).places.flatMap(({ index, from }) => (from === 0 ? [index] : [])));

/** The places of the words that name a script. */
export function scriptsIn(words: readonly string[]): number[] {
  const loaded = codePlaces(words);
  return words.flatMap((word, index) => {
    if (index === 0) return word.includes('/') ? [index] : [];
    return loaded.has(index) || (!word.startsWith('-') && SCRIPT.test(word)) ? [index] : [];
  });
}

const INTERPRETERS = /^(?:python[\d.]*|node|ruby|perl|php|sh|bash|zsh|deno|bun|osascript)$/;

/** The code is a word of the command, or a text in the line that it is in. */
export const isInWord = ([program = '', option = '']: readonly string[]): boolean =>
  INTERPRETERS.test(program) && /^(?:-\w{0,9}[ce]|--eval|eval|-)$/.test(option);

/** @param words As seen from the folder of the manifest. */
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
