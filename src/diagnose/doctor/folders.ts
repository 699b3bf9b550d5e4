/** Whether a client trusts the folder we are in, where hooks depend on that. */

import { tilde } from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import { said } from '../../system/errors.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofClients } from './check.ts';
import { isUsed } from './context.ts';
import type { TrustMessage } from './trust-messages.ts';

export const folderTrust = ofClients('folder-trust', 'folder-trusted', (client, at) => {
  const { trust } = healthOf(client);
  if (!trust || !isUsed(client, at)) {
    // Trust in a project is told of with what is installed in it.
    const inProject = at.installs.some(
      ({ project, clients }) => project !== null && clients.includes(client.id),
    );
    return [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'no-trust-needed', inProject }) }];
  }
  const { cwd, home } = at.machine;
  const { state, where } = trust.decide(at.trustLook(client));
  const waiting = at.installs.filter(
    ({ project, clients }) => project === cwd && clients.includes(client.id),
  );
  if (trust.onlyProjects && state !== 'trusted' && waiting.length === 0)
    return [
      { level: 'ok', what: said<DiagnoseMessage>({ code: 'no-trust-needed', inProject: false }) },
    ];
  const folder = tilde(cwd, home);
  const todo = said<TrustMessage>({ code: 'trust-by-hand', byHand: trust.todo });
  const found = (level: CheckResult['level'], what: DiagnoseMessage): CheckResult[] => [
    { level, what, where, todo },
  ];
  if (trust.onlyProjects && state !== 'trusted')
    return waiting.map((install) => ({
      level: 'error',
      what: said<DiagnoseMessage>({
        code: 'folder-undecided',
        folder,
        undecided: trust.undecided,
      }),
      brief: said<TrustMessage>({ code: 'project-not-trusted' }),
      where,
      todo,
      blocks: { client: client.id, install },
    }));
  if (state === 'refused')
    return found('error', said<DiagnoseMessage>({ code: 'folder-refused', folder }));
  if (state === 'undecided')
    return found(
      trust.asks ? 'info' : 'warning',
      said<DiagnoseMessage>({ code: 'folder-undecided', folder, undecided: trust.undecided }),
    );
  return [];
});
