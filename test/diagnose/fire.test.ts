/** `mcp-hooks fire`: what each client's model would read, and the reasons if it reads nothing. */
import { describe, expect } from 'vitest';
import { EVENTS } from '../../src/declaration/declaration.ts';
import { run } from '../../src/system/child.ts';
import { runAt } from '../support/columns.ts';
import {
  CONFIGS,
  env,
  type Hook,
  IDS,
  installed,
  policy,
  RUNNER,
  remembered,
  replaceRunner,
  rewrite,
} from '../support/fired.ts';
import { isRunning, until } from '../support/processes.ts';
import { recorded } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const COMMITTED: Hook = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'What did you learn?',
};
const COMMIT = ['--tool', 'Bash', '--input', '{"command":"git commit -m x"}'];

interface Firing {
  readonly event: string;
  readonly value: string | null;
  readonly started: boolean;
  readonly text: string | null;
  readonly extraTurn: boolean;
  readonly message?: string;
  readonly payload: Record<string, unknown>;
  readonly trouble: { readonly code: string; readonly message: string } | null;
  readonly hooks: readonly {
    readonly hook: number;
    readonly shown: boolean;
    readonly reason?: { readonly code: string; readonly message: string };
  }[];
}
interface Fired {
  readonly id: string;
  readonly installed: boolean;
  readonly firings?: readonly Firing[];
  readonly obstacles?: readonly { readonly code: string; readonly message: string }[];
  readonly drift?: string | null;
}

async function fire(world: World, event: string, ...flags: string[]): Promise<readonly Fired[]> {
  const { out, err, code } = await world.run(['fire', 'annal', event, ...flags, '--json'], { env });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out).clients;
}

/** By client. */
const each = <T>(fired: readonly Fired[], what: (one: Fired) => T): Record<string, T> =>
  Object.fromEntries(fired.map((one) => [one.id, what(one)]));

/** The text on each native event, without headings. */
const said = (fired: readonly Fired[]) =>
  each(fired, ({ firings = [] }) =>
    firings.map(({ event, text }) => {
      const lines = text?.split('\n').filter((line) => !/^Note|^$/.test(line));
      return `${event}: ${lines?.map((line) => line.replace(/^\| /, '')).join(' | ') ?? '-'}`;
    }),
  );
/** The reasons why hooks show nothing, by client and native event. */
const reasons = (fired: readonly Fired[]) =>
  each(fired, ({ firings = [] }) =>
    firings.map(({ hooks }) =>
      hooks
        .map(({ hook, shown, reason }) => `${hook}: ${shown ? 'told' : reason?.code}`)
        .join('; '),
    ),
  );

