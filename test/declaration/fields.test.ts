// A wrong value anywhere in a hook: the error names the whole field and its place.
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { locate } from '../../src/declaration/document.ts';
import { extendedHook } from '../../src/declaration/extended.ts';
import { sepHook } from '../../src/declaration/schema.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { sentences } from '../support/said.ts';

type Path = readonly (string | number)[];
type Hook = Readonly<Record<string, unknown>>;

const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const WRONG: readonly unknown[] = [null, true, 1.5, -1e9, 1e12, '', 'blok', [], {}, [1], { a: 1 }];

interface Field {
  readonly path: Path;
  readonly schema: z.core.$ZodType;
}

/** Every field of a schema, including those of objects and the entries of lists. */
function fieldsOf(schema: z.core.$ZodType, path: Path): Field[] {
  const own = path.length > 0 ? [{ path, schema }] : [];
  if (schema instanceof z.ZodMiniOptional) return fieldsOf(schema._zod.def.innerType, path);
  if (schema instanceof z.ZodMiniArray)
    return [...own, ...fieldsOf(schema._zod.def.element, [...path, 1])];
  if (!(schema instanceof z.ZodMiniObject)) return own;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema._zod.def.shape;
  return [...own, ...Object.entries(shape).flatMap(([key, one]) => fieldsOf(one, [...path, key]))];
}

/** A hook with a value at a path. Objects and lists on the way are created, and other entries of a list are valid. */
function withValue(path: Path, value: unknown, right: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = withValue(rest, value, right);
  return typeof key === 'number' ? [...Array(key).fill(right), inner] : { [key]: inner };
}

const nameOf = (path: Path): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);

/** The problems of the third hook of a manifest, in which each hook and each key has its own line. */
function saidOf(hook: unknown, version: number) {
  const text = JSON.stringify(
    { version, server: { command: 'x' }, hooks: { declarations: [HELLO, HELLO, hook] } },
    null,
    2,
  );
  const { problems } = parseManifest(text, '/somewhere/annal.json');
  const lines = text.split('\n');
  return problems.map((problem, index) => ({
    level: problem.level,
    path: problem.path.slice(3),
    said: sentences(locate('annal.json', problems))[index] ?? '',
    there: (lines[(problem.line ?? 0) - 1] ?? '').slice((problem.column ?? 0) - 1),
  }));
}

const SCHEMAS = [
  { version: 1, schema: sepHook() },
  { version: 2, schema: extendedHook() },
];

describe.each(SCHEMAS)('in version $version', ({ version, schema }) => {
  const fields = fieldsOf(schema, []);

  test('every field is tried', () => {
    const names = fields.map(({ path }) => nameOf(path));
    expect(names).toEqual(
      expect.arrayContaining(['event', 'matcher.tool_name', 'context_tool_args', 'priority']),
    );
    if (version === 2)
      expect(names).toEqual(
        expect.arrayContaining([
          'matcher.exclude.tools[1]',
          'matcher.repeat.same',
          'command[1]',
          'may[1]',
          'budget.warn',
          'limit.tokens',
        ]),
      );
  });

  test.each(fields.map((one) => [nameOf(one.path), one] as const))(
    '%s',
    (name, { path, schema: own }) => {
      // Values that are wrong only inside belong to another field.
      const wrong = WRONG.filter((value) =>
        z
          .safeParse(own as z.ZodMiniType, value)
          .error?.issues.some(
            ({ path: at, code }) => at.length === 0 && code !== 'unrecognized_keys',
          ),
      );
      expect(wrong.length).toBeGreaterThan(2);
      const right = path[0] === 'may' ? 'block' : 'x';
      for (const value of wrong) {
        const hook: Hook = { ...HELLO, ...(withValue(path, value, right) as Hook) };
        const found = saidOf(hook, version).filter(
          ({ level, path: at }) => level === 'error' && nameOf(at as Path) === name,
        );
        expect([name, value, found.length > 0]).toEqual([name, value, true]);
        for (const { said, there } of found) {
          expect(said).toContain(`"${name}"`);
          // For a field inside another one, the error also names the hook.
          expect([said, /: error: hook 3: /.test(said)]).toEqual([said, path.length > 1]);
          const last = path.at(-1);
          if (typeof last === 'string') expect(there).toMatch(new RegExp(`^"${last}": `));
          else expect(JSON.stringify(value)).toContain(there.replace(/,$/, '').slice(0, 1));
        }
      }
    },
  );
});

