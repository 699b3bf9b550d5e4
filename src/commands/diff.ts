/** `mcp-hooks diff`: the plan of an install, as unified diffs; writes nothing. Exit codes as diff(1). */

import { isNothing } from '../plan.ts';
import { planJson, showPlan, summary } from '../show.ts';
import { toJson } from '../visible.ts';
import { type Context, DIFFERENT, OK, TROUBLE } from './context.ts';
import { type InstallFlags, prepare, strictObjection } from './prepare.ts';

export async function diff(
  context: Context,
  source: string | undefined,
  command: readonly string[],
  flags: InstallFlags,
): Promise<number> {
  const shown = await prepare(context, source, command, flags);
  if (!shown) return OK;
  const { terminal } = context;
  terminal.out(
    flags.json
      ? toJson(planJson(shown, false))
      : `${showPlan(terminal, shown)}\n\n${summary(shown, false)}\n`,
  );
  const objection = flags.strict ? strictObjection(shown) : undefined;
  if (objection) terminal.err(`${objection}\n`);
  if (objection || shown.plan.clients.some(({ refusal }) => refusal)) return TROUBLE;
  return isNothing(shown.plan) ? OK : DIFFERENT;
}
