/** A guard for one branch, and a model or a clone that hides the branch. Git itself says which one is checked out. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chain } from '../support/runner/chain.ts';
import { blocking, reasonIn } from '../support/runner/guards.ts';

const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  }).trim();

/** Makes a folder that only looks like a repository. */
function decoy(folder: string, head: string | undefined, ...folders: string[]): void {
  mkdirSync(join(folder, '.git'));
  if (head !== undefined) writeFileSync(join(folder, '.git/HEAD'), head);
  for (const one of folders) mkdirSync(join(folder, '.git', one));
}
const ELSEWHERE = 'ref: refs/heads/other\n';

const HIDING: readonly (readonly [how: string, hide: (root: string, deep: string) => void])[] = [
  ['nothing is hidden', () => {}],
  ['an empty .git below', (_, deep) => decoy(deep, undefined)],
  ['a .git below that has only a HEAD', (_, deep) => decoy(deep, ELSEWHERE)],
  ['a .git below without refs', (_, deep) => decoy(deep, ELSEWHERE, 'objects')],
  ['a .git below without objects', (_, deep) => decoy(deep, ELSEWHERE, 'refs')],
  ['a .git below without a HEAD', (_, deep) => decoy(deep, undefined, 'objects', 'refs')],
  ['a .git below with a broken HEAD', (_, deep) => decoy(deep, 'other\n', 'objects', 'refs')],
  [
    'a HEAD without a space',
    (root) => writeFileSync(join(root, '.git/HEAD'), 'ref:refs/heads/main'),
  ],
  [
    'a HEAD with a tab',
    (root) => writeFileSync(join(root, '.git/HEAD'), 'ref:\t refs/heads/main \n'),
  ],
  [
    'a HEAD that is a link',
    (root) => {
      rmSync(join(root, '.git/HEAD'));
      symlinkSync('refs/heads/main', join(root, '.git/HEAD'));
    },
  ],
];

test.each(HIDING)('a guard for a branch finds the branch: %s', async (_, hide) => {
  const world = chain({ hooks: [blocking({ branch: 'main' })] });
  const deep = join(world.cwd, 'deep');
  mkdirSync(deep);
  gitIn(world.cwd, 'init', '--quiet', '--initial-branch', 'main');
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  gitIn(world.cwd, ...who, 'commit', '--quiet', '--allow-empty', '--message', 'First');
  hide(world.cwd, deep);
  expect(gitIn(deep, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
  const { answer } = await world.fire('PreToolUse', { cwd: deep });
  expect(reasonIn(answer)).toContain('No.');
});
