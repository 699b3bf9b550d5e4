/**
 * Takes entries of the user out of a file, and puts them back.
 *
 * The cut text is stored with fingerprints of the text on both sides. As long as one side is unchanged, the cut is restored to
 * the byte. Otherwise the entry is appended to its list, by value. In both cases the result is read again.
 */

import { fingerprint } from '../system/fingerprint.ts';
import type { JsonObject, JsonValue } from './edit.ts';
import { ANYTHING, commonEnds, Refusal, splice } from './edit.ts';
import type { EditMessage } from './messages.ts';
import { lineStart } from './text.ts';
import {
  changed,
  dialectOf,
  elementAt,
  elementOf,
  elementsOf,
  equal,
  eventsOf,
  hasExpectedValue,
  listNameOf,
  type Reading,
  underOf,
} from './value.ts';

/** A whole group, or some of the handlers in its list, or a top-level key that starts a program at an event. */
export interface Part {
  /** For a key: its name. */
  readonly event: string;
  /** For a key: an object with only that key. */
  readonly group: JsonObject;
  readonly isKey?: true | undefined;
  /** The key of its list of handlers. */
  readonly key: string;
  /** The indexes of these handlers; null for the whole group. */
  readonly items: readonly number[] | null;
  /** Replaces a whole group in a client in which no later group may move. */
  readonly placeholder?: JsonObject | undefined;
}

/** The text on one side of a cut. */
interface Side {
  readonly length: number;
  readonly mark: string;
}

export interface Cut {
  readonly before: Side;
  readonly was: string;
  /** The text that replaces it. */
  readonly now: string;
  readonly after: Side;
}

/** The handlers of a part. */
export const handlersOf = ({ event, group, isKey, key, items }: Part): readonly JsonValue[] => {
  if (isKey) return [group[event] ?? null];
  const list = group[key];
  if (!Array.isArray(list)) return [group];
  return items === null ? list : list.filter((_, at) => items.includes(at));
};

/** A separate group for the handlers of a part. */
export const groupOf = (part: Part): JsonObject =>
  part.items === null ? part.group : { ...part.group, [part.key]: [...handlersOf(part)] };

/** The rest of the group; undefined if nothing is left. */
function leftOf({ group, key, items, placeholder }: Part): JsonObject | undefined {
  const list = group[key];
  return items === null || !Array.isArray(list)
    ? placeholder
    : { ...group, [key]: list.filter((_, at) => !items.includes(at)) };
}

/** The values in a text at the place of a part. */
function groupsIn(
  text: string,
  { event, isKey }: Part,
  { format, layout }: Reading,
): readonly JsonValue[] {
  const document = format.read(text, ANYTHING, layout);
  if (!isKey) return eventsOf(document, layout).get(event) ?? [];
  return Object.hasOwn(document, event) ? [{ [event]: document[event] ?? null }] : [];
}

/** Whether a text has the handlers of a part anywhere in its event or, for a key, has any value at that key. */
export const holds = (text: string, part: Part, reading: Reading): boolean =>
  groupsIn(text, part, reading).some(
    (one) => part.isKey || equal(one, part.group) || equal(one, groupOf(part)),
  );

/** The text without a part, and the cut. Undefined if the text does not contain the part. */
export function takeOut(
  text: string,
  part: Part,
  reading: Reading,
): { readonly text: string; readonly cut: Cut } | undefined {
  const { format, layout } = reading;
  const { event, group, isKey, key, items } = part;
  const index = groupsIn(text, part, reading).findIndex((one) => equal(one, group));
  if (index === -1) return undefined;
  const document = format.read(text, ANYTHING, layout);
  const at = elementAt(document, { event, index }, layout);
  const left = leftOf(part);
  const next = isKey
    ? format.withoutKey(text, event)
    : items === null
      ? format.replace(text, at, left && elementOf({ event, group: left }, layout))
      : items.toReversed().reduce((rest, item) => format.withoutItem(rest, at, [key, item]), text);
  if (!leadsTo(text, next, part, index, reading))
    throw new Refusal<EditMessage>({ code: 'changes-too-much' });
  return { text: next, cut: cutBetween(text, next) };
}

