/** Packed builds of the work tree and of earlier commits, each with a version of its own. */
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Stand-ins for releases until releases exist: two commits made since the ledger got its format. A shallow clone lacks
 * them (`git fetch --unshallow`).
 */
const OLDER = { '0.0.1': '1fb54d3a', '0.0.2': 'dd7e31eb' } as const;
export type Version = keyof typeof OLDER | 'current';
export const VERSIONS: readonly Version[] = ['0.0.1', '0.0.2', 'current'];

const quiet = ['--json', '--loglevel=error'];

/** Packs a version into a folder. Returns the tarball's path. */
export async function packed(version: Version, folder: string): Promise<string> {
  const to = join(folder, version);
  await mkdir(to, { recursive: true });
  const env = { HOME: folder };
  // Also runs the scripts of `npm publish`, because only they make the types.
  const npm = (cwd: string, ...more: string[]) =>
    execa('npm', ['pack', ...quiet, '--pack-destination', to, ...more], { cwd, env });
  if (version === 'current') {
    await npm(ROOT);
  } else {
    const tree = join(to, 'tree');
    await mkdir(tree);
    const archive = await execa('git', ['archive', '--format=tar', OLDER[version]], {
      cwd: ROOT,
      encoding: 'buffer',
    });
    await execa('tar', ['-x', '-C', tree, '--exclude=test', '--exclude=docs'], {
      input: archive.stdout,
    });
    await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    const file = join(tree, 'package.json');
    const own = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...own, version }));
    await execa(process.execPath, ['build.mjs'], { cwd: tree });
    await npm(tree, '--ignore-scripts');
  }
  const { version: own } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const name = `mcp-hooks-${version === 'current' ? own : version}.tgz`;
  const tarball = join(folder, `mcp-hooks-${version}.tgz`);
  await rename(join(to, name), tarball);
  return tarball;
}

/** Unpacks a tarball as a package manager does. Returns the path of its command. */
export async function unpacked(tarball: string): Promise<string> {
  const folder = tarball.replace(/\.tgz$/, '');
  await mkdir(folder, { recursive: true });
  await execa('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package/dist/cli.cjs');
}
