/** Whether installed hooks fire: as text for people, as JSON for scripts. */

import type { Grant } from '../../declaration/grants.ts';
import { labelWithScope } from '../../diagnose/doctor/origin.ts';
import type {
  CheckFinding,
  ClientStatus,
  HookStatus,
  LeftOutHook,
} from '../../diagnose/doctor/status.ts';
import type { TrustMessage } from '../../diagnose/messages.ts';
import { trustLine } from '../../install/site.ts';
import { canonical } from '../../system/fingerprint.ts';
import { hooksInWords } from '../../system/plurals.ts';
import { type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages, type NotFiring } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { grouped } from '../messages/several.ts';
import { wrapMessage } from './lines.ts';

const isBlocked = ({ blockers }: HookStatus): boolean => blockers.length > 0;

/** `1 of 2 hooks (session_start needs --allow context-tool)`. Undefined if all hooks are installed. */
export function installedPart({ hooks, hooksLeftOut }: ClientStatus): string | undefined {
  if (hooksLeftOut.length === 0) return undefined;
  const reasons = grouped(hooksLeftOut, ({ number: _, event: _e, ...same }) => canonical(same));
  const declared = hooks.length + hooksLeftOut.length;
  return messages.installedPart(hooks.length, declared, reasons.map(whyLeftOut).join('; '));
}

/** @param alike Hooks that are left out for the same reason. */
function whyLeftOut(alike: readonly [LeftOutHook, ...LeftOutHook[]]): string {
  const [{ why, grants, reason }] = alike;
  const events = [...new Set(alike.map(({ event }) => event))];
  return messages.leftOutBecause[why](events, grants, reason && sentence(reason));
}

/** Declared hooks that were not installed because a grant is missing. */
export interface Skipped {
  /** In the form of command arguments. Undefined if the label is not installed, but only tried. */
  readonly label: string | undefined;
  readonly hooks: readonly number[];
  readonly grants: readonly Grant[];
}

export function skippedIn(
  { install, hooksLeftOut }: ClientStatus,
  isScratch = false,
  isMeant: (hook: LeftOutHook) => boolean = () => true,
): Skipped[] {
  const open = hooksLeftOut.filter((one) => one.why === 'grant' && isMeant(one));
  if (open.length === 0) return [];
  const grants = [...new Set(open.flatMap(({ grants = [] }) => grants))];
  const label = isScratch ? undefined : labelWithScope(install);
  return [{ label, hooks: open.map(({ number }) => number), grants }];
}

/** Removes duplicates: most clients skip the same hooks for the same reason. */
export const distinct = (skipped: readonly Skipped[]): Skipped[] => [
  ...new Map(skipped.map((one) => [JSON.stringify(one), one])).values(),
];

export const skippedInWords = (skipped: readonly Skipped[]): string[] =>
  distinct(skipped).map(({ label, hooks, grants }) =>
    messages.leftOut(hooksInWords(hooks), grants, messages.toAllow(label, grants, sentence)),
  );

/** The hooks that do not fire, grouped by their reasons. */
export function notFiring({ hooks, blockers }: ClientStatus): NotFiring[] {
  const blocked = hooks.filter(isBlocked);
  const alike = new Map<string, { numbers: number[]; why: readonly CheckFinding[] }>();
  for (const { number, blockers: why } of blocked) {
    // A hook may fail on two events for the same reason for which another one fails on one.
    const key = [...new Set(why.map(messages.blockedBy))].join(', ');
    const found = alike.get(key) ?? { numbers: [], why };
    alike.set(key, { ...found, numbers: [...found.numbers, number] });
  }
  const groups = [...alike.values()];
  const isAll = blocked.length === hooks.length && groups.length === 1;
  // Reasons that belong to no single hook apply to all hooks.
  return isAll || blocked.length === 0 ? [{ numbers: undefined, why: blockers }] : groups;
}

/** Whether a hook does not fire for one of the reasons that `showBlocked` lists. */
export const isNotFiring = (status: ClientStatus, hook: number): boolean =>
  status.blockers.length > 0 &&
  notFiring(status).some(({ numbers }) => numbers?.includes(hook) ?? true);

