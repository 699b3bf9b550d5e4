/** The servers that `--with-server` added to clients' files: whether they are there, as they were, and can start. */

import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { which } from '../../clients/detect.ts';
import { findServerClient, nameOfClient } from '../../clients/registry.ts';
import { loadedBy } from '../../declaration/loaded.ts';
import { addedNow, addedTo } from '../../install/added-servers.ts';
import type { AddedServer, Install } from '../../install/ledger.ts';
import { fillIfPossible, partsOf } from '../../sources/entry.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofInstalls } from './check.ts';
import type { DoctorContext } from './context.ts';
import { updateCommand } from './origin.ts';

/** No finding for an install that added no server. */
export const addedServers = ofInstalls(
  'added-servers',
  'added-servers-there',
  (install, at) => addedTo(install, at).flatMap((one) => lookAt(one, install, at) ?? []),
  (install, at) => addedTo(install, at).length > 0,
);

function lookAt(one: AddedServer, install: Install, at: DoctorContext): CheckResult | undefined {
  const client = nameOfClient(one.client);
  const command = updateCommand(install);
  const now = addedNow(one, at.read);
  const about = { client, name: now.name };
  const { file: where } = one;
  const warning = (what: DiagnoseMessage, todo: CheckResult['todo']): CheckResult => ({
    level: 'warning',
    what,
    where,
    todo,
  });
  if (now.state === 'unread')
    return warning({ code: 'added-server-unread', ...about }, 'mend-file');
  if (!('entry' in now))
    return warning(
      { code: 'added-server-gone', ...about },
      { code: 'add-own-server', client, command },
    );
  const missing = missingFor(now.entry, one, install, at);
  if (missing !== undefined)
    return warning(
      { code: 'added-server-cannot-start', ...about, ...missing },
      { code: 'restore-or-update', command },
    );
  return now.state === 'changed'
    ? { level: 'info', where, what: { code: 'added-server-changed', ...about } }
    : undefined;
}

/** What its start lacks; undefined: nothing, or only its client can tell. */
function missingFor(
  entry: unknown,
  { client }: AddedServer,
  { project }: Install,
  { machine: { env, cwd } }: DoctorContext,
): { readonly program: string } | { readonly file: string } | undefined {
  const theirs = findServerClient(client);
  const parts = theirs && partsOf(entry, theirs.fields);
  if (!theirs || !parts || 'url' in parts) return undefined;
  const start = fillIfPossible(parts, { given: theirs.given, env, cwd: project ?? cwd });
  if (!start || 'url' in start) return undefined;
  const words = [start.command, ...start.args];
  if (!/[\\/]/.test(start.command) && !which(start.command, { env }))
    return { program: start.command };
  const loaded = loadedBy(words).places.map(({ index, from }) => (words[index] ?? '').slice(from));
  // A relative path means another file in each folder.
  const file = [start.command, ...loaded].find((path) => isAbsolute(path) && !existsSync(path));
  return file === undefined ? undefined : { file };
}
