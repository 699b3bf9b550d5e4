/** If a process is killed, every process group that it started and that still runs ends with it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, until } from '../support/processes.ts';

const TREES = join(import.meta.dirname, '../../dist/templates/process-tree.cjs');

/** Starts three groups, ends the second, and is killed. Prints the PIDs in each, and the number of their children. */
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

test('all groups of a killed process end, and a program has only its own children', async ({
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
  // Its own sleep, and the command substitution that counts them, with its ps.
  expect(groups.map(([, , children]) => children)).toEqual([2, 2, 2]);
});
