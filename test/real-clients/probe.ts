import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getPath, type Json, type JsonObject, parse } from '../../src/system/json.ts';

/** What the hook prints at its first, second, ... firing for an event; nothing after the last. */
export type Answers = Record<string, JsonObject[]>;

export interface Probe {
  /** The shell command to put into a hook entry. */
  command: string;
  /** The stdin of every firing so far, in order; of one event if named. */
  firings(event?: string): Json[];
}

export function probe(folder: string, answers: Answers): Probe {
  const script = fileURLToPath(new URL('./fixtures/probe.mjs', import.meta.url));
  const log = join(folder, 'firings.jsonl');
  const plan = join(folder, 'answers.json');
  writeFileSync(plan, JSON.stringify(answers));
  return {
    command: [process.execPath, script, log, plan].map((word) => `'${word}'`).join(' '),
    firings(event) {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
      return lines
        .map(parse)
        .filter((line) => event === undefined || getPath(line, 'hook_event_name') === event);
    },
  };
}

/** The answer with which all three clients accept a text for the model. */
export function context(event: string, text: string): JsonObject {
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}
