// What a server's author sees while trying out hooks: a hook that was not tried must not look fine.

import { join } from 'node:path';
import { expect } from 'vitest';
import { showProblems } from '../../src/present/render/problems.ts';
import type { Message } from '../../src/system/errors.ts';
import { runAt } from '../support/columns.ts';
import { NO_TERMINAL, test, type World } from '../support/world.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEXT = { context: 'Notes are kept.', priority: 'important' } as const;
const TEXTS = [
  { event: 'session_start', ...TEXT },
  { event: 'pre_request', context: 'Look at your notes.', priority: 'suggestion' },
] as const;
const TOOL = { event: 'pre_request', context_tool: 'recall', priority: 'important' } as const;
const CODEX = ['--client', 'codex'];
const shells = (world: World) => ({ env: { PATH: `${world.bin}:${process.env.PATH}` } });

const withServer = (server: object, ...declarations: readonly object[]): string =>
  JSON.stringify({ name: 'notes', server, hooks: { declarations } });
const NOTES = { command: '/bin/sh', args: [join(ROOT, 'test/support/servers/notes.sh')] };
const manifest = (...declarations: readonly object[]): string => withServer(NOTES, ...declarations);

/** A client that prints its version and does nothing else. */
const CLAUDE = `#!${process.execPath}
if (process.argv.includes('--version')) console.log('9.9.9 (Claude Code)');
`;

test('verify names the hooks that it has not tried, and fails', async ({ world }) => {
  await world.write('m.json', manifest(...TEXTS, TOOL));
  const plain = await world.run(['verify', './m.json', ...CODEX], shells(world));
  expect(plain.code).toBe(1);
  expect(plain.out).toMatch(/^ +3 {2}pre_request {2}not tried {2}needs --allow context-tool$/m);
  expect(plain.out).toMatch(/\n2 of 3 hooks tried\.\n$/);
  const json = await world.run(['verify', './m.json', '--json', ...CODEX], shells(world));
  expect([json.code, JSON.parse(json.out)]).toMatchObject([
    1,
    {
      fires: false,
      untried: [
        {
          hook: 3,
          event: 'pre_request',
          why: 'needs --allow context-tool',
          code: 'not-tried-grant',
          grants: ['context-tool'],
        },
      ],
    },
  ]);
  const allowed = await world.run(
    ['verify', './m.json', '--allow', 'context-tool', ...CODEX],
    shells(world),
  );
  expect(allowed.code).toBe(0);
  expect(allowed.out).toMatch(/\nEverything fires: 3 hooks in 1 client\.\n$/);
});

const MISSING = 'This server is not configured in Claude Code, so the hooks call it "notes"';

test('verify --live does the same, and shows how to add the server to a client', async ({
  world,
}) => {
  const [start, request] = TEXTS;
  const named = { ...start, context: 'mcp__{server}__recall knows more.' };
  await world.write('m.json', manifest(named, request, TOOL));
  await world.write(`${world.bin}/claude`, CLAUDE, 0o755);
  const line = ['verify', './m.json', '--live', '--client', 'claude-code'];
  const { code, out } = await world.run(line, shells(world));
  expect(code).toBe(1);
  expect(out).toMatch(/^ +3 {2}pre_request {2,}not tried {2}needs --allow context-tool$/m);
  expect(out).toMatch(/\n2 of 3 hooks tried\.\n$/);
  expect(out.replace(/\s+/g, ' ')).toContain(`warning: notes: ${MISSING} mcp-hooks install `);
  const json = await world.run([...line, '--json'], shells(world));
  expect(JSON.parse(json.out).warnings).toEqual([
    {
      label: 'notes',
      client: 'claude-code',
      message: `${MISSING}; install --with-server adds it there`,
      code: 'own-server-missing',
      todo: expect.stringMatching(
        /^To add the server to Claude Code: mcp-hooks install .*m\.json --name notes --with-server$/,
      ),
    },
  ]);
  expect(JSON.parse(json.out).live[0].hooks[2]).toEqual({
    hook: 3,
    event: 'pre_request',
    natives: [],
    state: 'not-tried',
    why: 'needs --allow context-tool',
    code: 'not-tried-grant',
  });
});

