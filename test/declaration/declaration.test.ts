// What a manifest may contain, and the errors for anything else.

import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS } from '../../src/declaration/declaration.ts';
import { locate } from '../../src/declaration/document.ts';
import { parseManifest, readManifestFile } from '../../src/sources/manifests/read.ts';
import { linesOf, sentences } from '../support/said.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'declarations');
const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const HOOK = JSON.stringify(HELLO);

/** A manifest of the fixtures, and what `validate` would print about it: `line:column: level: message`. */
async function fixture(file: string) {
  const path = join(FIXTURES, file);
  return parsed(await readFile(path, 'utf8'), path);
}

function parsed(text: string, path = '/somewhere/annal.json', name?: string) {
  const declared = parseManifest(text, path, name);
  return {
    ...declared,
    said: sentences(locate('', declared.problems)).map((line) => line.slice(1)),
  };
}

/** The error of a manifest that cannot be used: its sentence and its details. */
async function refusal(path: string, shown = 'annal.json'): Promise<string[]> {
  const error: unknown = await readManifestFile(path, shown).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return linesOf(error);
}

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'mcp-hooks-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('forms of a manifest', () => {
  test.each([
    ['{ "name", "server", "hooks" }', 'named.json', 'annal'],
    ['{ "declarations" }', 'bare.json', 'bare'],
    ['{ "hooks" }', 'hooks.json', 'hooks'],
    ['{ "capabilities": { "hooks" } }', 'capabilities.json', 'capabilities'],
    [
      '{ "capabilities": { "experimental": { "hooks" } } }',
      'capabilities-experimental.json',
      'capabilities-experimental',
    ],
    ['{ "experimental": { "hooks" } }', 'experimental.json', 'experimental'],
    ['{ "capabilities": { "extensions": { our id } } }', 'extension.json', 'extension'],
    ['comments and trailing commas', 'comments.jsonc', 'comments'],
    ['a byte order mark', 'bom.json', 'bom'],
    ['line breaks of Windows', 'crlf.json', 'crlf'],
  ])('%s', async (_, file, label) => {
    const { said, hooks, ...rest } = await fixture(`valid/${file}`);
    expect(said).toEqual([]);
    expect(hooks).toEqual([HELLO]);
    expect(rest.label).toBe(label);
  });

  test('every event, every part of a matcher, an empty matcher, "$schema"', async () => {
    const { said, hooks } = await fixture('valid/every-event.json');
    expect(said).toEqual([]);
    expect(hooks.map(({ event }) => event).toSorted()).toEqual(EVENTS.toSorted());
    expect(hooks[2]?.matcher).toEqual({});
    expect(hooks[3]?.matcher).toEqual({
      tool_name: 'mcp__annal__*',
      input_contains: 'x',
      tool_server: 'annal',
    });
  });

  test('a server behind a command', async () => {
    const { server, source } = await fixture('valid/named.json');
    expect(server).toEqual({ command: 'uvx', args: ['annal'], env: { LEVEL: '1' } });
    expect(source).toEqual({ kind: 'manifest', path: join(FIXTURES, 'valid/named.json') });
  });

  test('a server behind an address, and arguments of a tool of any shape', async () => {
    const { said, server, hooks } = await fixture('valid/url.json');
    expect(said).toEqual([]);
    expect(server).toEqual({
      url: 'https://annal.example/mcp',
      headers: { authorization: 'Bearer x' },
    });
    expect(hooks[0]).toEqual({
      event: 'session_start',
      context_tool: 'search',
      context_tool_args: { query: '{project_name}', deep: { er: [1, null, true] } },
      priority: 'required',
    });
  });

  test('no hooks at all', async () => {
    const { said, hooks } = await fixture('valid/no-hooks.json');
    expect(said).toEqual([]);
    expect(hooks).toEqual([]);
  });

  test('of two forms in one file, the first counts, and the other is an error', () => {
    const { said, hooks } = parsed(
      `{ "hooks": { "declarations": [${HOOK}] }, "declarations": [] }`,
    );
    expect(hooks).toEqual([HELLO]);
    expect(said).toEqual([
      '1:104: error: unknown key "declarations"; allowed: $schema, version, name, server, hooks',
    ]);
  });
});

