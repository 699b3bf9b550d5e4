/** Whether a client trusts the folder we are in, where hooks depend on that. */

import { tilde } from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import { type CheckResult, ofClients } from './check.ts';
import { isUsed } from './context.ts';

export const folderTrust = ofClients('folder-trust', 'folder-trusted', (client, at) => {
  const { trust } = healthOf(client);
  const needless = (inProject: boolean): CheckResult => ({
    level: 'ok',
    what: { code: 'no-trust-needed', inProject },
  });
  const own = at.installs.filter(({ clients }) => clients.includes(client.id));
  // Trust in a project is told of with what is installed in it.
  if (!trust || !isUsed(client, at)) return needless(own.some(({ project }) => project !== null));
  const { cwd, home } = at.machine;
  const { state, where } = trust.decide(at.trustLook(client));
  if (state === 'trusted') return undefined;
  const folder = tilde(cwd, home);
  const todo = { code: 'trust-by-hand', byHand: trust.todo } as const;
  const { undecided } = trust;
  if (trust.onlyProjects) {
    const waiting = own.filter(({ project }) => project === cwd);
    if (waiting.length === 0) return needless(false);
    return waiting.map((install) => ({
      level: 'error',
      what: { code: 'folder-undecided', folder, undecided },
      brief: { code: 'project-not-trusted' },
      where,
      todo,
      blocks: { client: client.id, install },
    }));
  }
  if (state === 'refused')
    return { level: 'error', what: { code: 'folder-refused', folder }, where, todo };
  const level = trust.asks ? 'info' : 'warning';
  return { level, what: { code: 'folder-undecided', folder, undecided }, where, todo };
});
