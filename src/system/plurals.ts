/** Numbers for sentences and for timers. */

export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A duration in the largest unit that divides it: `10 minutes`, `90 seconds`. */
export function duration(seconds: number): string {
  const [unit, length] = UNITS.find(([, one]) => seconds >= one && seconds % one === 0) ?? [
    'second',
    1,
  ];
  return count(seconds / length, unit);
}

/** `every 10 minutes`, `every minute`. */
export const every = (seconds: number): string => `every ${duration(seconds).replace(/^1 /, '')}`;

/** `a, b and c`. */
export const listed = (words: readonly unknown[], last: 'and' | 'or' = 'and'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)]
    .filter((part) => part !== '')
    .join(` ${last} `);

/** `hook 2`, `hooks 2 and 5`, `hooks 1-4 and 7`. */
export const hooksInWords = (numbers: readonly number[]): string =>
  `hook${numbers.length < 2 ? '' : 's'} ${listed(rangesOf(numbers, 3))}`;

/** `1`, `3-5`: ascending numbers, in which at least `least` consecutive ones form a range. */
export function rangesOf(numbers: readonly number[], least = 2): string[] {
  const rows: number[][] = [];
  for (const number of numbers) {
    const last = rows.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else rows.push([number]);
  }
  return rows.flatMap((row) =>
    row.length < least ? row.map(String) : [`${row[0]}-${row.at(-1)}`],
  );
}

/** Milliseconds. With a larger value, node fires a timer immediately. */
const TIMER_LIMIT = 2 ** 31 - 1;

export const withinTimerLimit = (milliseconds: number): number =>
  Math.min(milliseconds, TIMER_LIMIT);
