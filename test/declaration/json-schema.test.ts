// The JSON Schema for editors is valid, is the one in the package, and refuses what `validate` refuses.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BASE_COAT_EVENTS, EXTENSION } from '../../src/declaration/declaration.ts';
import { manifestSchema } from '../../src/declaration/json-schema.ts';
import { readManifestText } from '../../src/declaration/manifest.ts';
import { readCases } from '../../src/sdk/engine/conformance.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import type { Message } from '../../src/system/errors.ts';
import { CONFORMANCE, MANIFEST_SCHEMA } from '../../src/system/package-files.ts';
import { blocks, PAGES, ROOT } from '../support/pages.ts';

function fail(said: unknown): never {
  throw new Error(String(said));
}

/** Errors of `validate` that a schema cannot find: about a text's meaning, about other files, or about two values at once. */
const CROSS_CHECKS = [
  'command-no-file',
  'command-not-executable',
  'command-too-large',
  'command-unreadable',
  'pattern-unusable',
  'tool-needs-server', // a package.json next to the manifest may have it
  'warns-too-late',
];

/** Ajv's own defaults, with its warnings as errors. Lists may continue after their first entry. */
const strict: Options = {
  strictTuples: false,
  logger: { log: fail, warn: fail, error: fail },
};
const ajv = new Ajv2020(strict);
const published: object = JSON.parse(readFileSync(MANIFEST_SCHEMA, 'utf8'));
const accepts = ajv.compile(published);

/** Whether a value begins like an address, but is not one. */
const beginsRight = (message: Message): boolean =>
  message.code === 'not-http' &&
  'found' in message &&
  /^"\s*(?:https?:|\$)/i.test(String(message.found));

/** Errors of `validate` for a manifest in a separate file, without those that a schema cannot find. */
const refusals = (value: unknown) =>
  parseManifest(JSON.stringify(value), join(ROOT, 'examples', 'annal.json'))
    .problems.filter(
      ({ level, message }) =>
        level === 'error' && !CROSS_CHECKS.includes(message.code) && !beginsRight(message),
    )
    .map(({ message, path }) => [message.code, path.join('.')]);

function agree(value: unknown): void {
  const found = refusals(value);
  const valid = accepts(value);
  if (valid === (found.length === 0)) return; // an `expect` for each of thousands of values would take most of the time
  const shown = JSON.stringify(value);
  expect.unreachable(
    `${shown}\nvalidate: ${JSON.stringify(found)}\nschema: ${valid ? 'right' : ajv.errorsText(accepts.errors)}`,
  );
}

test('the schema is valid, and the published one is the one that the build makes', () => {
  expect([ajv.validateSchema(published), ajv.errors]).toEqual([true, null]);
  expect(published).toEqual(JSON.parse(JSON.stringify(manifestSchema())));
});

test("the schema of the conformance suite is valid, and so are the suite's files", () => {
  const schema = JSON.parse(readFileSync(join(CONFORMANCE, 'schema.json'), 'utf8'));
  const own = new Ajv2020(strict);
  expect([own.validateSchema(schema), own.errors]).toEqual([true, null]);
  const check = own.compile(schema);
  const files = readdirSync(CONFORMANCE).filter(
    (name) => name.endsWith('.json') && name !== 'schema.json',
  );
  expect(files.length).toBeGreaterThan(5);
  for (const name of files) {
    const file: unknown = JSON.parse(readFileSync(join(CONFORMANCE, name), 'utf8'));
    expect([name, check(file), check.errors]).toEqual([name, true, null]);
  }
  expect(check({ topic: 'texts', cases: [{ name: 'nothing expected' }] })).toBe(false);
});

const FOLDER = join(ROOT, 'fixtures', 'declarations');
const FILES = ['valid', 'invalid'].flatMap((kind) =>
  readdirSync(join(FOLDER, kind)).map((name) => [kind, name] as const),
);

