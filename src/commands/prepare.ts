/** What `install` and `diff` have in common: read the declaration, find the clients, plan. */

import type { Declared } from '../declaration/declaration.ts';
import { selectClients } from '../detect.ts';
import { UserError } from '../errors.ts';
import { findServer } from '../finding/find.ts';
import { isInstall, readLedger } from '../ledger.ts';
import { messages } from '../messages.ts';
import { findPlaces, type Places } from '../places.ts';
import { planInstall } from '../plan.ts';
import { readTarget } from '../reading/read.ts';
import { foundInWords, type Shown, unsupportedInWords, unsupportedJson } from '../show.ts';
import { inLine, toJson, visible } from '../visible.ts';
import { agreeToAsk } from './agree.ts';
import { type Context, diffs, disk, type Flags, missingForState, patiently } from './context.ts';

export interface InstallFlags extends Flags {
  readonly name?: string;
  /** The client in whose configuration the server stands. */
  readonly from?: string;
  readonly strict?: boolean;
  readonly actNow?: boolean;
  readonly extraTurns: boolean;
  /** Seconds. */
  readonly timeout: number;
  /** Nothing is asked: what has to be started is started. */
  readonly yes?: boolean;
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

  const deadline = flags.timeout * 1000;
  const meant = visible(command[0] ?? source ?? '', 200);
  const target = await patiently(terminal, `Looking for ${meant} ...`, () =>
    findServer({
      command,
      cwd,
      env,
      deadline,
      ...(source !== undefined && { operand: source }),
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.from !== undefined && { from: flags.from }),
      ...(terminal.interactive && !flags.json && { choose }),
    }),
  );
  await agreeToAsk(context, target, flags);
  const asking = `Asking ${meant} for its hooks ...`;
  const declared = await patiently(terminal, asking, () =>
    readTarget(target, { deadline, version }),
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
  const madeFolders = missingForState(places);
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

/** One of several, in a terminal. */
async function choose(question: string, choices: readonly string[]): Promise<number | undefined> {
  const { createPromptModule } = await import('inquirer');
  try {
    const { index } = await createPromptModule()([
      {
        type: 'select',
        name: 'index',
        message: inLine(question),
        choices: choices.map((choice, value) => ({ name: inLine(choice), value })),
      },
    ]);
    return index;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return undefined; // ctrl-C
    throw error;
  }
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
  const { label, problems, notes = [], unsupported = [], found } = declared;
  const said = problems.map(({ message }) => message);
  if (flags.json) {
    const none = { label, hooks: [], changes: false, problems: said, notes };
    terminal.out(
      toJson({ ...none, ...unsupportedJson(declared), ...(found && { foundIn: found }) }),
    );
    return;
  }
  const left = problems.some(({ leftOut }) => leftOut);
  const none = left ? messages.nothingLeft(label) : messages.noHooks(label);
  const lines = [
    unsupported.length > 0 ? messages.noHookHere(label) : none,
    ...notes,
    ...said.map((one) => visible(one)),
    ...unsupportedInWords(declared),
    ...(flags.verbose && found ? [foundInWords(found)] : []),
    ...(installed ? [messages.stillInstalled(label)] : []),
  ];
  terminal.out(`${lines.join('\n')}\n`);
}

/** Something is left out, or of a server that was asked not understood; what is written down wrongly is refused anyway. */
const isLeftOut = ({ found, problems, unsupported = [] }: Declared): boolean =>
  problems.some(({ leftOut }) => leftOut) ||
  (found !== undefined && problems.length + unsupported.length > 0);

/** Why `--strict` will not have it, or undefined. */
export function strictObjection({ plan, declared }: Shown): string | undefined {
  if (declared && isLeftOut(declared)) return messages.strictLeftOut;
  const lossy = plan.clients.some(({ compiled }) =>
    compiled?.hooks.some(({ grade }) => grade !== 'exact'),
  );
  return lossy ? messages.strictRefused : undefined;
}
