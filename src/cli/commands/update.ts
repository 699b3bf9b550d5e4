/** `mcp-hooks update`: queries servers again for their hooks, shows what changed, and installs the changes. */

import { findPlaces, type Places } from '../../clients/places.ts';
import type { Install } from '../../install/ledger.ts';
import { ledgerPath, readLedger } from '../../install/ledger.ts';
import { isSameSite, scopeFlag, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { ALLOWED } from '../../present/messages/help.ts';
import { showChangesTogether } from '../../present/render/declared.ts';
import { noHooksJson, showEffects } from '../../present/render/plan.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { toJson } from '../../system/visible.ts';
import { type Asker, askerOf, carryOut, carryOutAll } from './carry-out.ts';
import type { Command, Context, Flags } from './command.ts';
import {
  allowOption,
  headerOption,
  isQuiet,
  noBrowserOption,
  OK,
  originalsOption,
  revokeOption,
  scopeOption,
  TROUBLE,
  timeoutOption,
  withServerOption,
  writingOptions,
} from './command.ts';
import { afterwards, agreedTogether } from './install.ts';
import { nothingIn, notInstalled } from './nothing-installed.ts';
import { refusedIn } from './objections.ts';
import {
  isToDecide,
  isUnchanged,
  noHooksAnyMore,
  prepareAgain,
  shownAgain,
} from './plan-update.ts';
import { addedBy, type Prepared, plannedNow, withGrants } from './prepare.ts';
import { sayFailed } from './several.ts';

export const update: Command = {
  name: 'update',
  group: 'Manage',
  summary: 'ask servers again for their hooks, and install the changes',
  operands: '[labels...]',
  options: [
    scopeOption(),
    allowOption(),
    revokeOption(),
    originalsOption(),
    withServerOption(),
    headerOption(),
    noBrowserOption(),
    ...writingOptions(),
    timeoutOption('how long a server may take to answer', 20),
  ],
  about: ALLOWED,
  examples: ['update', 'update annal notes --yes'],
  run,
};

/** Compares what servers declare now with what the user agreed to, and installs it after the user agrees again. */
async function run(context: Context, labels: readonly string[], flags: Flags): Promise<number> {
  const { terminal, env, cwd } = context;
  // A header is a secret for one server.
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
    throw notInstalled(context, first, places, ledger);
  if (labels.length === 0 && meant.length === 0 && !flags.json)
    terminal.out(`${nothingIn(places, ledger.installs, { command: 'update', cwd })}\n`);

  const updated: object[] = [];
  const print = (json: object) => void updated.push(json);
  let worst = await updateAll(context, meant, places, flags, print);
  for (const label of unknown) {
    const error = notInstalled(context, label, places, ledger);
    updated.push({ label, ...sayFailed(terminal, label, error) });
    worst = TROUBLE;
  }
  if (flags.json) terminal.out(toJson({ labels: updated }));
  return worst;
}

type Print = (json: object) => void;

/**
 * Updates several labels in one plan with one question, or each separately with --json. A failure is reported and does not stop
 * the others.
 */
async function updateAll(
  context: Context,
  meant: readonly Install[],
  places: Places,
  flags: Flags,
  print: Print,
): Promise<number> {
  const { terminal } = context;
  const isSeveral = meant.length > 1;
  const at = { ...context, isOneOfSeveral: isSeveral };
  const asker = askerOf(flags);
  let worst = OK;
  const ready: Prepared[] = [];
  const orSay = async (label: string, work: () => Promise<number>) => {
    try {
      worst = Math.max(worst, await work());
    } catch (error) {
      print({ label, ...sayFailed(terminal, label, error) });
      worst = TROUBLE;
    }
  };
  for (const install of meant)
    await orSay(install.label, async () => {
      const again = await prepareAgain(at, install, places, flags, isSeveral ? undefined : asker);
      if (!('plan' in again)) {
        if (flags.json) print(noHooksJson(again.declared));
        else terminal.out(noHooksAnyMore(again.declared, places));
        return OK;
      }
      if (isSeveral && !flags.json && !isForItself(again)) {
        ready.push(again);
        return OK;
      }
      const isAsked = isSeveral && (isToDecide(again) || flags.withServer);
      const agreed = isAsked ? await withGrants(at, again, flags, asker) : again;
      return updateOne(at, agreed, flags, print);
    });
  const [only, ...others] = ready;
  if (only && others.length === 0)
    await orSay(only.plan.label, async () => {
      const ask = isToDecide(only) ? asker : undefined;
      return updateOne(at, await withGrants(at, plannedNow(only), flags, ask), flags);
    });
  else if (only) worst = Math.max(worst, await updateTogether(context, ready, flags, asker));
  return worst;
}

/** A plan that replaces an install, adds a server or is refused has its own question or error. */
const isForItself = ({ plan }: Prepared): boolean =>
  plan.replaces !== undefined ||
  addedBy(plan).length > 0 ||
  refusedIn(plan, CHOOSES_CLIENTS) !== undefined;

const CHOOSES_CLIENTS = false;

async function updateOne(
  context: Context,
  prepared: Prepared,
  flags: Flags,
  print?: Print,
): Promise<number> {
  const { terminal } = context;
  const { plan } = prepared;
  if (!flags.json && !isQuiet(flags)) terminal.out(`${shownAgain(terminal, prepared)}\n`);
  return carryOut(context, prepared, flags, prepared.replan, {
    ...(print && { print }),
    choosesClients: CHOOSES_CLIENTS,
    review: `mcp-hooks diff ${plan.label}${scopeFlag(siteOf(plan.places))}`,
    next: (written) => afterwards(context, [prepared], flags, written),
  });
}

async function updateTogether(
  context: Context,
  ready: readonly Prepared[],
  flags: Flags,
  asker: Asker | undefined,
): Promise<number> {
  const { terminal } = context;
  const options = { asker, show: showChangesTogether, isAsked: isToDecide };
  const together = await agreedTogether(context, ready, flags, options);
  const [first, ...more] = together;
  if (!first) return OK;
  const all = together.map(({ shown }) => shown);
  const [one, ...others] = all.filter((shown) => !isUnchanged(shown));
  if (one && !isQuiet(flags)) terminal.out(`${showEffects(terminal, [one, ...others])}\n\n`);
  return carryOutAll(context, [first, ...more], flags, {
    choosesClients: CHOOSES_CLIENTS,
    review: 'mcp-hooks update --dry-run',
    next: (written, done) => afterwards(context, done, flags, written),
  });
}
