// What the tests of the real clients have just seen must equal the committed matrix.
// `UPDATE_MATRIX=1 npm run test:delivery` writes it; then `UPDATE_PAGES=1 npx vitest run test/diagnose/matrix.test.ts`. Other
// versions of clients (`npm run test:versions`) must equal it as well.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLIENTS } from '../../../src/clients/registry.ts';
import { measuredIn } from '../../../src/clients/version.ts';
import { CASES, type Cell, MATRIX, type Matrix } from '../../../src/diagnose/matrix/matrix.ts';
import { RESULTS } from './results.ts';

const FILE = fileURLToPath(new URL('../../../src/diagnose/matrix/matrix.json', import.meta.url));

interface Result {
  id: string;
  version: string;
  name: string;
  cell: Cell;
}

const results: Result[] = (existsSync(RESULTS) ? readdirSync(RESULTS) : []).map((name) =>
  JSON.parse(readFileSync(join(RESULTS, name), 'utf8')),
);

/** The results in the order in which they are shown. */
function seen(): Matrix {
  const cellsOf = (name: string) =>
    CLIENTS.flatMap(({ id }): [string, Cell][] => {
      const result = results.find((one) => one.id === id && one.name === name);
      return result ? [[id, result.cell]] : [];
    });
  const version = (id: string) => results.find((one) => one.id === id)?.version ?? 'not run';
  return {
    versions: Object.fromEntries(CLIENTS.filter(measuredIn).map(({ id }) => [id, version(id)])),
    cells: Object.fromEntries(
      Object.keys(CASES).map((name) => [name, Object.fromEntries(cellsOf(name))]),
    ),
  };
}

const isOther = process.env.MCP_HOOKS_CLIENTS !== undefined;

test.skipIf(isOther)('every case was seen in every client', () => {
  const missing = Object.keys(CASES).flatMap((name) =>
    CLIENTS.filter(measuredIn)
      .filter(({ id }) => !results.some((one) => one.id === id && one.name === name))
      .map(({ id }) => `${id}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test.runIf(isOther)('other versions of the clients show the same', () => {
  expect(results.length).toBeGreaterThan(0);
  expect(results.map(({ id, name, cell }) => [id, name, cell])).toEqual(
    results.map(({ id, name }) => [id, name, MATRIX.cells[name]?.[id]]),
  );
});

test.skipIf(isOther)('the committed matrix has what was seen', () => {
  if (process.env.UPDATE_MATRIX) writeFileSync(FILE, inRows(seen()));
  else expect(MATRIX).toEqual(seen());
});

/** A line for each client in each case, and the rest as the formatter prints it. */
function inRows(matrix: Matrix): string {
  const text = JSON.stringify(matrix, null, 2);
  return `${text.replace(/\{\s+("(?:holds|by|place)[^{}]*?)\s+\}/g, (_, cell: string) => `{ ${cell.replace(/\n\s+/g, ' ')} }`)}\n`;
}
