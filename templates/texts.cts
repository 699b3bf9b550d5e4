/**
 * mcp-hooks: a tool's input and output as searchable texts. They may have a megabyte and be nested to any depth, and many hooks
 * search them. So everything is computed once per event, without recursion, and checks the clock.
 */

import { clockOf } from './clock.cjs';
import { jsonOf } from './json.cjs';
import type { Clock, Firing, TextsOfPart } from './types.cjs';
import { fault, isObject } from './values.cjs';

type Event = Pick<Firing, 'texts' | 'clock'>;

/** The texts of a part of the payload, shared by all copies of the event. */
function known(firing: Event, value: unknown): TextsOfPart {
  firing.texts ??= new Map();
  const found = firing.texts.get(value);
  if (found) return found;
  clockOf(firing).look();
  const made: TextsOfPart = { json: typeof value === 'string' ? value : jsonOf(value) };
  firing.texts.set(value, made);
  return made;
}

/** All texts to search: the JSON, and each decoded string in it (with a quote, a newline), including keys. */
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
  // All other strings are in the JSON unchanged.
  found.others ??= textsIn(firing, value).filter(
    (text) => text !== found.json && /["\\\0-\x1f\ud800-\udfff]/.test(text),
  );
  if (needle.includes(BETWEEN)) return found.others.some(isIn);
  found.joined ??= found.others.join(BETWEEN);
  return isIn(found.joined);
}

/** Separates texts that are searched together. */
const BETWEEN = '\uFFFF';

/**
 * The position of a text in another; -1: none. V8's own takes O(n * m) time for more than 250 characters.
 */
export function indexIn(text: string, needle: string, from = 0): number {
  const start = text.indexOf(needle.slice(0, 250), from);
  if (needle.length <= 250 || start === -1) return start;
  // Knuth-Morris-Pratt. `back`: how many characters still match if the next one does not.
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

/** Every string in a value, and every key, in order. */
function stringsIn(value: unknown, clock: Clock): string[] {
  const found: string[] = [];
  const left = [value];
  while (left.length > 0) {
    clock.step();
    const one = left.pop();
    if (typeof one === 'string') found.push(one);
    if (typeof one !== 'object' || one === null) continue;
    if (isObject(one)) for (const key of Object.keys(one)) found.push(key);
    for (const inner of Object.values(one).reverse()) left.push(inner);
  }
  return found.filter((text) => text !== '');
}

// Regular expressions.

/** Milliseconds for V8's usual engine, which is much faster for most patterns and never ends for some. */
const QUICK = 20;

/** Whether a server's pattern matches the JSON of a value, or a string in it. */
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
      // Time is up, or the engine has run out of memory. On a busy machine, we may not have had any of that time.
      if (pattern === linear) clock.look();
      pattern = linear;
    }
  }
}

/**
 * The usual engine, and one that runs in linear time for any pattern. Nothing can interrupt the usual engine while it compiles,
 * which may take minutes for a pattern with many optional parts. Such a pattern only gets the linear engine.
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
/** The maximum number of quantifiers and alternatives in a pattern that compiles quickly. */
const CHOICES = 10;

/** Captures are not used, and cost the linear engine memory for each character. */
const withoutGroups = (source: string): string =>
  source.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)|\(\?<(?![=!])[^>]*>/g, (all) =>
    all.startsWith('(') ? '(?:' : all,
  );

/** Runs code that cannot check a clock. A V8 thread ends it after the given milliseconds; then this throws. */
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
