/**
 * mcp-hooks: small functions that several files of the runner share. Those that every firing needs are in runner.cjs itself.
 */

import type { JsonObject, Lines, Why } from './types.cjs';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The result of some work; undefined if it throws anything. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export const parse = (text: string): unknown => attempt(() => JSON.parse(text));

/**
 * A line of a client's transcript as a value, if it is one of the given kind (`Lines` in src/clients/contract.ts); undefined
 * otherwise. The text alone proves nothing, because a tool's result is in such a line exactly as the tool wrote it.
 */
export function entryOf(line: string, { part, keys }: Lines): JsonObject | undefined {
  if (!line.includes(part)) return undefined;
  const entry = parse(line);
  return hasKeys(entry, keys) ? entry : undefined;
}

export const hasKeys = (entry: unknown, keys: Lines['keys']): entry is JsonObject =>
  isObject(entry) &&
  Object.entries(keys).every(([at, wanted]) => {
    const value = at.split('.').reduce<unknown>(member, entry);
    if (wanted === true) return value !== undefined && value !== null && value !== false;
    if (typeof value !== 'string') return false;
    if (typeof wanted !== 'string') return wanted.includes(value);
    if (wanted.startsWith('*')) return value.endsWith(wanted.slice(1));
    if (wanted.endsWith('*')) return value.startsWith(wanted.slice(0, -1));
    return value === wanted;
  });

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/** An error with one of our codes and its facts, which may be logged. */
export const fault = (code: string, facts?: object): Error & { why: Why } =>
  Object.assign(new Error(code), { why: { code, ...facts } });

/** An error's system code; '': there is none. */
export const codeOf = (error: unknown): string => String(Object(error).code ?? '');

/** The cause as a code with facts (src/compile/runner-messages.ts), because a message may quote something private. */
export function reasonOf(error: unknown): Why {
  // Any value can be thrown, even undefined.
  const { why, code, name } = Object(error);
  const names: unknown[] = [code, name, typeof error];
  return why ?? { code: 'error', name: names.find((one) => typeof one === 'string') };
}

/** Waits for some work, but no longer than the given milliseconds; undefined: it was not done in time. */
export async function waitFor<Value>(
  milliseconds: number,
  work: Promise<Value>,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
