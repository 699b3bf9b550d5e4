/** `mcp-hooks update`: asks servers again for their hooks, shows what has changed, and installs that. */

import { findPlaces, type Places } from '../../clients/places.ts';
import { labelWithScope } from '../../diagnose/doctor/origin.ts';
import type { Install } from '../../install/ledger.ts';
import { ledgerPath, readLedger } from '../../install/ledger.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { ALLOWED } from '../../present/messages/help.ts';
import { noHooksJson } from '../../present/render/plan.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { toJson } from '../../system/visible.ts';
import { askerOf, carryOut } from './carry-out.ts';
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
import { downloadFor, tellStatus } from './install.ts';
import { nothingIn, notInstalled } from './nothing-installed.ts';
import { noHooksAnyMore, prepareAgain, shownAgain } from './plan-update.ts';
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

/** Compares what servers declare today with what the user agreed to, and installs it after a new yes. */
async function run(context: Context, labels: readonly string[], flags: Flags): Promise<number> {
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
    const prepared = await prepareAgain(context, install, places, flags, askerOf(flags));
    const { declared } = prepared;
    if (!('plan' in prepared)) {
      if (flags.json) print(noHooksJson(declared));
      else terminal.out(noHooksAnyMore(declared, places));
      return OK;
    }
    const { plan } = prepared;
    if (!flags.json && !isQuiet(flags)) terminal.out(`${shownAgain(terminal, prepared)}\n`);
    return await carryOut(context, prepared, flags, prepared.replan, {
      print,
      choosesClients: false,
      review: `mcp-hooks diff ${labelWithScope(install)}`,
      next: async (written) => {
        await downloadFor(context, plan, written);
        return { code: OK, ...(await tellStatus(context, [plan], flags, { written })) };
      },
    });
  } catch (error) {
    const { label } = install;
    const failed = sayFailed(terminal, label, error);
    if (flags.json) print({ label, ...failed });
    return TROUBLE;
  }
}
