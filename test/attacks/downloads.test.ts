/** Launchers such as npx, which get extra time for downloads, and files that lie where they look. */
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import type { EventProgram } from '../../src/compile/program.ts';
import { offline } from '../../src/diagnose/live/hook-scenarios.ts';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { attack, env } from './attack.ts';

attack('a launcher that downloads again and again is ended', async ({ world }) => {
  // It starts a program that does not answer, so the download counts as done, and later starts another one.
  const script = `#!${process.execPath}
const fs = require('node:fs');
const again = () => {
  const child = require('node:child_process').spawn('/bin/sh', ['-c', 'trap "" TERM; exec /bin/sleep 2']);
  fs.appendFileSync(${JSON.stringify(world.path('pids'))}, child.pid + ' ');
  child.on('exit', () => setTimeout(again, 1000));
};
process.on('SIGTERM', () => {});
again();
`;
  await world.write('uvx', script, 0o755);
  const asked = askServer({
    ...{ command: world.path('uvx'), args: ['notes'], cwd: world.work, env: world.env() },
    ...{ label: 'notes', name: 'notes', version: '1', deadline: 3500, downloadDeadline: 4000 },
  });
  await expect(asked).rejects.toThrow('download-too-long');
  const pids = (await world.read('pids')).trim().split(' ').map(Number);
  expect(pids.length).toBeLessThan(4);
  const left = () =>
    pids.filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
  // On a busy machine, a killed process remains for a moment.
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
});

attack('a pipe in the place of a package or an .npmrc is not read', async ({ make }) => {
  for (const pipe of ['package.json', '.npmrc']) {
    const world = await make();
    const folder = 'node_modules/notes';
    await world.folder('~/.claude', folder);
    // Slow enough that the progress of the download is checked twice.
    await world.write('npx', '#!/bin/sh\n/bin/sleep 2\nexit 7\n', 0o755);
    execFileSync('mkfifo', [world.path(pipe === '.npmrc' ? '~/.npmrc' : `${folder}/${pipe}`)]);
    const words = ['--name', 'notes', '--client', 'claude', '--yes', '--'];
    const running = world.start(['install', ...words, world.path('npx'), 'notes'], { env });
    const timer = setTimeout(() => running.kill('SIGKILL'), 14_000);
    const { exitCode, stderr } = await running;
    clearTimeout(timer);
    expect([pipe, exitCode, stderr]).toEqual([pipe, 2, expect.stringContaining('exit code 7')]);
  }
});

attack(
  "a launcher's package is not taken from a clone if the server runs elsewhere",
  async ({ world }) => {
    await world.write('node_modules/notes/package.json', JSON.stringify({ bin: 'evil.js' }));
    await world.write('node_modules/notes/evil.js', '');
    await world.folder('~/tools');
    const server = { command: 'npx', args: ['notes'], cwd: world.path('~/tools') };
    const program = {
      ...{ label: 'notes', client: 'codex', native: 'Stop', state: '/s', wire: {}, names: {} },
      ...{ policy: {}, hooks: [], server: { ...server, given: { variables: [] } } },
    };
    const files = new Map([['codex.Stop.json', Buffer.from(JSON.stringify(program))]]);
    const { runner } = offline(files, { cwd: world.work, env: world.env() });
    const copied: EventProgram = JSON.parse(`${runner.get('codex.Stop.json')}`);
    expect(copied.server).toMatchObject({ ...server, command: process.execPath, args: ['-e', ''] });
  },
);
