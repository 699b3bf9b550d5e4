/** `mcp-hooks` in a terminal, by script(1), with a user who answers each question once it has been asked. */
import { execa, execaSync } from 'execa';
import { inject } from 'vitest';
import type { RunOptions, World } from './world.ts';

export const hasTerminal = (): boolean =>
  !execaSync('script', ['--version'], { reject: false }).failed;

/** The most columns that a text takes in any terminal. */
export const wide = (text: string): number =>
  [...text].reduce((sum, one) => sum + (/[ -~\u00A0-\u02FF]/.test(one) ? 1 : 2), 0);

export interface Keys {
  /** Once this has been printed, after the previous answer ... */
  readonly after: string;
  /** ... this is typed. */
  readonly type: string;
}

export interface Typed {
  readonly code: number | undefined;
  /** All that was printed, on stdout or stderr; a terminal does not tell them apart. */
  readonly out: string;
  /** How many of the keys were typed. */
  readonly asked: number;
}

export async function onTerminal(
  world: World,
  words: readonly string[],
  { env, keys = [] }: { readonly env?: RunOptions['env']; readonly keys?: readonly Keys[] } = {},
): Promise<Typed> {
  const command = [process.execPath, inject('cli'), ...words].map((word) => `'${word}'`).join(' ');
  const running = execa('script', ['-qefc', command, '/dev/null'], {
    cwd: world.work,
    env: {
      ...world.env({ TERM: 'xterm', NO_COLOR: '1', ...env }),
      PATH: `${world.bin}:${process.env.PATH}`,
      SHELL: '/bin/sh',
    },
    extendEnv: false,
    reject: false,
  });
  let seen = '';
  let from = 0;
  let asked = 0;
  running.stdout.on('data', (chunk: Buffer) => {
    seen += String(chunk);
    const next = keys[asked];
    const at = next ? seen.indexOf(next.after, from) : -1;
    if (!next || at === -1) return;
    from = at + 1;
    asked += 1;
    running.stdin.write(next.type);
  });
  const { exitCode, stdout } = await running;
  return { code: exitCode, out: stdout.replaceAll('\r', ''), asked };
}

/** @param answers Parts of the questions in order, and the key that answers each. */
export const typed = (
  world: World,
  line: string,
  answers: readonly (readonly [question: string, key: 'y' | 'n'])[],
): Promise<Typed> =>
  onTerminal(world, line.split(' '), {
    keys: answers.map(([after, key]) => ({ after, type: `${key}\r` })),
  });
