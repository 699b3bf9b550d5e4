/** `mcp-hooks uninstall`: take out exactly what install put in. */

import { CLIENTS } from '../clients/index.ts';
import { LABEL } from '../declaration/declaration.ts';
import { selectClients } from '../detect.ts';
import { UserError } from '../errors.ts';
import { isInstall, readLedger } from '../ledger.ts';
import { messages } from '../messages.ts';
import { findPlaces, tilde } from '../places.ts';
import { isNothing, planUninstall } from '../plan.ts';
import { type Shown, showPlan } from '../show.ts';
import { type Context, diffs, disk, type Flags } from './context.ts';
import { type ApplyFlags, carryOut } from './install.ts';

export async function uninstall(
  context: Context,
  label: string,
  flags: Flags & ApplyFlags,
): Promise<number> {
  const { terminal, env, cwd } = context;
  if (!LABEL.test(label)) throw new UserError(messages.badLabel(label));
  const places = findPlaces(env, cwd, flags.scope);
  const { ledger } = readLedger(places.state, disk.read);
  const known = ledger.installs.find(isInstall(label, places.project ?? null));
  // Whoever has it, also a client that is no longer on the machine; without a record, whoever may have it.
  const clients = flags.client
    ? selectClients(flags.client, places).clients
    : CLIENTS.filter(({ id }) => !known || known.clients.includes(id));
  const again = (): Shown => {
    const plan = planUninstall(label, { places, clients, disk });
    const selection = { clients, found: {}, missing: [] };
    return { plan, selection, diffs: diffs(plan) };
  };
  const shown = again();
  if (!known && isNothing(shown.plan))
    throw new UserError(
      messages.notInstalled(
        label,
        places.project ? tilde(places.project, places.home) : 'user scope',
        ledger.installs.map(({ label: other, project }) =>
          project === null ? other : `${other} (in ${tilde(project, places.home)})`,
        ),
      ),
    );
  if (!flags.json) terminal.out(`${showPlan(terminal, shown)}\n\n`);
  return carryOut(context, shown, flags, again);
}
