/**
 * The JSON Schema of a manifest, for editors: our own schemas, with a description of each field and the rules between fields
 * that JSON Schema can express. The build writes it to a file; no command loads this module.
 */

import * as z from 'zod/mini';
import { BASE_COAT_EVENTS, DEFAULT_BUDGET, EXTENSION, HANDLERS, LABEL } from './declaration.ts';
import { extendedHook } from './extended.ts';
import {
  BACKGROUND_MS,
  CONTEXT_CHARACTERS,
  DEADLINE_MS,
  DECLARATIONS,
  LIST_ENTRIES,
  NAME_CHARACTERS,
  WORD_CHARACTERS,
} from './limits.ts';
import { ENVELOPE, VERSIONS } from './manifest.ts';
import { http, sepHook, stdio, WILDCARDS } from './schema.ts';

type JsonSchema = { [keyword: string]: unknown };

/** The URL of the schema, which is also its id. */
const SCHEMA_ADDRESS =
  'https://raw.githubusercontent.com/mcp-hooks/mcp-hooks/main/schema/manifest.json';

/** The text that editors show for each field, by its dotted path. */
type Descriptions = Readonly<Record<string, string>>;

const SEP_FIELDS: Descriptions = {
  event: 'When the hook fires.',
  matcher:
    'Which tool calls the hook is about: every field that is present must match. Only for events that are about a call.',
  'matcher.tool_name':
    'A glob over the name of the tool: *, ?, [abc], {a,b}. Names are written as Bash or mcp__notes__*, and are translated for each client.',
  'matcher.input_contains': "A part of the tool's input, as JSON or in any string in it.",
  'matcher.tool_server':
    'The name under which the client has configured the MCP server whose tool is called.',
  context:
    'The text for the model. {project_name}, {tool_name}, {tool_input}, {input.<key>}, {tool_output}, {session_id} and {server} are filled in.',
  context_tool:
    'A tool of the server. It is called when the hook fires, and its text result is shown to the model.',
  context_tool_args:
    'The arguments for the tool. {project_name}, {tool_name}, {tool_input}, {input.<key>}, {tool_output}, {session_id} and {server} are filled in.',
  priority:
    'How much the text matters: it decides the order of several texts, and the model reads it. "required" needs a grant from the user and counts as "important" without it.',
};

const EXTENDED_FIELDS: Descriptions = {
  ...SEP_FIELDS,
  matcher:
    'Which tool calls the hook is about, and in which project: every field that is present must match.',
  'matcher.exclude': 'Calls that the hook is not about.',
  'matcher.exclude.tools': 'Globs over the names of tools.',
  'matcher.exclude.paths':
    "Globs over the paths in the tool's input, relative to the session's folder.",
  'matcher.input_matches':
    "A regular expression that matches the tool's input, or the prompt on pre_request. It runs in linear time: no lookaround and no backreferences.",
  'matcher.output_matches':
    "A regular expression that matches the tool's output. It runs in linear time: no lookaround and no backreferences.",
  'matcher.output_contains': "A part of the tool's output.",
  'matcher.failed': 'Whether the call failed.',
  'matcher.repeat': 'The same again: so many times in so many seconds.',
  'matcher.repeat.times': 'How many times.',
  'matcher.repeat.within': 'In how many seconds.',
  'matcher.repeat.same':
    'What is the same. call: the tool and its input; tool: the tool; error: a call that failed with the same output; call_and_error: both; event: the event, whatever it is about, on every event; alternating: two calls in turns; alternating_tools: two tools in turns, whatever their inputs.',
  'matcher.branch': 'A glob over the Git branch that is checked out. Works on every event.',
  'matcher.project': "A glob over the project's name. Works on every event.",
  'matcher.waits_for':
    'Only on notification: what the client waits for. prompt: your next prompt; permission: an answer to its question.',
  block:
    'What was about to happen is stopped, and this is the reason. Needs a grant from the user.',
  command:
    "A program and its arguments, relative to the manifest's folder; no shell is started. Needs a grant from the user.",
  async:
    'true runs the command in the background: no client waits for it, and its answer is not read.',
  may: 'What the answer of the tool or the command may do besides showing a text. Needs a grant from the user.',
  on_failure:
    'What becomes of what it may decide about, if it fails or runs out of time: allow lets it pass, deny blocks it, for ten minutes in a session. deny needs block. Default: allow.',
  order: 'Hooks of one event run in ascending order. Default: 50.',
  once: 'It is shown at most once in that time.',
  cooldown: 'Seconds for which it is not shown again in a session.',
  show_empty: "true shows the tool's reply even if it says nothing, such as an empty list.",
  limit: 'How much of it may be shown: characters or tokens.',
  'limit.characters': 'At most so many characters.',
  'limit.tokens': 'At most so many tokens; a token counts as four characters.',
  deadline: `Milliseconds that its tool or command has: at most ${DEADLINE_MS}, or ${BACKGROUND_MS.most} in the background.`,
  enabled: 'false switches the hook off.',
  budget: 'For budget_exceeded: how many tokens a session may use until its next compaction.',
  'budget.tokens': 'How many tokens.',
  'budget.warn': `Percent of the tokens at which it warns. Default: ${DEFAULT_BUDGET.warn}.`,
  'budget.fire': `Percent of the tokens at which it fires. Default: ${DEFAULT_BUDGET.fire}.`,
};

