/** Hooks that have fired under a label that we did not install: they are from a plugin, an extension or an administrator. */

import { logFiles, logFolder } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import { readLedger } from '../install/ledger.ts';
import type { Disk } from '../system/disk.ts';
import { labelsOf, lastLines, parseLog, withoutTrials } from './log.ts';
import type { DiagnoseMessage } from './messages.ts';

export interface Shipped {
  readonly label: string;
  /** The names of the clients in which they have fired. */
  readonly clients: readonly string[];
}

/** Known from the logs, to which all our runners write. Hooks that have not fired yet are not in them. */
export function shippedIn(state: string, disk: Pick<Disk, 'read' | 'list'>): Shipped[] {
  const { ledger, broken } = readLedger(state, disk.read);
  if (broken) return []; // it is unknown what is installed
  const labels = labelsOf(disk.list(logFolder(state)));
  return labels.flatMap((label): Shipped | [] => {
    if (ledger.installs.some((one) => one.label === label)) return [];
    const entries = logFiles(state, label).flatMap(
      (file) => parseLog(label, lastLines(file)).entries,
    );
    const fired = new Set(withoutTrials(entries).map(({ client }) => client));
    const clients = CLIENTS.filter(({ id }) => fired.has(id)).map(({ name }) => name);
    return clients.length > 0 ? { label, clients } : [];
  });
}

/** The message in addition to "not installed". */
export function shippedAs(
  label: string,
  state: string,
  disk: Pick<Disk, 'read' | 'list'>,
): Extract<DiagnoseMessage, { code: 'shipped' }>[] {
  return shippedIn(state, disk)
    .filter((one) => one.label === label)
    .map((one) => ({ code: 'shipped', ...one }));
}
