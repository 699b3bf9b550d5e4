/** `mcp-hooks uninstall`: removes exactly what install added. */

import { existsSync } from 'node:fs';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces, type Places } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { LABEL } from '../../declaration/declaration.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { apply, removeLeftovers } from '../../install/apply.ts';
import { holds } from '../../install/client-file.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import { isInstall, keepsPlaces, ledgerPath, readLedger } from '../../install/ledger.ts';
import { leftovers } from '../../install/leftovers.ts';
import { changesOf, planUninstall } from '../../install/plan.ts';
import { missingForState } from '../../install/planned-file.ts';
import { isSameSite, scopeFlag, siteInWords, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { showPlan } from '../../present/render/plan.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { carryOut } from './carry-out.ts';
import {
  type Command,
  type Context,
  clientOption,
  type Flags,
  isQuiet,
  option,
  scopeOption,
  writingOptions,
} from './command.ts';
import { fromElsewhere } from './doctor-context.ts';
import { nothingIn, notInstalled } from './nothing-installed.ts';
import { eachOf } from './several.ts';

export const uninstall: Command = {
  name: 'uninstall',
  group: 'Start',
  summary: 'remove exactly what install added',
  operands: '[labels...]',
  options: [
    option('--all', 'everything that is installed in this scope'),
    clientOption(),
    scopeOption(),
    ...writingOptions(),
  ],
  examples: ['uninstall annal', 'uninstall --all --yes'],
  run,
};

async function run(context: Context, labels: readonly string[], flags: Flags): Promise<number> {
  const { terminal, env, cwd } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const all = flags.all === true;
  if (all === labels.length > 0)
    throw new UserError<CliMessage>({ code: 'names-or-all', command: 'uninstall' });
  const [first, ...others] = labels;
  if (first !== undefined && others.length === 0) return uninstallOne(context, first, flags);
  const { broken, ledger } = readLedger(places.state, disk.read);
  if (all && broken) {
    const path = ledgerPath(places.state);
    throw new UserError<CliMessage>({ code: 'ledger-unread-so-not-all', path });
  }
  const here = ledger.installs.filter((one) => isSameSite(one, siteOf(places)));
  const meant = all ? [...here.map(({ label }) => label), ...unrecordedIn(places)] : labels;
  if (all && meant.length === 0 && !flags.dryRun) await removeLeftovers(places);
  if (meant.length === 0 && !flags.json) {
    const isNone = ledger.installs.length === 0;
    const nothing = nothingIn(places, ledger.installs, { cwd });
    terminal.out(`${isNone ? messages.nothingInstalled : nothing}\n`);
  }
  const each = [...new Set(meant)].map((name) => ({ name }));
  const code = await eachOf(
    context,
    each,
    flags,
    (at, { name }) => uninstallOne(at, name, flags),
    isBrief(flags) ? '' : '\n',
  );
  if (all && !flags.json && !isQuiet(flags))
    for (const line of stillThere(places)) terminal.out(line);
  return code;
}

/** Whether the summaries of several labels say enough, because the user is not asked about them. */
const isBrief = ({ yes, verbose, diff, dryRun }: Flags): boolean =>
  yes === true && !verbose && !diff && !dryRun;

/** Labels that have entries in clients, even without a ledger: the state folder may have been deleted. */
const unrecordedIn = (places: Places): string[] =>
  CLIENTS.flatMap((client) =>
    readWritten(client, places, disk).hooks.flatMap(({ label }) => label ?? []),
  );

/** Installs in other scopes, and the commands that remove them. */
function stillThere(places: Places): string[] {
  const { installs } = readLedger(places.state, disk.read).ledger;
  const others = installs.filter((one) => !isSameSite(one, siteOf(places)));
  const sites = new Map(others.map((one) => [siteInWords(one, places.home), one]));
  return [...sites].map(([where, site]) => {
    const labels = others.filter((one) => isSameSite(one, site)).map(({ label }) => label);
    const command = `mcp-hooks uninstall --all${scopeFlag(site)}`;
    return `${messages.stillThere(inLine(where), labels, command, site.project !== null)}\n`;
  });
}

async function uninstallOne(context: Context, label: string, flags: Flags): Promise<number> {
  const { terminal, env, cwd } = context;
  if (!LABEL.test(label)) throw new UserError<DeclarationMessage>({ code: 'bad-label', label });
  const places = findPlaces(env, cwd, flags.scope);
  const { ledger } = readLedger(places.state, disk.read);
  const known = ledger.installs.find(isInstall(label, siteOf(places)));
  const madeFolders = missingForState(places);
  // By default, every client that has the label. This includes clients that are no longer on the machine, clients that the
  // ledger does not know, and clients with empty groups of ours that may have become unnecessary.
  const clients = flags.client
    ? selectClients(flags.client, places).clients
    : CLIENTS.filter(
        (client) =>
          known?.clients.includes(client.id) ||
          keepsPlaces(ledger, client.id, siteOf(places)) ||
          holds(client, label, { places, disk }),
      );
  const replan = () => planUninstall(label, { places, clients, disk, madeFolders });
  const plan = replan();
  const shown = {
    plan,
    selection: { clients, found: {}, missing: [] },
    diff: flags.diff,
    verbose: flags.verbose,
    brief: context.isOneOfSeveral && isBrief(flags),
  };
  const changes = changesOf(plan);
  const only = changes.every(({ path }) => path === plan.ledger.path);
  if (!known && only && plan.clients.every(({ refusal }) => !refusal)) {
    // The stored state of a plugin's hooks belongs to the plugin.
    if (fromElsewhere(context, label).length > 0)
      throw notInstalled(context, label, places, ledger);
    const forgets = ledger.formerly !== undefined && changes.length > 0;
    if (forgets || isAbandoned(places.state) || leftovers(places).length > 0)
      await apply(plan, replan);
    throw notInstalled(context, label, places, ledger);
  }
  const words = showPlan(terminal, shown);
  if (!flags.json && !isQuiet(flags) && words !== '')
    terminal.out(shown.brief ? `${label}:\n${words}\n` : `${words}\n\n`);
  return carryOut(context, shown, flags, replan, {
    review: `mcp-hooks uninstall ${label}${scopeFlag(siteOf(places))} --dry-run --diff`,
  });
}

/** Whether only a lock and empty folders can be left, from a run that was killed at the very end. */
const isAbandoned = (state: string): boolean => existsSync(state) && !existsSync(ledgerPath(state));
