/** The totals of one label's firings, in the form of metrics. Pure. */

import * as z from 'zod/mini';
import { memoize } from '../../system/memoize.ts';
import { type HookRun, type LogEntry, runsOf } from '../log.ts';

/** Upper bounds of the histogram's buckets, in milliseconds; each limit that `stats` has is one of them. */
export const BOUNDS: readonly number[] = [
  5, 10, 25, 50, 75, 100, 250, 500, 1000, 2000, 5000, 10_000, 30_000,
];

export const seriesShape = memoize(() =>
  z.object({
    client: z.string(),
    /** The client's own event. */
    event: z.string(),
    /** One hook. None for firings that failed before any was considered; several as earlier versions counted them. */
    hooks: z.array(z.int()),
    firings: z.int(),
    failures: z.int(),
    characters: z.number(),
    /** Only firings that were timed. */
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

/** Adds the entries to what was there. */
export function added(before: readonly Series[], entries: readonly LogEntry[]): Series[] {
  const all = new Map(before.map((one) => [keyOf(one), structuredClone(one)]));
  for (const entry of entries) {
    for (const run of runsOf(entry)) {
      const fresh = none(entry, run);
      const key = keyOf(fresh);
      const series = all.get(key) ?? fresh;
      all.set(key, series);
      series.firings += 1;
      series.characters += Math.round(run.characters);
      if (run.failed) series.failures += 1;
      if (run.milliseconds !== undefined) record(series, run.milliseconds);
    }
  }
  return [...all.values()];
}

const keyOf = ({ client, event, hooks }: Pick<Series, 'client' | 'event' | 'hooks'>): string =>
  JSON.stringify([client, event, hooks]);

const none = ({ client, event }: LogEntry, { hook }: HookRun): Series => ({
  client,
  event,
  hooks: hook === undefined ? [] : [hook],
  firings: 0,
  failures: 0,
  characters: 0,
  milliseconds: { count: 0, sum: 0, buckets: Array.from({ length: BOUNDS.length + 1 }, () => 0) },
});

function record({ milliseconds }: Series, time: number): void {
  const found = BOUNDS.findIndex((bound) => time <= bound);
  const bucket = found === -1 ? BOUNDS.length : found;
  milliseconds.count += 1;
  milliseconds.sum += time;
  milliseconds.buckets[bucket] = (milliseconds.buckets[bucket] ?? 0) + 1;
}
