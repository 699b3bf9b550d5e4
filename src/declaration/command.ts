/**
 * The files that the words of a `command` name. Words are kept as written. The user agrees to the contents of files in the
 * manifest's folder, so each has its hash.
 */

import { resolve } from '../system/path.ts';
import type { CommandFiles, KeyPath, Problem } from './declared.ts';
import { loadedBy, type Place } from './loaded.ts';
import type { ExtendedMessage } from './messages.ts';

/** Where the words of a command may contain file names: whole words, and the value of an option in the same word. */
export const placesIn = (command: readonly string[]): Place[] => {
  const joined = loadedBy(command).places.filter(({ from }) => from > 0);
  return command.map(
    (_, index) => joined.find((place) => place.index === index) ?? { index, from: 0 },
  );
};

/** The file that a word of a command refers to; undefined: a program to be found in PATH. */
export function fileAt(folder: string, command: readonly string[], { index, from }: Place) {
  const word = (command[index] ?? '').slice(from);
  return index > 0 || word.includes('/') ? resolve(folder, word) : undefined;
}

/** The files among a command's words, as far as they were found when the command was read. */
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
    // Never a program in the session's folder, even if it is missing in the manifest's folder.
    const isFile = file !== undefined && (index === 0 || file in commandFiles);
    return isFile ? word.slice(0, from) + file : word;
  });
}

/** The folder that the words of commands are relative to, and the hash of each file that they name. */
export interface Bound {
  readonly commandsFrom?: string | undefined;
  readonly commandFiles?: CommandFiles | undefined;
}

/** The files that the words of a command name, as found. */
export interface FoundFiles {
  /** The hash of each file. */
  readonly files: CommandFiles;
  /** Files that should exist but cannot be run. */
  readonly problems: readonly Problem<ExtendedMessage>[];
}

/** A folder that the words of commands are relative to. */
export interface CommandFolder {
  /** Absolute. */
  readonly path: string;
  /** Reads the files. @param at The path of the words in their document. */
  readonly find: (command: readonly string[], at: KeyPath) => FoundFiles;
}
