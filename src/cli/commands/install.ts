/** `mcp-hooks install` and `update`: show everything, ask, write, say whether it fires now and what is left to do. */

import { findPlaces, type Places } from '../../clients/places.ts';
import { trustOf } from '../../clients/registry.ts';
import { refused } from '../../diagnose/doctor/check.ts';
import { statusOf } from '../../diagnose/doctor/checks.ts';
import { labelWithScope } from '../../diagnose/doctor/origin.ts';
import type { ClientStatus } from '../../diagnose/doctor/status.ts';
import { readInstalled } from '../../diagnose/fire/installed.ts';
import { type Install, ledgerPath, readLedger } from '../../install/ledger.ts';
import type { Plan } from '../../install/plan.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { inWords } from '../../present/messages/sentence.ts';
import { noHooksJson, showPlan } from '../../present/render/plan.ts';
import { nothingIn } from '../../present/render/scope.ts';
import { showBlocked, statusJson } from '../../present/render/status.ts';
import { disk } from '../../system/disk.ts';
import { codeOf, Interrupted, reasonOf, UserError } from '../../system/errors.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { askerOf, carryOut, type Done } from './carry-out.ts';
import { confirmed } from './confirm.ts';
import {
  type Context,
  doctorContext,
  type Flags,
  isQuiet,
  notInstalled,
  OK,
  TROUBLE,
} from './context.ts';
import { downloadServers } from './download.ts';
import { prepareAgain, saidNoMore, shownAgain } from './plan-update.ts';
import { type InstallFlags, prepare, replaceObjection, strictObjection } from './prepare.ts';
import { eachOf, sayFailed } from './several.ts';

/** One source after the other: each is shown, confirmed and written separately. */
export function install(
  context: Context,
  sources: readonly string[],
  flags: InstallFlags,
): Promise<number> {
  const [first, ...others] = sources;
  if (others.length === 0) return installOne(context, first, flags);
  if (flags.name !== undefined || flags.from !== undefined)
    throw new UserError<CliMessage>({ code: 'one-server-only' });
  // A header is a secret for one server.
  if (flags.header) throw new UserError<CliMessage>({ code: 'header-for-one' });
  if (context.launch) throw new UserError<CliMessage>({ code: 'command-for-one' });
  return eachOf(context, sources, flags, 'install', (at, source) => installOne(at, source, flags));
}

async function installOne(
  context: Context,
  source: string | undefined,
  flags: InstallFlags,
): Promise<number> {
  const prepared = await prepare(context, source, flags, askerOf(flags));
  if (!prepared) return OK;
  const shown = {
    ...prepared,
    ...(flags.trust && { trust: true }),
    ...(flags.diff && { diff: true }),
  };
  const { plan } = shown;
  const { terminal } = context;
  const objection =
    replaceObjection(prepared, flags, context) ??
    (flags.strict ? strictObjection(shown) : undefined);
  if (!flags.json && !isQuiet(flags)) terminal.out(`${showPlan(terminal, shown)}\n\n`);
  const next = async (written: boolean): Promise<Done | undefined> => {
    if (written) await orSay(context, plan, () => downloadFor(context, plan));
    const asking = plan.clients.filter(
      ({ change, client, compiled }) => change && compiled && trustOf(client),
    );
    const canAsk = written && !flags.yes && !flags.json && asking.length > 0;
    let done: Done | undefined;
    if (flags.trust || canAsk) {
      const { trust } = await import('./trust.ts');
      done = await trust(context, shown, flags, flags.trust ? undefined : confirmed);
    }
    // What --trust could not do has been said.
    const isUnsaid = ({ client }: ClientStatus) => !flags.trust || !trustOf(client);
    const json = await tellStatus(context, plan, flags, isUnsaid);
    return { code: done?.code ?? OK, json: { ...done?.json, ...json } };
  };
  return carryOut(context, shown, flags, prepared.again, { objection, next });
}

/** Hooks have just been allowed to call tools, so download their servers while somebody is there to wait. */
async function downloadFor(context: Context, { label, places, clients }: Plan): Promise<void> {
  const everything = readInstalled(places, disk);
  const installed = clients.flatMap(({ client }) => everything.of(label, client) ?? []);
  await downloadServers(context, installed, places, { always: true });
}

