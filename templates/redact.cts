/**
 * mcp-hooks: masks secrets in a tool's input and output before they go to the model, a server, a program or one of our files.
 * The rules are in secrets.cjs. Everything here runs in linear time and without recursion, however deeply the values are
 * nested.
 */

import { hasCandidate } from './redact/candidates.cjs';
import type { JsonObject } from './types.cjs';

const MASK = '***';
/** Shorter secrets would match ordinary words. */
const SHORTEST = 8;
/** The maximum number of characters to compare in the search for known secrets, which takes less than a tenth of a second. */
const WORK = 20_000_000;

/** `values`: each is unchanged, or has the same shape. */
export interface Masked<Values extends readonly unknown[]> {
  readonly values: Values;
  /** The masked secrets; absent: nothing was searched. */
  readonly secrets?: readonly string[];
  /** A code for why the values could not be searched. */
  readonly reason?: string;
}

/**
 * The values with each secret masked. In a value that is not a text, the texts in it are masked. If the rules fail or time is
 * up (`until`), no value is returned. `known`: more secrets to mask.
 */
export async function masked<Values extends readonly unknown[]>(
  values: Values,
  {
    until = Number.POSITIVE_INFINITY,
    known = [],
  }: { readonly until?: number; readonly known?: readonly string[] } = {},
): Promise<Masked<Values>> {
  const look = () => {
    if (Date.now() > until) throw new Error('out of time');
  };
  try {
    look();
    const { text, own } = textsOf(values, look);
    if (own.length + known.length === 0 && !mayHold(text)) return { values };
    const found = require('./secrets.cjs').find(text, look);
    const secrets = [...new Set([...found, ...own, ...known])];
    if (secrets.length === 0) return { values, secrets };
    const mask = maskOf(secrets, look);
    return { values: each(values, (value) => mapTexts(value, mask)), secrets };
  } catch {
    return {
      values: each(values, (value) => (value === undefined ? value : MASK)),
      reason: 'unmasked',
    };
  }
}

/** The same list with each value changed. A changed value keeps its shape. */
const each = <Values extends readonly unknown[]>(
  values: Values,
  change: (value: unknown) => unknown,
): Values => values.map(change) as unknown as Values;

/** A quick check whether there may be a secret. */
export function mayHoldSecrets(values: readonly unknown[]): boolean {
  try {
    const { text, own } = textsOf(values);
    return own.length > 0 || mayHold(text);
  } catch {
    return true;
  }
}

const mayHold = (text: string) => hasCandidate(text) && require('./secrets.cjs').mayHold(text);

/**
 * All texts of the values, each on its own lines. Often only a value's name shows that it is a secret, so a value with a
 * telling name is added again after its name. A long key may itself be a secret. `own`: texts whose key marks them as secrets,
 * whatever characters they have.
 */
function textsOf(
  values: readonly unknown[],
  look: () => void = () => {},
): { readonly text: string; readonly own: readonly string[] } {
  const texts: string[] = [];
  const own: string[] = [];
  const todo: [value: object, key: string][] = [];
  const named = (value: string, name: string) => {
    if (value.length > LONGEST_NAMED || !TELLING.test(name)) return;
    texts.push(`${name}="${value}"`);
    if (!isOwn(name, value)) return;
    own.push(value);
    if (own.length > require('./secrets.cjs').MOST) throw new Error('too many secrets');
  };
  const take = (value: unknown, key: string, into = texts) => {
    if (typeof value === 'string') {
      into.push(value);
      named(value, key);
    } else if (typeof value === 'object' && value !== null) todo.push([value, key]);
  };
  for (const value of values) take(value, '');
  let steps = 1;
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [value, key] = next;
    if (steps++ % 1000 === 0) look();
    if (Array.isArray(value)) {
      // They may be the lines of a text.
      const lines: string[] = [];
      for (const inner of value) take(inner, key, lines);
      texts.push(lines.join('\n'));
      const line = lineOf(value);
      if (line !== undefined) texts.push(line);
    } else {
      for (const [name, inner] of Object.entries(value)) {
        if (KEY.test(name)) texts.push(name);
        take(inner, name);
      }
      // A member of a list of variables.
      const member: JsonObject = Object(value);
      const name = member.name ?? member.key;
      if (typeof name === 'string' && typeof member.value === 'string') named(member.value, name);
    }
  }
  return { text: texts.join(BETWEEN), own };
}

