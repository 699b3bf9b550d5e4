// Logs as the runner writes them, for tests of their readers.
import { appendFile } from 'node:fs/promises';
import type { LogEntry } from '../../src/diagnose/log.ts';
import { type Counted, type Counts, countsFrom } from '../../src/diagnose/stats.ts';
import { runnerCode } from '../../src/system/runner-code.ts';
import type { World } from './world.ts';

/** A line of a log: a firing that took 20 ms. */
export const firing = (more: object = {}): string =>
  `${JSON.stringify({
    at: Date.now(),
    client: 'codex',
    event: 'Stop',
    hooks: [1],
    characters: 9,
    milliseconds: 20,
    ...more,
  })}\n`;

export async function log(world: World, label: string, ...lines: string[]): Promise<void> {
  await world.folder('~/.mcp-hooks/log');
  await appendFile(world.path(`~/.mcp-hooks/log/${label}.jsonl`), lines.join(''));
}

export function countsIn(label: string, text: string): Counts {
  const { none, countLines } = runnerCode('./counts.cjs');
  const counts = none();
  countLines(counts, text);
  return countsFrom(label, counts);
}

/** What is counted in a log with these lines. */
export const counted = (...entries: Partial<LogEntry>[]): Counted[] =>
  entries.flatMap(({ label = 'annal', ...entry }) => [
    ...countsIn(label, firing({ ...entry, at: Date.parse(entry.at ?? '2026-01-05') })).counted,
  ]);
