/** `mcp-hooks install`: show everything, ask, write, tell what is left to do. */

import { isDeepStrictEqual } from 'node:util';
import { apply } from '../apply.ts';
import { UserError } from '../errors.ts';
import { isLocked } from '../lock.ts';
import { messages } from '../messages.ts';
import { isNothing } from '../plan.ts';
import { planJson, type Shown, showPlan, summary } from '../show.ts';
import { toJson } from '../visible.ts';
import { type Context, OK, TROUBLE } from './context.ts';
import { type InstallFlags, prepare, strictObjection } from './prepare.ts';

export interface ApplyFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export async function install(
  context: Context,
  source: string | undefined,
  command: readonly string[],
  flags: InstallFlags & ApplyFlags,
): Promise<number> {
  const shown = await prepare(context, source, command, flags);
  if (!shown) return OK;
  const { terminal } = context;
  const objection = flags.strict ? strictObjection(shown) : undefined;
  if (!flags.json) terminal.out(`${showPlan(terminal, shown)}\n\n`);
  const code = await carryOut(context, shown, flags, shown.again, objection);
  if (code !== OK || flags.json || flags.dryRun) return code;
  for (const { client, change } of shown.plan.clients)
    if (change && client.afterInstall) terminal.out(`${client.name}: ${client.afterInstall}\n`);
  return code;
}

/** What is left of an install or uninstall once the plan has been shown. */
export async function carryOut(
  { terminal }: Context,
  shown: Shown,
  flags: ApplyFlags & { json?: boolean },
  replan: () => Shown,
  objection?: string,
): Promise<number> {
  const { plan } = shown;
  const say = (written: boolean) =>
    terminal.out(flags.json ? toJson(planJson(shown, written)) : `${summary(shown, written)}\n`);
  const refused = plan.clients.some(({ refusal }) => refusal);
  const stop = objection ?? (refused ? messages.refused : undefined);
  if (stop !== undefined) {
    if (flags.json) say(false);
    terminal.err(`${stop}\n`);
    return TROUBLE;
  }
  if (isNothing(plan) || flags.dryRun) {
    // A run that was killed at its very end has left its lock; taking it cleans up.
    if (!flags.dryRun && isLocked(plan.places.state)) await apply(plan, () => replan().plan);
    say(false);
    return OK;
  }
  if (!flags.yes) {
    if (!terminal.interactive || flags.json) throw new UserError(messages.needsYes);
    if (!(await confirmed(plan.kind))) {
      terminal.out(`${messages.declined}\n`);
      return OK;
    }
  }
  await apply(plan, () => {
    const again = replan();
    // Without --yes, only what was agreed to is written.
    if (!flags.yes && !isDeepStrictEqual(again.diffs, shown.diffs))
      throw new UserError(messages.changedWhileAsked);
    return again.plan;
  });
  say(true);
  return OK;
}

async function confirmed(what: string): Promise<boolean> {
  const { createPromptModule } = await import('inquirer');
  try {
    const { yes } = await createPromptModule()([
      { type: 'confirm', name: 'yes', message: `Go on and ${what}?`, default: false },
    ]);
    return yes;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return false; // ctrl-C
    throw error;
  }
}
