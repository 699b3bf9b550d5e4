/** What `install`, `diff` and `update` have in common: read the declaration, find the clients, ask for grants, plan. */

import type { Declared } from '../declaration/declaration.ts';
import { type Selection, selectClients } from '../detect.ts';
import { UserError } from '../errors.ts';
import { findServer } from '../finding/find.ts';
import type { Target } from '../finding/target.ts';
import { type Decision, denied, type Grant } from '../grants.ts';
import { isInstall, readLedger } from '../ledger.ts';
import { messages } from '../messages.ts';
import { findPlaces, type Places } from '../places.ts';
import { planInstall } from '../plan.ts';
import { readTarget } from '../reading/read.ts';
import type { Shown } from '../show.ts';
import { showDeclared } from '../show-declared.ts';
import { toJson, visible } from '../visible.ts';
import { type Context, diffs, disk, type Flags, missingForState, patiently } from './context.ts';

export interface InstallFlags extends Flags {
  readonly name?: string;
  readonly strict?: boolean;
  readonly actNow?: boolean;
  readonly extraTurns: boolean;
  readonly allow?: readonly Grant[];
  /** Seconds. */
  readonly timeout: number;
}

/** A plan as it is shown, and how to make it again. */
export interface Prepared extends Shown {
  readonly declared: Declared;
  readonly again: () => Shown;
}

/** Asks the user for a grant to a label. */
export type Asker = (label: string, grant: Grant) => Promise<boolean>;

/** Undefined: the server declares no hooks, and that has been said. */
export async function prepare(
  context: Context,
  source: string | undefined,
  command: readonly string[],
  flags: InstallFlags,
  ask?: Asker,
): Promise<Prepared | undefined> {
  const { cwd, env } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const selection = selectClients(flags.client, places);
  if (selection.clients.length === 0)
    throw new UserError(messages.noClient(selection.missing.map(({ client }) => client.name)));

  const target = await findServer({
    command,
    cwd,
    env,
    installed: (label) => installedAs(places, label)?.origin,
    ...(source !== undefined && { operand: source }),
    ...(flags.name !== undefined && { name: flags.name }),
  });
  const declared = await readFrom(context, target, command[0] ?? source ?? '', flags.timeout);
  if (declared.hooks.length === 0) {
    if (flags.strict && declared.problems.length > 0)
      throw new UserError(
        messages.strictLeftOut,
        declared.problems.map(({ message }) => message),
      );
    const installed = installedAs(places, declared.label) !== undefined;
    sayNoHooks(context, declared, flags, installed);
    return undefined;
  }
  const { extraTurns, actNow = false, allow = [] } = flags;
  const wanted = { places, selection, extraTurns, actNow, allow };
  return propose(context, declared, wanted, {
    ...(ask && { ask }),
    introduce: (grants) => showDeclared(context.terminal, declared, grants),
  });
}

/** Reads what a server that was found declares; whoever waits is told for whom. */
export const readFrom = (
  { terminal, version }: Context,
  target: Target,
  name: string,
  seconds: number,
): Promise<Declared> =>
  patiently(terminal, messages.asking(visible(name, 200)), () =>
    readTarget(target, { deadline: seconds * 1000, version }),
  );

export interface Wanted {
  readonly places: Places;
  readonly selection: Selection;
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  /** What the user has granted when giving the command. */
  readonly allow: readonly Grant[];
}

interface Manner {
  /** What the server wants told, in words. */
  readonly introduce: (grants: Decision) => string;
  /** Absent: nobody is to be asked. */
  readonly ask?: Asker;
}

/** Plans an install, after the grants that are missing have been asked for, where somebody can be asked. */
export async function propose(
  { terminal }: Context,
  declared: Declared,
  { places, selection, allow, ...lasting }: Wanted,
  { introduce, ask }: Manner,
): Promise<Prepared> {
  const madeFolders = missingForState(places);
  const granting = (allow: readonly Grant[]) => {
    const plan = planInstall(declared, {
      places,
      clients: selection.clients,
      disk,
      madeFolders,
      ...lasting,
      allow,
      node: process.execPath,
    });
    return { plan, declared, selection, diffs: diffs(plan) };
  };
  const first = granting(allow);
  const { grants } = first.plan;
  const open = grants.needs.filter(({ by }) => by === undefined);
  if (!ask || open.length === 0 || !terminal.interactive)
    return { ...first, introduce: () => introduce(grants), again: () => granting(allow) };

  terminal.out(`${introduce(grants)}\n\n`);
  const all = [...allow];
  for (const { grant } of open) if (await ask(declared.label, grant)) all.push(grant);
  terminal.out('\n');
  return { ...granting(all), again: () => granting(all) };
}

/** What the ledger has of a label in this scope. */
export const installedAs = ({ state, project }: Places, label: string) =>
  readLedger(state, disk.read).ledger.installs.find(isInstall(label, project ?? null));

/** Nothing to do is no mistake; what was not understood is said all the same. */
function sayNoHooks(
  { terminal }: Context,
  { label, problems }: Declared,
  flags: InstallFlags,
  installed: boolean,
): void {
  const said = problems.map(({ message }) => message);
  if (flags.json) terminal.out(toJson({ label, hooks: [], changes: false, problems: said }));
  else
    terminal.out(
      `${[messages.noHooks(label), ...said.map((one) => visible(one)), ...(installed ? [messages.stillInstalled(label)] : [])].join('\n')}\n`,
    );
}

/** Why `--strict` will not have it, or undefined. */
export function strictObjection({ plan, declared }: Shown): string | undefined {
  if (declared?.source.kind === 'command' && declared.problems.length > 0)
    return messages.strictLeftOut;
  const lossy = plan.clients.some(({ compiled }) =>
    compiled?.hooks.some(({ grade }) => grade !== 'exact'),
  );
  return lossy || denied(plan.grants).downgraded.length > 0 ? messages.strictRefused : undefined;
}
