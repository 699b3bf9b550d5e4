/** Changes one label's groups one at a time, in the tree of the file. Nothing else moves. */

import { fingerprint } from '../system/fingerprint.ts';
import {
  ANYTHING,
  type ItemPath,
  isObject,
  type JsonObject,
  type JsonValue,
  type Path,
  Refusal,
  type Span,
  splice,
} from './edit.ts';
import type { EditMessage } from './messages.ts';
import type { Arrangement, Options } from './record.ts';
import { follow, ownedAt, traceable, withInsertions } from './record.ts';
import { refusal } from './text.ts';
import {
  type Change,
  changed,
  elementAt,
  elementOf,
  elementsOf,
  emptyLists,
  equal,
  eventsOf,
  hasExpectedValue,
  isAsBegun,
  isObjectEmpty,
  listNameOf,
  listsIn,
  newContainers,
  pathTo,
  underOf,
} from './value.ts';

/** The value at one index of an event, and its replacement. If `group` is undefined, it is removed. */
interface Cell {
  /** null for an empty group of ours; undefined if the group is not ours. */
  readonly label: string | null | undefined;
  readonly group: JsonValue | undefined;
  /** Our handlers in a group that also has others: only these are taken out. */
  readonly handlers?: readonly ItemPath[];
}

/** @param inserted Our spans of the text, if they are known. They are updated with each change. */
export function byTree(
  source: string,
  before: JsonObject,
  options: Options,
  inserted?: readonly Span[],
): Arrangement {
  const { format, dialect, layout, record, label, want } = options;
  const under = underOf(layout);
  const read = (text: string) => format.read(text, dialect, layout);
  const wanted = new Map(want.map(({ event, group }) => [event, group]));
  const rows = [...eventsOf(before, layout)].map(([event, groups]) => {
    const row = { event, groups, cells: cellsOf(event, groups, wanted.get(event), options) };
    if (row.cells.some((cell) => cell.label === label)) wanted.delete(event);
    return row;
  });
  const changes = rows.flatMap(({ event, groups, cells }) =>
    cells.flatMap(({ group, handlers }, index): (Change & Pick<Cell, 'handlers'>)[] =>
      equal(group, groups[index]) ? [] : [{ event, index, group, ...(handlers && { handlers }) }],
    ),
  );
  for (const { handlers = [undefined], ...spot } of changes)
    for (const item of handlers) {
      const why = whyKept(source, { ...spot, item }, options);
      if (why) throw why;
    }
  const added = [...wanted].map(([event, group]) => ({ event, group }));

  let text = source;
  let spans = inserted;
  const edit = (next: string) => {
    spans = spans && follow(spans, text, next);
    text = next;
  };
  // From the end, so that groups that are still to be changed keep their index.
  for (const { handlers, ...change } of changes.toReversed()) {
    const { event, group } = change;
    const at = elementAt(read(text), change, layout);
    const next = isObject(group) ? elementOf({ event, group }, layout) : undefined;
    if (!handlers) edit(format.replace(text, at, next));
    for (const handler of handlers?.toReversed() ?? []) edit(format.withoutItem(text, at, handler));
  }
  const lists = elementsOf(added, layout);
  const made = record?.created.lists.filter((list) => !lists.has(list)) ?? [];
  for (const list of emptyLists(read(text), made, layout))
    edit(format.prune(text, pathTo(list, under)));
  const isOursEmpty = record?.created.object && added.length === 0;
  if (under !== undefined && isOursEmpty && isObjectEmpty(read(text), under))
    edit(format.prune(text, [under]));
  const created = newContainers(read(text), added, layout);
  if (added.length > 0) {
    const insertions = format.insert(text, lists, under);
    spans = spans && withInsertions(spans, insertions);
    text = splice(text, insertions);
  }

  const touched = [...changes.map(({ event }) => listNameOf(event, layout)), ...made];
  if (!hasExpectedValue(text, changed(before, changes, added, layout), touched, source, options))
    throw new Refusal<EditMessage>({ code: 'changes-too-much' });

  const present = eventsOf(read(text), layout);
  const owned = [
    ...rows.flatMap(({ event, cells }) =>
      cells
        .filter(({ group }) => group !== undefined)
        .flatMap(({ label, group }, index) =>
          label !== undefined && isObject(group)
            ? [ownedAt({ label, event, group }, index, options)]
            : [],
        ),
    ),
    ...added.map((one) =>
      ownedAt({ ...one, label }, (present.get(one.event)?.length ?? 0) - 1, options),
    ),
  ];
  const existed = record?.existed ?? true;
  if (owned.length === 0) {
    const isGone = !existed && isAsBegun(text, options.start);
    return { text: isGone ? null : text, record: null };
  }

  const after = fingerprint(text);
  if (record?.after === after && text === source) return { text, record };
  const madeLists = [...(record?.created.lists ?? []), ...created.lists];
  const left = listsIn(read(text), layout);
  return {
    text,
    record: {
      existed,
      after,
      inserted: spans ? traceable(text, spans) : null,
      owned,
      created: {
        object: record?.created.object || created.object,
        lists: [...new Set(madeLists)].filter((list) => left.has(list)),
      },
    },
  };
}