/** The text that editors show for each event. */
const EVENT_TEXTS: Descriptions = {
  session_start: 'When a session starts, and again after its history was compacted or cleared.',
  session_end:
    'At the end of a session. A tool is called then; a text is shown once, at the end of the first turn, which costs a turn.',
  pre_tool_use: 'Before a tool call. A text arrives together with the result.',
  post_tool_use: 'After a tool call.',
  pre_request: 'With each prompt of the user.',
  post_request: 'At the end of a turn. A text arrives with the next prompt.',
  pre_compact: 'Before the history is compacted.',
  post_compact: 'After the history was compacted.',
  tool_error: 'After a tool call that failed.',
  subagent_start: 'When a subagent starts.',
  subagent_end: 'When a subagent has finished.',
  budget_exceeded: 'When the tokens since the last compaction come near the budget.',
  notification:
    'When the client waits for the user. Only a tool or a command can do something then; no model reads a text.',
};

const STDIO_FIELDS: Descriptions = {
  command: 'The program that starts the server. A relative path is relative to the manifest.',
  args: 'Its arguments.',
  env: 'Variables for its environment. They are read from the manifest at each call, and not copied.',
};

const HTTP_FIELDS: Descriptions = {
  url: 'The address of the server, without a user or password. A variable, such as $TOKEN, is filled in.',
  headers: 'Headers of each request. They are read from the manifest at each call, and not copied.',
};

/** Allows at most `WILDCARDS` times `*`, not counting escaped ones. */
const globPattern = (star: string, escaped: string): string =>
  `^(?:[^*\\\\]|\\\\${escaped})*(?:${star}(?:[^*\\\\]|\\\\${escaped})*){0,${WILDCARDS}}\\\\?$`;
const GLOB = { maxLength: NAME_CHARACTERS, pattern: globPattern('\\*', '[\\s\\S]') };
/** `**` counts as one wildcard in a path. */
const PATH_GLOB = {
  maxLength: NAME_CHARACTERS,
  pattern: globPattern('\\*\\*?', '(?:\\*\\*?|[^*])'),
};

/** Additional keywords for each field, by its path. */
type Keywords = Readonly<Record<string, JsonSchema>>;

const name = { maxLength: NAME_CHARACTERS };
const SEP_KEYWORDS: Keywords = {
  'matcher.tool_name': GLOB,
  'matcher.input_contains': name,
  'matcher.tool_server': name,
  context: { maxLength: CONTEXT_CHARACTERS },
  context_tool: name,
};

const WORD = { type: 'string', maxLength: WORD_CHARACTERS, pattern: '^[^\\u0000]*$' };
const GLOBS = { items: { type: 'string', minLength: 1, ...PATH_GLOB }, maxItems: LIST_ENTRIES };
const EXTENDED_KEYWORDS: Keywords = {
  ...SEP_KEYWORDS,
  'matcher.branch': GLOB,
  'matcher.project': GLOB,
  'matcher.input_matches': name,
  'matcher.output_matches': name,
  'matcher.output_contains': name,
  'matcher.exclude.tools': GLOBS,
  'matcher.exclude.paths': GLOBS,
  block: { maxLength: CONTEXT_CHARACTERS },
  command: { items: WORD, prefixItems: [{ ...WORD, minLength: 1 }] },
  limit: { minProperties: 1, maxProperties: 1 },
};

const oneOf = (fields: readonly string[]): JsonSchema => ({
  oneOf: fields.map((field) => ({ required: [field] })),
});
const hasOneOf = (key: string, ...values: readonly unknown[]): JsonSchema => ({
  type: 'object',
  properties: { [key]: { enum: values } },
  required: [key],
});

