/**
 * mcp-hooks: whether a text that we told is still in the history that the model is sent. Clients write their history down as
 * they go, one line of JSON for each thing (a client's `history` in src/clients says how). The model only has what came
 * after the last beginning, minus what was taken back.
 */
'use strict';
const { clockOf } = require('./clock.cjs');
const { entryOf, isObject, parse, textOf } = require('./values.cjs');
const { fill, origin, plain, quoted } = require('./words.cjs');

/** Whether the text from the session's start is still in its history, and how often that has begun anew. */
function history({ text = '' }, firing, { wire, label }, rules) {
  firing.history ??= linesOf(firing.transcript); // once for all hooks: it may be long
  const heading = `${origin(label)} at the start of the session`;
  const beginning = quoted(plain(fill(text, firing, rules).text))
    .slice(0, 200)
    .toWellFormed();
  return look(firing.history, heading, beginning, wire.history, clockOf(firing));
}

/** The largest history, in bytes, that is read: a longer one takes seconds, and the text is told again instead. */
const MOST = 100 * 1024 * 1024;

function linesOf(file) {
  try {
    return textOf(file, MOST)?.split('\n') ?? [];
  } catch {
    return [];
  }
}

/**
 * @param heading What stood before the text.
 * @param beginning How the text began.
 * @returns `has`: it is there; `begun`: the number of lines at which the history begins anew, '' without a file.
 */
function look(lines, heading, beginning, { said, anew, back, inherited, html }, clock) {
  if (lines.length === 0) return { has: false, begun: '' };
  const [before, after] = [heading, beginning]
    .map((word) => (html ? word.replace(/</g, '&lt;').replace(/>/g, '&gt;') : word))
    .map((word) =>
      JSON.stringify(word)
        .slice(1, -1)
        .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    );
  // At the beginning of a line: within one, somebody only speaks of it.
  const told = new RegExp(`(?:"|\\\\n|<hook_context>)${before}[^"\\\\]{0,1000}\\\\n${after}`);
  const tells = (line) => line.includes(said.part) && told.test(line);
  const is = (line, wanted) => clock.look() ?? entryOf(line, wanted) !== undefined;
  const begins = (line) => is(line, anew) || (back !== undefined && is(line, back));
  const start = lines.findLastIndex((line) => is(line, anew));
  const since = lines.slice(Math.max(0, start));
  const has =
    back === undefined
      ? since.some((line) => tells(line) && is(line, said))
      : replay(since, tells, anew, back, clock).some(Boolean);
  return {
    has:
      has || (start === -1 && inherited !== undefined && lines.some((line) => is(line, inherited))),
    begun: lines.filter(begins).length,
  };
}

/** For each message that has not been taken back, whether it tells the text. */
function replay(lines, tells, anew, back, clock) {
  const messages = new Map();
  for (const line of lines) {
    clock.look();
    const entry =
      entryOf(line, anew) ??
      entryOf(line, back) ??
      (line.startsWith('{"id":') ? parse(line) : undefined);
    if (!isObject(entry)) continue;
    const put = (message) =>
      messages.set(message?.id, message?.type === 'user' && tells(JSON.stringify(message)));
    if (typeof entry.id === 'string') put(entry);
    else if (Array.isArray(entry.$set?.messages))
      for (const message of entry.$set.messages) put(message);
    else if (typeof entry.$rewindTo === 'string') {
      const ids = [...messages.keys()];
      for (const id of ids.slice(Math.max(0, ids.indexOf(entry.$rewindTo)))) messages.delete(id);
    }
  }
  return [...messages.values()];
}

module.exports = { history };
