// Reading the extended vocabulary: which sources may declare what, and hooks in other conventions.

import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect } from 'vitest';
import { EXTENSION } from '../../src/declaration/declaration.ts';
import { readManifestFile } from '../../src/sources/manifests/read.ts';
import { splitWords } from '../../src/sources/manifests/split-words.ts';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { sha256 } from '../../src/system/fingerprint.ts';
import { quoted } from '../../src/system/strings.ts';
import { sentences } from '../support/said.ts';
import { test, type World } from '../support/world.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'lifecycle');
const BASE_COAT = join(FIXTURES, 'base-coat');
const ANSWERING = join(import.meta.dirname, '../support', 'servers', 'answering.sh');
const TEXT = { event: 'OnError', context: 'Look.', order: 3 };
const OURS = { ...TEXT, event: 'tool_error', priority: 'suggestion' };
const COMMAND = { event: 'pre_tool_use', command: ['echo', 'hi'] };
const manifest = (...declarations: readonly object[]) => ({ version: 2, hooks: { declarations } });
const LEFT_OUT =
  'left out: a hook that runs a command is taken only from a manifest whose path you give';

type Problem = Record<'level' | 'message', string>;
const json = async (world: World, line: string) => JSON.parse((await world.run(line)).out);
const diff = (world: World, rest: string) => json(world, `diff ${rest} --client claude --json`);

describe.concurrent('a running server', () => {
  const declaring = async (world: World, capabilities: object) => {
    const plan = world.path(`${randomUUID()}.json`);
    await writeFile(
      plan,
      JSON.stringify({ body: { result: { protocolVersion: '2025-11-25', capabilities } } }),
    );
    const declared = await askServer({
      label: 'annal',
      command: '/bin/sh',
      args: [ANSWERING, plan],
      cwd: world.work,
      env: process.env,
      deadline: 10_000,
      version: '1.2.3',
    });
    return { ...declared, said: sentences(declared.problems.map(({ message }) => message)) };
  };
  const extension = (value: object) => ({ extensions: { [EXTENSION]: value } });

  test('may use it under our extension, except for commands', async ({ world }) => {
    const declarations = [TEXT, COMMAND, { ...TEXT, order: 'x' }];
    const { hooks, said, problems, ...rest } = await declaring(
      world,
      extension({ version: 2, declarations }),
    );
    expect(hooks).toEqual([OURS]);
    const at = `capabilities.extensions["${EXTENSION}"].declarations`;
    expect(said).toEqual([
      `${at}[1].command: ${LEFT_OUT}`,
      `${at}[2].order: left out: "order" must be a number, not a string`,
    ]);
    expect(problems.map(({ level, leftOut }) => [level, leftOut])).toEqual([
      ['warning', true],
      ['warning', undefined],
    ]);
    expect(rest).not.toHaveProperty('commandFiles');
  });

  test('gets no hooks with another version', async ({ world }) => {
    const { hooks, said } = await declaring(world, extension({ version: 3, declarations: [TEXT] }));
    expect(hooks).toEqual([]);
    expect(said).toEqual([
      `capabilities.extensions["${EXTENSION}"].version: left out: "version" is 3; allowed: 1, 2`,
    ]);
  });

  for (const [where, around] of [
    ['our extension without a version', extension],
    ['capabilities.hooks', (hooks: object) => ({ hooks })],
    ['capabilities.experimental.hooks', (hooks: object) => ({ experimental: { hooks } })],
  ] as const)
    test(`can add only text under ${where}`, async ({ world }) => {
      const version = where.startsWith('our') ? {} : { version: 2 };
      const plain = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
      const block = { ...plain, event: 'pre_tool_use', block: 'x' };
      const { hooks, unsupported, said } = await declaring(
        world,
        around({ ...version, declarations: [plain, OURS, COMMAND, block] }),
      );
      expect(hooks).toEqual([plain]);
      expect(unsupported).toMatchObject([{ event: 'tool_error' }]);
      expect(said.join('\n')).toMatch(/unknown key "command".*unknown key "block"/s);
    });
});

