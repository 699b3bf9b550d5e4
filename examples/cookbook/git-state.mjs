// Tells the model the branch, the uncommitted changes and the last commits.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const event = JSON.parse(readFileSync(0, 'utf8'));
const cwd = event.cwd ?? process.cwd();
const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', timeout: 3000 });
  return status === 0 ? stdout.trimEnd() : '';
};

const status = git('status', '--short', '--branch', '--no-ahead-behind');
if (status !== '') {
  const [branch = '', ...files] = status.split('\n');
  const more = files.length > 15 ? [`and ${files.length - 15} more`] : [];
  const log = git('log', '-5', '--format=%h %s').split('\n').filter(Boolean);
  const lines = [
    `Branch: ${branch.replace(/^## /, '')}`,
    ...(files.length > 0
      ? ['In no commit:', ...files.slice(0, 15), ...more]
      : ['Everything is committed.']),
    ...(log.length > 0 ? ['Last commits:', ...log.map((line) => line.slice(0, 100))] : []),
  ];
  console.log(lines.join('\n'));
}
