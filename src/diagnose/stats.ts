/** Counts what hooks have done: how often each ran, how much text it added, how long it took, and whether that was too long. */

import { statSync } from 'node:fs';
import { countFiles, logFiles } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import type { Event, HookDeclaration } from '../declaration/declaration.ts';
import { RULES, type Rules } from '../declaration/policy.ts';
import { attempt } from '../system/errors.ts';
import { cannotWrite, read } from '../system/files.ts';
import { processes } from '../system/process-id.ts';
import { runnerCode } from '../system/runner-code.ts';

/** The firings of one hook on one event of a client, on one day. */
export interface Counted {
  readonly label: string;
  /** In UTC, such as 2026-01-05; `earlier`: all old days together. */
  readonly day: string;
  readonly client: string;
  /** The client's own event. */
  readonly event: string;
  /** Counted from 1. Absent for firings that failed before any hook was considered. */
  readonly hook?: number;
  /** Run by `fire` or `verify`, not by a client. */
  readonly trial: boolean;
  /** How often it was shown, decided, or was asked and had nothing to show. */
  readonly firings: number;
  /** Firings that failed. */
  readonly failures: number;
  readonly characters: number;
  /** For timed firings: the total milliseconds, and how often each duration occurred, rounded up to three digits. */
  readonly sum: number;
  readonly times: Readonly<Record<string, number>>;
}

export interface Counts {
  readonly counted: readonly Counted[];
  /** The number of lines in the log, without and with those of `fire` and `verify`. */
  readonly entries: number;
  readonly trials: number;
  /** Lines that are incomplete, or not written by the runner. */
  readonly skipped: number;
  /** The time of the first firing, in milliseconds since 1970. */
  readonly since?: number | undefined;
}

type Series = Pick<Counted, 'firings' | 'failures' | 'characters' | 'sum' | 'times'>;
const code = () => runnerCode('./counts.cjs');
type Noted = ReturnType<ReturnType<typeof code>['none']>;

/** The size in bytes above which the counts of a log are saved instead of computed each time. The runner keeps logs shorter. */
const LONG = 4 * 1024 * 1024;
/** Milliseconds to wait for another process that counts. */
const PATIENCE = 10_000;

/** @param isNoted Whether the counts must be saved, so that they never decrease. */
export async function countsOf(state: string, label: string, isNoted = false): Promise<Counts> {
  const files = logFiles(state, label);
  const [, log] = files;
  const found = files.flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
  // An unreadable log must not look empty.
  if (found.some((one) => !one.isFile())) for (const file of files) read(file);
  const isLong = found.reduce((sum, { size }) => sum + size, 0) > LONG;
  const [file, lock] = countFiles(state, label);
  const noted = async () => {
    try {
      const note = () => code().noteAll(log, Date.now());
      return await processes().locked(lock, Date.now() + PATIENCE, note);
    } catch (error) {
      if (isNoted) throw cannotWrite(file, error);
      return undefined; // without write access, everything is counted each time
    }
  };
  const done = isNoted || isLong ? await noted() : undefined;
  try {
    return countsFrom(label, done ?? code().countAll(log, Date.now()));
  } catch (error) {
    for (const one of files) read(one); // throws the reason why it cannot be read
    throw error;
  }
}

/** The counts that the runner has saved, by hook. */
export function countsFrom(label: string, { days, skipped, since }: Noted): Counts {
  const sum = (of: 'entries' | 'trials') =>
    Object.values(days).reduce((all, day) => all + day[of], 0);
  const counted = Object.entries(days).flatMap(([day, { series }]) =>
    Object.entries(series).flatMap(([key, one]): Counted | [] => {
      const [client, event, hook, trial] = attempt(() => JSON.parse(key)) ?? [];
      if (typeof client !== 'string' || typeof event !== 'string') return [];
      const of = { label, day, client, event, trial: trial === true };
      return { ...of, ...(typeof hook === 'number' && { hook }), ...one };
    }),
  );
  return { counted, entries: sum('entries'), trials: sum('trials'), skipped, since };
}

/** The sums of counts with the same key, by `keyOf`. */
export function summed<T extends Counted>(
  all: readonly T[],
  keyOf: (one: T) => string,
): Map<string, T> {
  const sums = new Map<string, T>();
  for (const one of all) {
    const key = keyOf(one);
    const other = sums.get(key);
    sums.set(key, other ? { ...other, ...sumOf(other, one) } : one);
  }
  return sums;
}

