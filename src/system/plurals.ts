/** Numbers as people say them, and as timers take them. */

export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `hook 2`, `hooks 2 and 5`. */
export function hooksInWords(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  return numbers.length < 2
    ? `hook ${last}`
    : `hooks ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

/** Milliseconds; node fires a timer of more at once. */
const TIMER_LIMIT = 2 ** 31 - 1;

export const atMost = (milliseconds: number): number => Math.min(milliseconds, TIMER_LIMIT);
