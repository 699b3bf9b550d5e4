/** Merges messages that differ only in their clients or hooks. */

import type { Message } from '../../system/errors.ts';

/** The facts that may differ in merged messages. */
const MERGED = ['client', 'hooks'] as const;

type Facts = Readonly<Record<string, unknown>>;

/** The facts that must be equal in merged messages. */
export const sameIn = (message: Message): object =>
  Object.fromEntries(
    Object.entries(message).filter(([name]) => !MERGED.some((one) => one === name)),
  );

/** @param all At least one message. All have the same code, and differ only in their client and hooks. */
export function merged<M extends Message>(all: readonly M[]): M {
  const [first] = all as readonly [M];
  const facts = MERGED.filter((name) => name in first).map((name) => [
    name,
    [...new Set(all.flatMap((one) => (one as Facts)[name] ?? []))],
  ]);
  return { ...first, ...Object.fromEntries(facts) };
}

/** The same command for other labels. Only for commands that take several; other advice stays as it is. */
export function forLabels(advice: string, label: string, labels: string): string {
  const command = SEVERAL_LABELS.find((one) => `${advice} `.startsWith(`${one} ${label} `));
  return command === undefined
    ? advice
    : `${command} ${labels}${advice.slice(command.length + 1 + label.length)}`;
}

/** Advice by which the problems of several labels can be compared: equal if it would be the same command for all of them. */
export const forAnyLabel = (advice: string, label: string): string =>
  forLabels(advice, label, '{labels}');

const SEVERAL_LABELS = ['trust', 'update', 'uninstall'].map((name) => `mcp-hooks ${name}`);

/** Groups are in the order of their first members. */
export function grouped<T>(all: readonly T[], keyOf: (one: T) => string): [T, ...T[]][] {
  const found = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = found.get(key);
    if (group) group.push(one);
    else found.set(key, [one]);
  }
  return [...found.values()];
}
