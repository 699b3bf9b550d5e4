/** The strict schema of SEP-2282, and what each breach of it is called in plain words. */

import * as z from 'zod/mini';
import { didYouMean } from '../system/nearest.ts';
import { type Declaration, EVENTS, PRIORITIES, type Problem, TOOL_EVENTS } from './declaration.ts';
import type { ServerLaunch } from './declared.ts';

const declaration = z.strictObject({
  event: z.enum(EVENTS),
  matcher: z.optional(
    z.strictObject({
      tool_name: z.optional(z.string()),
      input_contains: z.optional(z.string()),
      tool_server: z.optional(z.string()),
    }),
  ),
  context: z.optional(z.string()),
  context_tool: z.optional(z.string()),
  context_tool_args: z.optional(z.record(z.string(), z.unknown())),
  priority: z.enum(PRIORITIES),
});

/** More `*` in one glob take a regular expression too long, in the client's own process. */
const WILDCARDS = 4;

const stdio = z.strictObject({
  command: z.string().check(z.minLength(1)),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
});
const http = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: z.optional(z.record(z.string(), z.string())),
});

/** The value when it is right, and all that is wrong with it or worth a warning, not only the first. */
export interface Checked<T> {
  readonly value?: T;
  readonly problems: readonly Problem[];
}

/** One entry of `declarations`, found at `path` of its document. */
export function checkDeclaration(
  entry: unknown,
  path: readonly PropertyKey[],
): Checked<Declaration> {
  const result = declaration.safeParse(entry);
  const problems = result.success ? [] : explain(result.error.issues, declaration, entry, path);
  if (isRecord(entry)) problems.push(...crossChecks(entry, path));
  const wrong = problems.some((problem) => problem.level === 'error');
  // The entry itself: zod's copy lacks what it thinks dangerous, such as an argument `__proto__`.
  return result.success && !wrong ? { value: entry as Declaration, problems } : { problems };
}

/** Whether an entry is for an event that we do not know. */
export const isUnknownEvent = (
  entry: unknown,
): entry is Record<string, unknown> & { readonly event: string } =>
  isRecord(entry) &&
  typeof entry.event === 'string' &&
  entry.event !== '' &&
  !EVENTS.some((event) => event === entry.event);

/** How the server is started or reached: the `server` of a manifest. */
export function checkServer(entry: unknown, path: readonly PropertyKey[]): Checked<ServerLaunch> {
  const schema = isRecord(entry) && 'url' in entry ? http : stdio;
  const result = schema.safeParse(withoutVariables(entry));
  if (result.success && isRecord(entry) && hasUser(String(entry.url))) {
    const message = '"url" has a user or password in it; put what authorises you into "headers"';
    return { problems: [{ level: 'error', message, path: [...path, 'url'] }] };
  }
  return result.success
    ? { value: entry as ServerLaunch, problems: [] }
    : { problems: explain(result.error.issues, schema, entry, path) };
}

/** Whether an address has a user or a password in it, which would be kept and printed with it. */
export const hasUser = (address: string): boolean => /^\w+:\/\/[^/?#]*@/.test(address);

/** With something in the place of each variable of an address, which the clients fill in. */
function withoutVariables(entry: unknown): unknown {
  if (!isRecord(entry) || typeof entry.url !== 'string') return entry;
  const [variable, first] = [/\$(?:\w+|\{[^}]+\})/g, /^\$(?:\w+|\{[^}]+\})/];
  return { ...entry, url: entry.url.replace(first, 'http://0').replace(variable, '0') };
}

