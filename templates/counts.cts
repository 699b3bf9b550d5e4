/**
 * mcp-hooks: counts per day what a label's hooks have done, in `<label>.counts.json` next to its log, so that the log itself
 * can stay short. `mcp-hooks stats` uses these functions too, so it has the same numbers (src/diagnose/stats.ts).
 *
 * A log has two files: the current one, and an older one that was renamed. How far each has been counted is stored together
 * with the counts in one atomic write, and a file is identified by its beginning, not its name. So a process may be killed at
 * any time, and no line is lost or counted twice. No line is deleted before it is counted.
 */

import fs = require('node:fs');

import { createHash } from 'node:crypto';
import { textOf, withFile } from './files.cjs';
import { lockedNow, replace } from './lock.cjs';
import { attempt, isObject, parse } from './values.cjs';

const DAY = 24 * 60 * 60 * 1000;
/** The size in bytes of a log file above which a new one is begun. */
const FULL = 1024 * 1024;
/** Milliseconds for which a file is written to, and for which it is then kept. Both together are a month. */
const OLD = 15 * DAY;
/** Milliseconds without a change after which no process can still be about to write to a renamed file. */
const QUIET = 60_000;
/** The last days are counted separately, and all earlier days as one. */
const DAYS = 90;
/** The number of entries in the file of counts above which the earliest days are merged, too. */
const MANY = 5000;
/** The longest line, in bytes. */
const LONGEST = 16 * FULL;
/** A file is identified by the hash of this many bytes. */
const BEGINNING = 64 * 1024;

/** Reasons that are not failures. */
const FINE: readonly string[] = ['no-text', 'budget-estimated'];

/** The counts for one client, event and hook, for trials or real firings. */
interface Series {
  firings: number;
  failures: number;
  characters: number;
  sum: number;
  /** How often each duration in milliseconds occurred. */
  times: Record<string, number>;
}

interface Day {
  entries: number;
  trials: number;
  /** The key is the client, event, hook and whether it is a trial, as JSON. */
  series: Record<string, Series>;
}

