/** Numbers as people say them. */

export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `hook 2`, `hooks 2 and 5`. */
export function hooksInWords(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  return numbers.length < 2
    ? `hook ${last}`
    : `hooks ${numbers.slice(0, -1).join(', ')} and ${last}`;
}
