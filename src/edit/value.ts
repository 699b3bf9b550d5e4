/** Documents by value: where their groups are in any layout, and whether two documents are equal. */
import { unless } from '../system/errors.ts';
import type {
  Dialect,
  ElementAt,
  Format,
  JsonObject,
  JsonValue,
  Layout,
  ListPath,
  Lists,
  Path,
  Placed,
} from './edit.ts';
import { ANYTHING, isObject, Refusal } from './edit.ts';
import type { EditMessage, Unwelcome } from './messages.ts';
import type { Duplicate } from './outline.ts';

/** How a client reads a file. */
export interface Reading {
  readonly format: Format;
  readonly dialect: Dialect;
  readonly layout: Layout;
}

/** The key of the object with the lists. Undefined if they are in the document itself. */
export const underOf = (layout: Layout): string | undefined =>
  layout.kind === 'lists' ? layout.under : undefined;

/** The name of the list for an event's groups. */
export const listNameOf = (event: string, layout: Layout): string =>
  layout.kind === 'lists' ? event : layout.list;

export const pathTo = (list: string, under: string | undefined): ListPath =>
  under === undefined ? [list] : [under, list];

/** A group as an element of its list. */
export const elementOf = ({ event, group }: Placed, layout: Layout): JsonObject =>
  layout.kind === 'lists' ? group : { [layout.eventKey]: event, ...group };

/** The groups as new elements, in the given order. */
export function elementsOf(placed: readonly Placed[], layout: Layout): Lists {
  const lists = new Map<string, JsonObject[]>();
  for (const one of placed) {
    const name = listNameOf(one.event, layout);
    lists.set(name, [...(lists.get(name) ?? []), elementOf(one, layout)]);
  }
  return lists;
}

/** Whether a key is on the path to the groups, or names a list of them. */
export const leadsToGroups = ({ name, under }: Duplicate, layout: Layout): boolean =>
  layout.kind === 'lists'
    ? under === layout.under || (under === undefined && name === layout.under)
    : under === undefined && name === layout.list;

/** The change to one group. If `group` is undefined, the group is removed. */
export interface Change {
  readonly event: string;
  readonly index: number;
  readonly group: JsonValue | undefined;
}

/**
 * Caches the last results, because planning one change reads each text several times. The value with ANYTHING is the same as
 * with any dialect.
 */
export function cachedReader(read: Format['read']): Format['read'] {
  const recent = new Map<string, { dialect: Dialect; layout?: Layout; value: JsonObject }>();
  return (source, dialect, layout) => {
    const known = recent.get(source);
    const isChecked =
      (dialect === ANYTHING || dialect === known?.dialect) &&
      (layout === undefined || layout === known?.layout);
    if (known && isChecked) return known.value;
    const value = read(source, dialect, layout);
    if (recent.size >= 8) recent.clear();
    recent.set(source, { dialect, value, ...(layout && { layout }) });
    return value;
  };
}

/** Deep equality that ignores the order of keys. */
export function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}

/** The events and their groups. A row that names no event has the event ''. */
export function eventsOf(
  document: JsonObject,
  layout: Layout,
): ReadonlyMap<string, readonly JsonValue[]> {
  const lists = listsIn(document, layout);
  if (layout.kind === 'lists') return lists;
  const { list, eventKey } = layout;
  const events = new Map<string, JsonValue[]>();
  for (const row of lists.get(list) ?? []) {
    if (!isObject(row)) continue;
    const { [eventKey]: _, ...group } = row;
    const event = eventIn(row, layout);
    const groups = events.get(event) ?? [];
    events.set(event, groups);
    groups.push(group);
  }
  return events;
}

export const groupsOf = (document: JsonObject, layout: Layout): readonly JsonValue[] =>
  [...eventsOf(document, layout).values()].flat();

/** The value under a key of the document or, without a key, the document itself. */
const valueUnder = (document: JsonObject, key: string | undefined): JsonValue | undefined =>
  key === undefined ? document : Object.hasOwn(document, key) ? document[key] : undefined;

/** The lists with groups, by name. Values that are not lists have another purpose in the client. */
export function listsIn(
  document: JsonObject,
  layout: Layout,
): ReadonlyMap<string, readonly JsonValue[]> {
  const object = valueUnder(document, underOf(layout));
  const lists = new Map<string, readonly JsonValue[]>();
  if (!isObject(object)) return lists;
  for (const [name, value] of Object.entries(object))
    if (Array.isArray(value) && (layout.kind === 'lists' || name === layout.list))
      lists.set(name, value);
  return lists;
}

/** The position of group `index` of an event. The index is -1 if there is no such group. */
export const elementAt = (
  document: JsonObject,
  { event, index }: Pick<Change, 'event' | 'index'>,
  layout: Layout,
): ElementAt => ({
  list: pathTo(listNameOf(event, layout), underOf(layout)),
  index: layout.kind === 'lists' ? index : (rowsOf(document, event, layout)[index] ?? -1),
});

/** The indexes of an event's rows in the list of all rows. */
function rowsOf(document: JsonObject, event: string, layout: Rows): number[] {
  const rows = listsIn(document, layout).get(layout.list) ?? [];
  return [...rows.keys()].filter((at) => {
    const row = rows[at];
    return isObject(row) && eventIn(row, layout) === event;
  });
}

function eventIn(row: JsonObject, { eventKey }: Rows): string {
  const event = row[eventKey];
  return typeof event === 'string' ? event : '';
}

type Rows = Extract<Layout, { readonly kind: 'rows' }>;

