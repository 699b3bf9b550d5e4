/** The words of a hand-written command: which files they name, and the paths of these files relative to a manifest. */

import { existsSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import type { LeftOut } from '../../compile/raise/messages.ts';
import type { Around } from '../../compile/raise/raise.ts';
import { SCRIPT } from '../../declaration/loaded.ts';
import { attempt } from '../../system/errors.ts';
import { isInside, pathIn, realPath } from '../../system/files.ts';
import { isRegular, readRegular } from '../../system/regular-file.ts';
import { decode } from '../manifests/load.ts';
import { splitWords } from '../manifests/split-words.ts';
import { codePlaces, started } from './code.ts';
import { expectsMore, type Folders, inShell, mayChange, namesVariable } from './in-shell.ts';

interface TextFolders extends Folders {
  /** The folder that texts may be read from. */
  readonly beside: string;
}

/** Bytes of a text that is copied into a manifest. */
const TEXT_BYTES = 256 * 1024;

type Words = Pick<Around, 'wordsOf' | 'listed' | 'readText' | 'filled'>;

export function wordsIn(folders: TextFolders): Words {
  const { root, home, variables } = folders;
  const known = new Map<string, string>([
    ['HOME', home],
    ...(root === undefined ? [] : variables.map((name): [string, string] => [name, root])),
  ]);
  const values = [...known.values()];
  const marks = new Map([...known.keys()].map((name, index) => [name, `\0${index}\0`]));
  /** Those that a command leaves as they are. IFS changes how a shell splits the values of all. */
  const kept = (all: ReadonlyMap<string, string>, command: string) =>
    new Map(
      mayChange(command, 'IFS') ? [] : [...all].filter(([name]) => !mayChange(command, name)),
    );
  const back = (text: string) =>
    text.replace(/\0(\d+)\0/g, (_, index: string) => values[Number(index)] ?? '');
  const filled = (command: string) => withMarks(command, kept(marks, command));
  return {
    filled,
    wordsOf: (command) => {
      // A client sets these variables only for a plugin's own hooks.
      const own = unknownOfPackage(command, folders);
      if (own !== undefined) return { code: 'hand-variable', reference: own };
      const split = splitWords(filled(command));
      const isProgram = 'words' in split && !BUILT_IN.test(split.words[0] ?? '');
      const words = isProgram ? placed(split.words.map(back), folders) : undefined;
      if (words && 'code' in words) return words;
      const plain = words && !namesData(words, folders) ? started(words, folders) : undefined;
      return plain && !expectsMore(plain.source, folders)
        ? plain
        : inShell(command, folders, kept(known, command));
    },
    // No shell parses these words. Only the client expands them, and it knows more variables than we do.
    listed: (given) => {
      const moving =
        root === undefined && variables.find((one) => namesVariable(given.join(' '), one));
      if (moving) return { code: 'hand-moving', word: `$${moving}` };
      const texts = given.map((word) =>
        word.replace(BRACED, (all, name: string) =>
          variables.includes(name) ? (known.get(name) ?? all) : all,
        ),
      );
      const reference = texts.map((text) => text.match(BRACED)?.[0]).find(Boolean);
      if (reference !== undefined) return { code: 'hand-variable', reference };
      const words = placed(texts, folders) ?? texts;
      return 'code' in words ? words : started(words, folders);
    },
    readText: (word) => readTextFile(back(word), folders),
  };
}

/** What only a shell has: no program of that name exists, or it does something else. */
const BUILT_IN =
  /^(?:\.|:|alias|bg|break|builtin|cd|command|continue|coproc|declare|dirs|disown|enable|eval|exec|exit|export|fc|fg|getopts|hash|jobs|let|local|popd|pushd|read|readonly|return|set|shift|shopt|source|time|times|trap|type|typeset|ulimit|umask|unalias|unset|wait)$/;

const BRACED = /\$\{([^{}]*)\}/g;

/** Replaces each known variable and `~` by a mark, except where a shell would not expand them. */
function withMarks(command: string, marks: ReadonlyMap<string, string>): string {
  const home = marks.get('HOME');
  return command.replace(
    /'[^']*'|\\[\s\S]|\$(?:(\w+)|\{(\w+)\})|(^|[\s=:])~(?=\/)/g,
    (all, plain?: string, braced?: string, before?: string) => {
      if (before !== undefined)
        return home !== undefined && (before === '' || /\s/.test(before)) ? before + home : all;
      return marks.get(plain ?? braced ?? '') ?? all;
    },
  );
}

/**
 * The words relative to the manifest, or why that is impossible. Undefined if they name files in the folder of each session.
 */
function placed(words: readonly string[], folders: Folders): string[] | LeftOut | undefined {
  const made: string[] = [];
  const code = codePlaces(words);
  for (const [index, word] of words.entries()) {
    const own = placedWord(word, index, code.has(index), folders);
    if (typeof own !== 'string') return own;
    made.push(own);
  }
  return made;
}

function placedWord(
  word: string,
  index: number,
  isCode: boolean,
  { root, manifest, isPackage }: Folders,
): string | LeftOut | undefined {
  const isProgram = index === 0 && word.includes('/');
  const isScript = isCode || (index > 0 && !word.startsWith('-') && SCRIPT.test(word));
  if (!isAbsolute(word) && root === undefined) return isProgram || isScript ? undefined : word;
  const file = isAbsolute(word) ? word : resolve(root ?? '', word);
  const isFile = (index > 0 || isProgram) && isRegular(file);
  if (!isFile && (isProgram || isScript)) return { code: 'hand-no-file', word };
  if (root === undefined || !(isInside(file, root) || file === root)) return isFile ? file : word;
  // A word that is not code stays relative to the folder in which the command starts, which is the project.
  if (!isPackage && !isProgram && !isScript)
    return isAbsolute(word) ? pathIn(file, root) || '.' : word;
  if (!isFile) return word;
  const path = pathIn(file, manifest) || '.';
  return index === 0 && !path.includes('/') ? `./${path}` : path;
}

/**
 * Whether a word that is not code would be a file when resolved from the manifest. The declaration would then be bound to the
 * file's contents, although a command may write to it. As an argument of a shell, the word is not bound.
 */
function namesData(
  words: readonly string[],
  { manifest, root, home, isPackage }: Folders,
): boolean {
  const code = codePlaces(words);
  const isOwn = (word: string) =>
    !isAbsolute(word) || isInside(word, root ?? home) || isInside(word, home);
  return (
    !isPackage &&
    words.some(
      (word, index) =>
        index > 0 &&
        !(code.has(index) || SCRIPT.test(word)) &&
        isOwn(word) &&
        isRegular(resolve(manifest, word)),
    )
  );
}

/** A variable of a plugin whose folder is not known here. */
const unknownOfPackage = (command: string, { variables, root }: Folders): string | undefined =>
  (command.match(/\$(?:\{\w{1,100}\}|\w{1,100})/g) ?? [])
    .filter((one) => one.includes('_PLUGIN_'))
    .find((one) => root === undefined || !variables.includes(one.replace(/[${}]/g, '')));

function readTextFile(word: string, { root, beside }: TextFolders): ReturnType<Words['readText']> {
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
