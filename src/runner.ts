/** The files of a runner: the two stages from `templates/`, and a program for each client. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from './compile/command.ts';
import { filterScript } from './compile/filter.ts';
import type { Program } from './compile/program.ts';

/** The first stage: the file that the clients' commands name. */
export const RUNNER = 'run.sh';

export interface RunnerFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

/** The files that one client has of its own: its program, and the filter of the first stage. */
export const clientFiles = (client: string): string[] => [`${client}.json`, `${client}.sh`];

/** @param node Absolute path of the node that runs the second stage. */
export function runnerFiles(node: string, programs: readonly Program[]): RunnerFile[] {
  const first = template(RUNNER).replace(/^node=node .*$/m, () => `node=${shellQuote(node)}`);
  return [
    { name: RUNNER, bytes: Buffer.from(first), mode: 0o700 },
    { name: 'runner.cjs', bytes: Buffer.from(template('runner.cjs')), mode: 0o600 },
    ...programs.flatMap((program) => {
      const [json = '', filter = ''] = clientFiles(program.client);
      return [
        { name: json, bytes: Buffer.from(`${JSON.stringify(program, null, 1)}\n`), mode: 0o600 },
        { name: filter, bytes: Buffer.from(filterScript(program)), mode: 0o600 },
      ];
    }),
  ];
}

// Beside dist/ when bundled, beside src/ otherwise.
const template = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../templates', name), 'utf8');