describe.concurrent('fire shows', () => {
  test('what the model of each client would read', async ({ world, expect }) => {
    await installed(world, [COMMITTED, { event: 'pre_request' }], {}, [], { whole: true });
    const { out } = await world.run(['fire', 'annal', 'post_tool_use', ...COMMIT], { env });
    expect(out.replace(/\d+ ms/g, 'N ms')).toMatchInlineSnapshot(`
      "Claude Code and Codex CLI read:
          | Note from the MCP server "annal", not from the user, after your Bash call containing "git
          | commit"; each of its lines begins with |. Optional: use it only if it helps.
          | | What did you learn?

      Claude Code
        PostToolUse of Bash: hook 1 shown  in N ms
        PostToolUseFailure of Bash: hook 1 shown  in N ms
      Codex CLI
        PostToolUse of Bash: hook 1 shown  in N ms
      Gemini CLI
        AfterTool of run_shell_command: hook 1 shown  in N ms
          | Note from the MCP server "annal", not from the user, after your run_shell_command call
          | containing "git commit"; each of its lines begins with |. Optional: use it only if it helps.
          | | What did you learn?
      "
    `);
    const ls = ['fire', 'annal', 'post_tool_use', '--tool', 'Bash', '--input', '{"command":"ls"}'];
    const other = await world.run([...ls, '--client', 'gemini'], { env });
    expect(other.out.replace(/\d+ ms/g, 'N ms')).toMatchInlineSnapshot(`
      "Gemini CLI
        AfterTool of run_shell_command: nothing shown  in N ms
          hook 1 (post_tool_use): input_contains "git commit" was not found in "{"command":"ls"}"
      "
    `);
  });

  test('a text once if several clients read it, at 80 columns', async ({ world }) => {
    await installed(world, [{ event: 'session_start', context: 'Remember. '.repeat(20) }]);
    const { out, lines } = await runAt(80, world, ['fire', 'annal', 'session_start'], { env });
    expect(out).toMatch(/^Claude Code, Codex CLI and Gemini CLI read:\n {4}\| Note from/);
    expect(out.match(/\| Note from/g)).toHaveLength(1);
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('a text only as possible if a client does not fire', async ({ world }) => {
    const hooks = { declarations: [{ priority: 'suggestion', ...COMMITTED }] };
    await world.write('annal.json', JSON.stringify({ hooks }));
    await world.run('install annal.json --yes --client claude-code,codex', { env });
    const { out } = await world.run(['fire', 'annal', 'post_tool_use', ...COMMIT], { env });
    expect(out).toContain('Claude Code reads (Codex CLI would, too):');
    const [, codex = ''] = out.split('\nCodex CLI\n');
    expect(codex).toContain('hook 1 would be shown');
    expect(codex).toContain('No hook fires in Codex CLI: not trusted.');
    expect(codex).not.toContain('hook 1 shown');
    const settings = JSON.parse(await world.read('~/.claude/settings.json'));
    const off = JSON.stringify({ ...settings, disableAllHooks: true });
    await world.write('~/.claude/settings.json', off);
    const { out: none } = await world.run(['fire', 'annal', 'post_tool_use', ...COMMIT], { env });
    expect(none).toMatch(/^Claude Code and Codex CLI would read:\n/);
  });

  test('each declared event on its native events, in their order', async ({ world }) => {
    await installed(world, [
      { event: 'session_start', context: 'start' },
      { event: 'pre_request', context: 'before' },
      { event: 'pre_tool_use', context: 'call' },
      { event: 'post_tool_use', context: 'called' },
      { event: 'post_request', context: 'after' },
      { event: 'session_end', context: 'end' },
    ]);
    const all: Record<string, unknown> = {};
    for (const event of EVENTS) all[event] = said(await fire(world, event));
    expect(all).toEqual({
      session_start: {
        'claude-code': ['SessionStart: start', 'SubagentStart: start'],
        codex: ['SessionStart: start', 'SubagentStart: start'],
        'gemini-cli': ['BeforeAgent: start | before'],
      },
      pre_request: {
        'claude-code': ['UserPromptSubmit: before'],
        codex: ['UserPromptSubmit: before'],
        'gemini-cli': ['BeforeAgent: start | before'],
      },
      pre_tool_use: {
        'claude-code': ['PreToolUse: call'],
        codex: ['PreToolUse: call'],
        'gemini-cli': ['AfterTool: call | called'],
      },
      post_tool_use: {
        'claude-code': ['PostToolUse: called', 'PostToolUseFailure: called'],
        codex: ['PostToolUse: called'],
        'gemini-cli': ['AfterTool: call | called'],
      },
      post_request: {
        'claude-code': ['Stop: end', 'UserPromptSubmit: before | after'],
        codex: ['Stop: end', 'UserPromptSubmit: before | after'],
        'gemini-cli': ['AfterAgent: end', 'BeforeAgent: start | before | after'],
      },
      session_end: {
        'claude-code': ['Stop: end'],
        codex: ['Stop: end'],
        'gemini-cli': ['AfterAgent: end'],
      },
    });
    expect(await remembered(world)).toEqual([]);
  });

  test("a client's event by its own name", async ({ world }) => {
    await installed(world, [COMMITTED]);
    const fired = await fire(world, 'PostToolUse', ...COMMIT);
    expect(said(fired)).toEqual({
      'claude-code': ['PostToolUse: What did you learn?'],
      codex: ['PostToolUse: What did you learn?'],
      'gemini-cli': [],
    });
  });

  test('tools, input and prompt in the form of each client', async ({ world }) => {
    await installed(world, [{ event: 'post_tool_use' }, { event: 'pre_request' }]);
    const payloads = async (...line: [string, ...string[]]) =>
      each(await fire(world, ...line), ({ firings = [] }) => firings[0]?.payload);
    expect(await payloads('post_tool_use', '--tool', 'Edit', '--input', '{"a":1}')).toMatchObject({
      'claude-code': { tool_name: 'Edit', tool_input: { a: 1 } },
      codex: { tool_name: 'apply_patch', tool_input: { a: 1 } },
      'gemini-cli': { tool_name: 'replace', tool_input: { a: 1 } },
    });
    const file = { file_path: 'a.txt', content: 'hello é\n' };
    const written = await payloads(
      'post_tool_use',
      '--tool',
      'Write',
      '--input',
      JSON.stringify(file),
    );
    // The input is that of the recorded call.
    const patch = recorded('codex', 'PostToolUse.apply_patch');
    expect(written).toMatchObject({
      'claude-code': { tool_name: 'Write', tool_input: file },
      codex: { tool_name: 'apply_patch', tool_input: patch.tool_input },
      'gemini-cli': { tool_name: 'write_file', tool_input: file },
    });
    expect(await payloads('post_tool_use', '--tool', 'mcp__my-notes__add')).toMatchObject({
      'claude-code': { tool_name: 'mcp__my-notes__add', mcp_server: { name: 'my-notes' } },
      codex: { tool_name: 'mcp__my_notes__add' },
      'gemini-cli': {
        tool_name: 'mcp_my-notes_add',
        mcp_context: { server_name: 'my-notes', tool_name: 'add' },
      },
    });
    // Without --input, an input that fits the tool is used.
    expect(await payloads('post_tool_use', '--tool', 'Edit')).toMatchObject({
      'gemini-cli': {
        tool_name: 'replace',
        tool_input: { file_path: `${world.work}/a.txt`, old_string: 'hello' },
      },
    });
    expect(await payloads('post_tool_use', '--tool', 'Grep')).toMatchObject({
      'claude-code': { tool_input: { pattern: 'hello' } },
      'gemini-cli': { tool_name: 'grep_search', tool_input: { pattern: 'hello' } },
    });
    expect(await payloads('pre_request', '--prompt', 'hi "you"')).toMatchObject({
      'claude-code': { prompt: 'hi "you"', cwd: world.work },
      codex: { prompt: 'hi "you"', cwd: world.work },
      'gemini-cli': { prompt: 'hi "you"', cwd: world.work },
    });
  });

  test('texts in a home with a space and quotes in its name', async ({ make }) => {
    const world = await make(`o'hara & "co"`);
    await installed(world, [COMMITTED]);
    expect(said(await fire(world, 'post_tool_use', ...COMMIT))).toEqual({
      'claude-code': [
        'PostToolUse: What did you learn?',
        'PostToolUseFailure: What did you learn?',
      ],
      codex: ['PostToolUse: What did you learn?'],
      'gemini-cli': ['AfterTool: What did you learn?'],
    });
  });

  test('texts in project scope', async ({ world }) => {
    await installed(world, [COMMITTED], {}, ['--scope', 'project']);
    const fired = await fire(world, 'post_tool_use', ...COMMIT, '--scope', 'project');
    expect(said(fired)).toMatchObject({ 'gemini-cli': ['AfterTool: What did you learn?'] });
    const user = await world.run(['fire', 'annal', 'post_tool_use'], { env });
    expect(user).toMatchObject({ code: 2, out: '' });
    expect(user.err).toContain('annal is not installed in user scope.');
  });
});

describe.concurrent('fire says why nothing is shown', () => {
  /** A hook that is not shown, what is done beforehand, and what is fired. */
  interface Case {
    readonly hooks: readonly Hook[];
    readonly rest?: object;
    readonly before?: (world: World) => Promise<unknown>;
    readonly line: readonly [string, ...string[]];
    readonly expected: Record<string, readonly string[]>;
    readonly words: string;
  }
  const everywhere = (one: string, claude: readonly string[] = [one]) => ({
    'claude-code': claude,
    codex: [one],
    'gemini-cli': [one],
  });
  const twice = (one: string) => everywhere(one, [one, one]);
  const session = (world: World, more: object = {}) =>
    world.write('payload.json', JSON.stringify({ session_id: 's-1', ...more }));
  const WITH = ['--payload', 'payload.json'];

  const CASES: Record<string, Case> = {
    'the tool is another': {
      hooks: [
        { event: 'post_tool_use', matcher: { tool_name: '{Read,Grep}*' } },
        { event: 'post_tool_use' },
      ],
      line: ['post_tool_use', ...COMMIT],
      expected: twice('1: matcher; 2: told'),
      words: 'tool_name "Read* or Grep*" does not match "Bash"',
    },
    'the input holds no such thing': {
      hooks: [COMMITTED],
      line: ['post_tool_use', '--tool', 'Bash', '--input', '{"command":"ls"}'],
      expected: twice('1: matcher'),
      words: 'input_contains "git commit" was not found in "{"command":"ls"}"',
    },
    'the tool is of another server': {
      hooks: [
        { event: 'post_tool_use', matcher: { tool_server: 'annal' } },
        { event: 'post_tool_use' },
      ],
      line: ['post_tool_use', '--tool', 'mcp__other__add'],
      expected: twice('1: matcher; 2: told'),
      words: 'tool_server "annal" does not match "other"',
    },
    'no user wrote the prompt': {
      hooks: [{ event: 'pre_request' }],
      line: ['pre_request', '--prompt', '   '],
      expected: everywhere('1: no-request'),
      words: 'the user did not write this prompt',
    },
    'a hook has started the turn': {
      hooks: [{ event: 'session_end' }],
      before: (world) => world.write('payload.json', '{"stop_hook_active":true}'),
      line: ['session_end', ...WITH],
      expected: everywhere('1: continued'),
      words: 'so it does not ask for another',
    },
    'it waits for the end of a turn': {
      hooks: [{ event: 'post_request' }],
      before: async (world) => {
        await world.write('payload.json', '{"hook_event_name":"UserPromptSubmit"}');
      },
      line: ['post_request', ...WITH, '--client', 'claude,codex'],
      expected: { 'claude-code': ['1: not-marked'], codex: ['1: not-marked'] },
      words: 'it waits for an earlier event of the same session',
    },
    'the server is muted': {
      hooks: [{ event: 'pre_request' }],
      before: (world) => policy(world, { servers: { annal: { muted: true } } }),
      line: ['pre_request'],
      expected: everywhere('1: muted'),
      words: 'it is muted',
    },
    'policy.json cannot be understood': {
      hooks: [{ event: 'pre_request' }],
      before: (world) => policy(world, { mutedd: true }),
      line: ['pre_request'],
      expected: everywhere('1: undecided'),
      words: 'policy.json is not valid',
    },
    'its tool may not be called': {
      hooks: [{ event: 'pre_request', context_tool: 'tell' }],
      rest: { server: { command: 'none' } },
      before: (world) => policy(world, { contextTool: false }),
      line: ['pre_request'],
      expected: everywhere('1: tool-off'),
      words: 'policy.json does not allow its tool to be called',
    },
    'its server does not start': {
      hooks: [{ event: 'pre_request', context_tool: 'tell' }],
      rest: { server: { command: 'there-is-none' } },
      line: ['pre_request'],
      expected: everywhere('1: tool'),
      words: 'tell of annal: a program or file that it needs is missing',
    },
    'fewer hooks are shown on one event': {
      hooks: [{ event: 'pre_request' }, { event: 'pre_request', priority: 'important' }],
      before: (world) => policy(world, { hooksPerEvent: 1 }),
      line: ['pre_request'],
      expected: everywhere('1: hooks-per-event; 2: told'),
      words: '(hooksPerEvent)',
    },
    'fewer hooks of one server are shown': {
      hooks: [{ event: 'session_start', priority: 'important' }, { event: 'pre_request' }],
      before: (world) => policy(world, { hooksPerServer: 1 }),
      line: ['pre_request', '--client', 'claude'],
      expected: { 'claude-code': ['2: hooks-per-server'] },
      words: '(hooksPerServer)',
    },
    'there is no room': {
      hooks: [
        { event: 'pre_request', context: 'x'.repeat(900), priority: 'important' },
        { event: 'pre_request', context: 'y'.repeat(900) },
      ],
      before: (world) => policy(world, { charactersPerEvent: 1200 }),
      line: ['pre_request'],
      expected: everywhere('1: told; 2: no-room'),
      words: 'there was no room left for it',
    },
    'the same moment comes again': {
      hooks: [{ event: 'pre_request' }],
      before: async (world) => {
        await session(world);
        await fire(world, 'pre_request', ...WITH);
      },
      line: ['pre_request', ...WITH],
      expected: everywhere('1: same-moment'),
      words: 'it was already shown at this moment',
    },
    'it was shown a short while ago': {
      hooks: [{ event: 'pre_request' }],
      before: async (world) => {
        await policy(world, { cooldown: 3600 });
        await session(world);
        await fire(world, 'pre_request', ...WITH);
        await session(world, { prompt_id: 'p-2', turn_id: 't-2', timestamp: 'later' });
      },
      line: ['pre_request', ...WITH],
      expected: everywhere('1: cooldown'),
      words: '(cooldown)',
    },
    'it is told once in a session': {
      hooks: [{ event: 'session_end' }],
      before: async (world) => {
        await session(world);
        await fire(world, 'session_end', ...WITH);
        await session(world, { prompt_id: 'p-2', turn_id: 't-2', timestamp: 'later' });
      },
      line: ['session_end', ...WITH],
      expected: everywhere('1: once'),
      words: 'it is shown once per session, and was shown in this one',
    },
    'the session still knows what it was told at its start': {
      hooks: [{ event: 'session_start' }],
      before: async (world) => {
        await session(world);
        await fire(world, 'session_start', ...WITH);
        await session(world, { timestamp: 'later' });
      },
      line: ['session_start', ...WITH, '--client', 'gemini'],
      expected: { 'gemini-cli': ['1: in-history'] },
      words: 'it was shown at the start of the session and is still in the history',
    },
    'the same is declared twice': {
      hooks: [{ event: 'pre_request' }, { event: 'pre_request' }],
      line: ['pre_request'],
      expected: everywhere('1: told; 2: twin'),
      words: 'the same hook is declared twice',
    },
    'its text is blank': {
      hooks: [{ event: 'pre_request', context: ' ' }],
      line: ['pre_request'],
      expected: everywhere('1: blank'),
      words: 'its text is blank',
    },
    'its runner is gone': {
      hooks: [{ event: 'pre_request' }],
      before: (world) => world.remove(`${RUNNER}/runner.cjs`),
      line: ['pre_request'],
      expected: everywhere('1: nothing-shown'),
      words: 'its runner is missing',
    },
    'its command prints a decision': {
      hooks: [{ event: 'pre_request' }],
      before: (world) => replaceRunner(world, `printf '{"decision":"block","reason":"no"}'`),
      line: ['pre_request'],
      expected: everywhere('1: trouble'),
      words: 'what its command printed is not what',
    },
    'its command fails': {
      hooks: [{ event: 'pre_request' }],
      before: (world) => replaceRunner(world, 'trap - EXIT; exit 3'),
      line: ['pre_request'],
      expected: everywhere('1: trouble'),
      words: 'its command ended with 3; it must be 0',
    },
  };

  test.for(Object.entries(CASES))('%s', async ([, one], { world }) => {
    await installed(world, one.hooks, one.rest);
    await one.before?.(world);
    const { out } = await world.run(['fire', 'annal', ...one.line, '--json'], { env });
    const fired: readonly Fired[] = JSON.parse(out).clients;
    expect(reasons(fired)).toEqual(one.expected);
    const words = fired.flatMap(({ firings = [], drift }) => [
      drift ?? '',
      ...firings.map(({ trouble }) => trouble?.message ?? ''),
      ...firings.flatMap(({ hooks }) => hooks.map(({ reason }) => reason?.message ?? '')),
    ]);
    expect(words.join('\n')).toContain(one.words);
  });

  test('the client would not start the hook', async ({ world }) => {
    await installed(world, [COMMITTED]);
    const fired = await fire(world, 'post_tool_use', '--tool', 'Read');
    const misfit = (matcher: string, tool: string) => [
      false,
      `the client would not start it: the matcher of its entry, "${matcher}", does not fit "${tool}"`,
    ];
    expect(
      each(fired, ({ firings = [] }) => firings.map(({ started, message }) => [started, message])),
    ).toEqual({
      'claude-code': [misfit('Bash', 'Read'), misfit('Bash', 'Read')],
      codex: [misfit('Bash', 'Read')],
      'gemini-cli': [misfit('^(?:run_shell_command)$', 'read_file')],
    });
  });

  test('"required" that is not honoured is reported', async ({ world }) => {
    await installed(world, [{ event: 'pre_request', priority: 'required' }]);
    const weak = await world.run('fire annal pre_request', { env });
    // Claude Code and Codex CLI have the same result, which is printed once.
    expect(weak.out.match(/hook 1: "required" counts as "important"/g)).toHaveLength(2);
    await policy(world, { trusted: true });
    const strong = await world.run('fire annal pre_request', { env });
    expect(strong.out).not.toContain('counts as');
    // All three clients read the same text, so it is printed once.
    expect(strong.out.match(/allowed this as required/g)).toHaveLength(1);
  });

  type Obstacle = string | Readonly<Record<string, string>>;
  const OBSTACLES: Record<string, [(world: World) => Promise<unknown>, Obstacle]> = {
    'its entry is gone': [
      (world) => rewrite(world, () => []),
      {
        'claude-code': 'it has no entry in ~/.claude/settings.json',
        codex: 'it has no entry in ~/.codex/config.toml',
        'gemini-cli': 'it has no entry in ~/.gemini/settings.json',
      },
    ],
    'the file is not read by the client': [
      async (world) => {
        for (const id of IDS) await world.write(CONFIGS[id].path, '{]');
      },
      {
        'claude-code': 'the client does not read ~/.claude/settings.json:1:2: ',
        codex: 'the client does not read ~/.codex/config.toml:1:1: ',
        'gemini-cli': 'the client does not read ~/.gemini/settings.json:1:2: ',
      },
    ],
    'its program is broken': [
      async (world) => {
        for (const name of Object.keys(await world.snapshot(RUNNER)))
          if (name.endsWith('.json')) await world.write(`${RUNNER}/${name}`, '{"hooks":');
      },
      {
        'claude-code':
          "the runner's program claude-code.UserPromptSubmit.json is missing or cannot be read",
        codex: "the runner's program codex.UserPromptSubmit.json is missing or cannot be read",
        'gemini-cli':
          "the runner's program gemini-cli.BeforeAgent.json is missing or cannot be read",
      },
    ],
    'it has no such hook': [
      (world) => installed(world, [{ event: 'session_start' }]),
      'no hook is installed for pre_request',
    ],
    'the payload is of another event': [
      (world) => world.write('payload.json', '{"hook_event_name":"Stop"}'),
      'the payload is of Stop, which this event does not use in this client',
    ],
  };
  test.for(Object.entries(OBSTACLES))('%s', async ([name, [before, expected]], { world }) => {
    await installed(world, [{ event: 'pre_request' }]);
    await before(world);
    const flags = name.includes('payload') ? ['--payload', 'payload.json'] : [];
    const fired = await fire(world, 'pre_request', ...flags);
    for (const { id, obstacles = [] } of fired)
      expect(obstacles[0]?.message).toContain(
        typeof expected === 'string' ? expected : expected[id],
      );
    expect(fired).toHaveLength(3);
  });

  test('the client cannot do it, with the reason of the plan', async ({ world }) => {
    await installed(world, [{ event: 'tool_error' }, { event: 'session_start' }], { version: 2 });
    const cannot =
      'no matching event in Codex CLI: it runs no hooks after a tool that failed, and never shows how a command ended';
    const fired = await fire(world, 'tool_error', '--client', 'codex');
    expect(fired[0]?.obstacles?.map(({ message }) => message)).toEqual([
      `no hook is installed for tool_error: ${cannot}`,
    ]);
    const { out } = await world.run('list', { env });
    expect(out).toContain(`1 of 2 hooks (tool_error: ${cannot})`);
  });

  test('the hook is installed for another client', async ({ world }) => {
    await installed(world, [COMMITTED]);
    await world.run('uninstall annal --client codex --yes', { env });
    const { code, out } = await world.run('fire annal post_tool_use --client codex,gemini', {
      env,
    });
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('Codex CLI\n  annal is not installed here, in user scope.'),
    });
    expect(out).toContain('hook 1 shown');
  });
});

