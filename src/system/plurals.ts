/** Numbers as people say them, and as timers take them. */

export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `a, b and c`. */
export const listed = (words: readonly unknown[], last: 'and' | 'or' = 'and'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)]
    .filter((part) => part !== '')
    .join(` ${last} `);

/** `hook 2`, `hooks 2 and 5`. */
export const hooksInWords = (numbers: readonly number[]): string =>
  `hook${numbers.length < 2 ? '' : 's'} ${listed(numbers)}`;

/** Milliseconds. With more than this, node fires a timer without delay. */
const TIMER_LIMIT = 2 ** 31 - 1;

export const atMost = (milliseconds: number): number => Math.min(milliseconds, TIMER_LIMIT);
