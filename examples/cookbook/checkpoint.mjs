// Keeps the files of the project as they are before a prompt, in a commit that no branch has. Your index and your branch stay as they are.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const KEPT = 50;
const event = JSON.parse(readFileSync(0, 'utf8'));
const cwd = event.cwd ?? process.cwd();
const scratch = mkdtempSync(join(tmpdir(), 'checkpoint-'));
const someone = { NAME: 'checkpoint', EMAIL: 'checkpoint@localhost' };
const env = {
  ...process.env,
  GIT_INDEX_FILE: join(scratch, 'index'),
  ...Object.fromEntries(
    Object.entries(someone).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  ),
};
/** Git's output, or nothing if it fails. */
const git = (args, options = {}) => {
  const ran = spawnSync('git', args, { cwd, encoding: 'utf8', ...options });
  return ran.status === 0 ? ran.stdout.trim() : undefined;
};

try {
  const top = git(['rev-parse', '--show-toplevel']);
  const index = git(['rev-parse', '--git-path', 'index']);
  if (top !== undefined && index !== undefined) {
    // A copy of the index: git then reads only what has changed.
    if (existsSync(resolve(cwd, index))) copyFileSync(resolve(cwd, index), env.GIT_INDEX_FILE);
    const added = git(['-C', top, 'add', '--all'], { env });
    const tree = added === undefined ? undefined : git(['write-tree'], { env });
    const refs = git(['for-each-ref', '--format=%(refname)', 'refs/checkpoints']) ?? '';
    const all = refs.split('\n').filter(Boolean);
    const head = git(['rev-parse', '--verify', '--quiet', 'HEAD']);
    const last = all.at(-1) ?? head;
    const isNew = tree !== undefined && tree !== (last && git(['rev-parse', `${last}^{tree}`]));
    const parents = head ? ['-p', head] : [];
    const commit =
      isNew && git(['commit-tree', tree, '-m', 'Before a prompt', ...parents], { env });
    const name = new Date().toISOString().replace(/\D/g, '-').replace(/-+$/, '');
    if (commit) git(['update-ref', `refs/checkpoints/${name}`, commit]);
    const kept = commit ? KEPT - 1 : KEPT;
    for (const old of all.slice(0, Math.max(0, all.length - kept))) git(['update-ref', '-d', old]);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
