/** `mcp-hooks install`: show everything, ask, write, say whether it fires now and what is left to do. */

import { trustIn, trustOf } from '../../clients/registry.ts';
import { refused } from '../../diagnose/doctor/check.ts';
import { statusOf } from '../../diagnose/doctor/checks.ts';
import type { ClientStatus } from '../../diagnose/doctor/status.ts';
import type { Plan } from '../../install/plan.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import { codeOf, Interrupted, reasonOf } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { inWords } from '../messages/sentence.ts';
import { showPlan } from '../render/plan.ts';
import { showBlocked, statusJson } from '../render/status.ts';
import { askerOf, carryOut, type Done } from './carry-out.ts';
import { confirmed } from './confirm.ts';
import { type Context, OK } from './context.ts';
import { doctorContext } from './doctor-context.ts';
import { type InstallFlags, prepare, replaceObjection, strictObjection } from './prepare.ts';

export async function install(
  context: Context,
  source: string | undefined,
  flags: InstallFlags,
): Promise<number> {
  const prepared = await prepare(context, source, flags, askerOf(flags));
  if (!prepared) return OK;
  const shown = { ...prepared, ...(flags.trust && { trust: true }) };
  const { plan } = shown;
  const { terminal } = context;
  const objection =
    replaceObjection(prepared, flags, context) ??
    (flags.strict ? strictObjection(shown) : undefined);
  if (!flags.json) terminal.out(`${showPlan(terminal, shown)}\n\n`);
  const next = async (written: boolean): Promise<Done | undefined> => {
    const asking = plan.clients.filter(
      ({ change, client, compiled }) => change && trustIn(client, compiled?.version),
    );
    const canAsk = written && !flags.yes && !flags.json && asking.length > 0;
    let done: Done | undefined;
    if (flags.trust || canAsk) {
      const { trust } = await import('./trust.ts');
      done = await trust(context, shown, flags, flags.trust ? undefined : confirmed);
    }
    const statuses = await statusAfter(context, plan);
    // What --trust could not do has been said.
    const unsaid = statuses?.filter(({ client }) => !flags.trust || !trustOf(client)) ?? [];
    if (!flags.json) for (const line of showBlocked(terminal, unsaid)) terminal.out(`${line}\n`);
    const status = statuses?.map(statusJson) ?? null;
    return { code: done?.code ?? OK, json: { ...done?.json, status } };
  };
  return carryOut(context, shown, flags, prepared.again, { objection, next });
}

/**
 * Whether what was installed fires: in the clients that this was about. Undefined where a file cannot be read, which is
 * said: it is installed all the same.
 */
export async function statusAfter(
  context: Context,
  { label, places, clients }: Plan,
): Promise<ClientStatus[] | undefined> {
  const ids = clients.map(({ client }) => client.id);
  try {
    const statuses = await statusOf(doctorContext(context, { label, client: ids }));
    return statuses.filter(({ install }) => isSameSite(install, siteOf(places)));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const why = codeOf(error) === undefined ? refused(error).what : reasonOf(error);
    context.terminal.err(`${inLine(messages.statusUnknown(label, inWords(why)), 10_000)}\n`);
    return undefined;
  }
}
