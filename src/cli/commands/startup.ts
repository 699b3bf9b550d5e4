/** Before anything is written: whether the clients start with their configuration, where only they can say. */

import { stopped } from '../../clients/stopped.ts';
import type { Plan } from '../../install/plan.ts';
import { UserError } from '../../system/errors.ts';
import { startupMessages } from '../startup-messages.ts';
import { type Context, patiently } from './context.ts';

/** @throws UserError when hooks would be written for a client that does not start. */
export async function refuseIfStopped(
  { terminal, cwd }: Context,
  { kind, places, clients }: Plan,
): Promise<void> {
  if (kind !== 'install') return;
  for (const { client, change, compiled } of clients) {
    if (!change || !compiled?.groups.length) continue;
    const found = await patiently(terminal, startupMessages.asking(client), () =>
      stopped(client, { places, cwd }),
    );
    if (found)
      throw new UserError(startupMessages.stopsHere(client, found.why), [
        startupMessages.leaveOut(client),
      ]);
  }
}
