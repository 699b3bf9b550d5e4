/** Which tools a server has, and whether arguments suit one of them. All that a server says of its tools is untrusted. */

import { isDeepStrictEqual } from 'node:util';
import { error, type KeyPath, type Problem } from '../../declaration/declared.ts';
import { DEPTH, depthOf, NAME_CHARACTERS, RESPONSE_BYTES } from '../../declaration/limits.ts';
import { isRecord } from '../../declaration/schema.ts';
import { where } from '../../declaration/where.ts';
import { visible } from '../../system/visible.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { type AskOptions, talkTo } from './ask.ts';
import { type Connection, errorText } from './connection.ts';
import { converse, isUnknownMethod, resultOf, saying } from './conversation.ts';
import type { ServerAnswer } from './declared.ts';
import type { HttpAccess } from './http.ts';

export interface Tool {
  /** Nothing hidden in it; otherwise as the server says it. */
  readonly name: string;
  /** What it does, in the server's words: cut, and with whatever is in them. */
  readonly description?: string;
  /** A JSON Schema, as it came. Absent: the server says none, or one that is too large to be read. */
  readonly inputSchema?: unknown;
  /** What the server says of it itself. */
  readonly readOnly?: boolean;
}

export interface ToolList {
  readonly tools: readonly Tool[];
  /** Whether these are all that the server has. */
  readonly whole: boolean;
  /** How the server has begun: its hooks may be in it (`declaredIn`). */
  readonly answer: ServerAnswer;
}

/** Pages that are asked for, and tools that are kept of all of them. */
const PAGES = 50;
const TOOLS = 2000;

/** Characters kept of a description, and of a schema as JSON. */
const DESCRIPTION = 4000;
const SCHEMA = 100_000;

/**
 * Starts the server, or reaches it, and asks which tools it has, within the deadline of the whole conversation.
 *
 * @throws UserError as `askServer` does, and when the server does not tell.
 */
export const listTools = (options: AskOptions & Pick<HttpAccess, 'provider'>): Promise<ToolList> =>
  talkTo(options, async (connection) => {
    const answer = await converse(connection, options.version);
    const around = answer.era === 'modern' ? saying(options.version) : {};
    return { ...(await allTools(connection, answer, around)), answer };
  });

async function allTools(
  connection: Connection,
  { capabilities }: ServerAnswer,
  around: Record<string, unknown>,
): Promise<Pick<ToolList, 'tools' | 'whole'>> {
  const tools = new Map<string, Tool>();
  // Whoever has none need not know the question.
  if (isRecord(capabilities) && !('tools' in capabilities)) return { tools: [], whole: true };
  let cursor: string | undefined;
  let whole = true;
  let characters = 0;
  const asked = new Set<string>();
  for (let page = 0; page < PAGES; page++) {
    const reply = await connection.request('tools/list', { ...around, ...(cursor && { cursor }) });
    const result = 'result' in reply ? resultOf(reply, connection) : undefined;
    if (!result || !Array.isArray(result.tools)) {
      if (page > 0) return { tools: [...tools.values()], whole: false };
      if ('error' in reply && isUnknownMethod(reply.error)) return { tools: [], whole: true };
      const why = 'error' in reply ? errorText(reply.error) : 'no list of tools';
      throw new SourceError({ code: 'tools-not-told', name: connection.name, error: why });
    }
    for (const entry of result.tools) {
      const tool = toolIn(entry);
      characters += JSON.stringify(entry).length;
      if (!tool || tools.has(tool.name)) whole = false;
      else if (tools.size >= TOOLS || characters > RESPONSE_BYTES)
        return { tools: [...tools.values()], whole: false };
      else tools.set(tool.name, tool);
    }
    const { nextCursor: next } = result;
    if (typeof next !== 'string' || next === '') return { tools: [...tools.values()], whole };
    // One that leads nowhere new would lead there for ever.
    if (asked.has(next) || next.length > NAME_CHARACTERS) break;
    asked.add(next);
    cursor = next;
  }
  return { tools: [...tools.values()], whole: false };
}

/** Undefined for what nobody could call, or for a name in which something is hidden. */
function toolIn(entry: unknown): Tool | undefined {
  if (!isRecord(entry)) return undefined;
  const { name, description, inputSchema, annotations } = entry;
  if (typeof name !== 'string' || !isName(name)) return undefined;
  const isRead = isSmall(inputSchema);
  const readOnly = isRecord(annotations) ? annotations.readOnlyHint : undefined;
  return {
    name,
    ...(typeof description === 'string' && { description: description.slice(0, DESCRIPTION) }),
    ...(isRead && { inputSchema }),
    ...(typeof readOnly === 'boolean' && { readOnly }),
  };
}

