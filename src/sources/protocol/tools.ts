/**
 * The tools of a server, and whether arguments fit one of them. Everything that a server reports about its tools is untrusted.
 */

import { isDeepStrictEqual } from 'node:util';
import { error, type KeyPath, type Problem } from '../../declaration/declared.ts';
import { DEPTH, depthOf, NAME_CHARACTERS, RESPONSE_BYTES } from '../../declaration/limits.ts';
import { isRecord, typeName } from '../../declaration/schema.ts';
import { formatKeyPath } from '../../declaration/where.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { visible } from '../../system/visible.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { type AskOptions, talkTo } from './ask.ts';
import { errorText } from './connection.ts';
import { type Conversation, converse, isUnknownMethod, resultOf } from './conversation.ts';
import type { ServerAnswer } from './declared.ts';

export interface Tool {
  /** As reported by the server, but without hidden characters. */
  readonly name: string;
  /** The server's own description, truncated but otherwise unchanged. */
  readonly description?: string;
  /** A JSON Schema, as received. Absent if the server has none, or one that is too large. */
  readonly inputSchema?: unknown;
  /** Claims of the server. */
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
}

export interface ToolList {
  readonly tools: readonly Tool[];
  /** Whether the list is complete. */
  readonly whole: boolean;
  /** The server's first answer, which may contain its hooks (`declaredIn`). */
  readonly answer: ServerAnswer;
}

/** Maximum number of pages to request, and of tools to keep. */
const PAGES = 50;
const TOOLS = 2000;

/** Maximum number of characters of a description, and of a schema as JSON. */
const DESCRIPTION = 4000;
const SCHEMA = 100_000;

/**
 * Starts or reaches the server and queries its tools, within the deadline of the whole conversation.
 *
 * @throws UserError as `askServer` does, and if the server does not answer the query.
 */
export const listTools = (options: AskOptions): Promise<ToolList> =>
  talkTo(options, async (connection) => {
    const talk = await converse(connection, options.version);
    return { ...(await allTools(talk)), answer: talk.answer };
  });

async function allTools({
  answer: { name, capabilities },
  ask,
}: Conversation): Promise<Pick<ToolList, 'tools' | 'whole'>> {
  const { jsonOf } = runnerCode('./json.cjs');
  const tools = new Map<string, Tool>();
  // A server without tools may not know the request.
  if (isRecord(capabilities) && !('tools' in capabilities)) return { tools: [], whole: true };
  let cursor: string | undefined;
  let whole = true;
  let characters = 0;
  const asked = new Set<string>();
  for (let page = 0; page < PAGES; page++) {
    const reply = await ask('tools/list', cursor === undefined ? {} : { cursor });
    const result = reply.result === undefined ? undefined : resultOf(reply, { name });
    if (!result || !Array.isArray(result.tools)) {
      if (page > 0) return { tools: [...tools.values()], whole: false };
      if (isUnknownMethod(reply.error)) return { tools: [], whole: true };
      const error = reply.error === undefined ? 'no list of tools' : errorText(reply);
      throw new SourceError({ code: 'tools-not-listed', name, error });
    }
    for (const entry of result.tools) {
      const tool = toolIn(entry);
      characters += jsonOf(entry).length;
      if (!tool || tools.has(tool.name)) whole = false;
      else if (tools.size >= TOOLS || characters > RESPONSE_BYTES)
        return { tools: [...tools.values()], whole: false };
      else tools.set(tool.name, tool);
    }
    const { nextCursor: next } = result;
    if (typeof next !== 'string' || next === '') return { tools: [...tools.values()], whole };
    // Repeated cursors would cause an endless loop.
    if (asked.has(next) || next.length > NAME_CHARACTERS) break;
    asked.add(next);
    cursor = next;
  }
  return { tools: [...tools.values()], whole: false };
}

/** Undefined for a tool that cannot be called, or whose name contains hidden characters. */
function toolIn(entry: unknown): Tool | undefined {
  if (!isRecord(entry)) return undefined;
  const { name, description, inputSchema, annotations } = entry;
  if (typeof name !== 'string' || !isName(name)) return undefined;
  const isRead = isSmall(inputSchema);
  const hints = isRecord(annotations) ? annotations : {};
  const { readOnlyHint: readOnly, destructiveHint: destructive } = hints;
  return {
    name,
    ...(typeof description === 'string' && { description: description.slice(0, DESCRIPTION) }),
    ...(isRead && { inputSchema }),
    ...(typeof readOnly === 'boolean' && { readOnly }),
    ...(typeof destructive === 'boolean' && { destructive }),
  };
}

