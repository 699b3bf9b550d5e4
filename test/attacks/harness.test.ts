/** Every other test here relies on this: a trap leaves its mark when it runs. */
import { execa } from 'execa';
import { describe } from 'vitest';
import { attack, env } from './attack.ts';

describe('a trap is sprung', () => {
  attack('as a server that is asked for its hooks', async ({ world, trap, expect }) => {
    const { command, args } = trap.server('server');
    const { out } = await world.run(
      ['diff', '--name', 'x', '--client', 'codex', '--', command, ...args],
      { env },
    );
    expect(out).toContain('Hello.');
    expect(trap.sprung()).toEqual(['server']);
    trap.reset();
    expect(trap.sprung()).toEqual([]);
  });

  attack(
    'as a file that node requires, and as a line of a shell',
    async ({ world, trap, expect }) => {
      await execa(process.execPath, ['--require', trap.file('file'), '-e', '0']);
      await execa('/bin/sh', ['-c', trap.shell('shell')], { cwd: world.work });
      expect(trap.sprung()).toEqual(['file', 'shell']);
    },
  );
});
