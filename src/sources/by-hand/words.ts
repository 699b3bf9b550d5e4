/** The words of a command written by hand: which files they mean, and the paths of these as seen from a manifest. */

import { existsSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import type { LeftOut } from '../../compile/raise/messages.ts';
import type { Around } from '../../compile/raise/raise.ts';
import { loadedBy, SCRIPT } from '../../declaration/loaded.ts';
import { attempt } from '../../system/errors.ts';
import { isInside, pathIn, realPath } from '../../system/files.ts';
import { readRegular } from '../../system/regular-file.ts';
import { decode } from '../manifests/load.ts';
import { splitWords } from '../manifests/split-words.ts';

export interface Folders {
  /** The folder that the file's entries start in; undefined if it is the folder of any session. */
  readonly root: string | undefined;
  /** The folder that texts may be read from. */
  readonly beside: string;
  readonly home: string;
  /** The folder of the manifest that is drafted. */
  readonly manifest: string;
  /** The variables that stand for `root`. */
  readonly variables: readonly string[];
}

/** Bytes of a text that is copied into a manifest. */
const TEXT_BYTES = 256 * 1024;

type Words = Pick<Around, 'wordsOf' | 'listed' | 'readText' | 'filled'>;

export function wordsIn(folders: Folders): Words {
  const { root, home, variables } = folders;
  const known = new Map<string, string>([
    ['HOME', home],
    ...(root === undefined ? [] : variables.map((name): [string, string] => [name, root])),
  ]);
  const values = [...known.values()];
  const marks = new Map([...known.keys()].map((name, index) => [name, `\0${index}\0`]));
  const back = (text: string) =>
    text.replace(/\0(\d+)\0/g, (_, index: string) => values[Number(index)] ?? '');
  const filled = (command: string) => withMarks(command, marks);
  const moving = (command: string): LeftOut | undefined => {
    const name = root === undefined && variables.find((one) => namesVariable(command, one));
    return name ? { code: 'hand-moving', word: `$${name}` } : undefined;
  };
  return {
    filled,
    wordsOf: (command) => {
      const unknown = moving(command);
      if (unknown) return unknown;
      const text = filled(command);
      const split = splitWords(text);
      if ('needs' in split) {
        const reference = split.needs === '$' ? REFERENCE.exec(text)?.[0] : undefined;
        return reference === undefined
          ? { code: 'hand-needs-shell', part: split.needs }
          : { code: 'hand-variable', reference };
      }
      return placed(split.words.map(back), folders);
    },
    // No shell reads them. Only the client fills something in, and it knows more than we do here.
    listed: (words) => {
      const unknown = moving(words.join(' '));
      if (unknown) return unknown;
      const texts = words.map((word) =>
        word.replace(BRACED, (all, name: string) =>
          variables.includes(name) ? (known.get(name) ?? all) : all,
        ),
      );
      const reference = texts.map((text) => text.match(BRACED)?.[0]).find(Boolean);
      if (reference !== undefined) return { code: 'hand-variable', reference };
      return placed(texts, folders);
    },
    readText: (word) => textOf(back(word), folders),
  };
}

const BRACED = /\$\{([^{}]*)\}/g;
const REFERENCE = /\$(?:[A-Za-z_]\w*|\{[^{}]*\})/;

const namesVariable = (command: string, name: string): boolean =>
  new RegExp(`\\$(?:${name}(?!\\w)|\\{${name}\\})`).test(command);

/** Puts a mark in place of each known variable and of `~`, except where a shell would leave them alone. */
function withMarks(command: string, marks: ReadonlyMap<string, string>): string {
  const home = marks.get('HOME') ?? '';
  return command.replace(
    /'[^']*'|\\[\s\S]|\$(?:(\w+)|\{(\w+)\})|(^|[\s=:])~(?=\/)/g,
    (all, plain?: string, braced?: string, before?: string) => {
      if (before !== undefined) return before === '' || /\s/.test(before) ? before + home : all;
      return marks.get(plain ?? braced ?? '') ?? all;
    },
  );
}

function placed(words: readonly string[], folders: Folders): string[] | LeftOut {
  const made: string[] = [];
  const { places } = loadedBy(words);
  for (const [index, word] of words.entries()) {
    const isCode = places.some((place) => place.index === index && place.from === 0);
    const own = placedWord(word, index, isCode, folders);
    if (typeof own !== 'string') return own;
    made.push(own);
  }
  return made;
}

function placedWord(
  word: string,
  index: number,
  isCode: boolean,
  { root, manifest }: Folders,
): string | LeftOut {
  const isProgram = index === 0 && word.includes('/');
  const isScript = isCode || (index > 0 && !word.startsWith('-') && SCRIPT.test(word));
  if (!isAbsolute(word) && root === undefined)
    return isProgram || isScript ? { code: 'hand-moving', word } : word;
  const file = isAbsolute(word) ? word : resolve(root ?? '', word);
  const isFile = (index > 0 || isProgram) && attempt(() => existsSync(file)) === true;
  if (!isFile) return isProgram || isScript ? { code: 'hand-no-file', word } : word;
  if (root === undefined || !isInside(file, root)) return file;
  const path = pathIn(file, manifest) || '.';
  return index === 0 && !path.includes('/') ? `./${path}` : path;
}

function textOf(word: string, { root, beside }: Folders): ReturnType<Words['readText']> {
  if (!isAbsolute(word) && root === undefined) return { code: 'hand-moving', word };
  const file = realPath(isAbsolute(word) ? word : resolve(root ?? beside, word));
  const shown = basename(word);
  if (!isInside(file, realPath(beside))) return { code: 'hand-outside', word: shown };
  if (!existsSync(file)) return { code: 'hand-no-file', word: shown };
  const bytes = readRegular(file, TEXT_BYTES);
  if (!bytes) return { code: 'hand-large-file', word: shown };
  const text = attempt(() => decode(bytes, file));
  return text === undefined || text.includes('\0')
    ? { code: 'hand-no-text', word: shown }
    : { text, name: shown };
}