test.for(FILES)('both agree about fixtures/declarations/%s/%s', ([kind, name]) => {
  const text = readFileSync(join(FOLDER, kind, name), 'utf8');
  const { value, problems } = readManifestText(text);
  if (value === undefined || problems.length > 0) return; // not JSON, or a mistake that JSON.parse does not see
  agree(value);
});

test('both accept the same manifests of the examples, the pages and the conformance suite', () => {
  const examples = ['examples', 'examples/cookbook'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const pages = PAGES.flatMap((page) =>
    blocks(page)
      .filter(({ marker }) => marker === 'manifest')
      .map(({ text }) => text),
  );
  const cases = readCases().map(
    ({ manifest, declarations }) =>
      manifest ?? { name: 'annal', version: 2, hooks: { declarations } },
  );
  const all = [
    ...[...examples, ...pages].map((text): unknown => readManifestText(text).value),
    ...cases,
  ];
  expect(all.length).toBeGreaterThan(100);
  for (const one of all) agree(one);
});

const SEP = { event: 'post_tool_use', context: 'Look.', priority: 'suggestion' };
const TOOL = { event: 'session_start', context_tool: 'recall', priority: 'important' };
const server = { command: 'uvx', args: ['annal'], env: { A: 'b' } };
const full = {
  event: 'post_tool_use',
  matcher: {
    tool_name: 'Bash',
    input_contains: 'git',
    tool_server: 'notes',
    exclude: { tools: ['Read'], paths: ['*.lock', 'node_modules/**'] },
    input_matches: 'git (push|commit)',
    output_matches: 'error',
    output_contains: 'x',
    failed: true,
    repeat: { times: 3, within: 360, same: 'call' },
    branch: 'main',
    project: 'shop-*',
  },
  command: ['node', '-e', '0'],
  may: ['block'],
  on_failure: 'deny',
  priority: 'suggestion',
  order: 10,
  once: 'session',
  cooldown: 600,
  limit: { tokens: 100 },
  deadline: 5000,
  enabled: true,
};
const budget = {
  event: 'budget_exceeded',
  budget: { tokens: 1000, warn: 50, fire: 60 },
  context: 'x',
};

const forms = (...declarations: unknown[]): Record<string, unknown>[] => [
  { hooks: { declarations } },
  { declarations },
  { capabilities: { tools: {}, hooks: { declarations } } },
  { capabilities: { experimental: { hooks: { declarations } } } },
  { capabilities: { extensions: { [EXTENSION]: { declarations } } } },
  { capabilities: { extensions: { [EXTENSION]: { version: 1, declarations } } } },
  { capabilities: { extensions: { [EXTENSION]: { version: 2, declarations } } } },
  { experimental: { hooks: { declarations } } },
];
const HOOKS: readonly Record<string, unknown>[] = [
  SEP,
  TOOL,
  full,
  budget,
  { event: 'PreCompact', context: 'x' },
  { event: 'session_end', command: ['true'], async: true, deadline: 600_000 },
  { event: 'pre_tool_use', block: 'No.', matcher: { tool_name: 'Bash' } },
];

test('both accept every form of a manifest, in every version', () => {
  for (const hook of HOOKS)
    for (const form of forms(hook))
      for (const more of [{}, { version: 1 }, { version: 2 }, { version: 3 }, { version: '2' }])
        agree({ $schema: './schema.json', name: 'annal', server, ...more, ...form });
  for (const form of forms()) for (const other of forms(SEP)) agree({ ...form, ...other, server });
});

const LONG = 'x'.repeat(1001);
const WRONG: readonly unknown[] = [
  '',
  'x',
  ' ',
  LONG,
  'a*b*c*d*e',
  'a*b*c*d*e*f',
  'a\\*b*c*d*e*\\*\\',
  '**/a/**/b/**/c/**',
  '**/a/**/b/**/c/**/**/d/*',
  'a\0b',
  'http://x.example/mcp',
  'HTTPS://x.example',
  'http://ann:pw@x.example/mcp',
  ' http://ann:pw@x.example/mcp',
  '$BASE/mcp',
  'ftp://x.example',
  0,
  1,
  2,
  1.5,
  -1,
  101,
  1_000_001,
  true,
  null,
  [],
  ['x'],
  [''],
  ['', 'x'],
  [LONG.repeat(5)],
  ['x', 1],
  ['block', 'modify'],
  ['block', 'modify', 'block'],
  ['modify'],
  'allow',
  'deny',
  Array.from({ length: 101 }, () => 'x'),
  {},
  { x: 1 },
  { x: 'y' },
  { characters: 1 },
  { characters: 1, tokens: 1 },
  { tokens: 1 },
  { tokens: 0 },
  { tools: ['a'] },
  { times: 2, within: 1, same: 'tool' },
  { times: 1, within: 1, same: 'tool' },
  ...Object.keys(BASE_COAT_EVENTS),
  'subagent_start',
];

type Place = readonly (string | number)[];

/** The places of all values inside a value. */
const placesIn = (value: unknown, at: Place = []): Place[] => [
  at,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        placesIn(inner, [...at, Array.isArray(value) ? Number(key) : key]),
      )
    : []),
];

