/** What `install`, `diff` and `update` have in common: read the declaration, find the clients, ask for grants, plan. */

import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { installedVersion, type Selection, selectClients } from '../../clients/detect.ts';
import { findPlaces } from '../../clients/find-places.ts';
import { filesIn, type Places, runnerFolder } from '../../clients/places.ts';
import { findClient, trustOf } from '../../clients/registry.ts';
import { namesServers } from '../../compile/mentions.ts';
import { APPROVAL_FILE } from '../../compile/runner-files.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import { unkept } from '../../declaration/typed-headers.ts';
import { type Approval, approvalOf, parseApproval } from '../../install/consent/approval.ts';
import { changesBetween, isSame } from '../../install/consent/changes.ts';
import { type Allowable, type Decision, denied } from '../../install/consent/grants.ts';
import { isInstall, readLedger } from '../../install/ledger.ts';
import type { InstallMessage } from '../../install/messages.ts';
import { type Plan, planInstall, sourceInWords } from '../../install/plan.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import { findServer } from '../../sources/find.ts';
import { readTarget } from '../../sources/protocol/read.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { isSameSource } from '../../sources/same-source.ts';
import { disk } from '../../system/disk.ts';
import { type Message, quotes, said, UserError } from '../../system/errors.ts';
import { template } from '../../system/package-files.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { messages } from '../messages/output.ts';
import { sentence, sentences } from '../messages/sentence.ts';
import { type Former, showReplacement } from '../render/changes.ts';
import { showDeclared } from '../render/declared.ts';
import { type CarriedOver, foundInWords, type Shown, unsupportedJson } from '../render/plan.ts';
import { launchText, unsupportedInWords } from '../render/words.ts';
import { agreeToAsk } from './ask-consent.ts';
import type { Asker } from './carry-out.ts';
import { chosen } from './confirm.ts';
import {
  type Context,
  diffs,
  type Flags,
  missingForState,
  patiently,
  tellingDownload,
} from './context.ts';
import { offeringSignIn } from './offer-sign-in.ts';

export interface InstallFlags extends Flags {
  /** The client in whose configuration the server stands. */
  readonly from?: string;
}

/** A plan as it is shown, and how to make it again. */
export interface Prepared extends Shown {
  readonly declared: ServerHooks;
  readonly again: () => Shown;
}

/** Undefined: the server declares no hooks, and that has been said. */
export async function prepare(
  context: Context,
  source: string | undefined,
  flags: InstallFlags,
  ask?: Asker,
): Promise<Prepared | undefined> {
  const { cwd, env, launch: command = [] } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const selection = selectClients(flags.client, places);
  if (selection.clients.length === 0)
    throw new UserError<CliMessage>({
      code: 'no-client',
      names: selection.missing.map(({ client }) => client.name),
    });

  refuseWithoutScope(selection.clients, flags, places);

  const madeFolders = missingForState(places);
  const meant = inLine(command[0] ?? source ?? '', 200);
  const target = await patiently(context.terminal, messages.lookingFor(meant), () =>
    findServer({
      command,
      cwd,
      env,
      deadline: flags.timeout * 1000,
      installed: (label) => installedAs(places, label)?.origin,
      ...(source !== undefined && { operand: source }),
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.from !== undefined && { from: flags.from }),
      ...(flags.header && { headers: flags.header }),
      ...(context.terminal.interactive && !flags.json && { choose: chosen }),
    }),
  );
  const declared = await readFrom(context, target, meant, flags, places);
  if (declared.hooks.length === 0) {
    if (flags.strict && isLeftOut(declared))
      throw new UserError<Message>(said<CliMessage>({ code: 'strict-left-out' }), [
        ...declared.problems.map(({ message }) => message),
        ...quotes(unsupportedInWords(declared)),
      ]);
    const installed = installedAs(places, declared.label) !== undefined;
    sayNoHooks(context, declared, flags, installed);
    return undefined;
  }
  refuseTwin(declared.label, places);
  const { extraTurns, actNow = false, allow = [], verbose = false } = flags;
  const wanted = { places, selection, extraTurns, actNow, allow, verbose, madeFolders };
  const behind = leftBehind(declared, wanted);
  const former = formerOf(declared, places);
  const prepared = await propose(context, declared, wanted, {
    ...(ask && { ask }),
    introduce: (grants) =>
      former
        ? showReplacement(context.terminal, declared, former, grants)
        : showDeclared(context.terminal, declared, grants),
  });
  const trusted = former || !installedAs(places, declared.label) ? carriedOver(prepared.plan) : [];
  return {
    ...prepared,
    ...(behind.length > 0 && { behind }),
    ...(former && { changes: former.changes }),
    ...(trusted.length > 0 && { trusted }),
  };
}

