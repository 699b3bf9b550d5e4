// `mcp-hooks verify --live` as a user runs it: the pinned clients are on the PATH, the hooks are installed, and their faults
// are found.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../src/system/child.ts';
import { fingerprint } from '../../src/system/fingerprint.ts';
import { getPath, type Json, list, parse, str } from '../../src/system/json.ts';
import { expected } from '../clients/expectations.ts';
import { type ClientId, clientOf, IDS } from '../support/runner/clients.ts';
import { CACHES, CLIENTS, startLine } from './clients.ts';
import { addHooks } from './entries.ts';
import { CLI, tree } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ids = ['claude-code', 'codex', 'gemini-cli'] as const;
type Id = ClientId;

let place: Scratch;
let bin: string;
beforeEach(() => {
  place = scratch();
  bin = join(place.files, 'bin');
  mkdirSync(bin);
  for (const id of ids) put(id, startLine(id));
});
afterEach(() => place.remove());

/** Puts a shell script on the PATH under the client's name. */
const put = (id: Id, script: string) =>
  writeFileSync(join(bin, clientOf(id).executable), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

async function mcpHooks(line: string, node: readonly [string, ...string[]] = [process.execPath]) {
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: place.home,
    // A scratch home that was left behind would be seen here.
    TMPDIR: join(place.files, 'tmp'),
    ...CACHES,
  };
  mkdirSync(env.TMPDIR, { recursive: true });
  return run([...node, CLI], line.split(' '), { cwd: place.project, env });
}

const DECLARATIONS = [
  { event: 'session_start', context: 'AT-START' },
  { event: 'session_start', context_tool: 'recall' },
  { event: 'pre_request', context: 'WITH <PROMPT> in {project_name}' },
  {
    event: 'pre_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'BEFORE-TOOL',
  },
  // A text that must not be run as code.
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: "it's\nexit 1; $(exit 2)" },
    context: 'AFTER-TOOL',
  },
  { event: 'post_tool_use', matcher: { tool_name: '{Edit,Write}' }, context: 'AFTER-EDIT' },
  { event: 'post_tool_use', matcher: { tool_server: 'my-srv' }, context: 'OF-SERVER' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'mcp__notes__add*', input_contains: '"x"' },
    context: 'OF-GLOB',
  },
  { event: 'post_tool_use', matcher: { tool_name: 'WebFetch' }, context: 'OF-WEB' },
  { event: 'post_request', context: 'AFTER-TURN' },
  { event: 'session_end', context: 'AT-END' },
  { event: 'session_end', context_tool: 'recall' },
];

async function install(
  declarations: readonly object[] = DECLARATIONS,
  into: readonly Id[] = ids,
): Promise<void> {
  const file = join(place.files, 'annal.json');
  const server = {
    command: process.execPath,
    args: [local('../../fixtures/servers/plain.mjs')],
  };
  const all = declarations.map((one) => ({ ...one, priority: 'important' }));
  writeFileSync(file, JSON.stringify({ name: 'annal', server, hooks: { declarations: all } }));
  const { exitCode, stderr } = await mcpHooks(
    `install ${file} --client ${into.join(',')} --yes --trust --allow context-tool`,
  );
  expect(exitCode, stderr).toBe(0);
}

/** The result for each hook of each client, in a few words, and other problems. */
async function verify(line = '') {
  const { stdout, exitCode } = await mcpHooks(`verify --live --json ${line}`.trim());
  const all = list(getPath(parse(stdout), 'live'));
  const fates = (one: Json) =>
    list(getPath(one, 'hooks')).map((hook) => {
      const place = getPath(hook, 'place');
      const where = place === undefined ? str(getPath(hook, 'why')) : str(place);
      return `${getPath(hook, 'hook')} ${str(getPath(hook, 'state'))} ${where}`;
    });
  return {
    exitCode,
    fates: Object.fromEntries(all.map((one) => [str(getPath(one, 'client')), fates(one)])),
    problems: Object.fromEntries(
      all.map((one) => [str(getPath(one, 'client')), list(getPath(one, 'problems'))]),
    ),
    stdout,
  };
}

