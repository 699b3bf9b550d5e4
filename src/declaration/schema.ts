/** The strict schema of SEP-2282, with a code for each violation. */

import * as z from 'zod/mini';
import { memoize } from '../system/memoize.ts';
import { nearest } from '../system/nearest.ts';
import { EVENTS, type HookDeclaration, PRIORITIES, TOOL_EVENTS } from './declaration.ts';
import { error, type KeyPath, type Problem, type ServerLaunch } from './declared.ts';
import type { SchemaMessage } from './schema-messages.ts';
import { formatKeyPath } from './where.ts';

// Building a schema takes time, so each one is built at its first use.
const text = memoize(() => z.string());
const maybeText = memoize(() => z.optional(text()));
const maybeTexts = memoize(() => z.optional(z.record(text(), text())));

/** A hook as in SEP-2282. */
export const sepHook = memoize(() =>
  z.strictObject({
    event: z.enum(EVENTS),
    matcher: z.optional(
      z.strictObject({
        tool_name: maybeText(),
        input_contains: maybeText(),
        tool_server: maybeText(),
      }),
    ),
    context: maybeText(),
    context_tool: maybeText(),
    context_tool_args: z.optional(z.record(text(), z.unknown())),
    priority: z.enum(PRIORITIES),
  }),
);

/** With more `*` in a glob, a regular expression would take too long in the client's own process. */
export const WILDCARDS = 4;

/** A server to start, and a server at a URL. */
export const stdio = memoize(() =>
  z.strictObject({
    command: text().check(z.minLength(1)),
    args: z.optional(z.array(text())),
    env: maybeTexts(),
  }),
);
export const http = memoize(() =>
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    headers: maybeTexts(),
  }),
);

export type SchemaProblem = Problem<SchemaMessage>;

/** The value if it is valid, with all errors and warnings, not only the first. */
export interface Checked<T, P extends Problem = SchemaProblem> {
  readonly value?: T;
  readonly problems: readonly P[];
}

/** Checks one entry of `declarations`, found at `path` in its document. */
export function checkDeclaration(entry: unknown, path: KeyPath): Checked<HookDeclaration> {
  const result = sepHook().safeParse(entry);
  const problems = result.success ? [] : explain(result.error.issues, sepHook(), entry, path);
  if (isRecord(entry)) problems.push(...crossChecks(entry, path));
  const wrong = problems.some((problem) => problem.level === 'error');
  // The entry itself, because zod's copy omits keys that zod considers dangerous, such as an argument `__proto__`.
  return result.success && !wrong ? { value: entry as HookDeclaration, problems } : { problems };
}

export const isUnknownEvent = (
  entry: unknown,
): entry is Record<string, unknown> & { readonly event: string } =>
  isRecord(entry) &&
  typeof entry.event === 'string' &&
  entry.event !== '' &&
  !EVENTS.some((event) => event === entry.event);

/** Checks a value, found at `path` in its document, against any schema. */
export function checkBy<T>(
  schema: z.ZodMiniType<T>,
  entry: unknown,
  path: KeyPath,
): Checked<T> & { readonly problems: SchemaProblem[] } {
  const result = schema.safeParse(entry);
  return result.success
    ? { value: result.data, problems: [] }
    : { problems: explain(result.error.issues, schema, entry, path) };
}

/** How to start or reach the server: the `server` of a manifest. */
export function checkServer(entry: unknown, path: KeyPath): Checked<ServerLaunch> {
  const schema = isRecord(entry) && 'url' in entry ? http() : stdio();
  const result = schema.safeParse(withoutVariables(entry));
  if (result.success && isRecord(entry) && hasUser(String(entry.url)))
    return { problems: [error({ code: 'url-with-user' } as const, [...path, 'url'])] };
  return result.success
    ? { value: entry as ServerLaunch, problems: [] }
    : { problems: explain(result.error.issues, schema, entry, path, ['server']) };
}

/** Whether a URL contains a user name or a password, which would be stored and printed with it. */
export const hasUser = (address: string): boolean => /^\w+:\/\/[^/?#]*@/.test(address.trim());

/** Replaces each variable in a URL, because the clients fill these in. */
function withoutVariables(entry: unknown): unknown {
  if (!isRecord(entry) || typeof entry.url !== 'string') return entry;
  const [variable, first] = [/\$(?:\w+|\{[^}]+\})/g, /^\$(?:\w+|\{[^}]+\})/];
  return { ...entry, url: entry.url.replace(first, 'http://0').replace(variable, '0') };
}

