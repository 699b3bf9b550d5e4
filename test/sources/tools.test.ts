// The tools that a server lists, and whether arguments fit their schemas.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AskOptions } from '../../src/sources/protocol/ask.ts';
import { checkArguments, listTools, type Tool } from '../../src/sources/protocol/tools.ts';
import { linesOf } from '../support/said.ts';
import { type Answering, json, legacy, modern, serve } from '../support/servers/addressed.ts';

const SCRIPTED = join(import.meta.dirname, '../support', 'servers', 'scripted.mjs');
const BEGINS = { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } };
const COMMON = { label: 'annal', deadline: 10_000, version: '1.2.3' };

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'mcp-hooks-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function listScripted(plan: object, options?: Partial<AskOptions>) {
  const path = join(scratch, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify({ body: BEGINS, ...plan }));
  const command = { command: process.execPath, args: [SCRIPTED, path], cwd: scratch, env: {} };
  return listTools({ ...COMMON, ...command, ...options });
}

async function failure(asking: Promise<unknown>): Promise<string[]> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return linesOf(error).map((line) => line.replace(process.execPath, 'node'));
}

const namesIn = ({ tools }: { tools: readonly Tool[] }) => tools.map(({ name }) => name);
const named = (...names: string[]) => names.map((name) => ({ name }));

