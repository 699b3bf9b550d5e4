/**
 * `mcp-hooks matrix`: how the real clients behaved in the tests when this version was made, and what else their contracts say.
 */

import type { Client } from '../../clients/contract.ts';
import { namedClients } from '../../clients/detect.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { ALL_EVENTS } from '../../declaration/declaration.ts';
import {
  MATRIX,
  type MatrixRow,
  matrixRows,
  type PromisedRow,
  promisedRows,
} from '../../diagnose/matrix/matrix.ts';
import { messages } from '../../present/messages/output.ts';
import { wrapTold } from '../../present/render/lines.ts';
import { canonical } from '../../system/fingerprint.ts';
import { type Column, table } from '../../system/table.ts';
import { paint, type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, type Context, clientOption, FIRST_ID, type Flags, OK } from './command.ts';

export const matrix: Command = {
  name: 'matrix',
  group: 'Debug',
  summary: 'show what each client delivers, as the tests saw it',
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
  cases: [...matrixRows(client), ...promisedRows(client)].map(
    ({ words: _, name, ...cell }: Row) => ({ case: name, ...cell }),
  ),
});

type Row = MatrixRow | PromisedRow;

const wordOf = ({ holds, grade }: Row): string => grade ?? holds;

const MATRIX_COLUMNS: readonly Column<MatrixRow>[] = [
  { head: 'case', cell: ({ words }) => words },
  { head: '', cell: wordOf, style: (row) => STYLES[wordOf(row)] ?? 'dim' },
  { head: 'by', cell: ({ by }) => by ?? '-' },
  { head: 'the model reads it', cell: ({ place, why }) => place ?? why ?? '' },
];

/** A case, and what each client does in it. */
interface Compared {
  readonly words: string;
  readonly cells: readonly string[];
  /** Statements about a client; a case without one is an event or a decision. */
  readonly isStatement: boolean;
}

/** A client's short name on two lines and its version, above what it does. */
const headOf = ({ id, shortName }: Client): string[] => {
  const [first = '', ...rest] = shortName.split(' ');
  return [first, rest.join(' '), MATRIX.versions[id] ?? 'never run'];
};

/** The cases as rows, the clients as columns. If they do not fit, a column is a number, and a cell is a letter. */
function sideBySide(terminal: Terminal, clients: readonly Client[]): string {
  const seen = withoutTools(compared(clients, matrixRows), ({ cells }) => cells);
  const isAlike = ({ isStatement, cells }: Compared) =>
    isStatement && cells.every((cell) => ['exact', 'yes'].includes(cell));
  const [alike, apart] = [seen.filter(isAlike), seen.filter((one) => !isAlike(one))];
  const promised = compared(clients, promisedRows);
  const all = [...apart, ...promised];
  const beside = 2 + Math.max(...all.map(({ words }) => words.length));
  const heads = clients.map(headOf);
  const widths = heads.map((head, at) =>
    Math.max(...[...head, ...all.map(({ cells }) => cells[at] ?? '')].map(({ length }) => length)),
  );
  const width = widths.reduce((sum, one) => sum + one + 2, beside - 2);
  const isShort = width > terminal.columns;
  const shown = (cell: string) => (isShort ? letterOf(cell) : cell);
  const line = (words: string, cells: readonly string[], style: (cell: string) => Style) =>
    `${words.padEnd(beside)}${cells
      .map((cell, at) =>
        paint(terminal, style(cell), shown(cell).padEnd(isShort ? 2 : (widths[at] ?? 0))),
      )
      .join(isShort ? ' ' : '  ')}`.trimEnd();
  const row = ({ words, cells }: Compared) => line(words, cells, (cell) => STYLES[cell] ?? 'dim');
  const head = isShort
    ? [
        ...clients.map(
          ({ id, name }, at) =>
            `${numberOf(at).padStart(2)}  ${name} ${MATRIX.versions[id] ?? '(never run)'}`,
        ),
        line(
          '',
          clients.map((_, at) => numberOf(at)),
          () => 'bold',
        ),
      ]
    : [0, 1, 2].map((nth) =>
        line(
          '',
          heads.map((words) => words[nth] ?? ''),
          () => (nth === 2 ? 'dim' : 'bold'),
        ),
      );
  const texts = [
    `${messages.inAllClients} ${alike.map(({ words }) => words).join('; ')}.`,
    messages.ofOneClient(`mcp-hooks matrix --client ${clients[0]?.id ?? FIRST_ID}`),
    ...(isShort ? [messages.letters] : []),
  ];
  return `${[
    ...head,
    ...apart.map(row),
    paint(terminal, 'dim', wrap(messages.promised, terminal.columns, '  ', '')),
    ...promised.map(row),
    '',
    ...texts.map((text) => wrap(text, terminal.columns, '  ', '')),
  ].join('\n')}\n`;
}

/** What is abbreviated if many clients are beside each other. */
const LETTERS: Readonly<Record<string, string>> = {
  exact: 'e',
  adapted: 'a',
  late: 'l',
  none: '0',
  yes: 'y',
  no: '0',
};
const letterOf = (cell: string): string => LETTERS[cell] ?? cell;

const numberOf = (at: number): string => String(at + 1);

/** @param rowsOf The cases of one client; one that is missing was not seen. */
function compared(
  clients: readonly Client[],
  rowsOf: (client: Client) => readonly Row[],
): Compared[] {
  const all = clients.map(rowsOf);
  const [first = []] = [...all].sort((a, b) => b.length - a.length);
  return first.map(({ name, words }) => ({
    words,
    isStatement: !ALL_EVENTS.some((event) => words.startsWith(event)),
    cells: all.map((rows) => {
      const row = rows.find((one) => one.name === name);
      return row === undefined ? '-' : cellOf(row);
    }),
  }));
}

/** Of a decision, on how many events a hook may make it. */
function cellOf(row: Row): string {
  const events = 'events' in row && row.events ? Object.keys(row.events).length : undefined;
  if (events !== undefined) return events === 0 ? 'no' : String(events);
  return row.holds === 'not scriptable' ? '-' : wordOf(row);
}

/** The texts and the tools of an event are one row where they are delivered alike. @param seen What a row shows. */
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

/** Of a decision, the events for each grade. */
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
  no: 'red',
};

function showClient(terminal: Terminal, client: Client): string {
  const name = `${client.name} ${MATRIX.versions[client.id] ?? '(never run)'}`;
  const rows = withoutTools(matrixRows(client), ({ name: _, words: __, ...cell }) => [cell]);
  const lines = rows.length > 0 ? table(terminal, MATRIX_COLUMNS, rows) : [];
  const promised = promisedRows(client).map((row) =>
    wrapTold(promiseIn(row), terminal.columns, '    ', '  '),
  );
  const head = paint(terminal, 'dim', messages.promised);
  return `${[paint(terminal, 'bold', name), ...lines, head, ...promised].join('\n')}\n`;
}
