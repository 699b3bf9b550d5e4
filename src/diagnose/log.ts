/** The lines that the hook runner writes to `<state>/log`: one for each firing that showed or asked something, or failed. */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import * as z from 'zod/mini';
import { type RunnerReason, runnerMessage } from '../compile/runner-messages.ts';
import { DECISIONS, LABEL } from '../declaration/declaration.ts';
import { attempt } from '../system/errors.ts';
import { read } from '../system/files.ts';
import { memoize } from '../system/memoize.ts';

/** Built only when there is a line to read. */
const shape = memoize(() =>
  z.object({
    /** ISO, UTC. Only to the second if the first stage answered. */
    at: z.pipe(
      z.number().check(z.refine((at) => !Number.isNaN(new Date(at).getTime()))),
      z.transform((at) => new Date(at).toISOString()),
    ),
    client: z.string(),
    event: z.string(),
    /** The declared hooks that were shown or called a tool, numbered from 1. */
    hooks: z.readonly(z.array(z.int())),
    characters: z.number(),
    /** Absent if the first stage answered, because a shell cannot measure it. */
    milliseconds: z.optional(z.number()),
    /**
     * The result of each hook, if several were shown, one failed or had no room, or a tool or program was asked, which may have
     * had nothing to show. `milliseconds` for a hook with a tool or program: until that had answered.
     */
    each: z.optional(
      z.readonly(
        z.array(
          z.object({
            hook: z.int(),
            characters: z.number(),
            milliseconds: z.optional(z.number()),
            failed: z.optional(z.literal(true)),
            /** Its command was started in the background, or failed there. */
            background: z.optional(z.literal(true)),
            /** Its text did not fit. */
            noRoom: z.optional(z.literal(true)),
          }),
        ),
      ),
    ),
    /** Why a hook showed nothing. */
    why: z.optional(z.array(z.looseObject({ code: z.string() }))),
    /** Warnings for the user that came with answers. They are not failures. */
    warnings: z.optional(z.readonly(z.array(z.string()))),
    /** The text that the model read; only with MCP_HOOKS_DEBUG=1. */
    text: z.optional(z.string()),
    /** The decisions, each with its hook. `before` and `after`: SHA-256 of the changed value. */
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
    /** The effect on the event of hooks that may decide and failed. `allow-again`: after ten minutes of denials. */
    onFailure: z.optional(
      z.readonly(
        z.array(z.object({ hook: z.int(), action: z.enum(['allow', 'allow-again', 'deny']) })),
      ),
    ),
    /** Run by `fire` or `verify`, not by a client. */
    trial: z.optional(z.literal(true)),
  }),
);

export interface LogEntry extends Readonly<Omit<z.infer<ReturnType<typeof shape>>, 'why'>> {
  readonly label: string;
  readonly why?: readonly RunnerReason[];
}

/** Whether a reason is a failure. No text, a text dropped by the client, and an estimate are not. */
export const isFailure = ({ code }: RunnerReason): boolean => !HARMLESS.includes(code);

const HARMLESS: readonly RunnerReason['code'][] = ['no-text', 'dropped', 'budget-estimated'];

/** Whether a reason is about a hook: about this one alone, or about the event as a whole. */
export const isAboutHook =
  (number: number) =>
  (why: RunnerReason): boolean =>
    why.code === 'dropped'
      ? why.hooks.includes(number)
      : why.hook === undefined || why.hook === number;

/** Whether a tool was called whose reply has no text, so that it had nothing to show. */
export const hadNoText = (why: readonly RunnerReason[]): boolean =>
  why.every(({ code }) => code === 'no-text');

/** In the environment of hooks that `fire` and `verify` run. */
export const TRIAL = { MCP_HOOKS_TRIAL: '1' } as const;

/** The entries of real clients. */
export const withoutTrials = (entries: readonly LogEntry[]): LogEntry[] =>
  entries.filter(({ trial }) => !trial);

/** The labels that have a log, by the names in the log folder. */
export const labelsOf = (names: readonly string[]): string[] => {
  const labels = names.flatMap(
    (name) => /^(.+)\.(?:jsonl(?:\.1)?|counts\.json)$/.exec(name)?.[1] ?? [],
  );
  return [...new Set(labels)].filter((label) => LABEL.test(label)).sort();
};

/** The maximum number of bytes to read from a log file. The runner shortens a longer one. */
const TAIL = 2 * 1024 * 1024;

/**
 * The last lines of a log file.
 *
 * @param from A byte offset. Only the part after it is returned, unless the file is shorter.
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
    // The first line is incomplete.
    return first === start ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(file);
  }
}

/** The entries in the text of a log, in order, and the number of invalid lines: incomplete, or not written by the runner. */
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

/** A reason as written in the log, which may have been edited. An unknown reason is shown by its code. */
function reasonOf(written: { readonly code: string; readonly hook?: unknown }): RunnerReason {
  const { success, data } = runnerMessage().safeParse(written);
  const { code, hook } = written;
  const known = success ? data : ({ code: 'quote', text: code } as const);
  return typeof hook === 'number' ? { ...known, hook } : known;
}
