/** The delivery matrix: as a table to read, and as a picture to look at. */
import { CLIENTS } from '../../src/clients/registry.ts';
import { CASES, MATRIX, type MatrixRow, matrixRows } from '../../src/diagnose/matrix/matrix.ts';

const columns = CLIENTS.filter(({ id }) => MATRIX.versions[id]).map((client) => ({
  name: client.name,
  version: MATRIX.versions[client.id] ?? '',
  cells: new Map(matrixRows(client).map(({ name, ...cell }) => [name as string, cell])),
}));
const cases = Object.entries(CASES).map(([name, words]) => ({
  words,
  cells: columns.map(({ cells }) => cells.get(name)),
}));

/** Next to a long word there is no room. */
const beside = ({ holds, place, why }: Omit<MatrixRow, 'name'>): string[] =>
  [place ?? why ?? ''].filter((words) => words !== '' && holds !== 'not scriptable');

const word = ({ grade, holds }: Omit<MatrixRow, 'name'>): string =>
  grade ?? (holds === 'no' ? 'none' : holds);

export function markdown(): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  const text = (cell: Omit<MatrixRow, 'name'> | undefined) => {
    if (!cell) return '';
    const { by, place, why } = cell;
    const tail = place ?? why;
    return `${by ? `${by}: ` : ''}**${word(cell)}**${tail ? `, ${tail}` : ''}`;
  };
  const head = line(['', ...columns.map(({ name, version }) => `${name} ${version}`)]);
  const rows = cases.map(({ words, cells }) => line([words, ...cells.map(text)]));
  return `${head}|---|${'---|'.repeat(columns.length)}\n${rows.join('')}`;
}

/** The marks in the picture: a shape and a word, so that colour is not needed. */
const MARKS: Readonly<Record<string, { shape: string; style: string }>> = {
  exact: { shape: '●', style: 'good' },
  yes: { shape: '●', style: 'good' },
  adapted: { shape: '◐', style: 'fair' },
  late: { shape: '◐', style: 'fair' },
  none: { shape: '✕', style: 'bad' },
  'not scriptable': { shape: '–', style: 'none' },
};

const [LEFT, WIDTH, TOP, HEIGHT] = [16, 250, 62, 24];
const FIRST = 250;

export function svg(): string {
  const width = FIRST + columns.length * WIDTH + 10;
  const height = TOP + cases.length * HEIGHT + 44;
  const x = (column: number) => FIRST + column * WIDTH;
  const y = (row: number) => TOP + row * HEIGHT;
  const at = (left: number, top: number, style: string, words: string) =>
    `<text x="${left}" y="${top}" class="${style}">${escaped(words)}</text>`;
  const heads = columns.flatMap(({ name, version }, column) => [
    at(x(column), 28, 'head', name),
    at(x(column), 44, 'small', version),
  ]);
  const rows = cases.flatMap(({ words, cells }, row) => [
    ...(row % 2 === 0
      ? [`<rect x="8" y="${y(row)}" width="${width - 16}" height="${HEIGHT}" class="band"/>`]
      : []),
    at(LEFT, y(row) + 16, 'case', words),
    ...cells.flatMap((cell, column) => {
      if (!cell) return [];
      const { shape = '', style = 'none' } = MARKS[word(cell)] ?? {};
      return [
        at(x(column), y(row) + 16, style, `${shape} ${word(cell)}`),
        ...beside(cell).map((words) => at(x(column) + 84, y(row) + 16, 'small', words)),
      ];
    }),
  ]);
  const legend =
    '● as declared   ◐ later, or by other means   ✕ none   – cannot be tried by a script';
  const described = cases.map(
    ({ words, cells }) =>
      `${words}: ${cells.map((cell, column) => `${columns[column]?.name} ${cell ? [word(cell), cell.place ?? cell.why].filter(Boolean).join(', ') : 'unknown'}`).join('; ')}.`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">What each client shows its model, and when</title>
<desc id="desc">${escaped(described.join(' '))}</desc>
<style>
text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
.head { font-weight: 600; font-size: 15px; }
.small { font-size: 11px; fill: #59636e; }
.good { fill: #1a7f37; }
.fair { fill: #9a6700; }
.bad { fill: #cf222e; }
.none { fill: #59636e; }
.card { fill: #ffffff; stroke: #d1d9e0; }
.band { fill: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small, .none { fill: #9198a1; }
  .good { fill: #3fb950; }
  .fair { fill: #d29922; }
  .bad { fill: #f85149; }
  .card { fill: #0d1117; stroke: #3d444d; }
  .band { fill: #151b23; }
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" class="card"/>
${[...heads, ...rows, at(LEFT, height - 18, 'small', legend)].join('\n')}
</svg>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
