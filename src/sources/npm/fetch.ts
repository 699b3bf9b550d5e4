/** Fetches a package with the user's own npm, and so with its registry, proxy and login. Nothing in the package is run. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../declaration/schema.ts';
import { attempt } from '../../system/errors.ts';
import { SourceError } from '../messages.ts';
import { type Asked, inScratchFolder, runNpm } from './run.ts';

/** Maximum bytes of a packed package. */
const LIMIT = 128 * 1024 * 1024;

interface Fetched {
  /** `name@1.2.3`. */
  readonly exact: string;
  readonly tarball: Buffer;
}

export function fetchPackage({ name, version }: Wanted, request: Asked): Promise<Fetched> {
  const spec = `${name}@${version}`;
  return inScratchFolder(async (folder) => {
    // Otherwise npm would use the nearest parent folder with a package.json as its project, and obey the .npmrc there.
    writeFileSync(join(folder, 'package.json'), '{}\n');
    const said = await pack(spec, folder, request);
    const [file, ...more] = readdirSync(folder).filter((one) => one.endsWith('.tgz'));
    const found = versionIn(said);
    if (file === undefined || more.length > 0 || found === undefined)
      throw new SourceError({ code: 'npm-broken', spec });
    const path = join(folder, file);
    if (statSync(path).size > LIMIT)
      throw new SourceError({ code: 'npm-too-large', spec, limitBytes: LIMIT });
    return { exact: `${name}@${found}`, tarball: readFileSync(path) };
  });
}

/** The version that the registry served. The package itself may claim another one. */
function versionIn(said: string): string | undefined {
  const answer: unknown = attempt(() => JSON.parse(said));
  const [first]: unknown[] = Object.values(answer ?? {}); // a list or, in newer versions, an object
  const version = isRecord(first) ? first.version : undefined;
  return typeof version === 'string' && isExact(version) ? version : undefined;
}

const pack = (spec: string, folder: string, request: Asked): Promise<string> =>
  runNpm(['pack', '--json', `--pack-destination=${folder}`, '--', spec], { spec, folder }, request);

// A name or a version that matches these can never be a flag, a path or an address. Capitals are allowed because old names have
// them. Source: https://docs.npmjs.com/cli/configuring-npm/package-json#name
const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;

/** Source: https://semver.org */
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** A version, a tag, or a range that is a single word. */
const WANTED = /^[~^]?[0-9A-Za-z][0-9A-Za-z._+-]*$/;

export const isPackageName = (text: string): boolean => text.length <= 214 && NAME.test(text);
export const isExact = (text: string): boolean => text.length <= 256 && EXACT.test(text);

export interface Wanted {
  readonly name: string;
  readonly version: string;
}

/** `name`, `@scope/name`, `name@1.2.3`, `name@next`. Undefined for anything else. */
export function readSpec(spec: string): Wanted | undefined {
  const sign = spec.indexOf('@', 1);
  const name = sign === -1 ? spec : spec.slice(0, sign);
  const version = sign === -1 ? 'latest' : spec.slice(sign + 1);
  return isPackageName(name) && version.length <= 256 && WANTED.test(version)
    ? { name, version }
    : undefined;
}
