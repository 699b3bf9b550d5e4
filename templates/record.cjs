/**
 * mcp-hooks: facts about the session itself, for tools and commands, when its history is compacted and when it ends. They
 * come from the client's payload or from what the client has written down. A fact that is in neither is left out.
 */
'use strict';
const fs = require('node:fs');
const { transcriptOf, usedIn } = require('./budget.cjs');
const { clockOf } = require('./clock.cjs');
const { entryOf, parse, withFile } = require('./values.cjs');

/** The largest transcript, in bytes, that is read as a whole. Of a longer one we only read when it begins. */
const MOST = 32 * 1024 * 1024;
const BEGINNING = 64 * 1024;
const END = 64 * 1024;

/** Milliseconds to wait for a client that writes late, and milliseconds between two looks. */
const WAIT = 200;
const LOOK = 10;

const AT_END = { duration_seconds: duration, tool_calls: calls, tokens_used: used };

/** The facts that each event adds, and where they come from. */
const FACTS = {
  pre_compact: { remaining_context_tokens: remaining },
  post_request: AT_END,
  session_end: AT_END,
};

/** Facts by their names in the envelope; `estimated` lists those that the client did not count. */
function factsOf(hook, { at, firing, shown, stage }) {
  const facts = { ...shown.told };
  const estimated = [];
  const whole = once(() => isWhole(firing, at));
  const lines = once(() => {
    whole(); // read the lines once all of them are there
    return linesOf(firing, at);
  });
  const session = { hook, at, firing, stage, whole, lines };
  for (const [name, find] of Object.entries(FACTS[hook.event] ?? {})) {
    const found = name in facts ? undefined : find(session);
    if (found === undefined) continue;
    facts[name] = found.value;
    if (found.estimated) estimated.push(name);
  }
  return { ...facts, ...(estimated.length > 0 && { estimated }) };
}

function duration({ at, firing, lines }) {
  for (const line of lines().beginning) {
    clockOf(firing).look();
    const entry = parse(line);
    const times = (at.wire.record?.time ?? []).map((place) =>
      Date.parse(valuesAt(entry, place)[0]),
    );
    const began = times.find((time) => !Number.isNaN(time));
    if (began !== undefined) return { value: Math.max(0, Math.round((at.started - began) / 1000)) };
  }
  return undefined;
}

/** A call may be written down several times, always under the same name. */
function calls({ at, firing, lines, whole }) {
  const { calls: written } = at.wire.record ?? {};
  const { all } = lines();
  if (!written || !all) return undefined;
  const clock = clockOf(firing);
  const names = all
    .flatMap((line) => clock.look() ?? entryOf(line, written.lines) ?? [])
    .flatMap(
      (entry) =>
        written.names.map((place) => valuesAt(entry, place)).find((some) => some.length > 0) ?? [],
    );
  return { value: new Set(names).size, estimated: !whole() };
}

function used({ at, firing, stage, whole }) {
  const isAll = whole();
  const found = usedIn(firing, at, stage.get);
  return found ? { value: found.tokens, estimated: found.estimated || !isAll } : undefined;
}

/** The client counts what it has sent, and leaves out what has come since. */
function remaining(session) {
  const limit = windowIn(session) ?? session.hook.extended?.window;
  const now = limit === undefined ? undefined : used(session);
  return now && { value: Math.max(0, limit - now.value), estimated: true };
}

/** The most that the model takes, as the client has it. */
function windowIn({ at, firing, lines }) {
  const { window } = at.wire.record ?? {};
  if (!window) return undefined;
  for (const line of (lines().all ?? []).toReversed()) {
    clockOf(firing).look();
    const entry = entryOf(line, window.lines);
    const [found] = entry ? valuesAt(entry, window.at) : [];
    if (typeof found === 'number') return found;
  }
  return undefined;
}

/** Whether the client has written down what came before the event. Most have by then; we only wait for one that has not. */
function isWhole(firing, at) {
  const { until } = at.wire.record ?? {};
  const moment = until && firing.payload[until.key];
  if (typeof moment !== 'string' || moment === '') return true;
  const isThere = (line) => line.includes(moment) && entryOf(line, until.lines) !== undefined;
  for (let waited = 0; ; waited += LOOK) {
    clockOf(firing).look();
    if (endOf(transcriptOf(firing, at)).split('\n').some(isThere)) return true;
    if (waited >= WAIT) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK);
  }
}

/** The last bytes of a file: the client writes the event itself last. */
function endOf(file) {
  try {
    return withFile(file, (handle, size) => read(handle, Math.max(0, size - END), size)) ?? '';
  } catch {
    return '';
  }
}

/** `all` is missing if the file is too large. */
function linesOf(firing, at) {
  try {
    return (
      withFile(transcriptOf(firing, at), (handle, size) => {
        const beginning = read(handle, 0, size > MOST ? BEGINNING : size).split('\n');
        return size > MOST ? { beginning } : { beginning, all: beginning };
      }) ?? { beginning: [] }
    );
  } catch {
    return { beginning: [] };
  }
}

function read(handle, from, to) {
  const bytes = Buffer.alloc(to - from);
  return bytes.toString('utf8', 0, fs.readSync(handle, bytes, 0, bytes.length, from));
}

/** The values at a dotted path, in which `*` stands for each element of a list. */
const valuesAt = (value, place) =>
  place.split('.').reduce(
    (all, key) =>
      all.flatMap((one) => {
        if (key === '*') return Array.isArray(one) ? one : [];
        const next = typeof one === 'object' && one !== null ? one[key] : undefined;
        return next === undefined ? [] : [next];
      }),
    [value],
  );

function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}

module.exports = { factsOf };
