/** All checks of `doctor`, and whether each installed hook fires in each client. All commands use the answer from here. */

import type { Client } from '../../clients/contract.ts';
import { findClient } from '../../clients/registry.ts';
import { beyondLimit, whyNotPossible } from '../../compile/compile.ts';
import type { CompileMessage } from '../../compile/messages.ts';
import type { ProgramHook } from '../../compile/program.ts';
import { clientOf } from '../../compile/runner-files.ts';
import type { Event } from '../../declaration/declaration.ts';
import { type Grant, neededBy } from '../../declaration/grants.ts';
import { filesHolding, type Install, isInstall } from '../../install/ledger.ts';
import type { Site } from '../../install/site.ts';
import { addedServers } from './added-servers.ts';
import type { Blocked, Check, Finding } from './check.ts';
import type { DoctorContext } from './context.ts';
import { entries, installed, node, paths, runner } from './entries.ts';
import { managed } from './managed.ts';
import { orphanedEntries } from './orphaned-entries.ts';
import { leftOutByPolicy, readablePolicy } from './policy.ts';
import { calls, configured, mentions, server, signIn } from './servers.ts';
import { alsoRunBy, executableOnPath, on, readable, valid, version } from './settings.ts';
import { duplicateHooks } from './shown-twice.ts';
import { allowedThen, programs, source } from './sources.ts';
import { failures, interrupted, ledger, sessions, writable } from './state-folder.ts';
import { folderTrust, pluginTrust, trustChecks } from './trust.ts';

/** A finding with the name of its check. */
export interface CheckFinding extends Finding {
  readonly check: string;
}

export interface HookStatus extends Pick<ProgramHook, 'number' | 'event'> {
  /** The reasons why it does not fire; empty if it does. */
  readonly blockers: readonly CheckFinding[];
}

/** A declared hook that is not installed. */
export interface LeftOutHook extends Pick<ProgramHook, 'number' | 'event'> {
  /**
   * `grant`: the user has not granted what it needs. `policy`: too many hooks. `declaration`: it is switched off. `client`: not
   * possible in this client.
   */
  readonly why: 'grant' | 'policy' | 'declaration' | 'client';
  /** The grants that it needs. */
  readonly grants?: readonly Grant[];
  /** Why the client cannot do it, as in the plan. */
  readonly reason?: CompileMessage;
}

export interface ClientStatus {
  readonly install: Install;
  readonly client: Client;
  readonly hooks: readonly HookStatus[];
  /** The reasons why hooks do not fire, even hooks that are unknown because the runner is gone. Empty if all fire. */
  readonly blockers: readonly CheckFinding[];
  readonly hooksLeftOut: readonly LeftOutHook[];
}

/** The findings of all checks, in order. */
export async function findAll(
  checks: readonly Check[],
  at: DoctorContext,
): Promise<CheckFinding[]> {
  const all = checks.map(async ({ name, look }) =>
    (await look(at)).map((finding) => ({ check: name, ...finding })),
  );
  return (await Promise.all(all)).flat();
}

/** Applies the findings to each hook of each install, by client. */
export function statusFrom(findings: readonly CheckFinding[], at: DoctorContext): ClientStatus[] {
  const blockers = findings.flatMap((finding) =>
    finding.blocks ? [{ finding, blocks: finding.blocks }] : [],
  );
  return at.installs.flatMap((install) =>
    install.clients.flatMap((id): ClientStatus | [] => {
      const known = findClient(id);
      if (!known) return [];
      const events = eventsOf(install, id, at);
      const programs = at.programs(install).filter((program) => program.client === id);
      const nativesOf = (number: number) =>
        programs.flatMap(({ native, hooks }) =>
          hooks.some((hook) => hook.number === number) ? native : [],
        );
      const files = filesHolding(at.ledger, id, install, install.label);
      const isAbout = ({ install: other, client, file }: Blocked) =>
        (other === undefined || isInstall(install.label, install)(other)) &&
        (client === undefined || client === id) &&
        (file === undefined || files.some(([path]) => path === file));
      const here = blockers.filter(({ blocks }) => isAbout(blocks));
      const keeping = (number: number) =>
        here.filter(({ blocks }) => isBlocked(blocks, number, nativesOf(number)));
      const findingsIn = (some: typeof here) => some.map(({ finding }) => finding);
      return {
        install,
        client: known,
        hooks: [...events].map(([number, event]) => ({
          number,
          event,
          blockers: findingsIn(keeping(number)),
        })),
        blockers: findingsIn(here),
        hooksLeftOut: leftOut(install, known, events, at),
      };
    }),
  );
}

