/**
 * The files that the words of a `command` name. Words are kept as they are written. A file in the manifest's folder stands
 * for its contents, which the user agrees to, so each has its hash.
 */

import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { attempt, codeOf, reasonOf } from '../system/errors.ts';
import { sha256 } from '../system/fingerprint.ts';
import { type CommandFiles, error, type KeyPath, type Problem } from './declared.ts';
import { COMMAND_FILE_BYTES } from './limits.ts';
import { loadedBy, type Place } from './loaded.ts';
import type { ExtendedMessage } from './messages.ts';

/** The file that a word of a command would mean; undefined: a program that PATH finds. */
export function fileOf(folder: string, word: string, index: number): string | undefined {
  return index > 0 || word.includes('/') ? resolve(folder, word) : undefined;
}

/** Where the words of a command may name files: whole words, and what follows an option in the same word. */
const placesIn = (command: readonly string[]): Place[] => {
  const joined = loadedBy(command).places.filter(({ from }) => from > 0);
  return command.map(
    (_, index) => joined.find((place) => place.index === index) ?? { index, from: 0 },
  );
};

const fileAt = (folder: string, command: readonly string[], { index, from }: Place) =>
  fileOf(folder, (command[index] ?? '').slice(from), index);

/** The files among a command's words, as far as they were found when it was read. */
export const filesOf = (
  command: readonly string[],
  { commandsFrom, commandFiles = {} }: Bound,
): Record<string, string> =>
  Object.fromEntries(
    placesIn(command).flatMap((place) => {
      const file = commandsFrom === undefined ? undefined : fileAt(commandsFrom, command, place);
      const hash = file === undefined ? undefined : commandFiles[file];
      return file !== undefined && hash !== undefined ? [[file, hash]] : [];
    }),
  );

/** A command with the absolute paths of its files, because a session may be in any folder. */
export function wordsOf(
  command: readonly string[],
  { commandsFrom, commandFiles = {} }: Bound,
): string[] {
  return placesIn(command).map((place) => {
    const { index, from } = place;
    const word = command[index] ?? '';
    const file = commandsFrom === undefined ? undefined : fileAt(commandsFrom, command, place);
    // The program is never one in the session's folder, even if the manifest's folder lacks it.
    const isFile = file !== undefined && (index === 0 || file in commandFiles);
    return isFile ? word.slice(0, from) + file : word;
  });
}

/** The folder that the words of commands are relative to, and the hash of each file that they name. */
export interface Bound {
  readonly commandsFrom?: string | undefined;
  readonly commandFiles?: CommandFiles | undefined;
}

export interface Found {
  readonly files: CommandFiles;
  readonly problems: readonly Problem<ExtendedMessage>[];
}

/** Reads the files, and reports those that should be there and cannot be run. `path`: the place of the words in their document. */
export function findFiles(command: readonly string[], folder: string, path: KeyPath): Found {
  const files: Record<string, string> = {};
  const problems: Problem<ExtendedMessage>[] = [];
  const { places } = loadedBy(command);
  for (const place of placesIn(command)) {
    const { index, from } = place;
    const word = (command[index] ?? '').slice(from);
    const file = fileAt(folder, command, place);
    if (file === undefined) continue;
    const isRun = index === 0 || places.some((one) => one.index === index);
    const found = look(file, word, folder, isRun, index === 0);
    if (typeof found === 'string') files[file] = found;
    else if (found) problems.push(error(found, [...path, index]));
  }
  return { files, problems };
}

/** Whether a file still has this hash. */
export const isUnchanged = (file: string, hash: string): boolean =>
  look(file, file, '', false, false) === hash;

/** The hash of a file, or what is wrong with it, or nothing if the word does not name one. */
function look(
  file: string,
  word: string,
  folder: string,
  isRun: boolean,
  isProgram: boolean,
): string | ExtendedMessage | undefined {
  const missing = isRun ? ({ code: 'command-no-file', word, folder } as const) : undefined;
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
  } catch (thrown) {
    // The word is not a path at all, or one that goes through a file.
    if (['ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(thrown) ?? '')) return missing;
    return { code: 'command-unreadable', file, why: reasonOf(thrown) };
  }
  if (!found?.isFile()) return missing;
  const limitBytes = COMMAND_FILE_BYTES;
  if (found.size > limitBytes)
    return { code: 'command-too-large', file, bytes: found.size, limitBytes };
  if (isProgram && attempt(() => accessSync(file, constants.X_OK) ?? true) !== true)
    return { code: 'command-not-executable', word, folder };
  try {
    return sha256(readFileSync(file));
  } catch (thrown) {
    return { code: 'command-unreadable', file, why: reasonOf(thrown) };
  }
}