const ALONE = IDS.filter((id) => expected[id].real.live);
test.each(ALONE)('everything arrives in %s, and no hook of the user is run', async (id) => {
  put(id, startLine(id));
  const theirs = join(place.files, 'theirs');
  addHooks(id, place.home, ['SessionStart'], `touch ${theirs}`);
  await install(DECLARATIONS, [id]);
  const before = tree(place.home);
  const { exitCode, fates, problems } = await verify(`--client ${id}`);
  const { live } = expected[id].real;
  expect({ exitCode, fates, problems }).toEqual({
    exitCode: 0,
    fates: { [id]: live },
    problems: { [id]: [] },
  });
  expect(tree(place.home)).toEqual(before);
  expect(existsSync(theirs)).toBe(false);
});

/** A client builds its own names from those of a server and a tool. The scripted model calls the names that it offers. */
test.each(IDS)(
  'a server with a dot or other letters in its name is called by the name that %s gives it',
  async (id) => {
    put(id, startLine(id));
    const started = {
      command: process.execPath,
      args: [local('../../fixtures/servers/plain.mjs')],
    };
    CLIENTS[id].addServers(place, { 'my.server': started, naïve: started });
    const names = ['mcp__my.server__do-it', 'mcp__naïve__do-it'];
    await install(
      names.map((tool_name) => ({ event: 'post_tool_use', matcher: { tool_name }, context: 'OF' })),
      [id],
    );
    const { fates } = await verify(`--client ${id} --timeout 50`);
    // As recorded: a tool that is not offered, or has another name, is not reported as arrived.
    const offered = expected[id].mcpNames.find(([{ server }]) => server === 'naïve')?.[1] ?? '';
    const states = fates[id]?.map((fate) => fate.split(' ').slice(0, 2).join(' '));
    expect(states).toEqual(['1 arrived', `2 ${/na_ve_/.test(offered) ? 'arrived' : 'missing'}`]);
  },
);

