/** What `install` and `diff` have in common: read the declaration, find the clients, plan. */

import type { Declared } from '../declaration/declaration.ts';
import { resolveServer } from '../declaration/resolve.ts';
import { selectClients } from '../detect.ts';
import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import { findPlaces } from '../places.ts';
import { planInstall } from '../plan.ts';
import type { Shown } from '../show.ts';
import { visible } from '../visible.ts';
import { type Context, diffs, disk, type Flags, loadFormats, patiently } from './context.ts';

export interface InstallFlags extends Flags {
  readonly name?: string;
  readonly strict?: boolean;
  readonly actNow?: boolean;
  readonly extraTurns: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** Undefined: the server declares no hooks, and that has been said. */
export async function prepare(
  context: Context,
  source: string | undefined,
  command: readonly string[],
  flags: InstallFlags,
): Promise<(Shown & { declared: Declared }) | undefined> {
  const { terminal, cwd, env, version } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const selection = selectClients(flags.client, places);
  if (selection.clients.length === 0)
    throw new UserError(messages.noClient(selection.missing.map(({ client }) => client.name)));

  const declared = await patiently(
    terminal,
    `Asking ${visible(command[0] ?? source ?? '', 200)} for its hooks ...`,
    () =>
      resolveServer({
        command,
        cwd,
        version,
        deadline: flags.timeout * 1000,
        ...(source !== undefined && { source }),
        ...(flags.name !== undefined && { name: flags.name }),
      }),
  );
  if (declared.hooks.length === 0 && declared.problems.length === 0) {
    if (flags.json)
      terminal.out(
        `${JSON.stringify({ label: declared.label, hooks: [], changes: false }, null, 2)}\n`,
      );
    else terminal.out(`${messages.noHooks(declared.label)}\n`);
    return undefined;
  }

  const formats = await loadFormats(selection.clients);
  const plan = planInstall(declared, {
    places,
    clients: selection.clients,
    disk,
    formats,
    actNow: flags.actNow ?? false,
    extraTurns: flags.extraTurns,
    node: process.execPath,
  });
  return { plan, declared, selection, diffs: await diffs(plan, formats) };
}

/** Why `--strict` will not have it, or undefined. */
export function strictObjection({ plan, declared }: Shown): string | undefined {
  if (declared?.source.kind === 'command' && declared.problems.length > 0)
    return messages.strictLeftOut;
  const lossy = plan.clients.some(({ compiled }) =>
    compiled?.hooks.some(({ grade }) => grade !== 'exact'),
  );
  return lossy ? messages.strictRefused : undefined;
}
