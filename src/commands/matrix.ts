/** `mcp-hooks matrix`: what the tests have seen the real clients do, as it was when this version was made. */

import type { Client } from '../clients/client.ts';
import { CLIENTS } from '../clients/index.ts';
import { namedClients } from '../detect.ts';
import { MATRIX, type Row, rowsOf } from '../matrix/matrix.ts';
import { type Column, paint, type Style, type Terminal, table } from '../terminal.ts';
import { toJson } from '../visible.ts';
import { type Context, type Flags, OK } from './context.ts';

export async function matrix(
  { terminal }: Context,
  flags: Pick<Flags, 'client' | 'json'>,
): Promise<number> {
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

const COLUMNS: readonly Column<Row>[] = [
  { head: 'case', cell: ({ words }) => words },
  { head: '', cell: ({ holds, grade }) => grade ?? holds },
  { head: 'by', cell: ({ by }) => by ?? '-' },
  { head: 'the model reads it', cell: ({ place, why }) => place ?? why ?? '' },
];

/** By the first word that says how good it is. */
const STYLES: Readonly<Record<string, Style>> = {
  exact: 'green',
  yes: 'green',
  adapted: 'yellow',
  late: 'yellow',
  no: 'red',
  'not scriptable': 'dim',
};

function show(terminal: Terminal, client: Client): string {
  const rows = rowsOf(client);
  const [head = '', ...lines] = table({ ...terminal, colour: false }, COLUMNS, rows);
  const painted = lines.map((line, at) => {
    const { words = '', grade, holds = '' } = rows[at] ?? {};
    const word = grade ?? holds;
    const rest = line.slice(words.length);
    return words + rest.replace(word, paint(terminal, STYLES[word] ?? 'dim', word));
  });
  const name = `${client.name} ${MATRIX.versions[client.id] ?? ''}`;
  return `${[paint(terminal, 'bold', name), paint(terminal, 'dim', head), ...painted].join('\n')}\n`;
}
