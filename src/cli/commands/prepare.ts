/** What `install`, `diff` and `update` share: find the clients and the server, read its hooks, ask for grants, and plan. */

import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { installedVersion, type Selection, selectClients } from '../../clients/detect.ts';
import {
  filesIn,
  findPlaces,
  hasProjects,
  type Places,
  placesHere,
  runnerFolder,
  userPlaces,
} from '../../clients/places.ts';
import { findClient, trustOf } from '../../clients/registry.ts';
import { namesServers } from '../../compile/mentions.ts';
import { APPROVAL_FILE } from '../../compile/runner-files.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import type { Grant } from '../../declaration/grants.ts';
import { type Approval, approvalOf, parseApproval } from '../../install/consent/approval.ts';
import { type Changes, changesBetween } from '../../install/consent/changes.ts';
import { type Install, isInstall, readLedger } from '../../install/ledger.ts';
import type { InstallMessage } from '../../install/messages.ts';
import { findOriginals } from '../../install/originals.ts';
import {
  type InstallPlan,
  noneHas,
  type Plan,
  planInstall,
  refuseOtherCase,
  wouldChange,
} from '../../install/plan.ts';
import { missingForState } from '../../install/planned-file.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { showDeclared, showReplacement } from '../../present/render/declared.ts';
import {
  type CarriedOver,
  foundInWords,
  noHooksJson,
  type Shown,
  showOriginals,
  showServers,
} from '../../present/render/plan.ts';
import { launchText, notUnderstood, unsupportedInWords } from '../../present/render/words.ts';
import { findOfFolder, findServer } from '../../sources/find.ts';
import type { Request } from '../../sources/resolved-server.ts';
import { isSameSource } from '../../sources/same-source.ts';
import { type Disk, disk } from '../../system/disk.ts';
import { type Message, quotes, said, UserError } from '../../system/errors.ts';
import { template } from '../../system/package-files.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { Asker } from './carry-out.ts';
import type { Context, Flags, SourceFlags } from './command.ts';
import { chosen } from './confirm.ts';
import { withCopy } from './copy.ts';
import { isLeftOut } from './objections.ts';
import { withProgressAfter } from './progress.ts';
import { readOrListed } from './read-declaration.ts';

export interface Prepared extends Shown {
  readonly plan: InstallPlan;
  readonly declared: ServerHooks;
  /** Makes the plan again, by default with the same options. */
  readonly replan: (wishes?: Wishes) => InstallPlan;
}

/** Options that replace those of the first plan. */
interface Wishes {
  readonly clients?: readonly Client[];
  readonly on?: Disk;
  readonly granted?: readonly Grant[];
  readonly replaceOriginals?: boolean;
  readonly withServer?: boolean;
}

/** Undefined if the server declares no hooks, which was printed. If the server was started, it has exited on return. */
export async function prepare(
  context: Context,
  source: string | undefined,
  flags: SourceFlags,
  ask?: Asker,
): Promise<Prepared | undefined> {
  // A server takes about as long to exit as a plan takes to make, so both happen at the same time.
  let gone: Promise<void> | undefined;
  const leave = (end: Promise<void>) => {
    gone = end;
    gone.catch(() => {}); // awaited below
  };
  try {
    return await prepareWhile({ ...context, leave }, source, flags, ask);
  } finally {
    await gone;
  }
}

async function prepareWhile(
  context: Context,
  source: string | undefined,
  flags: SourceFlags,
  ask?: Asker,
): Promise<Prepared | undefined> {
  const { terminal, cwd, env } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const selection = selected(flags, places);
  const madeFolders = missingForState(places);
  const { declared, installed } = await resolve(context, source, flags, places);
  if (declared.hooks.length === 0) {
    sayNoHooks(terminal, declared, flags, installed !== undefined);
    return undefined;
  }
  return planDeclared(context, declared, flags, { places, selection, madeFolders, installed, ask });
}

/** @param declared A declaration that was already read. */
export async function prepareDeclared(
  context: Context,
  declared: ServerHooks,
  flags: Flags,
): Promise<Prepared> {
  const places = findPlaces(context.env, context.cwd, flags.scope);
  return planDeclared(context, declared, flags, {
    places,
    selection: selected(flags, places),
    madeFolders: missingForState(places),
    installed: installedAs(places, declared.label),
  });
}