const isBlocked = (blocks: Blocked, number: number, natives: readonly string[]): boolean =>
  (blocks.natives === undefined || natives.some((one) => blocks.natives?.includes(one))) &&
  (blocks.hooks === undefined || blocks.hooks.includes(number));

/** The hooks that the runner has for a client, in declared order. If the runner is gone, the hooks that the user agreed to. */
function eventsOf(install: Install, id: string, at: DoctorContext): Map<number, Event> {
  const programs = at.programs(install).filter(({ client }) => client === id);
  const found = programs.flatMap(({ hooks }) =>
    hooks.map(({ number, event }) => [number, event] as const),
  );
  const all = at.approval(install)?.hooks.map(({ event }, index) => [index + 1, event] as const);
  // If every hook was left out, there never was a runner.
  const hadSome = Object.keys(install.runner).some((name) => clientOf(name) !== undefined);
  const isGone = hadSome && at.programs(install).length === 0;
  return new Map((isGone ? (all ?? []) : found).sort(([a], [b]) => a - b));
}

function leftOut(
  install: Install,
  client: Client,
  installed: ReadonlyMap<number, Event>,
  at: DoctorContext,
): LeftOutHook[] {
  const allowed = allowedThen(install, at);
  const declared = at.approval(install)?.hooks ?? [];
  const limit = at.programs(install)[0]?.policy.hooksPerServer;
  const tooMany = limit === undefined ? [] : beyondLimit(declared, limit);
  return declared.flatMap((hook, index): LeftOutHook[] => {
    const { event } = hook;
    const number = index + 1;
    if (installed.has(number)) return [];
    if (hook.enabled === false) return [{ number, event, why: 'declaration' }];
    if (tooMany.includes(hook)) return [{ number, event, why: 'policy' }];
    const grants = neededBy(hook).filter((grant) => !allowed.includes(grant));
    if (grants.length > 0) return [{ number, event, why: 'grant', grants }];
    const reason = whyNotPossible(hook, client, install);
    return [{ number, event, why: 'client', ...(reason && { reason }) }];
  });
}

/** The status of a label in one client and scope. Undefined if it is not in the ledger. */
export const statusAt = (
  statuses: readonly ClientStatus[],
  { label, client, site }: { readonly label: string; readonly client: Client; readonly site: Site },
): ClientStatus | undefined =>
  statuses.find((one) => one.client === client && isInstall(label, site)(one.install));

/** Whether every installed hook fires, except those that the user has switched off. */
export const allFire = (statuses: readonly ClientStatus[]): boolean => statuses.every(fires);

const fires = ({ blockers }: ClientStatus): boolean =>
  blockers.every(({ level }) => level === 'info');

/** The clients in which a hook does not fire. Empty if that is so in each client that has hooks. */
export function notFiringIn(statuses: readonly ClientStatus[]): string[] {
  const namesOf = (some: readonly ClientStatus[]) => [
    ...new Set(some.map(({ client }) => client.name)),
  ];
  const failing = namesOf(statuses.filter((one) => !fires(one)));
  const all = namesOf(statuses.filter((one) => one.hooks.length > 0 || !fires(one)));
  return failing.length < all.length ? failing : [];
}

/** `blocks`: the check may find that a hook does not fire. Such checks start nothing. */
const LISTED: readonly (readonly [Check, blocks?: 'blocks'])[] = [
  [executableOnPath],
  [version, 'blocks'],
  [installed],
  [readable, 'blocks'],
  [valid, 'blocks'],
  [on, 'blocks'],
  [orphanedEntries],
  [managed],
  [pluginTrust],
  [folderTrust, 'blocks'],
  [alsoRunBy],
  [entries, 'blocks'],
  ...trustChecks.map((check) => [check, 'blocks'] as const),
  [runner, 'blocks'],
  [node, 'blocks'],
  [paths, 'blocks'],
  [duplicateHooks],
  [leftOutByPolicy, 'blocks'],
  [source, 'blocks'],
  [configured, 'blocks'],
  [mentions],
  [addedServers],
  [server],
  [signIn, 'blocks'],
  [calls, 'blocks'],
  [programs, 'blocks'],
  [failures],
  [ledger],
  [readablePolicy, 'blocks'],
  [writable],
  [interrupted, 'blocks'],
  [sessions],
];

export const CHECKS: readonly Check[] = LISTED.map(([check]) => check);

const BLOCKING = LISTED.flatMap(([check, blocks]) => (blocks ? check : []));

/** Whether installed hooks fire, as far as known without starting a client or a server. */
export async function statusOf(at: DoctorContext): Promise<ClientStatus[]> {
  return statusFrom(await findAll(BLOCKING, at), at);
}
