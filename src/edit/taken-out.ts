/**
 * Somebody else's entries that are taken out of a file, and put back.
 *
 * What is cut is kept with fingerprints of the text on both sides. As long as one side is as it was, the cut goes back to the
 * byte. Otherwise the entry goes to the end of its list, by value. Either way the result is read again.
 */

import { fingerprint } from '../system/fingerprint.ts';
import type { JsonObject, JsonValue } from './edit.ts';
import { ANYTHING, isObject, Refusal, splice } from './edit.ts';
import type { EditMessage } from './messages.ts';
import {
  changed,
  dialectOf,
  elementAt,
  elementOf,
  elementsOf,
  equal,
  eventsOf,
  hasExpectedValue,
  listOf,
  type Reading,
  underOf,
} from './value.ts';

/** All of a group, or some of the handlers in its list. */
export interface Part {
  readonly event: string;
  readonly group: JsonObject;
  /** The key of its list of handlers. */
  readonly key: string;
  /** Which of them; null: the whole group. */
  readonly items: readonly number[] | null;
  /** What stays in the place of a whole group, for a client in which no later group may move. */
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
  /** What is there instead. */
  readonly now: string;
  readonly after: Side;
}

/** The handlers of a part. */
export const handlersOf = ({ group, key, items }: Part): readonly JsonValue[] => {
  const list = group[key];
  if (!Array.isArray(list)) return [group];
  return items === null ? list : list.filter((_, at) => items.includes(at));
};

/** A group of its own for the handlers of a part. */
export const groupOf = (part: Part): JsonObject =>
  part.items === null ? part.group : { ...part.group, [part.key]: [...handlersOf(part)] };

/** What is left of the group; undefined: nothing. */
function leftOf({ group, key, items, placeholder }: Part): JsonObject | undefined {
  const list = group[key];
  return items === null || !Array.isArray(list)
    ? placeholder
    : { ...group, [key]: list.filter((_, at) => !items.includes(at)) };
}

const groupsIn = (text: string, event: string, { format, layout }: Reading) =>
  eventsOf(format.read(text, ANYTHING, layout), layout).get(event) ?? [];

/** Whether a text has the handlers of a part somewhere in its event. */
export const holds = (text: string, part: Part, reading: Reading): boolean =>
  groupsIn(text, part.event, reading).some(
    (one) => equal(one, part.group) || equal(one, groupOf(part)),
  );

/** The text without a part, and what was cut; undefined: the text does not have it. */
export function takeOut(
  text: string,
  part: Part,
  reading: Reading,
): { readonly text: string; readonly cut: Cut } | undefined {
  const { format, layout } = reading;
  const { event, group, key, items } = part;
  const index = groupsIn(text, event, reading).findIndex((one) => equal(one, group));
  if (index === -1) return undefined;
  const document = format.read(text, ANYTHING, layout);
  const at = elementAt(document, { event, index }, layout);
  const left = leftOf(part);
  const next =
    items === null
      ? format.replace(text, at, left && elementOf({ event, group: left }, layout))
      : items.toReversed().reduce((rest, item) => format.withoutItem(rest, at, [key, item]), text);
  if (!leadsTo(text, next, { event, index, left }, reading))
    throw new Refusal<EditMessage>({ code: 'changes-too-much' });
  return { text: next, cut: cutBetween(text, next) };
}

/** Whether the second text is the first with one group changed, and no more. */
function leadsTo(
  text: string,
  next: string,
  { event, index, left }: { event: string; index: number; left: JsonObject | undefined },
  reading: Reading,
): boolean {
  const { format, layout } = reading;
  const document = format.read(text, ANYTHING, layout);
  const expected = changed(document, [{ event, index, group: left }], [], layout);
  const dialect = dialectOf(text, reading);
  return hasExpectedValue(next, expected, [listOf(event, layout)], text, { ...reading, dialect });
}

function cutBetween(text: string, next: string): Cut {
  const shorter = Math.min(text.length, next.length);
  let start = 0;
  while (start < shorter && text[start] === next[start]) start += 1;
  let rest = 0;
  while (rest < shorter - start && text.at(-1 - rest) === next.at(-1 - rest)) rest += 1;
  return {
    before: sideOf(text.slice(0, start)),
    was: text.slice(start, text.length - rest),
    now: next.slice(start, next.length - rest),
    after: sideOf(text.slice(text.length - rest)),
  };
}

const sideOf = (text: string): Side => ({ length: text.length, mark: fingerprint(text) });

/** The text with a part in it again. */
export function putBack(text: string, part: Part, cut: Cut, reading: Reading): string {
  const { format, layout } = reading;
  const placed = withCut(text, part, cut, reading);
  if (placed !== undefined) return placed;
  const { event } = part;
  const added = [{ event, group: groupOf(part) }];
  const document = format.read(text, ANYTHING, layout);
  const next = splice(text, format.insert(text, elementsOf(added, layout), underOf(layout)));
  const dialect = dialectOf(text, reading);
  const expected = changed(document, [], added, layout);
  if (!hasExpectedValue(next, expected, [], text, { ...reading, dialect }))
    throw new Refusal<EditMessage>({ code: 'changes-too-much' });
  return next;
}

/** The same to the byte, if the text on one side of the cut is as it was. */
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
  ];
  return places
    .filter((at) => text.startsWith(now, at))
    .map((at) => text.slice(0, at) + was + text.slice(at + now.length))
    .find((next) => isBack(text, next, part, reading));
}

/** Whether taking the part out again would give the same value. */
function isBack(text: string, next: string, part: Part, reading: Reading): boolean {
  const left = leftOf(part);
  const { event, group } = part;
  const dialect = dialectOf(text, reading);
  try {
    reading.format.read(next, dialect, reading.layout);
    return groupsIn(next, event, reading).some(
      (one, index) =>
        isObject(one) && equal(one, group) && leadsTo(next, text, { event, index, left }, reading),
    );
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
