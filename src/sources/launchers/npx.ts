/**
 * Where npx finds a package without the network: in the project, among the global packages, or in its own cache.
 *
 * Source: https://github.com/npm/cli/blob/latest/workspaces/libnpmexec/lib/index.js
 */

import { existsSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { homeIn } from '../../clients/places.ts';
import type { Env } from '../../system/env.ts';
import { foldersUpFrom } from '../../system/git/folders.ts';
import { isRegular, textOf } from '../../system/regular-file.ts';
import { commandsOf, onlyOne, packageIn } from '../manifests/package-json.ts';
import type { Launcher } from './launcher.ts';

export interface NpxPlace {
  readonly cwd: string;
  readonly env: Env;
}

type Wanted = Pick<Launcher, 'packages' | 'program'>;

/** The file that npx starts for these words. Undefined if npx has to download something first, or if that is unknown. */
export function programOfNpx(wanted: Wanted, around: NpxPlace): string | undefined {
  const [spec = ''] = wanted.packages;
  const { name, version } = named(spec) ?? {};
  if (name === undefined) return undefined;
  const isMeant = (folder: string) => {
    const found = packageIn(folder);
    return found !== undefined && (version === undefined || found.version === version);
  };
  const elsewhere =
    wanted.packages.length === 1 && (version === undefined || /^\d/.test(version))
      ? [...inProject(around), ...globally(around)].find((modules) => isMeant(join(modules, name)))
      : undefined;
  // The cache has a folder for exactly these words.
  const modules = [elsewhere, cached(wanted, around)];
  return modules.flatMap((folder) => (folder && programIn(folder, name, wanted.program)) || [])[0];
}

/** Whether npx uses a globally installed package. */
export const isGlobal = ({ name }: { readonly name: string }, around: Pick<NpxPlace, 'env'>) =>
  globally(around).some((modules) => existsSync(join(modules, name)));

/** Whether all packages come from a registry, so that their folders are known in advance. */
export const allFromRegistry = ({ packages }: Pick<Launcher, 'packages'>): boolean =>
  packages.length > 0 && packages.every((spec) => named(spec) !== undefined);

/** A package of a registry. Undefined for a folder, an archive or a repository. */
function named(spec: string): { readonly name: string; readonly version?: string } | undefined {
  const [, name, version] =
    /^((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:@([\w.*^~<>=| -]+))?$/.exec(spec) ?? [];
  return name === undefined ? undefined : { name, ...(version !== undefined && { version }) };
}

/** The program of a package: the named one, otherwise the only one, or the one with the name of the package. */
function programIn(modules: string, name: string, program: string | undefined): string | undefined {
  const folder = join(modules, name);
  const own = name.replace(/^.*\//, '');
  const commands = commandsOf(packageIn(folder) ?? {}, own);
  const file =
    commands.get(program ?? own) ?? (program === undefined ? onlyOne(commands) : undefined);
  const path = file === undefined ? undefined : resolve(folder, file);
  if (path !== undefined && isRegular(path)) return path;
  // Any of several packages may contain the program.
  const linked = program === undefined ? undefined : join(modules, '.bin', program);
  return linked !== undefined && isRegular(linked) ? linked : undefined;
}

const inProject = ({ cwd }: NpxPlace): string[] =>
  foldersUpFrom(cwd).map((folder) => join(folder, 'node_modules'));

/** Below the configured prefix, or below that of the npx on the PATH. */
function globally({ env }: Pick<NpxPlace, 'env'>): string[] {
  const shared = process.platform === 'win32' ? 'node_modules' : 'lib/node_modules';
  const prefixes = [
    npmSetting('prefix', env),
    ...(env.PATH ?? '')
      .split(delimiter)
      .filter((folder) => isAbsolute(folder) && existsSync(join(folder, 'npx')))
      .map(dirname),
    dirname(dirname(process.execPath)),
  ];
  return prefixes.flatMap((prefix) => (prefix === undefined ? [] : join(prefix, shared)));
}

/** The folder into which npx has downloaded these packages. Undefined if it has not, or not completely. */
function cached(wanted: Wanted, around: NpxPlace): string | undefined {
  const modules = modulesOfNpx(wanted, around);
  return existsSync(join(modules, WRITTEN_LAST)) ? modules : undefined;
}

/** The file in which npm lists the packages of a folder, written once all of them are there. */
const WRITTEN_LAST = '.package-lock.json';

/** The modules folder for these packages, whether it exists or not. */
export function modulesOfNpx(
  { packages }: Pick<Wanted, 'packages'>,
  { env }: Pick<NpxPlace, 'env'>,
): string {
  const home = homeIn(env) ?? '';
  const usual =
    process.platform === 'win32' && env.LOCALAPPDATA
      ? join(env.LOCALAPPDATA, 'npm-cache')
      : join(home, '.npm');
  const words = [...packages].sort((a, b) => a.localeCompare(b, 'en')).join('\n');
  const hash = process
    .getBuiltinModule('node:crypto')
    .createHash('sha512')
    .update(words)
    .digest('hex')
    .slice(0, 16);
  return join(npmSetting('cache', env) ?? usual, '_npx', hash, 'node_modules');
}

/** An npm setting: an environment variable, or a line of the user's file. */
function npmSetting(key: string, env: Env): string | undefined {
  const variable = Object.keys(env).find((name) => name.toLowerCase() === `npm_config_${key}`);
  const value = (variable && env[variable]) || lineOf(key, env);
  return value && isAbsolute(value) ? value : undefined;
}

function lineOf(key: string, env: Env): string | undefined {
  const home = homeIn(env);
  if (home === undefined) return undefined;
  const text = textOf(join(home, '.npmrc'));
  const line = new RegExp(`^[ \\t]*${key}[ \\t]*=(.*)$`, 'm').exec(text)?.[1];
  const value = line?.trim().replace(/^["']|["']$/g, '');
  return value?.replace(/^~(?=\/)|\$\{HOME\}/, () => home);
}

/** Whether npx is replacing its copy, because it found a newer version of an unpinned package. */
export function isReplacing(wanted: Wanted, around: NpxPlace, since: number): boolean {
  const modules = modulesOfNpx(wanted, around);
  const changed = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changed(modules) >= since && changed(join(modules, WRITTEN_LAST)) < since;
}