/** The group that a path points to, and the rest of the path inside it. Undefined if the path points elsewhere. */
export function groupAt(document: JsonObject, path: Path, layout: Layout) {
  const under = underOf(layout);
  const [name, at, ...inside] = under === undefined ? path : path.slice(1);
  if ((under !== undefined && path[0] !== under) || name === undefined) return undefined;
  const position = at === undefined ? {} : { index: Number(at) };
  if (layout.kind === 'lists') return { event: String(name), ...position, inside };
  for (const event of eventsOf(document, layout).keys()) {
    const index = rowsOf(document, event, layout).indexOf(Number(at));
    if (name === layout.list && index !== -1) return { event, index, inside };
  }
  return undefined;
}

/** The document with groups changed, then others appended to their lists. */
export function changed(
  document: JsonObject,
  changes: readonly Change[],
  added: readonly Placed[],
  layout: Layout,
): JsonObject {
  const before = listsIn(document, layout);
  const next = new Map<string, (JsonValue | undefined)[]>();
  const listFor = (event: string) => {
    const name = listNameOf(event, layout);
    const list = next.get(name) ?? [...(before.get(name) ?? [])];
    next.set(name, list);
    return list;
  };
  for (const change of changes) {
    const { event, group } = change;
    const { index } = elementAt(document, change, layout);
    listFor(event)[index] = isObject(group) ? elementOf({ event, group }, layout) : group;
  }
  for (const one of added) listFor(one.event).push(elementOf(one, layout));
  if (next.size === 0) return document;
  const under = underOf(layout);
  const object = valueUnder(document, under);
  const lists = new Map(isObject(object) ? Object.entries(object) : []);
  for (const [name, list] of next)
    lists.set(
      name,
      list.filter((element) => element !== undefined),
    );
  return withLists(document, [...lists], under);
}

const withLists = (
  document: JsonObject,
  lists: readonly (readonly [string, JsonValue])[],
  under: string | undefined,
): JsonObject =>
  under === undefined
    ? Object.fromEntries(lists)
    : { ...document, [under]: Object.fromEntries(lists) };

/**
 * Whether a text, as its client reads it, has this value. Lists that we emptied may be missing. A trailing comma that our edit
 * leaves behind must be removed, even if this client accepts it.
 *
 * @param touched The names of the lists that were changed.
 * @param source The text before the change.
 */
export function hasExpectedValue(
  text: string,
  expected: JsonObject,
  touched: readonly string[],
  source: string | null,
  { format, dialect, layout }: Reading,
): boolean {
  const isAsExpected = () => {
    const is = withoutEmptied(format.read(text, dialect, layout), touched, layout);
    if (!equal(is, withoutEmptied(expected, touched, layout))) return false;
    const commas = format.trailingCommas(text).length;
    return commas === 0 || commas <= format.trailingCommas(source ?? '').length;
  };
  return unless(Refusal, isAsExpected, () => false);
}

/**
 * The client's dialect, extended by the violations that a text already contains. To take our entries out of such a text, it
 * must be readable, and the result may have no other violation.
 */
export function dialectOf(text: string, { format, dialect, layout }: Reading): Dialect {
  for (let own = dialect; ; ) {
    try {
      format.read(text, own, layout);
      return own;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const problem = error.problem as EditMessage;
      const key = problem.code === 'not-in-dialect' && RULES[problem.what];
      if (!key) return ANYTHING;
      own = { ...own, [key]: true };
    }
  }
}

const RULES: Readonly<Partial<Record<Unwelcome, keyof Dialect>>> = {
  'byte-order-mark': 'bom',
  empty: 'empty',
  comment: 'comments',
  'bare-return': 'returns',
  'trailing comma': 'trailingCommas',
};

/** The document without those of the lists that are empty, and without their object if nothing else is in it. */
function withoutEmptied(
  document: JsonObject,
  touched: readonly string[],
  layout: Layout,
): JsonObject {
  const under = underOf(layout);
  const object = valueUnder(document, under);
  if (touched.length === 0 || !isObject(object)) return document;
  const empty = new Set(emptyLists(document, touched, layout));
  const lists = Object.entries(object).filter(([name]) => !empty.has(name));
  if (under === undefined || lists.length > 0) return withLists(document, lists, under);
  const { [under]: _, ...rest } = document;
  return rest;
}

export function emptyLists(
  document: JsonObject,
  names: readonly string[],
  layout: Layout,
): string[] {
  const present = listsIn(document, layout);
  return [...new Set(names)].filter((name) => present.get(name)?.length === 0);
}

/** The rest of the document. */
export function withoutGroups(document: JsonObject, layout: Layout): JsonObject {
  const under = underOf(layout);
  const gone = under === undefined ? [...listsIn(document, layout).keys()] : [under];
  return Object.fromEntries(Object.entries(document).filter(([key]) => !gone.includes(key)));
}

/** Whether there is an empty object under a key. */
export function isObjectEmpty(document: JsonObject, key: string): boolean {
  const object = valueUnder(document, key);
  return isObject(object) && Object.keys(object).length === 0;
}

/** Only white space and at most a pair of braces. */
const isHollow = (text: string): boolean => /^\s*(?:\{\s*\}\s*)?$/.test(text);

/** Whether nothing was added to a file since we created it. */
export const isAsBegun = (text: string, start = ''): boolean =>
  isHollow(text) || text.trim() === start.trim();

/** The object and the lists that must be created in the document before groups can be added. */
export function newContainers(document: JsonObject, added: readonly Placed[], layout: Layout) {
  const present = listsIn(document, layout);
  const names = new Set(added.map(({ event }) => listNameOf(event, layout)));
  return {
    object: added.length > 0 && !isObject(valueUnder(document, underOf(layout))),
    lists: [...names].filter((name) => !present.has(name)),
  };
}