/** How far a file has been counted. The file is identified by the hash of its beginning. */
interface Mark {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Counts {
  readonly version: 1;
  /** Lines that are not ours. */
  skipped: number;
  /** When the first line was written, as in Date.now(). */
  since?: number;
  marks: readonly Mark[];
  days: Record<string, Day>;
}

/** A line of a log (src/diagnose/log.ts). */
interface Entry {
  readonly at: number;
  readonly client: string;
  readonly event: string;
  readonly hooks: readonly number[];
  readonly characters: number;
  readonly milliseconds?: number;
  readonly trial?: unknown;
  readonly each?: readonly Run[];
  readonly why?: readonly { readonly code: string }[];
}

/** The result of a hook; without `hook`, none of the server's hooks was shown. */
interface Run {
  readonly hook?: number;
  readonly characters: number;
  readonly milliseconds?: number;
  readonly failed?: boolean;
  readonly noRoom?: boolean;
}

const filesOf = (log: string) => ({
  aside: `${log}.1`,
  log,
  counts: log.replace(/jsonl$/, 'counts.json'),
});
export const lockOf = (log: string): string => `${filesOf(log).counts}.lock`;
const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Counts the lines that are due to be removed, and removes them. Does nothing while another process does the same.
 *
 * @param log The path of the current file.
 * @param most The maximum number of bytes to read.
 */
export function shorten(log: string, now: number, most: number): void {
  const { aside } = filesOf(log);
  if (!isDue(log, now) && !isOverdue(aside, now)) return;
  lockedNow(lockOf(log), () => {
    const counts = countsIn(log);
    const left = counted(counts, aside, most, now);
    if (left !== most) write(log, counts);
    letGo(log, counts, now);
  });
}

/** Whether a new file must be begun: the current one is full, or its first line is old. */
function isDue(log: string, now: number): boolean {
  const size = sizeOf(log);
  if (size === 0 || size > FULL) return size > 0;
  const first = withFile(log, (handle) => read(handle, 0, 4096).toString('utf8').split('\n', 1)[0]);
  const { at } = Object(parse(first ?? ''));
  return typeof at === 'number' && now - at > OLD;
}

/** Whether the older file is longer than we keep it, or has not been written to for long. */
function isOverdue(aside: string, now: number): boolean {
  const found = fs.statSync(aside, { throwIfNoEntry: false });
  return found !== undefined && (found.size > 2 * FULL || now - found.mtimeMs > OLD);
}

/** Replaces the older file with the current one, once all of the older file is counted and no process can still write to it. */
function letGo(log: string, counts: Counts, now: number): void {
  const { aside } = filesOf(log);
  const found = fs.statSync(aside, { throwIfNoEntry: false });
  const isFree = !found?.isFile() || (isWhole(counts, aside) && Date.now() - found.ctimeMs > QUIET);
  if (!isFree) return;
  if (isDue(log, now)) fs.renameSync(log, aside);
  else if (found && now - found.mtimeMs > OLD) fs.rmSync(aside, { force: true });
  else if (found && found.size > 2 * FULL) cut(log, counts);
}

/** Keeps only the end of the older file. The counts of the removed part are saved before. */
function cut(log: string, counts: Counts): void {
  const { aside } = filesOf(log);
  const end = withFile(aside, (handle, size) => read(handle, size - FULL, size));
  if (!end) return;
  const lines = end.subarray(end.indexOf(10) + 1);
  const mark = { bytes: lines.length, sha256: hashOf(lines.subarray(0, BEGINNING)) };
  counts.marks = [...counts.marks, mark];
  write(log, counts);
  replace(aside, lines);
}

/** All counts, including the lines of both files that were not counted so far. */
export function countAll(log: string, now: number): Counts {
  const counts = countsIn(log);
  const { aside } = filesOf(log);
  for (const file of [aside, log]) counted(counts, file, Number.POSITIVE_INFINITY, now);
  return counts;
}

/** The same, saved, so that the lines are not read again. Only for one process at a time. */
export function noteAll(log: string, now: number): Counts {
  const counts = countAll(log, now);
  write(log, counts);
  letGo(log, counts, now);
  return counts;
}

/** Counts the uncounted lines of a file. Returns how many of the allowed bytes are left. */
function counted(counts: Counts, file: string, most: number, now: number): number {
  let left = most;
  if (!fs.existsSync(file)) return left;
  withFile(file, (handle, size) => {
    const mark = markFor(counts, handle, size);
    let from = Math.min(mark?.bytes ?? 0, size);
    let length = FULL;
    while (from < size && left > 0) {
      const bytes = read(handle, from, Math.min(size, from + length));
      const whole = bytes.lastIndexOf(10) + 1;
      if (whole === 0) {
        if (bytes.length < length) break; // the last line is still being written
        if (length < LONGEST) {
          length *= 2;
          continue;
        }
      }
      const used = whole === 0 ? bytes.length : whole;
      countLines(counts, bytes.toString('utf8', 0, used));
      from += used;
      left = Math.max(0, left - used);
      length = FULL;
    }
    const others = counts.marks.filter((one) => one !== mark);
    const now = { bytes: from, sha256: hashOf(read(handle, 0, Math.min(from, BEGINNING))) };
    counts.marks = from === 0 ? others : [now, ...others].slice(0, 4);
  });
  merge(counts, now);
  return left;
}

/** The mark of a file with this beginning; the longest, if there are several. */
function markFor({ marks }: Counts, handle: number, size: number): Mark | undefined {
  const beginning = read(handle, 0, Math.min(size, BEGINNING));
  return marks
    .filter(({ bytes, sha256 }) => {
      const known = Math.min(bytes, BEGINNING);
      return known <= beginning.length && hashOf(beginning.subarray(0, known)) === sha256;
    })
    .sort((a, b) => b.bytes - a.bytes)[0];
}

/** Whether every line of a file was counted. The last line may be cut off, if the machine stopped. */
const isWhole = (counts: Counts, file: string): boolean =>
  !fs.existsSync(file) ||
  withFile(file, (handle, size) => {
    const { bytes } = markFor(counts, handle, size) ?? { bytes: 0 };
    return size - bytes < LONGEST && !read(handle, bytes, size).includes(10);
  }) === true;

export function countLines(counts: Counts, text: string): void {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const entry = parse(line);
    if (isEntry(entry)) count(counts, entry);
    else counts.skipped++;
  }
}

