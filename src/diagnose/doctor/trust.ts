/** Whether a client that requires trust runs the hooks in its settings. It may skip untrusted ones silently. */

import { existsSync } from 'node:fs';
import type { Client } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import { type ConfiguredHook, handlersIn } from '../../clients/entries.ts';
import { fileLike, tilde } from '../../clients/places.ts';
import { healthOf, TRUSTING } from '../../clients/registry.ts';
import type { HookTrust, Trust, TrustReading, TrustState } from '../../clients/trust.ts';
import { measuredIn } from '../../clients/version.ts';
import { shippedLabel } from '../../compile/command.ts';
import { Refusal } from '../../edit/edit.ts';
import { eventsOf } from '../../edit/value.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import { lookAt } from '../../install/drift.ts';
import type { Install } from '../../install/ledger.ts';
import { trustLine } from '../../install/site.ts';
import { unless } from '../../system/errors.ts';
import type { TrustMessage } from '../messages.ts';
import {
  type Check,
  type CheckResult,
  type Finding,
  ofClients,
  ofInstalls,
  refused,
} from './check.ts';
import { type DoctorContext, isUsed } from './context.ts';
import { updateCommand } from './origin.ts';
import { versionAt } from './settings.ts';

/** Whether a client trusts the current folder, if its hooks depend on that. */
export const folderTrust = ofClients('folder-trust', 'folder-trusted', (client, at) => {
  const { trust } = healthOf(client);
  const needless = (inProject: boolean): CheckResult => ({
    level: 'ok',
    what: { code: 'no-trust-needed', inProject },
  });
  const own = at.installs.filter(({ clients }) => clients.includes(client.id));
  // Trust in a project is reported together with the hooks installed there.
  if (!trust || !isUsed(client, at)) return needless(own.some(({ project }) => project !== null));
  const { cwd, home } = at.machine;
  const { state, where } = trust.decide(at.trustLook(client));
  if (state === 'trusted') return undefined;
  const folder = tilde(cwd, home);
  const todo = { code: 'trust-by-hand', byHand: trust.todo } as const;
  const { undecided } = trust;
  if (trust.onlyProjects) {
    const waiting = own.filter(({ project }) => project === cwd);
    if (waiting.length === 0) return needless(false);
    return waiting.map((install) => ({
      level: 'error',
      what: { code: 'folder-undecided', folder, undecided },
      brief: { code: 'project-not-trusted' },
      where,
      todo,
      blocks: { client: client.id, install },
    }));
  }
  if (state === 'refused')
    return { level: 'error', what: { code: 'folder-refused', folder }, where, todo };
  const what = { code: 'folder-undecided', folder, undecided } as const;
  return { level: 'warning', what, where, todo };
});

/** A client that requires trust, and the install in question. */
interface Asking {
  readonly client: Client;
  readonly trust: Trust;
  readonly install: Install;
  readonly at: DoctorContext;
}

/** One check for each client that requires trust. */
export const trustChecks: readonly Check[] = TRUSTING.map(({ client, trust }) =>
  ofInstalls(
    `${client.id}-trust`,
    { code: 'all-trusted', client: client.name },
    (install, at) =>
      trustFindings({ client, trust, install, at }).catch((error: unknown): CheckResult[] => [
        { ...refused(error), brief: { code: 'not-trusted' } },
      ]),
    ({ clients }) => clients.includes(client.id),
  ),
);

async function trustFindings(asking: Asking): Promise<readonly CheckResult[] | undefined> {
  const { client, trust, install, at } = asking;
  const { name } = client;
  const all = readWritten(client, at.placesOf(install), at).hooks.filter(
    ({ label }) => label !== undefined,
  );
  const mine = ({ label }: ConfiguredHook) => label === install.label;
  const hooks = all.filter(mine);
  const fine = (what: TrustMessage): CheckResult[] => [{ level: 'ok', what }];
  if (hooks.length === 0) return fine({ code: 'nothing-to-trust', client: name });
  // The check of its settings reports that. Hooks can be trusted once the client starts.
  if (await at.whyStopped(client)) return fine({ code: 'start-before-trust', client: name });
  const unread = unreadProject(asking);
  if (unread) return [unread];
  if (isRecordedAsTrusted(hooks, asking)) return undefined;
  const reading = await trustReading(all, asking);
  const own = { ...reading, hooks: reading.hooks.filter(({ hook }) => mine(hook)) };
  const edited = editedIn(asking);
  return findingsOf(client, trust, own, at.user.home, trustLine([install.label], install))
    .filter(({ level }) => level !== 'ok')
    .map((found) => {
      const natives = (found.blocks?.natives ?? []).filter((one) => edited.includes(one));
      const [native] = natives;
      return native === undefined ? found : notTrustedAs(native, found, asking);
    });
}

/** Hooks of ours in plugins that the client does not trust. Reports nothing if there are none. */
export const pluginTrust: Check = {
  name: 'plugin-trust',
  look: (at) =>
    TRUSTING.filter(({ client }) => at.clients.includes(client)).flatMap(({ client, trust }) => {
      const untrusted = shippedHooks(client, at).filter(({ hook, label }) => {
        const isInstalled = at.installs.some(
          (one) => one.label === label && one.clients.includes(client.id),
        );
        if (isInstalled) return false; // the plugin's hooks do nothing anyway
        const [state] = unless(
          Refusal,
          () => trust.recorded([hook], { places: at.user, read: at.read }),
          (): readonly TrustState[] => [],
        );
        return state === 'untrusted' || state === 'disabled';
      });
      const labels = [...new Set(untrusted.map(({ label }) => label))];
      return labels.map((label): Finding => {
        const what: TrustMessage = { code: 'plugin-untrusted', client: client.name, label };
        const todo: TrustMessage = { code: 'trust-by-hand', byHand: trust.byHand };
        const where = untrusted.find((one) => one.label === label)?.hook.path;
        return { level: 'error', about: client.name, what, where, todo };
      });
    }),
};