/** What clients would run without asking, because they have trusted such hooks before, whoever's they were. */
const carriedOver = ({ clients, places }: Plan): CarriedOver[] =>
  clients.flatMap(({ client, compiled }) => {
    const at = { places, read: disk.read };
    const groups = compiled ? (trustOf(client)?.carriedOver(compiled.groups, at) ?? []) : [];
    return groups.length > 0 ? [{ client, groups }] : [];
  });

/** A client that is named has to have settings for the scope; of those that are found, one is enough. */
function refuseWithoutScope(clients: readonly Client[], { client }: Flags, places: Places): void {
  const without = clients.filter((one) => filesIn(one, places).length === 0);
  if (without.length === 0 || (!client && without.length < clients.length)) return;
  throw new UserError<InstallMessage | CliMessage>(
    { code: 'none-has-local', clients: without.map(({ name }) => name) },
    without.map(({ id, projectFolder }) => ({
      code: 'use-other-scope',
      id,
      folder: `${projectFolder}/`,
    })),
  );
}

/** Where upper and lower case are one, two labels would share a runner: the second would take over the first one's. */
function refuseTwin(label: string, places: Places): void {
  const { installs } = readLedger(places.state, disk.read).ledger;
  if (installs.some(isInstall(label, siteOf(places)))) return;
  const twin = installs.find(
    (one) => one.label.toLowerCase() === label.toLowerCase() && isSameSite(one, siteOf(places)),
  );
  if (twin && disk.list(runnerFolder(places, label)).length > 0)
    throw new UserError<CliMessage>({ code: 'label-twin', label, other: twin.label });
}

/** What is installed under the label of a declaration from another source, and how that differs from it. */
function formerOf(declared: ServerHooks, places: Places): Former | undefined {
  const install = installedAs(places, declared.label);
  if (!install || isSameSource(install, declared.source)) return undefined;
  const approval = approvalIn(places, declared.label);
  const changes = approval ? changesBetween(approval, approvalOf(declared, launchText)) : null;
  return { source: install.source, changes };
}

/** Why what is installed under the label is not replaced by this, or undefined. Nobody is asked about that unseen. */
export function replaceObjection(
  { plan, declared, behind = [] }: Prepared,
  { replace, yes, json, dryRun }: Flags,
  { terminal }: Context,
): string | undefined {
  const { replaces, label } = plan;
  if (!replaces || dryRun) return undefined;
  const from = inLine(replaces.source);
  if (behind.length > 0)
    return messages.replacesPart(label, from, behind.map(({ name }) => name).join(', '));
  if (replace || (terminal.interactive && !yes && !json)) return undefined;
  return messages.needsReplace(label, from, inLine(sourceInWords(declared.source)));
}

/** The clients in which something else stays installed under the label: they were not meant. */
function leftBehind(
  declared: ServerHooks,
  { places, selection }: Pick<Wanted, 'places' | 'selection'>,
): readonly Client[] {
  const { label } = declared;
  const { clients = [] } = installedAs(places, label) ?? {};
  const others = clients.filter((id) => selection.clients.every((client) => client.id !== id));
  if (others.length === 0) return [];
  const approval = approvalIn(places, label);
  if (formerOf(declared, places)) return others.flatMap((id) => findClient(id) ?? []);
  return approval && isSame(changesBetween(approval, approvalOf(declared, launchText)))
    ? []
    : others.flatMap((id) => findClient(id) ?? []);
}

/** What the user agreed to when a label was installed last; undefined where that was not kept. */
export const approvalIn = (places: Places, label: string): Approval | undefined =>
  parseApproval(disk.read(join(runnerFolder(places, label), APPROVAL_FILE)));

/**
 * Reads what a server that was found declares, once the user has been shown what is started or reached for that, and has
 * signed in where he must.
 *
 * @param name What the user called it, made visible.
 */
export async function readFrom(
  context: Context,
  target: ResolvedServer,
  name: string,
  flags: Flags,
  { state }: Places,
): Promise<ServerHooks> {
  const { terminal, version } = context;
  const lost = unkept(target.source);
  if (lost.length > 0) terminal.err(`${messages.headerNotKept(lost)}\n`);
  await agreeToAsk(context, target, flags);
  const deadline = flags.timeout * 1000;
  const onDownload = tellingDownload(terminal, target.label);
  const offer = { state, browser: flags.browser, yes: flags.yes ?? false };
  return offeringSignIn(context, target, offer, (provider) =>
    patiently(terminal, messages.asking(name), () =>
      readTarget(target, { deadline, version, onDownload, ...(provider && { provider }) }),
    ),
  );
}