/** The schema that must match if a condition does, and the one that must match otherwise. */
const ifThenElse = (condition: JsonSchema, so: JsonSchema, otherwise: JsonSchema): JsonSchema => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: so,
  else: otherwise,
});

const BUDGET_EVENTS = ['budget_exceeded', 'OnBudgetExceeded'];

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function field(schema: JsonSchema, path: string): JsonSchema {
  let here = schema;
  for (const key of path.split('.')) {
    const next = isSchema(here.properties) ? here.properties[key] : undefined;
    if (!isSchema(next)) throw new Error(`the schema has no field ${path}`);
    here = next;
  }
  return here;
}

/** The paths of all fields. */
const fieldsOf = ({ properties }: JsonSchema): string[] =>
  Object.entries(isSchema(properties) ? properties : {}).flatMap(([key, inner]) => [
    key,
    ...(isSchema(inner) ? fieldsOf(inner).map((one) => `${key}.${one}`) : []),
  ]);

/** The schema from zod, with descriptions and keywords. Throws if a field has no description, or a description has no field. */
function described(
  schema: z.ZodMiniType,
  descriptions: Descriptions,
  keywords: Keywords = {},
): JsonSchema {
  const { $schema: _, ...made }: JsonSchema = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
  });
  for (const [path, more] of Object.entries(keywords)) {
    const own = field(made, path);
    delete own.format; // it does not accept a URL that contains a variable
    Object.assign(own, more);
  }
  for (const path of fieldsOf(made)) {
    const description = descriptions[path];
    if (description === undefined) throw new Error(`the field ${path} has no description`);
    Object.assign(field(made, path), { description });
  }
  for (const path of Object.keys(descriptions)) field(made, path);
  return made;
}

/** Replaces the list of events with one that has a description for each, which editors show. */
function withEvents(hook: JsonSchema, more: Readonly<Record<string, string>> = {}): void {
  const event = field(hook, 'event');
  const own = Array.isArray(event.enum) ? event.enum.map(String) : [];
  delete event.enum;
  event.anyOf = [...own.map((one) => [one, one]), ...Object.entries(more)].map(
    ([shown, one = '']) => {
      const text = EVENT_TEXTS[one];
      if (text === undefined) throw new Error(`the event ${one} has no description`);
      return {
        const: shown,
        description: shown === one ? text : `Base Coat's name for ${one}. ${text}`,
      };
    },
  );
}

function hooks(): Record<'hook' | 'extendedHook', JsonSchema> {
  const hook = described(sepHook(), SEP_FIELDS, SEP_KEYWORDS);
  withEvents(hook);
  const extended = described(extendedHook(), EXTENDED_FIELDS, EXTENDED_KEYWORDS);
  withEvents(extended, BASE_COAT_EVENTS);
  const calls = { anyOf: [{ required: ['context_tool'] }, { required: ['command'] }] };
  const may = (decisions: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
    properties: { may: decisions, ...more },
    required: ['may'],
  });
  const decides = {
    anyOf: [
      { required: ['block'] },
      may({ type: 'array', contains: { const: 'block' } }),
      may({ type: 'array', minItems: 1 }, { on_failure: { const: 'allow' } }),
    ],
  };
  return {
    hook: {
      description: 'A hook as SEP-2282 has it.',
      ...hook,
      ...oneOf(['context', 'context_tool']),
      dependentRequired: { context_tool_args: ['context_tool'] },
    },
    extendedHook: {
      description: 'A hook of a manifest with "version": 2.',
      ...extended,
      ...oneOf(HANDLERS),
      dependentRequired: {
        context_tool_args: ['context_tool'],
        show_empty: ['context_tool'],
        async: ['command'],
      },
      allOf: [
        ifThenElse(
          hasOneOf('async', true),
          { properties: { may: false, limit: false } },
          { properties: { deadline: { type: 'integer', maximum: DEADLINE_MS } } },
        ),
      ],
      dependentSchemas: { may: calls, deadline: calls, on_failure: decides },
      ...ifThenElse(
        hasOneOf('event', ...BUDGET_EVENTS),
        { required: ['budget'] },
        { properties: { budget: false } },
      ),
    },
  };
}

const refersTo = (definition: string): JsonSchema => ({ $ref: `#/$defs/${definition}` });

/** A hooks capability: an object with declarations of the given kind. */
const capability = (of: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { ...more, declarations: refersTo(of) },
  required: ['declarations'],
  additionalProperties: false,
});

