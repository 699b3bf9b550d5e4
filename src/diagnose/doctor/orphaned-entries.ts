/** Entries of ours that are not in the ledger, and other hooks in a file of ours. */

import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { configPath, filesIn, ownFile, tilde } from '../../clients/places.ts';
import { startedBy } from '../../compile/command.ts';
import { isInstall } from '../../install/ledger.ts';
import { isSameSite, type Site, scopeFlag, siteOf } from '../../install/site.ts';
import { type CheckResult, ofClients } from './check.ts';
import type { DoctorContext } from './context.ts';

/** Whether each of our commands is in the ledger and starts a runner of this state folder. */
export const orphanedEntries = ofClients('strays', 'no-strays', (client, at) => {
  const others = at.label === undefined ? at.hooks(client) : [];
  const found = others.flatMap(
    (hook) => unrecorded(hook, at) ?? otherStateFolder(hook, at) ?? othersInOwnFile(hook, at) ?? [],
  );
  // A label has many entries, but is reported once.
  return found.filter(
    (one, index) => found.findIndex(({ what }) => isDeepStrictEqual(what, one.what)) === index,
  );
});

type Found = CheckResult | undefined;

function unrecorded(hook: ConfiguredHook, at: DoctorContext): Found {
  const { label, path } = hook;
  if (label === undefined || isRecorded(hook, label, at)) return undefined;
  const site = siteIn(hook, at);
  return {
    level: 'warning',
    what: { code: 'entries-unrecorded', label },
    where: path,
    todo: { code: 'install-or-uninstall', label, scopeFlag: scopeFlag(site) },
  };
}

function siteIn({ client, path }: ConfiguredHook, { scopes }: DoctorContext): Site {
  const places = scopes.find((one) =>
    filesIn(client, one).some((file) => configPath(client, file, one) === path),
  );
  return places ? siteOf(places) : { project: null };
}

const isRecorded = (hook: ConfiguredHook, label: string, at: DoctorContext): boolean =>
  at.ledger.installs.find(isInstall(label, siteIn(hook, at)))?.clients.includes(hook.client.id) ===
  true;

/** Our command, but for another place or scope, or for another state folder, because home or MCP_HOOKS_HOME differed then. */
function otherStateFolder(hook: ConfiguredHook, at: DoctorContext): Found {
  const { label, command, path: where } = hook;
  const { user } = at;
  if (label !== undefined || command === undefined) return undefined;
  const stage = startedBy(command);
  const [, state, of] =
    /^(.*)\/(?:servers|projects\/[^/]+)\/([^/]+)\/[^/]+$/.exec(stage ?? '') ?? [];
  if (stage === undefined || state === undefined || of === undefined) return undefined;
  // Another hook is in the same group as ours. The check of entries reports it.
  if (state === user.state && isRecorded(hook, of, at)) return undefined;
  if (state === user.state)
    return {
      ...{ level: 'warning', where },
      what: { code: 'copied-here', label: of },
      todo: 'take-copy-out',
    };
  const own = tilde(user.state, user.home);
  const other = tilde(state, user.home);
  if (existsSync(stage))
    return {
      level: 'warning',
      what: { code: 'other-state-folder', own, other },
      where,
      todo: { code: 'look-at-other-state', state },
    };
  return {
    level: 'error',
    what: { code: 'state-folder-gone', state: other },
    where,
    todo: 'state-folder-moved',
    // These are not the hooks in the ledger.
    blocks: null,
  };
}

/** A command that is not ours, in a file that belongs to one label. */
function othersInOwnFile(
  { label, client, command, path }: ConfiguredHook,
  { ledger, scopes, user }: DoctorContext,
): Found {
  // A command that names our runner is reported together with its label's entries.
  if (label !== undefined || command?.includes(user.state)) return undefined;
  const owner = ledger.installs.find((one) =>
    scopes.some((places) => {
      const file = isSameSite(one, siteOf(places)) && ownFile(client, one.label, places);
      return file && configPath(client, file, places) === path;
    }),
  );
  return (
    owner && {
      level: 'warning',
      what: { code: 'stranger-in-own-file', label: owner.label },
      where: path,
      todo: 'take-stranger-out',
    }
  );
}