/** Reports whether the hooks fire in the clients of this plan. Null if a file cannot be read, which has then been said. */
async function tellStatus(
  context: Context,
  plan: Plan,
  { json }: Flags,
  isUnsaid: (status: ClientStatus) => boolean = () => true,
): Promise<{ status: object[] | null }> {
  const { terminal } = context;
  const { label, places, clients } = plan;
  const ids = clients.map(({ client }) => client.id);
  const status = await orSay(context, plan, async () => {
    const all = await statusOf(doctorContext(context, { label, client: ids }));
    const statuses = all.filter(({ install }) => isSameSite(install, siteOf(places)));
    const blocked = json ? [] : showBlocked(terminal, statuses.filter(isUnsaid));
    for (const line of blocked) terminal.out(`${line}\n`);
    return statuses.map(statusJson);
  });
  return { status: status ?? null };
}

/** Runs `work` after an install. If a file cannot be read, this is reported, but the install still stands. */
async function orSay<T>(
  { terminal }: Context,
  { label }: Plan,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const why = codeOf(error) === undefined ? refused(error).what : reasonOf(error);
    terminal.err(`${inLine(messages.statusUnknown(label, inWords(why)), 10_000)}\n`);
    return undefined;
  }
}

/** Compares what servers declare today with what the user agreed to, and installs it after a new yes. */
export async function update(
  context: Context,
  labels: readonly string[],
  flags: Flags,
): Promise<number> {
  const { terminal, env, cwd } = context;
  // A secret is for one server.
  if (flags.header && labels.length !== 1)
    throw new UserError<CliMessage>({ code: 'header-needs-label' });
  const places = findPlaces(env, cwd, flags.scope);
  const { ledger, broken } = readLedger(places.state, disk.read);
  if (broken)
    throw new UserError<CliMessage>({
      code: 'ledger-unread-so-no-update',
      path: ledgerPath(places.state),
    });
  const here = ledger.installs.filter((one) => isSameSite(one, siteOf(places)));
  const meant = here.filter(({ label }) => labels.length === 0 || labels.includes(label));
  const unknown = [...new Set(labels)].filter((one) => here.every(({ label }) => label !== one));
  const [first] = unknown;
  if (first !== undefined && meant.length === 0 && unknown.length === 1)
    throw notInstalled(first, places, ledger);
  if (labels.length === 0 && meant.length === 0 && !flags.json)
    terminal.out(`${nothingIn(places, ledger.installs)}\n`);

  let worst = OK;
  const updated: object[] = [];
  for (const install of meant) {
    const code = await updateOne(context, install, places, flags, (json) => updated.push(json));
    worst = Math.max(worst, code);
  }
  for (const label of unknown) {
    const error = notInstalled(label, places, ledger);
    updated.push({ label, ...sayFailed(terminal, label, error) });
    worst = TROUBLE;
  }
  if (flags.json) terminal.out(toJson({ command: 'update', labels: updated }));
  return worst;
}

/** A failure is reported and does not stop the others. */
async function updateOne(
  context: Context,
  install: Install,
  places: Places,
  flags: Flags,
  print: (json: object) => void,
): Promise<number> {
  const { terminal } = context;
  try {
    const again = await prepareAgain(context, install, places, flags, askerOf(flags));
    if (!('plan' in again)) {
      if (flags.json) print(noHooksJson(again.declared));
      else terminal.out(saidNoMore(again.declared, places));
      return OK;
    }
    if (!flags.json && !isQuiet(flags)) terminal.out(`${shownAgain(terminal, again)}\n`);
    return await carryOut(context, again, flags, again.again, {
      print,
      choosesClients: false,
      review: `mcp-hooks diff ${labelWithScope(install)}`,
      next: async (written) => {
        if (written) await orSay(context, again.plan, () => downloadFor(context, again.plan));
        return { code: OK, json: await tellStatus(context, again.plan, flags) };
      },
    });
  } catch (error) {
    const { label } = install;
    const failed = sayFailed(terminal, label, error);
    if (flags.json) print({ label, ...failed });
    return TROUBLE;
  }
}
