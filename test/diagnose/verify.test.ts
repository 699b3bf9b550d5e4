/** `mcp-hooks verify`: names everything that would not fire, and exits with 1. */
import { describe, expect } from 'vitest';
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
import { manifest } from '../support/hooks.ts';
import { trustInCodex } from '../support/trusted.ts';
import { test, type World } from '../support/world.ts';

const EVERY: readonly Hook[] = [
  { event: 'session_start' },
  { event: 'pre_request' },
  { event: 'pre_tool_use', matcher: { tool_name: '{Edit,Write}' } },
  { event: 'post_tool_use', matcher: { tool_name: 'Bash', input_contains: 'git "commit"' } },
  { event: 'post_tool_use', matcher: { tool_server: 'my notes', tool_name: '*remember' } },
  { event: 'post_tool_use', matcher: { tool_name: 'mcp__tiny__[a-c]?*' } },
  { event: 'post_request' },
  { event: 'session_end' },
];
const ONE: readonly Hook[] = [{ event: 'post_tool_use', matcher: { tool_name: 'Bash' } }];

interface Verified {
  readonly label: string;
  readonly client: string;
  readonly fires: boolean;
  readonly events: readonly {
    readonly event: string;
    readonly runs: number;
    readonly marks?: boolean;
    readonly failure?: { readonly message: string; readonly code: string };
    readonly hooks: readonly {
      readonly hook: number;
      readonly fires: boolean;
      readonly failure?: { readonly message: string; readonly code: string };
    }[];
  }[];
}

async function verify(world: World, ...args: string[]) {
  const { code, out } = await world.run(['verify', ...args, '--json'], { env });
  const { fires, verified }: { fires: boolean; verified: readonly Verified[] } = JSON.parse(out);
  /** The hooks that would not fire: by client, `event hook: why`. */
  const failures = Object.fromEntries(
    verified.map(({ client, events }) => [
      client,
      events.flatMap(({ event, failure, hooks }) => [
        ...(failure ? [`${event}: ${failure.message}`] : []),
        ...hooks.flatMap((one) =>
          one.failure ? [`${event} ${one.hook}: ${one.failure.message}`] : [],
        ),
      ]),
    ]),
  );
  const codes = verified
    .flatMap(({ events }) => events.flatMap((event) => [event, ...event.hooks]))
    .flatMap(({ failure }) => (failure ? [failure.code] : []));
  return { code, fires, verified, failures, codes: [...new Set(codes)] };
}

const NONE = { 'claude-code': [], codex: [], 'gemini-cli': [] };

