// Output fits the terminal, and no word is broken. Without a terminal, each row of a table is one line.
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { takeInterrupts } from '../../src/system/cleanup.ts';
import { type Column, table } from '../../src/system/table.ts';
import { type Terminal, wrap, wrapQuoted } from '../../src/system/terminal.ts';
import { wide } from '../support/terminal.ts';
import { tries } from '../support/tries.ts';
import { NO_TERMINAL } from '../support/world.ts';

const at = (columns: number): Terminal => ({ ...NO_TERMINAL, tty: true, columns });

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const NAMES = ['name', 'configured in', 'what it says', 'ms', ''];

/** The lines that are too wide, except those of a single word. */
const tooWide = (lines: readonly string[], columns: number): string[] =>
  lines.filter((line) => wide(line) > columns && wordsOf(line).length > 1);

const letters = (min: number, max: number) =>
  fc
    .array(fc.constantFrom(...'abcdeXYZ019/._-é'), { minLength: min, maxLength: max })
    .map((all) => all.join(''));
const word = fc.oneof(
  { weight: 8, arbitrary: letters(1, 12) },
  { weight: 1, arbitrary: letters(20, 150) },
);
const cell = fc.oneof(
  { weight: 3, arbitrary: fc.array(word, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 30 }) },
);
const size = fc.integer({ min: 60, max: 120 });
const rows = fc.integer({ min: 1, max: NAMES.length }).chain((count) =>
  fc.tuple(
    fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    fc.array(
      fc.array(
        cell.map((words) => words.join(' ')),
        { minLength: count, maxLength: count },
      ),
      { minLength: 1, maxLength: 6 },
    ),
  ),
);

const columnsOf = (right: readonly boolean[]): Column<readonly string[]>[] =>
  right.map((isRight, index) => ({
    head: NAMES[index] ?? '',
    cell: (row) => row[index] ?? '',
    right: isRight,
  }));

describe('a table', () => {
  test('fits the terminal with any cells: no word is broken, lost or moved', ({ expect }) => {
    fc.assert(
      fc.property(rows, size, fc.constantFrom('', '  '), ([right, cells], columns, indent) => {
        const drawn = table(at(columns), columnsOf(right), cells, { indent });
        const lines = drawn.flatMap((one) => one.split('\n'));
        expect(tooWide(lines, columns)).toEqual([]);
        expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
        // Without the head. If each cell has its own line, the columns that are not empty are named.
        const hasHead = drawn.length > cells.length;
        const words = drawn.slice(hasHead ? 1 : 0).flatMap(wordsOf);
        const all = cells.flatMap((row) =>
          row.flatMap((text, index) => {
            const name = hasHead || index === 0 || text === '' ? '' : (NAMES[index] ?? '');
            return wordsOf(`${name} ${text}`);
          }),
        );
        expect(words).toEqual(all);
      }),
      { numRuns: tries(300, 20_000) },
    );
  });

  test('has one line for each row if a script reads it', ({ expect }) => {
    fc.assert(
      fc.property(rows, size, ([right, cells], columns) => {
        const drawn = table({ ...NO_TERMINAL, columns }, columnsOf(right), cells);
        expect(drawn).toHaveLength(cells.length + 1);
        expect(drawn.filter((line) => line.includes('\n'))).toEqual([]);
      }),
      { numRuns: tries(50, 2000) },
    );
  });

  const COLUMNS: readonly Column<readonly string[]>[] = [
    { head: 'server', cell: ([name = '']) => name },
    { head: 'ms', cell: ([, ms = '']) => ms, right: true },
    { head: 'reason', cell: ([, , reason = '']) => reason, style: 'red' },
  ];
  const REASON = 'it did not answer within ten seconds and was stopped';
  const drawn = (columns: number, name: string, reason = REASON) =>
    table(at(columns), COLUMNS, [
      [name, '7', reason],
      ['b', '1200', ''],
    ])
      .join('\n')
      .split('\n');

  test('wraps its last column under itself', ({ expect }) => {
    expect(drawn(60, 'notes')).toEqual([
      'server    ms  reason',
      'notes      7  it did not answer within ten seconds and was',
      '              stopped',
      'b       1200',
    ]);
  });

  test('puts the last column below the others if they leave it no room', ({ expect }) => {
    expect(drawn(60, 'a-server-with-a-name-that-is-long')).toEqual([
      'server                               ms',
      'a-server-with-a-name-that-is-long     7',
      '    it did not answer within ten seconds and was stopped',
      'b                                  1200',
    ]);
  });

  test('gives each cell its own line if not even the other columns fit', ({ expect }) => {
    const name = 'a-server '.repeat(8).trim();
    expect(drawn(60, name)).toEqual([
      'a-server a-server a-server a-server a-server a-server',
      '  a-server a-server',
      '  ms      7',
      '  reason  it did not answer within ten seconds and was',
      '          stopped',
      'b',
      '  ms      1200',
    ]);
  });

  test('puts a word that is too long on a line of its own', ({ expect }) => {
    const path = `/srv/${'x'.repeat(60)}/server.mjs`;
    expect(drawn(60, 'notes', `cannot read ${path} there`)).toEqual([
      'server    ms  reason',
      'notes      7  cannot read',
      `  ${path}`,
      '              there',
      'b       1200',
    ]);
    expect(drawn(60, 'notes', path).slice(1, 3)).toEqual(['notes      7', `  ${path}`]);
  });
});

describe('a text', () => {
  test('fits the terminal, and is complete', ({ expect }) => {
    fc.assert(
      fc.property(fc.array(word), size, fc.constantFrom('', '      '), (words, columns, indent) => {
        const lines = wrap(words.join(' '), columns, indent, `${indent}note: `).split('\n');
        expect(tooWide(lines, columns)).toEqual([]);
        expect(lines.flatMap(wordsOf)).toEqual(['note:', ...words]);
      }),
      { numRuns: tries(200, 10_000) },
    );
  });

  test('keeps our name and the command after it on one line', ({ expect }) => {
    const text = 'What was written before stays, and mcp-hooks list shows where it is now.';
    for (let columns = 24; columns < text.length; columns += 1)
      expect(wrap(text, columns, '')).toContain('mcp-hooks list');
  });

  test('is cut if it has no spaces, or spaces of another kind', ({ expect }) => {
    for (const text of ['字'.repeat(100), 'one\u00A0'.repeat(40)]) {
      const lines = wrap(text, 60, '  ').split('\n');
      expect(lines.filter((line) => wide(line) > 60 || !line.startsWith('  '))).toEqual([]);
      expect(lines.map((line) => line.slice(2)).join('')).toBe(text);
    }
  });

  test('that is quoted is never wider, and each line has its mark', ({ expect }) => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), size, (words, columns) => {
        const lines = wrapQuoted(words.join(' '), columns, '    | ').split('\n');
        expect(lines.filter((line) => wide(line) > columns || !line.startsWith('    | '))).toEqual(
          [],
        );
        const said = lines.map((line) => line.slice(6)).join('');
        expect(said.replaceAll(' ', '')).toBe(words.join(''));
      }),
      { numRuns: tries(100, 5000) },
    );
  });
});

test('ctrl-C goes to the new listener, and afterwards to the earlier ones again', ({ expect }) => {
  const [own, taking] = [() => {}, () => {}];
  process.on('SIGINT', own);
  const before = process.listeners('SIGINT');
  const giveBack = takeInterrupts(taking);
  expect(process.listeners('SIGINT')).toEqual([taking]);
  giveBack();
  expect(process.listeners('SIGINT')).toEqual(before);
  process.off('SIGINT', own);
});
