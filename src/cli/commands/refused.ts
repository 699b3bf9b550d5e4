/** Reports a plan in which a file is refused. A module of its own, so `diff` need not load the code that writes. */

import type { Plan } from '../../install/plan.ts';
import { messages } from '../../present/messages/output.ts';

export function refusedIn(
  { clients }: Plan,
  choosesClients: boolean,
  writes = true,
): string | undefined {
  if (!clients.some(({ refusal }) => refusal)) return undefined;
  const others = clients.filter(({ refusal }) => !refusal).map(({ client }) => client.id);
  return messages.refused(choosesClients ? others : [], writes);
}

/** Marks a plan as an error, for scripts. */
export const refusedJson = (stop: string, objection: string | undefined): object => ({
  error: stop,
  details: [],
  code: objection === undefined ? 'file-refused' : 'plan-refused',
});
