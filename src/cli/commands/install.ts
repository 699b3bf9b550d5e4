/** `mcp-hooks install` and `update`: show everything, ask, write, say whether it fires now and what is left to do. */

import { findPlaces } from '../../clients/find-places.ts';
import type { Places } from '../../clients/places.ts';
import { trustIn, trustOf } from '../../clients/registry.ts';
import { refused } from '../../diagnose/doctor/check.ts';
import { statusOf } from '../../diagnose/doctor/checks.ts';
import type { ClientStatus } from '../../diagnose/doctor/status.ts';
import { type Install, ledgerPath, readLedger } from '../../install/ledger.ts';
import type { Plan } from '../../install/plan.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import { disk } from '../../system/disk.ts';
import { codeOf, Interrupted, reasonOf, UserError } from '../../system/errors.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { messages } from '../messages/output.ts';
import { errorJson, inWords } from '../messages/sentence.ts';
import { inLines } from '../render/lines.ts';
import { noHooksJson, showPlan } from '../render/plan.ts';
import { nothingIn } from '../render/scope.ts';
import { showBlocked, statusJson } from '../render/status.ts';
import { askerOf, carryOut, type Done } from './carry-out.ts';
import { confirmed } from './confirm.ts';
import { type Context, doctorContext, type Flags, notInstalled, OK, TROUBLE } from './context.ts';
import { prepareAgain, saidNoMore, shownAgain } from './plan-update.ts';
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

/** What servers declare today, compared with what was agreed to, and installed after a new yes. */
export async function update(
  context: Context,
  label: string | undefined,
  flags: Flags,
): Promise<number> {
  const { terminal, env, cwd } = context;
  // A secret is for one server.
  if (flags.header && label === undefined)
    throw new UserError<CliMessage>({ code: 'header-needs-label' });
  const places = findPlaces(env, cwd, flags.scope);
  const { ledger, broken } = readLedger(places.state, disk.read);
  if (broken)
    throw new UserError<CliMessage>({
      code: 'ledger-unread-so-no-update',
      path: ledgerPath(places.state),
    });
  const here = ledger.installs.filter((one) => isSameSite(one, siteOf(places)));
  const meant = here.filter((one) => label === undefined || one.label === label);
  if (label !== undefined && meant.length === 0) throw notInstalled(label, places, ledger);
  if (meant.length === 0 && !flags.json) terminal.out(`${nothingIn(places, ledger.installs)}\n`);

  let worst = OK;
  const labels: object[] = [];
  for (const install of meant) {
    const one = { install, places, print: (json: object) => labels.push(json) };
    worst = Math.max(worst, await updateOne(context, one, flags));
  }
  if (flags.json) terminal.out(toJson({ command: 'update', labels }));
  return worst;
}

interface One {
  readonly install: Install;
  readonly places: Places;
  readonly print: (json: object) => void;
}

/** One that fails is said, and no reason to leave the others as they are. */
async function updateOne(
  context: Context,
  { install, places, print }: One,
  flags: Flags,
): Promise<number> {
  const { terminal } = context;
  try {
    const again = await prepareAgain(context, install, places, flags, askerOf(flags));
    if (!('plan' in again)) {
      if (flags.json) print(noHooksJson(again.declared));
      else terminal.out(saidNoMore(again.declared, places));
      return OK;
    }
    if (!flags.json) terminal.out(`${shownAgain(terminal, again)}\n`);
    return await carryOut(context, again, flags, again.again, {
      print,
      choosesClients: false,
      next: async () => {
        const statuses = await statusAfter(context, again.plan);
        if (!flags.json)
          for (const line of showBlocked(terminal, statuses ?? [])) terminal.out(`${line}\n`);
        return { code: OK, json: { status: statuses?.map(statusJson) ?? null } };
      },
    });
  } catch (error) {
    if (!(error instanceof UserError) || error instanceof Interrupted) throw error;
    const { error: message, details, code } = errorJson(error);
    if (flags.json) print({ label: install.label, error: message, details, code });
    terminal.err(inLines([`${install.label}: ${message}`, ...details]));
    return TROUBLE;
  }
}
