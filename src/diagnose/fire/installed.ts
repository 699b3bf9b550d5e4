/** A label's installation in a client, as the client and the runner find it: entries, and a program for each event. */

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
import type { Drift, InstallMessage } from '../../install/messages.ts';
import { holdsOurs, isOurs, labelsNamedBy } from '../../install/ownership.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { Disk } from '../../system/disk.ts';
import { unique } from '../../system/errors.ts';
import { once } from '../../system/memoize.ts';
import { updateCommand } from '../doctor/origin.ts';
import type { DiagnoseMessage } from '../messages.ts';

/** A label's installation on a native event of a client. */
export interface InstalledEvent {
  readonly native: string;
  /** Undefined: there is no readable program. */
  readonly program?: EventProgram;
  /** Its entries in the client's files that are safe to run. Normally, there is exactly one. */
  readonly entries: readonly ConfiguredHook[];
  /** One message for each entry or file that we do not run because it is not as installed. */
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
 * All our hooks in one scope, and the installs in other scopes. `broken`: the ledger cannot be read, so entries are recognised
 * by their commands.
 *
 * @throws UserError if a newer version wrote the ledger.
 */
export function readInstalled(places: Places, disk: Pick<Disk, 'read' | 'list'>) {
  const { ledger, broken } = readLedger(places.state, disk.read);
  const site = siteOf(places);
  const installs = ledger.installs.filter((install) => isSameSite(install, site));
  /** Computed once, because it reads the whole runner, and each client needs only its part. */
  const driftOf = once((install: Install) => runnerDrift(install, places, disk.read));
  const written = once((client: Client) => readWritten(client, places, disk));
  const found = CLIENTS.flatMap((client) => written(client).hooks).flatMap((hook) =>
    labelsNamedBy(hook, places).filter((label) => holdsOurs(hook, label, places)),
  );
  return {
    labels: [...new Set([...installs.map(({ label }) => label), ...found])],
    elsewhere: ledger.installs.filter((install) => !isSameSite(install, site)),
    broken: broken ? ledgerPath(places.state) : undefined,
    of: (label: string, client: Client): Installed | undefined => {
      const { hooks, refused } = written(client);
      const install = installs.find(isInstall(label, site));
      const drift = (install ? driftOf(install) : []).filter(({ what = '' }) =>
        [undefined, client.id].includes(clientOf(what)),
      );
      const altered = drift.filter(({ code }) => code === 'runner-altered');
      const at = {
        label,
        client,
        install,
        places,
        disk,
        altered,
        ...divided(hooks, label, install, places),
      };
      const natives = nativesIn(at);
      if (natives.size === 0 && !install?.clients.includes(client.id)) return undefined;
      const known = Object.keys(client.nativeEvents).filter((native) => natives.has(native));
      return {
        ...{ label, client, refused, ...(drift.length > 0 && { drift: drifted(drift) }) },
        events: [...new Set([...known, ...natives])].map((native) => eventOf(native, at)),
      };
    },
  };
}

/** The facts about a label in a client. */
interface Label extends ReturnType<typeof divided> {
  readonly label: string;
  readonly client: Client;
  readonly install: Install | undefined;
  readonly places: Places;
  readonly disk: Pick<Disk, 'read' | 'list'>;
  /** The runner's files that are not as installed. */
  readonly altered: readonly Drift[];
}

const isStarted = (install: Install | undefined, client: Client, native: string): boolean =>
  install !== undefined && Object.hasOwn(install.runner, firstStageName(client.id, native));

/** The entries that name a label's runner: ours, and others that may have to be reported. */
function divided(
  hooks: readonly ConfiguredHook[],
  label: string,
  install: Install | undefined,
  places: Places,
) {
  const named = hooks.filter((hook) => labelsNamedBy(hook, places).includes(label));
  const ours = named.filter((hook) => isOurs(hook, label, places));
  // An entry that only mentions our runner, next to a real entry of ours, may be the user's own hook.
  const others = named.filter(
    (hook) =>
      !ours.includes(hook) &&
      (holdsOurs(hook, label, places) ||
        (isStarted(install, hook.client, hook.native) &&
          ours.every(({ native }) => native !== hook.native))),
  );
  return { ours, others };
}

/** The events of its entries, and those for which its runner has files. */
function nativesIn({ label, client, install, places, disk, ours, others }: Label): Set<string> {
  const names = [...Object.keys(install?.runner ?? {}), ...disk.list(runnerFolder(places, label))];
  return new Set([
    ...names.flatMap((name) => (clientOf(name) === client.id ? (nativeOf(name) ?? []) : [])),
    ...[...ours, ...others].map(({ native }) => native),
  ]);
}

function eventOf(native: string, at: Label): InstalledEvent {
  const { label, client, install, places, disk } = at;
  const program = parseProgram(
    disk.read(join(runnerFolder(places, label), programName(client.id, native))),
  );
  const isHere = (one: ConfiguredHook) => one.native === native;
  const [ours, others] = [at.ours.filter(isHere), at.others.filter(isHere)];
  const isRecorded = isStarted(install, client, native);
  // The runner's files that matter for an event. The approval file is only for readers.
  const wrong = at.altered.filter(
    ({ what = '' }) => what !== APPROVAL_FILE && [undefined, native].includes(nativeOf(what)),
  );
  const fileOf = ({ path }: ConfiguredHook) => tilde(path, places.home);
  const unknown = (one: ConfiguredHook): DiagnoseMessage => {
    return { code: 'entry-unknown', file: fileOf(one), label };
  };
  const again = install && updateCommand(install);
  const notRun = others.map((one): DiagnoseMessage => {
    if (!again) return unknown(one);
    const code = isOurs(one, label, places, true) ? 'entry-holds-more' : 'entry-altered';
    return { code, file: fileOf(one), again };
  });
  if (!isRecorded) notRun.push(...ours.map(unknown));
  // An unreadable program is reported elsewhere.
  const isSaid = !program && wrong.every(({ what }) => what?.endsWith('.json'));
  if (again && wrong.length > 0 && !isSaid && ours.length > 0)
    notRun.push({ code: 'runner-not-run', drift: drifted(wrong), again });
  return {
    native,
    entries: isRecorded && wrong.length === 0 ? ours : [],
    notRun: unique(notRun),
    ...(program && { program }),
  };
}

/** The event of a runner's file; undefined: it is for all events. */
const nativeOf = (name: string): string | undefined =>
  clientOf(name) === undefined ? undefined : /\.(\w+)\.\w+$/.exec(name)?.[1];
