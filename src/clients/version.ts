/** The version of a client's executable, as far as the files around it tell, and which of two versions is older. */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../system/errors.ts';
import { getPath, parse, str } from '../system/json.ts';
import type { Client } from './contract.ts';

/** A version of a client; undefined: it is not known, and is taken for the newest. */
export type Version = string | undefined;

export const isTooOld = (
  { minimum }: Pick<Client, 'minimum'>,
  version: Version,
): version is string => version !== undefined && compareVersions(version, minimum) < 0;

/** How many folders above an executable may hold its package. */
const NEAR = 4;

/** From the package that the executable is in, or from the name of its folder, which some installers name after the version. */
export function packagedVersion(
  { npmPackage }: Client,
  executable: string,
  read: (path: string) => Buffer | null,
): string | undefined {
  return attempt(() => {
    const path = realpathSync.native(executable);
    for (let folder = dirname(path), left = NEAR; left > 0; left--) {
      const file = join(folder, 'package.json');
      const { name, version } = existsSync(file) ? packageIn(read(file)) : {};
      if (name === npmPackage && version !== undefined) return version;
      folder = dirname(folder);
    }
    return /\/(?:Cellar\/[^/]+|versions)\/(\d+\.\d+\.\d+)(?=$|[/_-])/.exec(path)?.[1];
  });
}

function packageIn(bytes: Buffer | null): { name?: string; version?: string } {
  const value = attempt(() => parse(bytes?.toString() ?? ''));
  const [name, version] = [str(getPath(value, 'name')), str(getPath(value, 'version'))];
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/.test(version) ? { name, version } : {};
}

/** Below 0: the first is older. Anything after the third number is ignored. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const at = [0, 1, 2].find((i) => left?.[i] !== right?.[i]) ?? 0;
  return (left?.[at] ?? 0) - (right?.[at] ?? 0);
}