test('everything that is declared arrives, and no file of the user is touched', async () => {
  await install();
  const before = tree(place.home);
  const { exitCode, stdout, stderr } = await mcpHooks('verify annal --live');
  expect({ exitCode, stdout: stdout.replace(/\d+\.\d s/g, '1.0 s') }).toMatchInlineSnapshot(`
    {
      "exitCode": 0,
      "stdout": "annal in Claude Code 2.1.332  1.0 s, 9 requests
      hook  event          by
         1  session_start  SessionStart      arrived    in request 1, with the first prompt
         2  session_start  SessionStart      arrived    in request 1, with the first prompt
         3  pre_request    UserPromptSubmit  arrived    in request 1, with the first prompt
         4  pre_tool_use   PreToolUse        arrived    in request 2, with the result of the call (Bash)
         5  post_tool_use  PostToolUse       arrived    in request 3, with the result of the call (Bash)
         6  post_tool_use  PostToolUse       arrived    in request 4, with the result of the call (Write)
         7  post_tool_use  PostToolUse       arrived    in request 6, with the result of the call (mcp__my-srv__note)
         8  post_tool_use  PostToolUse       arrived    in request 7, with the result of the call (mcp__notes__addx)
         9  post_tool_use  PostToolUse       not tried  no script can trigger this in Claude Code
        10  post_request   UserPromptSubmit  arrived    in request 9, with the next prompt
        11  session_end    Stop              arrived    in request 8, alone, as one more turn
        12  session_end    SessionEnd        called     the tool was called when the session ended; its reply is not shown

    annal in Codex CLI 0.171.0  1.0 s, 9 requests
      hook  event          by
         1  session_start  SessionStart      arrived    in request 1, with the first prompt
         2  session_start  SessionStart      arrived    in request 1, with the first prompt
         3  pre_request    UserPromptSubmit  arrived    in request 1, with the first prompt
         4  pre_tool_use   PreToolUse        arrived    in request 2, with the result of the call (Bash)
         5  post_tool_use  PostToolUse       arrived    in request 3, with the result of the call (Bash)
         6  post_tool_use  PostToolUse       arrived    in request 4, with the result of the call (apply_patch)
         7  post_tool_use  PostToolUse       arrived    in request 6, with the result of the call (mcp__my_srv.note)
         8  post_tool_use  PostToolUse       arrived    in request 7, with the result of the call (mcp__notes.addx)
         9  post_tool_use  PostToolUse       not tried  no script can trigger this in Codex CLI
        10  post_request   UserPromptSubmit  arrived    in request 9, with the next prompt
        11  session_end    Stop              arrived    in request 8, alone, as one more turn
        12  session_end    SessionEnd        called     the tool was called when the session ended; its reply is not shown

    annal in Gemini CLI 0.61.0  1.0 s, 8 requests
      hook  event          by
         1  session_start  BeforeAgent  arrived    in request 1, with the first prompt
         2  session_start  BeforeAgent  arrived    in request 1, with the first prompt
         3  pre_request    BeforeAgent  arrived    in request 1, with the first prompt
         4  pre_tool_use   AfterTool    arrived    in request 2, with the result of the call (run_shell_command)
         5  post_tool_use  AfterTool    arrived    in request 3, with the result of the call (run_shell_command)
         6  post_tool_use  AfterTool    arrived    in request 4, with the result of the call (write_file)
         7  post_tool_use  AfterTool    arrived    in request 5, with the result of the call (mcp_my-srv_note)
         8  post_tool_use  AfterTool    arrived    in request 6, with the result of the call (mcp_notes_addx)
         9  post_tool_use  AfterTool    not tried  no script can trigger this in Gemini CLI
        10  post_request   BeforeAgent  arrived    in request 8, with the next prompt
        11  session_end    AfterAgent   arrived    in request 7, alone, as one more turn
        12  session_end    SessionEnd   called     the tool was called when the session ended; its reply is not shown

    warning: annal, hook 7: no MCP server for my-srv in Claude Code, Codex CLI and Gemini CLI.
    warning: annal, hook 8: no MCP server for mcp__notes__add in Claude Code, Codex CLI and Gemini CLI.
        Add that server there, or change the name in the declaration.

    Codex CLI trusted the hooks in the scratch home only. Its trust in your home has not changed.
    11 of 12 hooks tried.
    ",
    }
  `);
  expect(stderr).toContain('Running Gemini CLI with the hooks of annal ...');
  expect(tree(place.home)).toEqual(before);
  expect(readdirSync(join(place.files, 'tmp'))).toEqual([]);
});

