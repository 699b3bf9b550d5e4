/** What `install`, `diff` and `update` have in common: read the declaration, find the clients, ask for grants, plan. */

import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { installedVersion, type Selection, selectClients } from '../../clients/detect.ts';
import {
  filesIn,
  findPlaces,
  hasProjects,
  type Places,
  runnerFolder,
} from '../../clients/places.ts';
import { findClient, trustOf } from '../../clients/registry.ts';
import { namesServers } from '../../compile/mentions.ts';
import { APPROVAL_FILE } from '../../compile/runner-files.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import type { Allowable } from '../../declaration/grants.ts';
import { type Approval, approvalOf, parseApproval } from '../../install/consent/approval.ts';
import { type Changes, changesBetween } from '../../install/consent/changes.ts';
import { denied } from '../../install/consent/grants.ts';
import { isInstall, readLedger } from '../../install/ledger.ts';
import type { InstallMessage } from '../../install/messages.ts';
import { noneHas, type Plan, planInstall, sourceInWords, wouldChange } from '../../install/plan.ts';
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
} from '../../present/render/plan.ts';
import { launchText, notUnderstood, unsupportedInWords } from '../../present/render/words.ts';
import { findServer } from '../../sources/find.ts';
import { disk } from '../../system/disk.ts';
import { type Message, quotes, said, UserError } from '../../system/errors.ts';
import { template } from '../../system/package-files.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { Asker } from './carry-out.ts';
import type { Context, Flags, SourceFlags } from './command.ts';
import { withProgressAfter } from './common.ts';
import { chosen } from './confirm.ts';
import { readOrListed } from './read-declaration.ts';

export interface Prepared extends Shown {
  readonly declared: ServerHooks;
  readonly again: () => Plan;
  /** The same for other clients. */
  readonly planFor: (clients: readonly Client[]) => Plan;
}

/** Undefined: the server declares no hooks, and that has been said. */
export async function prepare(
  context: Context,
  source: string | undefined,
  flags: SourceFlags,
  ask?: Asker,
): Promise<Prepared | undefined> {
  const { terminal, cwd, env, launch: command = [] } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const selection = selectClients(flags.client, places);
  const names = selection.missing.map(({ client }) => client.name);
  if (selection.clients.length === 0) throw new UserError<CliMessage>({ code: 'no-client', names });

  refuseWithoutScope(selection.clients, flags, places);

  const madeFolders = missingForState(places);
  const meant = inLine(command[0] ?? source ?? '', 200);
  const target = await withProgressAfter(context, messages.lookingFor(meant), () =>
    findServer({
      command,
      cwd,
      env,
      deadline: flags.timeout * 1000,
      installed: (label) => installedAs(places, label)?.origin,
      ...(source !== undefined && { operand: source }),
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.from !== undefined && { from: flags.from }),
      ...(flags.client && { clients: flags.client }),
      ...(flags.header && { headers: flags.header }),
      ...(terminal.interactive && !flags.json && { choose: chosen }),
    }),
  );
  const installed = installedAs(places, target.label);
  const declared = await readOrListed(context, target, meant, flags, places, {
    foreign: target.consent !== undefined,
    // A server that is out of reach keeps the hooks that it declared itself.
    unasked: !installed || installed.origin?.kind === 'catalogue',
  });
  if (declared.hooks.length === 0) {
    if (flags.strict && isLeftOut(declared))
      throw new UserError<Message>(said<CliMessage>({ code: 'strict-left-out' }), [
        ...declared.problems.map(({ message }) => message),
        ...quotes(unsupportedInWords(declared)),
      ]);
    terminal.out(
      flags.json
        ? toJson(noHooksJson(declared))
        : noHooksInWords(declared, flags, installed !== undefined),
    );
    return undefined;
  }
  refuseTwin(declared.label, places);
  const { extraTurns, actNow = false } = flags;
  const prepared = await planWithGrants(context, declared, flags, {
    ...{ places, selection, extraTurns, actNow, madeFolders, ask },
    introduce: (plan) =>
      plan.replaces
        ? showReplacement(terminal, declared, plan.replaces, changesSince(declared, places), plan)
        : showDeclared(terminal, declared, plan),
  });
  const { replaces } = prepared.plan;
  const others = (installed?.clients ?? [])
    .filter((id) => selection.clients.every((client) => client.id !== id))
    .flatMap((id) => findClient(id) ?? []);
  const theirs = replaces || others.length === 0 ? undefined : prepared.planFor(others);
  const behind = theirs ? others.filter((client) => wouldChange(theirs, client)) : others;
  const trusted = replaces || !installed ? carriedOver(prepared.plan) : [];
  return {
    ...prepared,
    ...(behind.length > 0 && { behind }),
    ...(replaces && { changes: changesSince(declared, places) }),
    ...(trusted.length > 0 && { trusted }),
  };
}

