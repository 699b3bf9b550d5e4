/**
 * The servers whose tools hooks call: whether the last calls succeeded, whether the user has signed in, and whether the servers
 * still declare the installed hooks.
 */

import { statSync } from 'node:fs';
import { findClient, nameOfClient } from '../../clients/registry.ts';
import type { EventProgram, ProgramServer } from '../../compile/program.ts';
import type { RunnerReason } from '../../compile/runner-messages.ts';
import {
  type ServerHooks,
  type ServerLaunch,
  type Source,
  serverSource,
} from '../../declaration/declared.ts';
import { ANYTHING, isObject, memberAt, Refusal } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { addedNow, addedTo } from '../../install/added-servers.ts';
import { isApproved } from '../../install/consent/approval.ts';
import { type ServerNameWarning, unknownServersNamed } from '../../install/known-servers.ts';
import type { Install } from '../../install/ledger.ts';
import { signInsOf } from '../../install/tokens-in-use.ts';
import { folderTrusted } from '../../sources/configurations.ts';
import { declaredServer } from '../../sources/declared-server.ts';
import { fill, partsOf, passingOf, readAt, seenAs, steeringOf } from '../../sources/entry.ts';
import { findAgain } from '../../sources/find.ts';
import { environmentIn, searchPlaceOf } from '../../sources/folder.ts';
import { launcherOf } from '../../sources/launchers/launcher.ts';
import { serverAt, tokensFile } from '../../sources/oauth/address.ts';
import { readWithKeptSignIn } from '../../sources/oauth/authorized.ts';
import { tokenStore } from '../../sources/oauth/tokens.ts';
import { askServer } from '../../sources/protocol/ask.ts';
import { maskAddress } from '../../sources/redacted.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { isManifest } from '../../sources/same-source.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { attempt, ifPossible, type Message, UserError } from '../../system/errors.ts';
import { isAboutHook, isFailure } from '../log.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type Check, type CheckResult, type Finding, ofInstalls, ofTools } from './check.ts';
import type { DoctorContext } from './context.ts';
import { labelWithScope, updateCommand } from './origin.ts';
import { rulesHere } from './policy.ts';
import { isInstalled, readSource, startsSame } from './sources.ts';
import { lastOf } from './state-folder.ts';

export const server = ofTools('server', 'server-declares-same', (install, at) => {
  if (isManifest(install) && !at.serverOf(install))
    return { level: 'ok', what: 'no-server-needed' };
  if (!at.servers) return { level: 'info', what: 'server-not-looked-at' };
  if (isManifest(install)) return askedAsManifest(install, at);
  return install.origin ? askedAgain(install, install.origin, at) : askedAsRemembered(install, at);
});

/** Undefined: it declares the installed hooks. */
type Found = CheckResult | undefined;

/** Compares the server's current declaration, wherever the server is from. */
async function askedAgain(install: Install, origin: Source, at: DoctorContext): Promise<Found> {
  const { machine, deadline } = at;
  const { label, project } = install;
  const around = { cwd: project ?? machine.cwd, env: machine.env, deadline };
  const target = await findAgain(origin, label, around);
  if (!isApproved(target, at.approval(install))) return otherServer(install);
  const declared = await ask(target, at);
  if (declared.hooks.length > 0)
    return compared(declared, install, at, {
      code: 'shows-changes',
      command: updateCommand(install),
    });
  // The catalogue has hooks for servers that do not declare any.
  if (origin.kind === 'catalogue') return { level: 'ok', what: 'hooks-are-catalogues' };
  const isUnderstood = declared.problems.length + (declared.unsupported?.length ?? 0) === 0;
  return {
    level: 'warning',
    what: isUnderstood ? 'nothing-declared-any-more' : 'nothing-understood-any-more',
    todo: { code: 'goes-on-as-it-is', where: labelWithScope(install) },
  };
}

/** Queries the server whose tools a manifest calls, which may declare hooks of its own. */
async function askedAsManifest(install: Install, at: DoctorContext): Promise<Found> {
  const known = await readSource(install, at);
  if (!known?.server) return { level: 'info', what: 'manifest-names-no-server' };
  // Otherwise, any program that changes the manifest could have a command of its choice started.
  if (!startsSame(known.server, install, at)) return otherServer(install);
  const declared = await ask(declaredTarget(known, known.server, install, at), at);
  if (declared.hooks.length === 0) return { level: 'ok', what: 'hooks-are-manifests' };
  return compared(declared, install, at, 'compare-with-manifest');
}

const otherServer = (install: Install): CheckResult => ({
  level: 'warning',
  what: 'another-server',
  todo: { code: 'shows-and-asks', command: updateCommand(install) },
});

/** Compares the server's current declaration with the installed one. */
const compared = (
  declared: ServerHooks,
  install: Install,
  at: DoctorContext,
  todo: CheckResult['todo'],
): Found =>
  isInstalled(declared, install, at)
    ? undefined
    : { level: 'warning', what: 'server-declares-else', todo };

