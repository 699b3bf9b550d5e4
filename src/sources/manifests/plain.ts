/** A manifest that is a file of its own. */

import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { LABEL } from '../../declaration/declaration.ts';
import { loadManifest, readManifestText, type Surroundings } from '../../declaration/manifest.ts';
import { isRecord } from '../../declaration/schema.ts';
import type { Contents } from './kind.ts';
import { nameOf, packageJson } from './package-json.ts';

/** Its names in a folder, which it has to itself. */
export const IN_FOLDER = ['mcp-hooks.json', 'mcp-hooks.jsonc'];

/** Called as it is in a folder, it says nothing of its server by its name: a package.json beside it may. */
export function besidePlain(file: string): Pick<Surroundings, 'label' | 'told'> {
  const label = basename(file, extname(file));
  if (!IN_FOLDER.includes(basename(file))) return { label };
  const folder = dirname(file);
  const contents = packageIn(folder);
  const names = [contents && nameOf(contents)?.name, basename(folder)];
  return {
    label: names.find((name) => name !== undefined && LABEL.test(name)) ?? label,
    ...(contents && { told: () => packageJson.told(contents, { folder }) }),
  };
}

/** The package.json of a folder, if there is one that can be read: nobody has named it. */
function packageIn(folder: string): Contents | undefined {
  const file = join(folder, 'package.json');
  try {
    if (!existsSync(file)) return undefined;
    const { value } = readManifestText(loadManifest(file, file));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
