/**
 * `mcp-hooks matrix`: how the real clients behaved in the tests when this version was made, and what else their contracts say.
 */

import type { Client } from '../../clients/contract.ts';
import { namedClients } from '../../clients/detect.ts';
import { CLIENTS } from '../../clients/registry.ts';
import {
  MATRIX,
  type MatrixRow,
  matrixRows,
  type PromisedRow,
  promisedRows,
} from '../../diagnose/matrix/matrix.ts';
import { messages } from '../../present/messages/output.ts';
import { wrapTold } from '../../present/render/lines.ts';
import { type Column, table } from '../../system/table.ts';
import { paint, type Style, type Terminal } from '../../system/terminal.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, type Context, clientOption, FIRST_ID, type Flags, OK } from './command.ts';

export const matrix: Command = {
  name: 'matrix',
  group: 'Check:',
  summary: 'show what each client delivers, as the tests saw it',
  options: [clientOption()],
  examples: ['matrix', `matrix --client ${FIRST_ID}`],
  run,
};

async function run({ terminal }: Context, flags: Flags): Promise<number> {
  const clients = flags.client ? namedClients(flags.client) : CLIENTS;
  if (flags.json) terminal.out(toJson({ clients: clients.map(inJson) }));
  else terminal.out(clients.map((client) => showClient(terminal, client)).join('\n'));
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

/** The texts and the tools of an event are one row where they are delivered alike. */
function shortly(rows: readonly MatrixRow[]): MatrixRow[] {
  const cellOf = ({ holds, by, grade, place, why }: MatrixRow) =>
    JSON.stringify([holds, by, grade, place, why]);
  const short: MatrixRow[] = [];
  for (const row of rows) {
    const [event, kind] = row.name.split(', ');
    const text = short.at(-1);
    const isAlike = text?.name === `${event}, text` && cellOf(text) === cellOf(row);
    if (kind === 'tool' && isAlike) short.splice(-1, 1, { ...text, words: `${event}` });
    else short.push(row);
  }
  return short;
}

const STYLES: Readonly<Record<string, Style>> = {
  exact: 'green',
  yes: 'green',
  adapted: 'yellow',
  late: 'yellow',
  no: 'red',
};

function showClient(terminal: Terminal, client: Client): string {
  const name = `${client.name} ${MATRIX.versions[client.id] ?? '(never run)'}`;
  const rows = shortly(matrixRows(client));
  const lines = rows.length > 0 ? table(terminal, MATRIX_COLUMNS, rows) : [];
  const promised = promisedRows(client).map((row) =>
    wrapTold(promiseIn(row), terminal.columns, '    ', '  '),
  );
  const head = paint(terminal, 'dim', messages.promised);
  return `${[paint(terminal, 'bold', name), ...lines, head, ...promised].join('\n')}\n`;
}
