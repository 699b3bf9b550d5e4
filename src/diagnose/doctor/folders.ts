/** Whether a client trusts the folder we are in, where hooks depend on that. */

import { tilde } from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import { type CheckResult, ofClients } from './check.ts';
import { isUsed } from './context.ts';

export const folderTrust = ofClients('folder-trust', 'folder trusted', (client, at) => {
  const { trust } = healthOf(client);
  if (!trust || !isUsed(client, at)) {
    // Trust in a project is told of with what is installed in it.
    const inProject = at.installs.some(
      ({ project, clients }) => project !== null && clients.includes(client.id),
    );
    const which = inProject ? "no hook in the user's settings" : 'no hook';
    return [{ level: 'ok', what: `${which} depends on trust in the folder` }];
  }
  const { cwd, home } = at.machine;
  const { state, where } = trust.decide(at.trustLook(client));
  const folder = tilde(cwd, home);
  const found = (level: CheckResult['level'], what: string): CheckResult[] => [
    { level, what, where, todo: trust.todo },
  ];
  if (state === 'refused') return found('error', `no hook runs in ${folder}: it is not trusted`);
  if (state === 'undecided')
    return found(
      trust.asks ? 'info' : 'warning',
      `${folder} is not trusted yet: ${trust.undecided}`,
    );
  return [];
});
