/** The package that npx would start and its dependencies: their versions, and whether a copy of them would also start. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageCopy, ServerLaunch } from '../../declaration/declared.ts';
import { isRecord } from '../../declaration/schema.ts';
import { attempt } from '../../system/errors.ts';
import { sha256 } from '../../system/fingerprint.ts';
import { commandOfPackage } from '../manifests/package-json.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { isExact, readSpec, type Wanted } from './fetch.ts';
import { type Asked, inScratchFolder, runNpm } from './run.ts';

/** A command that a copy of the package can replace. */
interface NpxStart extends Pick<PackageCopy, 'spec' | 'after'> {
  readonly wanted: Wanted;
}

const SETS_NPM = /^(?:npm_config_.*|home|userprofile|appdata|prefix)$/i;

/** Undefined for any other command, and for forms of npx that are not fully understood. */
export function npxStart(server: ServerLaunch | undefined): NpxStart | undefined {
  if (!server || 'url' in server) return undefined;
  // Such a variable may point npx to another registry than ours, for example through the .npmrc of another home.
  if (Object.keys(server.env ?? {}).some((name) => SETS_NPM.test(name))) return undefined;
  const { command, args = [] } = server;
  // How a script is started on Windows.
  const isCmd = /^cmd(?:\.exe)?$/i.test(command) && /^\/[cd]$/i.test(args[0] ?? '');
  const program = isCmd ? (args[1] ?? '') : command;
  if (!/^(?:(?:[\\/]|[a-z]:[\\/])(?:.*[\\/])?)?npx(?:\.cmd)?$/i.test(program)) return undefined;
  const at = args.findIndex(
    (word, index) => index >= (isCmd ? 2 : 0) && !/^(?:-y|--yes)$/.test(word),
  );
  const spec = args[at] ?? '';
  const wanted = readSpec(spec);
  return wanted && { wanted, spec, after: at + 1 };
}

/**
 * The package.json for npm. Without a fixed name, the lock file would contain that of the temporary folder, which differs each
 * time.
 */
const manifestFor = ({ name, version }: Wanted): string =>
  `${JSON.stringify({ name: 'mcp-hooks-copy', private: true, dependencies: { [name]: version } }, null, 2)}\n`;

/** These override the user's settings, so that exactly the versions found are installed. */
const FLAGS = [
  ...['--no-audit', '--no-fund', '--no-dry-run'],
  // A package must not make npm contact anything but the registry. An npm that is too old for these flags ignores them.
  ...['git', 'remote', 'file', 'directory'].map((kind) => `--allow-${kind}=none`),
];

/** `folder`: the folder name of a copy. It differs if the version of any package differs. */
export type Found = Required<Pick<PackageCopy, 'exact' | 'others' | 'folder' | 'made'>>;

/**
 * Asks npm for the newest matching versions. Only metadata is downloaded.
 *
 * @throws SourceError if npm cannot resolve them, or if a copy could not replace npx.
 */
export function findPackage(wanted: Wanted, request: Asked): Promise<Found> {
  return inScratchFolder(async (folder) => {
    writeFileSync(join(folder, 'package.json'), manifestFor(wanted));
    const spec = `${wanted.name}@${wanted.version}`;
    const words = ['--package-lock', '--package-lock-only', ...FLAGS];
    await runNpm(['install', ...words], { spec, folder }, request);
    const lock = attempt(() => readFileSync(join(folder, LOCK), 'utf8')) ?? '';
    return foundIn(lock, wanted);
  });
}

/**
 * Downloads exactly the versions that were found, and verifies the checksum of each package. @param folder An empty folder of
 * ours.
 */
export async function downloadPackage(
  { wanted, exact, made }: Pick<Found, 'exact' | 'made'> & { readonly wanted: Wanted },
  folder: string,
  request: Asked,
): Promise<void> {
  writeFileSync(join(folder, 'package.json'), manifestFor(wanted));
  writeFileSync(join(folder, LOCK), made.lock);
  const words = ['--no-package-lock-only', ...FLAGS];
  await runNpm(['ci', ...words], { spec: exact, folder }, request);
}

/** A package in npm's lock file. */
interface Entry {
  readonly path: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export function foundIn(lock: string, wanted: Wanted): Found {
  const spec = `${wanted.name}@${wanted.version}`;
  const value: unknown = attempt(() => JSON.parse(lock));
  const all = isRecord(value) && isRecord(value.packages) ? value.packages : {};
  const entries = Object.entries(all).flatMap(([path, facts]): Entry[] =>
    path !== '' && isRecord(facts) ? [{ path, facts }] : [],
  );
  const own = entries.find(({ path }) => path === `${MODULES}${wanted.name}`);
  const version = own?.facts.version;
  if (!own || typeof version !== 'string' || !isExact(version))
    throw new SourceError({ code: 'npm-broken', spec });
  const used = entries.filter(isForHere);
  const exact = `${wanted.name}@${version}`;
  const scripts = used.filter(({ facts }) => facts.hasInstallScript === true).map(nameOf);
  if (scripts.length > 0)
    throw new SourceError({ code: 'copy-needs-scripts', spec: exact, names: scripts });
  const unchecked = used.filter((one) => !isChecked(one)).map(nameOf);
  if (unchecked.length > 0)
    throw new SourceError({ code: 'copy-unchecked', spec: exact, names: unchecked });
  const command = commandOfPackage({ ...own.facts, name: wanted.name });
  if ('why' in command)
    throw new SourceError({ code: 'copy-no-start', spec: exact, why: command.why });
  const bin = command.path.replace(/^\.\//, '');
  if (/^[\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)|[\0:]/.test(bin)) {
    const why: SourceMessage = { code: 'bin-outside', path: command.path };
    throw new SourceError({ code: 'copy-no-start', spec: exact, why });
  }
  const plain = exact
    .replace(/^@/, '')
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 80);
  return {
    exact,
    others: entries.length - 1,
    folder: `${plain}-${hashOfLock(lock)}`,
    made: { lock, bin: `${wanted.name}/${bin}` },
  };
}

/** npm's lock file with everything that is installed. */
export const LOCK = 'package-lock.json';

/** Number of digits at the end of a folder's name, from a hash of the lock file. */
const HASH = 12;
export const hashOfLock = (lock: string | Uint8Array): string => sha256(lock).slice(0, HASH);

export const MODULES = 'node_modules/';

const nameOf = ({ path }: Entry): string => path.slice(path.lastIndexOf(MODULES) + MODULES.length);

/** Whether a package is for this system: optional packages are often for a single system. */
function isForHere({ facts: { optional, os, cpu } }: Entry): boolean {
  const isListed = (list: unknown, own: string) =>
    !Array.isArray(list) ||
    (!list.includes(`!${own}`) &&
      (list.every((one) => `${one}`.startsWith('!')) || list.includes(own)));
  return optional !== true || (isListed(os, process.platform) && isListed(cpu, process.arch));
}

/**
 * Whether npm verifies a checksum of the package. It does not for folders and repositories. A bundled package is part of
 * another one.
 */
const isChecked = ({ facts: { integrity, resolved, inBundle, link } }: Entry): boolean =>
  link !== true &&
  (inBundle === true ||
    (typeof integrity === 'string' &&
      /^sha(?:256|384|512)-/.test(integrity) &&
      typeof resolved === 'string' &&
      /^https?:/.test(resolved)));
