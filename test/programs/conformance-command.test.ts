// The conformance suite on the command line, with our engine and with other implementations.

import { describe, expect } from 'vitest';
import { readCases } from '../../src/sdk/engine/conformance.ts';
import { test } from '../support/world.ts';

const CASES = readCases();
const OF_ORDER = CASES.filter(({ topic }) => topic === 'order').length;

/** An implementation that blocks whatever it is given. */
const BLOCKS = `
const { label, manifest, session, event } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
if (label !== 'annal' || !manifest || !Array.isArray(session) || !event.sessionId || !event.cwd) process.exit(1);
console.log('{"action":"block","reason":"Stop. Sooner.","additionalContext":["Before."]}');
`;

const env = { PATH: process.env.PATH };

describe.concurrent('conformance', () => {
  test('of the engine', async ({ world }) => {
    expect(await world.run('conformance --topic order')).toMatchObject({
      code: 0,
      out: `${OF_ORDER} of ${OF_ORDER} cases passed.\n`,
      err: '',
    });
  });

  test('of another implementation, which fails', async ({ world }) => {
    await world.write('mine.cjs', BLOCKS);
    const words = ['conformance', '--topic', 'order', '--', process.execPath, 'mine.cjs'];
    const { code, out } = await world.run(words, { env });
    expect(code).toBe(1);
    expect(out).toMatch(/^topic +case +what is different$/m);
    expect(out).toMatch(/^order +ascending +the action is "block", not "injectContext"; /m);
    expect(out).toMatch(/^order +the first of two blocks counts +the model reads "Before\."$/m);
    expect(out).not.toContain('a block ends the chain');
    expect(out).toMatch(new RegExp(`^1 of ${OF_ORDER} cases passed\\.$`, 'm'));
  });

  test('of one that ends with an error, as JSON', async ({ world }) => {
    const words = ['conformance', '--topic', 'order', '--json', '--', process.execPath, 'none.cjs'];
    const { code, out } = await world.run(words, { env });
    expect(code).toBe(1);
    const { cases, passed, failures } = JSON.parse(out);
    expect([cases, passed, failures.length]).toEqual([OF_ORDER, 0, OF_ORDER]);
    expect(failures[0]).toMatchObject({ topic: 'order', name: 'ascending' });
    expect(failures[0].differences[0]).toMatch(/^it exited with 1: Error: Cannot find module /);
  });

  test('of a case and its twin, counted as one', async ({ world }) => {
    const of = (isTwin: boolean) =>
      CASES.filter((one) => one.topic === 'budget' && one.isTwin === isTwin);
    await world.write('mine.cjs', `console.log('{}')`);
    const words = ['conformance', '--topic', 'budget', '--', process.execPath, 'mine.cjs'];
    const { out } = await world.run([...words.slice(0, 3), '--json', ...words.slice(3)], { env });
    const { cases, passed, failures } = JSON.parse(out);
    expect([cases, passed]).toEqual([of(false).length, 0]);
    const twins = failures.filter(({ twin }: { twin: boolean }) => twin);
    expect(twins).toHaveLength(of(true).length);
    expect(failures).toHaveLength(cases);
    expect((await world.run(words, { env })).out).toMatch(
      /^budget +no warning after it has fired \(twin\) +the action is "passThrough", not /m,
    );
  });

  test('of a missing program, and of an unknown topic', async ({ world }) => {
    expect(await world.run('conformance -- ./nobody')).toMatchObject({
      code: 2,
      out: '',
      err: './nobody could not be started: command not found.\n',
    });
    expect(await world.run('conformance --topic nothing')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^There is no topic nothing; allowed: background, budget, .*\.\n$/,
      ),
    });
  });
});
