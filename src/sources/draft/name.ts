/**
 * The name of a server that was given by its command. It should be the name that clients already use, because hooks name tools
 * by it.
 */

import { dirname, isAbsolute } from 'node:path';
import type { SearchPlace } from '../../clients/servers/servers.ts';
import { LABEL } from '../../declaration/declaration.ts';
import { isInside } from '../../system/files.ts';
import { withoutEnvironment } from '../command-line.ts';
import { type Entry, readConfigurations } from '../configurations.ts';
import { fileAt } from '../launch.ts';
import { nameOf, packageIn } from '../manifests/package-json.ts';
import { headOf } from '../redacted.ts';
import { labelIn } from './manifest.ts';

/** The name under which a client starts exactly this; undefined if none does. Approved entries come first. */
export function configuredName(words: readonly string[], at: SearchPlace): string | undefined {
  const meant = anchored(words, at.cwd);
  const { entries } = readConfigurations(at);
  const same = entries.filter((entry) => LABEL.test(entry.name) && startOf(entry) === meant);
  return (same.find(({ foreign }) => !foreign) ?? same[0])?.name;
}

function startOf({ parts, folder }: Entry): string | undefined {
  if (!parts || 'url' in parts) return undefined;
  return anchored([parts.command, ...parts.args], parts.cwd ?? folder);
}

/** With full paths, because some entries name files relative to their folder. */
const anchored = (words: readonly string[], folder: string): string =>
  JSON.stringify(words.map((word) => fileAt(folder, word)));

/** The name in the package.json next to or above the file that a command runs. Undefined if there is no such file. */
export function packagedName(words: readonly string[], cwd: string): string | undefined {
  const file = fileRunBy(words, cwd);
  if (file === undefined) return undefined;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const name = nameOf(packageIn(folder) ?? {});
    if (name !== undefined) return labelIn(name);
    if (folder === cwd || folder === dirname(folder)) return undefined;
  }
}

/**
 * The first file of this folder in a command, or else the file that it runs. Undefined if there is none, as for npx with a
 * package.
 */
export function fileRunBy(typed: readonly string[], cwd: string): string | undefined {
  const { words } = withoutEnvironment(typed);
  const here = words.map((word) => fileAt(cwd, word)).find((path) => isInside(path, cwd));
  const head = fileAt(cwd, words[headOf(words) - 1] ?? '');
  return here ?? (isAbsolute(head) ? head : undefined);
}