test('edits and faults are found in the client that has them', async () => {
  const unanswered = { event: 'post_request', context_tool: 'there_is_none' };
  await install([...DECLARATIONS.slice(2, 4), unanswered]);
  const runner = (name: string) => join(place.home, '.mcp-hooks/servers/annal', name);
  // A text was edited, the runner's program for an event is gone, and a matcher was edited.
  const program = runner('claude-code.UserPromptSubmit.json');
  writeFileSync(program, readFileSync(program, 'utf8').replace('WITH', 'OTHER WORDS'));
  rmSync(runner('codex.UserPromptSubmit.json'));
  const settings = join(place.home, '.gemini/settings.json');
  writeFileSync(
    settings,
    readFileSync(settings, 'utf8').replace('^(?:run_shell_command)$', '^(?:shell)$'),
  );
  const { exitCode, fates, problems } = await verify();
  expect({ exitCode, fates, problems }).toMatchInlineSnapshot(`
    {
      "exitCode": 1,
      "fates": {
        "claude-code": [
          "2 arrived with the result of the call",
          "3 missing the runner reports: the server refused the call (the server said: "Cannot read properties of undefined (reading 'run')")",
        ],
        "codex": [
          "2 arrived with the result of the call",
          "3 missing the runner reports: the server refused the call (the server said: "Cannot read properties of undefined (reading 'run')")",
        ],
        "gemini-cli": [
          "1 arrived with the first prompt",
          "2 missing the hook did not run, or added no text: mcp-hooks fire annal pre_tool_use --client gemini-cli",
          "3 missing the runner reports: the server refused the call (the server said: "Cannot read properties of undefined (reading 'run')")",
        ],
      },
      "problems": {
        "claude-code": [
          "annal is not as it was installed: its runner was modified (claude-code.UserPromptSubmit.json). Install it again to fix that.",
          "The runner's program for UserPromptSubmit is missing or cannot be read.",
        ],
        "codex": [
          "annal is not as it was installed: its runner is missing. Install it again to fix that.",
          "The runner's program for UserPromptSubmit is missing or cannot be read.",
        ],
        "gemini-cli": [
          "annal is not as it was installed: its entry for AfterTool was edited. Install it again to fix that.",
        ],
      },
    }
  `);
});

test('a broken or changed runner, a missing entry and a policy are found', async () => {
  await install(DECLARATIONS.slice(2, 4));
  writeFileSync(join(place.home, '.mcp-hooks/servers/annal/runner.cjs'), 'throw 1;');
  const broken = await verify('--client claude-code');
  expect(broken).toMatchObject({
    exitCode: 1,
    problems: { 'claude-code': [expect.stringContaining('its runner was modified (runner.cjs)')] },
  });
  await install(DECLARATIONS.slice(2, 4));
  const program = join(place.home, '.mcp-hooks/servers/annal/codex.UserPromptSubmit.json');
  const read = readFileSync(program, 'utf8');
  const mute = read.replace('additionalContext', 'something');
  writeFileSync(program, mute);
  const ledger = join(place.home, '.mcp-hooks/ledger.json');
  const [before = '', after = ''] = [read, mute].map(fingerprint);
  writeFileSync(ledger, readFileSync(ledger, 'utf8').replace(before, after)); // as if installed like this
  const dropped = await verify('--client codex');
  expect(dropped.fates.codex).toEqual([
    '1 missing the hook ran, but Codex CLI dropped its text',
    '2 arrived with the result of the call',
  ]);
  await install(DECLARATIONS.slice(2, 4));
  writeFileSync(join(place.home, '.claude/settings.json'), '{}');
  const absent = await verify('--client claude-code');
  expect(absent.fates['claude-code']).toEqual([
    '1 missing there is no entry for UserPromptSubmit in ~/.claude/settings.json',
    '2 missing there is no entry for PreToolUse in ~/.claude/settings.json',
  ]);
  await install(DECLARATIONS.slice(2, 4));
  writeFileSync(join(place.home, '.mcp-hooks/policy.json'), '{ "muted": true }');
  const muted = await verify('--client codex');
  expect(muted.fates.codex).toEqual([
    '1 off your policy.json switches it off',
    '2 off your policy.json switches it off',
  ]);
  expect([broken, dropped, absent, muted].map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 0]);
});

