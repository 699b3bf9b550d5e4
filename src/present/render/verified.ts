/** The result of a verification: as text for people, as JSON for scripts. */

import { isRun } from '../../clients/version.ts';
import type {
  Failure,
  VerifiedClient,
  VerifiedEvent,
  VerifiedHook,
} from '../../diagnose/fire/verify.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import type { Message } from '../../system/errors.ts';
import { canonical } from '../../system/fingerprint.ts';
import { count, listed } from '../../system/plurals.ts';
import { table } from '../../system/table.ts';
import { paint, type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { forAnyLabel, forLabels, grouped } from '../messages/several.ts';
import { notStarted, obstacleInWords, reasonInWords, troubleInWords } from './fired.ts';
import { wrapMessage } from './lines.ts';
import { type Skipped, skippedInWords } from './status.ts';

function failureInWords(failure: Failure, drift: Message | undefined): string {
  switch (failure.kind) {
    case 'obstacle':
      return obstacleInWords(failure.obstacle);
    case 'trouble': {
      const given = failure.recording === undefined ? '' : ` (given ${failure.recording})`;
      return `${troubleInWords(failure.trouble)}${given}`;
    }
    case 'not-started':
      return notStarted(failure.moment);
    case 'unknown-tool':
      return inLine(failure.missing.map((one) => sentence(one)).join('; '));
    case 'unmet':
      return messages.unmet;
    case 'blocked':
      return sentence(failure.what);
    case 'reason': {
      const also =
        failure.reason.code === 'nothing-shown' && drift !== undefined
          ? ` (${sentence(drift)})`
          : '';
      return `${reasonInWords(failure.reason)}${also}`;
    }
  }
}

/** How to fix the failure, as a sentence or as a command. */
const todoOf = (failure: Failure): string | undefined =>
  'todo' in failure && failure.todo !== undefined ? sentence(failure.todo) : undefined;

/** The same code as in `fire` and `doctor`. */
function failureCode(failure: Failure): string {
  if (failure.kind === 'obstacle') return failure.obstacle.code;
  if (failure.kind === 'trouble') return failure.trouble.code;
  if (failure.kind === 'reason') return failure.reason.code;
  return failure.kind === 'blocked' ? failure.what.code : failure.kind;
}

/** A client that does not trust the folder yet, and how to make it. */
export interface Waiting {
  readonly client: string;
  readonly todo: string;
}

const isWaiting = ({ name }: VerifiedClient['client'], waiting: readonly Waiting[]): boolean =>
  waiting.some(({ client }) => client === name);

interface Row {
  readonly word: string;
  readonly style: Style;
  readonly text: string;
  /** Why hooks fail. */
  readonly why?: string;
}

/** The output about a label: the table of its clients, and what is below it. */
interface Block {
  readonly label: string;
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly todos: readonly string[];
}

/**
 * For each label, a table of its clients: the events on which hooks fire, and the hooks that do not fire. A reason that several
 * clients share is printed once below the table, and so is the fix. Labels with the same table share one, and what is to be done
 * for several tables is below the last.
 */
export function showVerified(
  terminal: Terminal,
  clients: readonly VerifiedClient[],
  waiting: readonly Waiting[],
): string {
  const labels = [...new Set(clients.map(({ label }) => label))];
  const width = Math.max(...clients.map(({ client }) => client.name.length)) + 2;
  const blocks = labels.map((label) => {
    const own = clients.filter((one) => one.label === label);
    return blockOf(terminal, label, own, { waiting, width });
  });
  const tables = grouped(blocks, ({ label, lines, notes, todos }) =>
    canonical([lines, notes, todos.map((one) => forAnyLabel(one, label))]),
  );
  const said = tables.flatMap((group) =>
    group.flatMap(({ label, todos }) => todos.map((todo) => ({ label, todo, group }))),
  );
  const shared = grouped(said, ({ label, todo }) => forAnyLabel(todo, label));
  const todoOfAll = ([{ label, todo }, ...others]: (typeof shared)[number]) =>
    forLabels(todo, label, [label, ...others.map((one) => one.label)].join(' '));
  const isForSeveral = (some: (typeof shared)[number]) =>
    new Set(some.map(({ group }) => group)).size > 1;
  const print = (texts: readonly string[]) =>
    texts.map((one) => wrapMessage(inLine(one, 5000), terminal.columns, '    ', '  '));
  const parts = tables.map((group) => {
    const [{ lines, notes }] = group;
    const todos = shared.filter((some) => !isForSeveral(some) && some[0].group === group);
    const head = wrap(inLine(listed(group.map(({ label }) => label)), 1000), terminal.columns, '');
    return [
      ...[paint(terminal, 'bold', head), ...lines],
      ...print([...notes, ...todos.map(todoOfAll)]),
    ].join('\n');
  });
  const last = print(shared.filter(isForSeveral).map(todoOfAll)).join('\n');
  return `${[...parts, ...(last === '' ? [] : [last])].join('\n\n')}\n`;
}

function blockOf(
  terminal: Terminal,
  label: string,
  clients: readonly VerifiedClient[],
  { waiting, width }: { readonly waiting: readonly Waiting[]; readonly width: number },
): Block {
  const own = clients.map((one) => ({ ...one, rows: verifiedRows(one, waiting) }));
  const reasons = new Map<string, Set<string>>();
  for (const { client, rows } of own)
    for (const { why } of rows)
      if (why !== undefined) reasons.set(why, (reasons.get(why) ?? new Set()).add(client.name));
  const isShared = (why: string) => (reasons.get(why)?.size ?? 0) > 1;
  const lines = own.flatMap(({ client, rows }) =>
    rows.map(({ word, style, text, why }, index) => {
      const name = (index === 0 ? client.name : '').padEnd(width);
      const first = `  ${name}${paint(terminal, style, word.padEnd(WORD))}`;
      const words = why === undefined || isShared(why) ? text : `${text}: ${why}`;
      const indent = ' '.repeat(width + WORD + 2);
      return wrap(inLine(words, 5000), terminal.columns, indent, first).trimEnd();
    }),
  );
  const notes = [...reasons].flatMap(([why, names]) =>
    isShared(why) ? `${listed([...names])}: ${why}` : [],
  );
  const here = waiting.filter((one) => own.some(({ client }) => client.name === one.client));
  const todos = new Set([
    ...own.flatMap(({ events }) => events.flatMap(todosOf)),
    ...here.map(({ todo }) => todo),
  ]);
  return { label, lines, notes, todos: [...todos] };
}

const UNTIL = ['conditions', 'program'] as const satisfies readonly VerifiedHook['until'][];

/** The width of the longest word, plus two columns. */
const WORD = 'failed'.length + 2;

function verifiedRows(
  { client, events, drift }: VerifiedClient,
  waiting: readonly Waiting[],
): Row[] {
  const elsewhere = isWaiting(client, waiting) ? messages.notInThisFolder : '';
  const firing = events
    .filter((event) => isFine(event) && !event.marks && mayFire(event))
    .map(({ native }) => native);
  const later = events
    .filter(isFine)
    .flatMap(({ native, marks }) => (marks ? [{ native, marks }] : []));
  const those = (are: (hook: VerifiedHook) => boolean | undefined) =>
    events.flatMap(({ native, hooks }) =>
      hooks.flatMap((hook) => (are(hook) ? `hook ${hook.number} on ${native}` : [])),
    );
  const off = those(({ isOff }) => isOff);
  const failing = new Map<string, Set<string>>();
  const fails = (failure: Failure | undefined, which: string) => {
    if (!failure) return;
    // The brief reason is the same for all hooks. `doctor` has the details.
    const isBrief = failure.kind === 'blocked' && failure.brief !== undefined;
    const words = isBrief ? messages.blockedBy(failure) : failureInWords(failure, drift);
    const named = `${client.name}: `;
    const why = words.startsWith(named) ? words.slice(named.length) : words;
    failing.set(why, (failing.get(why) ?? new Set()).add(which));
  };
  for (const { native, hooks, failure } of events) {
    fails(failure, native);
    for (const { number, failure: own } of hooks) fails(own, `hook ${number} on ${native}`);
  }
  const rows: Row[] = [
    ...(firing.length > 0
      ? [{ word: 'fires', style: 'green', text: firing.join(', ') + elsewhere } as const]
      : []),
    ...later.map(
      ({ native, marks }) =>
        ({
          word: 'later',
          style: 'green',
          text: messages.notedOnly(native, marks.join(', ')),
        }) as const,
    ),
    ...UNTIL.flatMap((until): Row[] => {
      const ready = those((hook) => hook.until === until);
      const text = messages.readyUntil[until](ready.join(', '));
      return ready.length > 0 ? [{ word: 'ready', style: 'green', text }] : [];
    }),
    ...(off.length > 0
      ? [{ word: 'off', style: 'dim', text: messages.offByPolicy(off.join(', ')) } as const]
      : []),
    ...[...failing].map(
      ([why, which]) =>
        ({ word: 'failed', style: 'red', text: [...which].join(', '), why }) as const,
    ),
  ];
  return rows.length > 0 ? rows : [{ word: '', style: 'dim', text: messages.nothingToFire }];
}

const todosOf = ({ hooks, failure }: VerifiedEvent): string[] =>
  [failure, ...hooks.map((hook) => hook.failure)].flatMap((one) => (one && todoOf(one)) ?? []);

const mayFire = ({ hooks }: VerifiedEvent): boolean => hooks.length === 0 || hooks.some(isFiring);

const isFiring = ({ isOff, until }: VerifiedHook): boolean => !isOff && !until;

const isFine = ({ hooks, failure }: VerifiedEvent): boolean =>
  !failure && hooks.every((hook) => !hook.failure);

/** Whether there is something to fire, and all of it fires. */
export const allFine = (clients: readonly VerifiedClient[]): boolean =>
  clients.every(({ events }) => events.every(isFine)) &&
  (clients.length === 0 || hasHooks(clients));

const hasHooks = (clients: readonly VerifiedClient[]): boolean =>
  clients.some(({ events }) => events.some(({ hooks }) => hooks.length > 0));

export function verdict(
  terminal: Terminal,
  clients: readonly VerifiedClient[],
  skipped: readonly Skipped[],
  untried: readonly Untried[],
  waiting: readonly Waiting[],
): string {
  const left = skippedInWords(skipped).map((one) => wrapMessage(one, terminal.columns, '  ', ''));
  const unrun = clients.filter(({ client }) => !isRun(client));
  if (unrun.length > 0)
    left.unshift(
      wrap(
        messages.untested([...new Set(unrun.map(({ client }) => client.name))]),
        terminal.columns,
        '  ',
        '',
      ),
    );
  const outcome = wrap(outcomeOf(clients, waiting), terminal.columns, '  ', '');
  if (untried.length > 0) {
    const tried = new Set(
      clients.flatMap(({ events }) => events.flatMap(({ hooks }) => hooks.map(numberOf))),
    ).size;
    const failing = clients.every(({ events }) => events.every(isFine)) ? [] : [outcome];
    return [...failing, ...left, messages.someTried(tried, tried + untried.length)].join('\n');
  }
  if (!hasHooks(clients) && clients.every(({ events }) => events.every(isFine)))
    return [messages.nothingFires, ...left].join('\n');
  return [outcome, ...left].join('\n');
}

const numberOf = ({ number }: { readonly number: number }): number => number;

function outcomeOf(clients: readonly VerifiedClient[], waiting: readonly Waiting[]): string {
  const all = clients.flatMap(({ label, client, events }) =>
    events.flatMap(({ hooks }) =>
      hooks
        .filter((hook) => !hook.isOff)
        .map((hook) => ({ name: `${label} ${hook.number}`, client, failure: hook.failure, hook })),
    ),
  );
  const clientsOf = (some: typeof all) => [...new Set(some.map(({ client }) => client.name))];
  const hooks = (some: typeof all) => new Set(some.map(({ name }) => name)).size;
  if (clients.every(({ events }) => events.every(isFine))) {
    // The user's policy has switched all of them off.
    if (all.length === 0) return messages.allOff;
    const where = count(clientsOf(all).length, 'client');
    const names = new Set(all.map(({ name }) => name));
    const firing = new Set(all.flatMap(({ name, hook }) => (isFiring(hook) ? name : [])));
    const ready = names.size - firing.size;
    const asking = clients.filter(({ client }) => isWaiting(client, waiting));
    const trustIn = [...new Set(asking.map(({ client }) => client.name))];
    if (ready > 0) return messages.someReady(firing.size, ready, where, trustIn);
    return messages.allFire(count(hooks(all), 'hook'), where, trustIn);
  }
  const failed = all.filter(({ failure }) => failure);
  const names = clientsOf(failed);
  const isEverywhere = names.length === clientsOf(all).length;
  return messages.notAllFire(hooks(failed), {
    isNone: all.length === 0,
    clients: isEverywhere ? [] : names,
  });
}

/** A line for each hook that is not in any client. */
export const showUntried = (terminal: Terminal, untried: readonly Untried[]): string[] =>
  untried.length === 0
    ? []
    : [
        table<Untried>(
          terminal,
          [
            { head: 'hook', cell: ({ number }) => String(number), right: true },
            { head: 'event', cell: ({ event }) => event },
            { head: '', cell: () => 'not tried', style: 'yellow' },
            { head: '', cell: (one) => messages.untried(one) },
          ],
          untried,
          { indent: '  ' },
        )
          .map((line) => `${line}\n`)
          .join(''),
      ];

export const untriedJson = ({ number, event, ...rest }: Untried) => ({
  hook: number,
  event,
  why: messages.untried(rest),
  code: `not-tried-${rest.why}`,
  ...(rest.grants && { grants: rest.grants }),
});

/** The same for scripts. Keys are only ever added. */
export function verifiedJson(
  { label, client, events, drift }: VerifiedClient,
  waiting: readonly Waiting[],
) {
  const failed = (one: Failure | undefined) => {
    const todo = one && todoOf(one);
    const what = one && failureInWords(one, drift);
    const message = todo === undefined ? what : `${what}. ${todo}`;
    return one && { kind: one.kind, message, code: failureCode(one) };
  };
  return {
    label,
    client: client.id,
    fires: events.every((event) => isFine(event) && !event.hooks.some((hook) => hook.isOff)),
    folderTrusted: !isWaiting(client, waiting),
    drift: drift ? sentence(drift) : null,
    events: events.map(({ native, hooks, failure, runs, marks }) => ({
      event: native,
      runs,
      marks: marks !== undefined,
      failure: failed(failure),
      hooks: hooks.map(({ number, event, failure: own, isOff, until }) => ({
        hook: number,
        event,
        fires: own === undefined && !isOff,
        off: isOff === true,
        ...(until && { conditional: true, until }),
        failure: failed(own),
      })),
    })),
  };
}