function isEntry(entry: unknown): entry is Entry {
  if (!isObject(entry)) return false;
  const { at, client, event, hooks, characters, milliseconds = 0, each = [], why = [] } = entry;
  return (
    isNumber(at) &&
    Math.abs(at) <= 8.64e15 &&
    typeof client === 'string' &&
    typeof event === 'string' &&
    client.length + event.length <= 200 &&
    Array.isArray(hooks) &&
    hooks.every(Number.isInteger) &&
    isNumber(characters) &&
    isNumber(milliseconds) &&
    Array.isArray(each) &&
    each.every(
      (one) =>
        isObject(one) &&
        Number.isInteger(one.hook) &&
        isNumber(one.characters) &&
        isNumber(one.milliseconds ?? 0),
    ) &&
    Array.isArray(why) &&
    why.every((one) => isObject(one) && typeof one.code === 'string')
  );
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function count(counts: Counts, entry: Entry): void {
  const { at, client, event } = entry;
  const trial = entry.trial === true;
  const day = new Date(at).toISOString().slice(0, -14);
  counts.days[day] ??= noDay();
  const of = counts.days[day];
  of[trial ? 'trials' : 'entries']++;
  if (!trial) counts.since = Math.min(counts.since ?? at, at);
  for (const run of runsOf(entry)) {
    const series = seriesOf(of, JSON.stringify([client, event, run.hook ?? null, trial]));
    series.firings++;
    if (run.failed) series.failures++;
    series.characters += run.characters;
    if (run.milliseconds === undefined) continue;
    const time = rounded(run.milliseconds);
    series.sum += run.milliseconds;
    series.times[time] = (series.times[time] ?? 0) + 1;
  }
}

/** The result of each hook in a firing. A failure counts for all of them if the log does not name the hook. */
function runsOf(entry: Entry): Run[] {
  const { hooks, characters, milliseconds, each } = entry;
  const [hook] = hooks;
  // A text that the client drops is not a failure, and was not shown.
  const why = (entry.why ?? []).filter(({ code }) => code !== 'dropped');
  if (!each && hook === undefined && entry.why && why.length === 0) return [];
  const known = each?.some((one) => one.failed === true) ?? false;
  const failed = !known && why.some(({ code }) => !FINE.includes(code));
  // A text without room had no effect. But if a tool was asked, that took time.
  const ran = each?.filter((one) => !one.noRoom || one.milliseconds !== undefined);
  return ran
    ? ran.map((one) => ({ ...one, failed: failed || one.failed === true }))
    : [{ hook, characters, milliseconds, failed }];
}

/** Milliseconds, rounded up to three digits. A reader needs no more, and the number of distinct values stays small. */
function rounded(time: number): number {
  const step = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(1, time) + 1)) - 3);
  return Math.max(0, Math.ceil(time / step) * step);
}

/** Merges all old days into one, so that the counts do not grow forever. */
function merge({ days }: Counts, now: number): void {
  const first = new Date(now - DAYS * DAY).toISOString().slice(0, -14);
  const names = Object.keys(days).filter((day) => day !== EARLIER);
  names.sort();
  let many = Object.values(days).reduce((sum, day) => sum + Object.keys(day.series).length, 0);
  for (const day of names) {
    if (day >= first && many <= MANY) continue;
    const old = days[day] ?? noDay();
    many -= Object.keys(old.series).length;
    days[EARLIER] ??= noDay();
    add(days[EARLIER], old);
    delete days[day];
  }
}
const EARLIER = 'earlier';

function add(to: Day, { entries, trials, series }: Day): void {
  to.entries += entries;
  to.trials += trials;
  for (const [key, one] of Object.entries(series)) {
    const all = seriesOf(to, key);
    for (const name of ['firings', 'failures', 'characters', 'sum'] as const)
      all[name] += one[name];
    for (const [time, times] of Object.entries(one.times))
      all.times[time] = (all.times[time] ?? 0) + times;
  }
}

function seriesOf({ series }: Day, key: string): Series {
  series[key] ??= { firings: 0, failures: 0, characters: 0, sum: 0, times: {} };
  return series[key];
}

const noDay = (): Day => ({ entries: 0, trials: 0, series: {} });

export const none = (): Counts => ({ version: 1, skipped: 0, marks: [], days: {} });

/** The counts so far. An unreadable file is started anew. */
function countsIn(log: string): Counts {
  const { counts: file } = filesOf(log);
  const found = fs.existsSync(file) ? parse(textOf(file) ?? '') : undefined;
  return isCounts(found) ? found : none();
}

function isCounts(given: unknown): given is Counts {
  const isSeries = ({ firings, failures, characters, sum, times }: Series) =>
    [firings, failures, characters, sum].every(isNumber) && Object.values(times).every(isNumber);
  // Whatever the value is: a missing property throws.
  const found = given as Counts;
  const isWhole = attempt(
    () =>
      found.version === 1 &&
      isNumber(found.skipped) &&
      found.marks.every(({ bytes, sha256 }) => isNumber(bytes) && typeof sha256 === 'string') &&
      Object.values(found.days).every(
        ({ entries, trials, series }) =>
          [entries, trials].every(isNumber) &&
          Object.entries(series).every(([key, one]) => Array.isArray(parse(key)) && isSeries(one)),
      ),
  );
  return isWhole === true;
}

const write = (log: string, counts: Counts): void =>
  replace(filesOf(log).counts, `${JSON.stringify(counts)}\n`);

function read(handle: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, to - from));
  let length = 0;
  while (length < bytes.length) {
    const more = fs.readSync(handle, bytes, length, bytes.length - length, from + length);
    if (more === 0) break;
    length += more;
  }
  return bytes.subarray(0, length);
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