describe.concurrent('the memory of hooks', () => {
  test('has no trace of a run, which only leaves a marked line in the log', async ({ world }) => {
    await installed(world, [{ event: 'session_end' }, { event: 'session_start' }]);
    const runs = [await fire(world, 'session_end'), await fire(world, 'session_end')];
    for (const fired of runs) expect(reasons(fired)['claude-code']).toEqual(['1: told']);
    expect(await remembered(world)).toEqual([]);
    expect((await world.read('~/.mcp-hooks/log/annal.jsonl')).split('\n')).toContainEqual(
      expect.stringMatching(/"event":"Stop".*"trial":true/),
    );
  });

  test('of other sessions stays', async ({ world }) => {
    await installed(world, [{ event: 'session_end' }]);
    await world.write('~/.mcp-hooks/sessions/codex.another.annal.0123.ask-once', '');
    await fire(world, 'session_end');
    expect(await remembered(world)).toEqual([
      'sessions',
      'sessions/codex.another.annal.0123.ask-once',
    ]);
  });

  test('of a session that the payload names stays', async ({ world }) => {
    await installed(world, [{ event: 'session_end' }]);
    await world.write('payload.json', '{"session_id":"mine"}');
    await fire(world, 'session_end', '--payload', 'payload.json', '--client', 'codex');
    expect(
      (await remembered(world)).filter((name) => name.includes('codex.mine.annal')),
    ).toHaveLength(2);
  });
});