async function planDeclared(
  context: Context,
  known: ServerHooks,
  flags: Flags,
  {
    installed,
    ...at
  }: Pick<PlanOptions, 'places' | 'selection' | 'madeFolders' | 'ask'> & {
    readonly installed: Install | undefined;
  },
): Promise<Prepared> {
  const { places } = at;
  refuseOtherCase(known.label, readLedger(places.state, disk.read).ledger);
  const declared = await withCopy(context, known, flags, { places, installed, isAsked: true });
  const { extraTurns, actNow = false } = flags;
  const prepared = await planWithGrants(context, declared, flags, {
    ...{ ...at, extraTurns, actNow },
    introduce: (plan) =>
      plan.replaces
        ? showReplacement(
            context.terminal,
            declared,
            plan.replaces,
            changesSince(declared, places),
            plan,
          )
        : showDeclared(context.terminal, declared, plan),
  });
  return { ...prepared, ...sinceInstalled(prepared, installed) };
}

/** The selected clients. @throws UserError if there are none, or if they have no settings for the scope. */
function selected({ client: named }: Flags, places: Places): Selection {
  const selection = selectClients(named, places);
  const { clients, missing } = selection;
  const names = missing.map(({ client }) => client.name);
  if (clients.length === 0) throw new UserError<CliMessage>({ code: 'no-client', names });
  // Every named client must have settings for the scope. Of the detected clients, one is enough.
  const without = clients.filter((one) => filesIn(one, places).length === 0);
  if (without.length === 0 || (!named && without.length < clients.length)) return selection;
  throw new UserError<InstallMessage | CliMessage>(
    noneHas(without),
    without.map((one) => ({
      code: 'use-other-scope',
      id: one.id,
      ...(hasProjects(one) && { folder: `${one.projectFolder}/` }),
    })),
  );
}

/** Finds the server, and reads its hooks. `installed`: the current install under its label. */
async function resolve(
  context: Context,
  source: string | undefined,
  flags: SourceFlags,
  places: Places,
) {
  const { launch = [] } = context;
  const meant = inLine(launch[0] ?? source ?? '', 200);
  const request = {
    ...requestOf(context, flags, launch, source),
    installed: (label: string) => installedAs(places, label)?.origin,
    clients: flags.client,
  };
  const isOfFolder = source === undefined && launch.length === 0 && flags.from === undefined;
  const target = await withProgressAfter(context, messages.lookingFor(meant), () =>
    isOfFolder
      ? findOfFolder(request, {
          limited: places.scope === 'user',
          labelOf: (from) => installsAt(places).find((one) => isSameSource(one, from))?.label,
        })
      : findServer(request),
  );
  const installed = installedAs(places, target.label);
  const declared = await readOrListed(context, target, meant, flags, places, {
    foreign: target.consent !== undefined,
    // For an unreachable server, the hooks that it declared itself are kept.
    unasked: !installed || installed.origin?.kind === 'catalogue',
  });
  return { declared, installed };
}

/** The server that the user means, from the command line. */
export const requestOf = (
  { terminal, cwd, env }: Context,
  { timeout, name, from, header: headers, json, verbose }: SourceFlags,
  command: readonly string[],
  operand: string | undefined,
): Request => ({
  ...{ command, operand, cwd, env, name, from, headers, verbose },
  deadline: timeout * 1000,
  choose: terminal.interactive && !json ? chosen : undefined,
});

const installsAt = (places: Places) =>
  readLedger(places.state, disk.read).ledger.installs.filter((one) =>
    isSameSite(one, siteOf(places)),
  );

export const installedAs = (places: Places, label: string) =>
  readLedger(places.state, disk.read).ledger.installs.find(isInstall(label, siteOf(places)));

/**
 * A server without hooks is not an error, but parts that were not understood are still reported. `--strict` requires all of
 * them.
 */
