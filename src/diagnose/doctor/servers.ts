/** The servers themselves, which are started only on request. */

import { findClient } from '../../clients/registry.ts';
import type { ServerHooks, ServerLaunch, Source } from '../../declaration/declared.ts';
import { isApproved } from '../../install/consent/approval.ts';
import type { Install } from '../../install/ledger.ts';
import { folderTrusted } from '../../sources/configurations.ts';
import { declaredServer } from '../../sources/declared-server.ts';
import { findAgain } from '../../sources/find.ts';
import { environmentIn, searchPlaceOf } from '../../sources/folder.ts';
import { readWithKeptSignIn } from '../../sources/oauth/authorized.ts';
import { askServer } from '../../sources/protocol/ask.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { isManifest } from '../../sources/same-source.ts';
import { type CheckResult, ofTools } from './check.ts';
import type { DoctorContext } from './context.ts';
import { labelWithScope, updateCommand } from './origin.ts';
import { isInstalled, readSource, startsSame } from './sources.ts';

export const server = ofTools('server', 'server-declares-same', (install, at) => {
  if (isManifest(install) && !at.serverOf(install))
    return { level: 'ok', what: 'no-server-needed' };
  if (!at.servers) return { level: 'info', what: 'server-not-looked-at' };
  if (isManifest(install)) return askedAsManifest(install, at);
  return install.origin ? askedAgain(install, install.origin, at) : askedAsRemembered(install, at);
});

/** Undefined: it declares what is installed. */
type Found = CheckResult | undefined;

/** What the server declares today, wherever it comes from. */
async function askedAgain(install: Install, origin: Source, at: DoctorContext): Promise<Found> {
  const { machine, deadline } = at;
  const { label, project } = install;
  const around = { cwd: project ?? machine.cwd, env: machine.env, deadline };
  const target = await findAgain(origin, label, around);
  if (!isApproved(target, at.approval(install))) return anotherOne(install);
  const declared = await ask(target, at);
  if (declared.hooks.length > 0)
    return compared(declared, install, at, {
      code: 'shows-changes',
      command: updateCommand(install),
    });
  const isUnderstood = declared.problems.length + (declared.unsupported?.length ?? 0) === 0;
  return {
    level: 'warning',
    what: isUnderstood ? 'nothing-declared-any-more' : 'nothing-understood-any-more',
    todo: { code: 'goes-on-as-it-is', where: labelWithScope(install) },
  };
}

/** The server whose tools a manifest has called; it may declare hooks of its own. */
async function askedAsManifest(install: Install, at: DoctorContext): Promise<Found> {
  const known = await readSource(install, at);
  if (!known?.server) return { level: 'info', what: 'manifest-names-no-server' };
  // Whoever changes the manifest could have anything started otherwise.
  if (!startsSame(known.server, install, at)) return anotherOne(install);
  const declared = await ask(targetOf(known, known.server, install, at), at);
  if (declared.hooks.length === 0) return { level: 'ok', what: 'hooks-are-manifests' };
  return compared(declared, install, at, 'compare-with-manifest');
}

const anotherOne = (install: Install): CheckResult => ({
  level: 'warning',
  what: 'another-server',
  todo: { code: 'shows-and-asks', command: updateCommand(install) },
});

/** Compares what the server declares today with what is installed. */
const compared = (
  declared: ServerHooks,
  install: Install,
  at: DoctorContext,
  todo: CheckResult['todo'],
): Found =>
  isInstalled(declared, install, at)
    ? undefined
    : { level: 'warning', what: 'server-declares-else', todo };

/** With tokens that are kept; nobody is asked to sign in. */
const ask = (target: ResolvedServer, { deadline, onDownload, user, version }: DoctorContext) => {
  const told = onDownload(target.label);
  return readWithKeptSignIn(target, user.state, { deadline, version, onDownload: told });
};

/** Starts or reaches the server as its first client would. */
function targetOf(
  { label, source }: ServerHooks,
  server: ServerLaunch,
  { clients, project }: Install,
  { machine }: DoctorContext,
): ResolvedServer {
  const given = clients.flatMap((id) => findClient(id)?.givenToServers ?? [])[0];
  if (!given) return { label, source, server };
  const { env } = machine;
  const place = searchPlaceOf({ env, cwd: project ?? machine.cwd }, machine.home);
  const cwd = folderTrusted(clients, place);
  return declaredServer({ label, source, server }, { given, env, cwd });
}

/** If the words that start it contain a secret, only the runner keeps them, and only if it calls a tool. */
async function askedAsRemembered(install: Install, at: DoctorContext): Promise<Found> {
  const { label } = install;
  const { machine, deadline, onDownload, version } = at;
  const todo = { code: 'brings-up-to-date', command: updateCommand(install) } as const;
  const known = at.serverOf(install);
  if (known && 'url' in known && !known.headers && !known.templates) {
    const { url } = known;
    const from = { label, source: { kind: 'url', url }, hooks: [], problems: [] } as const;
    return compared(await ask(targetOf(from, { url }, install, at), at), install, at, todo);
  }
  if (!known || !('command' in known)) return { level: 'info', what: 'remembered-in-words' };
  const { command, args } = known;
  const { home: cwd, env } = machine;
  const server = { label, command, args, cwd, env: environmentIn(cwd, env) };
  const asked = { deadline, version, onDownload: onDownload(label) };
  const declared = await askServer({ ...server, ...asked });
  return compared(declared, install, at, todo);
}
