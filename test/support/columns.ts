/** A command line in a terminal of some width, without a user to answer. */
import { realpathSync } from 'node:fs';
import own from '../../package.json' with { type: 'json' };
import { runLine } from '../../src/cli/main.ts';
import { runHook } from './runner/inside.ts';
import { NO_TERMINAL, PATIENT, type RunOptions, type World } from './world.ts';

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Both streams, in the order of printing. */
  readonly all: string;
  /** The lines of `out`, then those of `err`. */
  readonly lines: readonly string[];
}

export async function runAt(
  columns: number,
  world: World,
  words: readonly string[],
  { cwd = world.work, env, colour = false }: RunOptions & { readonly colour?: boolean } = {},
): Promise<Printed> {
  let [out, err, all] = ['', '', ''];
  const code = await runLine(words, {
    terminal: {
      ...NO_TERMINAL,
      colour,
      tty: true,
      columns,
      errColumns: columns,
      out: (text) => {
        out += text;
        all += text;
      },
      err: (text) => {
        err += text;
        all += text;
      },
    },
    env: world.env(env),
    cwd: () => realpathSync(cwd),
    version: own.version,
    patience: PATIENT,
    runHook,
  });
  const lines = [out, err].flatMap((text) => (text === '' ? [] : text.trimEnd().split('\n')));
  return { code, out, err, all, lines };
}