/** Hooks that clients would run without asking, because they have trusted the same ones before, whoever installed them. */
const carriedOver = ({ clients, places }: Plan): CarriedOver[] =>
  clients.flatMap(({ client, compiled }) => {
    const at = { places, read: disk.read };
    const groups = compiled ? (trustOf(client)?.carriedOver(compiled.groups, at) ?? []) : [];
    return groups.length > 0 ? [{ client, groups }] : [];
  });

/** Every named client must have settings for the scope. Of those that were found, one is enough. */
function refuseWithoutScope(clients: readonly Client[], { client }: Flags, places: Places): void {
  const without = clients.filter((one) => filesIn(one, places).length === 0);
  if (without.length === 0 || (!client && without.length < clients.length)) return;
  throw new UserError<InstallMessage | CliMessage>(
    noneHas(without),
    without.map((one) => ({
      code: 'use-other-scope',
      id: one.id,
      ...(hasProjects(one) && { folder: `${one.projectFolder}/` }),
    })),
  );
}

/** On a file system that ignores case, two labels would share a runner, and the second would take over the first. */
function refuseTwin(label: string, places: Places): void {
  const { installs } = readLedger(places.state, disk.read).ledger;
  if (installs.some(isInstall(label, siteOf(places)))) return;
  const twin = installs.find(
    (one) => one.label.toLowerCase() === label.toLowerCase() && isSameSite(one, siteOf(places)),
  );
  if (twin && disk.list(runnerFolder(places, label)).length > 0)
    throw new UserError<CliMessage>({ code: 'label-twin', label, other: twin.label });
}

/** How a declaration differs from what the user agreed to under its label; null: that was not kept. */
export function changesSince(declared: ServerHooks, places: Places): Changes | null {
  const approval = approvalIn(places, declared.label);
  return approval ? changesBetween(approval, approvalOf(declared, launchText)) : null;
}

/** Why it cannot replace what is installed from another source: some clients would keep the old hooks. */
export function partObjection({ plan, behind = [] }: Prepared): string | undefined {
  const { replaces, label } = plan;
  if (!replaces || behind.length === 0) return undefined;
  const clients = behind.map(({ name }) => name).join(', ');
  return messages.replacesPart(label, inLine(replaces.source), clients);
}

/**
 * Why this does not replace what is installed under the label, or undefined. The user is never asked without seeing the plan.
 */
export function replaceObjection(
  prepared: Prepared,
  { replace, yes, json, dryRun }: Flags,
  { terminal }: Context,
): string | undefined {
  const { plan, declared } = prepared;
  const { replaces, label } = plan;
  if (!replaces || dryRun) return undefined;
  const from = inLine(replaces.source);
  const part = partObjection(prepared);
  if (part !== undefined) return part;
  if (replace || (terminal.interactive && !yes && !json)) return undefined;
  return messages.needsReplace(label, from, inLine(sourceInWords(declared.source)));
}

/** What the user agreed to when a label was installed last; undefined where that was not kept. */
export const approvalIn = (places: Places, label: string): Approval | undefined =>
  parseApproval(disk.read(join(runnerFolder(places, label), APPROVAL_FILE)));

interface PlanOptions {
  readonly places: Places;
  readonly selection: Selection;
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  /** The folders that were missing when the command began: signing in makes some. */
  readonly madeFolders: readonly string[];
  readonly introduce: (plan: ReturnType<typeof planInstall>) => string;
  /** Absent: nobody is to be asked. */
  readonly ask?: Asker | undefined;
}