/** Only the first place below `capabilities` that has declarations counts. */
function firstOf(places: readonly (readonly [path: readonly string[], JsonSchema])[]): JsonSchema {
  const [first, ...rest] = places;
  if (!first) return { not: {} };
  const [path, schema] = first;
  const below = (inner: JsonSchema): JsonSchema =>
    path.reduceRight<JsonSchema>(
      (here, key) => ({ type: 'object', properties: { [key]: here }, required: [key] }),
      inner,
    );
  return ifThenElse(
    below({ type: 'object', required: ['declarations'] }),
    below(schema),
    firstOf(rest),
  );
}

const VERSION = {
  description:
    'Which vocabulary the hooks are written in. 1: that of SEP-2282. 2: also more events, conditions, and hooks that block or run a program.',
  enum: [...VERSIONS],
};

const FORMS = ['hooks', 'declarations', 'capabilities', 'experimental'];

export function manifestSchema(): JsonSchema {
  const sep = refersTo('capability');
  const properties: JsonSchema = {
    $schema: { description: 'The address or path of this schema, for editors.' },
    version: { ...VERSION, default: 1 },
    name: {
      description:
        'The label under which the hooks are installed; by default the name of the file.',
      type: 'string',
      pattern: LABEL.source,
    },
    server: {
      description: 'How the server is started or reached. Needed for hooks that call a tool of it.',
      type: 'object',
      ...ifThenElse({ required: ['url'] }, refersTo('http'), refersTo('stdio')),
    },
    hooks: { description: 'The hooks of the server.', type: 'object' },
    declarations: { description: 'The hooks of the server, without "hooks" around them.' },
    capabilities: {
      description: "The capabilities of the server's answer, with its hooks in them.",
      type: 'object',
    },
    experimental: {
      description: "The experimental capabilities of the server's answer, with its hooks in them.",
      type: 'object',
      properties: { hooks: sep },
      required: ['hooks'],
    },
  };
  const keys = [...ENVELOPE, ...FORMS];
  if (`${Object.keys(properties)}` !== `${keys}`) throw new Error(`a manifest may say ${keys}`);

  const inCapabilities = (version: 1 | 2): JsonSchema => {
    const around = refersTo(version === 2 ? 'extendedOwnCapability' : 'ownCapability');
    return firstOf([
      [['extensions', EXTENSION], around],
      [['hooks'], version === 2 ? { not: {} } : sep],
      [['experimental', 'hooks'], version === 2 ? { not: {} } : sep],
    ]);
  };
  const { hook, extendedHook: extended } = hooks();
  const own = (version: 1 | 2): JsonSchema => {
    const first = capability('declarations', { version: VERSION });
    const second = capability('extendedDeclarations', { version: VERSION });
    return version === 2
      ? ifThenElse(hasOneOf('version', 1), first, second)
      : ifThenElse(hasOneOf('version', 2), second, first);
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: SCHEMA_ADDRESS,
    title: 'A manifest of mcp-hooks',
    description: 'The hooks of an MCP server, as mcp-hooks installs them.',
    type: 'object',
    properties,
    additionalProperties: false,
    ...oneOf(FORMS),
    ...ifThenElse(
      hasOneOf('version', 2),
      {
        properties: {
          hooks: refersTo('extendedCapability'),
          declarations: refersTo('extendedDeclarations'),
          capabilities: inCapabilities(2),
          experimental: false,
        },
      },
      {
        properties: {
          hooks: sep,
          declarations: refersTo('declarations'),
          capabilities: inCapabilities(1),
        },
      },
    ),
    $defs: {
      hook,
      extendedHook: extended,
      declarations: { type: 'array', maxItems: DECLARATIONS, items: refersTo('hook') },
      extendedDeclarations: {
        type: 'array',
        maxItems: DECLARATIONS,
        items: refersTo('extendedHook'),
      },
      capability: capability('declarations'),
      extendedCapability: capability('extendedDeclarations'),
      ownCapability: own(1),
      extendedOwnCapability: own(2),
      stdio: described(stdio(), STDIO_FIELDS),
      http: described(http(), HTTP_FIELDS, { url: { pattern: ADDRESS } }),
    },
  };
}

/** Begins with http or https, or with a variable, and contains no user name. */
const ADDRESS = '^\\s*(?!\\w+://[^/?#]*@)(?:[Hh][Tt][Tt][Pp][Ss]?:|\\$\\w|\\$\\{[^}])';
