// `npm run release`, in a clone that the tests may damage.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
  // The current files are used, not the committed ones.
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
beforeEach(async () => {
  await git('reset', '--quiet', '--hard', 'clean');
  await rm(join(clone, 'release'), { recursive: true, force: true });
});
afterAll(async () => {
  await registry?.close();
  await shelf?.remove();
});

const release = (...words: string[]) =>
  execa(process.execPath, ['scripts/release.mjs', '--checked', ...words], {
    cwd: clone,
    env: { HOME: shelf.home, npm_config_registry: registry.url, GITHUB_REF_NAME: ref },
    reject: false,
  });
/** The tag that started the workflow. */
let ref = '';
const change = async (file: string, from: string | RegExp, to: string) => {
  const text = await readFile(join(clone, file), 'utf8');
  expect(text).toMatch(from);
  await writeFile(join(clone, file), text.replace(from, to));
  await commit();
};

test('--dry-run makes all the files of a release, and publishes nothing', async () => {
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

test('in the workflow of a tag: packs once, and continues if npm already has the file', async () => {
  ref = `v${own.version}`;
  await change('CHANGELOG.md', '## Unreleased\n', `## ${own.version} - 2026-12-01\n`);
  await git('tag', ref);
  try {
    const said = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await release(...words);
      return { exitCode, said: exitCode === 0 ? stdout : stderr };
    };
    expect((await said('--publish', 'x')).said).toContain('There is no ');
    const packed = await said();
    expect(packed).toEqual({ exitCode: 0, said: expect.any(String) });
    const tarball = join(clone, 'release', `mcp-hooks-${own.version}.tgz`);
    const bytes = await readFile(tarball);
    const sum = createHash('sha256').update(bytes).digest('hex');
    expect(packed.said).toContain(`--publish ${sum}`);

    expect(await said('--publish', 'x'.repeat(64))).toEqual({
      exitCode: 1,
      said: expect.stringContaining(`has the digest ${sum}, and should have xxx`),
    });
    // npm cannot attest here, so it publishes nothing.
    expect(await said('--publish', sum)).toEqual({
      exitCode: 1,
      said: expect.stringContaining('provenance'),
    });
    expect((await fetch(`${registry.url}mcp-hooks`)).status).toBe(404);
    await registry.publish(tarball, '--tag=next');
    expect(await said('--publish', sum)).toEqual({
      exitCode: 0,
      said: expect.stringContaining('already'),
    });
    expect(
      createHash('sha256')
        .update(await readFile(tarball))
        .digest('hex'),
    ).toBe(sum);

    const other = Buffer.concat([bytes, Buffer.alloc(1)]);
    await writeFile(tarball, other);
    expect(await said('--publish', createHash('sha256').update(other).digest('hex'))).toEqual({
      exitCode: 1,
      said: expect.stringContaining('npm has another file'),
    });
  } finally {
    await git('tag', '--delete', ref);
    ref = '';
  }
});

test.each([
  ['create v1', 'that is missing', 'exit 1'],
  ['upload v1,edit v1', 'left by an earlier run', 'exit 0'],
])('%s: a release on GitHub %s', async (done, _, view) => {
  const bin = join(shelf.work, 'bin');
  await mkdir(bin, { recursive: true });
  const gh = `#!/bin/sh\n[ "$2" != view ] || ${view}\necho "$2 $3" >>../done\n`;
  await writeFile(join(bin, 'gh'), gh, { mode: 0o755 });
  await mkdir(join(clone, 'release'));
  await writeFile(join(clone, 'release/mcp-hooks-1.tgz'), 'packed');
  const notes = (sum: string) =>
    execa('bash', ['scripts/release/notes.sh', 'v1', sum], {
      cwd: clone,
      env: { PATH: `${bin}:${process.env.PATH}` },
      reject: false,
    });
  const sum = createHash('sha256').update('packed').digest('hex');
  expect((await notes(sum.replace(/^./, 'x'))).exitCode).not.toBe(0);
  expect(await readFile(join(clone, 'done'), 'utf8').catch(() => '')).toBe('');
  expect((await notes(sum)).exitCode).toBe(0);
  expect(await readFile(join(clone, 'done'), 'utf8')).toBe(`${done.replace(',', '\n')}\n`);
  await rm(join(clone, 'done'));
});

describe('refuses', () => {
  test.each([
    [
      'an uncommitted change',
      'The work tree has changes.',
      () => writeFile(join(clone, 'new'), ''),
    ],
    [
      'to publish outside the workflow of the tag',
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
      'a version that differs from the lock file',
      'package-lock.json',
      `"version": "${own.version}"`,
      '"version": "9.9.9"',
      'Run npm install.',
    ],
    [
      'a changelog that lacks the version',
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
      'a command that prints another version',
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