/** Separates texts. No secret contains this character, so no match extends into the next text. */
const BETWEEN = '\n\0\n';

/** A name that may identify its value as a secret. */
const TELLING = /pass|secret|token|key|credential|auth|cookie/i;
/** The maximum length of a value that is searched together with its name. */
const LONGEST_NAMED = 10_000;
/** A text of words alone, however long, is an ordinary name. */
const KEY = /^(?=.*[\d:]).{16,}$/s;

const isOwn = (key: string, value: string): boolean =>
  /(?:passw(?:or)?d|passphrase|secret)$/i.test(key) &&
  /^.{8,200}$/.test(value) &&
  !require('./secrets.cjs').isCode(key, value);

/** A program and its arguments as a shell line, because an option and its value are two items of the list. */
function lineOf(list: readonly unknown[]): string | undefined {
  if (!list.some((one) => typeof one === 'string' && one.startsWith('-'))) return undefined;
  const words = list.filter((one) => typeof one === 'string');
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
}

/** The same value with each text changed, including keys. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  const todo: ([from: readonly unknown[], into: unknown[]] | [from: object, into: JsonObject])[] =
    [];
  const mapped = (one: unknown) => {
    if (typeof one === 'string') return change(one);
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) {
      const into: unknown[] = [];
      todo.push([one, into]);
      return into;
    }
    const into: JsonObject = {};
    todo.push([one, into]);
    return into;
  };
  const result = mapped(value);
  // Grows during the loop.
  for (const [from, into] of todo)
    if (Array.isArray(into)) for (const inner of Object.values(from)) into.push(mapped(inner));
    else
      for (const [name, given] of Object.entries(from)) {
        const key = change(name);
        const inner = mapped(given);
        if (key === '__proto__') define(into, key, inner);
        else into[key] = inner;
      }
  return result;
}

/** An assignment could set the prototype. */
const define = (into: object, key: string, value: unknown) =>
  Object.defineProperty(into, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });

/**
 * A function that masks the secrets in a text. It checks each position once, and compares the rest only if the first characters
 * match a secret.
 */
function maskOf(secrets: readonly string[], look: () => void): (text: string) => string {
  const known = new Set(secrets);
  const lengths = new Map<number, Set<number>>();
  const isBegun = new Uint8Array(1 << 16);
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    const hash = hashOf(secret, 0);
    isBegun[hash & 0xffff] = 1;
    lengths.set(hash, (lengths.get(hash) ?? new Set<number>()).add(secret.length));
  }
  let left = WORK;
  const longestAt = (text: string, at: number, hash: number) => {
    for (const length of lengths.get(hash) ?? []) {
      left -= length + 20;
      if (left < 0) throw new Error('too much work');
      if (known.has(text.slice(at, at + length))) return length;
    }
    return 0;
  };
  return (text) => {
    if (text.length < SHORTEST) return text;
    const parts: string[] = [];
    let copied = 0;
    let hidden = 0;
    let hash = hashOf(text, 0);
    for (let at = 0; at <= text.length - SHORTEST; at++) {
      if (at > 0)
        hash =
          (Math.imul(hash, 31) +
            text.charCodeAt(at + SHORTEST - 1) -
            Math.imul(OUT, text.charCodeAt(at - 1))) |
          0;
      if (at % 65536 === 0) look();
      if (isBegun[hash & 0xffff] === 0) continue;
      const length = longestAt(text, at, hash);
      if (at + length <= hidden) continue;
      // Overlapping secrets are masked as one.
      if (length > 0 && at >= hidden) {
        parts.push(text.slice(copied, at), MASK);
      }
      if (length > 0) copied = hidden = at + length;
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(copied);
  };
}

/** A rolling hash of the first characters of a secret, or of as many characters at a position. */
function hashOf(text: string, from: number): number {
  let hash = 0;
  for (let at = from; at < from + SHORTEST; at++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
/** The weight of the character that leaves the window. */
const OUT = (31 ** SHORTEST) | 0;
