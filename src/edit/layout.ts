/** From groups and their events to the lists that a document has them in: what differs between layouts. */

import type { JsonObject, Layout, ListPath, Lists, Placed } from './edit.ts';
import type { Duplicate } from './outline.ts';

/** The key of the object with the lists; undefined: the document itself has them. */
export const underOf = (layout: Layout): string | undefined =>
  layout.kind === 'lists' ? layout.under : undefined;

/** The name of the list for an event's groups. */
export const listOf = (event: string, layout: Layout): string =>
  layout.kind === 'lists' ? event : layout.list;

export const pathTo = (list: string, under: string | undefined): ListPath =>
  under === undefined ? [list] : [under, list];

/** A group as an element of its list. */
export const elementOf = ({ event, group }: Placed, layout: Layout): JsonObject =>
  layout.kind === 'lists' ? group : { [layout.eventKey]: event, ...group };

/** The groups as new elements, in the order given. */
export function elementsOf(placed: readonly Placed[], layout: Layout): Lists {
  const lists = new Map<string, JsonObject[]>();
  for (const one of placed) {
    const name = listOf(one.event, layout);
    lists.set(name, [...(lists.get(name) ?? []), elementOf(one, layout)]);
  }
  return lists;
}

/** Whether a key is on the way to the groups, or names a list of them. */
export const leadsToGroups = ({ name, under }: Duplicate, layout: Layout): boolean =>
  layout.kind === 'lists'
    ? under === layout.under || (under === undefined && name === layout.under)
    : under === undefined && name === layout.list;