/** Uses saved tokens, without asking the user to sign in. */
const ask = (target: ResolvedServer, { deadline, onDownload, user, version }: DoctorContext) => {
  const report = onDownload(target.label);
  return readWithKeptSignIn(target, user.state, { deadline, version, onDownload: report });
};

/** Starts or reaches the server as its first client would. */
function declaredTarget(
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

/** If the server's command contains a secret, it is stored only in the runner, and only if the runner calls a tool. */
async function askedAsRemembered(install: Install, at: DoctorContext): Promise<Found> {
  const { label } = install;
  const { machine, deadline, onDownload, version } = at;
  const todo = { code: 'brings-up-to-date', command: updateCommand(install) } as const;
  const known = at.serverOf(install);
  if (known && 'url' in known && !known.headers && !known.templates) {
    const { url } = known;
    const from = { label, source: { kind: 'url', url }, hooks: [], problems: [] } as const;
    return compared(await ask(declaredTarget(from, { url }, install, at), at), install, at, todo);
  }
  if (!known || !('command' in known)) return { level: 'info', what: 'remembered-in-words' };
  const { command, args } = known;
  const { home: cwd, env } = machine;
  const server = { label, command, args, cwd, env: environmentIn(cwd, env) };
  const asked = { deadline, version, onDownload: onDownload(label) };
  const declared = await askServer({ ...server, ...asked });
  return compared(declared, install, at, todo);
}

/** A missing sign-in has its own check. */
const isFailedCall = (reason: RunnerReason): boolean =>
  isFailure(reason) && reason.code !== 'not-signed-in';

export const calls = ofInstalls('calls', 'no-tool-failed', (install, at) => {
  const { label } = install;
  const calling = at.programs(install).flatMap((program) => {
    const hooks = program.hooks.filter(({ call }) => call).map(({ number }) => number);
    return hooks.length > 0 ? [{ ...program, hooks }] : [];
  });
  // A call that the policy forbids is not repeated.
  if (calling.length === 0 || rulesHere(install, at)?.contextTool === false) return undefined;
  const { where, entries } = lastOf(label, at);
  return calling.flatMap(({ client, native, hooks: all, server }): CheckResult | [] => {
    const whyOf = (number: number) => {
      const isOwn = isAboutHook(number);
      // A hook that was not due then has neither a place among the hooks nor a reason.
      const last = entries.findLast(
        (one) =>
          one.client === client &&
          one.event === native &&
          (one.hooks.includes(number) || one.why?.some(isOwn)),
      );
      return last?.hooks.includes(number) ? undefined : last?.why?.filter(isOwn);
    };
    const hooks = all.filter((number) => whyOf(number)?.some(isFailedCall));
    const why = hooks[0] === undefined ? undefined : whyOf(hooks[0]);
    if (why === undefined) return [];
    const name = nameOfClient(client);
    return {
      level: 'error',
      what: { code: 'last-call-failed', hooks, client: name, native, why },
      where,
      todo: todoFor(server, why, label),
      blocks: { client, natives: [native], hooks },
    };
  });
});

/** A launcher that must first download its server takes longer than a hook waits. */
function todoFor(
  server: ProgramServer | undefined,
  why: readonly Message[],
  label: string,
): DiagnoseMessage {
  const isLate = why.some(({ code }) => code === 'no-answer-in-time');
  if (isLate && server && 'command' in server) {
    const { command, args } = server;
    const launcher = launcherOf(command, args)?.name;
    const words = commandInWords([command, ...args]);
    if (launcher !== undefined) return { code: 'download-first', launcher, label, command: words };
  }
  return { code: 'verify-again', label };
}

/** For servers that require a sign-in: whether the user has signed in, and whether the sign-in is still valid. */
export const signIn = ofTools('sign-in', 'no-sign-in-missing', (install, at): CheckResult[] => {
  const { state } = at.user;
  const programs = at.programs(install);
  const asked = [...addressesOf(install, programs, at)];
  const calls = programs.some(({ server }) => server && 'tokens' in server);
  return signInsOf(install, programs, state).flatMap((file): CheckResult | [] => {
    const address = asked.find((one) => tokensFile(state, one) === file);
    if (address === undefined) return []; // it is no longer called, or its configuration has changed
    const server = maskAddress(address);
    const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
    const missing = (code: 'sign-in-wanted' | 'sign-in-unread' | 'signed-out'): CheckResult => ({
      level: calls ? 'error' : 'warning',
      what: { code, server },
      where: isThere ? file : undefined,
      todo: { code: 'log-in', server },
    });
    if (!isThere) {
      const { entries } = lastOf(install.label, at);
      const last = entries.findLast(({ why }) => why !== undefined)?.why ?? [];
      return last.some(({ code }) => code === 'not-signed-in') ? missing('sign-in-wanted') : [];
    }
    const { read, isUsable, isRenewable } = tokenStore();
    const kept = read(file, address);
    if (!kept) return missing('sign-in-unread');
    return isUsable(kept) || isRenewable(kept) ? [] : missing('signed-out');
  });
});

/** Origin and path of the servers that an install calls, as far as known. */
function addressesOf(
  install: Install,
  programs: readonly EventProgram[],
  { machine }: DoctorContext,
): Set<string> {
  const origin = install.origin && serverSource(install.origin);
  const around = { env: machine.env, cwd: install.project ?? machine.cwd };
  const addresses = [
    ...(origin?.kind === 'url' ? [origin.url] : []),
    ...programs.flatMap(({ server }) => {
      if (server && 'url' in server) return server.url;
      if (!server || !('entry' in server)) return [];
      const { entry, given } = server;
      // The current entry in the client's configuration. If it cannot be read, another check reports it.
      const parts = attempt(() => partsOf(readAt(entry), entry.fields));
      const filled = parts && attempt(() => fill(parts, entry.names, { ...around, given }));
      return filled && 'url' in filled ? filled.url : [];
    }),
  ];
  return new Set(addresses.flatMap((address) => serverAt(address) ?? []));
}

export const configured = ofTools(
  'configured',
  'configured-as-it-was',
  (install, at) => {
    const server = entryOf(install, at);
    if (!server) return undefined;
    const { entry } = server;
    const { label } = install;
    const name = entry.path.at(-1) ?? '';
    const finding = (why: DiagnoseMessage, todo: CheckResult['todo']): CheckResult => ({
      level: 'error',
      what: { code: 'so-no-tools', why },
      where: entry.file,
      todo,
    });
    try {
      const bytes = at.read(entry.file);
      const document =
        bytes === null ? undefined : FORMATS[entry.format].read(decode(bytes), ANYTHING);
      const value = memberAt(document, entry.path);
      const parts = isObject(value) ? partsOf(value, entry.fields) : undefined;
      if (!parts)
        return finding({ code: 'no-longer-configured', name }, { code: 'configure-again', label });
      if (seenAs(parts) !== entry.seen)
        return finding({ code: 'configuration-changed' }, { code: 'update-asks', label });
      // A variables file may exist only in a session's folder.
      const around = {
        given: server.given,
        env: at.machine.env,
        cwd: install.project ?? at.machine.cwd,
      };
      const steering = ifPossible(() => steeringOf(parts, around));
      if (steering && steering.mark !== entry.steering)
        return finding({ code: 'steering-changed' }, { code: 'update-asks', label });
      if (passingOf(parts, false).mark !== entry.passing)
        return finding({ code: 'passes-on-others' }, { code: 'update-asks', label });
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof UserError)) throw error;
      return finding({ code: 'configuration-unread', name }, 'mend-file');
    }
  },
  (install, at) => entryOf(install, at) !== undefined,
);

