/** One message instead of several that say the same of different clients or hooks. */

import type { Message } from '../../system/errors.ts';

/** What may differ in messages that say the same. */
const MERGED = ['client', 'hooks'] as const;

type Facts = Readonly<Record<string, unknown>>;

/** What has to be the same in all of them. */
export const sameIn = (message: Message): object =>
  Object.fromEntries(
    Object.entries(message).filter(([name]) => !MERGED.some((one) => one === name)),
  );

/** @param all At least one; of one code, and the same but for their client and hooks. */
export function merged<M extends Message>(all: readonly M[]): M {
  const [first] = all as readonly [M];
  const facts = MERGED.filter((name) => name in first).map((name) => [
    name,
    [...new Set(all.flatMap((one) => (one as Facts)[name] ?? []))],
  ]);
  return { ...first, ...Object.fromEntries(facts) };
}

/** In the order of the first of each group. */
export function grouped<T>(all: readonly T[], keyOf: (one: T) => string): [T, ...T[]][] {
  const found = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const group = found.get(keyOf(one));
    if (group) group.push(one);
    else found.set(keyOf(one), [one]);
  }
  return [...found.values()];
}