test('a client that is missing or too old, ends early or hangs is reported', async () => {
  await install(DECLARATIONS.slice(2, 3));
  put('claude-code', 'echo "1.0.20 (Claude Code)"');
  put('codex', '[ "$1" = --version ] && echo codex-cli 0.171.0 && exit; echo no luck >&2; exit 3');
  put('gemini-cli', '[ "$1" = --version ] && echo 0.61.0 && exit; echo still here; exec sleep 60');
  const trouble = await mcpHooks('verify --live --timeout 2');
  expect(trouble.exitCode).toBe(1);
  expect(trouble.stdout.replace(/\d+\.\d s/g, '1.0 s')).toMatchInlineSnapshot(`
    "annal in Claude Code 1.0.20
      Claude Code 1.0.20 is too old for these hooks (2.1.285 or newer is needed), so nothing was tried.
      Update it: npm install -g @anthropic-ai/claude-code@latest

    annal in Codex CLI 0.171.0  1.0 s, 0 requests
      hook  event        by
         1  pre_request  UserPromptSubmit  missing  the session did not finish
      Codex CLI could not be run: codex app-server ended early. no luck

    annal in Gemini CLI 0.61.0  1.0 s, 0 requests
      hook  event        by
         1  pre_request  BeforeAgent  missing  the session did not finish
      Gemini CLI did not finish within 2 seconds and was stopped.
      The end of its output:
        | still here

    1 hook does not fire.
    "
  `);

  rmSync(join(bin, 'claude'));
  const env = { PATH: bin, HOME: place.home };
  const args = ['verify', '--live', '--client', 'claude'];
  const gone = await run([process.execPath, CLI], args, { cwd: place.project, env });
  expect(gone.exitCode).toBe(2);
  expect(gone.stdout.replace(/\s+/g, ' ')).toContain(
    'Install it: npm install -g @anthropic-ai/claude-code',
  );
});

test('a machine on which nothing can listen is reported', async () => {
  await install(DECLARATIONS.slice(2, 3));
  const patch = join(place.files, 'deaf.cjs');
  writeFileSync(
    patch,
    `const refused = Object.assign(new Error('refused'), { code: 'EPERM', syscall: 'listen' });
     require('node:net').Server.prototype.listen = function () { this.emit('error', refused); };`,
  );
  const { exitCode, stdout } = await mcpHooks('verify --live --client codex', [
    process.execPath,
    '--require',
    patch,
  ]);
  expect(exitCode).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'Nothing can listen on 127.0.0.1 here, so there is no model to stand in for the real one: not permitted.',
  );
});

test('a label that is not installed is reported', async () => {
  const nothing = await mcpHooks('verify --live');
  await install(DECLARATIONS.slice(2, 3));
  const other = await mcpHooks('verify --live annals');
  expect([nothing, other].map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [
      2,
      'Nothing is installed, so there is nothing to verify. To find hooks for your servers: mcp-hooks scan\n',
    ],
    [2, 'annals is not installed. Did you mean annal?\n'],
  ]);
});

test("the user's whole file counts, and no command of the user is run", async () => {
  const file = join(place.home, '.claude/settings.json');
  mkdirSync(join(place.home, '.claude'));
  const theirs = join(place.files, 'theirs');
  const stop = [{ hooks: [{ type: 'command', command: `touch ${theirs}` }] }];
  const settings = { model: 'nobody', statusLine: { type: 'command', command: `touch ${theirs}` } };
  writeFileSync(file, JSON.stringify({ ...settings, hooks: { SessionStart: stop, Stop: stop } }));
  await install([{ event: 'pre_request', context: 'WITH-PROMPT' }]);
  const arrived = await verify('--client claude-code');
  expect(arrived.fates['claude-code']).toEqual(['1 arrived with the first prompt']);

  const spoil = (from: string, to: string) =>
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  spoil('{', '{ "disableAllHooks": true,');
  const off = await verify('--client claude-code');
  expect(off.exitCode).toBe(1);
  expect(off.fates['claude-code']?.join()).toMatch(/^1 missing/);
  spoil('"disableAllHooks": true', '"permissions": { "defaultMode": "allowEdits" }');
  const ignored = await verify('--client claude-code');
  expect(ignored.exitCode).toBe(1);
  expect(ignored.fates['claude-code']?.join()).toMatch(/^1 missing/);
  expect(existsSync(theirs)).toBe(false);
});