describe.concurrent('commands are taken only from a manifest that is named by its path', () => {
  const hooks = manifest(TEXT, COMMAND);
  test('or by its folder', async ({ world }) => {
    await world.write('notes/mcp-hooks.json', JSON.stringify(hooks));
    for (const path of ['notes', 'notes/mcp-hooks.json'])
      expect((await diff(world, path)).hooks).toEqual([
        OURS,
        { ...COMMAND, priority: 'suggestion' },
      ]);
  });

  const META = 'io.modelcontextprotocol.registry/publisher-provided';
  const ID = 'io.github.mcp-hooks';
  const bundle = JSON.stringify({
    manifest_version: '0.3',
    name: 'notes',
    server: {},
    _meta: { [ID]: hooks },
  });
  for (const [file, content] of [
    ['package.json', JSON.stringify({ name: 'notes', mcpHooks: hooks })],
    ['manifest.json', bundle],
    ['notes.mcpb', Buffer.from(zipSync({ 'manifest.json': Buffer.from(bundle) }))],
    [
      'server.json',
      JSON.stringify({ name: 'a/notes', packages: [], _meta: { [META]: { [ID]: hooks } } }),
    ],
  ] as const)
    test(`not from a ${file}, whose other hooks are taken`, async ({ world }) => {
      await world.write(file, content);
      const plan = await diff(world, `./${file}`);
      expect(plan.hooks).toEqual([OURS]);
      expect(plan.problems).toMatchObject([{ level: 'warning', message: LEFT_OUT }]);
    });
});

