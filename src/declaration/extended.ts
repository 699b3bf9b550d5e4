/** The strict schema of the extended vocabulary, for manifests of version 2, and the rules between its fields. */

import * as z from 'zod/mini';
import { refusalOf } from '../system/linear.ts';
import { memoize } from '../system/memoize.ts';
import {
  ALL_EVENTS,
  DECISIONS,
  DEFAULT_BUDGET,
  EXTENDED_FIELDS,
  EXTENDED_MATCHER_FIELDS,
  HANDLERS,
  type HookDeclaration,
  isMeant,
  ON_FAILURE,
  ownEventName,
  PRIORITIES,
  SAME,
  TOOL_EVENTS,
  WAITS_FOR,
} from './declaration.ts';
import { error, type KeyPath, type Problem } from './declared.ts';
import {
  BACKGROUND_MS,
  BUDGET_TOKENS,
  COOLDOWN_SECONDS,
  DEADLINE_MS,
  LIMIT,
  LIST_ENTRIES,
  ORDER,
  REPEAT_SECONDS,
  REPEAT_TIMES,
} from './limits.ts';
import type { ExtendedMessage } from './messages.ts';
import {
  type Checked,
  checkBy,
  checkDeclaration,
  exceedsWildcardLimit,
  isRecord,
  type SchemaProblem,
  WILDCARDS,
} from './schema.ts';
import type { SchemaMessage } from './schema-messages.ts';
import { formatKeyPath } from './where.ts';

/** A hook of version 2. The schema is built when the first such manifest is read. */
export const extendedHook = memoize(() => {
  const text = z.string();
  const maybeText = z.optional(text);
  const integer = (least: number, most: number) =>
    z.optional(z.int().check(z.minimum(least), z.maximum(most)));
  const required = (least: number, most: number) =>
    z.int().check(z.minimum(least), z.maximum(most));
  const globs = z.optional(z.array(text.check(z.minLength(1))).check(z.maxLength(LIST_ENTRIES)));
  return z.strictObject({
    event: z.enum(ALL_EVENTS),
    matcher: z.optional(
      z.strictObject({
        tool_name: maybeText,
        input_contains: maybeText,
        tool_server: maybeText,
        exclude: z.optional(z.strictObject({ tools: globs, paths: globs })),
        input_matches: maybeText,
        output_matches: maybeText,
        output_contains: maybeText,
        failed: z.optional(z.boolean()),
        repeat: z.optional(
          z.strictObject({
            times: required(REPEAT_TIMES.least, REPEAT_TIMES.most),
            within: required(1, REPEAT_SECONDS),
            same: z.enum(SAME),
          }),
        ),
        branch: maybeText,
        project: maybeText,
        waits_for: z.optional(z.enum(WAITS_FOR)),
      }),
    ),
    context: maybeText,
    context_tool: maybeText,
    context_tool_args: z.optional(z.record(text, z.unknown())),
    block: z.optional(text.check(z.minLength(1))),
    command: z.optional(z.array(text).check(z.minLength(1), z.maxLength(LIST_ENTRIES))),
    async: z.optional(z.boolean()),
    may: z.optional(z.array(z.enum(DECISIONS)).check(z.maxLength(DECISIONS.length))),
    on_failure: z.optional(z.enum(ON_FAILURE)),
    priority: z.optional(z.enum(PRIORITIES)),
    order: integer(-ORDER, ORDER),
    once: z.optional(z.enum(['session', 'turn'])),
    cooldown: integer(1, COOLDOWN_SECONDS),
    show_empty: z.optional(z.boolean()),
    limit: z.optional(z.strictObject({ characters: integer(1, LIMIT), tokens: integer(1, LIMIT) })),
    deadline: integer(1, BACKGROUND_MS.most),
    enabled: z.optional(z.boolean()),
    budget: z.optional(
      z.strictObject({
        tokens: required(1, BUDGET_TOKENS),
        warn: integer(1, 100),
        fire: integer(1, 100),
      }),
    ),
  });
});

type ExtendedProblem = Problem<SchemaMessage | ExtendedMessage>;

/**
 * Checks one entry of `declarations`, found at `path` in its document. The value has our name for its event, and a priority.
 */