describe.concurrent('everything fires', () => {
  test('for every event and every kind of matcher, and no trace remains', async ({ world }) => {
    await installed(world, EVERY);
    const { code, fires, verified, failures } = await verify(world);
    expect({ code, fires, failures }).toEqual({ code: 0, fires: true, failures: NONE });
    const events = verified.map(({ client, events }) => [client, events.map((one) => one.event)]);
    expect(Object.fromEntries(events)).toEqual({
      'claude-code': [
        'SessionStart',
        'SubagentStart',
        'UserPromptSubmit',
        'PreToolUse',
        'PostToolUse',
        'PostToolUseFailure',
        'Stop',
      ],
      codex: [
        'SessionStart',
        'SubagentStart',
        'UserPromptSubmit',
        'PreToolUse',
        'PostToolUse',
        'Stop',
      ],
      'gemini-cli': ['BeforeAgent', 'AfterTool', 'AfterAgent'],
    });
    for (const { events } of verified)
      for (const { runs } of events) expect(runs).toBeGreaterThan(0);
    expect(await remembered(world)).toEqual([]);
  });

  test('in the output for people, with --act-now, in a home with quotes in its name', async ({
    make,
    expect,
  }) => {
    const world = await make(`o'hara & "co"`);
    const hooks = [{ event: 'pre_request' }, { event: 'post_request' }];
    await installed(world, hooks, {}, ['--act-now'], { whole: true });
    const { code, out } = await world.run('verify annal', { env });
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "annal
        Claude Code  fires   UserPromptSubmit, Stop, but not in this folder until you trust it
        Codex CLI    fires   UserPromptSubmit, Stop
        Gemini CLI   fires   BeforeAgent, AfterAgent, but not in this folder until you trust it
        Start claude here and trust the folder (\`claude -p\` needs no trust).
        Start gemini here and trust the folder.

      Everything fires once you trust this folder in Claude Code and Gemini CLI: 2 hooks in 3 clients.
      ",
      }
    `);
  });

  test('except a tool that the policy forbids, even if it is never due', async ({ world }) => {
    const server = { command: process.execPath };
    const declarations = [{ event: 'post_tool_use', context_tool: 'tell', priority: 'suggestion' }];
    await world.write('annal.json', JSON.stringify({ server, hooks: { declarations } }));
    await world.run('install annal.json --yes --client codex --allow context-tool', { env });
    await policy(world, { contextTool: false });
    expect(await verify(world)).toMatchObject({ code: 0, failures: { codex: [] } });
  });

  test('in project scope, and in one client', async ({ world }) => {
    await installed(world, ONE, {}, ['--scope', 'project']);
    const { code, failures } = await verify(world, '--scope', 'project', '--client', 'codex');
    expect({ code, failures }).toEqual({ code: 0, failures: { codex: [] } });
    const user = await world.run('verify', { env });
    expect(user).toMatchObject({
      code: 0,
      out: `Nothing is installed in user scope. Installed: annal (in ${world.work}). For this project: mcp-hooks verify --scope project\n`,
    });
  });

  test('a tool is called once, and a failing server is named', async ({ world, expect }) => {
    const hooks = [{ event: 'post_tool_use', context_tool: 'tell' }];
    const server = {
      command: process.execPath,
      args: [world.path('server.mjs'), world.path('calls')],
    };
    await world.write('server.mjs', TELLING);
    await installed(world, hooks, { server });
    expect(await verify(world)).toMatchObject({ code: 0, failures: NONE });
    // Claude Code has two native events for this.
    expect(await world.read('calls')).toBe('....');
    expect(await remembered(world)).toEqual([]);

    await world.remove('server.mjs');
    const { code, failures } = await verify(world, 'annal', '--client', 'codex,gemini');
    const why = 'tell of annal: it ended';
    const begins = (text: string) => [expect.stringContaining(`${text} 1: ${why}`)];
    expect({ code, failures }).toEqual({
      code: 1,
      failures: { codex: begins('PostToolUse'), 'gemini-cli': begins('AfterTool') },
    });

    // Once the policy forbids the call or mutes the server, an earlier failure no longer matters.
    for (const rules of [{ muted: true }, { contextTool: false }]) {
      await policy(world, rules);
      expect(await verify(world)).toMatchObject({ code: 0, failures: NONE });
    }
    const { out } = await world.run('verify', { env });
    expect(out).toMatchInlineSnapshot(`
      "annal
        Claude Code  off     hook 1 on PostToolUse, hook 1 on PostToolUseFailure: your policy.json
                             switches it off
        Codex CLI    off     hook 1 on PostToolUse: your policy.json switches it off
        Gemini CLI   off     hook 1 on AfterTool: your policy.json switches it off
        Start claude here and trust the folder (\`claude -p\` needs no trust).
        Start gemini here and trust the folder.

      Nothing fires: every hook is switched off.
      "
    `);
    expect((await world.run('doctor', { env })).out).not.toContain('the last tool call');
  });
});

test('a tool that found nothing fires, also beside another hook, and its answer may be structured', async ({
  world,
  expect,
}) => {
  const event = 'session_start';
  const hooks = [{ event, context_tool: 'tell', order: 1 }, { event }];
  await world.write('server.mjs', TELLING);
  // The second is a decision that needs no words.
  for (const value of ['{"notes": []}', '{"action": "passThrough"}']) {
    const args = [world.path('server.mjs'), world.path('calls'), value];
    await installed(world, hooks, { version: 2, server: { command: process.execPath, args } });
    expect(await verify(world)).toMatchObject({ code: 0, failures: NONE });
    const { out } = await world.run('fire annal session_start --client codex', { env });
    expect(out).toContain('hook 1 (session_start): tell of annal returned no text\n');
  }
});

