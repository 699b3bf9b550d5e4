// Checks of the packed file itself, which tests of the code cannot replace.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LARGEST = 1_000_000;
/** Scripts that a package manager would run on a user's machine. */
const RUN_ON_INSTALL = ['preinstall', 'install', 'postinstall', 'prepare'];
const NEEDS = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'];

/**
 * The faults of a package.
 *
 * @param packed The output of `npm pack --json` for it.
 * @param folder The folder in which it is installed.
 */
export function faultsOf({ size, files }, folder) {
  const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = [...strings(own.exports), ...strings(own.bin), own.types, own.man];
  return [
    ...(size > LARGEST ? [`The package has ${size} bytes, and may have ${LARGEST}.`] : []),
    ...RUN_ON_INSTALL.filter((name) => own.scripts?.[name] !== undefined).map(
      (name) => `The package has the script "${name}", which an install would run.`,
    ),
    ...NEEDS.filter((name) => own[name] !== undefined).map((name) => `The package has ${name}.`),
    ...named
      .filter((path) => !existsSync(join(folder, path)))
      .map((path) => `The package names ${path}, and lacks it.`),
    ...files
      .map(({ path }) => path)
      .filter((path) => /(?:^|\/)(?:(?:node_modules|test)\/|\.\w)|\.(?:map|tgz)$/.test(path))
      .map((path) => `The package has ${path}, which nobody needs.`),
  ];
}

const strings = (value) =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(strings);
