/** `mcp-hooks` in a terminal, by script(1): somebody is there who can be asked. */
import { execa, execaSync } from 'execa';
import { inject } from 'vitest';
import type { World } from './world.ts';

export const hasTerminal = (): boolean =>
  !execaSync('script', ['--version'], { reject: false }).failed;

export interface Keys {
  /** Once this has been printed ... */
  readonly after: string;
  /** ... this is typed. */
  readonly type: string;
}

/** Exit code and all that was printed, on stdout or stderr; a terminal does not tell them apart. */
export async function onTerminal(
  world: World,
  words: readonly string[],
  {
    env,
    keys = [],
  }: { readonly env?: Readonly<Record<string, string>>; readonly keys?: readonly Keys[] } = {},
): Promise<{ readonly code: number | undefined; readonly out: string }> {
  const command = [process.execPath, inject('cli'), ...words].map((word) => `'${word}'`).join(' ');
  const running = execa('script', ['-qec', command, '/dev/null'], {
    cwd: world.work,
    env: {
      ...world.env(env),
      PATH: `${world.bin}:${process.env.PATH}`,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      NO_COLOR: '1',
    },
    extendEnv: false,
    reject: false,
  });
  let seen = '';
  const left = [...keys];
  running.stdout.on('data', (chunk: Buffer) => {
    seen += String(chunk);
    const [next] = left;
    if (next && seen.includes(next.after)) {
      left.shift();
      running.stdin.write(next.type);
    }
  });
  const { exitCode, stdout } = await running;
  return { code: exitCode, out: stdout.replaceAll('\r', '') };
}