test('the errors have these words', () => {
  const hooks: readonly Hook[] = [
    { ...HELLO, cooldown: 1.5 },
    { ...HELLO, priority: 'urgent' },
    { event: 'pre_tool_use', command: ['', 1, 'a\0b'], may: ['blok'] },
    { ...HELLO, event: 'post_tool_use', matcher: { exclude: { tools: ['Bash', ''] } } },
    { ...HELLO, event: 'post_tool_use', matcher: { exclude: { paths: ['*a*b*c*d*e*'] } } },
    { ...HELLO, event: 'post_tool_use', matcher: { repeat: { times: 1, same: 'calls' } } },
    { ...HELLO, event: 'post_tool_use', matcher: { input_matches: '(' } },
    { ...HELLO, matcher: { failed: 'yes', tool_name: 'Bash' } },
    { ...HELLO, event: 'pre_request', matcher: { input_contains: 'deploy' } },
    { ...HELLO, event: 'budget_exceeded', budget: { tokens: 0, warn: 101 } },
    { ...HELLO, event: 'budget_exceeded', budget: { tokens: 9, warn: 90 } },
    { ...HELLO, event: 'budget_exceeded', budget: { tokens: 9, fire: 50 } },
    { ...HELLO, event: 'budget_exceeded', budget: { tokens: 9, fire: 0 } },
    { ...HELLO, limit: { tokens: '100' } },
  ];
  const first = { ...HELLO, event: 'post_tool_use', matcher: { tool_name: '*a*b*c*d*e*' } };
  const said = [
    ...hooks.flatMap((hook) => saidOf(hook, 2)),
    ...saidOf('Hello.', 2),
    ...saidOf(first, 1),
  ];
  expect(said.map((one) => one.said).join('\n')).toMatchInlineSnapshot(`
    "annal.json:22:9: error: "cooldown" must be a whole number, not 1.5
    annal.json:21:9: error: "priority" is "urgent"; allowed: required, important, suggestion
    annal.json:21:11: error: hook 3: "command[0]" must not be empty
    annal.json:22:11: error: hook 3: "command[1]" must be a string, not a number
    annal.json:23:11: error: hook 3: "command[2]" must not contain a null character
    annal.json:26:11: error: hook 3: "may[0]" is "blok"; allowed: block, modify; did you mean "block"?
    annal.json:26:15: error: hook 3: "matcher.exclude.tools[1]" must not be empty
    annal.json:25:15: error: hook 3: "matcher.exclude.paths[0]" has more than 4 "*"
    annal.json:23:21: error: hook 3: "matcher.repeat.within" is missing; it must be a number
    annal.json:24:13: error: hook 3: "matcher.repeat.times" must not be below 2
    annal.json:25:13: error: hook 3: "matcher.repeat.same" is "calls"; allowed: call, tool, error, call_and_error, event, alternating, alternating_tools; did you mean "call"?
    annal.json:23:11: error: hook 3: "matcher.input_matches" cannot be used as a regular expression: Unterminated group
    annal.json:23:11: error: hook 3: "matcher.failed" must be a boolean, not a string
    annal.json:23:11: warning: hook 3: "matcher.failed" is ignored: session_start is not about a tool call (pre_tool_use, post_tool_use, tool_error are)
    annal.json:24:11: warning: hook 3: "matcher.tool_name" is ignored: session_start is not about a tool call (pre_tool_use, post_tool_use, tool_error are)
    annal.json:23:11: warning: hook 3: "matcher.input_contains" is ignored: pre_request is not about a tool call (pre_tool_use, post_tool_use, tool_error are); use "matcher.input_matches"
    annal.json:23:11: error: hook 3: "budget.tokens" must not be below 1
    annal.json:24:11: error: hook 3: "budget.warn" must not be above 100
    annal.json:24:11: error: hook 3: it would warn at 90 percent and fire at 80: "budget.warn" must not be above "budget.fire"
    annal.json:24:11: error: hook 3: it would warn at 70 percent and fire at 50: "budget.warn" must not be above "budget.fire"
    annal.json:24:11: error: hook 3: "budget.fire" must not be below 1
    annal.json:23:11: error: hook 3: "limit.tokens" must be a number, not a string
    annal.json:18:7: error: hook 3: this must be an object, not a string
    annal.json:23:11: error: hook 3: "matcher.tool_name" has more than 4 "*""
  `);
});

test('mistakes in the server are reported, too', () => {
  const text =
    '{ "server": { "command": "x", "args": ["a", 1], "env": { "A": 1 } }, "hooks": { "declarations": [] } }';
  const { problems } = parseManifest(text, '/somewhere/annal.json');
  expect(sentences(locate('annal.json', problems))).toEqual([
    'annal.json:1:45: error: "server.args[1]" must be a string, not a number',
    'annal.json:1:58: error: "server.env.A" must be a string, not a number',
  ]);
});

test('a hook without a line is named by its number', () => {
  const problem = {
    level: 'error',
    message: { code: 'value-empty', key: 'context' },
    path: ['hooks', 'declarations', 4, 'context'],
  } as const;
  expect(sentences(locate('annal.json', [problem]))).toEqual([
    'annal.json: error: hook 5: "context" must not be empty',
  ]);
});
