/** How often hooks have fired, how much they said and how long they took, by the logs; and which take longer than they should. Pure. */

import type { Event, HookDeclaration } from '../declaration/declaration.ts';
import type { LogEntry } from './log.ts';

/** Firings of the same hooks of a label on one event of a client. */
export interface Stat {
  readonly label: string;
  readonly client: string;
  /** The client's own event. */
  readonly event: string;
  /** Counted from 1; several that spoke together are counted together. */
  readonly hooks: readonly number[];
  readonly firings: number;
  /** Firings that went wrong. */
  readonly failures: number;
  readonly characters: number;
  /** Firings of which it is known how long they took: where the shell answers, nobody looks at a clock. */
  readonly timed: number;
  /** Milliseconds that half of them, and 99 of 100, did not exceed; absent: none is known. */
  readonly p50?: number;
  readonly p99?: number;
  /** Milliseconds that such a hook should take at most; absent: it is not known what it is for. */
  readonly limit?: number;
  readonly over: boolean;
}

/**
 * Milliseconds that a hook should take at most: the latency classes of the subcog design, and for the events that it does not
 * have those of the nearest ones. A tool or a program has a deadline of its own instead.
 */
export const LATENCY: Readonly<Record<Event, number>> = {
  session_start: 2000,
  pre_request: 50,
  pre_tool_use: 100,
  post_tool_use: 100,
  tool_error: 100,
  budget_exceeded: 100,
  pre_compact: 500,
  post_compact: 500,
  subagent_start: 2000,
  subagent_end: 5000,
  post_request: 5000,
  session_end: 5000,
};

/** @param limitOf Milliseconds for one hook of a label; undefined: that hook is not known. */
export function statsOf(
  entries: readonly LogEntry[],
  limitOf: (label: string, hook: number) => number | undefined,
): Stat[] {
  const groups = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const { label, client, event, hooks } = entry;
    const key = JSON.stringify([label, client, event, hooks]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, all]) => {
      const [first] = all;
      return first ? statOf(first, all, limitOf) : [];
    });
}

function statOf(
  { label, client, event, hooks }: LogEntry,
  all: readonly LogEntry[],
  limitOf: (label: string, hook: number) => number | undefined,
): Stat {
  const times = all.flatMap(({ milliseconds = [] }) => milliseconds).sort((a, b) => a - b);
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
  const limits = hooks.flatMap((hook) => limitOf(label, hook) ?? []);
  // Of several that spoke together, the one with the most time had it.
  const limit = limits.length > 0 ? Math.max(...limits) : undefined;
  return {
    label,
    client,
    event,
    hooks,
    firings: all.length,
    failures: all.filter(({ why }) => why !== undefined).length,
    characters: all.reduce((sum, one) => sum + one.characters, 0),
    timed: times.length,
    ...(p50 !== undefined && { p50 }),
    ...(p99 !== undefined && { p99 }),
    ...(limit !== undefined && { limit }),
    over: p99 !== undefined && limit !== undefined && p99 > limit,
  };
}

/** The least of the sorted numbers that so many percent of them do not exceed. */
const percentile = (sorted: readonly number[], percent: number): number | undefined =>
  sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];

/** Milliseconds for a hook; @param toolMs Those that a tool or program has which does not say how many it needs. */
export const limitFor = (
  { event, context_tool, command, deadline }: HookDeclaration,
  toolMs: number,
): number =>
  context_tool === undefined && command === undefined ? LATENCY[event] : (deadline ?? toolMs);
