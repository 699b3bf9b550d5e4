/** Hooks that an administrator has installed for all users of the machine. */

import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { commandsIn } from '../../clients/entries.ts';
import { startedBy } from '../../compile/command.ts';
import type { DiagnoseMessage } from '../messages.ts';
import type { Check, Finding } from './check.ts';
import type { DoctorContext } from './context.ts';

export interface ManagedHooks {
  readonly client: Client;
  readonly label: string;
  /** The client's file. */
  readonly path: string;
  /** The client's own events. */
  readonly events: readonly string[];
  /** Whether some of the files that its entries start are missing. */
  readonly isGone: boolean;
}

/** The client's managed hooks that start a runner of ours, one for each label and file. */
export function managedHooks(client: Client, at: DoctorContext): ManagedHooks[] {
  const { root } = at.machine;
  return at
    .settings(client)
    .filter(({ whose }) => whose === 'managed' || whose === 'defaults')
    .flatMap(({ path, layout, document = {} }) => {
      const started = commandsIn(client, document, layout).flatMap(({ native: event, command }) => {
        const file = startedBy(command);
        return file === undefined ? [] : [{ event, file }];
      });
      const labelOf = ({ file }: { readonly file: string }) => basename(dirname(file));
      return [...new Set(started.map(labelOf))].map((label) => {
        const own = started.filter((one) => labelOf(one) === label);
        const events = [...new Set(own.map(({ event }) => event))];
        const isGone = own.some(({ file }) => !existsSync(`${root}${file}`));
        return { client, label, path, events, isGone };
      });
    });
}

/** Reports nothing if there are none. */
export const managed: Check = {
  name: 'managed-hooks',
  look: (at) =>
    at.clients.flatMap((client) =>
      managedHooks(client, at)
        .filter(({ label }) => at.label === undefined || at.label === label)
        .map(({ label, path: where, isGone }): Finding => {
          const isInstalled = at.installs.some(
            (one) => one.label === label && one.clients.includes(client.id),
          );
          const code = isInstalled ? 'from-administrator-too' : 'from-administrator';
          const fine: DiagnoseMessage = { code, label };
          const gone: DiagnoseMessage = { code: 'administrator-runner-gone', label };
          const todo: DiagnoseMessage = { code: 'ask-administrator' };
          return isGone
            ? { level: 'warning', about: client.name, what: gone, where, todo }
            : { level: 'info', about: client.name, what: fine, where };
        }),
    ),
};