function sayNoHooks(
  terminal: Terminal,
  declared: ServerHooks,
  { strict, json, verbose }: Flags,
  isInstalled: boolean,
) {
  const { label, found, problems } = declared;
  if (strict && isLeftOut(declared))
    throw new UserError<Message>(said<CliMessage>({ code: 'strict-left-out' }), [
      ...problems.map(({ message }) => message),
      ...quotes(unsupportedInWords(declared)),
    ]);
  if (json) return terminal.out(toJson(noHooksJson(declared)));
  const lines = [
    sentence(whyNone(declared)),
    ...notUnderstood(declared).map((one) => inLine(one)),
    ...(verbose && found ? [foundInWords(found)] : []),
    ...(isInstalled ? [messages.stillInstalled(label)] : []),
  ];
  terminal.out(`${lines.join('\n')}\n`);
}

export function whyNone({ label, problems, unsupported = [], found }: ServerHooks): CliMessage {
  if (unsupported.length > 0) return { code: 'no-hook-here', label };
  if (problems.some(({ leftOut }) => leftOut)) return { code: 'nothing-left', label };
  const isWrong = found?.key !== undefined && problems.some(({ path }) => path.length > 0);
  return { code: isWrong ? 'none-understood' : 'no-hooks', label };
}

interface PlanOptions {
  readonly places: Places;
  readonly selection: Selection;
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  /** The folders that were missing when the command began. Signing in creates some of them. */
  readonly madeFolders: readonly string[];
  readonly introduce: (plan: ReturnType<typeof planInstall>) => string;
  /** Absent if no questions are to be asked. */
  readonly ask?: Asker | undefined;
}

/** Plans an install, after asking for missing grants if the user can answer. */
export async function planWithGrants(
  context: Context,
  declared: ServerHooks,
  flags: Flags,
  { introduce, ask, ...options }: PlanOptions,
): Promise<Prepared> {
  const { allow = [], revoke = [], verbose } = flags;
  const both = revoke.filter((grant) => allow.includes(grant));
  if (both.length > 0) throw new UserError<CliMessage>({ code: 'allow-or-revoke', grants: both });
  const replan = await planner(context, declared, flags, options);
  const plan = replan();
  const shown = { declared, selection: options.selection, verbose, plan, replan };
  return withGrants(context, { ...shown, introduce: () => introduce(plan) }, flags, ask);
}

async function planner(
  { cwd, env, node = process.execPath, outside }: Context,
  declared: ServerHooks,
  { allow = [], revoke = [], replaceOriginals: replaces = false, withServer: adds = false }: Flags,
  { places, selection, ...lasting }: Omit<PlanOptions, 'introduce' | 'ask'>,
): Promise<Prepared['replan']> {
  // Loaded only when needed: it knows more clients than we install into.
  const hasAdded = installedAs(places, declared.label)?.added !== undefined;
  const servers =
    adds || hasAdded || declared.hooks.some(namesServers)
      ? await knownServers(declared, outside ?? places, cwd, adds)
      : undefined;
  // Originals in other scopes cannot be taken out, but they run as well.
  const scopes = placesHere(cwd, userPlaces(places));
  const originals = await findOriginals(declared, selection.clients, scopes, {
    ...{ env, cwd, changed: replaces ? places.scope : undefined },
  });
  return ({
    clients = selection.clients,
    on = disk,
    granted = [],
    replaceOriginals = replaces,
    withServer = adds,
  }: Wishes = {}) =>
    planInstall(declared, {
      places,
      clients,
      disk: on,
      ...lasting,
      allow: [...allow, ...granted],
      revoke,
      node,
      platform: process.platform,
      template,
      describeLaunch: launchText,
      versionOf: (client) => installedVersion(client, places, disk.read),
      ...servers,
      ...{ withServer, originals, replaceOriginals },
    });
}

/** The same, planned for the files as they are now: another install of the same run may have changed them. */
export const plannedNow = (one: Prepared): Prepared => ({ ...one, plan: one.replan() });

/** The grants that are missing. */
export const openGrants = (
  { grants }: InstallPlan,
  { revoke = [] }: Pick<Flags, 'revoke'>,
): Grant[] =>
  grants.needs.flatMap(({ by, grant }) =>
    by === undefined && !revoke.includes(grant) ? [grant] : [],
  );

