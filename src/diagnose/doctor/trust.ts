/** Whether a client that asks for agreement runs what is written in its settings: it may skip the rest without a word. */

import type { ConfiguredHook } from '../../clients/configured-hook.ts';
import type { Client } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import { hasNot } from '../../clients/gaps.ts';
import { type Places, tilde } from '../../clients/places.ts';
import { TRUSTING, trustIn } from '../../clients/registry.ts';
import type { HookTrust, Trust, TrustReading, TrustState } from '../../clients/trust.ts';
import { Refusal } from '../../edit/edit.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import type { Install } from '../../install/ledger.ts';
import { type Check, type CheckResult, ofInstalls, refused } from './check.ts';
import type { DoctorContext } from './context.ts';
import { versionAt } from './executables.ts';
import { installing } from './origin.ts';
import { whyStopped } from './startup.ts';
import type { TrustMessage } from './trust-messages.ts';

/** One for each client that asks. */
export const trustChecks: readonly Check[] = TRUSTING.map(({ client, trust }) =>
  ofInstalls(
    `${client.id}-trust`,
    { code: 'all-trusted', client: client.shortName },
    (install, at) =>
      look(install, at, client, trust).catch((error: unknown) => [
        { ...refused(error), brief: { code: 'not-trusted' } },
      ]),
    client.id,
  ),
);

async function look(
  install: Install,
  at: DoctorContext,
  client: Client,
  trust: Trust,
): Promise<CheckResult[]> {
  const { shortName: name } = client;
  const places = at.placesOf(install);
  const version = versionAt(client, at);
  const all = readWritten(client, places, at).hooks.filter(
    // It never asks about an event that it does not have.
    ({ label, native }) => label !== undefined && !hasNot(client, version, native),
  );
  const mine = ({ label }: ConfiguredHook) => label === install.label;
  const hooks = all.filter(mine);
  if (hooks.length === 0)
    return [{ level: 'ok', what: { code: 'nothing-to-trust', client: name } }];
  // Said of its settings: agreeing to hooks is for a client that starts.
  if ((await whyStopped(client, at)) !== undefined)
    return [{ level: 'ok', what: { code: 'start-before-trust', client: name } }];
  const folder = unreadProject(install, at, client, trust);
  if (folder) return [folder];
  if (!trustIn(client, version))
    return [
      {
        level: 'ok',
        what: { code: 'asks-for-no-trust', client: client.name, version: version ?? '' },
      },
    ];
  if (isKept(hooks, places, at, client, trust)) return [];
  const reading = await asked(all, places, at, client, trust);
  const own = { ...reading, hooks: reading.hooks.filter(({ hook }) => mine(hook)) };
  return findingsOf(client, trust, own, places.home, installing(install)).filter(
    ({ level }) => level !== 'ok',
  );
}

/** The client reads nothing of a project that it does not trust, and lists none of its hooks when it is asked. */
function unreadProject(
  { project }: Install,
  at: DoctorContext,
  client: Client,
  trust: Trust,
): CheckResult | undefined {
  if (project === null) return undefined;
  if (trust.readsProject(project, at.trustLook(client).setting)) return undefined;
  return {
    level: 'error',
    what: {
      code: 'project-unread',
      client: client.shortName,
      project: tilde(project, at.user.home),
    },
    brief: { code: 'project-not-trusted' },
    where: trust.path(at.user),
    todo: { code: 'trust-project', executable: client.executable },
    blocks: { client: client.id },
  };
}

type Answers = Map<string | undefined, Promise<TrustReading>>;
/** By client, and then by project. */
const ANSWERS = new WeakMap<DoctorContext, Map<Client, Answers>>();

/** A client is started once for all labels of a scope. */
function asked(
  hooks: readonly ConfiguredHook[],
  places: Places,
  at: DoctorContext,
  client: Client,
  trust: Trust,
): Promise<TrustReading> {
  const clients = ANSWERS.get(at) ?? new Map<Client, Answers>();
  ANSWERS.set(at, clients);
  const answers: Answers = clients.get(client) ?? new Map();
  clients.set(client, answers);
  const { read, deadline, machine, asksClients } = at;
  const found = asksClients ? which(client.executable, places) : undefined;
  const answer =
    answers.get(places.project) ??
    trust.read(hooks, {
      ...{ places, read, deadline, cwd: machine.cwd },
      ...(found !== undefined && { launch: [found] }),
    });
  answers.set(places.project, answer);
  return answer;
}

/**
 * Whether the file in which the client keeps trust says it of all, in the version whose way of saying so we know: then the
 * client itself, which takes its time to start, need not be asked.
 */
function isKept(
  hooks: readonly ConfiguredHook[],
  places: Places,
  at: DoctorContext,
  client: Client,
  trust: Trust,
): boolean {
  if (versionAt(client, at) !== client.verified) return false;
  try {
    return trust.kept(hooks, { places, read: at.read }).every((state) => state === 'trusted');
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const LEVELS: Readonly<Record<TrustState, CheckResult['level']>> = {
  trusted: 'ok',
  untrusted: 'error',
  changed: 'error',
  disabled: 'error',
  unknown: 'warning',
};

/**
 * One finding for each entry, and one where the client could not be asked.
 *
 * @param again The command that installs the hooks again.
 */
export function findingsOf(
  client: Client,
  trust: Trust,
  { from, trouble, hooks }: TrustReading,
  home: string,
  again: string,
): CheckResult[] {
  const name = client.shortName;
  const notes: CheckResult[] = trouble
    ? [
        {
          level: 'warning',
          what: { code: 'trust-trouble', trouble },
          todo: { code: 'trust-from-file', client: name },
        },
      ]
    : [];
  const finding = (one: HookTrust): CheckResult => {
    const { hook, trust: state } = one;
    const { native, matcher, path } = hook;
    const level = LEVELS[state];
    const brief = briefFor(state, name);
    const todo = todoFor(one, client, trust, again);
    return {
      level,
      what: {
        code: `hook-${state}`,
        ...{ client: name, native, from, file: trust.file, path: tilde(path, home) },
        ...(matcher !== undefined && { matcher }),
      },
      where: path,
      ...(brief && { brief }),
      ...(todo !== undefined && { todo }),
      ...(level === 'error' && { blocks: { client: client.id, natives: [native] } }),
    };
  };
  return [...notes, ...hooks.map(finding)];
}

/** Why the hook does not fire, in a few words; undefined: it does, or that is not known. */
function briefFor(state: TrustState, client: string): TrustMessage | undefined {
  if (state === 'untrusted') return { code: 'not-trusted' };
  if (state === 'changed') return { code: 'changed-since-trusted' };
  return state === 'disabled' ? { code: 'switched-off-in', client } : undefined;
}

function todoFor(
  { trust: state, why }: HookTrust,
  { executable }: Client,
  { byHand, reviewCommand: command }: Trust,
  again: string,
): TrustMessage | undefined {
  if (state === 'trusted') return undefined;
  if (state === 'unknown')
    return why ? { code: 'why-unknown', why } : { code: 'trust-by-hand', byHand };
  if (state === 'disabled') return { code: 'switch-on', command, executable };
  return { code: 'trust-by-hand', byHand, again };
}
