/** If a process is killed, what it has started ends with it: every group that has not ended before. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, until } from '../support/processes.ts';

const TREES = join(import.meta.dirname, '../../dist/templates/process-tree.cjs');

/** Starts three groups, ends the second, and is killed. Prints the numbers of what runs in each, and of their children. */
const STARTS = `
const { serverTree, startTree } = require(${JSON.stringify(TREES)});
const start = () => {
  const script = "trap '' TERM; sleep 86400 & echo $$ $! $(ps -o pid= --ppid $$ | wc -l); exec sleep 86400";
  const { child, end } = startTree(serverTree(['sh', '-c', script], process.env, '/'), '/');
  return new Promise((resolve) =>
    child.stdout.once('data', (said) => { console.log(String(said).trim()); resolve({ end }); }));
};
(async () => {
  await start();
  const { end } = await start();
  end();
  await start();
  process.kill(process.pid, 'SIGKILL');
})();
`;

test('of a process that is killed all groups end, and a program has no child but its own', async ({
  onTestFinished,
}) => {
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['-e', STARTS], (_error, stdout) => resolve(stdout));
  });
  const groups = said
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const pids = groups.flatMap(([leader = 0, child = 0]) => [leader, child]);
  onTestFinished(async () => {
    for (const pid of pids) if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  expect(pids).toHaveLength(6);
  for (const pid of pids) await until('it has ended', async () => !(await isRunning(pid)));
  // Its own sleep, and what counts them: the command substitution, with the ps in it.
  expect(groups.map(([, , children]) => children)).toEqual([2, 2, 2]);
});
