/** mcp-hooks: small functions that several files of the hook runner need. What is needed each time is in runner.cjs itself. */

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
 * A line of a client's transcript as a value, if it is one of these (`Lines` in src/clients/contract.ts); undefined: it is
 * not. The words alone prove nothing, because a tool's result stands in such a line as the tool has written it.
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

/** The system's code of an error; '': it has none. */
export const codeOf = (error: unknown): string => String(Object(error).code ?? '');

/** What went wrong, as a code with its facts (src/compile/runner-messages.ts). A message may quote something private. */
export function reasonOf(error: unknown): Why {
  // Anything can be thrown, also nothing.
  const { why, code, name } = Object(error);
  const names: unknown[] = [code, name, typeof error];
  return why ?? { code: 'error', name: names.find((one) => typeof one === 'string') };
}

/** Waits for something, but not for longer than so many milliseconds; undefined: it has not come by then. */
export async function waitFor<Value>(
  milliseconds: number,
  work: Promise<Value>,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
