/** Before anything is written: whether the clients start with their configuration, where only they can say. */

import { stopped } from '../../clients/detect.ts';
import type { Plan } from '../../install/plan.ts';
import { UserError } from '../../system/errors.ts';
import type { CliMessage } from '../messages/codes.ts';
import { messages } from '../messages/output.ts';
import { type Context, patiently } from './context.ts';

/** @throws UserError when hooks would be written for a client that does not start. */
export async function refuseIfStopped(
  { terminal, cwd }: Context,
  { kind, places, clients }: Plan,
): Promise<void> {
  if (kind !== 'install') return;
  for (const { client, change, compiled } of clients) {
    if (!change || !compiled?.groups.length) continue;
    const found = await patiently(terminal, messages.askingWhetherItStarts(client.shortName), () =>
      stopped(client, { places, cwd }),
    );
    if (found)
      throw new UserError<CliMessage>(
        { code: 'client-stops-here', client: client.shortName, why: found.why },
        [{ code: 'leave-client-out', client: client.shortName }],
      );
  }
}