describe.concurrent('Base Coat: hooks.json', () => {
  const may = ['block', 'modify'];
  const pre = join(BASE_COAT, 'hooks', 'pre_tool.py');
  const rotate = join(BASE_COAT, 'hooks', 'rotate_session.py');

  test('its own example', async () => {
    const path = join(BASE_COAT, 'hooks.json');
    const { problems, hooks, ...rest } = await readManifestFile(path, path);
    expect(problems).toEqual([]);
    expect(hooks).toEqual([
      {
        event: 'pre_tool_use',
        command: ['python', 'hooks/pre_tool.py'],
        priority: 'suggestion',
        order: 20,
        may,
      },
      {
        event: 'budget_exceeded',
        command: ['python', 'hooks/rotate_session.py'],
        priority: 'suggestion',
        order: 10,
        may: ['block'],
        budget: { tokens: 160_000 },
      },
    ]);
    expect(rest).toMatchObject({
      label: 'hooks',
      commandsFrom: BASE_COAT,
      commandFiles: {
        [pre]: sha256(await readFile(pre)),
        [rotate]: sha256(await readFile(rotate)),
      },
    });
  });

  test('all mistakes of one are reported, each at its place', async ({ world }) => {
    await world.write(
      'hooks.json',
      `{
  "version": 2,
  "hooks": {
    "PreToolUse": [
      { "command": "python x | tee y", "priority": 1.5 },
      { "command": "" },
      { "command": "  " },
      { "comand": "x" },
      { "tool": "recall" },
      { "tool": "a.b", "command": "x" },
      { "command": "python gone.py" }
    ],
    "PreToolUs": [{ "command": "echo $HOME" }]
  },
  "extra": 1
}`,
    );
    const { code, out } = await world.run('validate hooks.json');
    expect(code).toBe(2);
    expect(out.trim().split('\n')).toEqual([
      'hooks.json:2:3: error: "version" is 2; allowed: 1 [value-unknown]',
      'hooks.json:5:40: error: "priority" must be a whole number, not 1.5 [not-whole]',
      'hooks.json:6:9: error: "command" must not be empty [value-empty]',
      'hooks.json:7:9: error: "command" must not be empty [value-empty]',
      'hooks.json:8:9: error: unknown key "comand"; allowed: command, tool, priority; did you mean "command"? [unknown-key]',
      'hooks.json:9:9: error: "recall" names no server: write <server>.<tool>, for example "memory.recall" [tool-without-server]',
      'hooks.json:10:7: error: "command" and "tool" exclude each other: keep one [handlers-several]',
      `hooks.json:11:7: error: there is no file "gone.py" in ${world.work}, the folder of the manifest [command-no-file]`,
      'hooks.json:13:5: error: unknown key "PreToolUs"; allowed: SessionStart, SessionEnd, PreToolUse, PostToolUse, PreCompact, PostCompact, OnError, OnBudgetExceeded; did you mean "PreToolUse"? [unknown-key]',
      'hooks.json:15:3: error: unknown key "extra"; allowed: $schema, version, hooks, mcpServers; did you mean "servers"? [unknown-key]'.replace(
        '; did you mean "servers"?',
        '',
      ),
      'hooks.json: 10 errors.',
    ]);
  });

  test.for(['a | b', 'a $HOME', 'a; b', 'a > b', 'a `b`', 'A=1 b', 'a *.py', '~/a', 'a "$b"'])(
    'a shell is not started: %s',
    async (command, { world }) => {
      await world.write('hooks.json', JSON.stringify({ hooks: { OnError: [{ command }] } }));
      expect((await world.run('validate hooks.json')).out).toMatch(
        /^hooks.json:1:23: error: hooks run without a shell, so ".+" doesn't work: put the command into a script \[needs-shell\]\n$/,
      );
    },
  );

  // Settings of clients, whose events have the same names.
  test.for([
    { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'x' }] }] } },
    { version: 1, hooks: { PreToolUse: [{ type: 'command', bash: 'x' }] } },
    { version: 1, hooks: { beforeShellExecution: [{ command: 'x' }] } },
  ])('is recognized by its content, so this is none: %j', async (settings, { world }) => {
    await world.write('hooks.json', JSON.stringify(settings));
    const { out } = await world.run('validate hooks.json');
    expect(out).toContain("hooks in a client's own form");
    expect(out).toContain('mcp-hooks import');
  });

  test.for([{ hooks: { PreToolUse: { command: 'x' } } }, { hooks: {} }])(
    'is none without a list: %j',
    async (settings, { world }) => {
      await world.write('hooks.json', JSON.stringify(settings));
      expect((await world.run('validate hooks.json')).out).toContain('"declarations" is missing');
    },
  );
});

