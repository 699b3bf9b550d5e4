/** How each hook arrives in each client: a table of grades, then each exception once, with all clients that it applies to. */

import type { Client, Grade } from '../../clients/contract.ts';
import type { ClientMessage } from '../../clients/messages.ts';
import { isRun } from '../../clients/version.ts';
import type { CompileMessage } from '../../compile/messages.ts';
import type { LoweredHook } from '../../compile/report.ts';
import { canonical } from '../../system/fingerprint.ts';
import { hooksInWords, listed, rangesOf } from '../../system/plurals.ts';
import { type Column, table } from '../../system/table.ts';
import { type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Say } from '../../system/words.ts';
import { capital, messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { grouped, merged, sameIn } from '../messages/several.ts';
import { stopped } from './client-view.ts';

/** `skipped`: the client could run the hook, but the user or the declaration prevents it. */
type Outcome = Grade | 'skipped';
type LoweringMessage = CompileMessage | ClientMessage;

const STYLES: Readonly<Record<Outcome, Style>> = {
  exact: 'green',
  adapted: 'yellow',
  late: 'yellow',
  none: 'red',
  skipped: 'dim',
};

/** Codes for a missing grant. The need is shown with the declaration, and the way to allow it at the end. */
const NEEDS_GRANT: readonly string[] = [
  'left-out-here',
  'command-left-out',
  'project-code-left-out',
  'block-left-out',
];
const NOT_WANTED = [
  ...NEEDS_GRANT,
  'command-not-named',
  'extra-turn',
  'not-enabled',
  'over-server-limit',
] satisfies readonly string[];

const outcomeOf = ({ grade, when }: LoweredHook): Outcome =>
  grade === 'none' && NOT_WANTED.includes(when.code) ? 'skipped' : grade;

/** Limitations of hooks that arrive exactly. A mark in the cell refers to the sentence below the table. */
const LIMITS = [
  'deadline-cut',
  'deny-in-vain',
  'exception',
  'failures-unknown',
  'first-hook-only',
  'name-unpredictable',
  'not-decided',
  'not-in-editor',
  'server-announced',
  'server-not-told',
  'text-cut',
] satisfies readonly CompileMessage['code'][];

const isLimit = ({ code }: LoweringMessage): boolean => LIMITS.some((one) => one === code);

const isLimited = ({ grade, notes }: LoweredHook): boolean =>
  grade === 'exact' && notes.some(isLimit);

const MARK = '†';

export interface LoweredIn {
  readonly client: Client;
  /** Empty if nothing is planned for the client. */
  readonly hooks: readonly LoweredHook[];
  /** The text at the end of its row, such as the file. */
  readonly note: { readonly text: string; readonly style?: Style };
}

/** How hooks are named: by number, or by label and number if there are several labels. */
export interface Naming {
  readonly words: (numbers: readonly number[]) => string;
  readonly head: (numbers: readonly number[]) => string;
}

const BY_NUMBER: Naming = {
  words: hooksInWords,
  head: (numbers) => rangesOf(numbers).join(', '),
};

/** For labels with these numbers of hooks, which are numbered consecutively in this order. */
export function namingOf(labels: readonly (readonly [label: string, hooks: number])[]): Naming {
  if (labels.length === 1) return BY_NUMBER;
  const each = (numbers: readonly number[]) => {
    let before = 0;
    return labels.flatMap(([label, hooks]) => {
      const from = before;
      before += hooks;
      const own = numbers.filter((one) => one > from && one <= before);
      return own.length > 0 ? [`${label} ${BY_NUMBER.head(own.map((one) => one - from))}`] : [];
    });
  };
  return {
    words: (numbers) => listed(each(numbers)),
    head: (numbers) => each(numbers).join(', '),
  };
}

interface GradeColumn extends Column<LoweredIn> {
  readonly style: (row: LoweredIn) => Style;
  /** The grade, with a mark if it has limitations. */
  readonly grade: (row: LoweredIn) => string;
  /** For a client that was never run. */
  readonly star: (row: LoweredIn) => string;
  /** The position among the grades, from the best. */
  readonly rank: (row: LoweredIn) => number;
}

/**
 * Hooks that have the same grade in every client share a column. If there are more columns than fit, each is a list of clients
 * by grade instead.
 */
export function showGrades(
  terminal: Terminal,
  all: readonly LoweredIn[],
  naming: Naming = BY_NUMBER,
): string[] {
  if (all.length === 0) return [];
  const alikes = alike(all);
  const grades = alikes.map((numbers): GradeColumn => {
    const hooksIn = ({ hooks }: LoweredIn) => numbers.flatMap((number) => hooks[number - 1] ?? []);
    const isMarked = (row: LoweredIn) => hooksIn(row).some(isLimited);
    const outcome = (row: LoweredIn) => {
      const [hook] = hooksIn(row);
      return hook && outcomeOf(hook);
    };
    const style = (row: LoweredIn) => (isMarked(row) ? 'yellow' : STYLES[outcome(row) ?? 'none']);
    // With one column, it is obvious which hooks it is about.
    const head = alikes.length > 1 ? naming.head(numbers) : '';
    const isGraded = (row: LoweredIn) => ![undefined, 'skipped'].includes(outcome(row));
    const grade = (row: LoweredIn) =>
      `${outcome(row) ?? '-'}${isGraded(row) && isMarked(row) ? MARK : ''}`;
    const star = (row: LoweredIn) => (isGraded(row) && isDocumented(row) ? '*' : '');
    const rank = (row: LoweredIn) => Object.keys(STYLES).indexOf(outcome(row) ?? 'skipped');
    return { head, cell: (row) => grade(row) + star(row), style, grade, star, rank };
  });
  const names: Column<LoweredIn> = { head: '', cell: ({ client }) => client.name, style: 'bold' };
  const notes: Column<LoweredIn> = {
    head: all.some((row) => isDocumented(row) && row.hooks.length > 0)
      ? messages.documentedMark
      : '',
    cell: ({ note }) => inLine(note.text),
    style: ({ note }) => note.style,
  };
  const left = terminal.tty
    ? terminal.columns - INDENT.length - Math.max(...all.map(({ client }) => client.name.length))
    : Number.POSITIVE_INFINITY;
  const width = Math.max(WIDTH, ...grades.map(({ head }) => head.length + 2));
  const isTable = grades.length <= Math.max(1, Math.floor(left / width));
  const widthOf = ({ head, cell }: Column<LoweredIn>) =>
    Math.max(...[head, ...all.map(cell)].map(({ length }) => length));
  const beside = [names, ...grades].reduce((sum, one) => sum + 2 + widthOf(one), INDENT.length);
  const words = all.flatMap(({ note }) => note.text.split(' ').map(({ length }) => length));
  const isWide = terminal.tty && beside + Math.max(...words) > terminal.columns;
  // If the files do not fit next to the grades, they get their own table.
  const rows = (columns: readonly Column<LoweredIn>[]) =>
    table(terminal, [names, ...columns], all, { indent: INDENT });
  const lines = isTable
    ? isWide
      ? [...rows(grades), ...rows([notes])]
      : rows([...grades, notes])
    : [...grades.flatMap((grade) => showByGrade(terminal, grade, all)), ...rows([notes])];
  return lines.filter((line) => line.trim() !== '');
}

/** The hooks of a column, and under them the clients with each grade. */
function showByGrade(
  terminal: Terminal,
  { head, style, grade, star, rank }: GradeColumn,
  all: readonly LoweredIn[],
): string[] {
  const graded = all.filter(({ hooks }) => hooks.length > 0);
  const byGrade = grouped(graded, grade).toSorted(
    ([one], [other]) => rank(one) - rank(other) || grade(one).length - grade(other).length,
  );
  const columns: Column<(typeof byGrade)[number]>[] = [
    { head: '', cell: ([row]) => grade(row).padEnd(WIDTH - 2), style: ([row]) => style(row) },
    {
      head: '',
      cell: (rows) => {
        const isAll = rows.length === all.length && all.length > 1;
        return isAll && rows.every((row) => star(row) === '')
          ? messages.allClients
          : rows.map((row) => row.client.name + star(row)).join(', ');
      },
    },
  ];
  return [
    wrap(head, terminal.columns, INDENT),
    ...table(terminal, columns, byGrade, { indent: `${INDENT}  ` }),
  ];
}

const isDocumented = ({ client }: LoweredIn): boolean => !isRun(client);

/** The width of a grade column, including the gap before it. */
const WIDTH = 'adapted*'.length + 2;
const INDENT = '  ';

/** The numbers of the hooks, from 1, grouped by their outcomes. */
function alike(all: readonly LoweredIn[]): number[][] {
  const most = Math.max(0, ...all.map(({ hooks }) => hooks.length));
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  const outcomes = (number: number) =>
    all.map(({ hooks }) => hooks[number - 1]).map((hook) => hook && outcomeOf(hook));
  return grouped(numbers, (number) => outcomes(number).join());
}

/** Why hooks do not arrive as declared, or a note about them. */
export interface Exception {
  readonly grade: Grade;
  /** From 1. */
  readonly hooks: readonly number[];
  /** The names of the clients. Empty if the text names them, or if it applies to all of them. */
  readonly clients: readonly string[];
  readonly text: string;
  /** Whether marked cells of the table refer to it. */
  readonly isMarked: boolean;
}

interface Reason {
  readonly grade: Grade;
  readonly message: LoweringMessage;
  readonly words: (sentence: string) => string;
}

export function exceptionsOf(all: readonly LoweredIn[], say: Say = sentence): Exception[] {
  const found = all.flatMap(({ client, hooks }) =>
    hooks.flatMap((hook, index) =>
      reasonsOf(hook).map((reason) => ({
        ...reason,
        client: client.name,
        hook: index + 1,
        isExact: hook.grade === 'exact',
      })),
    ),
  );
  const sameInClient = grouped(found, ({ grade, message, client }) =>
    canonical([grade, sameIn(message), client]),
  ).map((some) => ({ ...some[0], hooks: some.map(({ hook }) => hook) }));
  const same = grouped(sameInClient, ({ grade, message, hooks }) =>
    canonical([grade, sameIn(message), hooks]),
  );
  const asked = all.filter(({ hooks }) => hooks.length > 0).length;
  return same
    .map((some): Exception => {
      const [{ grade, hooks, words }] = some;
      const isAll = some.length === asked;
      const message = merged(some.map((one) => one.message));
      const clients = 'client' in message || isAll ? [] : some;
      // The clients' names are in the table.
      const named =
        'client' in message && isAll && some.length > 2
          ? { ...message, client: messages.theseClients }
          : message;
      return {
        grade,
        hooks,
        clients: clients.map(({ client }) => client),
        text: inLine(words(say(named)), 1000),
        isMarked: isLimit(message) && some.some(({ isExact }) => isExact),
      };
    })
    .sort((a, b) => (a.hooks[0] ?? 0) - (b.hooks[0] ?? 0));
}

function reasonsOf(hook: LoweredHook): Reason[] {
  const { grade, when, notes } = hook;
  const ofGrade: Reason = {
    grade,
    message: when,
    words: (why) =>
      grade === 'none'
        ? `${outcomeOf(hook) === 'skipped' ? 'skipped' : 'not shown'}: ${why}`
        : `shown ${why}`,
  };
  return [
    ...(grade === 'exact' || NEEDS_GRANT.includes(when.code) ? [] : [ofGrade]),
    // A note is the same regardless of whether its hook arrives late.
    ...notes.map((message): Reason => {
      const noted = grade === 'none' ? grade : 'exact';
      return { grade: noted, message, words: (note) => note };
    }),
  ];
}

/** Merges the exceptions of the same hooks in the same clients into one paragraph. */
export const joined = (all: readonly Exception[]): Exception[] =>
  grouped(all, ({ hooks, clients, isMarked }) => canonical([hooks, clients, isMarked])).map(
    ([first, ...others]) => ({
      ...first,
      text: others.reduce((text, one) => `${stopped(text)} ${capital(one.text)}`, first.text),
    }),
  );

/** `hook 1 in <client>: ...`. @param hooks The total number of hooks. A single hook is not numbered. */
export function exceptionInWords(
  { hooks, clients, text }: Exception,
  all: number,
  naming: Naming = BY_NUMBER,
): string {
  const which = all > 1 ? naming.words(hooks) : '';
  const who = clients.length > 0 ? `${which && 'in '}${listed(clients)}` : '';
  const head = [which, who].filter(Boolean).join(' ');
  return head === '' ? text : `${head}: ${text}`;
}

export const showExceptions = (
  { columns }: Terminal,
  exceptions: readonly Exception[],
  all: number,
  naming?: Naming,
): string[] =>
  exceptions.map((one) =>
    wrap(exceptionInWords(one, all, naming), columns, '    ', one.isMarked ? `  ${MARK} ` : '  '),
  );
