/** `mcp-hooks matrix`: how the real clients behaved in the tests of this release, and what else their contracts state. */

import type { Client } from '../../clients/contract.ts';
import { namedClients } from '../../clients/detect.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { isRun } from '../../clients/version.ts';
import { ALL_EVENTS } from '../../declaration/declaration.ts';
import {
  documentedRows,
  MATRIX,
  type MatrixRow,
  matrixRows,
  type PromisedRow,
  promisedRows,
} from '../../diagnose/matrix/matrix.ts';
import { messages } from '../../present/messages/output.ts';
import { wrapMessage } from '../../present/render/lines.ts';
import { canonical } from '../../system/fingerprint.ts';
import { type Column, table } from '../../system/table.ts';
import { paint, type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, type Context, clientOption, FIRST_ID, type Flags, OK } from './command.ts';

export const matrix: Command = {
  name: 'matrix',
  group: 'Debug',
  summary: 'show what hooks can do in each client, as tested',
  options: [clientOption()],
  about:
    'Texts and tools arrive exact (as declared), adapted (the same effect by other means), late (the client offers no earlier moment) or not at all. With one client, it also shows by which of its events, and where the model reads the text.',
  examples: ['matrix', `matrix --client ${FIRST_ID}`],
  run,
};

async function run({ terminal }: Context, flags: Flags): Promise<number> {
  const clients = flags.client ? namedClients(flags.client) : CLIENTS;
  if (flags.json) terminal.out(toJson({ clients: clients.map(inJson) }));
  else {
    const [only, ...others] = clients;
    const isOne = only && others.length === 0;
    terminal.out(isOne ? showClient(terminal, only) : sideBySide(terminal, clients));
  }
  return OK;
}

const inJson = (client: Client): object => ({
  id: client.id,
  version: MATRIX.versions[client.id],
  ...('documented' in client.evidence && client.evidence),
  cases: [...rowsOf(client), ...promisedRows(client)].map(({ words: _, name, ...cell }: Row) => ({
    case: name,
    ...cell,
  })),
});

type Row = MatrixRow | PromisedRow;

/** The observed behaviour of a client or, for a client that was not run, the documented one. */
const rowsOf = (client: Client): readonly Row[] =>
  isRun(client) ? matrixRows(client) : documentedRows(client);

/** A capability that a client lacks has the same word everywhere. */
const wordOf = ({ holds, grade }: Row): string => grade ?? (holds === 'no' ? 'none' : holds);

const MATRIX_COLUMNS: readonly Column<Row>[] = [
  { head: 'case', cell: ({ words }) => words },
  { head: '', cell: wordOf, style: (row) => STYLES[wordOf(row)] ?? 'dim' },
  { head: 'by', cell: ({ by }) => by ?? '-' },
  { head: 'the model reads it', cell: ({ place, why }) => place ?? why ?? '' },
];

/** A case, and the behaviour of each client in it. */
interface Compared {
  readonly words: string;
  readonly cells: readonly string[];
  /** Statements about a client; a case without one is an event or a decision. */
  readonly isStatement: boolean;
}

