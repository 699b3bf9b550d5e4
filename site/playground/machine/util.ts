/** `node:util`: what the commands of the playground use of it. */

import { parseArgs } from '@pkgjs/parseargs';

/** Equality of values that JSON can hold. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [first, second] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    first.length === second.size &&
    first.every(([key, value]) => second.has(key) && isDeepStrictEqual(value, second.get(key)))
  );
}

/** Nothing has a colour here. */
export const stripVTControlCharacters = (text: string): string => text;
export const styleText = (_style: string, text: string): string => text;
export const promisify = (): never => {
  throw new Error('no callbacks in a browser');
};

export { parseArgs };
export default { isDeepStrictEqual, parseArgs, promisify, stripVTControlCharacters, styleText };
