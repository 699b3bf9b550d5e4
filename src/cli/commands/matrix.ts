/** `mcp-hooks matrix`: how the real clients behaved in the tests when this version was made. */

import type { Client } from '../../clients/contract.ts';
import { namedClients } from '../../clients/detect.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { MATRIX, type Row, rowsOf } from '../../diagnose/matrix/matrix.ts';
import { type Column, table } from '../../system/table.ts';
import { paint, type Style, type Terminal } from '../../system/terminal.ts';
import { toJson } from '../../system/visible.ts';
import { type Context, type Flags, OK } from './context.ts';

export async function matrix({ terminal }: Context, flags: Flags): Promise<number> {
  const clients = flags.client ? namedClients(flags.client) : CLIENTS;
  if (flags.json) terminal.out(toJson({ clients: clients.map(inJson) }));
  else terminal.out(clients.map((client) => show(terminal, client)).join('\n'));
  return OK;
}

const inJson = (client: Client): object => ({
  id: client.id,
  version: MATRIX.versions[client.id],
  cases: rowsOf(client).map(({ words: _, name, ...cell }) => ({ case: name, ...cell })),
});

const wordOf = ({ holds, grade }: Row): string => grade ?? holds;

const COLUMNS: readonly Column<Row>[] = [
  { head: 'case', cell: ({ words }) => words },
  { head: '', cell: wordOf, style: (row) => STYLES[wordOf(row)] ?? 'dim' },
  { head: 'by', cell: ({ by }) => by ?? '-' },
  { head: 'the model reads it', cell: ({ place, why }) => place ?? why ?? '' },
];

const STYLES: Readonly<Record<string, Style>> = {
  exact: 'green',
  yes: 'green',
  adapted: 'yellow',
  late: 'yellow',
  no: 'red',
};

function show(terminal: Terminal, client: Client): string {
  const name = `${client.name} ${MATRIX.versions[client.id] ?? '(never run)'}`;
  const rows = rowsOf(client);
  const lines = rows.length > 0 ? table(terminal, COLUMNS, rows) : [];
  return `${[paint(terminal, 'bold', name), ...lines].join('\n')}\n`;
}