/** Rules between fields, which the schema of a single field cannot express. */
function crossChecks(entry: Record<string, unknown>, path: KeyPath): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const wrong = (message: SchemaMessage, ...at: string[]) =>
    problems.push(error(message, [...path, ...at]));
  if ('context' in entry && 'context_tool' in entry)
    wrong({ code: 'context-and-tool' }, 'context_tool');
  if (!('context' in entry) && !('context_tool' in entry)) wrong({ code: 'context-or-tool' });
  if ('context_tool_args' in entry && !('context_tool' in entry))
    wrong({ code: 'args-need-tool' }, 'context_tool_args');
  const glob = isRecord(entry.matcher) ? entry.matcher.tool_name : undefined;
  if (exceedsWildcardLimit(glob))
    wrong(
      { code: 'too-many-wildcards', limit: WILDCARDS, key: 'matcher.tool_name' },
      'matcher',
      'tool_name',
    );
  const event = EVENTS.find((one) => one === entry.event);
  const toolEvents = EVENTS.filter((one) => TOOL_EVENTS.includes(one));
  if ('matcher' in entry && event && !TOOL_EVENTS.includes(event)) {
    const message = { code: 'matcher-ignored', event, toolEvents } as const;
    problems.push({ level: 'warning', message, path: [...path, 'matcher'] });
  }
  return problems;
}

/** Whether a glob has more `*` than allowed. */
export const exceedsWildcardLimit = (glob: unknown): boolean =>
  typeof glob === 'string' && glob.replace(/\\./gs, '').split('*').length - 1 > WILDCARDS;

export function breaches(schema: z.ZodMiniType, value: unknown): SchemaProblem[] {
  const result = schema.safeParse(value);
  return result.success ? [] : explain(result.error.issues, schema, value, []);
}

type Issue = z.core.$ZodIssue;

/** @param inside The path of the value in the object from which its fields are named. */
function explain(
  issues: readonly Issue[],
  schema: z.ZodMiniType,
  root: unknown,
  path: KeyPath,
  inside: KeyPath = [],
): SchemaProblem[] {
  return issues.flatMap((issue): SchemaProblem[] => {
    const at = [...path, ...issue.path];
    if (issue.code !== 'unrecognized_keys')
      return [error(breach(issue, [...inside, ...issue.path], dig(root, issue.path)), at)];
    const allowed = keysAt(schema, issue.path);
    return issue.keys.map((key) => error(unknownKey(key, allowed), [...at, key]));
  });
}

function breach(issue: Issue, at: KeyPath, found: unknown): SchemaMessage {
  const key = at.length === 0 ? {} : { key: formatKeyPath(at) };
  switch (issue.code) {
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      if (found === undefined) return { code: 'value-missing', ...key, allowed };
      const near = typeof found === 'string' ? nearTo(found, allowed) : {};
      return { code: 'value-unknown', ...key, found: show(found), allowed, ...near };
    }
    case 'invalid_type': {
      const { expected } = issue;
      if (found === undefined)
        return { code: 'field-missing', ...key, expected: publicType(expected) };
      if (expected === 'int' && typeof found === 'number')
        return { code: 'not-whole', ...key, found: show(found) };
      return { code: 'wrong-type', ...key, expected: publicType(expected), found: typeName(found) };
    }
    case 'invalid_union': {
      const [first] = issue.errors.flat().filter(({ path }) => path.length > 0);
      if (first) return breach(first, [...at, ...first.path], dig(found, first.path));
      const types = issue.errors.flat().flatMap((one) => ('expected' in one ? one.expected : []));
      const expected = types.map(publicType).join(' or ');
      return { code: 'wrong-type', ...key, expected, found: typeName(found) };
    }
    case 'invalid_format':
      return { code: 'not-http', ...key, found: show(found) };
    case 'too_big':
      if (issue.origin === 'array')
        return { code: 'too-many-entries', ...key, maximum: Number(issue.maximum) };
      return { code: 'above-maximum', ...key, maximum: Number(issue.maximum) };
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? { code: 'below-minimum', ...key, minimum: Number(issue.minimum) }
        : { code: 'value-empty', ...key };
    case 'invalid_key':
      return { code: 'no-label', key: String(issue.path.at(-1)) };
    default:
      return { code: 'not-right', ...key, text: issue.message };
  }
}

/** Replaces the schema library's names for integers and for objects with any keys by ours. */
const publicType = (type: string): string => ({ int: 'number', record: 'object' })[type] ?? type;

export const unknownKey = (key: string, allowed: readonly string[] = []): SchemaMessage => ({
  code: 'unknown-key',
  key,
  allowed,
  ...nearTo(key, allowed),
});

function nearTo(typed: string, known: readonly string[]): { near?: string } {
  const [near] = nearest(typed, known);
  return near === undefined ? {} : { near };
}

/** The keys that the schema allows at `path`, for the message about an unknown one. */
function keysAt(schema: z.core.$ZodType, path: KeyPath): string[] | undefined {
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

/** The type of a value: `array`, `null`, or the result of `typeof`. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const dig = (value: unknown, path: KeyPath): unknown =>
  path.reduce<unknown>(
    (here, key) => (typeof here === 'object' && here !== null ? Reflect.get(here, key) : undefined),
    value,
  );

/** A wrong value, shortened to fit on a line. JSON escapes make control characters visible. */
const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
