/**
 * A line that needs a shell, as the words that start a shell with it. The line is unchanged. Scripts that it names become
 * arguments of that shell, so they are shown and bound like those of any command. The values that its client would have
 * provided are set first.
 */

import { isAbsolute, resolve } from 'node:path';
import type { ByHand } from '../../clients/by-hand.ts';
import { type Commands, commandsIn, type Word } from '../../compile/raise/commands.ts';
import type { Code } from '../../compile/raise/decisions.ts';
import type { LeftOut } from '../../compile/raise/messages.ts';
import { knowsHooks } from '../../compile/raise/programs.ts';
import type { Started } from '../../compile/raise/raise.ts';
import { isInside, pathIn } from '../../system/files.ts';
import { isRegular } from '../../system/regular-file.ts';
import { quoted } from '../../system/strings.ts';
import { codeOf, isInWord, scriptsIn } from './code.ts';

export interface Folders {
  /** The folder in which the file's entries start. Undefined if it is the folder of each session. */
  readonly root: string | undefined;
  /** The folder is that of a plugin or an extension, which is never a session's folder. */
  readonly isPackage: boolean;
  readonly home: string;
  /** The folder of the manifest that is drafted. */
  readonly manifest: string;
  /** The variables that contain `root`. */
  readonly variables: readonly string[];
  readonly byHand: Pick<ByHand, 'values' | 'keys'>;
}

const names = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

export const namesVariable = (command: string, name: string): boolean =>
  new RegExp(`\\$(?:${name}(?!\\w)|\\{${name}\\b)`).test(command);

/** Whether a command may give a variable another value, so that only its shell knows what the variable names. */
export const mayChange = (command: string, name: string): boolean =>
  new RegExp(`(?<![\\w$]|\\$\\{)${name}(?!\\w)|\\$\\{${name}:?=`).test(command);

/** Whether the code of a command relies on values that only its client provides. A shell has to set them in that case. */
export const expectsMore = ({ texts }: Code, { variables, byHand }: Folders): boolean => {
  const { values = {}, keys = {} } = byHand;
  return [...variables, ...Object.keys(values), ...Object.keys(keys)].some((name) =>
    texts.some((text) => names(text, name)),
  );
};

export function inShell(
  command: string,
  folders: Folders,
  known: ReadonlyMap<string, string>,
): Started | LeftOut {
  const { root, variables, isPackage, manifest, byHand } = folders;
  const { values = {}, keys = {} } = byHand;
  const { line, files, scripts, isUnread, isOpen, runsOn, prints, isForBash } = withArguments(
    command,
    folders,
    known,
  );
  if (isOpen) return { code: 'hand-open-quote' };
  const code = scripts.map(codeOf);
  const texts = [line, ...code.flatMap((text) => text ?? [])];
  const isNamed = (name: string) => texts.some((text) => names(text, name));
  const taken = Object.keys(values).filter(isNamed);
  const given = Object.keys(keys).filter(isNamed);
  const shell = isForBash ? 'bash' : 'sh';
  const text = withGiven(runsOn ? `${TO_WAIT}${line}` : line, {
    folders: variables.filter(isNamed).map((name): Given => {
      const isHere = isPackage && root !== undefined;
      return [name, isHere ? quoted(root) : `"\${${name}:-$PWD}"`];
    }),
    values: taken.map((name): Given => [name, values[name] ?? '']),
    keys: given.map((name): Given => [name, keys[name] ?? '']),
  });
  const seen = files.map((file) =>
    root !== undefined && isInside(file, root) ? pathIn(file, manifest) : file,
  );
  return {
    words: [shell, '-c', text, ...(seen.length > 0 ? [shell, ...seen] : [])],
    source: { texts, isUnread: isUnread || code.includes(undefined), prints },
    isAwaited: runsOn,
    taken: [...taken.map((name) => `$${name}`), ...given],
  };
}

/** Waits for background processes, because whatever a hook's program leaves running is ended with it. */
const TO_WAIT = 'trap wait EXIT; ';

type Given = readonly [name: string, value: string];

