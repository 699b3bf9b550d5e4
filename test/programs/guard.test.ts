/** If a process is killed, one shell ends what it has started: every group that has not ended before. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, until } from '../support/processes.ts';

const GUARD = join(import.meta.dirname, '../../templates/guard.cjs');

/** Starts four groups, the last one late, says that the second has ended, and is killed. */
const STARTS = `
const { spawn, execFileSync } = require('node:child_process');
const { guard } = require(${JSON.stringify(GUARD)});
const start = () => {
  const { pid } = spawn('/bin/sleep', ['86400'], { detached: true, stdio: 'ignore' });
  console.log(pid);
  return guard(pid);
};
const release = [start(), start(), start()];
release[1]();
release[1]();
setTimeout(() => {
  start();
  const shells = execFileSync('ps', ['--ppid', process.pid, '-o', 'args='], { encoding: 'utf8' });
  console.log(shells.split('mcp-hooks').length - 1);
  process.kill(process.pid, 'SIGKILL');
}, 50);
`;

test('of a process that is killed all groups end but those that had ended', async ({
  onTestFinished,
}) => {
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['-e', STARTS], (_error, stdout) => resolve(stdout));
  });
  const [first = 0, released = 0, third = 0, late = 0, shells] = said
    .trim()
    .split('\n')
    .map(Number);
  onTestFinished(async () => {
    for (const pid of [first, released, third, late])
      if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  for (const pid of [first, third, late])
    await until('it has ended', async () => !(await isRunning(pid)));
  expect(await isRunning(released)).toBe(true);
  expect(shells).toBe(1);
});