test('an altered command that names a secret is neither run nor shown', async ({ world }) => {
  await installed(world, [COMMITTED]);
  const secret = `ghp_${'x1'.repeat(18)}`;
  await rewrite(world, (groups) =>
    groups.map(({ hooks, ...rest }) => ({
      ...rest,
      hooks: hooks.map((hook) => ({
        ...hook,
        command: `echo no ${secret} >&2; exit 1; ${hook.command}`,
      })),
    })),
  );
  for (const line of ['fire annal post_tool_use', 'fire annal post_tool_use --json', 'verify']) {
    const { out } = await world.run(`${line} --verbose`, { env });
    expect(out.replace(/\s+/g, ' ')).toContain('not the one that was installed');
    expect(out).not.toContain(secret);
  }
});

test('only the beginning of a long output is kept', async ({ world }) => {
  const { stdout, exitCode } = await run(['/bin/sh', '-c'], ['head -c 64000000 /dev/zero'], {
    cwd: world.work,
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(exitCode).toBe(0);
  expect(stdout.length).toBeLessThan(20_000_000);
});

describe('fire and verify, ended in the middle', () => {
  /** A server that never ends, even if its stdin is closed. */
  const HANGING = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
setInterval(() => {}, 1000);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const protocolVersion = '2025-11-25';
  const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'it', version: '1' } };
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'tools/call') appendFileSync(process.argv[2], process.pid + '\\n');
});
`;

  test.for([
    ['SIGINT', 130, 'fire annal post_tool_use'],
    ['SIGTERM', 143, 'fire annal post_tool_use'],
    ['SIGHUP', 129, 'verify annal'],
  ] as const)(
    'end their server on %s (exit code %i): %s',
    async ([signal, code, line], { world }) => {
      const args = [world.path('server.mjs'), world.path('pids')];
      await world.write('server.mjs', HANGING);
      await installed(world, [{ event: 'post_tool_use', context_tool: 'tell' }], {
        server: { command: process.execPath, args },
      });
      await world.write('~/.mcp-hooks/sessions/kept', '');
      const pids = async () =>
        (await world.read('pids').catch(() => '')).trim().split('\n').map(Number);
      const running = world.start(`${line} --client claude-code`, { env });
      await until('its tool is called', async () => (await pids())[0] !== 0);
      running.kill(signal);
      const { exitCode } = await running;
      const [server = 0] = await pids();
      await until('its server is gone', async () => !(await isRunning(server)));
      expect({ exitCode, left: await remembered(world) }).toEqual({
        exitCode: code,
        left: ['sessions', 'sessions/kept'],
      });
    },
  );
});

test('doctor ends Codex if it is ended while Codex does not answer', async ({ world }) => {
  await installed(world, [COMMITTED]);
  await world.write('pids', '');
  const script = `#!/bin/sh\necho $$ >> '${world.path('pids')}'\nsleep 60; true\n`;
  await world.write(`${world.bin}/codex`, script, 0o755);
  const PATH = `${world.bin}:${env.PATH}`;
  const running = world.start('doctor --client codex', { env: { PATH } });
  await until('Codex is asked', async () => (await world.read('pids')).endsWith('\n'));
  running.kill('SIGINT');
  expect((await running).exitCode).toBe(130);
  const pid = Number(await world.read('pids'));
  await until('Codex is gone', async () => !(await isRunning(pid)));
});