function cellsOf(
  event: string,
  groups: readonly JsonValue[],
  want: JsonObject | undefined,
  { label, ownerOf, handlersOf, placeholder, record }: Options,
): Cell[] {
  const empty = [...groups.keys()].filter((index) => equal(groups[index], placeholder));
  const left = record?.owned.filter((own) => own.label === null && own.event === event).length ?? 0;
  // The user may have empty groups, too. Ours were added later.
  const vacant = new Set(left > 0 ? empty.slice(-left) : []);
  let wanted = want;
  const cells = groups.map((group, index): Cell => {
    const owner = vacant.has(index) ? null : ownerOf(group);
    const handlers = owner === undefined ? handlersOf(group, label) : [];
    if (handlers.length > 0)
      return { label: undefined, group: withoutItems(group, handlers), handlers };
    if (owner !== label) return { label: owner, group };
    const next = wanted;
    wanted = undefined;
    if (next) return { label, group: next };
    return { label: null, group: placeholder };
  });

  const free = cells.findIndex((cell) => cell.label === null && cell.group !== undefined);
  if (wanted && free !== -1) cells[free] = { label, group: wanted };
  // No group follows these, so they are not needed to preserve positions.
  for (let last = cells.length - 1; cells[last]?.label === null; last -= 1)
    cells[last] = { label: null, group: undefined };
  return cells;
}

/** @param items Items of a single list. */
function withoutItems(group: JsonValue, items: readonly ItemPath[]): JsonValue {
  const [key = ''] = items[0] ?? [];
  const list = isObject(group) ? group[key] : undefined;
  if (!isObject(group) || !Array.isArray(list)) return group;
  return { ...group, [key]: list.filter((_, at) => items.every(([, index]) => index !== at)) };
}

/** The position of a group or, with `item`, of one of the handlers in it. */
export interface Spot {
  readonly event: string;
  readonly index: number;
  readonly item?: ItemPath | undefined;
}

/** Whether every key in a group is one that we write. */
export function hasOurKeysOnly(
  value: JsonValue,
  isOurKey: Options['isOurKey'],
  path: Path = [],
): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return isOurKey(at) && hasOurKeysOnly(inner, isOurKey, at);
  });
}

/** Why one of our groups has to stay as it is. Undefined if all of it is ours. */
export function whyKept(
  source: string,
  { item, ...spot }: Spot,
  { format, layout, isOurKey }: Pick<Options, 'format' | 'layout' | 'isOurKey'>,
) {
  const { event } = spot;
  const isEvent = ([key, ...more]: Path) =>
    layout.kind === 'rows' && key === layout.eventKey && more.length === 0;
  const strange = (path: Path) =>
    isEvent(path) ? -1 : path.findIndex((_, at) => !isOurKey(path.slice(0, at + 1)));
  const document = format.read(source, ANYTHING, layout);
  const found = format
    .inside(source, elementAt(document, spot, layout), item)
    .map(({ offset, path }) => ({ offset, key: path?.[strange(path)], isComment: !path }))
    .filter(({ key, isComment }) => key !== undefined || isComment);
  const [first] = found;
  if (!first) return undefined;
  const keys = [...new Set(found.flatMap(({ key }) => (key === undefined ? [] : [String(key)])))];
  const { hasTables } = format;
  return refusal(source, first.offset, { code: 'not-ours-inside', event, keys, hasTables });
}
