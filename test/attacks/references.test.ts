/** References in a folder's entry are filled in as the client does it, in time that grows linearly with the text. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { CLIENTS } from '../../src/clients/registry.ts';
import { tries } from '../support/tries.ts';
import { attack } from './attack.ts';

const load = createRequire(join(import.meta.dirname, '../../dist/templates/call.cjs'));
const { variablesFor } = load('./call.cjs');

const given = Object.values(CLIENTS)
  .map(({ givenToServers }) => givenToServers)
  .filter(({ expansion }) => expansion !== undefined);
const environment = { A: 'one', B: 'two' };

attack('references without an end are filled in within bounded time', ({ expect }) => {
  const cost = (text: string) => {
    let least = Number.POSITIVE_INFINITY;
    for (let nth = 0; nth < 3; nth++) {
      const begun = process.cpuUsage();
      for (const one of given) variablesFor(one, environment, '/').expandValue(text);
      const { user, system } = process.cpuUsage(begun);
      least = Math.min(least, user + system);
    }
    return least;
  };
  expect(given.length).toBeGreaterThanOrEqual(3);
  const pieces = ['$' + '{', '$' + '{A', '$' + '{A:-', '$' + '{A:-}', '$A', '$'];
  // A quadratic search takes hundreds of times as long.
  const usual = cost('$A '.repeat(40_000)) + 10_000;
  for (const piece of pieces)
    for (const end of ['', '}'])
      expect([piece, end, cost(piece.repeat(40_000) + end) < 20 * usual]).toEqual([
        piece,
        end,
        true,
      ]);
});

attack('references are filled in just as the client does it', ({ expect }) => {
  const text = fc.string({ unit: fc.constantFrom(...'$${', ...'{}}:--AB\\ '), maxLength: 24 });
  fc.assert(
    fc.property(text, fc.constantFrom(...given), (written, one) => {
      const { pattern = '(?!)', again } = one.expansion ?? {};
      if (again !== undefined) return;
      // As the client's own code does it: with one expression for the whole text.
      const filled = written.replace(new RegExp(pattern, 'g'), (all, ...found) => {
        const groups = found.slice(
          0,
          found.findIndex((group) => typeof group === 'number'),
        );
        const fallback = groups.pop();
        const name = groups.find((group) => group !== undefined);
        return Object.entries(environment).find(([key]) => key === name)?.[1] ?? fallback ?? all;
      });
      expect(variablesFor(one, environment, '/').expandValue(written)).toBe(filled);
    }),
    { numRuns: tries(2000, 100_000) },
  );
});
