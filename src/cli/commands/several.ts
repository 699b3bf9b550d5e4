/** Runs a command for several names. */

import { errorJson } from '../../present/messages/sentence.ts';
import { folded } from '../../present/render/lines.ts';
import { showProblems } from '../../present/render/problems.ts';
import { Interrupted, UserError } from '../../system/errors.ts';
import { asUserError } from '../../system/files.ts';
import { toJson } from '../../system/visible.ts';
import { type Context, type Flags, isQuiet, OK, TROUBLE } from './command.ts';

/**
 * Runs a command for several names, one after the other, each as if it were the only one. A failure is reported and does not
 * stop the rest. Returns the highest exit code.
 *
 * @param between Text between the outputs. By default a blank line.
 */
export async function eachOf<T extends { readonly name: string }>(
  context: Context,
  all: readonly T[],
  flags: Flags,
  run: (context: Context, one: T) => Promise<number>,
  between = '\n',
): Promise<number> {
  const { terminal } = context;
  const { json } = flags;
  const results: object[] = [];
  const collected = {
    ...terminal,
    out: (text: string) => {
      const { schemaVersion: _, ...result } = JSON.parse(text);
      results.push(result);
    },
  };
  const at = { ...context, isOneOfSeveral: all.length > 1, ...(json && { terminal: collected }) };
  let worst = OK;
  for (const [index, one] of all.entries()) {
    if (index > 0 && !json && !isQuiet(flags)) terminal.out(between);
    try {
      worst = Math.max(worst, await run(at, one));
    } catch (error) {
      const { name } = one;
      results.push({ name, ...sayFailed(terminal, name, error) });
      worst = TROUBLE;
    }
  }
  if (json) terminal.out(toJson({ results }));
  return worst;
}

/**
 * Reports the failure of one of several names, and returns it as JSON.
 *
 * @throws errors that end the whole command: ctrl-C, and bugs in mcp-hooks.
 */
export function sayFailed(terminal: Context['terminal'], name: string, thrown: unknown) {
  const error = asUserError(thrown);
  if (!(error instanceof UserError) || error instanceof Interrupted) throw error;
  const said = errorJson(error);
  const { errColumns = Number.POSITIVE_INFINITY } = terminal;
  const lines = [
    ...folded([`${name}: ${said.error}`], errColumns),
    ...showProblems(terminal, errColumns, error.details),
  ];
  terminal.err(`${lines.join('\n')}\n`);
  return said;
}