describe('valid values that are probably wrong', () => {
  const said = (hook: object) =>
    parsed(JSON.stringify({ declarations: [{ ...HELLO, ...hook }] })).said.map((line) =>
      line.replace(/^\d+:\d+: /, ''),
    );
  const onTool = (matcher: object) => said({ event: 'post_tool_use', matcher });

  test.each([
    ['BASH', 'no client has a tool "BASH"; did you mean "Bash"?'],
    ['Bsh', 'no client has a tool "Bsh"; did you mean "Bash"?'],
    ['run_shell', 'no client has a tool "run_shell"; did you mean "run_shell_command"?'],
    [
      'Deployment',
      'no client has a tool "Deployment"; the tools of MCP servers are called mcp__<server>__<tool>',
    ],
    ['BASH*', 'no client has a tool "BASH*"; did you mean "Bash"?'],
    ['?asj', 'no client has a tool "?asj"; did you mean "Bash"?'],
    ['Bash|Edit', 'no client has a tool "Bash|Edit"; did you mean "{Bash,Edit}"?'],
    ['Bash(git *)', 'no client has a tool "Bash(git *)"; did you mean "Bash"?'],
    ['{Bash,Edti}', 'no client has a tool "Edti"; did you mean "Edit"?'],
    [
      '[Bash',
      'the brackets in "[Bash" are not a pattern (as [abc] or {a,b} are), and no tool has any in its name; did you mean "Bash"?',
    ],
    [
      '{Bash}',
      'the brackets in "{Bash}" are not a pattern (as [abc] or {a,b} are), and no tool has any in its name; did you mean "Bash"?',
    ],
    [
      'mcp__notes__[ab',
      'the brackets in "mcp__notes__[ab" are not a pattern (as [abc] or {a,b} are), and no tool has any in its name',
    ],
    [
      'mcp__notes',
      '"mcp__notes" names an MCP server and no tool; every tool of it is "mcp__notes__*"',
    ],
    [
      'mcp__notes__',
      '"mcp__notes__" names an MCP server and no tool; every tool of it is "mcp__notes__*"',
    ],
    ['', '"tool_name" is empty and matches no tool; leave it out to match every tool'],
  ])('a tool: %s', (tool_name, message) => {
    expect(onTool({ tool_name })).toEqual([`warning: ${message}`]);
    expect(said({ event: 'pre_tool_use', matcher: { tool_name } })).toHaveLength(1);
  });

  test("a server's tool by its name alone", () => {
    expect(onTool({ tool_name: 'add_note', tool_server: 'notes' })).toEqual([
      'warning: no client has a tool "add_note"; did you mean "mcp__notes__add_note"?',
    ]);
    expect(onTool({ tool_server: '' })).toEqual([
      'warning: "tool_server" is empty: the hook never fires',
    ]);
  });

  test.each([
    ...[
      'Bash',
      '{Edit,Write}',
      'apply_patch',
      'read_file',
      'TaskCreate',
      'update_plan',
      'save_memory',
    ],
    ...[
      '*',
      '*note*',
      // These are characters of the name, not wildcards.
      'mcp__notes__\\*\\*\\*\\*\\*',
      '?ash',
      '[A-Z]*',
      'B*',
      'mcp__notes__add',
      'mcp__*',
      'm*',
      'mcp_*',
      'mcp__notes__*',
      '[!x]*',
    ],
    ...['mcp__notes__{a,b}', '[Mm]cp__notes__add', 'mcp__a.b__c-d'],
  ])('nothing is reported for a tool that may exist: %s', (tool_name) => {
    expect(onTool({ tool_name })).toEqual([]);
  });

  test.each([
    [{ context: '' }, '"context" is empty: the text is empty, so nothing is shown'],
    [{ context: ' \n' }, '"context" is empty: the text is empty, so nothing is shown'],
    [{ context: undefined, context_tool: '' }, '"context_tool" is empty: the hook never fires'],
    [{ context: 'Ran {tool_nam}.' }, '{tool_nam} is not filled in; did you mean {tool_name}?'],
    [{ context: 'Of {sever}.' }, '{sever} is not filled in; did you mean {server}?'],
    [
      { context: '{toolName} {toolName}' },
      '{toolName} is not filled in; did you mean {tool_name}?',
    ],
    [{ context: '{ session_id }' }, '{ session_id } is not filled in; did you mean {session_id}?'],
    [
      {
        context: undefined,
        context_tool: 't',
        context_tool_args: { a: [{ b: '{Project-Name}' }] },
      },
      '{Project-Name} is not filled in; did you mean {project_name}?',
    ],
  ])('%j', (hook, message) => {
    expect(said(hook).filter((line) => !line.includes('"server" is missing'))).toEqual([
      `warning: ${message}`,
    ]);
  });

  test.each([
    ...[
      '{tool_name}',
      '{{tool_nam}}',
      '{name}',
      '{id}',
      '{"a": 1}',
      '{}',
      '{user}',
      'if (x) { return; }',
    ],
  ])('nothing is reported for braces that mean something else: %s', (context) => {
    expect(said({ context })).toEqual([]);
  });

  test('a very long name is checked in bounded time', () => {
    expect(onTool({ tool_name: 'x'.repeat(999) })).toHaveLength(1);
  });

  test.each([
    [
      'a key',
      { contex: 'Hi.' },
      'unknown key "contex"; allowed: event, matcher, context, context_tool, context_tool_args, priority; did you mean "context"?',
    ],
    [
      'an event',
      { event: 'postToolUse' },
      `"event" is "postToolUse"; allowed: ${EVENTS.join(', ')}; did you mean "post_tool_use"?`,
    ],
    [
      'a priority',
      { priority: 'Required' },
      '"priority" is "Required"; allowed: required, important, suggestion; did you mean "required"?',
    ],
  ])('the nearest valid name is suggested for %s', (_, hook, message) => {
    expect(said(hook)).toEqual([`error: ${message}`]);
  });

  test('the nearest key of the manifest is suggested', () => {
    expect(parsed(`{ "nmae": "x", "declarations": [] }`).said).toEqual([
      '1:3: error: unknown key "nmae"; allowed: $schema, version, name, server, declarations; did you mean "name"?',
    ]);
    expect(parsed(`{ "hooks": { "declaration": 1, "declarations": [] } }`).said).toEqual([
      '1:14: error: unknown key "declaration"; allowed: declarations; did you mean "declarations"?',
    ]);
  });
});

