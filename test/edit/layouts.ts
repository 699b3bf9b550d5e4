/** Documents with hooks in other places than under `hooks`, and the positions in them, without the code under test. */
import type { JSONPath } from 'jsonc-parser';
import { isObject, type JsonObject, type JsonValue, type Layout } from '../../src/edit/edit.ts';

export const UNDER_HOOKS: Layout = { kind: 'lists', under: 'hooks' };
export const AT_ROOT: Layout = { kind: 'lists' };
export const ROWS: Layout = { kind: 'rows', list: 'hooks', eventKey: 'event' };

/** A document with its hooks moved to the places of the layout. */
export function laidOut(document: JsonObject, layout: Layout): JsonObject {
  const { hooks, ...rest } = document;
  if (layout === UNDER_HOOKS || !isObject(hooks)) return document;
  return layout === ROWS ? { ...rest, hooks: rowsFrom(hooks) } : { ...rest, ...hooks };
}

/** The first group of each event, then the second of each, and so on. */
export function rowsFrom(hooks: JsonObject): JsonObject[] {
  const events = Object.entries(hooks).flatMap(([event, groups]) =>
    Array.isArray(groups) ? [{ event, groups: groups.filter(isObject) }] : [],
  );
  const most = Math.max(0, ...events.map(({ groups }) => groups.length));
  return Array.from({ length: most }).flatMap((_, nth) =>
    events.flatMap(({ event, groups }) => (groups[nth] ? [{ event, ...groups[nth] }] : [])),
  );
}

/** The reverse: everything in a list or a row is moved under `hooks`. */
export function underHooks(document: JsonObject, layout: Layout): JsonObject {
  if (layout === UNDER_HOOKS) return document;
  const { hooks: rows, ...rest } = document;
  if (layout === AT_ROOT) {
    const isList = ([, value]: [string, JsonValue]) => Array.isArray(value);
    const all = Object.entries(document);
    return {
      ...Object.fromEntries(all.filter((one) => !isList(one))),
      hooks: Object.fromEntries(all.filter(isList)),
    };
  }
  if (!Array.isArray(rows)) return document;
  const events = new Map<string, JsonValue[]>();
  for (const row of rows.filter(isObject)) {
    const { event: _, ...group } = row;
    events.set(eventIn(row), [...(events.get(eventIn(row)) ?? []), group]);
  }
  return { ...rest, hooks: Object.fromEntries(events) };
}

const eventIn = ({ event }: JsonObject): string => (typeof event === 'string' ? event : '');

/** Where a path below `hooks` is in a document of this layout. */
export function pathIn(document: JsonObject, path: JSONPath, layout: Layout): JSONPath {
  if (layout === UNDER_HOOKS || path[0] !== 'hooks') return path;
  if (layout === AT_ROOT) return path.slice(1);
  const [, event, index, ...inside] = path;
  const rows = Array.isArray(document.hooks) ? document.hooks : [];
  const own = [...rows.keys()].filter((at) => isObject(rows[at]) && eventIn(rows[at]) === event);
  if (event === undefined) return path;
  return ['hooks', own[Number(index)] ?? rows.length, ...inside];
}

/** A group as it is in a list of the layout. */
export const elementIn = (event: string, group: JsonValue, layout: Layout): JsonValue =>
  layout === ROWS && isObject(group) ? { event, ...group } : group;