/** The entry that the runner reads. Undefined if the server comes from elsewhere, or none is needed. */
function entryOf(install: Install, at: DoctorContext) {
  const server = at.serverOf(install);
  return server && 'entry' in server ? server : undefined;
}

/** Tools of servers that hooks name but the client has not configured under that name. Reports nothing about other servers. */
export const mentions: Check = {
  name: 'mentions',
  look: async (at) =>
    (await Promise.all(at.installs.map((install) => findingsOf(install, at)))).flat(),
};

/** What to do about the name of a server. @param command Installs the hooks anew. */
export const adviceOn = (
  { message, client: { name: client }, isAddable = false }: ServerNameWarning,
  command: string,
): DiagnoseMessage => {
  if (isAddable) return { code: 'add-own-server', client, command };
  if (message.code === 'own-server-renamed') return { code: 'takes-name', command };
  if (message.code === 'own-server-differs') return { code: 'same-server', client, command };
  return message.code === 'own-server-missing'
    ? { code: 'add-own-server', client, command }
    : { code: 'configure-server', client };
};

async function findingsOf(install: Install, at: DoctorContext): Promise<Finding[]> {
  const hooks = at.approval(install)?.hooks ?? [];
  const programs = at.programs(install);
  const about = { hooks, install, programs };
  // A client that could do none of the hooks names no server.
  const clients = at.clients.filter(({ id }) => programs.some(({ client }) => client === id));
  const named = await unknownServersNamed(about, clients, at.placesOf(install), at.machine.cwd);
  // Another check reports a server that is gone from where it was added, with the same advice.
  const gone = addedTo(install, at).filter((one) => addedNow(one, at.read).state === 'gone');
  const isReported = ({ client, message, isAddable }: ServerNameWarning) =>
    (isAddable || message.code === 'own-server-missing') &&
    gone.some((one) => one.client === client.id);
  const others = named.filter((one) => !isReported(one));
  return others.map((one) => ({
    level: 'warning',
    about: at.nameOf(install),
    what: one.message,
    todo: adviceOn(one, updateCommand(install)),
  }));
}
