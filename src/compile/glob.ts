/**
 * The globs of `tool_name`: `*`, `?`, `[...]`, `{a,b}`, `\x`; anchored and case-sensitive. The runner matches them itself
 * (`isLike` in templates/runner.cjs); for a client they become regular expressions that mean the same in JavaScript
 * and in Rust, which are what clients read them with.
 */

import { memoize } from '../system/memoize.ts';
import { runnerCode } from '../system/runner-code.ts';

/** A glob without braces: what stands before, between and after its `*`. One part: there is no `*`. */
export type Glob = readonly Part[];

/** Pieces, one after the other; a string that stands for itself. */
export type Part = string | readonly Piece[];

/** Characters that stand for themselves; so many of any kind; or one of a class: `in` it, or any but those that are `out`. Ranges are two characters. */
export type Piece =
  | string
  | number
  | { readonly in: readonly string[] }
  | { readonly out: readonly string[] };

/** More alternatives than this, or more characters in all of them, are no longer a list of tools: braces are then characters. */
const ALTERNATIVES = 200;
const CHARACTERS = 2000;

/** The alternatives of a glob, each without braces: `{Edit,Write}` is two. */
export function parseGlob(glob: string): Glob[] {
  const sequence = parseBraces(glob);
  return (isTooLarge(sequence) ? [glob] : expand(sequence)).map(parseParts);
}

/** Its braces mean so many names that they are taken for characters. */
export const isTooManyNames = (glob: string): boolean => isTooLarge(parseBraces(glob));

function isTooLarge(sequence: Sequence): boolean {
  const { count, characters } = sizeOf(sequence);
  return count > ALTERNATIVES || characters > CHARACTERS;
}

/** It has no wildcards. */
export const isLiteral = (glob: Glob): glob is readonly [string] =>
  glob.length === 1 && typeof glob[0] === 'string';

/** Whether it matches every name. */
export const isEverything = (glob: Glob): boolean =>
  glob.length > 1 && glob.every((part) => part.length === 0);

/** What every name that it matches begins with. */
export function prefixOf([part = '']: Glob): string {
  const [first] = typeof part === 'string' ? [part] : part;
  return typeof first === 'string' ? first : '';
}

/** Whether a name is one that it means, as the runner sees it. */
export const isLike = (name: string, glob: Glob): boolean => runner().isLike(name, glob);

const runner = memoize((): { isLike: typeof isLike } => runnerCode('./runner.cjs'));

/** The same glob with other characters in the place of those that stand for themselves; `change` keeps their number. */
export const mapLiterals = (glob: Glob, change: (text: string) => string): Glob =>
  glob.map((part) =>
    typeof part === 'string'
      ? change(part)
      : part.map((piece) => (typeof piece === 'string' ? change(piece) : piece)),
  );

/** Source of a regular expression, not anchored. `literal` turns each literal character into source. */
export const toRegex = (glob: Glob, literal: (character: string) => string = escapeRegex): string =>
  glob
    .map((part) =>
      (typeof part === 'string' ? [part] : part)
        .map((piece) => pieceSource(piece, literal))
        .join(''),
    )
    .join('.*');

function pieceSource(piece: Piece, literal: (character: string) => string): string {
  if (typeof piece === 'string') return [...piece].map(literal).join('');
  if (typeof piece === 'number') return '.'.repeat(piece);
  const [not, ranges] = 'in' in piece ? ['', piece.in] : ['^', piece.out];
  const escaped = (character: string) => character.replace(/[\\[\]^&~-]/, '\\$&');
  return `[${not}${ranges.map((range) => range.split('').map(escaped).join('-')).join('')}]`;
}

/** Source of a regular expression that matches the whole of any alternative. */
export const anchored = (alternatives: readonly string[]): string =>
  `^(?:${alternatives.join('|')})$`;

export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '-' || character === '/' ? character : `\\${character}`,
  );
}

/** A glob by its braces: text, and the alternatives of each pair. */
type Sequence = readonly Node[];
type Node = string | readonly Sequence[];

/** `a{b,c}d` is `abd` and `acd`. Braces without a comma, or that do not close, are characters. */
function parseBraces(glob: string): Sequence {
  const meant = signsIn(glob);
  const top: Node[] = [];
  const open: Node[][][] = [[top]];
  for (let i = 0; i < glob.length; i++) {
    const character = glob.charAt(i);
    const here = open.at(-1)?.at(-1) ?? top;
    if (character === '\\') here.push(character + glob.charAt(++i));
    else if (!meant.has(i)) here.push(character);
    else if (character === '{') open.push([[]]);
    else if (character === ',') open.at(-1)?.push([]);
    else {
      const alternatives = open.pop() ?? [];
      open.at(-1)?.at(-1)?.push(alternatives);
    }
  }
  return top;
}

/** Where braces, and commas in them, stand for alternatives. */
function signsIn(glob: string): Set<number> {
  const meant = new Set<number>();
  const open: { at: number; commas: number[] }[] = [];
  for (let i = 0; i < glob.length; i++) {
    const character = glob[i];
    if (character === '\\') i++;
    else if (character === '{') open.push({ at: i, commas: [] });
    else if (character === ',') open.at(-1)?.commas.push(i);
    else if (character === '}') {
      const { at, commas } = open.pop() ?? { at: 0, commas: [] };
      if (commas.length > 0) for (const one of [at, ...commas, i]) meant.add(one);
    }
  }
  return meant;
}

/** How many alternatives there are, and how many characters they have in all, without making them. */
function sizeOf(sequence: Sequence): { count: number; characters: number } {
  let [count, characters] = [1, 0];
  for (const node of sequence) {
    const sizes = typeof node === 'string' ? [] : node.map(sizeOf);
    const own =
      typeof node === 'string'
        ? { count: 1, characters: node.length }
        : {
            count: sizes.reduce((sum, one) => sum + one.count, 0),
            characters: sizes.reduce((sum, one) => sum + one.characters, 0),
          };
    characters = characters * own.count + own.characters * count;
    count *= own.count;
  }
  return { count, characters };
}

const expand = (sequence: Sequence): string[] =>
  sequence.reduce<string[]>(
    (heads, node) => {
      const tails = typeof node === 'string' ? [node] : node.flatMap(expand);
      return heads.flatMap((head) => tails.map((tail) => head + tail));
    },
    [''],
  );

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

/** The class that opens at `open`, and where it closes; undefined when it is none, or a range is the wrong way round. */
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

/** A character or a range of two, each perhaps escaped. */
const ITEM = /(\\?[\s\S])(?:-(\\[\s\S]|[^\\]))?/g;