/** The value with a changed place; `undefined` removes it. */
function changed(value: unknown, [first, ...rest]: Place, to: unknown): unknown {
  if (first === undefined) return to;
  if (Array.isArray(value))
    return value.flatMap((one: unknown, index) => {
      if (index !== first) return [one];
      const made = changed(one, rest, to);
      return made === undefined ? [] : [made];
    });
  const record: Record<string, unknown> = { ...Object(value) };
  const made = changed(record[first], rest, to);
  if (made === undefined) delete record[first];
  else record[first] = made;
  return record;
}

const manifests = [
  { version: 2, name: 'annal', server, hooks: { declarations: [full] } },
  {
    version: 2,
    declarations: [budget, { ...TOOL, context_tool_args: { a: 1 } }],
    server: { url: 'https://x.example', headers: { A: 'b' } },
  },
  {
    name: 'annal',
    server,
    hooks: {
      declarations: [
        { ...TOOL, matcher: { tool_name: 'Bash', input_contains: 'x', tool_server: 'y' } },
        SEP,
      ],
    },
  },
  {
    version: 2,
    server,
    capabilities: { extensions: { [EXTENSION]: { version: 1, declarations: [SEP] } } },
  },
];

describe('both agree about manifests', () => {
  test('with one value changed, removed or added', () => {
    let tried = 0;
    for (const manifest of manifests)
      for (const place of placesIn(manifest))
        for (const value of [...WRONG, undefined]) {
          const made = changed(manifest, place, value);
          if (made === undefined) continue;
          agree(made);
          tried += 1;
        }
    expect(tried).toBeGreaterThan(3000);
  });

  test("with every pair of a hook's fields", () => {
    const { event: _, ...fields } = {
      ...full,
      ...SEP,
      ...TOOL,
      ...budget,
      block: 'x',
      context_tool_args: {},
    };
    const pairs = Object.entries(fields);
    for (const event of ['post_tool_use', 'budget_exceeded', 'OnBudgetExceeded', 'nope'])
      for (const [one, first] of pairs)
        for (const [other, second] of pairs)
          for (const version of [1, 2])
            agree({
              version,
              server,
              hooks: {
                declarations: [{ event, priority: 'suggestion', [one]: first, [other]: second }],
              },
            });
  });

  test('with several random changes', () => {
    const change = fc.tuple(
      fc.nat(),
      fc.oneof(
        fc.constantFrom(...WRONG),
        fc.json().map((text): unknown => JSON.parse(text)),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...manifests),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (manifest, changes) => {
          let value: unknown = manifest;
          for (const [number, to] of changes) {
            const places = placesIn(value);
            value = changed(value, places[number % places.length] ?? [], to);
          }
          agree(value);
        },
      ),
      { numRuns: 500 },
    );
  });
});
