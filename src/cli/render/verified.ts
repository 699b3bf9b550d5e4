/** What a verification has found, in words: for people, and the same facts as JSON for scripts. */

import type { Failure, VerifiedClient, VerifiedEvent } from '../../diagnose/fire/verify.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import type { Message } from '../../system/errors.ts';
import { count } from '../../system/plurals.ts';
import { paint, type Style, type Terminal, table, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { notStarted, obstacleInWords, reasonInWords, troubleInWords } from './fired.ts';

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
      return blocked(failure, sentence(failure.what));
    case 'reason': {
      const also =
        failure.reason.code === 'silent' && drift !== undefined ? ` (${sentence(drift)})` : '';
      return `${reasonInWords(failure.reason)}${also}`;
    }
  }
}

const blocked = (failure: Extract<Failure, { kind: 'blocked' }>, what: string | undefined) =>
  messages.blocked(messages.blockedBy(failure), what, failure.todo && sentence(failure.todo));

/** The same code as in `fire` and `doctor`. */
function codeOf(failure: Failure): string {
  if (failure.kind === 'obstacle') return failure.obstacle.code;
  if (failure.kind === 'trouble') return failure.trouble.code;
  if (failure.kind === 'reason') return failure.reason.code;
  return failure.kind === 'blocked' ? failure.what.code : failure.kind;
}

interface Row {
  readonly word: string;
  readonly style: Style;
  readonly text: string;
}

/** Label by label, a table of its clients: the events on which hooks fire, and which hooks would not, and why. */
export function showVerified(terminal: Terminal, clients: readonly VerifiedClient[]): string {
  const labels = [...new Set(clients.map(({ label }) => label))];
  const width = Math.max(...clients.map(({ client }) => client.name.length)) + 2;
  const parts = labels.map((label) => {
    const own = clients.filter((one) => one.label === label);
    const lines = own.flatMap((one) =>
      rowsOf(one).map(({ word, style, text }, index) => {
        const name = (index === 0 ? one.client.name : '').padEnd(width);
        const first = `  ${name}${paint(terminal, style, word.padEnd(WORD))}`;
        return wrap(text, terminal.columns, ' '.repeat(width + WORD + 2), first).trimEnd();
      }),
    );
    return [paint(terminal, 'bold', inLine(label)), ...lines].join('\n');
  });
  return `${parts.join('\n\n')}\n`;
}

/** Columns of the longest word, and two. */
const WORD = 'silent'.length + 2;

function rowsOf({ events, drift }: VerifiedClient): Row[] {
  const firing = events
    .filter((event) => isFine(event) && !event.marks)
    .map(({ native }) => native);
  const later = events
    .filter(isFine)
    .flatMap(({ native, marks }) => (marks ? [{ native, marks }] : []));
  const silent = new Map<string, Set<string>>();
  const fails = (failure: Failure | undefined, which: string) => {
    if (!failure) return;
    // What is said in a few words is the same for all hooks; doctor says the rest.
    const isBrief = failure.kind === 'blocked' && failure.brief !== undefined;
    const why = isBrief ? blocked(failure, undefined) : failureInWords(failure, drift);
    silent.set(why, (silent.get(why) ?? new Set()).add(which));
  };
  for (const { native, hooks, failure } of events) {
    fails(failure, native);
    for (const { number, failure: own } of hooks) fails(own, `hook ${number} on ${native}`);
  }
  const rows: Row[] = [
    ...(firing.length > 0
      ? [{ word: 'fires', style: 'green', text: firing.join(', ') } as const]
      : []),
    ...later.map(
      ({ native, marks }) =>
        ({
          word: 'later',
          style: 'green',
          text: messages.notedOnly(native, marks.join(', ')),
        }) as const,
    ),
    ...[...silent].map(
      ([why, which]) =>
        ({ word: 'silent', style: 'red', text: `${[...which].join(', ')}: ${why}` }) as const,
    ),
  ];
  return rows.length > 0 ? rows : [{ word: '', style: 'dim', text: messages.nothingToFire }];
}

export const isFine = ({ hooks, failure }: VerifiedEvent): boolean =>
  !failure && hooks.every((hook) => !hook.failure);

export function summed(clients: readonly VerifiedClient[], untried: readonly Untried[]): string {
  const all = clients.flatMap(({ label, events }) =>
    events.flatMap(({ hooks }) =>
      hooks.map(({ number, failure }) => ({ name: `${label} ${number}`, failure })),
    ),
  );
  const distinct = (some: typeof all) => new Set(some.map(({ name }) => name)).size;
  const hooks = (some: typeof all) => count(distinct(some), 'hook');
  const named = all.filter(({ failure }) => failure);
  if (untried.length > 0) {
    const tried = distinct(all);
    const silent = named.length > 0 ? [messages.notAllFire(hooks(named))] : [];
    return [...silent, messages.someTried(tried, tried + untried.length)].join('\n');
  }
  if (clients.every(({ events }) => events.every(isFine))) {
    const fired = new Set(clients.map(({ client }) => client.id)).size;
    return messages.allFire(hooks(all), count(fired, 'client'));
  }
  return messages.notAllFire(named.length > 0 ? hooks(named) : 'What is installed');
}

/** A line for each hook that is in no client. */
export const showUntried = (terminal: Terminal, untried: readonly Untried[]): string[] =>
  untried.length === 0
    ? []
    : [
        table<Untried>(
          terminal,
          [
            { head: 'hook', cell: ({ number }) => String(number), right: true },
            { head: 'event', cell: ({ event }) => event },
            { head: '', cell: () => 'not tried', style: () => 'yellow' },
            { head: '', cell: (one) => messages.untried(one) },
          ],
          untried,
        )
          .map((line) => `  ${line}\n`)
          .join(''),
      ];

export const untriedJson = ({ number, event, ...rest }: Untried): object => ({
  hook: number,
  event,
  why: messages.untried(rest),
  code: `not-tried-${rest.why}`,
  ...(rest.grants && { grants: rest.grants }),
});

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