describe.concurrent('Base Coat: mcp.json', () => {
  const FILE = join(BASE_COAT, 'mcp.json');
  const memory = { command: 'uvx', args: ['memory'], env: { MEMORY_DIR: '/srv' } };
  const recall = { SessionStart: [{ tool: 'memory.load_session_memory', priority: 10 }] };
  const RECALLED = {
    event: 'session_start',
    context_tool: 'load_session_memory',
    priority: 'suggestion',
    order: 10,
  };

  test('its own example has four servers, and --name chooses one', async ({ world }) => {
    const found = async (flags: string) => {
      const { valid, hooks, problems } = await json(world, `validate ${FILE} --json ${flags}`);
      return [valid, hooks, problems.map(({ level, message }: Problem) => `${level}: ${message}`)];
    };
    const servers = 'memory, telemetry, errors, loops';
    const several = 'its hooks call tools of several servers, and an install takes those of one';
    expect(await found('')).toEqual([true, 4, [`warning: ${several} (--name): ${servers}`]]);
    const unsaid = 'the file does not say how "memory" is started';
    expect(await found('--name memory')).toEqual([true, 1, [`note: ${unsaid}`]]);
    const { code, err } = await world.run(`install ${FILE} --client claude --yes`);
    expect([code, err]).toEqual([
      2,
      `${FILE} has hooks with tools of several servers: memory, telemetry, errors, loops. One label is one server. Nothing was written.\nFor the hooks of one of them, give its label: ${FILE} --name memory\n`,
    ]);
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { memory } }));
    const plan = await diff(world, `${FILE} --name memory`);
    expect(plan).toMatchObject({ label: 'memory', hooks: [RECALLED] });
    expect(plan.server).toBe(
      'Runs as you in the session folder: uvx memory (environment from ' +
        `${world.path('~/.claude.json')}: MEMORY_DIR)`,
    );
    expect(plan.notes).toContain(
      'Only the hooks of memory are taken (--name takes those of another server), and not those of telemetry, errors, loops.',
    );
  });

  test('one server, started as the file says', async ({ world }) => {
    const file = {
      hooks: recall,
      mcpServers: { memory: { type: 'stdio', ...memory } },
      inputs: [],
    };
    await world.write('mcp.json', JSON.stringify(file));
    expect(await diff(world, 'mcp.json')).toMatchObject({
      label: 'memory',
      hooks: [RECALLED],
      server:
        'Runs as you in the session folder: uvx memory (environment from the manifest: MEMORY_DIR)',
      problems: [],
    });
    const mine = await diff(world, 'mcp.json --name mine');
    expect(mine).toMatchObject({ label: 'mine', hooks: [RECALLED] });
  });

  test('a fragment with only events is read by validate and diff alike', async ({ world }) => {
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { memory } }));
    await world.write(
      'fragment.json',
      JSON.stringify({
        SessionStart: [{ tool: 'memory.load_relevant_facts', priority: 10 }],
        SessionEnd: [{ tool: 'memory.persist_session_summary', priority: 20 }],
      }),
    );
    expect(await json(world, 'validate fragment.json --json')).toMatchObject({
      valid: true,
      hooks: 2,
    });
    expect(await diff(world, 'fragment.json')).toMatchObject({
      label: 'memory',
      hooks: [
        { event: 'session_start', context_tool: 'load_relevant_facts', order: 10 },
        { event: 'session_end', context_tool: 'persist_session_summary', order: 20 },
      ],
    });

    await world.write('wrong.json', '{ "SessionStart": [{ "tool": "recall" }] }');
    expect((await world.run('validate wrong.json')).out).toBe(
      'wrong.json:1:22: error: "recall" names no server: write <server>.<tool>, for example "memory.recall" [tool-without-server]\n',
    );
    // With a misspelled event, it counts as a manifest without hooks.
    await world.write('misspelled.json', '{ "SessionStrat": [{ "tool": "memory.recall" }] }');
    expect((await world.run('validate misspelled.json')).out).toContain('[no-declarations]');
  });

  test('a server with a dot in its name, and tools next to commands', async ({ world }) => {
    const hooks = { OnError: [{ tool: 'a.b.c.d' }, { command: 'echo "x y"' }] };
    await world.write(
      'mcp.json',
      JSON.stringify({ hooks, mcpServers: { a: memory, 'a.b': memory } }),
    );
    const found = await diff(world, 'mcp.json');
    expect(found.label).toBe('a.b');
    expect(found.hooks).toMatchObject([{ context_tool: 'c.d' }, { command: ['echo', 'x y'] }]);
  });

  test('a server that no client has is named', async ({ world }) => {
    await world.write('mcp.json', JSON.stringify({ hooks: recall }));
    const { code, err } = await world.run('install mcp.json --client claude --yes');
    expect([code, err]).toEqual([
      2,
      'No client has a server "memory", whose tools these hooks call. Nothing was written.\nSay in mcp.json how it is started: "mcpServers": { "memory": { "command", "args" } }\n',
    ]);
    // The library does not ask the clients.
    const { hooks, problems } = await readManifestFile(world.path('mcp.json'), 'mcp.json');
    expect(hooks).toEqual([]);
    expect(sentences(problems.map(({ message }) => message))).toEqual([
      'left out: its tool "load_session_memory" cannot be called: the file does not say how "memory" is started',
    ]);
  });

  test('two clients have different servers of that name', async ({ world }) => {
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { memory } }));
    await world.write(
      '~/.gemini/settings.json',
      JSON.stringify({ mcpServers: { memory: { command: 'other' } } }),
    );
    await world.write('mcp.json', JSON.stringify({ hooks: recall }));
    const { err } = await world.run('install mcp.json --client claude --yes');
    expect(err).toMatch(
      /^Several clients have different servers called "memory", whose tools these hooks call/,
    );
  });
});

