// Questions in a terminal that cannot move its cursor: choices have numbers, and the user types a line.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chosen, chosenSome, confirmed } from '../../src/cli/commands/confirm.ts';

/** Answers each question with the next line; after the last one the input ends. */
function answering(...lines: readonly string[]): { text: string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...lines];
  const asked = { text: '' };
  output.on('data', (text) => {
    asked.text += text;
    const line = left.shift();
    if (line === undefined) input.end();
    else input.write(`${line}\n`);
  });
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Object.assign(input, { fd: 0 }) as never);
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(Object.assign(output, { fd: 1 }) as never);
  return asked;
}

beforeEach(() => {
  vi.stubEnv('TERM', 'dumb');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const WHICH = { code: 'declined' };

test('one choice is made by its number, and other input is ignored', async () => {
  answering('', '0', '3', 'b', '2');
  expect(await chosen(WHICH, ['a', 'b'])).toBe(1);
});

test('several choices are made by their numbers; Enter keeps the preselected ones', async () => {
  const choices = ['a', 'b', 'c'].map((name) => ({ name, checked: name !== 'b' }));
  answering('3, 2 9', '');
  expect(await chosenSome('Which?', choices)).toEqual([2, 1]);
  expect(await chosenSome('Which?', choices)).toEqual([0, 2]);
});

test.each([
  ['y', true],
  ['YES', true],
  ['', false],
  ['n', false],
  ['No', false],
])('"%s" answers a question with %s', async (line, answer) => {
  answering(line, 'unasked');
  expect(await confirmed('Well?')).toBe(answer);
});

test.each(['dy', 'q', 'yy', 'nn', 'd', '0'])(
  '"%s" is not an answer, so the question is repeated',
  async (line) => {
    for (const [next, answer] of [
      ['y', true],
      ['n', false],
    ] as const) {
      answering(line, next);
      expect(await confirmed('Well?')).toBe(answer);
    }
  },
);

test('a wrong key is reported, with the valid ones', async () => {
  const plain = answering('dy', 'y');
  await confirmed('Well?');
  expect(plain.text).toBe('Well? (y/N) "dy" is not an answer: type y or n.\nWell? (y/N) ');
  const withDiff = answering('q', 'd', 'y');
  await confirmed('Well?', async () => {});
  const question = 'Well? (y/N, d shows the diff) ';
  expect(withDiff.text).toBe(
    `${question}"q" is not an answer: type y, n or d.\n${question}${question}`,
  );
  const some = answering('y', '2');
  const choices = ['a', 'b'].map((name) => ({ name, checked: false }));
  expect(await chosenSome('Which?', choices)).toEqual([1]);
  expect(some.text).toBe('Which?\n  1. a\n  2. b\n1-2: "y" is not an answer: type 1-2.\n1-2: ');
});

test('d shows more and repeats the question', async () => {
  const more = vi.fn(async () => {});
  answering('dy', 'D', 'diff', 'n');
  expect(await confirmed('Well?', more)).toBe(false);
  expect(more).toHaveBeenCalledTimes(2);
});

test('the end of the input counts as an interruption', async () => {
  answering();
  await expect(confirmed('Well?')).rejects.toMatchObject({ problem: { code: 'interrupted' } });
});
