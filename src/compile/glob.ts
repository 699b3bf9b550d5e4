/**
 * The globs of `tool_name`: `*`, `?`, `[...]`, `{a,b}`, `\x`; anchored and case-sensitive. The runner matches them itself
 * (`isLike` in templates/runner/matching.cts). For clients, they become regular expressions with the same meaning in JavaScript
 * and Rust, whose engines the clients use.
 */

import { memoize } from '../system/memoize.ts';
import { runnerCode } from '../system/runner-code.ts';

/** A glob without braces, split at each `*`. A glob with one part has no `*`. */
export type Glob = readonly Part[];

/** A literal string, or several pieces in a row. */
export type Part = string | readonly Piece[];

/**
 * Literal characters, a number of arbitrary characters, or one character of a class: `in` lists the allowed ones, `out` the
 * others. A range is two characters.
 */
export type Piece =
  | string
  | number
  | { readonly in: readonly string[] }
  | { readonly out: readonly string[] };

/** With more alternatives or characters, it is no longer a list of tools, and its braces count as plain characters. */
const ALTERNATIVES = 200;
const CHARACTERS = 2000;
/** A longer glob exceeds one of these: each comma adds an alternative, and each alternative has at most two braces. */
const LONGEST = CHARACTERS + 3 * ALTERNATIVES;

/** The alternatives of a glob, each without braces: `{Edit,Write}` is two. */
export const parseGlob = (glob: string): Glob[] => (withoutBraces(glob) ?? [glob]).map(parseParts);

/** Whether the braces of a glob expand to so many names that they count as plain characters. */
export const isTooManyNames = (glob: string): boolean => withoutBraces(glob) === undefined;

export const isLiteral = (glob: Glob): glob is readonly [string] =>
  glob.length === 1 && typeof glob[0] === 'string';

export const isEverything = (glob: Glob): boolean =>
  glob.length > 1 && glob.every((part) => part.length === 0);

/** The text that every matching name begins with. */
export function prefixOf([part = '']: Glob): string {
  const [first] = piecesOf(part);
  return typeof first === 'string' ? first : '';
}

/** Whether a matching name can begin with a text. */
export function canBegin(glob: Glob, start: string): boolean {
  const prefix = prefixOf(glob);
  return prefix.startsWith(start) || (!isLiteral(glob) && start.startsWith(prefix));
}

export const piecesOf = (part: Part): readonly Piece[] =>
  typeof part === 'string' ? [part] : part;

export const isLike = (name: string, glob: Glob): boolean => runner().isLike(name, glob);

const runner = memoize((): { isLike: typeof isLike } => runnerCode('./runner.cjs').stage);

/** The same glob with its literal characters replaced. `change` must keep their number. */
export const mapLiterals = (glob: Glob, change: (text: string) => string): Glob =>
  glob.map((part) =>
    typeof part === 'string'
      ? change(part)
      : part.map((piece) => (typeof piece === 'string' ? change(piece) : piece)),
  );

/** Source of a regular expression, not anchored. `literal` turns each literal character into source. */
export const toRegex = (glob: Glob, literal: (character: string) => string = escapeRegex): string =>
  written(glob, (piece) => pieceSource(piece, literal), '.*');

function pieceSource(piece: Piece, literal: (character: string) => string): string {
  if (typeof piece === 'string') return [...piece].map(literal).join('');
  if (typeof piece === 'number') return '.'.repeat(piece);
  return bracketed(piece, '^', /[\\[\]^&~-]/);
}

/** A character class in brackets. @param special The characters to escape in it. */
function bracketed(piece: Exclude<Piece, string | number>, not: string, special: RegExp): string {
  const [sign, ranges] = 'in' in piece ? ['', piece.in] : [not, piece.out];
  const escaped = (character: string) => character.replace(special, '\\$&');
  return `[${sign}${ranges.map((range) => range.split('').map(escaped).join('-')).join('')}]`;
}

/** Source of a regular expression that matches any alternative as a whole. */
export const anchored = (alternatives: readonly string[]): string =>
  `^(?:${alternatives.join('|')})$`;

export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '-' || character === '/' ? character : `\\${character}`,
  );
}

const withoutBraces = (glob: string): string[] | undefined =>
  glob.length > LONGEST ? undefined : expand(parseBraces(glob));

/** A glob split at its braces: text, and the alternatives of each pair. */
type Sequence = readonly Node[];
type Node = string | readonly Sequence[];

/** `a{b,c}d` is `abd` and `acd`. Braces without a comma or without an end are plain characters. */
function parseBraces(glob: string): Sequence {
  // The alternatives of each open brace. The first entry is the whole glob.
  const open: Node[][][] = [[[]]];
  for (let i = 0; i < glob.length; i++) {
    const character = glob.charAt(i);
    const braces = open.length > 1;
    if (character === '{') open.push([[]]);
    else if (character === ',' && braces) open.at(-1)?.push([]);
    else if (character === '}' && braces) close(open, '}');
    else add(open, character === '\\' ? character + glob.charAt(++i) : character);
  }
  while (open.length > 1) close(open);
  return open[0]?.[0] ?? [];
}

