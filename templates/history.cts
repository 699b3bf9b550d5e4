/**
 * mcp-hooks: whether a text that we have shown is still in the history that the model is sent. Clients write their history down as
 * they go, one line of JSON for each thing (a client's `history` in src/clients says how). The model only has what came
 * after the last beginning, minus what was taken back.
 */

import { clockOf } from './clock.cjs';
import { textOf, transcriptOf } from './files.cjs';
import type { Clock, Firing, History, Lines, ProgramHook, Rules, Running } from './types.cjs';
import { entryOf, isObject, parse } from './values.cjs';
import { fill, origin, plain, quoted } from './words.cjs';

export interface Found {
  /** The text is there. */
  readonly has: boolean;
  /** The number of lines at which the history begins anew, '' without a file. */
  readonly begun: number | '';
}

/** Whether the text from the session's start is still in its history, and how often that has begun anew. */
export function history(
  { text = '' }: ProgramHook,
  firing: Firing,
  program: Running,
  rules: Rules,
): Found {
  const { wire, label } = program;
  firing.history ??= linesOf(transcriptOf(firing, program)); // once for all hooks: it may be long
  const heading = `${origin(label)} at the start of the session`;
  const beginning = quoted(plain(fill(text, firing, rules).text))
    .slice(0, 200)
    .toWellFormed();
  return look(firing.history, heading, beginning, wire.history, clockOf(firing));
}

/** The largest history, in bytes, that is read: a longer one takes seconds, and the text is shown again instead. */
const MOST = 100 * 1024 * 1024;

function linesOf(file: string): string[] {
  try {
    return textOf(file, MOST)?.split('\n') ?? [];
  } catch {
    return [];
  }
}

/**
 * @param heading What stood before the text.
 * @param beginning How the text began.
 */
function look(
  lines: readonly string[],
  heading: string,
  beginning: string,
  { said, anew, back, inherited, html }: History,
  clock: Clock,
): Found {
  if (lines.length === 0) return { has: false, begun: '' };
  const [before, after] = [heading, beginning]
    .map((word) => (html ? word.replace(/</g, '&lt;').replace(/>/g, '&gt;') : word))
    .map((word) =>
      JSON.stringify(word)
        .slice(1, -1)
        .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    );
  // At the beginning of a line: within one, it is only mentioned.
  const told = new RegExp(`(?:"|\\\\n|<hook_context>)${before}[^"\\\\]{0,1000}\\\\n${after}`);
  const tells = (line: string) => line.includes(said.part) && told.test(line);
  const is = (line: string, wanted: Lines) => {
    clock.look();
    return entryOf(line, wanted) !== undefined;
  };
  const begins = (line: string) => is(line, anew) || (back !== undefined && is(line, back));
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

/** For each message that has not been taken back, whether it has the text. */
function replay(
  lines: readonly string[],
  tells: (line: string) => boolean,
  anew: Lines,
  back: Lines,
  clock: Clock,
): boolean[] {
  const messages = new Map<unknown, boolean>();
  for (const line of lines) {
    clock.look();
    const entry =
      entryOf(line, anew) ??
      entryOf(line, back) ??
      (line.startsWith('{"id":') ? parse(line) : undefined);
    if (!isObject(entry)) continue;
    const put = (message: unknown) => {
      const { id, type } = Object(message);
      messages.set(id, type === 'user' && tells(JSON.stringify(message)));
    };
    const { messages: given } = Object(entry.$set);
    if (typeof entry.id === 'string') put(entry);
    else if (Array.isArray(given)) for (const message of given) put(message);
    else if (typeof entry.$rewindTo === 'string') {
      const ids = [...messages.keys()];
      for (const id of ids.slice(Math.max(0, ids.indexOf(entry.$rewindTo)))) messages.delete(id);
    }
  }
  return [...messages.values()];
}