export function checkExtended(
  entry: unknown,
  path: KeyPath,
): Checked<HookDeclaration, ExtendedProblem> {
  const own = isRecord(entry) ? { ...entry, event: ownEventName(entry.event) } : entry;
  const checked = checkBy(extendedHook(), own, path);
  const problems: ExtendedProblem[] = [...checked.problems];
  if (isRecord(own)) problems.push(...crossChecks(own, path));
  const wrong = problems.some(({ level }) => level === 'error');
  if (!isRecord(own) || wrong) return { problems };
  // Not zod's copy, which omits keys that zod considers dangerous, such as an argument `__proto__`.
  return { value: { priority: 'suggestion', ...own } as unknown as HookDeclaration, problems };
}

/** Rules between fields, which the schema of a single field cannot express. */
function crossChecks(entry: Record<string, unknown>, path: KeyPath): ExtendedProblem[] {
  const problems: ExtendedProblem[] = [];
  const wrong = (message: SchemaMessage | ExtendedMessage, ...at: (string | number)[]) =>
    problems.push(error(message, [...path, ...at]));
  const has = (field: string) => field in entry;
  const handlers = HANDLERS.filter(has);
  if (handlers.length === 0) wrong({ code: 'handler-missing', allowed: HANDLERS });
  if (handlers.length > 1)
    wrong({ code: 'handlers-several', keys: handlers }, handlers.at(-1) ?? '');
  if (has('context_tool_args') && !has('context_tool'))
    wrong({ code: 'args-need-tool' }, 'context_tool_args');
  if (has('show_empty') && !has('context_tool'))
    wrong({ code: 'field-without', key: 'show_empty', of: ['context_tool'] }, 'show_empty');
  if (has('async') && !has('command'))
    wrong({ code: 'field-without', key: 'async', of: ['command'] }, 'async');
  if (entry.async === true)
    for (const key of ['may', 'limit']) if (has(key)) wrong({ code: 'answer-unread', key }, key);
  if (entry.async !== true && isWithin(entry.deadline, DEADLINE_MS + 1, BACKGROUND_MS.most))
    wrong({ code: 'above-maximum', key: 'deadline', maximum: DEADLINE_MS }, 'deadline');
  for (const key of ['may', 'deadline'])
    if (has(key) && !has('context_tool') && !has('command'))
      wrong({ code: 'field-without', key, of: ['context_tool', 'command'] }, key);

  const { limit, budget, command, may, on_failure } = entry;
  const decisions: readonly unknown[] = Array.isArray(may) ? may : [];
  if (has('on_failure') && !has('block') && decisions.length === 0)
    wrong({ code: 'field-without', key: 'on_failure', of: ['block', 'may'] }, 'on_failure');
  else if (on_failure === 'deny' && !has('block') && !decisions.includes('block'))
    wrong({ code: 'deny-without-block' }, 'on_failure');
  const event = ALL_EVENTS.find((one) => one === entry.event);
  if (isRecord(limit) && 'characters' in limit === 'tokens' in limit)
    wrong({ code: 'one-of', key: 'limit', allowed: ['characters', 'tokens'] }, 'limit');
  if (event === 'budget_exceeded' && budget === undefined)
    wrong({ code: 'field-of-event', key: 'budget', event });
  if (has('budget') && event && event !== 'budget_exceeded')
    wrong({ code: 'field-elsewhere', key: 'budget', event, of: 'budget_exceeded' }, 'budget');
  if (isRecord(budget)) {
    const { warn = DEFAULT_BUDGET.warn, fire = DEFAULT_BUDGET.fire } = budget;
    if (isPercentage(warn) && isPercentage(fire) && warn > fire) {
      const key = 'warn' in budget ? 'warn' : 'fire';
      wrong({ code: 'warns-too-late', key: `budget.${key}`, warn, fire }, 'budget', key);
    }
  }
  const words: readonly unknown[] = Array.isArray(command) ? command : [];
  if (words[0] === '') wrong({ code: 'value-empty', key: 'command[0]' }, 'command', 0);
  for (const [index, word] of words.entries())
    if (typeof word === 'string' && word.includes('\0'))
      wrong({ code: 'word-with-nul', key: formatKeyPath(['command', index]) }, 'command', index);
  if (isRecord(entry.matcher)) problems.push(...inMatcher(entry.matcher, event, path));
  return problems;
}

