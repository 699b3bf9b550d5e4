/** What a server is called that was given by its command: as others call it already, for hooks name its tools so. */

import { dirname, isAbsolute } from 'node:path';
import type { SearchPlace } from '../../clients/servers/servers.ts';
import { LABEL } from '../../declaration/declaration.ts';
import { fileAt } from '../../declaration/launch.ts';
import { isInside } from '../../system/files.ts';
import { type Entry, readConfigurations } from '../configurations.ts';
import { nameOf, packageIn } from '../manifests/package-json.ts';
import { headOf } from '../redacted.ts';
import { labelIn } from './manifest.ts';

/** The name under which a client starts just this; undefined: none does. What somebody has approved comes first. */
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

/** Files with all of their paths: one entry names them from its folder, another does not. */
const anchored = (words: readonly string[], folder: string): string =>
  JSON.stringify(words.map((word) => fileAt(folder, word)));

/** The name in the package.json beside the file that a command runs, or above it; undefined: it runs none, or there is none. */
export function packagedName(words: readonly string[], cwd: string): string | undefined {
  const file = fileRunBy(words, cwd);
  if (file === undefined) return undefined;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const name = nameOf(packageIn(folder) ?? {});
    if (name !== undefined) return labelIn(name);
    if (folder === cwd || folder === dirname(folder)) return undefined;
  }
}

/** The file of this folder that a command names first, else what it runs. Undefined: no file, such as npx with a package. */
export function fileRunBy(words: readonly string[], cwd: string): string | undefined {
  const here = words.map((word) => fileAt(cwd, word)).find((path) => isInside(path, cwd));
  const head = fileAt(cwd, words[headOf(words) - 1] ?? '');
  return here ?? (isAbsolute(head) ? head : undefined);
}