/** The cases as rows, the clients as columns. */
function sideBySide(terminal: Terminal, clients: readonly Client[]): string {
  const seen = withoutTools(compared(clients, rowsOf), ({ cells }) => cells);
  const wasRun = clients.map(isRun);
  const isAlike = ({ isStatement, cells }: Compared) =>
    isStatement && cells.every((cell, at) => !wasRun[at] || ['exact', 'yes'].includes(cell));
  const [alike, apart] = [seen.filter(isAlike), seen.filter((one) => !isAlike(one))];
  const promised = compared(clients, promisedRows);
  const rows = [...apart, ...promised];
  const beside = 2 + Math.max(...rows.map(({ words }) => words.length));
  const wide = inWords(clients, rows);
  const width = wide.widths.reduce((sum, one) => sum + one, beside);
  const { above, head, widths, cellOf, notes } =
    width <= terminal.columns ? wide : inLetters(clients, rows, terminal);
  const line = (words: string, cells: readonly string[], style: (cell: string) => Style) =>
    `${words.padEnd(beside)}${cells
      .map((cell, at) => paint(terminal, style(cell), cellOf(cell).padEnd(widths[at] ?? 0)))
      .join('')}`.trimEnd();
  const row = ({ words, cells }: Compared) =>
    line(words, cells, (cell) => STYLES[cell.replace(DOCUMENTED, '')] ?? 'dim');
  const isAllRun = !wasRun.includes(false);
  const texts = [
    `${isAllRun ? messages.inAllClients : messages.inAllThatWereRun} ${alike.map(({ words }) => words).join('; ')}.`,
    messages.ofOneClient(`mcp-hooks matrix --client ${clients[0]?.id ?? FIRST_ID}`),
    ...notes,
  ];
  return `${[
    ...above,
    ...head.map((words, nth) => line('', words, () => (nth === 2 ? 'dim' : 'bold'))),
    ...apart.map(row),
    paint(terminal, 'dim', wrap(messages.promised, terminal.columns, '  ', '')),
    ...promised.map(row),
    ...texts.map((text) => wrap(text, terminal.columns, '  ', '')),
  ].join('\n')}\n`;
}

/** The layout of the columns. */
interface Columns {
  /** Lines above the table. */
  readonly above: readonly string[];
  /** The lines of the head, with a word for each client. */
  readonly head: readonly (readonly string[])[];
  readonly widths: readonly number[];
  readonly cellOf: (cell: string) => string;
  readonly notes: readonly string[];
}

/** Each client's short name on two lines, and its version. */
function inWords(clients: readonly Client[], rows: readonly Compared[]): Columns {
  const heads = clients.map(({ id, shortName }) => {
    const [first = '', ...rest] = shortName.split(' ');
    return [first, rest.join(' '), MATRIX.versions[id] ?? 'not run'];
  });
  const widths = heads.map((head, at) => {
    const cells = [...head, ...rows.map(({ cells }) => cells[at] ?? '')];
    const isLast = at === heads.length - 1;
    return Math.max(...cells.map(({ length }) => length)) + (isLast ? 0 : 2);
  });
  const head = [0, 1, 2].map((nth) => heads.map((words) => words[nth] ?? ''));
  const notes = clients.every(isRun) ? [] : [messages.onlyDocumented];
  return { above: [], head, widths, cellOf: (cell) => cell, notes };
}

/** For many clients: a number for each client, and a letter for each grade. */
function inLetters(
  clients: readonly Client[],
  rows: readonly Compared[],
  { columns }: Terminal,
): Columns {
  const names = clients.map(
    ({ id, name }, at) =>
      `${numberOf(at).padStart(2)}  ${name} ${MATRIX.versions[id] ?? '(not run)'}`,
  );
  return {
    above: inPairs(names, columns),
    head: [clients.map((_, at) => numberOf(at))],
    widths: clients.map((client, at) => Math.max(numberOf(at).length, isRun(client) ? 1 : 2) + 1),
    cellOf: (cell) => cell.replace(/^\w+/, (word) => LETTERS[word] ?? word),
    notes: [messages.letters(keyOf(rows))],
  };
}

/** The meaning of the letters and marks in the table. */
function keyOf(rows: readonly Compared[]): string[] {
  const cells = rows.flatMap((row) => row.cells);
  const words = Object.entries(LETTERS).flatMap(([word, letter]) =>
    cells.some((cell) => cell.replace(DOCUMENTED, '') === word) ? `${letter} ${word}` : [],
  );
  const marks = { '-': 'not seen', [DOCUMENTED]: 'as documented' };
  return [
    ...words,
    ...Object.entries(marks).flatMap(([mark, meaning]) =>
      cells.some((cell) => cell.endsWith(mark)) ? `${mark} ${meaning}` : [],
    ),
  ];
}

