/** What a verification has found, in words: for people, and the same facts as JSON for scripts. */

import type { Failure, VerifiedClient, VerifiedEvent } from '../../diagnose/fire/verify.ts';
import type { Message } from '../../system/errors.ts';
import { count } from '../../system/plurals.ts';
import { paint, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { notStarted, obstacleInWords, reasonInWords, troubleInWords } from './fired.ts';

/** Why something would not fire, in words. */
function failureInWords(failure: Failure, drift: Message | undefined): string {
  switch (failure.kind) {
    case 'obstacle':
      return obstacleInWords(failure.obstacle);
    case 'trouble': {
      const given = failure.recording === undefined ? '' : ` (given ${failure.recording})`;
      return `${troubleInWords(failure.trouble)}${given}`;
    }
    case 'not started':
      return notStarted(failure.moment);
    case 'unknown tool':
      return inLine(failure.missing.map((one) => sentence(one)).join('; '));
    case 'unmet':
      return messages.unmet;
    case 'blocked':
      return messages.blocked(
        messages.blockedBy(failure),
        sentence(failure.what),
        failure.todo && sentence(failure.todo),
      );
    case 'reason': {
      const also =
        failure.reason.code === 'silent' && drift !== undefined ? ` (${sentence(drift)})` : '';
      return `${reasonInWords(failure.reason)}${also}`;
    }
  }
}

/** What would not fire. */
interface Line {
  readonly native: string;
  /** Undefined: the event as a whole. */
  readonly hook?: number;
  readonly event?: string;
  readonly why: string;
}

export const failuresIn = ({ events, drift }: VerifiedClient): Line[] =>
  events.flatMap(({ native, hooks, failure }) => [
    ...(failure ? [{ native, why: failureInWords(failure, drift) }] : []),
    ...hooks.flatMap(({ number: hook, event, failure: own }) =>
      own ? [{ native, hook, event, why: failureInWords(own, drift) }] : [],
    ),
  ]);

/** One label: a line for each client that fires, and one for each hook that would not. */
export function showVerified(terminal: Terminal, clients: readonly VerifiedClient[]): string {
  const lines = clients.flatMap((verified) => {
    const { label, client, events } = verified;
    const failures = failuresIn(verified);
    const fine = events
      .filter((event) => isFine(event) && !event.marks)
      .map(({ native }) => native);
    const where = `${inLine(label)}  ${client.name}`;
    return [
      ...(fine.length > 0
        ? [`${where}  ${paint(terminal, 'green', 'fires')} on ${fine.join(', ')}`]
        : []),
      ...events.filter(isFine).flatMap(({ native, marks }) => (marks ? later(native, marks) : [])),
      ...failures.map(({ native, hook, event, why }) => {
        const which = hook === undefined ? '' : `, hook ${hook} (${event})`;
        const head = `${where}, ${native}${which}: ${paint(terminal, 'red', 'would not fire')}`;
        return `${head}\n${wrap(why, terminal.columns, '    ')}`;
      }),
      ...(events.length === 0 ? [`${where}  has nothing of it to fire`] : []),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** What a hook that was marked says comes with another event. */
const later = (native: string, marks: readonly string[]): string =>
  `    on ${native} it only notes what to tell; the text comes with ${marks.join(', ')}`;

const isFine = ({ hooks, failure }: VerifiedEvent): boolean =>
  !failure && hooks.every((hook) => !hook.failure);

/** All of it in a sentence. */
export function summed(clients: readonly VerifiedClient[]): string {
  const all = clients.flatMap(({ label, events }) =>
    events.flatMap(({ hooks }) =>
      hooks.map(({ number, failure }) => ({ name: `${label} ${number}`, failure })),
    ),
  );
  const hooks = (some: typeof all) => count(new Set(some.map(({ name }) => name)).size, 'hook');
  const failing = clients.filter((one) => failuresIn(one).length > 0);
  if (failing.length === 0)
    return messages.allFire(
      hooks(all),
      count(new Set(clients.map(({ client }) => client.id)).size, 'client'),
    );
  const named = all.filter(({ failure }) => failure);
  return messages.notAllFire(named.length > 0 ? hooks(named) : 'What is installed');
}

/** The same for scripts. Keys are only ever added. */
export const verifiedJson = ({ label, client, events, drift }: VerifiedClient): object => ({
  label,
  client: client.id,
  fires: events.every(isFine),
  drift: drift ? sentence(drift) : null,
  events: events.map(({ native, hooks, failure, runs, marks }) => ({
    event: native,
    runs,
    marks: marks !== undefined,
    ...(failure && { failure: { kind: failure.kind, message: failureInWords(failure, drift) } }),
    hooks: hooks.map(({ number, event, failure: own }) => ({
      hook: number,
      event,
      fires: own === undefined,
      ...(own && { failure: { kind: own.kind, message: failureInWords(own, drift) } }),
    })),
  })),
});