test("the user's own settings of a project are verified", async () => {
  const file = join(place.files, 'mine.json');
  const declarations = [{ event: 'pre_request', context: 'MINE', priority: 'important' }];
  writeFileSync(file, JSON.stringify({ name: 'mine', hooks: { declarations } }));
  await mcpHooks(`install ${file} --client claude --yes --scope local`);
  const { stdout, exitCode } = await mcpHooks('verify --live --json');
  const { fires, live } = JSON.parse(stdout);
  expect({ fires, exitCode }).toEqual({ fires: true, exitCode: 0 });
  expect(live).toMatchObject([
    { label: 'mine', project: place.project, local: true, hooks: [{ state: 'arrived' }] },
  ]);
  const settings = join(place.project, '.claude/settings.local.json');
  writeFileSync(settings, '{ "cleanupPeriodDays": 0, "hooks": {} }');
  expect((await mcpHooks('verify --live')).exitCode).toBe(1);
});

const SERVER = local('../support/servers/configured.mjs');

/** Makes the files that npx leaves after it has downloaded a package for `npx -y <name>`. */
function downloaded(name: string): void {
  const hash = createHash('sha512').update(name).digest('hex').slice(0, 16);
  const modules = join(place.home, '.npm/_npx', hash, 'node_modules');
  mkdirSync(join(modules, name, 'dist'), { recursive: true });
  writeFileSync(join(modules, name, 'package.json'), '{ "bin": { "serve": "dist/index.mjs" } }');
  cpSync(SERVER, join(modules, name, 'dist/index.mjs'));
  writeFileSync(join(modules, '.package-lock.json'), '{}');
}

/** A launcher that records its start, and then runs a command. */
const launcher = (name: string, then = 'exit 1') =>
  writeFileSync(join(bin, name), `#!/bin/sh\n: > '${place.files}/started'\n${then}\n`, {
    mode: 0o755,
  });
const wasStarted = () => existsSync(join(place.files, 'started'));

test('a server that npx has downloaded is started; one that it would have to download is not tried', async () => {
  launcher('npx');
  // With a name that is in no parent folder.
  const memory = readFileSync(local('../../fixtures/servers/memory.json'), 'utf8');
  const file = join(place.files, 'memory.json');
  writeFileSync(file, memory.replaceAll('@modelcontextprotocol/server-memory', '@acme/memory'));
  await mcpHooks(`install ${file} --client ${ids.join(',')} --yes --allow context-tool --trust`);
  rmSync(join(place.files, 'started'), { force: true }); // once, when it was allowed
  const absent = await verify('--client codex');
  const needs =
    '1 not-tried npx may have to download @acme/memory first, and this runs without a network';
  const arrived = '2 arrived with the result of the call';
  expect(absent).toMatchObject({ exitCode: 0, fates: { codex: [needs, arrived] } });
  expect(getPath(parse(absent.stdout), 'fires')).toBe(true);

  downloaded('@acme/memory');
  const present = await verify();
  expect(present).toMatchObject({
    exitCode: 0,
    fates: Object.fromEntries(ids.map((id) => [id, ['1 arrived with the first prompt', arrived]])),
  });
  expect(wasStarted()).toBe(false);
});