/** Puts two words on each line, the second half next to the first, if they fit. */
function inPairs(words: readonly string[], columns: number): readonly string[] {
  const half = Math.ceil(words.length / 2);
  const [left, right] = [words.slice(0, half), words.slice(half)];
  const [beside, rest] = [left, right].map((some) => Math.max(...some.map((one) => one.length)));
  if (beside === undefined || rest === undefined || beside + 3 + rest > columns) return words;
  return left.map((one, at) => `${one.padEnd(beside + 3)}${right[at] ?? ''}`.trimEnd());
}

/** Marks behaviour that is documented but was not observed. */
const DOCUMENTED = '*';

const LETTERS: Readonly<Record<string, string>> = {
  exact: 'e',
  adapted: 'a',
  late: 'l',
  none: 'n',
  yes: 'y',
};

const numberOf = (at: number): string => String(at + 1);

/** @param rowsOf The cases of one client. A missing case was not observed. */
function compared(
  clients: readonly Client[],
  rowsOf: (client: Client) => readonly Row[],
): Compared[] {
  const all = clients.map(rowsOf);
  const [first = []] = [...all].sort((a, b) => b.length - a.length);
  return first.map(({ name, words }) => ({
    words,
    isStatement: !ALL_EVENTS.some((event) => words.startsWith(event)),
    cells: all.map((rows, at) => {
      const row = rows.find((one) => one.name === name);
      const client = clients[at];
      const mark = client && isRun(client) ? '' : DOCUMENTED;
      return row === undefined ? '-' : `${cellOf(row)}${mark}`;
    }),
  }));
}

/** For a decision, the number of events on which a hook may make it. */
function cellOf(row: Row): string {
  const events = 'events' in row && row.events ? Object.keys(row.events).length : undefined;
  if (events !== undefined) return String(events);
  return row.holds === 'not scriptable' ? '-' : wordOf(row);
}

/** Merges the texts and the tools of an event into one row if they are delivered alike. @param seen What a row shows. */
function withoutTools<One extends { readonly words: string }>(
  rows: readonly One[],
  seen: (row: One) => readonly unknown[],
): One[] {
  return rows.flatMap((row, at): One[] => {
    const [event = '', kind] = row.words.split(', ');
    const isLike = (other: One | undefined, what: string) =>
      other?.words === `${event}, ${what}` && canonical(seen(other)) === canonical(seen(row));
    if (kind === 'tool' && isLike(rows[at - 1], 'text')) return [];
    return [kind === 'text' && isLike(rows[at + 1], 'tool') ? { ...row, words: event } : row];
  });
}

/** For a decision, the events for each grade. */
function promiseIn(row: PromisedRow): string {
  const { words, place, why, events } = row;
  if (!events) return [`${words}: ${wordOf(row)}`, place ?? why].filter(Boolean).join(', ');
  const all = Object.entries(events);
  const of = (grade: string) => all.filter((one) => one[1] === grade).map(([event]) => event);
  const graded = [...new Set(Object.values(events))].map(
    (one) => `${one} on ${of(one).join(', ')}`,
  );
  return `${words}: ${graded.join('; ') || 'none'}`;
}

const STYLES: Readonly<Record<string, Style>> = {
  exact: 'green',
  yes: 'green',
  adapted: 'yellow',
  late: 'yellow',
  none: 'red',
  0: 'red',
};

function showClient(terminal: Terminal, client: Client): string {
  const name = `${client.name} ${MATRIX.versions[client.id] ?? '(not run)'}`;
  const rows = withoutTools(rowsOf(client), ({ name: _, words: __, ...cell }) => [cell]);
  const lines = rows.length > 0 ? table(terminal, MATRIX_COLUMNS, rows) : [];
  const promised = promisedRows(client).map((row) =>
    wrapMessage(promiseIn(row), terminal.columns, '    ', '  '),
  );
  const head = paint(terminal, 'dim', messages.promisedHere);
  const { evidence } = client;
  const page =
    'documented' in evidence
      ? [wrap(messages.asDocumented(evidence.documented), terminal.columns, '  ', '')]
      : [];
  return `${[paint(terminal, 'bold', name), ...page, ...lines, head, ...promised].join('\n')}\n`;
}
