/** Whether the hooks of a configured server are installed, and whether it declares something else now. */

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findPlaces, type Places, runnerFolder } from '../../clients/places.ts';
import { APPROVAL_FILE } from '../../compile/runner-files.ts';
import type { ServerHooks, Source } from '../../declaration/declared.ts';
import { approvalOf, type DescribeLaunch, parseApproval } from '../../install/consent/approval.ts';
import { changesBetween, isSame } from '../../install/consent/changes.ts';
import { type Install, readLedger } from '../../install/ledger.ts';
import { placesAt } from '../../install/site.ts';
import type { Entry } from '../../sources/configurations.ts';
import { isSameSource } from '../../sources/same-source.ts';
import { disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { type Message, UserError } from '../../system/errors.ts';
import type { Server } from './servers.ts';

/** What came of asking a configured server. */
export type ScanOutcome = { readonly kind: 'hooks'; readonly declared: ServerHooks } | Unanswered;

export interface Unanswered {
  readonly kind: 'not asked' | 'failed';
  readonly why: Message;
  /** What `install` would say as well. */
  readonly details?: readonly Message[];
}

export interface Installed {
  readonly install: Install;
  /** False: something else is installed under its name. */
  readonly same: boolean;
  /** It declares something else than what was agreed to. */
  readonly changed: boolean;
}

/** An install, and where it is. */
interface Here {
  readonly install: Install;
  readonly places: Places;
}

/** For the user and for the folder that we are in. */
export function installsHere({ env, cwd }: { readonly env: Env; readonly cwd: string }): Here[] {
  const user = findPlaces(env, cwd, 'user');
  const project = realpathSync.native(cwd);
  return installsIn(user.state)
    .filter((install) => install.project === null || install.project === project)
    .map((install) => ({ install, places: placesAt(install, user) }));
}

/** A record that cannot be read is no reason to keep from the user what the servers say. */
function installsIn(state: string): readonly Install[] {
  try {
    return readLedger(state, disk.read).ledger.installs;
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

export function installedOf(
  { name, entry, also }: Server,
  outcome: ScanOutcome,
  installs: readonly Here[],
  describe: DescribeLaunch,
): Installed | undefined {
  const sources = [entry, ...also].flatMap(sourcesOf);
  const own = installs.find(({ install }) => sources.some((one) => isSameSource(install, one)));
  if (own)
    return { install: own.install, same: true, changed: isChanged(own, entry, outcome, describe) };
  const other = installs.find(({ install }) => install.label === name);
  return other && { install: other.install, same: false, changed: false };
}

/** As it may have been named to `install`. */
function sourcesOf({ client, file, name, parts }: Entry): Source[] {
  const typed: Source[] = !parts
    ? []
    : 'url' in parts
      ? [{ kind: 'url', url: parts.url }]
      : [{ kind: 'command', command: parts.command, args: parts.args }];
  return [configuredAt(client.id, file.path, [...file.keys, name], name), ...typed];
}

const configuredAt = (
  client: string,
  file: string,
  path: readonly string[],
  name: string,
): Source => ({ kind: 'configured', client, name, file, path });

function isChanged(
  { install, places }: Here,
  entry: Entry,
  outcome: ScanOutcome,
  describe: DescribeLaunch,
): boolean {
  if (outcome.kind !== 'hooks' || outcome.declared.hooks.length === 0) return false;
  const approval = parseApproval(
    disk.read(join(runnerFolder(places, install.label), APPROVAL_FILE)),
  );
  if (!approval) return false;
  const { client, file, name } = entry;
  const { launch, ...changes } = changesBetween(approval, approvalOf(outcome.declared, describe));
  // The words for how it is started depend on where it was found.
  const source = configuredAt(client.id, file.path, [...file.keys, name], name);
  const isThere = isSameSource(install, source);
  return !isSame({ ...changes, ...(isThere && launch && { launch }) });
}
