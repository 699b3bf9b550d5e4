/** Before anything is written: whether Codex starts with its configuration, which only it can say. */

import { codex } from '../../clients/codex/client.ts';
import type { Plan } from '../../install/plan.ts';
import { UserError } from '../../system/errors.ts';
import { messages } from '../messages.ts';
import { type Context, patiently } from './context.ts';

/** @throws UserError when hooks would be written for a Codex that does not start. */
export async function refuseIfStopped(
  { terminal, cwd }: Context,
  { kind, places, clients }: Plan,
): Promise<void> {
  const mine = clients.find(({ client }) => client.id === codex.id);
  if (kind !== 'install' || !mine?.change || !mine.compiled?.groups.length) return;
  const { whyCodexStops } = await import('../../clients/codex/starts.ts');
  const why = await patiently(terminal, 'Asking Codex whether it starts ...', () =>
    whyCodexStops({ places, cwd }),
  );
  if (why !== undefined)
    throw new UserError(messages.codexStopsHere(why), [messages.codexLeaveOut]);
}
