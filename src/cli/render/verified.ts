/** What a verification has found, in words: for people, and the same facts as JSON for scripts. */

import type { Failure, VerifiedClient, VerifiedEvent } from '../../diagnose/fire/verify.ts';
import type { Message } from '../../system/errors.ts';
import { count } from '../../system/plurals.ts';
import { paint, type Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { notStarted, obstacleInWords, reasonInWords, troubleInWords } from './fired.ts';
import { indented } from './lines.ts';

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
    case 'blocked': {
      const todo = failure.todo && sentence(failure.todo);
      return messages.blocked(messages.blockedBy(failure), sentence(failure.what), todo);
    }
    case 'reason': {
      const also =
        failure.reason.code === 'silent' && drift !== undefined ? ` (${sentence(drift)})` : '';
      return `${reasonInWords(failure.reason)}${also}`;
    }
  }
}

/** The same code as in `fire` and `doctor`. */
function codeOf(failure: Failure): string {
  if (failure.kind === 'obstacle') return failure.obstacle.code;
  if (failure.kind === 'trouble') return failure.trouble.code;
  if (failure.kind === 'reason') return failure.reason.code;
  return failure.kind === 'blocked' ? failure.what.code : failure.kind;
}

/** What would not fire: hooks, or an event as a whole. */
const failuresIn = ({ events }: VerifiedClient) =>
  events.flatMap(({ native, hooks, failure }) => [
    ...(failure ? [{ native, which: '', failure }] : []),
    ...hooks.flatMap(({ number, event, failure: own }) =>
      own ? [{ native, which: `, hook ${number} (${event})`, failure: own }] : [],
    ),
  ]);

/** One label: a line for each client that fires, and one for each hook that would not. */
export function showVerified(terminal: Terminal, clients: readonly VerifiedClient[]): string {
  const lines = clients.flatMap((verified) => {
    const { label, client, events, drift } = verified;
    const fine = events
      .filter((event) => isFine(event) && !event.marks)
      .map(({ native }) => native);
    const where = `${inLine(label)}  ${client.name}`;
    const failures = failuresIn(verified).map(({ native, which, failure }) => {
      const head = `${where}, ${native}${which}: ${paint(terminal, 'red', 'would not fire')}`;
      return `${head}\n${indented(terminal, failureInWords(failure, drift), '    ')}`;
    });
    const fires = `${where}  ${paint(terminal, 'green', 'fires')} on ${fine.join(', ')}`;
    return [
      ...(fine.length > 0 ? [fires] : []),
      ...events.filter(isFine).flatMap(({ native, marks }) => (marks ? later(native, marks) : [])),
      ...failures,
      ...(events.length === 0 ? [`${where}  has nothing of it to fire`] : []),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** What a hook that was marked says comes with another event. */
const later = (native: string, marks: readonly string[]): string =>
  `    on ${native} it only notes what to tell; the text comes with ${marks.join(', ')}`;

export const isFine = ({ hooks, failure }: VerifiedEvent): boolean =>
  !failure && hooks.every((hook) => !hook.failure);

export function summed(clients: readonly VerifiedClient[]): string {
  const all = clients.flatMap(({ label, events }) =>
    events.flatMap(({ hooks }) =>
      hooks.map(({ number, failure }) => ({ name: `${label} ${number}`, failure })),
    ),
  );
  const hooks = (some: typeof all) => count(new Set(some.map(({ name }) => name)).size, 'hook');
  if (clients.every(({ events }) => events.every(isFine))) {
    const fired = new Set(clients.map(({ client }) => client.id)).size;
    return messages.allFire(hooks(all), count(fired, 'client'));
  }
  const named = all.filter(({ failure }) => failure);
  return messages.notAllFire(named.length > 0 ? hooks(named) : 'What is installed');
}

/** The same for scripts. Keys are only ever added. */
export function verifiedJson({ label, client, events, drift }: VerifiedClient): object {
  const failed = (one: Failure | undefined) =>
    one && { kind: one.kind, message: failureInWords(one, drift), code: codeOf(one) };
  return {
    label,
    client: client.id,
    fires: events.every(isFine),
    drift: drift ? sentence(drift) : null,
    events: events.map(({ native, hooks, failure, runs, marks }) => ({
      event: native,
      runs,
      marks: marks !== undefined,
      failure: failed(failure),
      hooks: hooks.map(({ number, event, failure: own }) => ({
        hook: number,
        event,
        fires: own === undefined,
        failure: failed(own),
      })),
    })),
  };
}
