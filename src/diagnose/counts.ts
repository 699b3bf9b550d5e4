/** What a label's hooks have done, counted: what templates/counts.cts has noted of lines that may be gone, and the rest of the log. */

import { statSync } from 'node:fs';
import { countFiles, logFiles } from '../clients/places.ts';
import { attempt } from '../system/errors.ts';
import { cannotWrite, read } from '../system/files.ts';
import { processes } from '../system/process-id.ts';
import { runnerCode } from '../system/runner-code.ts';

/** The firings of one hook on one event of a client, on one day. */
export interface Counted {
  readonly label: string;
  /** In UTC, as 2026-01-05; `earlier`: all days that are long ago. */
  readonly day: string;
  readonly client: string;
  /** The client's own event. */
  readonly event: string;
  /** Counted from 1. Absent for firings that failed before any hook was considered. */
  readonly hook?: number;
  /** `fire` or `verify` ran the hook, not a client. */
  readonly trial: boolean;
  readonly firings: number;
  readonly failures: number;
  readonly characters: number;
  /** Milliseconds of those that were timed: all together, and how often each time was taken, rounded up to three digits. */
  readonly sum: number;
  readonly times: Readonly<Record<string, number>>;
}

export interface Counts {
  readonly counted: readonly Counted[];
  /** Lines of the log, without and with those of `fire` and `verify`. */
  readonly entries: number;
  readonly trials: number;
  /** Lines that are cut, or written by somebody else. */
  readonly skipped: number;
  /** Milliseconds since 1970: the first firing. */
  readonly since?: number | undefined;
  /** How far each file was counted, the older one last. */
  readonly marks: Noted['marks'];
}

type Series = Pick<Counted, 'firings' | 'failures' | 'characters' | 'sum' | 'times'>;
const code = () => runnerCode('./counts.cjs');
type Noted = ReturnType<ReturnType<typeof code>['none']>;

/** Bytes of a log that are not read each time, but counted once and noted. The runner keeps logs shorter than that. */
const LONG = 4 * 1024 * 1024;
/** Milliseconds to wait for another process that counts. */
const PATIENCE = 10_000;

/** @param isNoted Whether it has to be noted, so that what is counted never becomes less. */
export async function countsOf(state: string, label: string, isNoted = false): Promise<Counts> {
  const files = logFiles(state, label);
  const [, log] = files;
  const found = files.flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
  // A log that cannot be read must not look empty.
  if (found.some((one) => !one.isFile())) for (const file of files) read(file);
  const isLong = found.reduce((sum, { size }) => sum + size, 0) > LONG;
  const [file, lock] = countFiles(state, label);
  const noted = async () => {
    try {
      const note = () => code().noteAll(log, Date.now());
      return await processes().locked(lock, Date.now() + PATIENCE, note);
    } catch (error) {
      if (isNoted) throw cannotWrite(file, error);
      return undefined; // where nothing can be written, it is counted each time
    }
  };
  const done = isNoted || isLong ? await noted() : undefined;
  try {
    return inOrder(label, done ?? code().countAll(log, Date.now()));
  } catch (error) {
    for (const one of files) read(one); // says why it cannot be read
    throw error;
  }
}

/** What is in these lines of a log. */
export function countsIn(label: string, text: string): Counts {
  const counts = code().none();
  code().countLines(counts, text);
  return inOrder(label, counts);
}

function inOrder(label: string, { days, skipped, since, marks }: Noted): Counts {
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
  return { counted, entries: sum('entries'), trials: sum('trials'), skipped, since, marks };
}

/** Sums of what was counted in several places, by `keyOf`. */
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
