/** A plan in which a file is refused: `diff` says so as `install` does, without what it takes to write. */

import type { Plan } from '../../install/plan.ts';
import { messages } from '../messages/output.ts';

export function refusedIn(
  { clients }: Plan,
  choosesClients: boolean,
  writes = true,
): string | undefined {
  if (!clients.some(({ refusal }) => refusal)) return undefined;
  const others = clients.filter(({ refusal }) => !refusal).map(({ client }) => client.id);
  return messages.refused(choosesClients ? others : [], writes);
}

/** What makes a plan an error, for scripts. */
export const refusedJson = (stop: string, objection: string | undefined): object => ({
  error: stop,
  details: [],
  code: objection === undefined ? 'file-refused' : 'plan-refused',
});
