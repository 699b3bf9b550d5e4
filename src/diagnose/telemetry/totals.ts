/** The totals of one label's firings, in the form of metrics. Pure. */

import * as z from 'zod/mini';
import { memoize } from '../../system/memoize.ts';
import { type Counted, type Counts, summed } from '../stats.ts';

/** The upper bounds of the histogram's buckets, in milliseconds. They include every limit in `stats`. */
export const BOUNDS: readonly number[] = [
  5, 10, 25, 50, 75, 100, 250, 500, 1000, 2000, 5000, 10_000, 30_000,
];

export const seriesShape = memoize(() =>
  z.object({
    client: z.string(),
    /** The client's own event. */
    event: z.string(),
    /** One hook. Empty for firings that failed before any hook was considered. */
    hooks: z.array(z.int()),
    firings: z.int(),
    failures: z.int(),
    characters: z.number(),
    /** Only timed firings. */
    milliseconds: z.object({
      count: z.int(),
      sum: z.number(),
      /** One more than there are bounds. */
      buckets: z.array(z.int()).check(z.length(BOUNDS.length + 1)),
    }),
  }),
);
/** The firings of a hook on one event of a client. */
export type Series = z.infer<ReturnType<typeof seriesShape>>;

export const totalsShape = memoize(() =>
  z.object({ entries: z.int(), series: z.array(seriesShape()) }),
);
/** `entries`: the number of firings, each of which may have had several hooks. */
type Totals = z.infer<ReturnType<typeof totalsShape>>;

/** The totals of real clients' firings. */
export const countedIn = ({ counted, entries }: Counts): Totals => ({
  entries,
  series: seriesOf(counted),
});

function seriesOf(all: readonly Counted[]): Series[] {
  const caused = all.filter(({ trial }) => !trial);
  const sums = summed(caused, ({ client, event, hook }) => JSON.stringify([client, event, hook]));
  return [...sums.values()].map(({ client, event, hook, ...one }) => ({
    client,
    event,
    hooks: hook === undefined ? [] : [hook],
    firings: one.firings,
    failures: one.failures,
    characters: one.characters,
    milliseconds: histogram(one),
  }));
}

function histogram({ sum, times }: Pick<Counted, 'sum' | 'times'>): Series['milliseconds'] {
  const buckets = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  let count = 0;
  for (const [time, often] of Object.entries(times)) {
    const found = BOUNDS.findIndex((bound) => Number(time) <= bound);
    const bucket = found === -1 ? BOUNDS.length : found;
    buckets[bucket] = (buckets[bucket] ?? 0) + often;
    count += often;
  }
  return { count, sum, buckets };
}

export const added = (before: readonly Series[], more: readonly Series[]): Series[] =>
  combined(before, more, (a, b) => a + b);

/** The increase since then. If a count has decreased, counting has started anew, so everything is new. */
export function sinceThen(now: Totals, then: Totals = { entries: 0, series: [] }): Totals {
  const left = combined(now.series, then.series, (a, b) => a - b);
  if (now.entries < then.entries || left.some(({ firings }) => firings < 0)) return now;
  return {
    entries: now.entries - then.entries,
    series: left.filter(({ firings }) => firings > 0),
  };
}

function combined(
  first: readonly Series[],
  second: readonly Series[],
  combine: (a: number, b: number) => number,
): Series[] {
  const byKey = (all: readonly Series[]) => new Map(all.map((one) => [keyOf(one), one]));
  const [ones, others] = [byKey(first), byKey(second)];
  return [...new Set([...ones.keys(), ...others.keys()])].flatMap((key): Series | [] => {
    const [a, b] = [ones.get(key), others.get(key)];
    const of = a ?? b;
    if (!of) return [];
    const { client, event, hooks } = of;
    const values = (pick: (series: Series) => number): number =>
      combine(a ? pick(a) : 0, b ? pick(b) : 0);
    return {
      client,
      event,
      hooks,
      firings: values((one) => one.firings),
      failures: values((one) => one.failures),
      characters: values((one) => one.characters),
      milliseconds: {
        count: values((one) => one.milliseconds.count),
        sum: values((one) => one.milliseconds.sum),
        buckets: of.milliseconds.buckets.map((_, at) =>
          values((one) => one.milliseconds.buckets[at] ?? 0),
        ),
      },
    };
  });
}

const keyOf = ({ client, event, hooks }: Pick<Series, 'client' | 'event' | 'hooks'>): string =>
  JSON.stringify([client, event, hooks]);