function sumOf(a: Series, b: Series): Series {
  const times = { ...a.times };
  for (const [time, often] of Object.entries(b.times)) times[time] = (times[time] ?? 0) + often;
  return {
    firings: a.firings + b.firings,
    failures: a.failures + b.failures,
    characters: a.characters + b.characters,
    sum: a.sum + b.sum,
    times,
  };
}

/** The firings of a hook on one event of a client. */
export interface Stat extends Omit<Counted, 'day' | 'trial' | 'sum' | 'times'> {
  /** The number of timed firings. The first stage answers without a clock. */
  readonly timed: number;
  /** The milliseconds that 50 and 99 percent of the firings did not exceed; absent if no duration is known. */
  readonly p50?: number;
  readonly p99?: number;
  /** The milliseconds that such a hook should take at most; absent if the hook is unknown. */
  readonly limit?: number;
  readonly over: boolean;
}

/**
 * The milliseconds that a hook should take at most. These are the latency classes of the subcog design. Events that it does not
 * have use the nearest class. A tool or program has its own deadline instead.
 */
export const LATENCY: Readonly<Record<Event, number>> = {
  session_start: 2000,
  pre_request: 50,
  pre_tool_use: 100,
  post_tool_use: 100,
  tool_error: 100,
  budget_exceeded: 100,
  pre_compact: 500,
  post_compact: 500,
  subagent_start: 2000,
  subagent_end: 5000,
  post_request: 5000,
  session_end: 5000,
  notification: 5000,
};

/** @param limitOf Milliseconds for one hook of a label; undefined if the hook is unknown. */
export function statsOf(
  all: readonly Counted[],
  limitOf: (label: string, hook: number) => number | undefined,
): Stat[] {
  const keyOf = ({ label, client, event, hook = 0 }: Counted) =>
    JSON.stringify([label, client, event, hook]);
  return [...summed(all, keyOf).values()]
    .sort(compare)
    .map((one) => statOf(one, one.hook === undefined ? undefined : limitOf(one.label, one.hook)));
}

/** Clients are in the same order as in all other commands, with unknown ones last. */
const orderOf = (client: string): number => {
  const at = CLIENTS.findIndex(({ id }) => id === client);
  return at < 0 ? CLIENTS.length : at;
};

const compare = (a: Counted, b: Counted): number =>
  a.label.localeCompare(b.label) ||
  orderOf(a.client) - orderOf(b.client) ||
  a.client.localeCompare(b.client) ||
  a.event.localeCompare(b.event) ||
  (a.hook ?? 0) - (b.hook ?? 0);

function statOf(counted: Counted, limit: number | undefined): Stat {
  const { label, client, event, hook, firings, failures, characters } = counted;
  const times = Object.entries(counted.times)
    .map(([time, often]) => ({ time: Number(time), often }))
    .sort((a, b) => a.time - b.time);
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
  return {
    ...{ label, client, event },
    ...(hook !== undefined && { hook }),
    ...{ firings, failures, characters },
    timed: numberOf(times),
    ...(p50 !== undefined && { p50 }),
    ...(p99 !== undefined && { p99 }),
    ...(limit !== undefined && { limit }),
    over: p99 !== undefined && limit !== undefined && p99 > limit,
  };
}

interface Time {
  readonly time: number;
  readonly often: number;
}
const numberOf = (times: readonly Time[]): number =>
  times.reduce((all, { often }) => all + often, 0);

/** The smallest of the sorted durations that this percentage of them does not exceed. */
function percentile(sorted: readonly Time[], percent: number): number | undefined {
  let left = Math.max(1, Math.ceil((percent / 100) * numberOf(sorted)));
  for (const { time, often } of sorted) {
    left -= often;
    if (left <= 0) return time;
  }
  return undefined;
}

/** Milliseconds for a hook. For a tool or program, as in templates/chain.cts. */
export function limitFor(hook: HookDeclaration, rules: Rules): number {
  const { event, context_tool, command } = hook;
  if (context_tool === undefined && command === undefined) return LATENCY[event];
  const rule = event === 'session_end' ? 'sessionEndSeconds' : 'toolSeconds';
  const most = 1000 * rules[rule];
  const { deadline = most } = hook;
  return rules[rule] === RULES[rule] ? deadline : Math.min(deadline, most);
}
