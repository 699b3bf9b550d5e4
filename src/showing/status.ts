/** Whether what is installed fires, in words: for people, and the same facts as JSON for scripts. */

import type { ClientStatus, HookStatus, LeftOut, Told } from '../doctor/status.ts';
import { messages } from '../messages.ts';
import { hooksInWords } from '../numbers.ts';
import { type Terminal, wrap } from '../terminal.ts';
import { inLine } from '../visible.ts';

const isBlocked = ({ blockers }: HookStatus): boolean => blockers.length > 0;

/** Why some hooks of a client do not fire, in a few words each: "not trusted". */
export const reasonsFor = ({ hooks }: ClientStatus): string[] => [
  ...new Set(
    hooks.flatMap(({ blockers }) => blockers.map(({ check }) => messages.blockedBy(check))),
  ),
];

/** `1 of 2 hooks (session_start needs --allow context-tool)`; undefined where all are installed. */
export function installedPart({ hooks, leftOut }: ClientStatus): string | undefined {
  if (leftOut.length === 0) return undefined;
  const part = ({ why, event }: LeftOut) => messages.leftOutBecause[why](event);
  const reasons = [...new Set(leftOut.map(part))].join(', ');
  return messages.installedPart(hooks.length, hooks.length + leftOut.length, reasons);
}

/** A line for each client in which something does not fire: what, why and what to do. */
export function showBlocked(terminal: Terminal, statuses: readonly ClientStatus[]): string[] {
  return statuses.flatMap((status) => {
    const { client, hooks } = status;
    const blocked = hooks.filter(isBlocked);
    const [first] = blocked.flatMap(({ blockers }) => blockers);
    if (!first) return [];
    const which =
      blocked.length === hooks.length
        ? undefined
        : hooksInWords(blocked.map(({ number }) => number));
    const words = messages.doesNotFire(client.name, which, reasonsFor(status).join(', '));
    return [wrap([words, ...todosOf(blocked)].join(' '), terminal.columns, '  ')];
  });
}

/** What to do, each thing once. */
const todosOf = (hooks: readonly HookStatus[]): string[] => [
  ...new Set(
    hooks.flatMap(({ blockers }) =>
      blockers.flatMap(({ todo }: Told) => (todo === undefined ? [] : inLine(todo, 1000))),
    ),
  ),
];

/** Keys are only ever added. */
export const statusJson = ({ client, hooks, leftOut }: ClientStatus): object => ({
  client: client.id,
  fires: !hooks.some(isBlocked),
  hooks: hooks.map(({ number, event, blockers }) => ({
    hook: number,
    event,
    fires: blockers.length === 0,
    ...(blockers.length > 0 && {
      why: blockers.map(({ check, what, where, todo }) => ({ check, what, where, todo })),
    }),
  })),
  leftOut: leftOut.map(({ number, event, why }) => ({ hook: number, event, why })),
});