/** Whether the second text is the first without the part, and otherwise the same. */
function leadsTo(text: string, next: string, part: Part, index: number, reading: Reading): boolean {
  const { format, layout } = reading;
  const { event, isKey } = part;
  const document = format.read(text, ANYTHING, layout);
  const { [event]: _, ...others } = document;
  const change = { event, index, group: leftOf(part) };
  const expected = isKey ? others : changed(document, [change], [], layout);
  const touched = isKey ? [] : [listNameOf(event, layout)];
  const dialect = dialectOf(text, reading);
  return hasExpectedValue(next, expected, touched, text, { ...reading, dialect });
}

function cutBetween(text: string, next: string): Cut {
  const { start, end } = commonEnds(text, next);
  const now = next.slice(start, next.length - end);
  const from = now === '' ? wholeLines(text, start, text.length - end) : start;
  const to = text.length - end - (start - from);
  return {
    before: sideOf(text.slice(0, from)),
    was: text.slice(from, to),
    now,
    after: sideOf(text.slice(to)),
  };
}

/**
 * Moves the start of a cut to the start of a line if the remaining text is the same, so that the cut can be placed between
 * other lines.
 */
function wholeLines(text: string, start: number, end: number): number {
  for (let [from, to] = [start, end]; ; from -= 1, to -= 1) {
    if (lineStart(text, from) === from) return from;
    if (text[from - 1] !== text[to - 1]) return start;
  }
}

const sideOf = (text: string): Side => ({ length: text.length, mark: fingerprint(text) });

/** The text with a part put back. */
export function putBack(text: string, part: Part, cut: Cut, reading: Reading): string {
  const { format, layout } = reading;
  const placed = withCut(text, part, cut, reading);
  if (placed !== undefined) return placed;
  const { event, group, isKey } = part;
  const added = [{ event, group: groupOf(part) }];
  const document = format.read(text, ANYTHING, layout);
  const next = splice(text, insertionsOf(text, part, reading));
  const dialect = dialectOf(text, reading);
  const expected = isKey ? { ...document, ...group } : changed(document, [], added, layout);
  if (!hasExpectedValue(next, expected, [], text, { ...reading, dialect }))
    throw new Refusal<EditMessage>({ code: 'changes-too-much' });
  return next;
}

/** Insertions that add a part by value. */
function insertionsOf(text: string, part: Part, { format, layout }: Reading) {
  const { event, group, isKey } = part;
  return isKey
    ? format.insertKey(text, event, group[event] ?? null)
    : format.insert(text, elementsOf([{ event, group: groupOf(part) }], layout), underOf(layout));
}

/** The text with the part restored to the byte, if one side of the cut is unchanged. A key may have moved to another line. */
function withCut(
  text: string,
  part: Part,
  { before, was, now, after }: Cut,
  reading: Reading,
): string | undefined {
  const atEnd = text.length - after.length - now.length;
  const places = [
    ...(sideOf(text.slice(0, before.length)).mark === before.mark ? [before.length] : []),
    ...(atEnd >= 0 && sideOf(text.slice(atEnd + now.length)).mark === after.mark ? [atEnd] : []),
    ...(part.isKey ? insertionsOf(text, part, reading).map(({ offset }) => offset) : []),
  ];
  return places
    .filter((at) => text.startsWith(now, at))
    .map((at) => text.slice(0, at) + was + text.slice(at + now.length))
    .find((next) => isBack(text, next, part, reading));
}

/** Whether taking the part out again would give the same value. */
function isBack(text: string, next: string, part: Part, reading: Reading): boolean {
  const dialect = dialectOf(text, reading);
  try {
    reading.format.read(next, dialect, reading.layout);
    return groupsIn(next, part, reading).some(
      (one, index) => equal(one, part.group) && leadsTo(next, text, part, index, reading),
    );
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