test('verify --live fails if a client that --client names is missing', async ({ world }) => {
  // No script can make a call that this matcher fits, so the hook cannot fail in Claude Code.
  const matcher = { tool_name: 'NoSuchTool' };
  await world.write('m.json', manifest({ event: 'post_tool_use', matcher, ...TEXT }));
  await world.write(`${world.bin}/claude`, CLAUDE, 0o755);
  const clients = async (ids: string) =>
    world.run(['verify', './m.json', '--live', '--client', ids], {
      env: { PATH: `${world.bin}:/usr/bin:/bin` },
    });
  // Even so, the author learns that the hook was not tried.
  expect((await clients('claude-code')).code).toBe(1);
  const { code, out } = await clients('claude-code,codex');
  expect(code).toBe(2);
  expect(out).toContain('Codex CLI is not on this machine');
});

const COMMAND = [
  '--name',
  'notes',
  '--',
  process.execPath,
  join(ROOT, 'fixtures/servers/plain.mjs'),
];

test('a server that declares in code is tried by its command', async ({ world }) => {
  const before = await world.snapshot();
  const run = (...words: string[]) => world.run([...words, ...COMMAND], shells(world));
  const verified = await run('verify', '--allow', 'context-tool', ...CODEX);
  expect([verified.code, verified.out]).toEqual([
    0,
    expect.stringMatching(/^notes\n[\s\S]*Everything fires: 2 hooks in 1 client\.\n$/),
  ]);
  expect((await run('verify', ...CODEX)).out).toContain('1 of 2 hooks tried.');

  const fired = await run('fire', 'session_start', '--allow', 'context-tool', ...CODEX, '--json');
  expect(fired.code).toBe(0);
  const { label, clients } = JSON.parse(fired.out);
  expect([label, clients[0].firings[0].text]).toEqual([
    'notes',
    expect.stringContaining('The build needs Node 20.'),
  ]);
  expect(await world.snapshot()).toEqual(before);

  const both = await run('verify', 'annal');
  expect([both.code, both.err]).toEqual([
    2,
    'Give either a server, or a command after --, but not both.\n',
  ]);
  const nameless = await world.run(['verify', ...COMMAND.slice(2)], shells(world));
  expect([nameless.code, nameless.err]).toEqual([
    2,
    'A server that is started by a command needs a label: add --name <label>.\n',
  ]);
});

test('validate, given a file that is not a manifest, shows how to check such a server', async ({
  world,
}) => {
  await world.write('server.mjs', 'export {};\n');
  const hint = (command: string) =>
    `validate reads manifests; to check a server that declares hooks in code, run mcp-hooks verify --name notes -- ${command}`;
  for (const path of ['server.mjs', 'notes', '.'])
    expect(await world.run(['validate', path, '--name', 'notes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(hint('...')),
    });
  const launched = ['validate', '--name', 'notes', '--', 'node', 'server.mjs'];
  expect(await world.run(launched)).toMatchObject({ code: 2, err: `${hint('node server.mjs')}\n` });
  await world.write('half.json', '{');
  const half = await world.run('validate half.json');
  expect([half.code, half.out]).toEqual([2, expect.stringMatching(/^half\.json:1:\d+: error: /)]);
  expect(half.err).toBe('');
});

test('validate of a manifest without hooks has a warning', async ({ world }) => {
  await world.write('m.json', manifest());
  const { code, out } = await world.run('validate m.json');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^m\.json:1:1: warning: it declares no hooks \[declares-none\]$/m),
  ]);
  expect((await world.run('validate m.json --strict')).code).toBe(2);
  const { problems } = JSON.parse((await world.run('validate m.json --json')).out);
  expect(problems).toMatchObject([{ level: 'warning', code: 'declares-none' }]);
});

test('commands that never write do not report that nothing was written', async ({ world }) => {
  await world.write('m.json', manifest(...TEXTS));
  const said = async (...words: string[]) => (await world.run(words, shells(world))).err;
  expect(await said('validate', 'nope.json')).toBe(
    'nope.json cannot be read: there is no such file.\n',
  );
  expect(await said('fire', './m.json', 'pre_request', '--payload', '.')).toMatch(
    / Nothing was fired\.\n$/,
  );
  const { out } = await world.run('validate nope.json --json');
  expect(JSON.parse(out).error).toBe('nope.json cannot be read: there is no such file.');
});

