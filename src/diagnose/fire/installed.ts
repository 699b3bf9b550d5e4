/** What a label has installed in a client, as the client and the runner find it: entries, and a program for each event. */

import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { type Places, runnerFolder, tilde } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { firstStageName } from '../../compile/command.ts';
import type { EventProgram } from '../../compile/program.ts';
import { APPROVAL_FILE, clientOf, parseProgram, programName } from '../../compile/runner-files.ts';
import type { Refusal } from '../../edit/edit.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import { drifted, runnerDrift } from '../../install/drift.ts';
import { type Install, isInstall, ledgerPath, readLedger } from '../../install/ledger.ts';
import type { InstallMessage } from '../../install/messages.ts';
import { holdsOurs, isOurs, labelsNamedBy } from '../../install/ownership.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { Disk } from '../../system/disk.ts';
import { unique } from '../../system/errors.ts';
import { once } from '../../system/memoize.ts';
import { updateCommand } from '../doctor/origin.ts';
import type { DiagnoseMessage } from '../messages.ts';

/** What a label has on a native event of a client. */
export interface InstalledEvent {
  readonly native: string;
  /** Undefined: there is none that can be read. */
  readonly program?: EventProgram;
  /** Its entries in the client's files that may be run; there should be one. */
  readonly entries: readonly ConfiguredHook[];
  /** Why we do not run something that is there but was not installed so, one sentence each. */
  readonly notRun: readonly DiagnoseMessage[];
}

export interface Installed {
  readonly label: string;
  readonly client: Client;
  readonly events: readonly InstalledEvent[];
  readonly refused: readonly { readonly path: string; readonly why: Refusal }[];
  readonly drift?: InstallMessage;
}

export type Everything = ReturnType<typeof readInstalled>;

/**
 * Everything of ours in one scope, and the installs in others. `broken`: the record cannot be read, so entries are recognised
 * by their commands.
 *
 * @throws UserError if a newer version wrote the ledger.
 */
export function readInstalled(places: Places, disk: Pick<Disk, 'read' | 'list'>) {
  const { ledger, broken } = readLedger(places.state, disk.read);
  const site = siteOf(places);
  const installs = ledger.installs.filter((install) => isSameSite(install, site));
  /** Computed once, because it reads the whole runner, and each client asks for its part. */
  const driftOf = once((install: Install) => runnerDrift(install, places, disk.read));
  const written = new Map(
    CLIENTS.map((client) => [client.id, readWritten(client, places, disk)] as const),
  );
  const labels = new Set([
    ...installs.map(({ label }) => label),
    ...[...written.values()].flatMap(({ hooks }) =>
      hooks.flatMap((hook) =>
        labelsNamedBy(hook, places).filter((label) => holdsOurs(hook, label, places)),
      ),
    ),
  ]);
  return {
    labels: [...labels],
    elsewhere: ledger.installs.filter((install) => !isSameSite(install, site)),
    broken: broken ? ledgerPath(places.state) : undefined,
    of: (label: string, client: Client): Installed | undefined => {
      const { hooks = [], refused = [] } = written.get(client.id) ?? {};
      const install = installs.find(isInstall(label, site));
      const folder = runnerFolder(places, label);
      const named = hooks.filter((hook) => labelsNamedBy(hook, places).includes(label));
      const ours = named.filter((hook) => isOurs(hook, label, places));
      const isStarted = (native: string) =>
        install !== undefined && Object.hasOwn(install.runner, firstStageName(client.id, native));
      // An entry that only mentions our runner, next to a real entry of ours, may be the user's own hook.
      const others = named.filter(
        (hook) =>
          !ours.includes(hook) &&
          (holdsOurs(hook, label, places) ||
            (isStarted(hook.native) && ours.every(({ native }) => native !== hook.native))),
      );
      const names = [...Object.keys(install?.runner ?? {}), ...disk.list(folder)];
      const natives = new Set([
        ...names.flatMap((name) => (clientOf(name) === client.id ? (nativeOf(name) ?? []) : [])),
        ...[...ours, ...others].map(({ native }) => native),
      ]);
      if (natives.size === 0 && !install?.clients.includes(client.id)) return undefined;
      const drift = (install ? driftOf(install) : []).filter(({ what = '' }) =>
        [undefined, client.id].includes(clientOf(what)),
      );
      const altered = drift.filter(({ code }) => code === 'runner altered');
      // The files of a runner that matter for an event. The approval file is only for people.
      const alteredOn = (native: string) =>
        altered.filter(
          ({ what = '' }) => what !== APPROVAL_FILE && [undefined, native].includes(nativeOf(what)),
        );
      const known = Object.keys(client.nativeEvents).filter((native) => natives.has(native));
      return {
        label,
        client,
        refused,
        ...(drift.length > 0 && { drift: drifted(drift) }),
        events: [...new Set([...known, ...natives])].map((native) => {
          const program = parseProgram(disk.read(join(folder, programName(client.id, native))));
          const here = (some: readonly ConfiguredHook[]) =>
            some.filter((one) => one.native === native);
          const isRecorded = isStarted(native);
          const wrong = alteredOn(native);
          // A program that cannot be read is reported as such.
          const isSaid = !program && wrong.every(({ what }) => what?.endsWith('.json'));
          const short = ({ path }: ConfiguredHook) => tilde(path, places.home);
          const unknown = (one: ConfiguredHook): DiagnoseMessage => ({
            code: 'entry-unknown',
            file: short(one),
            label,
          });
          const notRun = here(others).map(
            (one): DiagnoseMessage =>
              install
                ? { code: 'entry-altered', file: short(one), again: updateCommand(install) }
                : unknown(one),
          );
          if (!isRecorded) notRun.push(...here(ours).map(unknown));
          if (install && wrong.length > 0 && !isSaid && here(ours).length > 0)
            notRun.push({
              code: 'runner-not-run',
              drift: drifted(wrong),
              again: updateCommand(install),
            });
          return {
            native,
            entries: isRecorded && wrong.length === 0 ? here(ours) : [],
            notRun: unique(notRun),
            ...(program && { program }),
          };
        }),
      };
    },
  };
}

/** The event that a runner's file belongs to; undefined if it belongs to all. */
const nativeOf = (name: string): string | undefined =>
  clientOf(name) === undefined ? undefined : /\.(\w+)\.\w+$/.exec(name)?.[1];
