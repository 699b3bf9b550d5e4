/** Whether a client that asks for agreement runs what is written in its settings: it may skip the rest without a word. */

import { entryInWords, trustMessages } from '../../cli/trust-messages.ts';
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

/** One for each client that asks. */
export const trustChecks: readonly Check[] = TRUSTING.map(({ client, trust }) =>
  ofInstalls(
    `${client.id}-trust`,
    trustMessages.fine(client),
    (install, at) =>
      look(install, at, client, trust).catch((error: unknown) => [
        { ...refused(error), brief: trustMessages.brief.untrusted() },
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
  const places = at.placesOf(install);
  const version = versionAt(client, at);
  const all = readWritten(client, places, at).hooks.filter(
    // It never asks about an event that it does not have.
    ({ label, native }) => label !== undefined && !hasNot(client, version, native),
  );
  const mine = ({ label }: ConfiguredHook) => label === install.label;
  const hooks = all.filter(mine);
  if (hooks.length === 0) return [{ level: 'ok', what: trustMessages.nothingToTrust(client) }];
  // Said of its settings: agreeing to hooks is for a client that starts.
  if ((await whyStopped(client, at)) !== undefined)
    return [{ level: 'ok', what: trustMessages.hasToStart(client) }];
  const folder = unreadProject(install, at, client, trust);
  if (folder) return [folder];
  if (!trustIn(client, version))
    return [{ level: 'ok', what: trustMessages.asksForNone(client, version ?? '') }];
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
    what: trustMessages.projectUnread(client, tilde(project, at.user.home)),
    brief: trustMessages.projectUnreadBrief,
    where: trust.path(at.user),
    todo: trustMessages.trustProject(client),
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
  const notes: CheckResult[] = trouble
    ? [
        {
          level: 'warning',
          what: trustMessages.trouble(client, trust, trouble).join(' '),
          todo: trustMessages.fromFile(client),
        },
      ]
    : [];
  const finding = (one: HookTrust): CheckResult => {
    const { hook, trust: state } = one;
    const level = LEVELS[state];
    const brief =
      state === 'trusted' || state === 'unknown' ? undefined : trustMessages.brief[state](client);
    const todo = trustMessages.todo(client, trust, one, again);
    return {
      level,
      what: trustMessages.state(client, trust, state, entryInWords(hook, home), from),
      where: hook.path,
      ...(brief !== undefined && { brief }),
      ...(todo !== undefined && { todo }),
      ...(level === 'error' && { blocks: { client: client.id, natives: [hook.native] } }),
    };
  };
  return [...notes, ...hooks.map(finding)];
}