const isName = (name: string): boolean =>
  name.trim() !== '' &&
  name.length <= NAME_CHARACTERS &&
  visible(name) === name &&
  !/[\t\n]/.test(name);

/** Checks the depth first, so that deep values are never serialised. */
const isSmall = (schema: unknown): boolean =>
  schema !== undefined && depthOf(schema) <= DEPTH && JSON.stringify(schema).length <= SCHEMA;

/**
 * Checks the arguments of a tool against its schema: missing or unknown names, and values of a wrong type or outside the
 * allowed ones. Paths start at the arguments. Patterns and formats are ignored, because they cannot be checked before variables
 * are expanded. The rest of a schema that takes too long is ignored, too. A name that is only unlisted is a warning.
 *
 * zod's `fromJSONSchema` is not suitable: nested alternatives take it exponential time, patterns unbounded time, and it does
 * not report names that a schema neither lists nor forbids.
 */
export function checkArguments(
  { name: tool, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>,
  args: Readonly<Record<string, unknown>>,
): Problem<SourceMessage>[] {
  const check: Check = { tool, root: inputSchema, steps: STEPS };
  try {
    const found = breaches(check, inputSchema, args, { path: [], depth: 0, outermost: true });
    // A name that one part of the schema forbids may merely be unlisted in another.
    const forbidden = found
      .filter(({ level }) => level === 'error')
      .map(({ path }) => formatKeyPath(path));
    return found.filter(
      ({ level, path }) => level === 'error' || !forbidden.includes(formatKeyPath(path)),
    );
  } catch (error) {
    if (error instanceof Spent) return [];
    throw error;
  }
}

interface Check {
  readonly tool: string;
  readonly root: unknown;
  /** How many more subschemas and names may be checked. */
  steps: number;
}

/** Maximum number of steps for one tool call. */
const STEPS = 20_000;

/** Maximum number of names or values in a sentence. */
const SHOWN = 30;

/** The schema takes too long to check. */
class Spent extends Error {}

type Schema = Record<string, unknown>;
type Breach = Problem<SourceMessage>;

/** Where a schema is applied. */
interface Spot {
  readonly path: KeyPath;
  readonly depth: number;
  /** It is the only schema for this value, not one of several. */
  readonly outermost: boolean;
}

function breaches(check: Check, schema: unknown, value: unknown, spot: Spot): Breach[] {
  const { tool } = check;
  const { path, depth } = spot;
  spend(check, depth);
  if (schema === false && path.length > 0) return [unknown(check, path, [])];
  if (!isRecord(schema) || isEvent(value)) return [];
  const [found, expected] = [typeName(value), typesIn(schema)];
  if (expected.length > 0 && !expected.some((type) => isOfType(value, type)))
    return [
      error({ code: 'argument-type', tool, argument: formatKeyPath(path), expected, found }, path),
    ];
  const also = (one: unknown) =>
    breaches(check, one, value, { path, depth: depth + 1, outermost: false });
  const inside = (one: unknown, key: string | number, part: unknown) =>
    breaches(check, one, part, { path: [...path, key], depth: depth + 1, outermost: true });
  const problems = [
    ...notAllowed(check, schema, value, spot),
    ...[resolved(check, schema), ...listIn(schema.allOf)].flatMap(also),
    ...[schema.anyOf, schema.oneOf].flatMap((choices) => ofChoices(listIn(choices), also, path)),
  ];
  if (isRecord(value)) problems.push(...inObject(check, schema, value, spot, inside));
  const first = listIn(schema.prefixItems);
  for (const [index, part] of listIn(value).entries())
    problems.push(...inside(index < first.length ? first[index] : schema.items, index, part));
  return problems;
}

/** A value that the schema does not list. A value with a variable may still become a listed one. */
function notAllowed(check: Check, schema: Schema, value: unknown, { path, depth }: Spot): Breach[] {
  const values = 'const' in schema ? [schema.const] : listIn(schema.enum);
  if (values.length === 0 || hasVariable(value)) return [];
  spend(check, depth, values.length);
  if (values.some((one) => isDeepStrictEqual(one, value))) return [];
  const allowed = values.slice(0, SHOWN).map((one) => String(JSON.stringify(one)));
  const { tool } = check;
  return [error({ code: 'argument-value', tool, argument: formatKeyPath(path), allowed }, path)];
}

/** The problems of a choice of schemas. Empty as soon as one of them fits. */
function ofChoices(
  choices: readonly unknown[],
  also: (schema: unknown) => Breach[],
  path: KeyPath,
): Breach[] {
  const tried: Breach[][] = [];
  for (const one of choices) {
    const problems = also(one);
    if (problems.length === 0) return [];
    tried.push(problems);
  }
  return nearestOf(tried, path);
}

function inObject(
  check: Check,
  schema: Schema,
  value: Record<string, unknown>,
  { path, depth, outermost }: Spot,
  inside: (schema: unknown, key: string, part: unknown) => Breach[],
): Breach[] {
  const { tool } = check;
  const required = listIn(schema.required).filter((name) => typeof name === 'string');
  spend(check, depth, required.length);
  const missing = [...new Set(required)].filter((name) => !Object.hasOwn(value, name));
  const problems: Breach[] = missing.map((name) => {
    const at = [...path, name];
    return error({ code: 'argument-missing', tool, argument: formatKeyPath(at) }, at);
  });
  const { properties, additionalProperties: others, patternProperties } = schema;
  const own = isRecord(properties) ? properties : {};
  const isClosed = others === false && patternProperties === undefined;
  const known = outermost && !isClosed ? knownNames(check, schema, depth) : undefined;
  for (const [name, part] of Object.entries(value)) {
    const at = [...path, name];
    if (Object.hasOwn(own, name)) problems.push(...inside(own[name], name, part));
    else if (isClosed) problems.push(unknown(check, at, Object.keys(own)));
    else if (isRecord(others)) problems.push(...inside(others, name, part));
    else if (known && !known.has(name))
      problems.push({ ...unknown(check, at, [...known]), level: 'warning' });
  }
  return problems;
}

function unknown({ tool }: Check, path: KeyPath, names: readonly string[]): Breach {
  const known = names.slice(0, SHOWN);
  return error({ code: 'argument-unknown', tool, argument: formatKeyPath(path), known }, path);
}

/** The names that a schema, and the schemas it is composed of, list for an object. Undefined if any name is accepted. */
function knownNames(check: Check, schema: unknown, depth: number): Set<string> | undefined {
  spend(check, depth);
  if (!isRecord(schema)) return undefined;
  const { properties, additionalProperties: others, patternProperties } = schema;
  if (others === true || isRecord(others) || patternProperties !== undefined) return undefined;
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap(listIn);
  const names = [resolved(check, schema), ...parts].map((one) => knownNames(check, one, depth + 1));
  if (isRecord(properties)) names.push(new Set(Object.keys(properties)));
  const known = names.flatMap((one) => (one ? [...one] : []));
  spend(check, depth, known.length);
  return names.some((one) => one !== undefined) ? new Set(known) : undefined;
}

function spend(check: Check, depth: number, steps = 1): void {
  check.steps -= steps;
  if (check.steps < 0 || depth > DEPTH) throw new Spent();
}

/** The target of `$ref` within the schema. Undefined if there is no `$ref`, or if it points outside. */
function resolved({ root }: Check, { $ref }: Schema): unknown {
  if (typeof $ref !== 'string' || !$ref.startsWith('#') || $ref.length > NAME_CHARACTERS)
    return undefined;
  const keys = $ref.slice(1).split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (here, key) =>
        typeof here === 'object' && here !== null && Object.hasOwn(here, key)
          ? Reflect.get(here, key)
          : undefined,
      root,
    );
}