/** What holds between the fields, which the schema of one field cannot say. */
function crossChecks(entry: Record<string, unknown>, path: readonly PropertyKey[]): Problem[] {
  const problems: Problem[] = [];
  const error = (message: string, ...at: string[]) =>
    problems.push({ level: 'error', message, path: [...path, ...at] });
  if ('context' in entry && 'context_tool' in entry)
    error('"context" and "context_tool" exclude each other: keep one', 'context_tool');
  if (!('context' in entry) && !('context_tool' in entry))
    error('one of "context" (a text) and "context_tool" (the name of a tool) is needed');
  if ('context_tool_args' in entry && !('context_tool' in entry))
    error('"context_tool_args" needs "context_tool"', 'context_tool_args');
  const glob = isRecord(entry.matcher) ? entry.matcher.tool_name : undefined;
  if (typeof glob === 'string' && glob.replace(/\\./gs, '').split('*').length - 1 > WILDCARDS)
    error(`"tool_name" has more than ${WILDCARDS} "*"`, 'matcher', 'tool_name');
  if (
    'matcher' in entry &&
    EVENTS.some((event) => event === entry.event) &&
    !TOOL_EVENTS.some((event) => event === entry.event)
  )
    problems.push({
      level: 'warning',
      message: `"matcher" is ignored: ${entry.event} is not about a tool call (${TOOL_EVENTS.join(', ')} are)`,
      path: [...path, 'matcher'],
    });
  return problems;
}

/** All that is wrong with a value by a schema, in plain words. */
export function breaches(schema: z.ZodMiniType, value: unknown): Problem[] {
  const result = schema.safeParse(value);
  return result.success ? [] : explain(result.error.issues, schema, value, []);
}

type Issues = readonly z.core.$ZodIssue[];

function explain(
  issues: Issues,
  schema: z.ZodMiniType,
  root: unknown,
  path: readonly PropertyKey[],
): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const at = [...path, ...issue.path];
    const key = issue.path.at(-1);
    const name = key === undefined ? 'this' : JSON.stringify(key);
    const found = dig(root, issue.path);
    const error = (message: string, where = at): Problem => ({
      level: 'error',
      message,
      path: where,
    });
    if (issue.code === 'unrecognized_keys') {
      const allowed = keysAt(schema, issue.path);
      return issue.keys.map((unknown) => error(unknownKey(unknown, allowed), [...at, unknown]));
    }
    if (issue.code === 'invalid_value') {
      const words = issue.values.map(String);
      const allowed = words.join(', ');
      return [
        error(
          found === undefined
            ? `${name} is missing; allowed: ${allowed}`
            : `${name} is ${show(found)}; allowed: ${allowed}${typeof found === 'string' ? didYouMean(found, words) : ''}`,
        ),
      ];
    }
    if (issue.code === 'invalid_type')
      return [
        error(
          found === undefined
            ? `${name} is missing; it must be ${article(issue.expected)}`
            : `${name} must be ${article(issue.expected)}, not ${kind(found)}`,
        ),
      ];
    if (issue.code === 'invalid_format')
      return [error(`${name} must be an http or https address, not ${show(found)}`)];
    if (issue.code === 'too_big') return [error(`${name} must not be above ${issue.maximum}`)];
    if (issue.code === 'too_small')
      return [
        error(
          issue.origin === 'number'
            ? `${name} must not be below ${issue.minimum}`
            : `${name} must not be empty`,
        ),
      ];
    if (issue.code === 'invalid_key') return [error(`${name} is no label of a server`)];
    return [error(`${name} is not right: ${issue.message}`)];
  });
}

/** What is said of a key that is not known, and of those that may stand there. */
export const unknownKey = (key: string, allowed: readonly string[] = []): string =>
  `unknown key ${JSON.stringify(key)}${allowed.length > 0 ? `; allowed: ${allowed.join(', ')}${didYouMean(key, allowed)}` : ''}`;

/** The keys that the schema allows at `path`, to name them beside an unknown one. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] | undefined {
  let here: z.core.$ZodType = schema;
  for (const step of path) {
    if (here instanceof z.ZodMiniOptional) here = here._zod.def.innerType;
    const next =
      here instanceof z.ZodMiniObject
        ? here._zod.def.shape[String(step)]
        : here instanceof z.ZodMiniRecord
          ? here._zod.def.valueType
          : undefined;
    if (!next) return undefined;
    here = next;
  }
  if (here instanceof z.ZodMiniOptional) here = here._zod.def.innerType;
  return here instanceof z.ZodMiniObject ? Object.keys(here._zod.def.shape) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What kind of value this is, with its article. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return article(Array.isArray(value) ? 'array' : typeof value);
}

function article(type: string): string {
  const noun = type === 'record' ? 'object' : type;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

const dig = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (here, key) => (typeof here === 'object' && here !== null ? Reflect.get(here, key) : undefined),
    value,
  );

/** A wrong value, short enough for one line; JSON escapes make control characters visible. */
const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