/** Our hooks in the client's plugins, each with its label. */
function shippedHooks(client: Client, at: DoctorContext) {
  const look = at.trustLook(client);
  return (healthOf(client).plugins?.(look) ?? []).filter(existsSync).flatMap((path) => {
    const { layout } = fileLike(client, path);
    return [...eventsOf(look.json(path), layout)].flatMap(([native, groups]) =>
      groups.flatMap((group, index) =>
        handlersIn(client, group).flatMap((written) => {
          const { command } = written.handler;
          const label = typeof command === 'string' ? shippedLabel(command) : undefined;
          const hook: ConfiguredHook = { client, path, native, index, ...written };
          return label === undefined ? [] : [{ hook, label }];
        }),
      ),
    );
  });
}

/** The events of entries that were edited, which need more than trust. */
function editedIn({ client, install, at }: Asking): string[] {
  const looking = { runner: [], read: at.read };
  const { drift } = lookAt(client.id, install, at.placesOf(install), at.ledger, looking);
  return drift.flatMap(({ code, what = '' }) => (code === 'entry-edited' ? [what] : []));
}

const notTrustedAs = (native: string, found: CheckResult, { client, install }: Asking) => ({
  ...found,
  what: { code: 'edited-not-trusted', client: client.name, native } as const,
  brief: { code: 'entry-edited' } as const,
  todo: { code: 'puts-right', command: updateCommand(install) } as const,
});

/** In an untrusted project, the client reads no settings and lists no hooks. */
function unreadProject({ client, trust, install, at }: Asking): CheckResult | undefined {
  const { project } = install;
  if (project === null || trust.readsProject(project, at.trustLook(client).setting))
    return undefined;
  const folder = tilde(project, at.user.home);
  return {
    level: 'error',
    what: { code: 'project-unread', client: client.name, project: folder },
    brief: { code: 'project-not-trusted' },
    where: trust.path(at.user),
    todo: { code: 'trust-project', executable: client.executable },
    blocks: { client: client.id },
  };
}

/** By client and project. */
const ANSWERS = new WeakMap<DoctorContext, Map<string, Promise<TrustReading>>>();

/** A client is started only once for all labels of a scope. */
function trustReading(hooks: readonly ConfiguredHook[], { client, trust, install, at }: Asking) {
  const answers = ANSWERS.get(at) ?? new Map<string, Promise<TrustReading>>();
  ANSWERS.set(at, answers);
  const { read, deadline, machine, asksClients } = at;
  const places = at.placesOf(install);
  const found = asksClients ? which(client.executable, places) : undefined;
  const launch = found === undefined ? undefined : ([found] as const);
  const key = `${client.id} ${places.project}`;
  const answer =
    answers.get(key) ?? trust.read(hooks, { places, read, deadline, cwd: machine.cwd, launch });
  answers.set(key, answer);
  return answer;
}

/**
 * Whether the client's own trust file covers all of these hooks, in a version whose format we know. Then the client need not be
 * started, which takes time.
 */
function isRecordedAsTrusted(
  hooks: readonly ConfiguredHook[],
  { client, trust, install, at }: Asking,
) {
  const version = versionAt(client, at);
  if (version === undefined || version !== measuredIn(client)) return false;
  try {
    const place = { places: at.placesOf(install), read: at.read };
    return trust.recorded(hooks, place).every((state) => state === 'trusted');
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
 * One finding for each entry, and one if the client could not be queried. `run`: the command that makes the client trust them.
 */
export function findingsOf(
  client: Client,
  trust: Trust,
  { from, trouble, hooks }: TrustReading,
  home: string,
  run: string,
): CheckResult[] {
  const name = client.name;
  const findings = hooks.map((one): CheckResult => {
    const { hook, trust: state } = one;
    const { native, matcher, path: where } = hook;
    const level = LEVELS[state];
    const facts = { client: name, native, matcher, from, file: trust.file };
    return {
      level,
      what: { code: `hook-${state}`, ...facts, path: tilde(where, home) },
      where,
      brief: briefFor(state, name),
      todo: todoFor(one, client, trust, run),
      ...(level === 'error' && { blocks: { client: client.id, natives: [native] } }),
    };
  });
  if (!trouble) return findings;
  const what = { code: 'trust-trouble', trouble } as const;
  return [
    { level: 'warning', what, todo: { code: 'trust-from-file', client: name, file: trust.file } },
    ...findings,
  ];
}

/** Why the hook does not fire, in a few words. Undefined if it fires, or if that is unknown. */
function briefFor(state: TrustState, client: string): TrustMessage | undefined {
  if (state === 'untrusted') return { code: 'not-trusted' };
  if (state === 'changed') return { code: 'changed-since-trusted' };
  return state === 'disabled' ? { code: 'switched-off-in', client } : undefined;
}

function todoFor(
  { trust: state, why }: HookTrust,
  { executable }: Client,
  { byHand, reviewCommand: command }: Trust,
  run: string,
): TrustMessage | undefined {
  if (state === 'trusted') return undefined;
  if (state === 'unknown')
    return why ? { code: 'why-unknown', why } : { code: 'trust-by-hand', byHand };
  if (state === 'disabled') return { code: 'switch-on', command, executable };
  return { code: 'trust-by-hand', byHand, run };
}