/** Plans an install, after asking for missing grants if somebody can answer. */
export async function planWithGrants(
  { terminal, cwd, node = process.execPath, outside }: Context,
  declared: ServerHooks,
  { allow = [], revoke = [], verbose }: Flags,
  { places, selection, introduce, ask, ...lasting }: PlanOptions,
): Promise<Prepared> {
  const both = revoke.filter((grant) => allow.includes(grant));
  if (both.length > 0) throw new UserError<CliMessage>({ code: 'allow-or-revoke', grants: both });
  // Loaded when it is needed: it knows more clients than we install into.
  const servers = declared.hooks.some(namesServers)
    ? (await import('../../install/known-servers.ts')).serversOf(declared, outside ?? places, cwd)
    : undefined;
  const planned = (granted: readonly Allowable[], clients = selection.clients) =>
    planInstall(declared, {
      places,
      clients,
      disk,
      ...lasting,
      allow: granted,
      revoke,
      node,
      platform: process.platform,
      template,
      describeLaunch: launchText,
      versionOf: (client) => installedVersion(client, places, disk.read),
      ...(servers && { serversOf: servers }),
    });
  const shown = { declared, selection, ...(verbose && { verbose }) };
  const plan = planned(allow);
  const open = plan.grants.needs.filter(
    ({ by, grant }) => by === undefined && !revoke.includes(grant),
  );
  if (!ask || open.length === 0 || !terminal.interactive)
    return {
      ...{ ...shown, plan, introduce: () => introduce(plan), again: () => planned(allow) },
      planFor: (clients) => planned(allow, clients),
    };

  terminal.out(`${introduce(plan)}\n\n`);
  const all = [...allow];
  for (const { grant } of open) if (await ask(declared.label, grant)) all.push(grant);
  terminal.out('\n');
  return {
    ...{ ...shown, plan: planned(all), again: () => planned(all) },
    planFor: (clients) => planned(all, clients),
  };
}

export const installedAs = (places: Places, label: string) =>
  readLedger(places.state, disk.read).ledger.installs.find(isInstall(label, siteOf(places)));

/** Having nothing to do is no error, but parts that were not understood are still named. */
function noHooksInWords(declared: ServerHooks, { verbose }: Flags, isInstalled: boolean): string {
  const { label, found } = declared;
  return [
    sentence(whyNone(declared)),
    ...notUnderstood(declared).map((one) => inLine(one)),
    ...(verbose && found ? [foundInWords(found)] : []),
    ...(isInstalled ? [messages.stillInstalled(label)] : []),
    '',
  ].join('\n');
}

export function whyNone({ label, problems, unsupported = [], found }: ServerHooks): CliMessage {
  if (unsupported.length > 0) return { code: 'no-hook-here', label };
  if (problems.some(({ leftOut }) => leftOut)) return { code: 'nothing-left', label };
  const isWrong = found?.key !== undefined && problems.some(({ path }) => path.length > 0);
  return { code: isWrong ? 'none-understood' : 'no-hooks', label };
}

/** Something is left out, or we did not understand part of a server's answer. Mistakes in a file are refused anyway. */
const isLeftOut = ({ found, problems, unsupported = [] }: ServerHooks): boolean =>
  problems.some(({ leftOut }) => leftOut) ||
  // A problem without a path is not about the declaration.
  (found !== undefined &&
    unsupported.length + problems.filter(({ path }) => path.length > 0).length > 0);

/** Something counts for less than declared, or may show its text but decide nothing. */
function deniedIn({ grants }: Plan, declared: ServerHooks | undefined): boolean {
  const { downgraded, undecided } = denied(declared?.hooks ?? [], grants);
  return downgraded.length + undecided.length > 0;
}

/** Why `--strict` will not have it, or undefined. */
export function strictObjection({ plan, declared }: Shown): string | undefined {
  if (declared && isLeftOut(declared)) return sentence({ code: 'strict-left-out' });
  if (declared?.problems.some(({ doubtful }) => doubtful)) return messages.strictDoubtful;
  for (const { client, compiled } of plan.clients)
    if (compiled?.tooOld !== undefined) return messages.strictTooOld(client, compiled.tooOld);
  const lossy = plan.clients.some(({ compiled }) =>
    compiled?.hooks.some(({ grade }) => grade !== 'exact'),
  );
  return lossy || deniedIn(plan, declared) ? messages.strictRefused : undefined;
}
