/** The lines that the hook runner writes into `<state>/log`: one for each firing that said something or failed. */

import { LABEL } from '../declaration/declaration.ts';

export interface LogEntry {
  readonly label: string;
  /** ISO, UTC; to the second when the shell answered. */
  readonly at: string;
  /** Id. */
  readonly client: string;
  /** The client's own name for it. */
  readonly event: string;
  /** The declared hooks that were told or called, counted from 1. */
  readonly hooks: readonly number[];
  /** How much the model was told. */
  readonly characters: number;
  /** Absent when the shell answered, which cannot tell. */
  readonly milliseconds?: number;
  /** Why a hook said nothing. */
  readonly reason?: string;
  /** What the model was told; only when it ran with MCP_HOOKS_DEBUG=1. */
  readonly text?: string;
  /** `fire` or `verify` ran the hook, not a client. */
  readonly trial?: true;
}

/** The reason when a tool was called and its reply has no text: it had nothing to say (templates/call.cjs). */
export const NO_TEXT = 'no text';

/** Set in the environment of hooks that `fire` and `verify` run. */
export const TRIAL = { MCP_HOOKS_TRIAL: '1' } as const;

/** The entries that a client caused. */
export const withoutTrials = (entries: readonly LogEntry[]): LogEntry[] =>
  entries.filter(({ trial }) => !trial);

/** The labels that have a log, by the names in its folder. */
export const labelsOf = (names: readonly string[]): string[] => {
  const labels = names.flatMap((name) => /^(.+)\.jsonl(?:\.1)?$/.exec(name)?.[1] ?? []);
  return [...new Set(labels)].filter((label) => LABEL.test(label)).sort();
};

/** The entries in the text of a log, as they stand there, and how many lines are none: cut, or somebody else's. */
export function parseLog(label: string, text: string): { entries: LogEntry[]; skipped: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line) => parseLine(label, line) ?? []);
  return { entries, skipped: lines.length - entries.length };
}

function parseLine(label: string, line: string): LogEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isLine(value)) return undefined;
  // Not what else may be in it.
  const { at, client, event, hooks, characters, milliseconds, reason, text, trial } = value;
  return {
    label,
    at: new Date(at).toISOString(),
    client,
    event,
    hooks,
    characters,
    ...(milliseconds !== undefined && { milliseconds }),
    ...(reason !== undefined && { reason }),
    ...(text !== undefined && { text }),
    ...(trial && { trial }),
  };
}

function isLine(value: unknown): value is Omit<LogEntry, 'label' | 'at'> & { at: number } {
  if (typeof value !== 'object' || value === null) return false;
  const line: Partial<Record<keyof LogEntry, unknown>> = value;
  const isOptional = (type: 'number' | 'string', key: keyof LogEntry) =>
    line[key] === undefined || typeof line[key] === type;
  return (
    typeof line.at === 'number' &&
    !Number.isNaN(new Date(line.at).getTime()) &&
    typeof line.client === 'string' &&
    typeof line.event === 'string' &&
    Array.isArray(line.hooks) &&
    line.hooks.every((hook) => Number.isInteger(hook)) &&
    typeof line.characters === 'number' &&
    isOptional('number', 'milliseconds') &&
    isOptional('string', 'reason') &&
    isOptional('string', 'text') &&
    (line.trial === undefined || line.trial === true)
  );
}