/** Asks for missing grants, about hand-written hooks, and about a server to add, if the user can answer. */
export async function withGrants(
  { terminal }: Context,
  prepared: Prepared,
  flags: Flags,
  ask: Asker | undefined,
): Promise<Prepared> {
  const { introduce, ...shown } = prepared;
  const { declared, replan } = shown;
  if (!ask || !introduce || !terminal.interactive) return prepared;

  let isIntroduced = false;
  const tell = (lines: readonly string[]) => {
    if (!isIntroduced) terminal.out(`${introduce()}\n\n`);
    isIntroduced = true;
    if (lines.length > 0) terminal.out(`${lines.join('\n')}\n\n`);
  };
  let wishes: Wishes = {};
  let { plan } = shown;
  const wish = (answer: Wishes) => {
    wishes = { ...wishes, ...answer };
    plan = replan(wishes);
    terminal.out('\n');
  };
  const open = openGrants(plan, flags);
  if (open.length > 0) {
    tell([]);
    const granted: Grant[] = [];
    for (const grant of open) if (await ask.grant([declared.label], grant)) granted.push(grant);
    wish({ granted });
  }
  // The grants determine which of the originals have a hook that runs instead.
  const many = twiceIn(plan);
  if (many > 0) {
    tell(showOriginals(terminal, plan));
    wish({ replaceOriginals: await ask.originals(many) });
  }
  const added = addedBy(plan);
  if (added.length > 0) {
    tell(showServers(terminal, plan));
    wish({ withServer: await ask.server(added.map(({ client }) => client.name)) });
  }
  if (!isIntroduced) return prepared;
  return { ...shown, plan, replan: (more) => replan({ ...wishes, ...more }) };
}

/**
 * The servers that clients have configured, and the server that may be added. Loaded only when needed: it knows more clients
 * than we install into.
 */
async function knownServers(declared: ServerHooks, places: Places, cwd: string, adds: boolean) {
  const { serversOf } = await import('../../install/known-servers.ts');
  const { serverToAdd } = await import('../../install/server-to-add.ts');
  return {
    serversOf: serversOf(declared, places, cwd, adds),
    server: serverToAdd(declared, places, cwd),
  };
}

/** The clients that get the server. */
export const addedBy = ({ servers = [] }: Plan) =>
  servers.filter(({ action }) => action === 'added');

/** How many hand-written hooks would run in addition. */
export const twiceIn = ({ originals = [] }: Plan): number =>
  originals.filter(({ action }) => action === 'twice').length;

/** How the plan relates to the install under its label, and to what clients already trust. */
function sinceInstalled(
  { plan, declared, selection, replan }: Prepared,
  installed: Install | undefined,
): Pick<Shown, 'behind' | 'changes' | 'trusted'> {
  const { replaces, places } = plan;
  const others = (installed?.clients ?? [])
    .filter((id) => selection.clients.every((client) => client.id !== id))
    .flatMap((id) => findClient(id) ?? []);
  const theirs = replaces || others.length === 0 ? undefined : replan({ clients: others });
  const behind = theirs ? others.filter((client) => wouldChange(theirs, client)) : others;
  const trusted = replaces || !installed ? carriedOver(plan) : [];
  return {
    ...(behind.length > 0 && { behind }),
    ...(replaces && { changes: changesSince(declared, places) }),
    ...(trusted.length > 0 && { trusted }),
  };
}

/** Hooks that clients would run without asking, because they trusted the same ones before, whoever installed them. */
const carriedOver = ({ clients, places }: Plan): CarriedOver[] =>
  clients.flatMap(({ client, compiled }) => {
    const at = { places, read: disk.read };
    const groups = compiled ? (trustOf(client)?.carriedOver(compiled.groups, at) ?? []) : [];
    return groups.length > 0 ? [{ client, groups }] : [];
  });

/** How a declaration differs from the one that the user agreed to under its label. Null if that one was not stored. */
export function changesSince(declared: ServerHooks, places: Places): Changes | null {
  const approval = approvalIn(places, declared.label);
  return approval ? changesBetween(approval, approvalOf(declared, launchText)) : null;
}

/** What the user agreed to in the last install of a label. Undefined if it was not stored. */
export const approvalIn = (places: Places, label: string): Approval | undefined =>
  parseApproval(disk.read(join(runnerFolder(places, label), APPROVAL_FILE)));