test('a configured server is started only if it is downloaded, with any launcher', async () => {
  const env = { ANNAL_PLAIN: 'hunter2-in-env' };
  const launchers = {
    npx: ['-y', '@acme/notes'],
    uvx: ['notes'],
    bunx: ['notes'],
    pnpm: ['dlx', 'notes'],
  };
  const servers = Object.entries(launchers).map(([command, args]) => [
    command,
    { command, args, env },
  ]);
  mkdirSync(join(place.home, '.cursor'));
  const file = join(place.home, '.cursor/mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  for (const name of Object.keys(launchers)) {
    launcher(name, `exec '${process.execPath}' '${SERVER}'`);
    await mcpHooks(`install ${name} --client codex --yes --allow context-tool --trust`);
  }
  rmSync(join(place.files, 'started'));
  downloaded('@acme/notes');
  const { stdout, exitCode } = await mcpHooks('verify --live');
  expect(exitCode).toBe(0);
  const said = stdout.match(/ 1 {2}session_start.*/g)?.map((line) => line.replace(/ +/g, ' '));
  const needs = (name: string) =>
    ` 1 session_start SessionStart not tried ${name} may have to download notes first, and this runs without a network`;
  expect(said).toEqual([
    ' 1 session_start SessionStart arrived in request 1, with the first prompt',
    needs('uvx'),
    needs('bunx'),
    needs('pnpm dlx'),
  ]);
  expect(wasStarted()).toBe(false);
  // A server whose configuration has changed is not started at all.
  writeFileSync(file, readFileSync(file, 'utf8').replace('@acme/notes', '@acme/others'));
  const changed = await verify('npx');
  expect(changed.exitCode).toBe(1);
  expect(changed.fates.codex?.[0]).toContain('its configuration has changed');
});

test('a hook that the policy forbids, or that need not answer, is not a failure', async () => {
  const quiet = join(place.project, 'quiet.mjs');
  writeFileSync(quiet, '');
  writeFileSync(
    join(place.project, 'mcp-hooks.json'),
    JSON.stringify({
      version: 2,
      name: 'quiet',
      server: { command: process.execPath, args: [quiet] },
      declarations: [
        { event: 'session_start', context: 'AT-START' },
        { event: 'pre_request', command: ['node', quiet] },
        { event: 'session_start', context_tool: 'recall' },
        { event: 'post_compact', context: 'AFTER-COMPACTION' },
      ],
    }),
  );
  const line = 'install ./mcp-hooks.json --client claude --yes --allow command,context-tool';
  const installed = await mcpHooks(line);
  expect(installed, installed.stderr).toMatchObject({ exitCode: 0 });
  writeFileSync(join(place.home, '.mcp-hooks/policy.json'), '{ "contextTool": false }');
  const { exitCode, stdout } = await mcpHooks('verify quiet --live --json');
  const [proof] = list(getPath(parse(stdout), 'live'));
  const states = list(getPath(proof, 'hooks')).map((hook) => [
    getPath(hook, 'state'),
    getPath(hook, 'code'),
  ]);
  expect([exitCode, states]).toEqual([
    0,
    [
      ['arrived', undefined],
      ['ready', 'ready'],
      ['off', 'off'],
      ['arrived', undefined],
    ],
  ]);
  const { stdout: shown } = await mcpHooks('verify quiet --live');
  expect(shown).toContain('your policy.json forbids tool calls');
  expect(await mcpHooks('verify quiet')).toMatchObject({ exitCode });
});

test.each(IDS)('failed calls, budgets and compactions are scripted in %s', async (id) => {
  put(id, startLine(id));
  const budget = { tokens: 100_000 };
  writeFileSync(
    join(place.project, 'mcp-hooks.json'),
    JSON.stringify({
      version: 2,
      name: 'rare',
      declarations: [
        { event: 'tool_error', context: 'AFTER-FAILURE' },
        { event: 'post_tool_use', matcher: { failed: true }, context: 'IT-FAILED' },
        { event: 'budget_exceeded', context: 'OVER-BUDGET', budget },
        { event: 'budget_exceeded', block: 'NO-MORE', budget },
        { event: 'pre_compact', context: 'BEFORE-COMPACTION' },
        { event: 'post_compact', context: 'AFTER-COMPACTION' },
      ],
    }),
  );
  const line = `install ./mcp-hooks.json --client ${id} --yes --allow block --trust`;
  const installed = await mcpHooks(line);
  expect(installed, installed.stderr).toMatchObject({ exitCode: 0 });
  const { exitCode, fates } = await verify('rare');
  expect([exitCode, fates]).toEqual([0, { [id]: expected[id].real.rare }]);
});
