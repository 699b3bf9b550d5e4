/**
 * The vocabulary of editing: our text is spliced into the user's, whose bytes are never rewritten.
 *
 * A format (JSON, JSONC, TOML) only determines positions: `insert` returns offsets and texts, and cutting the same texts out
 * again restores the file. Everything here is pure.
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

/** The value under nested keys. Undefined if there is none. */
export const memberAt = (
  document: JsonValue | undefined,
  keys: readonly string[],
): JsonValue | undefined =>
  keys.reduce<JsonValue | undefined>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );

/** A native hook group and the native event it belongs to. */
export interface Placed {
  readonly event: string;
  readonly group: JsonObject;
}

/**
 * Where a document has its groups.
 * - `lists`: each event has its own list, in the object under a key or, without a key, in the document itself.
 * - `rows`: the groups of all events are in one list of the document, and each group names its event under a key.
 */
export type Layout =
  | { readonly kind: 'lists'; readonly under?: string }
  | { readonly kind: 'rows'; readonly list: string; readonly eventKey: string };

/** The keys that point to a list, or to the object with the lists. */
export type ListPath = readonly [string] | readonly [string, string];

/** An element of a list. */
export interface ElementAt {
  readonly list: ListPath;
  readonly index: number;
}

/** `text` is inserted at `offset`, counted in UTF-16 units of the text before any insertion. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** A span of our text: `text` is at `offset` of the text after the insertions. */
export type Span = Insertion;

/** What a client's parser accepts, including a byte order mark and a blank file. Measured; see the client's own file. */
export interface Dialect {
  readonly comments: boolean;
  /** A carriage return without a line feed also ends a comment. */
  readonly returns: boolean;
  readonly trailingCommas: boolean;
  readonly bom: boolean;
  readonly empty: boolean;
  /** What happens to a file that breaks these rules: the end of "a file with a comment ...". */
  readonly otherwise: string;
}

/** For a file that no client has to accept: one that we leave unchanged, or only read. */
export const ANYTHING: Dialect = {
  comments: true,
  returns: true,
  trailingCommas: true,
  bom: true,
  empty: true,
  otherwise: '',
};

/** The file is left unchanged, for this reason. `line` and `column` are 1-based, and absent if the place is unknown. */
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

/** Keys and indexes that lead from a group or a document to something in it. */
export type Path = readonly (string | number)[];

/** The path from a group to an item of a list in it: the list's key, and the item's index. */
export type ItemPath = readonly [key: string, index: number];

/** A key in a group, or a comment, which has no path. */
export interface Piece {
  readonly offset: number;
  readonly path?: Path;
}

/** How a file format is read and edited. Every method throws a Refusal rather than guess. */
export interface Format {
  /** A key belongs to the table whose header precedes it. */
  readonly hasTables: boolean;
  /**
   * The document by value, or `{}` for an empty one. Read by a different parser than the one that finds places.
   *
   * @param layout Refuses duplicate keys on the way to the groups. Without it, duplicates are not checked.
   */
  read(source: string, dialect: Dialect, layout?: Layout): JsonObject;
  /** The offsets of trailing commas that only some readers accept. */
  trailingCommas(source: string): readonly number[];
  /**
   * Where to insert new elements of lists, each after the last element that its list already has, in the file's own style.
   *
   * @param under The key of the object with the lists. Absent if they are in the document itself.
   */
  insert(source: string, lists: Lists, under?: string): Insertion[];
  /** The text with an element replaced or, without `next`, removed. Everything else is unchanged. */
  replace(source: string, element: ElementAt, next?: JsonObject): string;
  /** The keys and comments in an element, or in an item of a list in it, in text order. */
  inside(source: string, element: ElementAt, item?: ItemPath): Piece[];
  /** The text without one item of a list in an element. Everything else is unchanged. */
  withoutItem(source: string, element: ElementAt, item: ItemPath): string;
  /** The text without a top-level key. Everything else is unchanged. */
  withoutKey(source: string, key: string): string;
  /** Where to insert a new top-level key. */
  insertKey(source: string, key: string, value: JsonValue): readonly Insertion[];
  /** The text without the list or object at `path`, which must be empty by value. */
  prune(source: string, path: ListPath): string;
  /** A text that an older version began, as if it had begun with `start`. Absent: only what is inserted is ours. */
  renewed?(source: string, start: string): string;
}

/** Elements by the names of their lists. */
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

/** The positions of the insertions in the text that `splice` returns. */
export function spansOf(insertions: readonly Insertion[]): Span[] {
  let shift = 0;
  return insertions.map(({ offset, text }) => {
    const span = { offset: offset + shift, text };
    shift += text.length;
    return span;
  });
}

/** The inverse of `splice`. Undefined when a span is not at its position. */
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

/** How many characters two texts have in common at their start and, in the rest, at their end. */
export function commonEnds(a: string, b: string): { start: number; end: number } {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { start, end };
}

/** 1-based line and column of an offset. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
