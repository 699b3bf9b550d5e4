/** How often each hook ran, how much it said, how long it took, and whether that was too long, from the logs. Pure. */

import type { Event, HookDeclaration } from '../declaration/declaration.ts';
import { RULES, type Rules } from '../declaration/policy.ts';
import { type Counted, summed } from './counts.ts';

/** The firings of a hook on one event of a client. */
export interface Stat {
  readonly label: string;
  readonly client: string;
  /** The client's own event. */
  readonly event: string;
  /** Counted from 1. Absent for firings that failed before any hook was considered. */
  readonly hook?: number;
  /** How often it spoke, decided, or was asked and had nothing to say. */
  readonly firings: number;
  /** Firings that went wrong. */
  readonly failures: number;
  readonly characters: number;
  /** Firings whose duration is known. The shell answers without looking at a clock. */
  readonly timed: number;
  /** Milliseconds that 50 and 99 percent of the firings did not exceed; absent if none is known. */
  readonly p50?: number;
  readonly p99?: number;
  /** Milliseconds that such a hook should take at most; absent if the hook is unknown. */
  readonly limit?: number;
  readonly over: boolean;
}

/**
 * Milliseconds that a hook should take at most. These are the latency classes of the subcog design; events that it does not
 * have use the nearest one. A tool or a program has its own deadline instead.
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

/** @param limitOf Milliseconds for one hook of a label; undefined if the hook is unknown. */
export function statsOf(
  all: readonly Counted[],
  limitOf: (label: string, hook: number) => number | undefined,
): Stat[] {
  const keyOf = ({ label, client, event, hook = 0 }: Counted) =>
    JSON.stringify([label, client, event, hook]);
  return [...summed(all, keyOf).values()]
    .sort(compare)
    .map((one) => statOf(one, one.hook === undefined ? undefined : limitOf(one.label, one.hook)));
}

type Key = Pick<Stat, 'label' | 'client' | 'event' | 'hook'>;

const compare = (a: Key, b: Key): number =>
  a.label.localeCompare(b.label) ||
  a.client.localeCompare(b.client) ||
  a.event.localeCompare(b.event) ||
  (a.hook ?? 0) - (b.hook ?? 0);

function statOf(counted: Counted, limit: number | undefined): Stat {
  const { label, client, event, hook, firings, failures } = counted;
  const times = Object.entries(counted.times)
    .map(([time, often]) => ({ time: Number(time), often }))
    .sort((a, b) => a.time - b.time);
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
  return {
    ...{ label, client, event },
    ...(hook !== undefined && { hook }),
    firings,
    failures,
    characters: Math.round(counted.characters),
    timed: numberOf(times),
    ...(p50 !== undefined && { p50 }),
    ...(p99 !== undefined && { p99 }),
    ...(limit !== undefined && { limit }),
    over: p99 !== undefined && limit !== undefined && p99 > limit,
  };
}

interface Time {
  readonly time: number;
  readonly often: number;
}
const numberOf = (times: readonly Time[]): number =>
  times.reduce((all, { often }) => all + often, 0);

/** The smallest of the sorted times that is not exceeded by this percentage of them. */
function percentile(sorted: readonly Time[], percent: number): number | undefined {
  let left = Math.max(1, Math.ceil((percent / 100) * numberOf(sorted)));
  for (const { time, often } of sorted) {
    left -= often;
    if (left <= 0) return time;
  }
  return undefined;
}

/** Milliseconds for a hook; for a tool or a program as in templates/chain.cts. */
export function limitFor(hook: HookDeclaration, rules: Rules): number {
  const { event, context_tool, command } = hook;
  if (context_tool === undefined && command === undefined) return LATENCY[event];
  const rule = event === 'session_end' ? 'sessionEndSeconds' : 'toolSeconds';
  const most = 1000 * rules[rule];
  const { deadline = most } = hook;
  return rules[rule] === RULES[rule] ? deadline : Math.min(deadline, most);
}