test('validate shows what is too long, what is cut, and what else is wrong', async ({ world }) => {
  const long = { ...TEXTS[0], matcher: { tool_name: 'x'.repeat(1001) }, event: 'post_tool_use' };
  await world.write('m.json', manifest(long, { event: 'sesion_start' }));
  const { out } = await world.run('validate m.json');
  expect(out).toMatch(/"matcher.tool_name" has 1,?001 characters/);
  expect(out).toContain('"event" is "sesion_start"');
  await world.write('cut.json', manifest({ ...TEXTS[1], context: 'y'.repeat(20_000) }));
  const cut = await world.run('validate cut.json');
  expect([cut.code, cut.out]).toEqual([
    0,
    expect.stringContaining(
      'warning: "context" has 20000 characters; by default the model reads the first 8000. [text-too-long]\n',
    ),
  ]);
  // Its own limit, which cuts it earlier, is meant.
  const limited = { event: 'session_start', context: 'y'.repeat(20_000), limit: { tokens: 500 } };
  await world.write('own.json', JSON.stringify({ version: 2, hooks: { declarations: [limited] } }));
  expect((await world.run('validate own.json')).out).not.toContain('text-too-long');
  const { out: diff } = await world.run('diff cut.json --client codex');
  expect(diff.replace(/\s+/g, ' ')).toContain('characters: clients cut longer texts themselves.');
});

test('verify names in one line a server that no client has', async ({ world }) => {
  const about = (event: string) => ({ ...TEXT, event, context: 'mcp__notes__recall knows more.' });
  await world.write('m.json', manifest(about('session_start'), about('pre_request')));
  const tried = await world.run('verify ./m.json', shells(world));
  expect([tried.code, tried.out]).toEqual([0, expect.not.stringContaining('warning')]);
  await world.run('install ./m.json --yes --client claude,gemini');
  const { out } = await world.run('verify notes', shells(world));
  expect(out.match(/^warning: .*$/gm)).toEqual([
    'warning: notes, hooks 1 and 2: no MCP server for mcp__notes__recall in Claude Code and Gemini CLI.',
  ]);
  const { warnings } = JSON.parse((await world.run('verify notes --json', shells(world))).out);
  expect(warnings).toHaveLength(4);
  expect(Object.keys(warnings[0])).toEqual(['label', 'client', 'message', 'code', 'todo']);
});

test('verify and doctor name the same command that adds the missing server', async ({ world }) => {
  const server = { command: process.execPath, args: [join(ROOT, 'fixtures/servers/plain.mjs')] };
  const texts = ['{server} knows more.', 'Ask mcp__notes__recall first.'].map((context) => ({
    ...TEXT,
    event: 'session_start',
    context,
  }));
  await world.write('m.json', withServer(server, ...texts));
  const adviceIn = (out: string) => [
    ...new Set(out.match(/^ {4,}(?:mcp-hooks|Add) .*$/gm)?.map((one) => one.trim())),
  ];
  await world.run('install ./m.json --yes --client claude,gemini --name notes');
  const advice = ['mcp-hooks update notes --with-server'];
  const verified = await world.run('verify notes', shells(world));
  expect(adviceIn(verified.out)).toEqual(advice);
  expect(adviceIn((await world.run('doctor notes', shells(world))).out)).toEqual(
    expect.arrayContaining(advice),
  );
  await world.run(`${advice[0]?.slice('mcp-hooks '.length)} --yes`);
  const after = await world.run('verify notes', shells(world));
  expect(after.out).not.toMatch(/warning|--with-server/);
});

test('verify names a tool that the server lacks, and the likely intended one', async ({
  world,
}) => {
  const server = { command: process.execPath, args: [join(ROOT, 'fixtures/servers/plain.mjs')] };
  await world.write('m.json', withServer(server, { ...TOOL, context_tool: 'recal' }));
  const line = ['fire', './m.json', 'pre_request', '--allow', 'context-tool', ...CODEX];
  const { out } = await world.run(line, shells(world));
  expect(out.replace(/\s+/g, ' ')).toContain(
    'recal of notes: the server has no tool "recal"; did you mean "recall"?',
  );
});

