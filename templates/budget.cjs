/** mcp-hooks: how much of its token budget a session has used since its history was compacted, read from what the client wrote. */
'use strict';
const fs = require('node:fs');
const { isOthers } = require('./claims.cjs');
const { clockOf } = require('./clock.cjs');
const { entryOf, hasKeys, withFile } = require('./values.cjs');

/** Characters that count as one token where the client does not count tokens. */
const CHARACTERS = 4;
/** Bytes that are read at a time, from the end; and at most, so that a long history does not take long. */
const PIECE = 256 * 1024;
const MOST = 32 * 1024 * 1024;

/** How much of the smallest limit that its server declares is used; null: there is nothing to count. */
function budgetOf(hook, firing, { at, stage }) {
  const known = firing.budgets.get(hook);
  if (known) return known;
  firing.used ??= usedIn(firing, at, stage.get);
  const { window: limit } = hook.extended;
  const { tokens: used, estimated } = firing.used ?? {};
  return firing.used && { used, limit, percent: percentOf(firing.used, limit), estimated };
}

const percentOf = ({ tokens }, limit) => Math.floor((100 * tokens) / limit);

/** Whether a hook has to warn or fire, and has not done so since the last compaction. If so, `firing` keeps its budget. */
function isOver(hook, { firing, at, stage }) {
  firing.used ??= usedIn(firing, at, stage.get);
  if (!firing.used) return false;
  const { tokens: limit, warn, fire } = hook.extended.budget;
  const { tokens: used, window, estimated } = firing.used;
  const percent = percentOf(firing.used, limit);
  if (percent < Math.min(warn, fire)) return false;
  const level = percent >= fire ? 'fire' : 'warn';
  const fact = (one) => stage.memory(hook, firing, at, `${one}${window}-once`);
  if (isOthers(fact('fire'), firing) || isOthers(fact(level), firing)) return false;
  firing.budgets.set(hook, { used, limit, percent, level, window, estimated });
  return true;
}

/** `window`: what tells one compaction from the next. Null: there is nothing to count. Throws when time is up. */
function usedIn(firing, at, get) {
  const { history, usage, used } = at.wire;
  if (used) {
    const tokens = get(firing.payload, used.tokens);
    const window = get(firing.payload, used.window) ?? 0;
    return typeof tokens === 'number' ? { tokens, window, estimated: false } : null;
  }
  try {
    return (
      withFile(transcriptOf(firing, at), (handle, size) =>
        count(handle, size, history, usage, get, clockOf(firing)),
      ) ?? null
    );
  } catch (error) {
    if (error.why) throw error;
    return null;
  }
}

/** Undefined: the payload does not say where it is, and it is not known either. */
function transcriptOf({ transcript, session }, { wire: { record } }) {
  if (typeof transcript === 'string' || !record?.file || !/^[\w-]+$/.test(session))
    return transcript;
  const { variable, folder, name } = record.file;
  const home =
    process.env[variable] || `${process.env.HOME || require('node:os').homedir()}/${folder}`;
  return `${home}/${name.replace('{session}', session)}`;
}

function count(handle, size, { anew }, usage, get, clock) {
  let tokens;
  let window = 0;
  let begun = 0;
  for (const { line, start } of linesFromEnd(handle, size)) {
    clock.look();
    const compacted = entryOf(line, anew);
    if (compacted) {
      window = usage?.compaction ? compactionIn(compacted, usage.compaction, get) : start;
      begun = start;
      break;
    }
    if (tokens === undefined && usage) tokens = sum(entryOf(line, usage.lines), usage, get);
  }
  const estimated = tokens === undefined;
  return { tokens: tokens ?? Math.round((size - begun) / CHARACTERS), window, estimated };
}

/** 0: the history was only written down anew. */
function compactionIn(entry, { list, keys, id }, get) {
  const all = get(entry, list);
  return (Array.isArray(all) && all.find((one) => hasKeys(one, keys))?.[id]) || 0;
}

/** Undefined: none of the numbers is there. */
function sum(entry, { tokens }, get) {
  const counts = tokens.map((at) => get(entry ?? {}, at)).filter((one) => typeof one === 'number');
  return counts.length === 0 ? undefined : counts.reduce((all, one) => all + one, 0);
}

/**
 * Yields the last line first, each with the byte at which it starts. Of a line that is longer than a piece, `rest` has the
 * pieces so far: putting them together each time would take time that grows with the line's square.
 */
function* linesFromEnd(handle, size) {
  let rest = [];
  for (let end = size; end > 0 && size - end < MOST; ) {
    const from = Math.max(0, end - PIECE);
    const piece = Buffer.alloc(end - from);
    fs.readSync(handle, piece, 0, piece.length, from);
    let to = piece.length;
    for (let at = lastBreak(piece, to); at !== -1; at = lastBreak(piece, to)) {
      const bytes = piece.subarray(at + 1, to);
      const whole = rest.length === 0 ? bytes : Buffer.concat([bytes, ...rest]);
      if (whole.length > 0) yield { line: whole.toString(), start: from + at + 1 };
      rest = [];
      to = at;
    }
    rest.unshift(piece.subarray(0, to));
    end = from;
  }
  const first = Buffer.concat(rest);
  if (first.length > 0) yield { line: first.toString(), start: 0 };
}

const lastBreak = (bytes, to) => (to === 0 ? -1 : bytes.lastIndexOf(10, to - 1));

module.exports = { budgetOf, isOver, transcriptOf, usedIn };
