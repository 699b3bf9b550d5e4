/** Items between brackets, separated by commas: JSON objects and arrays, TOML arrays and inline tables. */
import type { Insertion } from './edit.ts';
import { hasBreak, indentOf, isBlank, removeSpan, startsLine } from './text.ts';

/** A token between two items. A line comment ends before its line break. */
export interface Mark {
  readonly kind: 'comma' | 'comment' | 'line comment' | 'line break';
  readonly start: number;
  readonly end: number;
}

export interface List {
  readonly open: number;
  readonly close: number;
  readonly items: readonly (readonly [start: number, end: number])[];
  /** The marks between two offsets. There must be no item between them. */
  marks(from: number, to: number): readonly Mark[];
}

export interface Style {
  readonly newline: string;
  /** One step of indentation. */
  readonly unit: string;
  /** The separator of items on one line: `, ` or `,`. */
  readonly comma: string;
}

/** Whether the items are on separate lines. For an empty list on one line, `otherwise` decides. */
export function isMultiline(text: string, list: List, otherwise: boolean): boolean {
  const first = list.items[0];
  return first
    ? hasBreak(text.slice(list.open, first[0]))
    : otherwise || list.marks(list.open, list.close).some(({ kind }) => kind === 'line break');
}

/**
 * Insertions that append items to the list, in its own layout. `print` returns the items for lines with that indentation or,
 * without an indentation, for a single line. A comment after the last item stays with it, and a trailing comma stays a trailing
 * comma.
 */
export function append(
  text: string,
  list: List,
  { newline, unit, comma: separator }: Style,
  tall: boolean,
  print: (indent?: string) => readonly string[],
): Insertion[] {
  const last = list.items.at(-1);
  const from = last ? last[1] : list.open;
  const marks = list.marks(from, list.close);
  const onLines = (indent: string) =>
    print(indent)
      .map((item) => newline + indent + item)
      .join(',');

  if (!last) {
    const comment = marks.findLast(({ kind }) => kind !== 'line break');
    const after = comment?.end ?? from;
    if (!tall) {
      // `{ }` becomes `{ item }`.
      const pad = text.slice(after, list.close);
      return [{ offset: list.close, text: print().join(separator) + pad }];
    }
    const own = indentOf(text, list.open - 1);
    const body = onLines(own + unit);
    return hasBreak(text.slice(after, list.close))
      ? [{ offset: after, text: body }]
      : [{ offset: list.close, text: body + newline + own }];
  }

  const comma = marks.find(({ kind }) => kind === 'comma');
  let offset = comma ? comma.end : from;
  for (const { kind, start, end } of marks) {
    if (start < offset) continue;
    if (kind === 'line break' || (kind === 'line comment' && !tall)) break;
    offset = end;
  }

  if (!tall) {
    const items = print().map((item) => (comma ? ` ${item},` : separator + item));
    return [{ offset, text: items.join('') }];
  }
  const like = [last, list.items[0]].find((item) => item && startsLine(text, item[0]));
  const body = onLines(like ? indentOf(text, like[0]) : indentOf(text, list.open - 1) + unit);
  if (comma) return [{ offset, text: `${body},` }];
  if (offset === from) return [{ offset, text: `,${body}` }];
  return [
    { offset: from, text: ',' },
    { offset, text: body },
  ];
}

/** The text without one item and one comma. Comments next to the item stay. */
export function cutItem(text: string, list: List, index: number): string {
  const item = list.items[index];
  if (!item) throw new RangeError(`no item ${index} in a list of ${list.items.length}`);
  const [start, end] = item;
  const previous = list.items[index - 1];
  const next = list.items[index + 1];
  const isComma = ({ kind }: Mark) => kind === 'comma';

  const behind = list.marks(end, next ? next[0] : list.close).find(isComma);
  if (behind) {
    if (isBlank(text.slice(end, behind.start))) return removeSpan(text, start, behind.end);
    return removeSpan(text.slice(0, behind.start) + text.slice(behind.end), start, end);
  }
  const before = previous && list.marks(previous[1], start).find(isComma);
  if (!before) return removeSpan(text, start, end);
  if (isBlank(text.slice(before.end, start))) return text.slice(0, before.start) + text.slice(end);
  const rest = removeSpan(text, start, end);
  return rest.slice(0, before.start) + rest.slice(before.end);
}