describe('all mistakes are reported at once, each at its place', () => {
  const KEYS = 'event, matcher, context, context_tool, context_tool_args, priority';
  const NAMES = EVENTS.join(', ');
  const LABEL =
    'can\'t be used as a label. Use up to 64 letters, digits, "_", "." or "-", starting with a letter or digit (--name gives another)';

  test.each<[string, string, string[]]>([
    [
      'unknown keys, at every level',
      'unknown-keys.json',
      [
        '3:5: error: unknown key "version"; allowed: declarations',
        '8:11: error: unknown key "tool"; allowed: tool_name, input_contains, tool_server; did you mean "tool_name"?',
        `12:9: error: unknown key "once"; allowed: ${KEYS}; add "version": 2, which allows it`,
        '18:5: error: unknown key "cwd"; allowed: command, args, env',
        '20:3: error: unknown key "author"; allowed: $schema, version, name, server, hooks',
      ],
    ],
    [
      'an unknown key beside bare declarations',
      'unknown-keys-bare.json',
      ['3:3: error: unknown key "tools"; allowed: $schema, version, name, server, declarations'],
    ],
    [
      'a text and a tool',
      'both-texts.json',
      ['7:7: error: "context" and "context_tool" exclude each other: keep one'],
    ],
    [
      'neither a text nor a tool',
      'neither-text.json',
      ['3:5: error: one of "context" (a text) and "context_tool" (the name of a tool) is needed'],
    ],
    [
      'arguments without a tool',
      'args-alone.json',
      ['6:7: error: "context_tool_args" needs "context_tool"'],
    ],
    [
      'an unknown event and an unknown priority',
      'unknown-words.json',
      [
        `4:7: error: "event" is "pre_compact"; allowed: ${NAMES}; add "version": 2, which allows it`,
        '6:7: error: "priority" is "urgent"; allowed: required, important, suggestion',
      ],
    ],
    [
      'no event and no priority',
      'missing-words.json',
      [
        `3:5: error: "event" is missing; allowed: ${NAMES}`,
        '3:5: error: "priority" is missing; allowed: required, important, suggestion',
      ],
    ],
    [
      'values of the wrong type',
      'wrong-types.json',
      [
        '2:3: error: "name" must be a string',
        '5:5: error: "server.args" must be an array, not a string',
        '6:14: error: "server.env.DEBUG" must be a string, not a boolean',
        `11:9: error: "event" is 1; allowed: ${NAMES}`,
        '12:9: error: "matcher" must be an object, not a string',
        '13:9: error: "context" must be a string, not an array',
        '14:9: error: "priority" is null; allowed: required, important, suggestion',
        '19:11: error: hook 2: "matcher.tool_name" must be a string, not a number',
        '20:11: error: hook 2: "matcher.input_contains" must be a string, not an array',
        '21:11: error: hook 2: "matcher.tool_server" must be a string, not null',
        '23:9: error: "context_tool" must be a string, not an object',
        '24:9: error: "context_tool_args" must be an object, not an array',
        '27:7: error: hook 3: this must be an object, not a string',
        '28:7: error: hook 4: this must be an object, not null',
      ],
    ],
    [
      'declarations that are no array',
      'not-an-array.json',
      ['3:5: error: "declarations" must be an array, not an object'],
    ],
    [
      'hooks without declarations',
      'declarations-missing.json',
      ['3:3: error: "declarations" is missing; it must be an array'],
    ],
    [
      'hooks that are no object',
      'hooks-not-an-object.json',
      ['3:3: error: "hooks" must be an object with "declarations", not an array'],
    ],
    [
      'no hooks in any form',
      'no-hooks-at-all.json',
      [
        '1:1: error: no hooks in it; expected "hooks": { "declarations": [...] } (or "declarations", "capabilities" or "experimental" as in SEP-2282)',
      ],
    ],
    [
      'a document that is no object',
      'an-array.json',
      ['1:1: error: a manifest must be an object, not an array'],
    ],
    ['a name that cannot be a label', 'bad-name.json', [`2:3: error: "my server" ${LABEL}`]],
    [
      'a tool of a server that cannot be started',
      'tool-without-server.json',
      [
        '1:1: error: "server" is missing; it says how to reach the tool "recall": { "command", "args" } or { "url" }',
      ],
    ],
    [
      'the same beside another mistake in that hook',
      'tool-without-server-and-more.json',
      [
        '1:1: error: "server" is missing; it says how to reach the tool "recall": { "command", "args" } or { "url" }',
        '3:59: error: "priority" is "urgent"; allowed: required, important, suggestion',
      ],
    ],
    [
      'a server without a command',
      'server-without-command.json',
      ['2:13: error: "server.command" is missing; it must be a string'],
    ],
    [
      'a server with an empty command',
      'server-empty-command.json',
      ['2:15: error: "server.command" must not be empty'],
    ],
    [
      'a server with a command and an address, which is none',
      'server-with-both.json',
      [
        '2:15: error: unknown key "command"; allowed: url, headers',
        '2:35: error: "server.url" must be an http or https address, not "ftp://annal.example"',
      ],
    ],
    [
      'keys named __proto__',
      'proto.json',
      [
        `7:7: error: unknown key "__proto__"; allowed: ${KEYS}`,
        '10:3: error: unknown key "__proto__"; allowed: $schema, version, name, server, declarations',
      ],
    ],
    ['a key without quotes', 'not-json.json', ['3:7: error: not JSON: invalid symbol']],
    [
      'an end that is missing',
      'cut-short.json',
      ['3:16: error: not JSON: unexpected end of string'],
    ],
    ['two documents', 'two-documents.json', ['2:1: error: not JSON: end of file expected']],
    [
      'an empty file',
      'empty.json',
      ['1:1: error: the file is empty; a manifest is a JSON object with "hooks"'],
    ],
    [
      'a blank file',
      'blank.json',
      ['3:1: error: the file is empty; a manifest is a JSON object with "hooks"'],
    ],
    ['nothing but comments', 'only-comments.jsonc', ['2:1: error: not JSON: value expected']],
  ])('%s', async (_, file, said) => {
    expect((await fixture(`invalid/${file}`)).said).toEqual(said);
  });

  test('a matcher for an event without a tool is a warning, and the hook stays', async () => {
    const { said, hooks } = await fixture('valid/matcher-elsewhere.json');
    expect(said).toEqual([
      '5:7: warning: "matcher" is ignored: session_start is not about a tool call (pre_tool_use, post_tool_use are)',
    ]);
    expect(hooks).toHaveLength(1);
  });

  test('places count characters and lines, also after a byte order mark and line breaks of Windows', () => {
    const { said } = parsed(
      '\uFEFF{\r\n  "declarations": [\r\n    { "event": "session_start", "context": "é", "priority": 1 }\r\n  ]\r\n}\r\n',
    );
    expect(said).toEqual([
      '3:49: error: "priority" is 1; allowed: required, important, suggestion',
    ]);
  });

  test('a long wrong value is cut, and its control characters are escaped', () => {
    const long = 'x'.repeat(1000);
    const { said } = parsed(
      `{ "declarations": [{ "event": "${long}", "context": "", "priority": "\\u001b[2J" }] }`,
    );
    expect(said).toEqual([
      `1:22: error: "event" is "${'x'.repeat(56)}...; allowed: ${NAMES}`,
      '1:1050: error: "priority" is "\\u001b[2J"; allowed: required, important, suggestion',
    ]);
  });

  test('no key reaches Object.prototype', async () => {
    await fixture('invalid/proto.json');
    parsed(`{ "__proto__": { "polluted": 1 }, "declarations": [${HOOK}] }`);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('an argument of a tool may be called __proto__, and is kept', () => {
    const { said, hooks } = parsed(
      '{ "server": { "command": "x" }, "declarations": [{ "event": "session_start", "context_tool": "t", "context_tool_args": { "__proto__": "kept" }, "priority": "suggestion" }] }',
    );
    expect(said).toEqual([]);
    expect(JSON.stringify(hooks[0]?.context_tool_args)).toBe('{"__proto__":"kept"}');
  });
});

describe('the label', () => {
  const manifest = `{ "name": "annal", "declarations": [${HOOK}] }`;
  const nameless = `{ "declarations": [${HOOK}] }`;

  test('is given by the user, else by the manifest, else by the name of the file', () => {
    expect(parsed(manifest, '/x/file.json', 'mine').label).toBe('mine');
    expect(parsed(manifest, '/x/file.json').label).toBe('annal');
    expect(parsed(nameless, '/x/file.v2.jsonc').label).toBe('file.v2');
  });

  test.each(['a', '7', 'A.b-c_d', 'x'.repeat(64), 'console', 'com10', 'my.con'])(
    'may be %s',
    (label) => {
      expect(parsed(nameless, '/x/file.json', label)).toMatchObject({ label, problems: [] });
    },
  );

  test.each([
    '',
    ' ',
    '.',
    '..',
    '-x',
    '_x',
    'a b',
    'a/b',
    '../a',
    'a\\b',
    'a\n',
    'ä',
    "a'b",
    '$a',
    'x'.repeat(65),
    // On Windows, folders cannot have these names.
    'con',
    'NUL',
    'com1.notes',
    'notes.',
  ])('may not be %j', (label) => {
    const by = [
      parsed(nameless, '/x/file.json', label),
      parsed(`{ "name": ${JSON.stringify(label)}, "declarations": [${HOOK}] }`),
    ];
    for (const { problems } of by)
      expect(problems).toMatchObject([
        {
          level: 'error',
          message: { code: 'bad-label', label },
        },
      ]);
  });

  test('may not come from an unsuitable file name', () => {
    expect(parsed(nameless, '/x/my hooks.json').said).toEqual([
      expect.stringMatching(
        /^1:1: error: "my hooks" can't be used as a label.*--name gives another/,
      ),
    ]);
  });

  test('from the user replaces an invalid name in the manifest', () => {
    const bad = `{ "name": "my server", "declarations": [${HOOK}] }`;
    expect(parsed(bad, '/x/file.json', 'mine')).toMatchObject({ label: 'mine', problems: [] });
  });
});

describe('a file that cannot be used is refused, with the reason', () => {
  const file = async (name: string, content: string | Buffer) => {
    const path = join(scratch, name);
    await writeFile(path, content);
    return path;
  };

  test('all mistakes are listed after one sentence, with the path as the user wrote it', async () => {
    const path = join(FIXTURES, 'invalid', 'unknown-words.json');
    expect(await refusal(path, './hooks.json')).toEqual([
      './hooks.json cannot be used. Nothing was written.',
      `./hooks.json:4:7: error: "event" is "pre_compact"; allowed: ${EVENTS.join(', ')}; add "version": 2, which allows it`,
      './hooks.json:6:7: error: "priority" is "urgent"; allowed: required, important, suggestion',
    ]);
  });

  test('but not because of warnings', async () => {
    const path = join(FIXTURES, 'valid', 'matcher-elsewhere.json');
    expect((await readManifestFile(path, 'x.json')).problems).toMatchObject([{ level: 'warning' }]);
  });

  test('a missing file', async () => {
    expect(await refusal(join(scratch, 'nowhere.json'))).toEqual([
      'annal.json cannot be read: there is no such file. Nothing was written.',
    ]);
  });

  test('a folder', async () => {
    await mkdir(join(scratch, 'folder.json'));
    expect(await refusal(join(scratch, 'folder.json'))).toEqual([
      'There are no hooks in the folder annal.json: looked into mcp-hooks.json, mcp-hooks.jsonc, package.json, manifest.json, server.json. Nothing was written.',
    ]);
  });

  test('bytes that are not UTF-8', async () => {
    expect(await refusal(join(FIXTURES, 'invalid', 'latin1.json'))).toEqual([
      'annal.json cannot be read: it is not UTF-8 text. Nothing was written.',
    ]);
  });

  test('50 MB, which are not read', async () => {
    const path = join(scratch, 'large.json');
    const handle = await open(path, 'w');
    await handle.truncate(50 * 1024 * 1024);
    await handle.close();
    expect(await refusal(path)).toEqual([
      'annal.json has 50.0 MiB; a manifest may have at most 1.0 MiB. Nothing was written.',
    ]);
  });

  test('100,000 brackets within brackets', async () => {
    const depth = 100_000;
    const deep = `{ "declarations": ${'['.repeat(depth)}${']'.repeat(depth)} }`;
    expect(await refusal(await file('deep.json', deep))).toEqual([
      'annal.json cannot be used. Nothing was written.',
      'annal.json:1:1: error: it is nested too deeply for a manifest: more than 100 brackets within brackets',
    ]);
  });

  test('but not because of brackets in a text', () => {
    const text = JSON.stringify({ ...HELLO, context: `"\\${'[{'.repeat(500)}` });
    expect(parsed(`{ "declarations": [${text}] }`).said).toEqual([]);
  });

  test('junk of any kind, in bounded time', () => {
    const size = 100_000;
    for (const junk of ['\\"', '"', '"\\', '\\', '{"a":', '/*', '{ "declarations": [1,', '[1,\n'])
      expect(parsed(junk.repeat(size / junk.length)).problems[0]?.level).toBe('error');
  });

  test('but not with a text of the largest allowed size', () => {
    const text = JSON.stringify({ ...HELLO, context: 'x'.repeat(1_000_000) });
    expect(parsed(`{ "declarations": [${text}] }`).said).toEqual([
      '1:45: warning: "context" has 1000000 characters; by default the model reads the first 8000.',
    ]);
  });
});
