/**
 * mcp-hooks: what a label's hooks have done, counted by day in `<label>.counts.json` next to its log, so that the log itself
 * can be short. `mcp-hooks stats` has the same numbers from here (src/diagnose/counts.ts).
 *
 * A log has two files: the current one, and an older one that was renamed. How far each was counted is noted together with
 * the counts, in one atomic write, and a file is known by how it begins and not by its name. So whoever is killed, and
 * whenever, no line is lost or counted twice. No line goes before it was counted.
 */

import fs = require('node:fs');

import { createHash } from 'node:crypto';
import { textOf, withFile } from './files.cjs';
import { lockedNow, replace } from './lock.cjs';
import { attempt, isObject, parse } from './values.cjs';

const DAY = 24 * 60 * 60 * 1000;
/** Bytes of a log file beyond which a new one is begun. */
const FULL = 1024 * 1024;
/** Milliseconds: for so long a file is written to, and for so long again it is kept. Both together are a month. */
const OLD = 15 * DAY;
/** Milliseconds without a change after which nobody can still be about to write to a file that was renamed. */
const QUIET = 60_000;
/** Counts of the last days are kept for each day, and those of all earlier days as one. */
const DAYS = 90;
/** Entries in the file of counts, beyond which the earliest days become one, too. */
const MANY = 5000;
/** The longest line. */
const LONGEST = 16 * FULL;
/** Bytes by whose hash a file is known. */
const BEGINNING = 64 * 1024;

/** Reasons that are no failures. */
const FINE: readonly string[] = ['no-text', 'budget-estimated'];

/** What was done for one client, event and hook, as trials or not. */
interface Series {
  firings: number;
  failures: number;
  characters: number;
  sum: number;
  /** How often something took so many milliseconds. */
  times: Record<string, number>;
}

interface Day {
  entries: number;
  trials: number;
  /** By client, event, hook and whether it is a trial, as JSON. */
  series: Record<string, Series>;
}

/** How far a file was counted, which is known by the hash of how it begins. */
interface Mark {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Counts {
  readonly version: 1;
  /** Lines that are none of ours. */
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

/** What a hook did; without `hook`, none of the server's was shown. */
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
 * Counts what is to go, and lets it go. Does nothing while another process does it.
 *
 * @param log The path of the current file.
 * @param most How many bytes may be read.
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

/** Whether a new file has to be begun: this one is full, or its first line is old. */
function isDue(log: string, now: number): boolean {
  const size = sizeOf(log);
  if (size === 0 || size > FULL) return size > 0;
  const first = withFile(log, (handle) => read(handle, 0, 4096).toString('utf8').split('\n', 1)[0]);
  const { at } = Object(parse(first ?? ''));
  return typeof at === 'number' && now - at > OLD;
}

/** Whether the older file is longer than it becomes here, or was not written to for long. */
function isOverdue(aside: string, now: number): boolean {
  const found = fs.statSync(aside, { throwIfNoEntry: false });
  return found !== undefined && (found.size > 2 * FULL || now - found.mtimeMs > OLD);
}

/** The older file goes when all of it was counted and nobody can still write to it, and the current one takes its place. */
function letGo(log: string, counts: Counts, now: number): void {
  const { aside } = filesOf(log);
  const found = fs.statSync(aside, { throwIfNoEntry: false });
  const isFree = !found?.isFile() || (isWhole(counts, aside) && Date.now() - found.ctimeMs > QUIET);
  if (!isFree) return;
  if (isDue(log, now)) fs.renameSync(log, aside);
  else if (found && now - found.mtimeMs > OLD) fs.rmSync(aside, { force: true });
  else if (found && found.size > 2 * FULL) cut(log, counts);
}

/** Keeps only the end of the older file. That this was counted, too, is noted before. */
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

/** All that is counted, and what neither file has had counted so far. @param most How many bytes may be read. */
export function countAll(log: string, now: number, most = Number.POSITIVE_INFINITY): Counts {
  const counts = countsIn(log);
  const { aside } = filesOf(log);
  counted(counts, log, counted(counts, aside, most, now), now);
  return counts;
}

/** The same, noted, so that it need not be read again. Only for one process at a time. */
export function noteAll(log: string, now: number): Counts {
  const counts = countAll(log, now);
  write(log, counts);
  letGo(log, counts, now);
  return counts;
}

/** Counts the lines of a file that were not counted. Returns how many of the bytes that may be read are left. */
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

/** What is noted of a file that begins like this one; of several, the longest. */
function markFor({ marks }: Counts, handle: number, size: number): Mark | undefined {
  const beginning = read(handle, 0, Math.min(size, BEGINNING));
  return marks
    .filter(({ bytes, sha256 }) => {
      const known = Math.min(bytes, BEGINNING);
      return known <= beginning.length && hashOf(beginning.subarray(0, known)) === sha256;
    })
    .sort((a, b) => b.bytes - a.bytes)[0];
}

/** Whether every line of a file was counted. The last may have been cut off when the machine stopped. */
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

/** What each hook did in a firing. A failure counts for all of them if the log does not say whose it is. */
function runsOf(entry: Entry): Run[] {
  const { hooks, characters, milliseconds, each } = entry;
  const [hook] = hooks;
  // What the client drops is nobody's failure, and was not shown.
  const why = (entry.why ?? []).filter(({ code }) => code !== 'dropped');
  if (!each && hook === undefined && entry.why && why.length === 0) return [];
  const known = each?.some((one) => one.failed === true) ?? false;
  const failed = !known && why.some(({ code }) => !FINE.includes(code));
  // A text that has no room has done nothing. A tool was asked, which took its time.
  const ran = each?.filter((one) => !one.noRoom || one.milliseconds !== undefined);
  return ran
    ? ran.map((one) => ({ ...one, failed: failed || one.failed === true }))
    : [{ hook, characters, milliseconds, failed }];
}

/** Milliseconds, rounded up to three digits: as exact as anybody reads them, and there are few of them. */
function rounded(time: number): number {
  const step = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(1, time) + 1)) - 3);
  return Math.max(0, Math.ceil(time / step) * step);
}

/** Makes one of all days that are long ago, so that the counts do not grow for ever. */
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

/** What was counted so far. What cannot be read is begun anew. */
function countsIn(log: string): Counts {
  const { counts: file } = filesOf(log);
  const found = fs.existsSync(file) ? parse(textOf(file) ?? '') : undefined;
  return isCounts(found) ? found : none();
}

function isCounts(given: unknown): given is Counts {
  const isSeries = ({ firings, failures, characters, sum, times }: Series) =>
    [firings, failures, characters, sum].every(isNumber) && Object.values(times).every(isNumber);
  // Whatever it is: what it does not have throws.
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