/** For a choice in which no schema fits: the problems of the best match. */
function nearestOf(tried: readonly Breach[][], path: KeyPath): Breach[] {
  const otherTypes = (one: Breach[]): string[] =>
    one.flatMap(({ message, path: at }) =>
      message.code === 'argument-type' && at.length === path.length ? message.expected : [],
    );
  const ofType = tried.filter((one) => otherTypes(one).length === 0);
  const [nearest = []] = ofType.sort((one, other) => one.length - other.length);
  if (nearest.length > 0) return nearest;
  const [first] = tried.flat();
  const expected = [...new Set(tried.flatMap(otherTypes))];
  return first?.message.code === 'argument-type'
    ? [{ ...first, message: { ...first.message, expected } }]
    : [];
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The types that a schema allows. Empty if it allows any, or contains an unknown one. */
function typesIn({ type, nullable }: Schema): string[] {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== undefined);
  if (types.length === 0 || !types.every((one) => TYPES.some((known) => known === one))) return [];
  return [...types.map(String), ...(nullable === true ? ['null'] : [])];
}

const isOfType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeName(value) === type;

/** The only variable that a tool receives as an object: the event. All others are text. */
const isEvent = (value: unknown): boolean => value === '{event}';

/** Whether a value contains a variable, so that it is still unknown. */
const hasVariable = (value: unknown): boolean =>
  typeof value === 'string' && /(?<!\{)\{[a-z_]+\}/.test(value);
