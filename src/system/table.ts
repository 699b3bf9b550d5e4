/** Tables that fit the terminal, or have one line per row if a script reads them. */

import { columnsOf, paint, type Style, type Terminal, wrapped } from './terminal.ts';

export interface Column<Row> {
  readonly head: string;
  /** One line, with hidden characters made visible. */
  readonly cell: (row: Row) => string;
  /** Aligned to the right, unless it is the last. */
  readonly right?: boolean;
  readonly style?: Style | ((row: Row) => Style | undefined);
  /** Columns with this are left out if a row does not fit on one line, the highest number first. */
  readonly spare?: number;
}

interface Around<Row> {
  /** Text before each line. */
  readonly indent?: string;
  /** The text below a row. */
  readonly below?: (row: Row) => string | undefined;
  /** Never wraps any cell but the last, even if a terminal is too narrow. For commands, which are copied. */
  readonly isUnbroken?: boolean;
}

/**
 * The rows of a table, starting with its head; nothing is truncated. In a terminal, the last column is wrapped under itself, or
 * placed below the other columns if they leave no room for it. If even the others do not fit, each cell has its own line.
 */
export function table<Row>(
  terminal: Terminal,
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { indent = '', below = () => undefined, isUnbroken = false }: Around<Row> = {},
): string[] {
  const columns = fitting(terminal, all, rows, indent);
  const heads = columns.map(({ head }) => head);
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const { draw, hasHead } = layout(terminal, columns, [heads, ...cells], indent, isUnbroken);
  const painting =
    (styleOf: (column: Column<Row>) => Style | undefined) =>
    (text: string, at: number): string => {
      const column = columns[at];
      const style = column && styleOf(column);
      return style && text !== '' ? paint(terminal, style, text) : text;
    };
  const drawn = rows.flatMap((row, at) => {
    const paints = painting(({ style }) => (typeof style === 'function' ? style(row) : style));
    return [draw(cells[at] ?? [], paints), below(row) ?? []].flat();
  });
  return hasHead
    ? [
        draw(
          heads,
          painting(() => 'dim'),
        ),
        ...drawn,
      ]
    : drawn;
}

/** The columns that fit, without the spare ones. All columns if leaving some out does not help. */
function fitting<Row>(
  terminal: Terminal,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  indent: string,
): readonly Column<Row>[] {
  const spare = columns
    .filter((column) => column.spare !== undefined)
    .sort((a, b) => (b.spare ?? 0) - (a.spare ?? 0));
  const ways = [[], ...spare.map((_, at) => spare.slice(0, at + 1))].map((without) =>
    columns.filter((column) => !without.includes(column)),
  );
  const isBeside = (some: readonly Column<Row>[]) => {
    const cells = [undefined, ...rows].map((row) =>
      some.map(({ head, cell }) => (row === undefined ? head : cell(row))),
    );
    return layout(terminal, some, cells, indent).isBeside;
  };
  return spare.length === 0 ? columns : (ways.find(isBeside) ?? columns);
}

/** With less room than this, the last cell is not wrapped. */
const ROOM = 24;

type Paints = (text: string, column: number) => string;
type Cells = readonly string[];

interface Layout {
  readonly draw: (cells: Cells, paints: Paints) => string;
  readonly hasHead: boolean;
  /** Whether the last cell is next to the others. */
  readonly isBeside: boolean;
}

/** A layout in which all rows fit. */
function layout(
  terminal: Terminal,
  columns: readonly Pick<Column<never>, 'head' | 'right'>[],
  all: readonly Cells[],
  indent: string,
  isUnbroken = false,
): Layout {
  const available = terminal.tty ? terminal.columns : Number.POSITIVE_INFINITY;
  const last = columns.length - 1;
  const widthOf = (at: number, measure: (text: string) => number) =>
    all.reduce((most, cells) => Math.max(most, measure(cells[at] ?? '')), 0);
  const widths = columns.map((_, at) => widthOf(at, ({ length }) => length));
  const folded = (text: string, under: string, first: string, style: (text: string) => string) =>
    wrapped(text, available, { indent: under, first, cuts: false })
      .map(([before, line]) => (before + style(line)).trimEnd())
      .join('\n');

  /** All cells but the last. */
  const leading = (cells: Cells, paints: Paints) =>
    columns.slice(0, last).map(({ right }, at) => {
      const text = cells[at] ?? '';
      const space = ' '.repeat((widths[at] ?? 0) - text.length);
      return right ? space + paints(text, at) : paints(text, at) + space;
    });
  const plain = (text: string) => text;
  const taken = all.reduce(
    (most, cells) => Math.max(most, columnsOf(indent + leading(cells, plain).join('  '))),
    0,
  );
  const gap = last === 0 ? '' : '  ';
  if (available - taken - gap.length >= Math.min(ROOM, widthOf(last, columnsOf))) {
    const under = ' '.repeat(indent.length + leading([], plain).join('  ').length + gap.length);
    return {
      hasHead: true,
      isBeside: true,
      draw: (cells, paints) => {
        const first = indent + leading(cells, paints).join('  ') + gap;
        return folded(cells[last] ?? '', under, first, (text) => paints(text, last));
      },
    };
  }
  if (taken <= available || isUnbroken)
    return {
      hasHead: true,
      isBeside: false,
      // Text below the others needs no heading.
      draw: (cells, paints) => {
        const line = (indent + leading(cells, paints).join('  ')).trimEnd();
        const text = cells[last] ?? '';
        if (text === '' || cells === all[0]) return line;
        const under = `${indent}    `;
        return `${line}\n${folded(text, under, under, (one) => paints(one, last))}`;
      },
    };

  const names = columns.slice(1).map(({ head }) => head);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return {
    hasHead: false,
    isBeside: false,
    draw: ([title = '', ...others], paints) =>
      [
        folded(title, `${indent}  `, indent, (text) => paints(text, 0)),
        ...others.flatMap((text, at) => {
          if (text === '') return [];
          const first = `${indent}  ${(names[at] ?? '').padEnd(width)}`;
          return folded(text, ' '.repeat(first.length), first, (one) => paints(one, at + 1));
        }),
      ].join('\n'),
  };
}
