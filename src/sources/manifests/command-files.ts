/** Reads the files that are named in a command (declaration/command.ts). */

import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs';
import {
  type CommandFolder,
  type FoundFiles,
  fileAt,
  placesIn,
} from '../../declaration/command.ts';
import { error, type KeyPath, type Problem } from '../../declaration/declared.ts';
import { COMMAND_FILE_BYTES } from '../../declaration/limits.ts';
import { loadedBy } from '../../declaration/loaded.ts';
import type { ExtendedMessage } from '../../declaration/messages.ts';
import { attempt, codeOf, reasonOf } from '../../system/errors.ts';
import { sha256 } from '../../system/fingerprint.ts';

export const commandFolder = (path: string): CommandFolder => ({
  path,
  find: (command, at) => findFiles(command, path, at),
});

function findFiles(command: readonly string[], folder: string, path: KeyPath): FoundFiles {
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

/** The hash of a file, or its problem. Undefined if the word does not name a file. */
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
    // The word is not a path, or it treats a file as a folder.
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