/** Valid by the schema, which has already reported any other value. */
const isPercentage = (value: unknown): value is number => isWithin(value, 1, 100);

const isWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

function inMatcher(
  matcher: Record<string, unknown>,
  event: string | undefined,
  path: KeyPath,
): ExtendedProblem[] {
  const problems: ExtendedProblem[] = [];
  const at = [...path, 'matcher'];
  const wild = (glob: unknown, ...inner: (string | number)[]) => {
    const key = formatKeyPath(['matcher', ...inner]);
    if (exceedsWildcardLimit(glob))
      problems.push(
        error({ code: 'too-many-wildcards', limit: WILDCARDS, key }, [...at, ...inner]),
      );
  };
  for (const key of ['tool_name', 'branch', 'project']) wild(matcher[key], key);
  const { exclude } = matcher;
  for (const key of ['tools', 'paths']) {
    const globs: unknown = isRecord(exclude) ? exclude[key] : undefined;
    // `**` counts as one wildcard in a path.
    for (const [index, glob] of (Array.isArray(globs) ? globs : []).entries())
      wild(typeof glob === 'string' ? glob.replaceAll('**', '*') : glob, 'exclude', key, index);
  }
  for (const key of ['input_matches', 'output_matches']) {
    const pattern = matcher[key];
    const text = typeof pattern === 'string' ? refusalOf(pattern) : undefined;
    if (text !== undefined)
      problems.push(
        error({ code: 'pattern-unusable', key: formatKeyPath(['matcher', key]), text }, [
          ...at,
          key,
        ]),
      );
  }
  if (event === undefined) return problems;
  for (const key of Object.keys(matcher))
    if (!isMeant(key, event, matcher))
      problems.push({
        level: 'warning',
        message: {
          code: 'matcher-ignored',
          key: formatKeyPath(['matcher', key]),
          event,
          toolEvents: TOOL_EVENTS,
          ...(key === 'input_contains' &&
            isMeant('input_matches', event, matcher) && {
              instead: formatKeyPath(['matcher', 'input_matches']),
            }),
        },
        path: [...at, key],
      });
  return problems;
}

/** Checks an entry of a manifest of version 1, which could declare version 2. Says so of what only version 2 allows. */
export function checkOfVersion1(entry: unknown, path: KeyPath): Checked<HookDeclaration> {
  const checked = checkDeclaration(entry, path);
  if (checked.value || !isRecord(entry)) return checked;
  return { problems: checked.problems.flatMap((one) => ofLaterVersion(one, entry, path)) };
}

/** Adds the later version to a problem that is an error only in version 1. Omits problems that only follow from it. */
function ofLaterVersion(
  problem: SchemaProblem,
  entry: Record<string, unknown>,
  path: KeyPath,
): SchemaProblem[] {
  const { message } = problem;
  const [field = '', inner] = problem.path.slice(path.length).map(String);
  const addVersion = 2;
  if (message.code === 'context-or-tool' && ('block' in entry || 'command' in entry)) return [];
  if (message.code === 'value-unknown' && field === 'event' && isEvent(ownEventName(entry.event))) {
    const { near: _, ...facts } = message;
    return [{ ...problem, message: { ...facts, addVersion } }];
  }
  const isLater =
    field === 'matcher'
      ? EXTENDED_MATCHER_FIELDS.some((one) => one === inner)
      : EXTENDED_FIELDS.some((one) => one === field);
  if (message.code !== 'unknown-key' || !isLater) return [problem];
  const { near: _, ...facts } = message;
  return [{ ...problem, message: { ...facts, addVersion } }];
}

const isEvent = (name: unknown): boolean => ALL_EVENTS.some((event) => event === name);

/** Whether an entry's event is unknown in version 2, too. */
export const isOfNoEvent = (entry: unknown): boolean =>
  isRecord(entry) && !isEvent(ownEventName(entry.event));