test('a client that could do none of the hooks is neither counted nor advised on', async ({
  world,
}) => {
  const hook = { event: 'tool_error', context: 'Call mcp__annal__a.', priority: 'important' };
  const declarations = [hook];
  await world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
  await world.run('install annal.json --yes --client claude-code,codex', { env });
  const { out } = await world.run('verify annal', { env });
  expect(out).toMatch(/ in 1 client\.\n$/);
  const { out: doctor } = await world.run('doctor annal', { env });
  expect(doctor).not.toContain('in Codex CLI');
});

/** A server with one tool, which answers with a text or a value; each call writes a dot into a file. */
const TELLING = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const result = {
    initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
    'tools/call': {
      content: [{ type: 'text', text: process.argv[3] ?? 'Told.' }],
      ...(process.argv[3] && { structuredContent: JSON.parse(process.argv[3]) }),
    },
  }[method];
  if (method === 'tools/call') appendFileSync(process.argv[2], '.');
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
`;

describe.concurrent('verify names a hook that would not fire', () => {
  type Expected = Readonly<Record<(typeof IDS)[number], readonly string[]>>;
  interface Place {
    readonly id: (typeof IDS)[number];
    readonly name: string;
    readonly file: string;
    readonly tool: string;
    readonly event: string;
  }
  const NAMES = { 'claude-code': 'Claude Code', codex: 'Codex CLI', 'gemini-cli': 'Gemini CLI' };
  /** The failure on each native event of each client. */
  const everywhere = (said: (place: Place) => string): Expected => {
    const of = (id: Place['id'], tool: string, ...events: string[]) =>
      events.map((event) => said({ id, name: NAMES[id], file: CONFIGS[id].path, tool, event }));
    return {
      'claude-code': of('claude-code', 'Bash', 'PostToolUse', 'PostToolUseFailure'),
      codex: of('codex', 'Bash', 'PostToolUse'),
      'gemini-cli': of('gemini-cli', 'run_shell_command', 'AfterTool'),
    };
  };
  const noEntry = (file: string) => `it has no entry in ${file}`;
  const matcherIs = (matcher: string): [(world: World) => Promise<unknown>, Expected] => [
    (world) => rewrite(world, (groups) => groups.map((group) => ({ ...group, matcher }))),
    everywhere(
      ({ event, tool }) =>
        `${event} 1: the client would not start it: the matcher of its entry, "${matcher}", does not fit "${tool}". mcp-hooks update annal`,
    ),
  ];
  const NO_PROGRAM = everywhere(
    ({ event, id }) =>
      `${event}: the runner's program ${id}.${event}.json is missing or cannot be read`,
  );
  const UNEXPECTED = everywhere(
    ({ event, name }) =>
      `${event} 1: what its command printed is not what ${name} expects there (given ${event})`,
  );
  const CASES: Record<string, [(world: World) => Promise<unknown>, Expected]> = {
    'an entry was removed': [
      (world) => rewrite(world, (groups, event) => (event === 'PostToolUseFailure' ? groups : [])),
      {
        'claude-code': [`PostToolUse 1: ${noEntry('~/.claude/settings.json')}`],
        codex: [`PostToolUse 1: ${noEntry('~/.codex/config.toml')}`],
        'gemini-cli': [`AfterTool 1: ${noEntry('~/.gemini/settings.json')}`],
      },
    ],
    'a matcher was edited': matcherIs('Edit'),
    'a matcher is no regular expression': matcherIs('(Bash'),
    'the second stage is gone': [
      (world) => world.remove(`${RUNNER}/runner.cjs`),
      everywhere(({ event }) => `${event} 1: its runner showed nothing (its runner is missing)`),
    ],
    'the whole runner is gone': [(world) => world.remove(RUNNER), NO_PROGRAM],
    'a program is broken': [
      async (world) => {
        for (const id of IDS)
          await world.write(`${RUNNER}/${id}.${CONFIGS[id].event}.json`, '{"hooks":[');
      },
      { ...NO_PROGRAM, 'claude-code': NO_PROGRAM['claude-code'].slice(0, 1) },
    ],
    'the runner prints a decision': [
      (world) => replaceRunner(world, `printf '{"decision":"block","reason":"no"}'`),
      UNEXPECTED,
    ],
    'the runner prints the right thing for another event': [
      (world) =>
        replaceRunner(
          world,
          `printf '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"x"}}'`,
        ),
      UNEXPECTED,
    ],
    'the command was edited': [
      (world) =>
        rewrite(world, (groups) =>
          groups.map((group) => ({
            ...group,
            hooks: group.hooks.map((hook) => ({
              ...hook,
              command: `echo hm >&2; ${hook.command}`,
            })),
          })),
        ),
      everywhere(
        ({ event, file }) =>
          `${event} 1: A hook in ${file} starts its runner and is not the one that was installed, so it was not run. Review that hook and remove it. Then: mcp-hooks update annal`,
      ),
    ],
    'a key was added to it': [
      (world) =>
        rewrite(world, (groups) =>
          groups.map((group) => ({
            ...group,
            hooks: group.hooks.map((hook) => ({ ...hook, note: 'mine' })),
          })),
        ),
      everywhere(
        ({ event, file }) =>
          `${event} 1: Its hook in ${file} has something in it that mcp-hooks did not write, so it was not run. Move that out of the hook, or remove it. Then: mcp-hooks update annal`,
      ),
    ],
  };
  test.for(Object.entries(CASES))('%s', async ([, [damage, expected]], { world }) => {
    await installed(world, ONE);
    await damage(world);
    const { code, fires, failures, codes } = await verify(world);
    expect({ code, fires, failures }).toEqual({ code: 1, fires: false, failures: expected });
    expect(codes).toEqual([expect.stringMatching(/^[a-z -]+$/)]);
    expect(await remembered(world)).toEqual([]);
  });

  test('if its command takes longer than the client waits', async ({ world }) => {
    await installed(world, ONE);
    await replaceRunner(world, 'sleep 60');
    await rewrite(world, (groups, _event, id) =>
      groups.map((group) => ({
        ...group,
        hooks: group.hooks.map((hook) => ({ ...hook, timeout: CONFIGS[id].second })),
      })),
    );
    const { code, failures } = await verify(world);
    expect(code).toBe(1);
    const slow = /PostToolUse|AfterTool.* 1: its command took longer than the client waits/;
    for (const id of IDS) expect(failures[id]?.[0]).toMatch(slow);
  });

  test('if its client ignores the whole file', async ({ world }) => {
    await installed(world, ONE);
    for (const id of IDS) {
      const { path } = CONFIGS[id];
      const mark = { 'claude-code': '// mine\n', codex: '= x\n', 'gemini-cli': '\uFEFF' }[id];
      await world.write(path, mark + (await world.read(path)));
    }
    const { code, failures } = await verify(world);
    expect(code).toBe(1);
    expect(failures).toEqual({
      'claude-code': Array(2).fill(
        expect.stringMatching(
          /^PostToolUse\w* 1: the client does not read ~\/.claude\/settings.json:1:1: .*comment/,
        ),
      ),
      codex: [
        expect.stringMatching(
          /^PostToolUse 1: the client does not read ~\/.codex\/config.toml:1:1: /,
        ),
      ],
      'gemini-cli': [
        expect.stringMatching(
          /^AfterTool 1: the client does not read ~\/.gemini\/settings.json:1:1: .*byte order mark/,
        ),
      ],
    });
  });

  test('but not because of a comment that the client accepts', async ({ world }) => {
    await installed(world, ONE);
    await world.write(
      CONFIGS['gemini-cli'].path,
      `// mine\n${await world.read(CONFIGS['gemini-cli'].path)}`,
    );
    await world.write(CONFIGS.codex.path, `# mine\n${await world.read(CONFIGS.codex.path)}`);
    expect(await verify(world)).toMatchObject({ code: 0, failures: NONE });
  });

  test('if its matcher can never match', async ({ world }) => {
    const matcher = { tool_name: 'Bash', tool_server: 'annal' };
    await installed(world, [{ event: 'post_tool_use', matcher }]);
    const { code, failures, codes } = await verify(world);
    expect(codes).toContain('unmet');
    expect(code).toBe(1);
    expect(failures.codex).toEqual(['PostToolUse 1: its matcher can never match']);
  });

  test('if no client has its tool', async ({ world }) => {
    await installed(world, [
      { event: 'post_tool_use', matcher: { tool_name: 'Bsh' } },
      { event: 'post_tool_use', matcher: { tool_name: '{BASH,[Bash}' } },
      { event: 'post_tool_use', matcher: { tool_name: '{Bash,BASH}' } },
    ]);
    const { code, failures } = await verify(world);
    expect(code).toBe(1);
    const near = 'no client has a tool "Bsh"; did you mean "Bash"?';
    const brackets =
      'no client has a tool "BASH"; did you mean "Bash"?; the brackets in "[Bash" are not a pattern (as [abc] or {a,b} are), and no tool has any in its name; did you mean "Bash"?';
    expect(failures.codex).toEqual([`PostToolUse 1: ${near}`, `PostToolUse 2: ${brackets}`]);
    expect(failures['gemini-cli']).toEqual([`AfterTool 1: ${near}`, `AfterTool 2: ${brackets}`]);
    expect(failures['claude-code']).toHaveLength(4);
  });

  test('if the matcher of its entry excludes a start of a session', async ({ world }) => {
    await installed(world, [{ event: 'session_start' }]);
    await rewrite(world, (groups) => groups.map((group) => ({ ...group, matcher: 'startup' })));
    const why = (value: string) =>
      `SessionStart 1: the client would not start it: the matcher of its entry, "startup", does not fit "${value}". mcp-hooks update annal`;
    // SubagentStart and BeforeAgent have no matcher.
    expect((await verify(world)).failures).toEqual({
      'claude-code': [why('compact')],
      // Codex's trust covers the matcher of an entry.
      codex: [
        why('compact'),
        expect.stringContaining('SubagentStart 1: Codex CLI trusts another entry for '),
      ],
      'gemini-cli': [],
    });
  });

  test('if the entry is missing that records or shows its text', async ({ world }) => {
    await installed(world, [{ event: 'post_request' }]);
    await rewrite(world, (groups, event) => (/Stop|AfterAgent/.test(event) ? [] : groups));
    const { failures } = await verify(world, 'annal');
    const lost = 'it waits for an earlier event of the same session';
    expect(failures).toEqual({
      'claude-code': [
        `UserPromptSubmit 1: ${lost}`,
        `Stop 1: ${noEntry('~/.claude/settings.json')}`,
      ],
      codex: [`UserPromptSubmit 1: ${lost}`, `Stop 1: ${noEntry('~/.codex/config.toml')}`],
      'gemini-cli': [
        `BeforeAgent 1: ${lost}`,
        `AfterAgent 1: ${noEntry('~/.gemini/settings.json')}`,
      ],
    });
  });

  test('even if conditions of version 2 could explain it', async ({ world }) => {
    const matcher = { tool_name: 'Bash' };
    const slow = { event: 'post_tool_use', matcher, cooldown: 60 };
    await installed(world, [slow], { version: 2 });
    await replaceRunner(world, 'exit 0');
    expect((await verify(world, '--client', 'codex,gemini')).codes).toEqual(['nothing-shown']);

    const turns = { event: 'post_tool_use', matcher, once: 'turn' };
    await installed(world, [turns], { version: 2 }, ['--replace']);
    expect(await verify(world)).toMatchObject({ code: 0, failures: NONE });
    await rewrite(world, (groups, event) => (/Prompt|BeforeAgent/.test(event) ? [] : groups));
    expect((await verify(world)).codes).toContain('entry-missing');
  });

  test('and lists a label that fires next to one that does not', async ({ world, expect }) => {
    await installed(world, ONE);
    const hook = { ...EVERY[1], context: 'x', priority: 'required' };
    await world.write('other.json', manifest(hook));
    await world.run('install other.json --yes --client codex', { env });
    await trustInCodex(world);
    await world.remove(`${RUNNER}/runner.cjs`);
    const { code, out } = await world.run('verify --client codex', { env });
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "out": "annal
        Codex CLI  failed  hook 1 on PostToolUse: its runner showed nothing (its runner is missing)

      other
        Codex CLI  fires   UserPromptSubmit

      1 hook does not fire.
      ",
      }
    `);
  });

  test('and prints once what several labels have in common', async ({ world, expect }) => {
    for (const name of ['one', 'two', 'three']) {
      const event = name === 'three' ? EVERY[1] : ONE[0];
      const context = `mcp__{server}__of_${name}`;
      const server = { command: 'npx', args: ['-y', `@example/${name}`] };
      const declarations = [{ ...event, context, priority: 'required' }];
      await world.write('of.json', JSON.stringify({ server, hooks: { declarations } }));
      const { err } = await world.run(
        `install of.json --yes --name ${name} --client ${IDS.join()}`,
        { env },
      );
      expect(err).toBe('');
    }
    const { out } = await world.run('verify', { env });
    const flat = out.replace(/\s+/g, ' ');
    expect(out.split('\n').filter((line) => /^\S/.test(line) && !line.includes(':'))).toEqual([
      'one and two',
      'three',
      '3 hooks do not fire in Codex CLI.',
    ]);
    expect(flat.split('mcp-hooks trust ')).toHaveLength(2);
    expect(flat).toContain('mcp-hooks trust one two three');
    expect(flat.split('warning: ')).toHaveLength(2);
    expect(flat).toContain('so the hooks call them "one", "two" and "three"');
  });

  test('in one client only, which verify and doctor name', async ({ world }) => {
    await world.write('annal.json', manifest({ ...ONE[0], context: 'x', priority: 'important' }));
    await world.run('install annal.json --yes --client claude-code,codex', { env });
    const { out } = await world.run('verify annal', { env });
    expect(out).toMatch(/\n1 hook does not fire in Codex CLI\.\n$/);
    const { out: doctor } = await world.run('doctor annal', { env });
    expect(doctor).toMatch(/^1 error, \d+ warnings?: a hook does not fire in Codex CLI\. /);
  });

  test('even if it is unknown which hooks an event has', async ({ world }) => {
    const hooks = [{ event: 'session_start' }, { event: 'pre_request' }];
    await installed(world, hooks, {}, ['--client', 'claude-code']);
    await world.remove(`${RUNNER}/claude-code.UserPromptSubmit.json`);
    const { code, out } = await world.run('verify annal', { env });
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/\n\nNot everything that is installed fires\.\n$/),
    });
    await world.remove(RUNNER);
    const gone = await world.run('verify annal', { env });
    expect(gone.out).toMatch(/\n\nNothing that is installed fires\.\n$/);
  });
});

describe.concurrent('bad input', () => {
  test.for<[string, RegExp]>([
    ['verify anal', /^anal is not installed in user scope\. Did you mean annal\?/],
    ['verify annal --client vim', /^There is no client "vim"/],
    ['verify annal --client gemini', /^annal is not installed here, in user scope\.\n$/],
    ['verify annal more', /^error: too many arguments/],
  ])('%s', async ([line, said], { world }) => {
    await installed(world, ONE);
    await world.run('uninstall annal --client gemini --yes', { env });
    const { code, out, err } = await world.run(line, { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(said);
  });
});
