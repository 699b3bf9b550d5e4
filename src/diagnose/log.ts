/** The lines that the hook runner writes into `<state>/log`: one for each firing that showed or asked something, or failed. */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import * as z from 'zod/mini';
import { type RunnerReason, runnerMessage } from '../compile/runner-messages.ts';
import { DECISIONS, LABEL } from '../declaration/declaration.ts';
import { attempt } from '../system/errors.ts';
import { read } from '../system/files.ts';
import { memoize } from '../system/memoize.ts';

/** Made only when there is a line to read. */
const shape = memoize(() =>
  z.object({
    /** ISO, UTC; to the second when the shell answered. */
    at: z.pipe(
      z.number().check(z.refine((at) => !Number.isNaN(new Date(at).getTime()))),
      z.transform((at) => new Date(at).toISOString()),
    ),
    client: z.string(),
    event: z.string(),
    /** The declared hooks that were shown or called a tool, numbered from 1. */
    hooks: z.readonly(z.array(z.int())),
    characters: z.number(),
    /** Absent if the shell answered, which cannot measure it. */
    milliseconds: z.optional(z.number()),
    /**
     * What each hook did, if several were shown, one failed or had no room, or a tool or a program was asked, which may have had
     * nothing to show. `milliseconds` for one with a tool or a program: until that had answered.
     */
    each: z.optional(
      z.readonly(
        z.array(
          z.object({
            hook: z.int(),
            characters: z.number(),
            milliseconds: z.optional(z.number()),
            failed: z.optional(z.literal(true)),
            /** Its command was started in the background, or came to nothing there. */
            background: z.optional(z.literal(true)),
            /** It has a text for which there was no room. */
            noRoom: z.optional(z.literal(true)),
          }),
        ),
      ),
    ),
    /** Why a hook showed nothing. */
    why: z.optional(z.array(z.looseObject({ code: z.string() }))),
    /** Notices for the user that answers came with; not failures. */
    warnings: z.optional(z.readonly(z.array(z.string()))),
    /** What the model read; only with MCP_HOOKS_DEBUG=1. */
    text: z.optional(z.string()),
    /** The decisions, and the hook that made each. `before` and `after`: SHA-256 of what was changed. */
    decisions: z.optional(
      z.readonly(
        z.array(
          z.object({
            hook: z.int(),
            action: z.enum(DECISIONS),
            reason: z.optional(z.string()),
            before: z.optional(z.string()),
            after: z.optional(z.string()),
          }),
        ),
      ),
    ),
    /** What became of the event because of hooks that may decide and failed; `allow-again`: after ten minutes of denials. */
    onFailure: z.optional(
      z.readonly(
        z.array(z.object({ hook: z.int(), action: z.enum(['allow', 'allow-again', 'deny']) })),
      ),
    ),
    /** `fire` or `verify` ran the hook, not a client. */
    trial: z.optional(z.literal(true)),
  }),
);

export interface LogEntry extends Readonly<Omit<z.infer<ReturnType<typeof shape>>, 'why'>> {
  readonly label: string;
  readonly why?: readonly RunnerReason[];
}

/** Whether something failed: to have no text, to be dropped by the client, or to estimate is none. */
export const isFailure = ({ code }: RunnerReason): boolean => !HARMLESS.includes(code);

const HARMLESS: readonly RunnerReason['code'][] = ['no-text', 'dropped', 'budget-estimated'];

/** A tool was called, and its reply has no text: it had nothing to show. */
export const hadNoText = (why: readonly RunnerReason[]): boolean =>
  why.every(({ code }) => code === 'no-text');

/** Set in the environment of hooks that `fire` and `verify` run. */
export const TRIAL = { MCP_HOOKS_TRIAL: '1' } as const;

/** The entries that a client caused. */
export const withoutTrials = (entries: readonly LogEntry[]): LogEntry[] =>
  entries.filter(({ trial }) => !trial);

/** The labels that have a log, by the names in its folder. */
export const labelsOf = (names: readonly string[]): string[] => {
  const labels = names.flatMap(
    (name) => /^(.+)\.(?:jsonl(?:\.1)?|counts\.json)$/.exec(name)?.[1] ?? [],
  );
  return [...new Set(labels)].filter((label) => LABEL.test(label)).sort();
};

/** Bytes of a file of the log that are read at most; the runner shortens one that is longer. */
const TAIL = 2 * 1024 * 1024;

/**
 * The last lines of a file of the log.
 *
 * @param from A byte: only what comes after it, if the file is that long.
 * @throws UserError if it cannot be read.
 */
export function lastLines(path: string, { from = 0, bytes: most = TAIL } = {}): string {
  const found = statSync(path, { throwIfNoEntry: false });
  const start = from <= (found?.size ?? 0) ? from : 0;
  if (!found?.isFile() || found.size <= most) return read(path)?.subarray(start).toString() ?? '';
  const first = Math.max(start, found.size - most);
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(found.size - first);
    const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, first));
    // The line in which it begins is not whole.
    return first === start ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(file);
  }
}

/** The entries in the text of a log, in their order, and how many lines are invalid: cut, or written by somebody else. */
export function parseLog(label: string, text: string): { entries: LogEntry[]; skipped: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line) => parseLine(label, line) ?? []);
  return { entries, skipped: lines.length - entries.length };
}

function parseLine(label: string, line: string): LogEntry | undefined {
  const found = attempt(() => shape().parse(JSON.parse(line)));
  if (!found) return undefined;
  const { why = [], ...known } = found;
  return { label, ...known, ...(why.length > 0 && { why: why.map(reasonOf) }) };
}

/** As written in the log, which anybody may have edited. An unknown reason is shown by its code. */
function reasonOf(written: { readonly code: string; readonly hook?: unknown }): RunnerReason {
  const { success, data } = runnerMessage().safeParse(written);
  const { code, hook } = written;
  const known = success ? data : ({ code: 'quote', text: code } as const);
  return typeof hook === 'number' ? { ...known, hook } : known;
}
