/**
 * Chooses the tools for a first manifest: one that finds what is known, one that stores it, and those that list what exists.
 * Considers only names, schemas, annotations and keywords in descriptions; none of the server's words become text. A server
 * that reveals too little gets no tool. test/sources/choose.test.ts has the choices for real servers.
 */

import { isRecord } from '../../declaration/schema.ts';
import { checkArguments, type Tool } from '../protocol/tools.ts';

export interface Chosen {
  /** Tools that find or read what is known, the most likely first. */
  readonly finding: readonly Tool[];
  /** The tool to call to recall what is known, with its arguments. */
  readonly recall?: ToolCall;
  /** The tool that stores something. */
  readonly keeping?: Tool;
  /** Read-only tools that list what exists, without arguments. Empty if there are too many. */
  readonly listing: readonly Tool[];
}

export interface ToolCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How strongly a word in a name suggests what a tool is for. */
type Weights = Readonly<Record<string, number>>;

const weights = (words: Readonly<Record<number, string>>): Weights =>
  Object.fromEntries(
    Object.entries(words).flatMap(([weight, those]) =>
      those.split(' ').map((word) => [word, Number(weight)]),
    ),
  );

const FINDS = weights({
  6: 'recall',
  5: 'search',
  4: 'query recent find retrieve lookup',
  3: 'read load',
  2: 'list get',
  1: 'open resolve fetch',
});

const KEEPS = weights({
  6: 'remember',
  5: 'save store memorize',
  4: 'add create write record',
  3: 'append ingest log',
  2: 'put',
});

/** Words for knowledge, as opposed to other data. */
const KNOWN = weights({
  3: 'recall remember memory memories notes note knowledge decisions decision learnings',
  2: 'nodes entities observations graph journal',
  1: 'activity',
});

/** Words of tools that change something, whatever else they do. */
const CHANGES =
  /^(?:delete|remove|forget|drop|clear|reset|update|edit|set|patch|move|rename|merge|push|archive|close|toggle|run|execute|send|upload)$/;

/** Names that are plain enough for a text, and need no explanation for a model. */
const PLAIN = /^[A-Za-z0-9][\w.-]{0,63}$/;

const hasPlainName = ({ name }: Pick<Tool, 'name'>): boolean => PLAIN.test(name);

export function choose(tools: readonly Tool[]): Chosen {
  const plain = tools.filter(hasPlainName);
  const rank = (worth: (tool: Tool) => number) =>
    plain
      .map((tool) => ({ tool, worth: worth(tool) }))
      .filter((one) => one.worth > 0)
      .sort((one, other) => other.worth - one.worth);
  const finding = rank((tool) => findsWhat(tool)).map(({ tool }) => tool);
  const [recall] = rank((tool) => {
    const args = argumentsFor(tool);
    if (!args) return 0;
    const worth = findsWhat(tool);
    // Everything that is known may be a lot, so tools that can be limited to this project are preferred.
    return worth === 0 ? 0 : worth + Math.min(Object.keys(args).length, 1);
  }).map(({ tool }) => ({ tool, args: argumentsFor(tool) ?? {} }));
  const [keeping] = rank((tool) => {
    const worth = weigh(wordsOf(tool.name), KEEPS);
    const isAllowed = !isChange(tool) && tool.readOnly !== true && tool.destructive !== true;
    return worth > 0 && knows(tool) > 0 && isAllowed ? worth + knows(tool) : 0;
  });
  const listing = plain.filter(lists);
  return {
    finding,
    ...(recall && { recall }),
    ...(keeping && { keeping: keeping.tool }),
    listing: listing.length > LISTING ? [] : listing,
  };
}

/** With more listing tools than this, it is unclear which of them helps. */
const LISTING = 3;

const lists = (tool: Tool): boolean =>
  tool.readOnly === true &&
  wordsOf(tool.name).includes('list') &&
  fieldsOf(tool).required.length === 0;

function findsWhat(tool: Tool): number {
  const words = wordsOf(tool.name);
  const worth = weigh(words, FINDS);
  if (worth === 0 || isChange(tool) || weigh(words, KEEPS) > 0 || tool.readOnly === false) return 0;
  return knows(tool) === 0 ? 0 : worth + knows(tool);
}

const isChange = ({ name }: Tool): boolean => wordsOf(name).some((word) => CHANGES.test(word));

/** How much a tool is about knowledge, judged by its name or, with fewer points, by its description. */
function knows({ name, description = '' }: Tool): number {
  const named = weigh(wordsOf(name), KNOWN);
  if (named > 0) return named;
  return /\b(?:memor(?:y|ies)|knowledge[ -](?:graph|base)|notes?)\b/i.test(description) ? 1 : 0;
}

/** The highest weight of some words. */
const weigh = (words: readonly string[], weights: Weights): number =>
  Math.max(0, ...words.map((word) => (Object.hasOwn(weights, word) ? (weights[word] ?? 0) : 0)));

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());

/** What a hook can pass to a tool: the project that it is about, and the session. */
const TOLD: readonly (readonly [name: RegExp, value: string])[] = [
  [
    /^(?:q|query|search|search_?(?:query|term)|text|topic|question|prompt|terms?|keywords?)$/i,
    '{project_name}',
  ],
  [/^(?:project|project_?name|workspace|namespace)$/i, '{project_name}'],
  [/^session_?id$/i, '{session_id}'],
];

const SEVERAL = /^(?:queries|topics|keywords|terms)$/i;

/** Arguments that every session can provide. Undefined if the tool needs more. */
export function argumentsFor(tool: Tool): Record<string, unknown> | undefined {
  const { properties, required } = fieldsOf(tool);
  const needed = Object.keys(properties).filter((name) => required.includes(name));
  // A search should have a query, even if it is optional.
  const wanted =
    needed.length === 0 ? Object.keys(properties).filter((name) => TOLD[0]?.[0].test(name)) : [];
  const args = valuesFor([...needed, ...wanted.slice(0, 1)], properties);
  return checkArguments(tool, args).length === 0 ? args : undefined;
}

/** The arguments that a tool needs and that `args` lacks. */
export const needsOf = (tool: Tool, args: Readonly<Record<string, unknown>>): string[] =>
  fieldsOf(tool).required.filter((name) => !Object.hasOwn(args, name));

/** The arguments that a hook can provide, regardless of what else the tool needs. */
export function someArgumentsFor(tool: Tool): Record<string, unknown> {
  const { properties, required } = fieldsOf(tool);
  return valuesFor(required, properties);
}

/** The values that a hook can provide, by the names of the arguments. */
const valuesFor = (
  names: readonly string[],
  schemas: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    names
      .map((name) => [name, valueFor(name, schemas[name])] as const)
      .filter(([, value]) => value !== undefined),
  );

function fieldsOf({ inputSchema }: Tool) {
  const { properties, required } = isRecord(inputSchema)
    ? inputSchema
    : { properties: undefined, required: undefined };
  const isText = (one: unknown): one is string => typeof one === 'string';
  return {
    properties: isRecord(properties) ? properties : {},
    required: Array.isArray(required) ? [...new Set(required.filter(isText))] : [],
  };
}

/** Uses the default of a schema only for numbers and booleans. */
function valueFor(name: string, schema: unknown): unknown {
  const byDefault = isRecord(schema) ? schema.default : undefined;
  if (typeof byDefault === 'number' || typeof byDefault === 'boolean') return byDefault;
  if (SEVERAL.test(name)) return ['{project_name}'];
  return TOLD.find(([known]) => known.test(name))?.[1];
}