/** The status of only some of the hooks and reasons. Reasons that belong to no single hook stay. */
export function narrowed(
  status: ClientStatus,
  isMeant: (hook: HookStatus) => boolean,
  counts: (finding: CheckFinding) => boolean,
): ClientStatus {
  const hooks = status.hooks
    .filter(isMeant)
    .map((hook) => ({ ...hook, blockers: hook.blockers.filter(counts) }));
  const others = status.hooks.flatMap(({ blockers }) => blockers);
  const blockers = status.blockers
    .filter(counts)
    .filter((one) => !others.includes(one) || hooks.some((hook) => hook.blockers.includes(one)));
  return { ...status, hooks, blockers };
}

/** A command to run next, and its purpose. */
export interface Step {
  readonly command: string;
  readonly what: string;
}

/** The commands that let untrusted hooks run. */
export const trustSteps = (statuses: readonly ClientStatus[]): Step[] =>
  grouped(
    statuses.flatMap(({ client, install, blockers }) =>
      [...new Set(blockers.map(trustCommand))].flatMap((command) =>
        command === undefined ? [] : { client, install, command },
      ),
    ),
    ({ client }) => client.id,
  ).map((some) => {
    const [{ client, install, command }] = some;
    const labels = [...new Set(some.map((one) => one.install.label))];
    const all = trustLine(labels, install);
    return {
      command: labels.length > 1 ? all : command,
      what: messages.nextTrust(client.name),
    };
  });

type TrustByHand = Extract<TrustMessage, { readonly code: 'trust-by-hand' }>;

const trustCommand = ({ todo }: CheckFinding): string | undefined =>
  todo?.code === 'trust-by-hand' ? (todo as TrustByHand).run : undefined;

/** The same statuses without the reasons that `trustSteps` covers. */
export const withoutTrustSteps = (statuses: readonly ClientStatus[]): ClientStatus[] =>
  statuses.map((status) =>
    narrowed(
      status,
      () => true,
      (finding) => trustCommand(finding) === undefined,
    ),
  );

/** What does not fire and why, printed once for all clients with the same reason, and below it what to do. */
export function showBlocked(terminal: Terminal, statuses: readonly ClientStatus[]): string[] {
  const blocked = statuses
    .filter(({ blockers }) => blockers.length > 0)
    .map((status) => ({
      client: status.client.name,
      some: notFiring(status),
      todos: todosOf(status.blockers),
    }));
  const wordsOf = (clients: readonly string[], some: readonly NotFiring[]) =>
    some.map((one) => messages.doesNotFire(clients, one)).join(' ');
  return grouped(blocked, ({ some, todos }) => [wordsOf([], some), ...todos].join('\n')).flatMap(
    (alike) => {
      const [{ some, todos }] = alike;
      const words = wordsOf([...new Set(alike.map(({ client }) => client))], some);
      return [
        wrap(words, terminal.columns, '  '),
        ...todos.map((one) => wrapMessage(one, terminal.columns, '    ', '  ')),
      ];
    },
  );
}

const todosOf = (blockers: readonly CheckFinding[]): string[] => [
  ...new Set(
    blockers.flatMap(({ todo }) => (todo === undefined ? [] : inLine(sentence(todo), 1000))),
  ),
];

export const statusJson = (status: ClientStatus) => ({
  client: status.client.id,
  fires: status.blockers.length === 0,
  why: status.blockers.map(whyJson),
  hooks: status.hooks.map(({ number, event, blockers }) => ({
    hook: number,
    event,
    fires: blockers.length === 0,
    why: blockers.length > 0 ? blockers.map(whyJson) : undefined,
  })),
  leftOut: status.hooksLeftOut.map(({ number, event, why, grants, reason }) => ({
    hook: number,
    event,
    why,
    ...(grants && { grants }),
    ...(reason && { reason: sentence(reason) }),
  })),
});

export const whyJson = ({ check, what, where, todo }: CheckFinding) => ({
  check,
  what: sentence(what),
  where,
  todo: todo && sentence(todo),
  code: what.code,
});
