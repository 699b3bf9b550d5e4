/** `mcp-hooks` in a terminal, which script(1) makes: questions are answered when they are asked. */
import { execa, execaSync } from 'execa';
import { inject } from 'vitest';
import type { World } from './world.ts';

export const hasTerminal = (): boolean =>
  !execaSync('script', ['--version'], { reject: false }).failed;

/** @param answers Parts of questions in the order in which they are asked, and the key that answers each. */
export async function typed(
  world: World,
  line: string,
  answers: readonly (readonly [question: string, key: 'y' | 'n'])[],
): Promise<{ readonly code: number | undefined; readonly said: string; readonly asked: number }> {
  const words = [process.execPath, inject('cli'), ...line.split(' ')];
  const command = words.map((word) => `'${word}'`).join(' ');
  const running = execa('script', ['-qefc', command, '/dev/null'], {
    cwd: world.work,
    env: {
      ...world.env(),
      PATH: process.env.PATH,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      NO_COLOR: '1',
    },
    extendEnv: false,
    reject: false,
  });
  let said = '';
  let asked = 0;
  let from = 0;
  running.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk);
    const [question, key] = answers[asked] ?? [];
    const at = question === undefined ? -1 : said.indexOf(question, from);
    if (at === -1) return;
    from = at + 1;
    asked += 1;
    running.stdin.write(`${key}\r`);
  });
  const { exitCode } = await running;
  return { code: exitCode, said, asked };
}
