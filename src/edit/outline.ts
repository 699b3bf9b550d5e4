/**
 * Facts about a JSON or JSONC text that JSON.parse does not return, found in one pass of jsonc-parser's scanner: where the text
 * is not strict JSON, and where its outer parts are. (jsonc-parser's tree of a large file takes five times as long.)
 */
import { createScanner } from 'jsonc-parser';
import { MAX_DEPTH } from './text.ts';

/** How many levels of nested containers are reported: the document, an object in it, and the lists in that object. */
const LEVELS = 3;

export interface Outline {
  /** Comments and trailing commas, in order. Without them, the text is strict JSON. */
  readonly extras: readonly Extra[];
  /** Correct if the text is valid, which JSON.parse decides. */
  readonly root: Part | undefined;
  /** Duplicate keys in the document or in an object of it. A client and a person may each see a different one. */
  readonly duplicates: readonly Duplicate[];
  /**
   * Where brackets are nested deeper than `MAX_DEPTH`, which does not occur in real files. The rest of the text was not
   * scanned.
   */
  readonly tooDeep: number | undefined;
}

export interface Duplicate {
  readonly name: string;
  /** The key of the object that contains it. Absent if that is the document. */
  readonly under?: string;
  readonly offset: number;
}

export interface Extra {
  readonly kind: 'comment' | 'trailing comma';
  readonly start: number;
  readonly end: number;
}

/** A value and its extent. */
export interface Part {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  readonly start: number;
  end: number;
  /** For an object, in text order. Empty below `LEVELS`. */
  readonly members: Member[];
  /** For an array. Empty below `LEVELS`. */
  readonly items: Part[];
}

export interface Member {
  readonly key: string;
  readonly start: number;
  colon?: number;
  value?: Part;
}

/** `strict`: JSON.parse accepts the text as it is, so its inner parts can be skipped. */
export function outline(text: string, strict: boolean, mostDeep = MAX_DEPTH): Outline {
  const scanner = createScanner(text);
  const extras: Extra[] = [];
  const keys = [new Set<string>(), new Set<string>()];
  /** The open containers, except those that are too deep. */
  const open: Part[] = [];
  let depth = 0;
  let root: Part | undefined;
  const duplicates: Duplicate[] = [];
  let previous = '';
  /** A comma after a value, until it is known whether another value follows. */
  let comma: number | undefined;

  const found = (tooDeep?: number): Outline => {
    extras.sort((a, b) => a.start - b.start); // only later text shows that a comma is a trailing one
    return { extras, root, duplicates, tooDeep };
  };
  /** Starts a value: the root, an item, or the value of a key. */
  const begin = (start: number, end: number, type: Part['type']): Part => {
    const isFlat = depth === LEVELS || (type !== 'object' && type !== 'array');
    const part: Part = isFlat
      ? { type, start, end, members: NONE, items: NONE }
      : { type, start, end, members: [], items: [] };
    const around = open.at(-1);
    const member = around?.members.at(-1);
    if (!around) root ??= part;
    else if (around.type === 'array') around.items.push(part);
    else if (member) member.value = part;
    return part;
  };
  const name = (start: number): void => {
    const key = scanner.getTokenValue();
    open.at(-1)?.members.push({ key, start });
    const seen = keys[depth - 1];
    const under = depth === 2 ? open[0]?.members.at(-1)?.key : undefined;
    if (seen?.has(key))
      duplicates.push({ name: key, offset: start, ...(under !== undefined && { under }) });
    seen?.add(key);
  };

  while (true) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    if (start >= text.length) return found();
    const end = scanner.getPosition();
    const token = text[start] ?? '';
    if (token === ' ' || token === '\n' || token === '\r' || token === '\t') continue;
    if (token === '/' && (text[start + 1] === '/' || text[start + 1] === '*')) {
      // An unclosed comment is an error that JSON.parse reports.
      if (scanner.getTokenError() === 0) extras.push({ kind: 'comment', start, end });
      continue;
    }
    if (token === '{' || token === '[') {
      if (depth === mostDeep) return found(start);
      const type = token === '{' ? 'object' : 'array';
      const part = depth <= LEVELS ? begin(start, end, type) : undefined;
      if (part && depth === LEVELS && strict) {
        const inner = skip(text, end, depth + 1, mostDeep);
        if (inner.tooDeep) return found(inner.at);
        part.end = inner.at;
        scanner.setPosition(inner.at);
        comma = undefined;
        previous = '}';
        continue;
      }
      if (part) open.push(part);
      if (depth === 1) keys[1] = new Set();
      depth += 1;
    } else if (token === '}' || token === ']') {
      if (comma !== undefined)
        extras.push({ kind: 'trailing comma', start: comma, end: comma + 1 });
      if (depth > 0) depth -= 1;
      const closed = depth <= LEVELS ? open.pop() : undefined;
      if (closed) closed.end = end;
    } else if (token === ':') {
      const member = depth <= LEVELS ? open.at(-1)?.members.at(-1) : undefined;
      if (member) member.colon = end;
    } else if (token !== ',' && depth <= LEVELS) {
      const inObject = open.at(-1)?.type === 'object';
      if (token === '"' && inObject && previous !== ':') name(start);
      else begin(start, end, SCALARS[token] ?? 'number');
    }
    // A comma after `[` or another comma is an error that JSON.parse reports.
    comma = token === ',' && !['', '{', '[', ',', ':'].includes(previous) ? start : undefined;
    previous = token;
  }
}

/** The text as strict JSON: without comments and trailing commas. */
export function withoutExtras(text: string, extras: readonly Extra[]): string {
  const out: string[] = [];
  let from = 0;
  for (const { start, end } of extras) {
    out.push(text.slice(from, start), ' ');
    from = end;
  }
  return out.join('') + text.slice(from);
}

/** For values whose parts are not reported. Never modified. */
const NONE: never[] = [];

/** The end of a container that opens before `at` in strict JSON, or the place where nesting becomes too deep. */
function skip(text: string, at: number, depth: number, mostDeep: number) {
  for (let inside = depth; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (inside === mostDeep) return { at, tooDeep: true };
      inside += 1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      inside -= 1;
      if (inside < depth) return { at: at + 1, tooDeep: false };
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slash = end;
    while (text.charCodeAt(slash - 1) === BACKSLASH) slash -= 1;
    if ((end - slash) % 2 === 0) return end;
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

const SCALARS: Readonly<Record<string, Part['type']>> = {
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};
