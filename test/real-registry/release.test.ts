// `npm run release`, in a clone that may be spoiled.
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import own from '../../package.json' with { type: 'json' };
import { World } from '../support/world.ts';
import { type Registry, startRegistry } from './registry.ts';

const ROOT = join(import.meta.dirname, '../..');

let shelf: World;
let registry: Registry;
let clone: string;
const git = (...words: string[]) => execa('git', words, { cwd: clone });
const commit = () =>
  git(
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@localhost',
    'commit',
    '--quiet',
    '--allow-empty',
    '-am',
    'Spoil',
  );

beforeAll(async () => {
  shelf = await World.make();
  registry = await startRegistry();
  clone = join(shelf.work, 'clone');
  await execa('git', ['clone', '--quiet', '--no-tags', ROOT, clone]);
  // As the files are now, and not as they are committed.
  await cp(join(ROOT, 'scripts'), join(clone, 'scripts'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  await writeFile(join(clone, '.git/info/exclude'), 'node_modules\n');
  await git('add', '-A');
  await commit();
  await git('tag', 'clean');
});
beforeEach(() => git('reset', '--quiet', '--hard', 'clean'));
afterAll(async () => {
  await registry?.close();
  await shelf?.remove();
});

const release = (...words: string[]) =>
  execa(process.execPath, ['scripts/release.mjs', '--checked', ...words], {
    cwd: clone,
    env: { HOME: shelf.home, npm_config_registry: registry.url, GITHUB_REF_NAME: '' },
    reject: false,
  });
const change = async (file: string, from: string | RegExp, to: string) => {
  const text = await readFile(join(clone, file), 'utf8');
  expect(text).toMatch(from);
  await writeFile(join(clone, file), text.replace(from, to));
  await commit();
};

test('--dry-run leaves everything that a release needs, and publishes nothing', async () => {
  await change(
    'CHANGELOG.md',
    '## Unreleased\n',
    `## Unreleased\n\n## ${own.version} - 2026-12-01\n`,
  );
  const { exitCode, stdout, stderr } = await release('--dry-run');
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  expect(stdout).toContain('--provenance --dry-run');
  const left = (name: string) => readFile(join(clone, 'release', name));
  const tarball = `mcp-hooks-${own.version}.tgz`;
  expect(await readdir(join(clone, 'release'))).toEqual(
    ['mcp-hooks.json', 'mcp-hooks.rb', 'notes.md', 'schemastore.json', tarball].sort(),
  );
  const sum = createHash('sha256')
    .update(await left(tarball))
    .digest('hex');
  const address = `https://registry.npmjs.org/mcp-hooks/-/${tarball}`;
  expect(String(await left('mcp-hooks.rb'))).toContain(`url "${address}"\n  sha256 "${sum}"`);
  expect(JSON.parse(String(await left('mcp-hooks.json')))).toMatchObject({
    url: address,
    hash: sum,
  });
  const changelog = await readFile(join(clone, 'CHANGELOG.md'), 'utf8');
  expect(changelog.endsWith(String(await left('notes.md')))).toBe(true);
  expect((await fetch(`${registry.url}mcp-hooks`)).status).toBe(404);
});

describe('refuses', () => {
  test.each([
    [
      'a change that is not committed',
      'The work tree has changes.',
      () => writeFile(join(clone, 'new'), ''),
    ],
    [
      'to publish anywhere but in the workflow of the tag',
      'Only the workflow',
      () => git('tag', '-f', 'other'),
    ],
  ])('%s', async (_, said, spoil) => {
    await spoil();
    const { exitCode, stderr } = await release(...(said.startsWith('Only') ? [] : ['--dry-run']));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(said)]);
    await git('clean', '--quiet', '--force');
  });

  test.each([
    [
      'a version whose lock file does not follow',
      'package-lock.json',
      `"version": "${own.version}"`,
      '"version": "9.9.9"',
      'Run npm install.',
    ],
    [
      'a changelog without the version',
      'CHANGELOG.md',
      '## Unreleased',
      '## Later',
      'has nothing about',
    ],
    [
      'a script that an install would run',
      'package.json',
      '"scripts": {',
      '"scripts": { "postinstall": "true",',
      'which an install would run',
    ],
    [
      'an entry that is not in the package',
      'package.json',
      './dist/engine.js',
      './dist/motor.js',
      'and lacks it',
    ],
    [
      'a command that does not know its version',
      'src/cli/cli.cjs',
      /`.{10}\\n`/, // the version
      "'1\\n'",
      'prints 1 for its version',
    ],
  ])('%s', async (_, file, from, to, said) => {
    await change(file, from, to);
    const { exitCode, stderr } = await release('--dry-run');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(said)]);
  });
});
