/** mcp-hooks: how much of its token budget a session has used since its last compaction, read from the client's own files. */

import fs = require('node:fs');

import { isOthers } from './claims.cjs';
import { clockOf } from './clock.cjs';
import { partOf, transcriptOf, withFile } from './files.cjs';
import type {
  Budget,
  ChainFiring,
  Clock,
  Condition,
  Firing,
  History,
  JsonObject,
  ProgramHook,
  Running,
  Stage,
  Usage,
  Used,
} from './types.cjs';
import { attempt, entryOf, hasKeys } from './values.cjs';

/** Characters that count as one token where the client does not count tokens. */
const CHARACTERS = 4;
/** Bytes per read, starting from the end, and the maximum in total, so that a long history does not take long. */
const PIECE = 256 * 1024;
const MOST = 32 * 1024 * 1024;
/** Bytes at the end of a record that are searched for an event's line. */
const END = 64 * 1024;
/** Milliseconds to wait for a client that writes late, and milliseconds between checks. */
const WAIT = 200;
const LOOK = 10;
/** The byte of a line break. */
const BREAK = 10;

/** How much of the smallest limit that the server declares is used; null: there is nothing to count. */
export function budgetOf(
  hook: ProgramHook,
  firing: ChainFiring,
  { program, stage }: Condition,
): Budget | null {
  const known = firing.budgets.get(hook);
  if (known) return known;
  firing.used ??= usedIn(firing, program, stage.get);
  const limit = hook.extended?.window;
  if (!firing.used || limit === undefined) return null;
  const { tokens: used, estimated } = firing.used;
  return { used, limit, percent: percentOf(firing.used, limit), estimated };
}

const percentOf = ({ tokens }: Used, limit: number): number => Math.floor((100 * tokens) / limit);

/**
 * Whether a hook has to warn or fire, and has not done so since the last compaction. If so, its budget is stored in `firing`.
 */
export function isOver(hook: ProgramHook, { firing, program, stage }: Condition): boolean {
  if (firing.used === undefined) {
    isWhole(firing, program);
    firing.used = usedIn(firing, program, stage.get);
  }
  const { budget, block, can = [] } = hook.extended ?? {};
  if (!firing.used || !budget) return false;
  const { tokens: limit, warn } = budget;
  // Where a block is not possible, the hook only warns, and may block later.
  const fire =
    block === undefined || can.includes('block') ? budget.fire : Number.POSITIVE_INFINITY;
  const { tokens: used, estimated } = firing.used;
  // Part of a file's name. Some clients count compactions, others give each an id.
  const window = String(firing.used.window).replace(/\W/g, '').slice(0, 64);
  const percent = percentOf(firing.used, limit);
  if (percent < Math.min(warn, fire)) return false;
  const level = percent >= fire ? 'fire' : 'warn';
  const fact = (one: string) => stage.memory(hook, firing, program, `${one}${window}-once`);
  if (isOthers(fact('fire'), firing) || isOthers(fact(level), firing)) return false;
  firing.budgets.set(hook, { used, limit, percent, level, window, estimated });
  return true;
}

/** Whether the client has written down everything before the event. Most clients have by then; we wait for one that has not. */
export function isWhole(firing: Firing, program: Running): boolean {
  const { until } = program.wire.record ?? {};
  const moment = until && firing.payload[until.key];
  if (!until || typeof moment !== 'string' || moment === '') return true;
  const isThere = (line: string) =>
    line.includes(moment) && entryOf(line, until.lines) !== undefined;
  for (let waited = 0; ; waited += LOOK) {
    clockOf(firing).look();
    if (endOf(transcriptOf(firing, program)).split('\n').some(isThere)) return true;
    if (waited >= WAIT) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK);
  }
}

/** The last bytes of a file. The client writes the event itself last. */
const endOf = (file: string): string =>
  attempt(() => withFile(file, (handle, size) => partOf(handle, Math.max(0, size - END), size))) ??
  '';

type Get = Stage['get'];

