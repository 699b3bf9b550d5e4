/**
 * mcp-hooks: whether a text that we have shown is still in the history that the model gets. Clients write their history as they
 * go, one JSON line per item (`history` of a client in src/clients describes them). The model only has what came after the last
 * new beginning, minus what was taken back.
 */

import { clockOf } from './clock.cjs';
import { textOf, transcriptOf } from './files.cjs';
import type { Clock, Firing, History, Lines, ProgramHook, Rules, Running } from './types.cjs';
import { entryOf, isObject, parse } from './values.cjs';
import { fill, origin, plain, quoted } from './words.cjs';

export interface Found {
  /** Whether the text is there. */
  readonly has: boolean;
  /** The number of lines that begin the history anew; '' without a file. */
  readonly begun: number | '';
}

/** Whether the session's first text is still in the history, and how often the history has begun anew. */
export function history(
  { text = '' }: ProgramHook,
  firing: Firing,
  program: Running,
  rules: Rules,
): Found {
  const { wire, label } = program;
  firing.history ??= linesOf(transcriptOf(firing, program)); // once for all hooks, because it may be long
  const heading = `${origin(label)} at the start of the session`;
  const beginning = quoted(plain(fill(text, firing, rules).text))
    .slice(0, 200)
    .toWellFormed();
  return look(firing.history, heading, beginning, wire.history, clockOf(firing));
}

/** The largest history that is read, in bytes. A longer one takes seconds; then the text is shown again instead. */
const MOST = 100 * 1024 * 1024;

function linesOf(file: string): string[] {
  try {
    return textOf(file, MOST)?.split('\n') ?? [];
  } catch {
    return [];
  }
}

/**
 * @param heading The line before the text.
 * @param beginning The beginning of the text.
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
  // Only at the beginning of a line. Within a line, it is merely mentioned.
  const shown = new RegExp(`(?:"|\\\\n|<hook_context>)${before}[^"\\\\]{0,1000}\\\\n${after}`);
  const tells = (line: string) => line.includes(said.part) && shown.test(line);
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

/** For each message that has not been taken back, whether it contains the text. */
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