describe.concurrent('a list of commands', () => {
  test("subcog's own", async () => {
    const path = join(FIXTURES, 'subcog', 'hooks.json');
    const { problems, hooks, commandFiles } = await readManifestFile(path, path, 'subcog');
    expect(problems).toEqual([]);
    expect(commandFiles).toEqual({});
    expect(hooks.map(({ event, command, deadline }) => [event, command?.at(-1), deadline])).toEqual(
      [
        ['session_start', 'session-start', 2000],
        ['pre_request', 'user-prompt', 50],
        ['post_tool_use', 'post-tool', 100],
        ['pre_compact', 'pre-compact', 500],
        ['session_end', 'stop', 5000],
      ],
    );
  });

  test('all mistakes of one are reported, each at its place', async ({ world }) => {
    await world.write(
      'hooks.json',
      `[
  { "event": "Stopp", "command": ["x"] },
  { "event": "Stop", "command": "x" },
  { "event": "Stop", "command": [""], "timeout": 0, "matcher": "x" }
]`,
    );
    const { out } = await world.run('validate hooks.json');
    expect(out.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^hooks.json:2:5: error: "event" is "Stopp"; allowed: .*; did you mean "Stop"\? \[value-unknown\]$/,
      ),
      'hooks.json:3:22: error: "command" must be an array, not a string [wrong-type]',
      'hooks.json:4:34: error: "command[0]" must not be empty [value-empty]',
      'hooks.json:4:39: error: "timeout" must not be below 1 [below-minimum]',
      'hooks.json:4:53: error: unknown key "matcher"; allowed: event, command, timeout [unknown-key]',
      'hooks.json: 5 errors.',
    ]);
  });

  test.for(['[]', '[{ "event": "Stop" }]', '[1]'])(
    'is known by its contents: not %s',
    async (text, { world }) => {
      await world.write('hooks.json', text);
      expect((await world.run('validate hooks.json')).out).toContain(
        'a manifest must be an object',
      );
    },
  );
});

describe('a command is split into words as a shell does', () => {
  const printed = async (command: string) => {
    const script = `for word in ${command}; do printf '%s\\0' "$word"; done`;
    const { stdout } = await execa('sh', ['-c', script], { stripFinalNewline: false });
    return stdout.split('\0').slice(0, -1);
  };

  test('every quoted word is split back into itself', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (words) => {
        expect(splitWords(words.map(quoted).join(' '))).toEqual({ words });
      }),
    );
  });

  test.for([
    'python hooks/pre_tool.py',
    '  a\t b  ',
    `a 'b c' "d e" f\\ g`,
    `a'b'"c"d`,
    `"" ''`,
    `"a\\"b\\\\c\\d"`,
    `a#b c~d e=f --x=y`,
    `'$HOME' "it's" \\$x`,
  ])('%s', async (command) => {
    expect(splitWords(command)).toEqual({ words: await printed(command) });
  });

  test.for([
    ...[
      'a|b',
      'a&',
      'a;b',
      '<a',
      'a>b',
      '(a)',
      '$a',
      '"$a"',
      '`a`',
      '"`a`"',
      '*',
      'a?',
      '[a]',
      '{a,b}',
      '!a',
    ],
    ...['#a', 'b #a', '~', 'b ~/a', 'A=1 b', 'a\nb', 'a\rb', "'a", '"a', 'a\\', 'a\\\nb', '"a\\"'],
  ])('needs a shell: %j', (command) => {
    expect(splitWords(command)).toHaveProperty('needs');
  });
});