export interface Wanted {
  readonly places: Places;
  readonly selection: Selection;
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  /** What the user has granted when giving the command. */
  readonly allow: readonly Allowable[];
  readonly verbose: boolean;
  /** The folders that were missing when the command began: signing in makes some. */
  readonly madeFolders: readonly string[];
}

interface Manner {
  /** What the server wants told, in words. */
  readonly introduce: (grants: Decision) => string;
  /** Absent: nobody is to be asked. */
  readonly ask?: Asker;
}

/** Plans an install, after the grants that are missing have been asked for, where somebody can be asked. */
export async function propose(
  { terminal, cwd }: Context,
  declared: ServerHooks,
  { places, selection, allow, verbose, ...lasting }: Wanted,
  { introduce, ask }: Manner,
): Promise<Prepared> {
  // Loaded when it is needed: it knows more clients than we install into.
  const servers = declared.hooks.some(namesServers)
    ? (await import('../../install/known-servers.ts')).serversOf(declared, places, cwd)
    : undefined;
  const granting = (allow: readonly Allowable[]) => {
    const plan = planInstall(declared, {
      places,
      clients: selection.clients,
      disk,
      ...lasting,
      allow,
      node: process.execPath,
      platform: process.platform,
      template,
      describeLaunch: launchText,
      versionOf: (client) => installedVersion(client, places, disk.read),
      ...(servers && { serversOf: servers }),
    });
    return { plan, declared, selection, diffs: diffs(plan), ...(verbose && { verbose }) };
  };
  const first = granting(allow);
  const { grants } = first.plan;
  const open = grants.needs.filter(({ by }) => by === undefined);
  if (!ask || open.length === 0 || !terminal.interactive)
    return { ...first, introduce: () => introduce(grants), again: () => granting(allow) };

  terminal.out(`${introduce(grants)}\n\n`);
  const all = [...allow];
  for (const { grant } of open) if (await ask(declared.label, grant)) all.push(grant);
  terminal.out('\n');
  return { ...granting(all), again: () => granting(all) };
}

/** What the ledger has of a label in this scope. */
export const installedAs = (places: Places, label: string) =>
  readLedger(places.state, disk.read).ledger.installs.find(isInstall(label, siteOf(places)));

/** Nothing to do is no mistake; what was not understood is said all the same. */
function sayNoHooks(
  { terminal }: Context,
  declared: ServerHooks,
  flags: InstallFlags,
  installed: boolean,
): void {
  const { label, problems, notes = [], found } = declared;
  const texts = problems.map(({ message }) => sentence(message));
  if (flags.json) {
    const none = { label, hooks: [], changes: false, problems: texts, notes: sentences(notes) };
    terminal.out(
      toJson({ ...none, ...unsupportedJson(declared), ...(found && { foundIn: found }) }),
    );
    return;
  }
  const lines = [
    sentence(whyNone(declared)),
    ...texts.map((one) => inLine(one, 2000)),
    ...unsupportedInWords(declared),
    ...(flags.verbose && found ? [foundInWords(found)] : []),
    ...(installed ? [messages.stillInstalled(label)] : []),
  ];
  terminal.out(`${lines.join('\n')}\n`);
}

/** Why there is nothing to install. */
export function whyNone({ label, problems, unsupported = [], found }: ServerHooks): CliMessage {
  if (unsupported.length > 0) return { code: 'no-hook-here', label };
  if (problems.some(({ leftOut }) => leftOut)) return { code: 'nothing-left', label };
  const isWrong = found?.key !== undefined && problems.some(({ path }) => path.length > 0);
  return { code: isWrong ? 'none-understood' : 'no-hooks', label };
}

/** Something is left out, or of a server that was asked not understood; what is written down wrongly is refused anyway. */
const isLeftOut = ({ found, problems, unsupported = [] }: ServerHooks): boolean =>
  problems.some(({ leftOut }) => leftOut) ||
  // A problem without a path is none of the declaration.
  (found !== undefined &&
    unsupported.length + problems.filter(({ path }) => path.length > 0).length > 0);

/** Why `--strict` will not have it, or undefined. */
export function strictObjection({ plan, declared }: Shown): string | undefined {
  if (declared && isLeftOut(declared)) return sentence({ code: 'strict-left-out' });
  if (declared?.problems.some(({ doubtful }) => doubtful)) return messages.strictDoubtful;
  const lossy = plan.clients.some(({ compiled }) =>
    compiled?.hooks.some(({ grade }) => grade !== 'exact'),
  );
  return lossy || denied(plan.grants).downgraded.length > 0 ? messages.strictRefused : undefined;
}