/** Closes the innermost brace. @param end The closing brace; absent: there is none. */
function close(open: Node[][][], end?: '}'): void {
  const alternatives = open.pop() ?? [];
  const characters = alternatives.flatMap((one, at) => [at === 0 ? '{' : ',', ...one]);
  const isMeant = end !== undefined && alternatives.length > 1;
  for (const node of isMeant ? [alternatives] : [...characters, end ?? '']) add(open, node);
}

/** Joins consecutive characters into one text, because every unclosed brace passes it on, and there may be a thousand. */
function add(open: Node[][][], node: Node): void {
  const here = open.at(-1)?.at(-1);
  const last = here?.at(-1);
  if (here && typeof node === 'string' && typeof last === 'string')
    here[here.length - 1] = last + node;
  else here?.push(node);
}

/** Undefined: there are too many alternatives. Their number never decreases. */
function expand(sequence: Sequence): string[] | undefined {
  let heads = [''];
  for (const node of sequence) {
    const tails = typeof node === 'string' ? [node] : alternativesOf(node);
    if (!tails || heads.length * tails.length > ALTERNATIVES) return undefined;
    heads = heads.flatMap((head) => tails.map((tail) => head + tail));
    if (heads.reduce((sum, { length }) => sum + length, 0) > CHARACTERS) return undefined;
  }
  return heads;
}

function alternativesOf(sequences: readonly Sequence[]): string[] | undefined {
  const all: string[] = [];
  for (const one of sequences) {
    const expanded = expand(one);
    if (!expanded) return undefined;
    all.push(...expanded);
  }
  return all;
}

function parseParts(text: string): Glob {
  const parts: Piece[][] = [[]];
  const add = (piece: Piece) => {
    const part = parts.at(-1) ?? [];
    const last = part.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') part[part.length - 1] = last + piece;
    else if (typeof piece === 'number' && typeof last === 'number')
      part[part.length - 1] = last + piece;
    else part.push(piece);
  };
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    const found = character === '[' ? classAt(text, i) : undefined;
    if (character === '*') {
      while (text[i + 1] === '*') i++;
      parts.push([]);
    } else if (character === '?') add(1);
    else if (found) {
      add(found.piece);
      i = found.end;
    } else if (character === '\\' && i + 1 < text.length) add(text.charAt(++i));
    else add(character);
  }
  return parts.map((part) => {
    const [first = ''] = part;
    return part.length <= 1 && typeof first === 'string' ? first : part;
  });
}

/** The class that opens at `open`, and its end; undefined: it is not a class, or a range is reversed. */
function classAt(text: string, open: number): { piece: Piece; end: number } | undefined {
  if (!text.includes(']', open)) return undefined;
  const [all, not, inside] = /^\[([!^]?)(\]?(?:\\[\s\S]|[^\]\\])*)\]/.exec(text.slice(open)) ?? [];
  if (!all || !inside) return undefined;
  const ranges: string[] = [];
  for (const [, low = '', high] of inside.matchAll(ITEM)) {
    const [from = '', to = ''] = [low.slice(-1), high?.slice(-1)];
    if (high !== undefined && to < from) return undefined;
    ranges.push(from + to);
  }
  return { piece: not ? { out: ranges } : { in: ranges }, end: open + all.length - 1 };
}

/** A character or a range of two, each possibly escaped. */
const ITEM = /(\\?[\s\S])(?:-(\\[\s\S]|[^\\]))?/g;

/** A glob that matches only this text. */
export const literally = (text: string): string => text.replace(/[\\*?[\]{},]/g, '\\$&');

/** The globs that install compiled from `tool_name` (names.ts), as a person might write them. */
export const globsOf = (globs: readonly Glob[]): string[] => [
  ...new Set(globs.map((glob) => written(glob, asGlob, '*'))),
];

/** A name that matches, for each glob. */
export const namesFor = (globs: readonly Glob[]): string[] => [
  ...new Set(globs.map((glob) => written(glob, asName, 'x'))),
];

const written = (glob: Glob, word: (piece: Piece) => string, many: string): string =>
  glob.map((part) => piecesOf(part).map(word).join('')).join(many);

function asGlob(piece: Piece): string {
  if (typeof piece === 'string') return piece.replace(/[*?[\]{}\\]/g, '\\$&');
  if (typeof piece === 'number') return '?'.repeat(piece);
  return bracketed(piece, '!', /[\\[\]^!-]/);
}

function asName(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if (typeof piece === 'number') return 'x'.repeat(piece);
  return NAME_CHARACTERS.find((one) => isLike(one, [[piece]])) ?? 'x';
}

/** Characters that are common in tool names, then the rest of ASCII. */
const NAME_CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
];
