/**
 * `mcp-hooks verify`: sends sample events through the settings as they are written, and names every hook that would not fire.
 */

import { selectClients } from '../../clients/detect.ts';
import { findPlaces, type Places } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { statusOf } from '../../diagnose/doctor/checks.ts';
import { type ClientStatus, statusAt } from '../../diagnose/doctor/status.ts';
import { folderTrust } from '../../diagnose/doctor/trust.ts';
import { sessionFolder } from '../../diagnose/fire/fire-client.ts';
import { type Installed, readInstalled } from '../../diagnose/fire/installed.ts';
import { type Failure, type VerifiedClient, verifyClient } from '../../diagnose/fire/verify.ts';
import { unknownServersNamed } from '../../install/known-servers.ts';
import { siteOf } from '../../install/site.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { paint, wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { nothingIn } from '../render/scope.ts';
import { distinct, skippedIn } from '../render/status.ts';
import {
  allFine,
  showUntried,
  showVerified,
  summed,
  untriedJson,
  verifiedJson,
} from '../render/verified.ts';
import {
  type Command,
  type Context,
  DIFFERENT,
  doctorContext,
  type Flags,
  OK,
  patiently,
} from './context.ts';
import { downloadServers } from './download.ts';
import { requireLabel, whereOf } from './fire.ts';
import { approvalIn, installedAs } from './prepare.ts';
import { asInstalled } from './scratch-install.ts';

export const verify: Command<[named: string | undefined]> = async (context, named, flags) => {
  // Loaded only when needed, because it brings servers and clients with it.
  const { verifyLive } = flags.live ? await import('./verify-live.ts') : { verifyLive: verifyHere };
  if (named === undefined && !context.launch) return verifyLive(context, named, flags);
  return asInstalled(context, named, flags, verifyLive);
};

const verifyHere: Command<[label: string | undefined]> = async (context, label, flags) => {
  const { terminal, env, cwd, runHook, untried = [] } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const clients = flags.client ? selectClients(flags.client, places).clients : CLIENTS;
  const everything = readInstalled(places, disk);
  if (everything.broken) terminal.err(`${inLine(messages.ledgerUnread(everything.broken))}\n`);

  const verified: VerifiedClient[] = [];
  const warnings: Awaited<ReturnType<typeof warningsOf>> = [];
  for (const one of label === undefined ? everything.labels : [label]) {
    const known = requireLabel(one, everything, places, cwd);
    const installed = clients.flatMap((client) => known(client) ?? []);
    const where = whereOf(places);
    if (installed.length === 0 && label !== undefined)
      throw new UserError<CliMessage>({ code: 'not-installed-there', label, where });
    await downloadServers(context, installed, places, { always: false });
    // Clients run in parallel. The entries of one client run one after the other, because only their order tells its log lines
    // apart.
    const proven = (client: Installed) => {
      const folder = sessionFolder(client, places, cwd);
      return verifyClient(client, { places, disk, cwd: folder, runHook });
    };
    const work = () => Promise.all(installed.map(proven));
    verified.push(...(await patiently(terminal, messages.verifying(one), work)));
    warnings.push(...(await warningsOf(one, installed, places, context, flags)));
  }
  const found = everything.broken ? [] : await statusOf(doctorContext(context));
  const statuses = context.isScratch ? [] : found;
  const { scope } = places;
  const site = siteOf(places);
  const skipped = verified.flatMap((one) => {
    const status = statusAt(found, { ...one, site });
    return status ? skippedIn(status, context.isScratch) : [];
  });
  const told = verified.map((one) => withBlockers(one, statusAt(statuses, { ...one, site })));

  const fires = untried.length === 0 && allFine(told);
  const waiting = context.isScratch ? [] : await foldersNotTrusted(context);
  if (flags.json)
    terminal.out(
      toJson({
        scope,
        fires,
        verified: told.map((one) => verifiedJson(one, waiting)),
        warnings: warnings.map(({ server, hook, near, ...one }) => one),
        skipped: distinct(skipped),
        ...(untried.length > 0 && { untried: untried.map(untriedJson) }),
      }),
    );
  else if (told.length === 0)
    terminal.out(`${nothingIn(places, everything.elsewhere, everything.broken !== undefined)}\n`);
  else {
    const head = `${paint(terminal, 'yellow', 'warning')}: `;
    const said = groupedWarnings(warnings, verified).map((words) =>
      wrap(inLine(words, 1000), terminal.columns, '    ', head),
    );
    const more = said.length > 0 ? [`${said.join('\n')}\n`] : [];
    const shown = [
      showVerified(terminal, told, waiting),
      ...showUntried(terminal, untried),
      ...more,
    ];
    terminal.out(`${shown.join('\n')}\n${summed(told, skipped, untried)}\n`);
  }
  return fires ? OK : DIFFERENT;
};