describe.concurrent('bad input', () => {
  test.for<[line: string[], said: RegExp]>([
    [
      ['anal', 'pre_request'],
      /^anal is not installed in user scope\. Did you mean annal\? Nothing was fired\.\n$/,
    ],
    [
      ['zzzzzzzzzz', 'pre_request'],
      /^zzzzzzzzzz is not installed in user scope\. Installed: annal\. Nothing was fired\.\n$/,
    ],
    [
      ['annal', 'post_tol_use'],
      /^There is no event "post_tol_use"; did you mean post_tool_use or .*\? Nothing was fired\.\n$/,
    ],
    [
      ['annal', 'post_tool'],
      /^There is no event "post_tool"; did you mean post_tool_use\? Nothing was fired\.\n$/,
    ],
    [
      ['annal', 'whenever'],
      /^There is no event "whenever"; known: session_start, .*; or a client's own name, such as SessionStart\. Nothing was fired\.\n$/,
    ],
    [['annal', 'pre_request', '--client', 'vim'], /^There is no client "vim"; known: /],
    [
      ['annal', 'post_tool_use', '--input', '{"a":\n ]'],
      /^--input is not a JSON object\. Nothing was fired\.\n--input:2:2: error: not JSON: /,
    ],
    [
      ['annal', 'post_tool_use', '--input', '[1]'],
      /--input:1:1: error: it is not a JSON object \[payload-no-object\]\n$/,
    ],
    [
      ['annal', 'post_tool_use', '--input', ''],
      /--input:1:1: error: it is empty; a JSON object is needed \[payload-empty\]\n$/,
    ],
    [['annal', 'post_tool_use', '--payload', 'bad.json'], /bad\.json:3:1: error: not JSON: /],
    [
      ['annal', 'post_tool_use', '--payload', 'none.json'],
      /none\.json cannot be read: there is no such file\. Nothing was fired\.\n$/,
    ],
    [
      ['annal', 'post_tool_use', '--payload', 'folder'],
      /^\/desk\/folder cannot be read: it is a folder\. Nothing was fired\.\n$/,
    ],
    [
      ['annal', 'post_tool_use', '--payload', '/dev/zero'],
      /^\/dev\/zero is not a file\. Nothing was fired\.\n$/,
    ],
    [
      ['annal', 'pre_request', '--tool', 'Bash', '--input', '{}'],
      /^--tool and --input do not apply to pre_request: /,
    ],
    [['annal', 'post_tool_use', '--prompt', 'x'], /^--prompt does not apply to post_tool_use: /],
    [['annal'], /^Name the event: the hooks of annal are for .*post_tool_use/],
  ])('%j', async ([line, said], { world }) => {
    await installed(world, [{ event: 'post_tool_use' }, { event: 'pre_request' }]);
    await world.write('bad.json', '{"a": 1,\n"b": 2\n');
    await world.folder('folder');
    const { code, out, err } = await world.run(['fire', ...line], { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(world.tidy(err)).toMatch(said);
    await expect(world.read('~/.mcp-hooks/log/annal.jsonl')).rejects.toThrow();

    const json = await world.run(['fire', ...line, '--json'], { env });
    expect(json).toMatchObject({ code: 2, err });
    expect(err).toContain(JSON.parse(json.out).error);
  });
});
