/**
 * The vocabulary of editing: our text is spliced into the user's, and the user's bytes are never rewritten.
 *
 * A format (JSON, JSONC, TOML) only says where. `insert` returns places and texts, and cutting out the same texts again
 * restores the file. Everything here is pure.
 */

import type { Message } from '../system/errors.ts';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One native hook group and the native event it belongs to. */
export interface Placed {
  readonly event: string;
  readonly group: JsonObject;
}

/**
 * Where a document has its groups.
 * - `lists`: each event has a list of its own, in the object under a key or, without a key, in the document itself.
 * - `rows`: the groups of all events are in one list of the document, and each names its event under a key.
 */
export type Layout =
  | { readonly kind: 'lists'; readonly under?: string }
  | { readonly kind: 'rows'; readonly list: string; readonly eventKey: string };

/** The keys that lead to a list, or to the object with the lists. */
export type ListPath = readonly [string] | readonly [string, string];

/** An element of a list. */
export interface ElementAt {
  readonly list: ListPath;
  readonly index: number;
}

/** `text` goes in at `offset`, counted in UTF-16 units of the text before any insertion. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** A stretch that is ours: `text` is at `offset` of the text after the insertions. */
export type Span = Insertion;

/** What a client's parser accepts, including a byte order mark and a blank file. Measured; see the client's own file. */
export interface Dialect {
  readonly comments: boolean;
  /** A carriage return alone ends a comment, too. */
  readonly returns: boolean;
  readonly trailingCommas: boolean;
  readonly bom: boolean;
  readonly empty: boolean;
  /** What happens to a file that breaks these rules: the end of "a file with a comment ...". */
  readonly otherwise: string;
}

/** For a file that no client has to accept: one that we leave alone, or only look at. */
export const ANYTHING: Dialect = {
  comments: true,
  returns: true,
  trailingCommas: true,
  bom: true,
  empty: true,
  otherwise: '',
};

/** The file is left alone, for this reason. `line` and `column` are 1-based; absent: no place is known. */
export class Refusal<M extends Message = never> extends Error {
  override readonly name: string = 'Refusal';
  readonly problem: Message;
  readonly line: number | undefined;
  readonly column: number | undefined;
  constructor(problem: NoInfer<M>, line?: number, column?: number) {
    super(problem.code);
    this.problem = problem;
    this.line = line;
    this.column = column;
  }
}

export const placeOf = ({ line, column }: Partial<Pick<Refusal, 'line' | 'column'>>) => ({
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
});

/** The way from a group to something in it. */
export type Path = readonly (string | number)[];

/** The way from a group to an item of a list in it: the list's key, and the item's index. */
export type ItemPath = readonly [key: string, index: number];

/** A key in a group, or a comment, which has no path. */
export interface Piece {
  readonly offset: number;
  readonly path?: Path;
}

/** How one file format is read and edited. Every method throws a Refusal rather than guess. */
export interface Format {
  /** A key belongs to the table whose header comes before it. */
  readonly hasTables: boolean;
  /**
   * The document by value, `{}` for an empty one, read by a different parser than the one that finds places.
   *
   * @param layout A key that is twice where the groups are is refused; absent: it is not looked for.
   */
  read(source: string, dialect: Dialect, layout?: Layout): JsonObject;
  /** The offsets of commas that follow a last item, in places where only some readers accept them. */
  trailingCommas(source: string): readonly number[];
  /**
   * Where new elements of lists go, each after the last that its list already has, in the file's own style.
   *
   * @param under The key of the object with the lists; absent: they are in the document itself.
   */
  insert(source: string, lists: Lists, under?: string): Insertion[];
  /** The text with an element replaced or, without `next`, removed; everything else stays as it was. */
  replace(source: string, element: ElementAt, next?: JsonObject): string;
  /** The keys and comments in an element, or in an item of a list in it, in the order of the text. */
  inside(source: string, element: ElementAt, item?: ItemPath): Piece[];
  /** The text without one item of a list in an element; everything else stays as it was. */
  withoutItem(source: string, element: ElementAt, item: ItemPath): string;
  /** The text without a key of the document itself; everything else stays as it was. */
  withoutKey(source: string, key: string): string;
  /** Where a key of the document itself goes that it does not have yet. */
  insertKey(source: string, key: string, value: JsonValue): readonly Insertion[];
  /** The text without the list or object at `path`, which must be empty by value. */
  prune(source: string, path: ListPath): string;
}

/** Elements, by the names of their lists. */
export type Lists = ReadonlyMap<string, readonly JsonObject[]>;

export function splice(source: string, insertions: readonly Insertion[]): string {
  let out = '';
  let from = 0;
  for (const { offset, text } of insertions) {
    out += source.slice(from, offset) + text;
    from = offset;
  }
  return out + source.slice(from);
}

/** Where the insertions are in the text that `splice` makes of them. */
export function spansOf(insertions: readonly Insertion[]): Span[] {
  let shift = 0;
  return insertions.map(({ offset, text }) => {
    const span = { offset: offset + shift, text };
    shift += text.length;
    return span;
  });
}

/** The inverse of `splice`, or undefined when a span is not where it should be. */
export function unsplice(text: string, spans: readonly Span[]): string | undefined {
  let out = '';
  let from = 0;
  for (const span of spans) {
    if (!text.startsWith(span.text, span.offset)) return undefined;
    out += text.slice(from, span.offset);
    from = span.offset + span.text.length;
  }
  return out + text.slice(from);
}

/** 1-based line and column of an offset. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