describe.concurrent('the tools of a server on stdio', () => {
  test('are read from all pages, with their descriptions', async () => {
    const recall = {
      name: 'recall',
      description: 'Finds what is known.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      other: 1,
    };
    const listed = await listScripted({ tools: [[recall], named('add'), named('forget')] });
    expect(listed).toMatchObject({
      whole: true,
      answer: { era: 'legacy', transport: 'stdio' },
      tools: [
        {
          name: 'recall',
          description: 'Finds what is known.',
          inputSchema: recall.inputSchema,
          readOnly: true,
        },
        { name: 'add' },
        { name: 'forget' },
      ],
    });
    expect(listed.tools[0]).not.toHaveProperty('other');
  });

  test.each([
    ['has not said that it has any', { body: { result: { capabilities: {} } }, mute: true }],
    ['does not know the question', {}],
  ])('are none if it %s', async (_, plan) => {
    expect(await listScripted(plan)).toMatchObject({ tools: [], whole: true });
  });

  test('are read with the protocol of 2026, which each request names', async () => {
    const listed = await listScripted({
      body: { error: { code: -32022, message: 'no' } },
      discover: { result: { capabilities: { tools: {} } } },
      tools: [named('recall')],
    });
    expect(listed.answer.era).toBe('modern');
    expect(namesIn(listed)).toEqual(['recall']);
  });

  test('are left out if their names are invalid, duplicate or hide characters, which is reported', async () => {
    const odd = [7, null, {}, { name: '' }, { name: 3 }, { name: 'a\u001b[2J' }, { name: 'x\ny' }];
    const more = [{ name: 'x'.repeat(1001) }, { name: 'a\u202Eb' }, { name: 'recall' }];
    const listed = await listScripted({ tools: [[...named('recall'), ...odd, ...more]] });
    expect(namesIn(listed)).toEqual(['recall']);
    expect(listed.whole).toBe(false);
  });

  test('lose a schema that is too deep or too large', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`);
    const large = { description: 'x'.repeat(200_000) };
    const { tools } = await listScripted({
      tools: [
        [
          { name: 'deep', inputSchema: deep },
          { name: 'large', inputSchema: large, description: 'x'.repeat(9000) },
        ],
      ],
    });
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([undefined, undefined]);
    expect(tools[1]?.description).toHaveLength(4000);
  });

  test('are read if one of them is too deep to be written again', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const path = join(scratch, 'deep.mjs');
    await writeFile(
      path,
      `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'initialize' ? ${JSON.stringify(BEGINS.result)} : 'TOOLS';
  const text = JSON.stringify({ jsonrpc: '2.0', id, result });
  if (id !== undefined) console.log(text.replace('"TOOLS"', '{"tools":[{"name":"deep","inputSchema":${deep}},{"name":"flat"}]}'));
});
`,
    );
    const command = { command: process.execPath, args: [path], cwd: scratch, env: {} };
    const { tools } = await listTools({ ...COMMON, ...command });
    expect(tools).toEqual(named('deep', 'flat'));
  });

  test('are limited in pages, tools and bytes', async () => {
    const round = { result: { tools: named('one'), nextCursor: '0' } };
    expect(await listScripted({ tools: [round] })).toMatchObject({
      tools: [{ name: 'one' }],
      whole: false,
    });
    const pages = Array.from({ length: 60 }, (_, at) => named(`tool-${at}`));
    const most = await listScripted({ tools: pages });
    expect([most.tools.length, most.whole]).toEqual([50, false]);
    const many = named(...Array.from({ length: 2100 }, (_, at) => `tool-${at}`));
    const listed = await listScripted({ tools: [many] });
    expect([listed.tools.length, listed.whole]).toEqual([2000, false]);
    const heavy = (name: string) => ({ name, description: 'x'.repeat(1_500_000) });
    const heavies = ['a', 'b', 'c', 'd'].map((name) => [heavy(name)]);
    expect(namesIn(await listScripted({ tools: heavies }))).toEqual(['a', 'b']);
  });

  test('are those of the pages before a failed one', async () => {
    const listed = await listScripted({
      tools: [named('recall'), { error: { code: -32603, message: 'no disk' } }],
    });
    expect(namesIn(listed)).toEqual(['recall']);
    expect(listed.whole).toBe(false);
  });

  test('are reported if they cannot be listed, with control characters spelled out', async () => {
    const error = { code: -32603, message: 'no \u001b[31mdisk' };
    expect(await failure(listScripted({ tools: [{ error }] }))).toEqual([
      'node did not list its tools: no \\u{1B}[31mdisk (-32603). Nothing was written.',
    ]);
    const odd = { code: [[]], message: { toString: 1 } };
    expect(await failure(listScripted({ tools: [{ error: odd }] }))).toEqual([
      'node did not list its tools: without a text. Nothing was written.',
    ]);
    expect(await failure(listScripted({ tools: [{ result: { tools: {} } }] }))).toEqual([
      'node did not list its tools: no list of tools. Nothing was written.',
    ]);
    expect(await failure(listScripted({ mute: true }, { deadline: 3000 }))).toEqual([
      'node did not answer "tools/list" within 3 seconds and was ended (--timeout allows more). Nothing was written.',
    ]);
  });
});

describe('the tools of a server at an address', () => {
  /** A server with these pages of tools. */
  const withTools =
    (answer: Answering, pages: readonly object[][]): Answering =>
    (sent, response) => {
      const { message } = sent;
      if (message?.method !== 'tools/list') return answer(sent, response);
      const at = Number(message.params?.cursor ?? 0);
      const more = pages[at + 1] ? { nextCursor: String(at + 1) } : {};
      return json(response, {
        jsonrpc: '2.0',
        id: message.id,
        result: { resultType: 'complete', tools: pages[at], ...more },
      });
    };

  test.each([
    ['of before 2026', legacy({ tools: {} })],
    ['of 2026', modern({ tools: {} })],
  ])('%s', async (_, answer) => {
    const { url, sent } = await serve(withTools(answer, [named('recall'), named('add')]));
    const listed = await listTools({ ...COMMON, url });
    expect(namesIn(listed)).toEqual(['recall', 'add']);
    const asked = sent.filter(({ message }) => message?.method === 'tools/list');
    expect(asked).toHaveLength(2);
    if (listed.answer.era === 'modern')
      expect(asked[1]?.headers).toMatchObject({ 'mcp-method': 'tools/list' });
    else expect(asked[1]?.headers).toMatchObject({ 'mcp-session-id': 'session-7' });
  });
});

describe('arguments for a tool', () => {
  /** The level, code and path of each problem, and its other facts. */
  const check = (inputSchema: unknown, args: Record<string, unknown>) =>
    checkArguments({ name: 'recall', inputSchema }, args).map(({ level, message, path }) => {
      const { code, argument, tool, ...rest } = { argument: '', tool: '', ...message };
      expect(tool).toBe('recall');
      return { level, code, path, argument, ...rest };
    });
  const codes = (inputSchema: unknown, args: Record<string, unknown>) =>
    check(inputSchema, args).map(({ code, argument }) => `${code} ${argument}`);
  const object = (properties: object, more: object = {}) => ({
    type: 'object',
    properties,
    ...more,
  });
  const QUERY = object({ query: { type: 'string' }, limit: { type: 'integer' } });

  test('are right for a type that is not a string', () => {
    expect(check(object({ query: { type: [{ toString: 1 }] } }), { query: 7 })).toEqual([]);
  });

  test('are reported if they are missing, unknown or of a wrong type', () => {
    const schema = { ...QUERY, required: ['query'], additionalProperties: false };
    expect(check(schema, { limt: 3, limit: 'three' })).toEqual([
      { level: 'error', code: 'argument-missing', path: ['query'], argument: 'query' },
      {
        level: 'error',
        code: 'argument-unknown',
        path: ['limt'],
        argument: 'limt',
        known: ['query', 'limit'],
      },
      {
        level: 'error',
        code: 'argument-type',
        path: ['limit'],
        argument: 'limit',
        expected: ['integer'],
        found: 'string',
      },
    ]);
    expect(check(schema, { query: 'x', limit: 3 })).toEqual([]);
  });

  test('are a warning if a schema neither has nor forbids them', () => {
    expect(check(QUERY, { quarry: 'x' })).toMatchObject([
      { level: 'warning', code: 'argument-unknown', known: ['query', 'limit'] },
    ]);
  });

  test.each([
    ['no schema', undefined],
    ['one that says nothing', {}],
    ['an open one', object({ query: {} }, { additionalProperties: true })],
    ['patterns of names', { type: 'object', patternProperties: { '^(a+)+$': {} } }],
    ['one that is none', 'recall'],
    ['an unknown type', { type: 'Object' }],
  ])('are right if there is %s', (_, schema) => {
    expect(check(schema, { anything: 1 })).toEqual([]);
  });

  test('with variables can be any text, but no other type', () => {
    const schema = object({
      project: { enum: ['a', 'b'] },
      limit: { type: 'number' },
      event: { type: 'object', required: ['tool'] },
      note: { type: 'string', pattern: '^(a+)+$', maxLength: 1 },
    });
    expect(codes(schema, { project: '{project_name}', note: 'In {project_name}' })).toEqual([]);
    expect(codes(schema, { project: 'in {prompt}', event: '{event}' })).toEqual([]);
    expect(codes(schema, { project: '{{a}}' })).toEqual(['argument-value project']);
    expect(codes(schema, { limit: '{tool_output}' })).toEqual(['argument-type limit']);
  });

  test('are checked inside lists and objects', () => {
    const entity = object({ name: { type: 'string' }, kind: { const: 'note' } });
    const schema = object({
      entities: { type: 'array', items: { ...entity, required: ['name'] } },
    });
    expect(codes(schema, { entities: [{ name: 'a' }, { kind: 'x' }, 3] })).toEqual([
      'argument-missing entities[1].name',
      'argument-value entities[1].kind',
      'argument-type entities[2]',
    ]);
    const pair = { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'null' } };
    expect(codes(object({ pair }), { pair: [1, null, 2] })).toEqual([
      'argument-type pair[0]',
      'argument-type pair[2]',
    ]);
    const values = { type: 'object', additionalProperties: { type: 'boolean' } };
    expect(codes(object({ values }), { values: { a: true, b: 'x' } })).toEqual([
      'argument-type values.b',
    ]);
  });

  test('are checked against several types', () => {
    const schema = object({
      tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      since: { type: ['string', 'null'] },
      old: { type: 'string', nullable: true },
    });
    expect(codes(schema, { tags: null, since: null, old: null })).toEqual([]);
    expect(check(schema, { tags: 'x' })).toMatchObject([{ expected: ['array', 'null'] }]);
    expect(codes(schema, { tags: ['x', 3] })).toEqual(['argument-type tags[1]']);
  });

  test('are checked against a schema that consists of several', () => {
    const schema = {
      $ref: '#/$defs/a~1b',
      allOf: [{ properties: { limit: { type: 'number' } } }, { required: ['limit'] }],
      $defs: { 'a/b': object({ query: { type: 'string' } }) },
    };
    expect(codes(schema, { query: 1, limit: 1 })).toEqual(['argument-type query']);
    expect(codes(schema, { query: 'x', other: 1 })).toEqual([
      'argument-missing limit',
      'argument-unknown other',
    ]);
    const closed = { $ref: '#/$defs/c', $defs: { c: { ...QUERY, additionalProperties: false } } };
    expect(check(closed, { other: 1 })).toMatchObject([{ level: 'error' }]);
    expect(codes({ $ref: 'https://example.com/schema' }, { query: 1 })).toEqual([]);
  });

  test("can have the names of an object's own properties", () => {
    const schema = object({ query: {} }, { required: ['constructor'] });
    expect(codes(schema, JSON.parse('{"__proto__": 1}'))).toEqual([
      'argument-missing constructor',
      'argument-unknown __proto__',
    ]);
    expect(codes({ $ref: '#/constructor/prototype' }, { query: 1 })).toEqual([]);
  });

  test('are checked in bounded time with a hostile schema', () => {
    const twice = (name: string) => [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }];
    const fan = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`a${at}`, { anyOf: twice(`a${at + 1}`) }]),
    );
    const hostile = [
      { $ref: '#' },
      { anyOf: [{ $ref: '#' }, { $ref: '#' }] },
      { allOf: twice('a0'), $defs: { ...fan, a40: { type: 'number' } } },
      { anyOf: twice('a0'), $defs: { ...fan, a40: { type: 'number' } } },
      object({ a: { enum: Array.from({ length: 50_000 }, () => ({ a: [{}] })) } }),
      object({ a: { pattern: '^(a+)+$', format: 'email' } }),
    ];
    for (const schema of hostile)
      expect(check(schema, { a: `${'a'.repeat(40)}!`, b: [[[]]] })).toEqual(
        schema === hostile.at(-1) ? [expect.objectContaining({ code: 'argument-unknown' })] : [],
      );
  });
});
