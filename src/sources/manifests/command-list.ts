/**
 * A list of commands for events, as used by memory servers that start a short-lived process for each event: subcog's `[{
 * "event": "PreCompact", "command": ["subcog", "hook", "pre-compact"], "timeout": 500 }]`.
 */

import * as z from 'zod/mini';
import { BASE_COAT_EVENTS, type Event } from '../../declaration/declaration.ts';
import type { Problem } from '../../declaration/declared.ts';
import { DEADLINE_MS, LIST_ENTRIES } from '../../declaration/limits.ts';
import { checkBy, isRecord } from '../../declaration/schema.ts';
import { memoize } from '../../system/memoize.ts';
import type { Convention, Translation } from './convention.ts';

/** Its "Stop" comes when a session ends, whatever clients mean by that name. */
const EVENTS = {
  ...BASE_COAT_EVENTS,
  UserPromptSubmit: 'pre_request',
  Stop: 'session_end',
} as const satisfies Readonly<Record<string, Event>>;

const schema = memoize(() =>
  z.strictObject({
    event: z.enum(Object.keys(EVENTS) as (keyof typeof EVENTS)[]),
    command: z
      .array(z.string().check(z.minLength(1)))
      .check(z.minLength(1), z.maxLength(LIST_ENTRIES)),
    timeout: z.optional(z.int().check(z.minimum(1), z.maximum(DEADLINE_MS))),
  }),
);

export const commandList: Convention = {
  is: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => isRecord(entry) && 'event' in entry && 'command' in entry),
  read,
};

function read(value: unknown): Translation {
  const problems: Problem[] = [];
  const entries = (Array.isArray(value) ? value : []).flatMap((entry: unknown, index) => {
    const path = [index];
    const { value: own, problems: found } = checkBy(schema(), entry, path);
    problems.push(...found);
    if (!own) return [];
    const { event, command, timeout } = own;
    const deadline = timeout === undefined ? {} : { deadline: timeout };
    return [{ hook: { event: EVENTS[event], command, ...deadline }, path }];
  });
  return { entries, problems };
}