/** Null: there is nothing to count. Throws when time is up. */
export function usedIn(firing: Firing, program: Running, get: Get): Used | null {
  const { history, usage, used } = program.wire;
  if (used) {
    const tokens = get(firing.payload, used.tokens);
    const window = get(firing.payload, used.window) ?? 0;
    return typeof tokens === 'number' ? { tokens, window, estimated: false } : null;
  }
  try {
    return (
      withFile(transcriptOf(firing, program), (handle, size) =>
        count(handle, size, history, usage, get, clockOf(firing)),
      ) ?? null
    );
  } catch (error) {
    if (Object(error).why) throw error;
    return null;
  }
}

function count(
  handle: number,
  size: number,
  { anew }: History,
  usage: Usage | undefined,
  get: Get,
  clock: Clock,
): Used {
  let tokens: number | undefined;
  // The last count before the history was rewritten. It is meaningless if the rewrite was a compaction.
  let earlier: number | undefined;
  let window: unknown;
  let begun = 0;
  const parts = [anew.part, ...(usage ? [usage.lines.part] : [])];
  for (const { line, start } of linesFromEnd(handle, size, parts)) {
    clock.step(line.length);
    const written = entryOf(line, anew);
    if (!written && tokens === undefined && usage) {
      const counted = sum(entryOf(line, usage.lines), usage, get);
      if (window === undefined || window === 0) tokens = counted;
      else earlier ??= counted;
    }
    if (window === 0 && tokens !== undefined) break;
    if (!written) continue;
    const found = usage?.compaction ? compactionIn(written, usage.compaction, get) : start;
    if (window === undefined) [window, begun] = [found, start];
    // Same compaction as before the rewrite, so the earlier count is still valid.
    else if (found === window) tokens ??= earlier;
    if (found !== window || tokens !== undefined || !usage?.compaction) break;
  }
  const estimated = tokens === undefined;
  const length = Math.round((size - begun) / CHARACTERS);
  return { tokens: tokens ?? length, window: window ?? 0, estimated };
}

/** 0: the history was rewritten without a compaction. */
function compactionIn(
  entry: JsonObject,
  { list, keys, id }: NonNullable<Usage['compaction']>,
  get: Get,
): unknown {
  const all = get(entry, list);
  return (Array.isArray(all) && all.find((one) => hasKeys(one, keys))?.[id]) || 0;
}

/** Undefined: none of the numbers is there, or the client only recorded a missing answer, which counts as zero. */
function sum(entry: JsonObject | undefined, { tokens }: Usage, get: Get): number | undefined {
  const counts = tokens.map((at) => get(entry ?? {}, at)).filter((one) => typeof one === 'number');
  return counts.reduce((all, one) => all + one, 0) || undefined;
}

/**
 * Yields the lines that contain one of the parts, last line first, each with its byte offset. The other lines stay bytes,
 * because few lines of a long history are needed. A line that begins before the bytes that are read is left out.
 */
function* linesFromEnd(handle: number, size: number, parts: readonly string[]): Generator<Line> {
  const needles = parts.map((part) => Buffer.from(part));
  // The pieces of a line that began earlier. Joining them at every step would take quadratic time.
  let rest: Buffer[] = [];
  for (let end = size; end > 0 && size - end < MOST; ) {
    const from = Math.max(0, end - PIECE);
    const piece = Buffer.alloc(end - from);
    fs.readSync(handle, piece, 0, piece.length, from);
    const start = from === 0 ? 0 : piece.indexOf(BREAK) + 1;
    if (from > 0 && start === 0) rest.unshift(piece);
    else {
      yield* linesWith(needles, Buffer.concat([piece.subarray(start), ...rest]), from + start);
      rest = [piece.subarray(0, start)];
    }
    end = from;
  }
}

/** @param offset The offset of the bytes in the file. */
function* linesWith(needles: readonly Buffer[], bytes: Buffer, offset: number): Generator<Line> {
  let left = bytes;
  let found = needles.map((needle) => left.lastIndexOf(needle));
  for (let last = Math.max(...found); last !== -1; last = Math.max(...found)) {
    const next = left.indexOf(BREAK, last);
    const start = left.lastIndexOf(BREAK, last) + 1;
    yield {
      line: left.toString('utf8', start, next === -1 ? undefined : next),
      start: offset + start,
    };
    left = left.subarray(0, start);
    // A match before this line was already found.
    found = found.map((at, nth) => (at < start ? at : left.lastIndexOf(needles[nth] ?? '')));
  }
}

interface Line {
  readonly line: string;
  /** Its byte offset in the file. */
  readonly start: number;
}
