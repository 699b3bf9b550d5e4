/** A command that was given several names: one after the other, each as if it had been the only one. */

import { Interrupted, UserError } from '../../system/errors.ts';
import { toJson } from '../../system/visible.ts';
import { errorJson } from '../messages/sentence.ts';
import { inLines } from '../render/lines.ts';
import { type Context, type Flags, OK, TROUBLE } from './context.ts';

/** One that fails is said, and no reason to leave out the others. The exit code is the highest of all. */
export async function eachOf(
  context: Context,
  names: readonly string[],
  { json }: Flags,
  command: string,
  run: (context: Context, name: string) => Promise<number>,
): Promise<number> {
  const { terminal } = context;
  const results: object[] = [];
  const collected = {
    ...terminal,
    out: (text: string) => {
      const { schemaVersion: _, ...result } = JSON.parse(text);
      results.push(result);
    },
  };
  const at = json ? { ...context, terminal: collected } : context;
  let worst = OK;
  for (const [index, name] of names.entries()) {
    if (index > 0 && !json) terminal.out('\n');
    try {
      worst = Math.max(worst, await run(at, name));
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof Interrupted) throw error;
      const { error: message, details, code } = errorJson(error);
      results.push({ name, error: message, details, code });
      terminal.err(inLines([`${name}: ${message}`, ...details]));
      worst = TROUBLE;
    }
  }
  if (json) terminal.out(toJson({ command, results }));
  return worst;
}
