/** What of a label is installed for a client, as the client and the runner find it: entries, and a program for each event. */

import { join } from 'node:path';
import type { Client } from '../clients/client.ts';
import { CLIENTS } from '../clients/index.ts';
import type { EventProgram } from '../compile/program.ts';
import { runnerDrift } from '../drift.ts';
import type { Refusal } from '../edit/edit.ts';
import { type Install, isInstall, ledgerPath, readLedger } from '../ledger.ts';
import { drifted } from '../messages.ts';
import { type Places, runnerFolder } from '../places.ts';
import type { Disk } from '../plan.ts';
import { clientOf, parseProgram, programName } from '../runner.ts';
import { readWritten, type WrittenHook } from '../written.ts';

/** What a label has on a native event of a client. */
export interface InstalledEvent {
  readonly native: string;
  /** Undefined: there is none that can be read. */
  readonly program?: EventProgram;
  /** Its entries in the client's files; there should be one. */
  readonly entries: readonly WrittenHook[];
}

export interface Installed {
  readonly label: string;
  readonly client: Client;
  /** In the order in which the client knows them. */
  readonly events: readonly InstalledEvent[];
  /** The client's files that it would not read, and why. */
  readonly refused: readonly { readonly path: string; readonly why: Refusal }[];
  /** What has happened to the runner since, in words; undefined: nothing. */
  readonly drift?: string;
}

/** Everything of ours in one scope. */
export interface Everything {
  readonly labels: readonly string[];
  readonly of: (label: string, client: Client) => Installed | undefined;
  /** The record cannot be read; entries are known by their commands. */
  readonly broken?: string;
}

/** @throws UserError when the ledger is of a newer version. */
export function readInstalled(places: Places, disk: Pick<Disk, 'read' | 'list'>): Everything {
  const { ledger, broken } = readLedger(places.state, disk.read);
  const project = places.project ?? null;
  const installs = ledger.installs.filter((install) => install.project === project);
  const written = new Map(
    CLIENTS.map((client) => [client.id, readWritten(client, places, disk)] as const),
  );
  const labels = new Set([
    ...installs.map(({ label }) => label),
    ...[...written.values()].flatMap(({ hooks }) => hooks.flatMap(({ label }) => label ?? [])),
  ]);
  return {
    labels: [...labels],
    ...(broken && { broken: ledgerPath(places.state) }),
    of: (label, client) => {
      const { hooks = [], refused = [] } = written.get(client.id) ?? {};
      const install = installs.find(isInstall(label, project));
      const entries = hooks.filter((hook) => hook.label === label);
      const folder = runnerFolder(places, label);
      const names = [...Object.keys(install?.runner ?? {}), ...disk.list(folder)];
      const natives = new Set([
        ...names.flatMap((name) => (clientOf(name) === client.id ? (nativeOf(name) ?? []) : [])),
        ...entries.map(({ native }) => native),
      ]);
      if (natives.size === 0 && !install?.clients.includes(client.id)) return undefined;
      const read = (name: string) => disk.read(join(folder, name));
      const drift = install && driftOf(install, client, read);
      return {
        label,
        client,
        refused,
        ...(drift !== undefined && { drift }),
        events: Object.keys(client.nativeEvents)
          .filter((native) => natives.has(native))
          .map((native) => {
            const program = parseProgram(read(programName(client.id, native)));
            return {
              native,
              entries: entries.filter((entry) => entry.native === native),
              ...(program && { program }),
            };
          }),
      };
    },
  };
}

const nativeOf = (name: string): string | undefined => /\.(\w+)\.\w+$/.exec(name)?.[1];

function driftOf(install: Install, client: Client, read: (name: string) => Buffer | null) {
  const drift = runnerDrift(install, read).filter(({ what = '' }) =>
    [undefined, client.id].includes(clientOf(what)),
  );
  return drift.length > 0 ? drifted(drift) : undefined;
}
