/** The servers that clients have configured, one for each way in which one of a name is started or reached. */

import { isDeepStrictEqual } from 'node:util';
import { howOf } from '../../sources/alike.ts';
import { type Entry, winner } from '../../sources/configurations.ts';

/** One server: the entries that start or reach it in the same way, under one name. */
export interface Server {
  readonly name: string;
  readonly entry: Entry;
  /** Where else it stands just so. */
  readonly also: readonly Entry[];
}

/** Each client's own choice among entries of one name; the same in several clients is one. */
export function serversIn(
  entries: readonly Entry[],
  context: Parameters<typeof howOf>[1],
): Server[] {
  const servers: { name: string; entry: Entry; also: Entry[]; how: unknown }[] = [];
  for (const { client, name } of entries) {
    const entry = winner(entries.filter((one) => one.client === client && one.name === name));
    const isKnown = servers.some(
      (one) => one.entry === entry || one.also.some((other) => other === entry),
    );
    if (!entry || isKnown) continue;
    const how = howOf(entry, context);
    const same = servers.find((one) => one.name === name && isDeepStrictEqual(one.how, how));
    if (!same) servers.push({ name, entry, also: [], how });
    else if (isHarder(same.entry, entry)) {
      same.also.push(same.entry);
      same.entry = entry;
    } else same.also.push(entry);
  }
  return servers;
}

/** Whether the other one can be asked with less ado. */
const isHarder = (entry: Entry, other: Entry): boolean =>
  (entry.foreign && !other.foreign) || (entry.off !== undefined && other.off === undefined);
