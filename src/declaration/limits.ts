/**
 * How much a server may declare and show. Anything beyond a limit is refused, not cut, because a user cannot agree to a text
 * without reading all of it. A policy may allow less, never more.
 */

import { error, type KeyPath, type Problem } from './declared.ts';
import type { DeclarationMessage } from './messages.ts';
import { isRecord } from './schema.ts';
import { formatKeyPath } from './where.ts';

/** The maximum number of declarations of one server. */
export const DECLARATIONS = 1000;

/** The maximum number of characters of a `context`. */
export const CONTEXT_CHARACTERS = 1_000_000;

/** The maximum number of characters of an event, a tool's name, or a field of a matcher. */
export const NAME_CHARACTERS = 1000;

/** The maximum number of characters of the `context_tool_args` of one declaration, as JSON. */
export const ARGS_CHARACTERS = 100_000;

/** The maximum number of entries in each list of a hook: globs, words of a command. */
export const LIST_ENTRIES = 100;

/** The maximum number of characters in one word of a `command`. */
export const WORD_CHARACTERS = 4096;

/** The maximum absolute value of `order`. */
export const ORDER = 1_000_000;

/** The maximum `cooldown` in seconds: a year. */
export const COOLDOWN_SECONDS = 365 * 24 * 60 * 60;

/** The maximum `deadline` in milliseconds. */
export const DEADLINE_MS = 30_000;

/** The same for a background command, and its default. */
export const BACKGROUND_MS = { most: 600_000, usual: 60_000 } as const;

/** The maximum `limit`, in characters or tokens. */
export const LIMIT = 1_000_000;

/** The maximum number of tokens of a `budget`. */
export const BUDGET_TOKENS = 100_000_000;

/** The range of `times` in a `repeat`, and the maximum `within` in seconds: a day. */
export const REPEAT_TIMES = { least: 2, most: 100 } as const;
export const REPEAT_SECONDS = 24 * 60 * 60;

/** The maximum size in bytes of a file that a `command` names. It is hashed before each run. */
export const COMMAND_FILE_BYTES = 16 * 1024 * 1024;

/** The maximum size in bytes of one message from a server that we query, and of everything it sends over HTTP. */
export const RESPONSE_BYTES = 4 * 1024 * 1024;

/** The maximum size of a manifest in bytes. */
export const MANIFEST_BYTES = 1024 * 1024;

/** The maximum nesting depth of brackets. Files written by hand are not deep, and recursive readers must not overflow. */
export const DEPTH = 100;

/** Reports a hooks capability with too many declarations, or with declarations that are too long. */
export function beyondLimits(hooks: unknown, path: KeyPath): Beyond[] {
  if (!isRecord(hooks) || !Array.isArray(hooks.declarations)) return [];
  const at = [...path, 'declarations'];
  const entries: readonly unknown[] = hooks.declarations;
  const [count, limit] = [entries.length, DECLARATIONS];
  if (count > limit) return [error({ code: 'too-many-declarations', count, limit }, at)];
  return entries.flatMap((entry, index) => (isRecord(entry) ? tooLong(entry, [...at, index]) : []));
}

type Beyond = Problem<DeclarationMessage>;

function tooLong(entry: Record<string, unknown>, path: KeyPath): Beyond[] {
  const found: Beyond[] = [];
  const check = (value: unknown, limit: number, ...at: (string | number)[]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const characters = text?.length ?? 0;
    const key = formatKeyPath(at);
    if (characters > limit)
      found.push(error({ code: 'too-many-characters', key, characters, limit }, [...path, ...at]));
  };
  check(entry.event, NAME_CHARACTERS, 'event');
  const { exclude, ...fields } = isRecord(entry.matcher) ? entry.matcher : {};
  for (const [key, value] of Object.entries(fields)) check(value, NAME_CHARACTERS, 'matcher', key);
  for (const [key, globs] of Object.entries(isRecord(exclude) ? exclude : {}))
    for (const [index, glob] of (Array.isArray(globs) ? globs : [globs]).entries())
      check(glob, NAME_CHARACTERS, 'matcher', 'exclude', key, index);
  check(entry.context, CONTEXT_CHARACTERS, 'context');
  check(entry.block, CONTEXT_CHARACTERS, 'block');
  for (const [index, word] of (Array.isArray(entry.command) ? entry.command : []).entries())
    check(word, WORD_CHARACTERS, 'command', index);
  check(entry.context_tool, NAME_CHARACTERS, 'context_tool');
  check(entry.context_tool_args, ARGS_CHARACTERS, 'context_tool_args');
  return found;
}

/** The depth of a value. The search stops as soon as it exceeds the limit. */
export function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth++) {
    const inside = level.filter((one) => typeof one === 'object' && one !== null);
    if (inside.length === 0 || depth > DEPTH) return depth;
    level = inside.flatMap((one) => Object.values(Object(one)));
  }
}
