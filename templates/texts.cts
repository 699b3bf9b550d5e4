/**
 * mcp-hooks: what a tool was given and returned, as texts to look into. It may be a megabyte, nested as deeply as anybody likes,
 * and many hooks look into it: everything is made once for an event, without recursion, and the clock is looked at.
 */

import { clockOf } from './clock.cjs';
import { jsonOf } from './json.cjs';
import type { Clock, Firing, TextsOfPart } from './types.cjs';
import { fault, isObject } from './values.cjs';

type Event = Pick<Firing, 'texts' | 'clock'>;

/** A part of the payload as JSON, or the text that it is. */
export const jsonIn = (firing: Event, value: unknown): string => known(firing, value).json;

/** What is known of a part of the payload, the same for all copies of the event. */
function known(firing: Event, value: unknown): TextsOfPart {
  firing.texts ??= new Map();
  const found = firing.texts.get(value);
  if (found) return found;
  clockOf(firing).look();
  const made: TextsOfPart = { json: typeof value === 'string' ? value : jsonOf(value) };
  firing.texts.set(value, made);
  return made;
}

/** All texts in which something is looked for: the JSON, and each string in it, keys too, as the tool gets it (a quote, a newline). */
function textsIn(firing: Event, value: unknown): readonly string[] {
  const found = known(firing, value);
  found.all ??= [
    ...stringsIn(value, clockOf(firing)),
    ...(found.json === value ? [] : [found.json]),
  ];
  return found.all;
}

/** Whether a part of the payload contains a text. */
export function contains(firing: Event, value: unknown, needle: string): boolean {
  if (value === undefined) return false;
  const found = known(firing, value);
  const clock = clockOf(firing);
  const isIn = (text: string) => {
    clock.look();
    return indexIn(text, needle) !== -1;
  };
  if (isIn(found.json)) return true;
  // All other strings are in the JSON as they are.
  found.others ??= textsIn(firing, value).filter(
    (text) => text !== found.json && /["\\\0-\x1f\ud800-\udfff]/.test(text),
  );
  if (needle.includes(BETWEEN)) return found.others.some(isIn);
  found.joined ??= found.others.join(BETWEEN);
  return isIn(found.joined);
}

/** Comes between texts that are looked through together. */
const BETWEEN = '\uFFFF';

/** Where the text begins in another; -1: it does not. V8's own search takes time by both lengths if the second is above 250. */
export function indexIn(text: string, needle: string, from = 0): number {
  const start = text.indexOf(needle.slice(0, 250), from);
  if (needle.length <= 250 || start === -1) return start;
  // Knuth, Morris and Pratt. `back`: how many characters still fit when the next one does not.
  const back = new Int32Array(needle.length + 1);
  back[0] = -1;
  for (let i = 0, at = -1; i < needle.length; back[++i] = ++at)
    while (at >= 0 && needle.charCodeAt(at) !== needle.charCodeAt(i)) at = back[at] ?? -1;
  for (let i = start, at = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    while (at >= 0 && needle.charCodeAt(at) !== code) at = back[at] ?? -1;
    if (++at === needle.length) return i - at + 1;
  }
  return -1;
}

function stringsIn(value: unknown, clock: Clock): string[] {
  const found: string[] = [];
  walk(value, clock, (one) => {
    if (typeof one === 'string') found.push(one);
    else if (isObject(one)) for (const key of Object.keys(one)) found.push(key);
  });
  return found.filter((text) => text !== '');
}

/** Visits a value and all in it, in order. @param visit Is given a value and the key that it has. */
export function walk(
  value: unknown,
  clock: Clock,
  visit: (value: unknown, key: string | undefined) => void,
): void {
  const left: [key: string | undefined, value: unknown][] = [[undefined, value]];
  for (let next = left.pop(); next; next = left.pop()) {
    clock.step();
    const [key, one] = next;
    visit(one, key);
    if (typeof one !== 'object' || one === null) continue;
    const isList = Array.isArray(one);
    for (const [name, inner] of Object.entries(one).reverse())
      left.push([isList ? key : name, inner]);
  }
}

// Regular expressions.

/** Milliseconds for V8's usual engine, which is much quicker with most patterns and takes for ever with some. */
const QUICK = 20;

/** Whether a server's pattern is in the JSON of a value, or in a string in it. */
export function isMatched(firing: Event, value: unknown, source: string): boolean {
  if (value === undefined) return false;
  const all = textsIn(firing, value);
  const clock = clockOf(firing);
  const [quick, linear] = enginesFor(source);
  let pattern = quick;
  let at = 0;
  const search = () => {
    for (; at < all.length; at++) if (pattern.test(all[at] ?? '')) return true;
    return false;
  };
  for (;;) {
    clock.look();
    const left = clock.left();
    try {
      return stoppable(search, pattern === linear ? left : Math.min(QUICK, left));
    } catch {
      // Time is up, or the engine has run out of memory. A busy machine may have given us none of that time.
      if (pattern === linear) clock.look();
      pattern = linear;
    }
  }
}

/**
 * The usual engine, and one that takes time in proportion to the text, whatever the pattern. Nothing can stop the usual one
 * while it compiles, which may take minutes where much is optional: such a pattern gets only the other.
 */
function enginesFor(source: string): readonly [quick: RegExp, linear: RegExp] {
  require('node:v8').setFlagsFromString('--enable-experimental-regexp_engine');
  const plain = withoutGroups(source);
  try {
    const linear = new RegExp(plain, 'l');
    const isSimple = !source.includes('{') && source.split(/[?*+|]/).length <= CHOICES;
    return [isSimple ? new RegExp(plain) : linear, linear];
  } catch {
    throw fault('pattern-refused');
  }
}
/** Quantifiers and alternatives of a pattern that is compiled at once. */
const CHOICES = 10;

/** Nobody reads what a group has found, and keeping it costs the second engine memory for each character. */
const withoutGroups = (source: string): string =>
  source.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)|\(\?<(?![=!])[^>]*>/g, (all) =>
    all.startsWith('(') ? '(?:' : all,
  );

/** Runs what cannot look at a clock. A thread of V8's own ends it after so many milliseconds, and then it throws. */
function stoppable(work: () => boolean, milliseconds: number): boolean {
  const { Script } = require('node:vm');
  Reflect.set(globalThis, WORK, work);
  try {
    const timeout = Math.max(1, Math.ceil(milliseconds));
    return new Script("globalThis[Symbol.for('mcp-hooks')]()").runInThisContext({ timeout });
  } finally {
    Reflect.deleteProperty(globalThis, WORK);
  }
}
const WORK = Symbol.for('mcp-hooks');