test('fire, verify and doctor quote the message of the server about a failed call', async ({
  world,
}) => {
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: {} };
  const plan = { body: { result }, tools: [[{ name: 'recall' }]] };
  await world.write('plan.json', JSON.stringify(plan));
  const args = [join(ROOT, 'test/support/servers/scripted.mjs'), world.path('plan.json')];
  const server = { command: process.execPath, args };
  await world.write('m.json', withServer(server, TOOL));
  await world.run('install m.json --yes --allow context-tool --client codex', shells(world));
  const said = 'the server refused the call (the server said: "Method not found")';
  for (const line of ['fire notes pre_request', 'verify notes', 'doctor notes']) {
    const { out } = await world.run(line, shells(world));
    expect(out.replace(/\s+/g, ' '), line).toContain(said);
  }
  const { out } = await world.run('fire notes pre_request --json', shells(world));
  expect(JSON.parse(out).clients[0].firings[0].hooks[0].reason).toMatchObject({
    why: [{ code: 'call-refused', said: 'Method not found' }],
    what: `recall of notes: ${said}`,
  });
});

test('fire, verify, doctor and log quote a server that ended', async ({ world }) => {
  const server = { command: '/bin/sh', args: ['-c', 'echo no database >&2; exit 3'] };
  await world.write('m.json', withServer(server, TOOL));
  await world.run('install m.json --yes --allow context-tool --client codex', shells(world));
  for (const line of [
    'fire notes pre_request',
    'verify notes',
    'doctor notes',
    'log notes --trials',
  ]) {
    const { out } = await world.run(line, shells(world));
    expect(out.replace(/\s+/g, ' '), line).toContain(
      'it ended (the server said last: "no database")',
    );
  }
});

test('doctor reports what still works once a manifest is gone', async ({ world }) => {
  await world.folder('~/.claude');
  const server = {
    command: process.execPath,
    args: [join(ROOT, 'fixtures/servers/plain.mjs')],
    env: { NOTES_DIR: '/srv/notes' },
  };
  await world.write('m.json', withServer(server, ...TEXTS, TOOL));
  await world.run('install m.json --yes --allow context-tool --client claude-code');
  await world.remove('m.json');
  const { findings } = JSON.parse((await world.run('doctor --json', shells(world))).out);
  const found = findings.find((one: { check: string }) => one.check === 'source');
  expect(found.what).toMatch(/: its texts keep working; hook 3 cannot call its tool any more$/);
  expect(found.todo).toMatch(/^Restore it\. If you moved it: /);
});

test('validate and install print a problem alike: with its code, within 80 columns', async ({
  world,
}) => {
  await world.folder('~/.claude');
  const ignored = { ...TEXTS[0], matcher: { tool_name: 'Bash' } };
  const mistake = { ...TEXTS[0], event: 'session_strat' };
  const hooks = { declarations: [ignored, mistake, {}] };
  await world.write('bad.json', JSON.stringify({ hooks }));
  const validated = await runAt(80, world, ['validate', 'bad.json']);
  const installed = await runAt(80, world, ['install', 'bad.json', '--yes']);
  const problems = validated.lines.slice(0, -1);
  expect(problems.join(' ')).toContain('[value-unknown]');
  expect(installed.lines.slice(-problems.length)).toEqual(problems);
  expect(validated.lines.at(-1)).toMatch(/^bad\.json: \d errors, 1 warning\.$/);
  for (const line of [...validated.lines, ...installed.lines])
    expect(line.length).toBeLessThanOrEqual(80);
  // A single problem needs no count.
  await world.write('one.json', JSON.stringify({ hooks: { declarations: [mistake] } }));
  const { out } = await world.run('validate one.json');
  expect(out).toMatch(/^one\.json:1:\d+: error: .* \[value-unknown\]\n$/);
});

test('the level of a problem has its colour', () => {
  const problem = { code: 'mistake' };
  const at = { code: 'problem-in-file', path: 'a.json', line: 1, column: 2, problem };
  const shown = (level: string) =>
    showProblems(
      { ...NO_TERMINAL, colour: true },
      80,
      [{ ...at, level } as Message],
      () => `a.json:1:2: ${level}: no`,
    );
  expect(shown('error')).toEqual(['a.json:1:2: \u001B[31merror\u001B[39m: no [mistake]']);
  expect(shown('warning')).toEqual(['a.json:1:2: \u001B[33mwarning\u001B[39m: no [mistake]']);
  expect(shown('note')).toEqual(['a.json:1:2: \u001B[36mnote\u001B[39m: no [mistake]']);
});