/** Names of clients that run no hooks in this folder before they are told to trust it. */
async function foldersNotTrusted(context: Context): Promise<string[]> {
  const found = await folderTrust.look(doctorContext(context));
  return found.flatMap(({ level, about }) => (level === 'warning' ? about : []));
}

/** A hook that fires when we run it may still not fire in the client, which may not trust it or may have switched it off. */
function withBlockers(verified: VerifiedClient, status: ClientStatus | undefined): VerifiedClient {
  const failureOf = (number: number, native: string): Failure | undefined => {
    const first = status?.hooks
      .find((hook) => hook.number === number)
      ?.blockers.find(
        ({ blocks, level }) => level !== 'info' && (blocks?.natives?.includes(native) ?? true),
      );
    if (!first) return undefined;
    const { check, brief, what, todo } = first;
    return { kind: 'blocked', check, brief, what, todo };
  };
  return {
    ...verified,
    events: verified.events.map((event) => ({
      ...event,
      hooks: event.hooks.map((hook) => {
        // The user's policy silences it, so it should not fire, whatever else stands in its way or went wrong.
        if (hook.isOff) return hook;
        const blocked = failureOf(hook.number, event.native);
        const failure = hook.failure ? withTodo(hook.failure, blocked) : blocked;
        const { until: _, ...rest } = hook;
        return failure ? { ...rest, failure } : hook;
      }),
    })),
  };
}

/** An entry that starts on too few events was edited, and a check knows how to fix that. */
const withTodo = (failure: Failure, blocked: Failure | undefined): Failure =>
  failure.kind === 'not started' && blocked?.kind === 'blocked' && blocked.todo
    ? { ...failure, todo: blocked.todo }
    : failure;

/**
 * Hooks that fire but name a server that is not there. No client has servers in a scratch home, so this looks at the user's own
 * clients: those on this machine, or those that were named.
 */
async function warningsOf(
  label: string,
  installed: readonly Installed[],
  places: Places,
  { cwd, isScratch, outside }: Context,
  { client: named }: Flags,
) {
  const there = isScratch ? outside : places;
  if (!there) return [];
  const here = isScratch ? selectClients(named, there).clients : CLIENTS;
  const about = {
    hooks: approvalIn(places, label)?.hooks ?? [],
    install: installedAs(places, label) ?? { label },
    programs: installed.flatMap(({ events }) => events.flatMap(({ program }) => program ?? [])),
  };
  const clients = installed.flatMap(({ client }) => (here.includes(client) ? client : []));
  const said = await unknownServersNamed(about, clients, there, cwd);
  return said.map(({ client, message, hook, mention }) => ({
    label,
    client: client.id,
    message: inLine(sentence(message)),
    code: message.code,
    ...{ server: mention?.server, near: mention?.near, hook },
  }));
}

type Warnings = Awaited<ReturnType<typeof warningsOf>>;

/** A line for each missing server. A name that is almost another server's gets a line of its own. */
function groupedWarnings(warnings: Warnings, verified: readonly VerifiedClient[]): string[] {
  const groups = new Map<string, Warnings>();
  for (const one of warnings) {
    const isOne = one.near !== undefined || one.server === undefined;
    const key = JSON.stringify([one.label, isOne ? one.message : one.server]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { label, message, server, near } = first;
    if (near !== undefined || server === undefined) return `${label}: ${message}`;
    const own = verified.filter((one) => one.label === label);
    const names = own.flatMap(({ client }) =>
      group.some((one) => one.client === client.id) ? client.name : [],
    );
    const hooks = [...new Set(group.flatMap(({ hook }) => hook ?? []))].sort((a, b) => a - b);
    const isAll = own.length > 1 && names.length === own.length;
    return `${label}: ${messages.noSuchServer(isAll ? [] : names, server, hooks)}`;
  });
}
