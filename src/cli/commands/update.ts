/** `mcp-hooks update`: what servers declare today, compared with what was agreed to, and installed after a new yes. */

import { findPlaces } from '../../clients/find-places.ts';
import type { Places } from '../../clients/places.ts';
import { type Install, ledgerPath, readLedger } from '../../install/ledger.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import { disk } from '../../system/disk.ts';
import { Interrupted, UserError } from '../../system/errors.ts';
import { toJson } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { errorJson } from '../messages/sentence.ts';
import { inLines } from '../render/lines.ts';
import { noHooksJson } from '../render/plan.ts';
import { nothingIn } from '../render/scope.ts';
import { showBlocked, statusJson } from '../render/status.ts';
import { askerOf, carryOut } from './carry-out.ts';
import { type Context, type Flags, notInstalled, OK, TROUBLE } from './context.ts';
import { statusAfter } from './install.ts';
import { prepareAgain, saidNoMore, shownAgain } from './plan-update.ts';

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
