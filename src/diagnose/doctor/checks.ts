/** Every check of `doctor`, in the order in which they are reported. A new one is a line here. */

import { calls, signIn } from './calls.ts';
import type { Check } from './check.ts';
import { configured, mentions } from './configured.ts';
import type { DoctorContext } from './context.ts';
import { entries, installed, node, paths, runner } from './entries.ts';
import { alsoRunBy, executableOnPath, version } from './executables.ts';
import { managed } from './managed.ts';
import { orphanedEntries } from './orphaned-entries.ts';
import { readablePolicy, silenced } from './policy.ts';
import { programs } from './programs.ts';
import { server } from './servers.ts';
import { on, readable, valid } from './settings.ts';
import { source } from './sources.ts';
import { failures, interrupted, ledger, sessions, writable } from './state-folder.ts';
import { type ClientStatus, findAll, statusFrom } from './status.ts';
import { duplicateHooks } from './told-twice.ts';
import { folderTrust, trustChecks } from './trust.ts';

export const CHECKS: readonly Check[] = [
  executableOnPath,
  version,
  installed,
  readable,
  valid,
  on,
  orphanedEntries,
  managed,
  folderTrust,
  alsoRunBy,
  entries,
  ...trustChecks,
  runner,
  node,
  paths,
  duplicateHooks,
  silenced,
  source,
  configured,
  mentions,
  server,
  signIn,
  calls,
  programs,
  failures,
  ledger,
  readablePolicy,
  writable,
  interrupted,
  sessions,
];

/** Those that may find that a hook does not fire. None of them starts anything. */
const BLOCKING: readonly Check[] = [
  version,
  readable,
  valid,
  on,
  folderTrust,
  entries,
  ...trustChecks,
  runner,
  node,
  paths,
  silenced,
  source,
  configured,
  signIn,
  calls,
  programs,
  readablePolicy,
  interrupted,
];

/** Whether installed hooks fire, as far as we can tell without starting a client or a server. */
export async function statusOf(at: DoctorContext): Promise<ClientStatus[]> {
  return statusFrom(await findAll(BLOCKING, at), at);
}
