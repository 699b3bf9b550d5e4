/** What clients recorded about trust in a label's hooks. The records are removed with the hooks. */

import type { Client } from '../clients/contract.ts';
import { TRUSTING } from '../clients/registry.ts';
import type { Forgotten } from '../clients/trust.ts';
import { readWritten } from './configured-hooks.ts';
import type { FileChange, FileEdit, PlanOptions } from './planned-file.ts';

export interface PlannedTrust extends Omit<Forgotten, 'without'> {
  readonly client: Client;
  /** How the file changes. Absent if the change is part of the plan for the client's hooks. */
  readonly change?: FileChange;
}

export interface Forgetting extends Forgotten {
  readonly client: Client;
}

/**
 * The records of a label's hooks. The records in a file that cannot be written stay.
 * @param stays Whether the client still has a hook of the label for the event afterwards; by default, it does not.
 */
export const recordsOf = (
  label: string,
  { clients, places, disk }: PlanOptions,
  stays: (client: Client, native: string) => boolean = () => false,
): Forgetting[] =>
  TRUSTING.flatMap(({ client, trust }) => {
    if (!clients.includes(client)) return [];
    const own = readWritten(client, places, disk).hooks.filter(
      (hook) => hook.label === label && !stays(client, hook.native),
    );
    if (own.length === 0) return []; // no file has to be read
    const found = trust.forget(own, { places, read: disk.read });
    return found && !disk.obstacle(found.path) ? [{ client, ...found }] : [];
  });

/** The edits of clients' files, extended to take out these records. */
export function withoutRecords(
  edits: readonly FileEdit[],
  records: readonly Forgetting[],
): FileEdit[] {
  const isSame = (one: Pick<FileEdit, 'client' | 'path'>) => (other: typeof one) =>
    one.client === other.client && one.path === other.path;
  const forgetting = records.map((one): FileEdit => {
    const { client, path, without } = one;
    const edit = edits.find(isSame(one));
    const apply: FileEdit['apply'] = (source, start) => {
      const done = edit?.apply(source, start) ?? { text: source, added: [], isMade: false };
      return { ...done, text: done.text === null ? null : without(done.text) };
    };
    return { client, path, apply };
  });
  return [...edits.filter((edit) => !records.some(isSame(edit))), ...forgetting];
}