const isName = (name: string): boolean =>
  name.trim() !== '' &&
  name.length <= NAME_CHARACTERS &&
  visible(name) === name &&
  !/[\t\n]/.test(name);

/** Depth first: what is deep is not even written down. */
const isSmall = (schema: unknown): boolean =>
  schema !== undefined && depthOf(schema) <= DEPTH && JSON.stringify(schema).length <= SCHEMA;

/**
 * What is wrong with arguments for a tool, by its schema: what is missing, what it does not know, and what is of a wrong
 * type or not one of the values it takes. Paths begin at the arguments. Patterns and formats are not looked at, which
 * nobody could before variables are filled in; nor is the rest of a schema that would take long. What the tool only may not
 * know is a warning.
 *
 * zod's `fromJSONSchema` was tried for this: nested alternatives take it exponential time, patterns as long as they like,
 * and what a schema does not know but does not forbid either is nothing to it.
 */
export function checkArguments(
  { name: tool, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>,
  args: Readonly<Record<string, unknown>>,
): Problem<SourceMessage>[] {
  const check: Check = { tool, root: inputSchema, steps: STEPS };
  try {
    const found = breaches(check, inputSchema, args, { path: [], depth: 0, outermost: true });
    // What one part of the schema forbids, another may only not know.
    const forbidden = found.filter(({ level }) => level === 'error').map(({ path }) => where(path));
    return found.filter(({ level, path }) => level === 'error' || !forbidden.includes(where(path)));
  } catch (error) {
    if (error instanceof Spent) return [];
    throw error;
  }
}

interface Check {
  readonly tool: string;
  readonly root: unknown;
  /** How many more subschemas and names are looked at. */
  steps: number;
}

/** For one tool call. */
const STEPS = 20_000;

/** Names or values that a sentence lists. */
const SHOWN = 30;

/** The schema takes too long to be followed. */
class Spent extends Error {}

type Schema = Record<string, unknown>;
type Breach = Problem<SourceMessage>;

/** Where a schema is applied. */
interface Spot {
  readonly path: KeyPath;
  readonly depth: number;
  /** It is not one of several that are applied to the same value. */
  readonly outermost: boolean;
}

function breaches(check: Check, schema: unknown, value: unknown, spot: Spot): Breach[] {
  const { tool } = check;
  const { path, depth } = spot;
  spend(check, depth);
  if (schema === false && path.length > 0) return [unknown(check, path, [])];
  if (!isRecord(schema) || isEvent(value)) return [];
  const [found, expected] = [typeOf(value), typesIn(schema)];
  if (expected.length > 0 && !expected.some((type) => isOfType(value, type)))
    return [error({ code: 'argument-type', tool, argument: where(path), expected, found }, path)];
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

/** A value that is none of those that the schema lists; one with a variable in it may become any. */
function notAllowed(check: Check, schema: Schema, value: unknown, { path, depth }: Spot): Breach[] {
  const values = 'const' in schema ? [schema.const] : listIn(schema.enum);
  if (values.length === 0 || hasVariable(value)) return [];
  spend(check, depth, values.length);
  if (values.some((one) => isDeepStrictEqual(one, value))) return [];
  const allowed = values.slice(0, SHOWN).map((one) => String(JSON.stringify(one)));
  const { tool } = check;
  return [error({ code: 'argument-value', tool, argument: where(path), allowed }, path)];
}

/** Nothing as soon as one of the choices fits. */
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
    return error({ code: 'argument-missing', tool, argument: where(at) }, at);
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
  return error({ code: 'argument-unknown', tool, argument: where(path), known }, path);
}

/** The names that a schema, or any that it is put together from, has for what is in an object; undefined: it takes any. */
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

/** What `$ref` leads to within the schema; undefined: there is none, or it leads elsewhere. */
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

/** Of choices none of which fits: what is wrong with the one that comes nearest. */
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

/** The types that a schema allows; none: any, also where it has a name for one that nobody knows. */
function typesIn({ type, nullable }: Schema): string[] {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== undefined);
  if (types.length === 0 || !types.every((one) => TYPES.includes(String(one)))) return [];
  return [...types.map(String), ...(nullable === true ? ['null'] : [])];
}

const isOfType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The one variable in whose place a tool is given an object: what has happened. All others are text. */
const isEvent = (value: unknown): boolean => value === '{event}';

/** Nobody knows yet what it will be. */
const hasVariable = (value: unknown): boolean =>
  typeof value === 'string' && /(?<!\{)\{[a-z_]+\}/.test(value);
