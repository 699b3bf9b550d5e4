/** The servers that clients have configured, and whether the hooks that they currently declare are installed. */

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findPlaces, type Places, runnerFolder } from '../clients/places.ts';
import { APPROVAL_FILE } from '../compile/runner-files.ts';
import { type ServerHooks, type Source, serverSource } from '../declaration/declared.ts';
import { approvalOf, type DescribeLaunch, parseApproval } from '../install/consent/approval.ts';
import { changesBetween, isSame } from '../install/consent/changes.ts';
import { type Install, readLedger } from '../install/ledger.ts';
import { placesAt } from '../install/site.ts';
import { howOf } from '../sources/alike.ts';
import { type Entry, effectiveEntry, sourceOf } from '../sources/configurations.ts';
import { isSameSource } from '../sources/same-source.ts';
import { disk } from '../system/disk.ts';
import type { Env } from '../system/env.ts';
import { ifPossible, type Message } from '../system/errors.ts';

/** One server: the entries under one name that start or reach it in the same way. */
export interface Server {
  readonly name: string;
  readonly entry: Entry;
  /** Other entries for the same server. */
  readonly also: readonly Entry[];
}

/** The entry that each client uses among those of one name. The same server in several clients counts once. */
export function serversIn(
  entries: readonly Entry[],
  context: Parameters<typeof howOf>[1],
): Server[] {
  const servers: { name: string; entry: Entry; also: Entry[]; how: unknown }[] = [];
  // A clone may configure thousands of servers.
  const named = new Map<string, { readonly all: Entry[]; readonly own: typeof servers }>(
    entries.map(({ name }) => [name, { all: [], own: [] }]),
  );
  for (const entry of entries) named.get(entry.name)?.all.push(entry);
  for (const { client, name } of entries) {
    const { all = [], own = [] } = named.get(name) ?? {};
    const entry = effectiveEntry(all.filter((one) => one.client === client));
    const isKnown = own.some(
      (one) => one.entry === entry || one.also.some((other) => other === entry),
    );
    if (!entry || isKnown) continue;
    const how = howOf(entry, context);
    const same = own.find((one) => isDeepStrictEqual(one.how, how));
    if (!same) {
      const server = { name, entry, also: [], how };
      servers.push(server);
      own.push(server);
    } else if (isHarder(same.entry, entry)) {
      same.also.push(same.entry);
      same.entry = entry;
    } else same.also.push(entry);
  }
  return servers;
}

/** Whether the other entry is easier to query. */
const isHarder = (entry: Entry, other: Entry): boolean =>
  (entry.foreign && !other.foreign) || (entry.off !== undefined && other.off === undefined);

/** The result of querying a configured server. */
export type ScanOutcome =
  | {
      readonly kind: 'hooks';
      readonly declared: ServerHooks;
      /** The catalogue's hooks for a server that declares none. */
      readonly catalogued?: ServerHooks;
    }
  | NotAnswered;

export interface NotAnswered {
  readonly kind: 'not asked' | 'failed';
  readonly why: Message;
  /** Further details, as in `install`. */
  readonly details?: readonly Message[];
  /** The catalogue's hooks for it. */
  readonly catalogued?: ServerHooks;
}

export interface KnownInstall {
  readonly install: Install;
  /** False: another source is installed under its name. */
  readonly same: boolean;
  /** It declares something other than the user agreed to. */
  readonly changed: boolean;
}

/** An install and its place. */
interface InstallHere {
  readonly install: Install;
  readonly places: Places;
}

/** The installs for the user and for the current folder. */
export function installsHere({
  env,
  cwd,
}: {
  readonly env: Env;
  readonly cwd: string;
}): InstallHere[] {
  const user = findPlaces(env, cwd, 'user');
  const project = realpathSync.native(cwd);
  // A ledger that cannot be read must not hide the servers' results.
  const { installs = [] } = ifPossible(() => readLedger(user.state, disk.read))?.ledger ?? {};
  return installs
    .filter((install) => install.project === null || install.project === project)
    .map((install) => ({ install, places: placesAt(install, user) }));
}

export function installedOf(
  { name, entry, also }: Server,
  outcome: ScanOutcome,
  installs: readonly InstallHere[],
  describe: DescribeLaunch,
): KnownInstall | undefined {
  const sources = [entry, ...also].flatMap(sourcesOf);
  const own = installs.find(({ install }) =>
    sources.some((one) => isSameSource(withServerSource(install), one)),
  );
  if (own)
    return { install: own.install, same: true, changed: isChanged(own, entry, outcome, describe) };
  const other = installs.find(({ install }) => install.label === name);
  return other && { install: other.install, same: false, changed: false };
}

/** The server that the hooks belong to, even if they come from the catalogue. */
const withServerSource = ({ origin, ...install }: Install) => ({
  ...install,
  ...(origin && { origin: serverSource(origin) }),
});

/** The forms in which the server may have been passed to `install`. */
function sourcesOf(entry: Entry): Source[] {
  const { parts } = entry;
  const own = sourceOf(entry);
  if (!parts) return [own];
  if ('url' in parts) return [own, { kind: 'url', url: parts.url }];
  return [own, { kind: 'command', command: parts.command, args: parts.args }];
}

function isChanged(
  { install, places }: InstallHere,
  entry: Entry,
  outcome: ScanOutcome,
  describe: DescribeLaunch,
): boolean {
  if (outcome.kind !== 'hooks') return false;
  const isListed = install.origin?.kind === 'catalogue';
  const now = (isListed && outcome.catalogued) || outcome.declared;
  if (now.hooks.length === 0) return false;
  const approval = parseApproval(
    disk.read(join(runnerFolder(places, install.label), APPROVAL_FILE)),
  );
  if (!approval) return false;
  const { launch, ...changes } = changesBetween(approval, approvalOf(now, describe));
  // The description of its start depends on where it was found.
  const isThere = isSameSource(withServerSource(install), sourceOf(entry));
  return !isSame({ ...changes, ...(isThere && launch && { launch }) });
}