/** Prepends the values that the client would have provided. Variables that the environment already has are taken from there. */
function withGiven(
  line: string,
  given: Readonly<Record<'folders' | 'values' | 'keys', readonly Given[]>>,
): string {
  const { folders, values, keys } = given;
  const exports = folders.map(([name, value]) => `export ${name}=${value}; `).join('');
  const more = keys.map(([name, value]) => `${name}: (${value})`).join(', ');
  const event = keys.length > 0 ? `jq -c '. + {${more}}'` : 'cat';
  const whole = inGroup(line);
  if (values.length === 0)
    return keys.length > 0 ? `${exports}${event} | ${whole}` : `${exports}${line}`;
  const printed = `printf '%s\\n' "$event"`;
  const read = values.map(
    ([name, value]) => `export ${name}="\${${name}:-$(${printed} | jq -r '${value}')}"; `,
  );
  return `${exports}event=$(${event}); ${read.join('')}${printed} | ${whole}`;
}

/**
 * Groups a line. A comment or a here-document needs its own line end, and a line that ends in an operator needs no semicolon.
 */
const inGroup = (line: string): string =>
  /[\n#]|<<|[;&]\s{0,9}$/.test(line) ? `{\n${line}\n}` : `{ ${line}; }`;

interface Line extends Pick<Commands, 'prints' | 'isForBash' | 'isOpen' | 'runsOn'> {
  /** The line with `"$1"` in place of the first script that it names, and so on. */
  readonly line: string;
  readonly files: readonly string[];
  /** All scripts that it names. */
  readonly scripts: readonly string[];
  /** The line starts an unknown program. */
  readonly isUnread: boolean;
}

function withArguments(
  command: string,
  folders: Folders,
  known: ReadonlyMap<string, string>,
): Line {
  const { commands, usesArguments, hasDocument, ...rest } = commandsIn(command, (name) =>
    known.get(name),
  );
  const moves = commands.some(([first]) => /^(?:cd|pushd)$/.test(first?.text ?? ''));
  const canHold = !usesArguments && !hasDocument;
  const found: { readonly word: Word; readonly file: string }[] = [];
  let isUnread = false;
  for (const words of commands) {
    const own = words.filter(({ isTarget }) => !isTarget);
    // Only a shell can expand the other words.
    const texts = own.map(({ text }) => text ?? '\0');
    const scripts = scriptsIn(texts).flatMap((index) => {
      const word = own[index];
      const file = word && fileOf(word, folders, { moves, home: known.get('HOME') });
      return word && file !== undefined ? [{ word, file }] : [];
    });
    found.push(...scripts);
    const isRead = isInWord(texts) || scripts.length > 0;
    if (texts.length > 0 && !isRead && knowsHooks(own.map(({ text }) => text))) isUnread = true;
  }
  const inOrder = found.sort((a, b) => a.word.start - b.word.start);
  const files = [...new Set(inOrder.map(({ file }) => file))];
  if (!canHold || takesArguments(commands, files))
    return { ...rest, line: command, files: [], scripts: files, isUnread };
  let line = command;
  for (const { word, file } of inOrder.toReversed())
    line = `${line.slice(0, word.start)}${argument(files.indexOf(file) + 1)}${line.slice(word.end)}`;
  return { ...rest, line, files, scripts: files, isUnread };
}

/** Whether a script that the shell reads itself may use or change the shell's arguments. */
const takesArguments = (commands: Commands['commands'], files: readonly string[]): boolean =>
  commands.some(([first]) => /^(?:\.|source)$/.test(first?.text ?? '')) &&
  files.some((file) => OWN_ARGUMENTS.test(codeOf(file) ?? '$1'));

const OWN_ARGUMENTS = /\$\{?[#!]?[1-9@*#]|\b(?:set|shift|eval|for)\b/;

const argument = (number: number): string => (number < 10 ? `"$${number}"` : `"\${${number}}"`);

/** The script of the user or of the project that a word names. */
function fileOf(
  { text }: Word,
  { root, home }: Folders,
  known: { readonly moves: boolean; readonly home: string | undefined },
): string | undefined {
  if (text === undefined || text === '') return undefined;
  const { moves } = known;
  const isInHome = text.startsWith('~/');
  if (isInHome && known.home === undefined) return undefined;
  const path = isInHome ? resolve(home, text.slice(2)) : text;
  if (!isAbsolute(path) && (root === undefined || moves)) return undefined;
  const file = isAbsolute(path) ? path : resolve(root ?? '', path);
  const isOwn = isInside(file, home) || (root !== undefined && isInside(file, root));
  return isOwn && isRegular(file) ? file : undefined;
}
