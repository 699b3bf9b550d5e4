/** What `install` and `diff` have in common: read the declaration, find the clients, plan. */

import type { Declared } from '../declaration/declaration.ts';
import { selectClients } from '../detect.ts';
import { UserError } from '../errors.ts';
import { findServer } from '../finding/find.ts';
import { type Header, unkept } from '../finding/headers.ts';
import { isInstall, readLedger } from '../ledger.ts';
import { messages } from '../messages.ts';
import { findPlaces, type Places } from '../places.ts';
import { planInstall } from '../plan.ts';
import { readTarget } from '../reading/read.ts';
import { foundInWords, type Shown, unsupportedInWords, unsupportedJson } from '../show.ts';
import { toJson, visible } from '../visible.ts';
import { type Context, diffs, disk, type Flags, missingForState, patiently } from './context.ts';
import { offeringSignIn } from './offer-sign-in.ts';

export interface InstallFlags extends Flags {
  readonly name?: string;
  readonly header?: readonly Header[];
  /** False: for signing in an address is printed, and none opened. */
  readonly browser: boolean;
  /** Of `install`. */
  readonly yes?: boolean;
  readonly strict?: boolean;
  readonly actNow?: boolean;
  readonly extraTurns: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** A plan as it is shown, and how to make it again. */
interface Prepared extends Shown {
  readonly declared: Declared;
  readonly again: () => Shown;
}

/** Undefined: the server declares no hooks, and that has been said. */
export async function prepare(
  context: Context,
  source: string | undefined,
  command: readonly string[],
  flags: InstallFlags,
): Promise<Prepared | undefined> {
  const { terminal, cwd, env, version } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const selection = selectClients(flags.client, places);
  if (selection.clients.length === 0)
    throw new UserError(messages.noClient(selection.missing.map(({ client }) => client.name)));

  const target = await findServer({
    command,
    cwd,
    env,
    ...(source !== undefined && { operand: source }),
    ...(flags.name !== undefined && { name: flags.name }),
    ...(flags.header && { headers: flags.header }),
  });
  if (target.remark !== undefined) terminal.err(`${target.remark}\n`);
  const lost = unkept(target.source);
  if (lost.length > 0) terminal.err(`${messages.headerNotKept(lost)}\n`);
  const asking = `Asking ${visible(command[0] ?? source ?? '', 200)} for its hooks ...`;
  const deadline = flags.timeout * 1000;
  const madeFolders = missingForState(places); // signing in makes them
  const offer = { state: places.state, browser: flags.browser, yes: flags.yes ?? false };
  const declared = await offeringSignIn(context, target, offer, (provider) =>
    patiently(terminal, asking, () =>
      readTarget(target, { deadline, version, ...(provider && { provider }) }),
    ),
  );
  if (declared.hooks.length === 0) {
    if (flags.strict && isLeftOut(declared))
      throw new UserError(messages.strictLeftOut, [
        ...declared.problems.map(({ message }) => message),
        ...unsupportedInWords(declared),
      ]);
    sayNoHooks(context, declared, flags, isInstalled(places, declared.label));
    return undefined;
  }
  const again = (): Shown => {
    const plan = planInstall(declared, {
      places,
      clients: selection.clients,
      disk,
      madeFolders,
      actNow: flags.actNow ?? false,
      extraTurns: flags.extraTurns,
      node: process.execPath,
    });
    const verbose = flags.verbose === true;
    return { plan, declared, selection, diffs: diffs(plan), ...(verbose && { verbose }) };
  };
  return { ...again(), declared, again };
}

function isInstalled({ state, project }: Places, label: string): boolean {
  const { ledger } = readLedger(state, disk.read);
  return ledger.installs.some(isInstall(label, project ?? null));
}

/** Nothing to do is no mistake; what was not understood is said all the same. */
function sayNoHooks(
  { terminal }: Context,
  declared: Declared,
  flags: InstallFlags,
  installed: boolean,
): void {
  const { label, problems, unsupported = [], found } = declared;
  const said = problems.map(({ message }) => message);
  if (flags.json) {
    const none = { label, hooks: [], changes: false, problems: said };
    terminal.out(
      toJson({ ...none, ...unsupportedJson(declared), ...(found && { foundIn: found }) }),
    );
    return;
  }
  const lines = [
    unsupported.length > 0 ? messages.noHookHere(label) : messages.noHooks(label),
    ...said.map((one) => visible(one)),
    ...unsupportedInWords(declared),
    ...(flags.verbose && found ? [foundInWords(found)] : []),
    ...(installed ? [messages.stillInstalled(label)] : []),
  ];
  terminal.out(`${lines.join('\n')}\n`);
}

/** Something of a server that was asked is not understood; of what is written down that is refused anyway. */
const isLeftOut = ({ found, problems, unsupported = [] }: Declared): boolean =>
  found !== undefined && problems.length + unsupported.length > 0;

/** Why `--strict` will not have it, or undefined. */
export function strictObjection({ plan, declared }: Shown): string | undefined {
  if (declared && isLeftOut(declared)) return messages.strictLeftOut;
  const lossy = plan.clients.some(({ compiled }) =>
    compiled?.hooks.some(({ grade }) => grade !== 'exact'),
  );
  return lossy ? messages.strictRefused : undefined;
}
