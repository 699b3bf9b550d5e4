// Cursor, where it differs from the others, according to its pages. It was not run.
import { describe } from 'vitest';
import { env } from '../../support/fired.ts';
import { manifest } from '../../support/hooks.ts';
import { fired, installHooks } from '../../support/installed-client.ts';
import { test, type World } from '../../support/world.ts';

const FILE = '~/.cursor/hooks.json';
const said = (answers: readonly object[], ...texts: string[]) =>
  texts.map((text) => answers.filter((one) => JSON.stringify(one).includes(text)).length);

describe.concurrent("Cursor's file", () => {
  test('gets flat entries, and a version if it is new', async ({ world, expect }) => {
    await installHooks(world, 'cursor', [
      { event: 'session_start', context: 'Hello.' },
      { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'After.' },
      { event: 'post_tool_use', matcher: { tool_name: 'mcp__notes__add' }, context: 'Noted.' },
    ]);
    const { version, hooks } = JSON.parse(await world.read(FILE));
    expect(version).toBe(1);
    expect(Object.keys(hooks)).toEqual(['sessionStart', 'postToolUse']);
    expect(hooks.postToolUse).toEqual([
      {
        matcher: '^(?:MCP:add|Shell)$',
        command: expect.stringContaining('/annal/cursor.postToolUse.sh'),
        timeout: 15,
      },
    ]);
    expect(hooks.sessionStart).toEqual([
      { command: expect.stringContaining('# mcp-hooks: annal'), timeout: 15 },
    ]);
  });

  test('keeps what is there, to the byte', async ({ world, expect }) => {
    const mine =
      '{"version": 1,\n "hooks": {"stop": [ {"command":"./x.sh", "loop_limit": null} ],\n  "afterFileEdit": []} }';
    await world.write(FILE, mine);
    await installHooks(world, 'cursor', [{ event: 'post_request', context: 'Next.' }]);
    const { hooks } = JSON.parse(await world.read(FILE));
    expect(hooks.stop).toHaveLength(2);
    await world.run('uninstall annal --yes', { env });
    expect(await world.read(FILE)).toBe(mine);
  });

  test('of a project is .cursor/hooks.json', async ({ world, expect }) => {
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await installHooks(
      world,
      'cursor',
      [{ event: 'session_start', context: 'Hello.' }],
      ['--scope', 'project'],
    );
    expect(JSON.parse(await world.read('.cursor/hooks.json')).hooks).toHaveProperty('sessionStart');
    await world.run('uninstall annal --yes --scope project', { env });
    expect(Object.keys(await world.snapshot('.'))).not.toContain('.cursor');
  });

  test.for([
    ['an event that it does not know', '{"version":1,"hooks":{"sessionStarted":[]}}'],
    [
      'an address in a command',
      '{"version":1,"hooks":{"stop":[{"command":"curl https://example.com"}]}}',
    ],
    ['a command of the wrong type', '{"version":1,"hooks":{"stop":[{"command":5}]}}'],
    ['a version of the wrong type', '{"version":"1","hooks":{}}'],
    ['hooks that are not an object', '{"version":1,"hooks":[]}'],
    ['a comment', '{"version":1} // mine'],
  ] as const)(
    'is left alone, and doctor shows why, with %s',
    async ([, text], { world, expect }) => {
      const hook = { event: 'session_start', context: 'Hello.', priority: 'important' };
      await world.write('annal.json', manifest(hook));
      await world.write(FILE, text);
      const { code, err, out } = await world.run('install annal.json --client cursor --yes', {
        env,
      });
      expect([code, `${out}${err}`.includes('hooks.json')]).toEqual([2, true]);
      expect(await world.read(FILE)).toBe(text);
      const doctor = await world.run('doctor --json', { env });
      const { findings } = JSON.parse(doctor.out);
      expect(findings).toContainEqual(
        expect.objectContaining({
          check: expect.stringMatching(/^settings-(?:readable|valid)$/),
          level: 'warning',
          about: 'Cursor',
        }),
      );
    },
  );

  test('is used even if it has an entry of another shape', async ({ world }) => {
    const entry = { hooks: [{ type: 'command', command: 'x' }] };
    await world.write(FILE, JSON.stringify({ version: 1, hooks: { stop: [entry] } }));
    await installHooks(world, 'cursor', [{ event: 'session_start', context: 'Hello.' }]);
  });
});

describe.concurrent('what the model reads', () => {
  test('with a prompt comes with the result of the next call, once', async ({ world, expect }) => {
    await installHooks(world, 'cursor', [{ event: 'pre_request', context: 'With prompt.' }]);
    const fire = (native: string, changes = {}) => fired(world, 'cursor', native, native, changes);
    expect(await fire('postToolUse')).toEqual([]);
    expect(await fire('beforeSubmitPrompt')).toEqual([]);
    expect(said(await fire('postToolUse', { tool_use_id: '1' }), 'With prompt.')).toEqual([1]);
    expect(await fire('postToolUse', { tool_use_id: '2' })).toEqual([]);
    expect(await fire('beforeSubmitPrompt', { generation_id: 'g2' })).toEqual([]);
    expect(said(await fire('postToolUse', { tool_use_id: '3' }), 'With prompt.')).toEqual([1]);
  });

  test('does not come for a request of a hook, which is not a prompt', async ({
    world,
    expect,
  }) => {
    await installHooks(world, 'cursor', [{ event: 'pre_request', context: 'With prompt.' }]);
    await fired(world, 'cursor', 'beforeSubmitPrompt', 'beforeSubmitPrompt.followup');
    expect(await fired(world, 'cursor', 'postToolUse', 'postToolUse')).toEqual([]);
  });

  test('at the end of a turn is asked for once, not after a turn of its own', async ({
    world,
    expect,
  }) => {
    const hooks = [{ event: 'post_request', context: 'Anything?' }];
    await installHooks(world, 'cursor', hooks, ['--act-now']);
    const [answer] = await fired(world, 'cursor', 'stop', 'stop');
    expect(answer).toEqual({ followup_message: expect.stringContaining('Anything?') });
    expect(await fired(world, 'cursor', 'stop', 'stop.after-block')).toEqual([]);
    const another = { generation_id: 'g2' };
    expect(await fired(world, 'cursor', 'stop', 'stop', another)).toHaveLength(1);
  });

  test('after a failed call comes with the next result, of any tool', async ({ world, expect }) => {
    const hook = {
      event: 'tool_error',
      matcher: { tool_name: 'Bash', input_contains: 'git commit' },
      context: 'It failed.',
    };
    const declarations = [{ priority: 'important', ...hook }];
    await world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
    await world.run('install annal.json --client cursor --yes', { env });
    const fire = (payload: string, changes = {}) =>
      fired(world, 'cursor', payload.split('.')[0] ?? '', payload, changes);
    expect(await fire('postToolUseFailure.mcp')).toEqual([]);
    expect(await fire('postToolUse.mcp', { tool_use_id: '1' })).toEqual([]);
    expect(await fire('postToolUseFailure', { tool_use_id: '2' })).toEqual([]);
    const then = await fire('postToolUse.mcp', { tool_use_id: '3' });
    expect(said(then, 'It failed.')).toEqual([1]);
    expect(await fire('postToolUse.mcp', { tool_use_id: '4' })).toEqual([]);
  });

  test('of a server comes with tools of any server, and the plan says so', async ({
    world,
    expect,
  }) => {
    const hook = { event: 'post_tool_use', matcher: { tool_server: 'notes' }, context: 'Noted.' };
    const plan = await installHooks(world, 'cursor', [hook]);
    expect(plan.replace(/\s+/g, ' ')).toContain('In Cursor, a call does not name its server');
    expect(await fired(world, 'cursor', 'postToolUse', 'postToolUse')).toEqual([]);
    const mcp = await fired(world, 'cursor', 'postToolUse', 'postToolUse.mcp');
    expect(said(mcp, 'Noted.')).toEqual([1]);
  });

  test('of a subagent comes with the result of its call', async ({ world, expect }) => {
    const declarations = [{ event: 'subagent_end', context: 'It is done.', priority: 'important' }];
    await world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
    await world.run('install annal.json --client cursor --yes', { env });
    expect(await fired(world, 'cursor', 'postToolUse', 'postToolUse')).toEqual([]);
    const task = await fired(world, 'cursor', 'postToolUse', 'postToolUse.task');
    expect(said(task, 'It is done.')).toEqual([1]);
  });
});

describe.concurrent("Claude Code's hooks, which Cursor may also run,", () => {
  const hooks = [{ event: 'post_tool_use', context: 'After.' }];
  const inCursor = { CURSOR_VERSION: '3.0.0', CURSOR_PROJECT_DIR: '/home/dev/shop' };
  const clients = async (world: World, ...ids: string[]) => {
    for (const id of ids) await installHooks(world, id, hooks);
  };
  const both = async (world: World) => [
    ...(await fired(world, 'cursor', 'postToolUse', 'postToolUse', {}, inCursor)),
    ...(await fired(world, 'claude-code', 'PostToolUse', 'PostToolUse', {}, inCursor)),
  ];

  test('show nothing in Cursor if it has its own', async ({ world, expect }) => {
    await clients(world, 'claude-code', 'cursor');
    expect(said(await both(world), 'After.')).toEqual([1]);
    const { out } = await world.run('doctor --json', { env });
    expect(out).not.toContain('Cursor is on this machine and runs its hooks');
  });

  test('show their text in Cursor if it has none', async ({ world, expect }) => {
    await clients(world, 'claude-code');
    expect(said(await both(world), 'After.')).toEqual([1]);
    await world.folder('~/.cursor');
    const { out } = await world.run('doctor --json', { env });
    expect(out).toContain('Cursor is on this machine and runs its hooks');
  });
});

test('Grok Build, which also runs the hooks of Claude Code, gets a text once', async ({
  world,
  expect,
}) => {
  const inGrok = { GROK_SESSION_ID: 'abc' };
  const hooks = [{ event: 'post_tool_use', context: 'After.' }];
  const shown = async (...ids: readonly (readonly [string, string])[]) => {
    const all = await Promise.all(
      ids.map(([id, event]) =>
        fired(world, id, event, event, { tool_use_id: `${ids.length}` }, inGrok),
      ),
    );
    return said(all.flat(), 'After.');
  };
  await installHooks(world, 'cursor', hooks);
  expect(await shown(['cursor', 'postToolUse'])).toEqual([1]);
  await installHooks(world, 'claude-code', hooks);
  const both = [
    ['cursor', 'postToolUse'],
    ['claude-code', 'PostToolUse'],
  ] as const;
  expect(await shown(...both)).toEqual([1]);
});

describe.concurrent('hand-written hooks', () => {
  test('are imported', async ({ world, expect }) => {
    const hooks = {
      sessionStart: [{ command: `printf '{"additional_context":"Use pnpm."}'` }],
      preToolUse: [
        {
          matcher: 'Shell',
          command: `echo '{"permission":"deny","agent_message":"No pushes."}'`,
        },
      ],
      postToolUse: [{ matcher: 'MCP:add_note|Write', command: 'notes add', timeout: 5 }],
      beforeShellExecution: [{ command: './audit.sh' }],
    };
    await world.write(FILE, JSON.stringify({ version: 1, hooks }));
    const { code, out } = await world.run('import --json --client cursor', { env });
    expect([code, out]).toEqual([0, expect.stringContaining('Use pnpm.')]);
    const { manifest } = JSON.parse(out);
    expect(manifest?.hooks?.declarations ?? out).toMatchObject([
      { event: 'session_start', context: 'Use pnpm.' },
      { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, block: 'No pushes.' },
      {
        event: 'post_tool_use',
        matcher: { tool_name: '{mcp__*__add_note,Write}' },
        command: ['notes', 'add'],
      },
    ]);
  });
});

test("Cursor's servers and hooks belong to one client", async ({ world, expect }) => {
  const server = { command: 'node', args: ['server.mjs'] };
  await world.write('~/.cursor/mcp.json', JSON.stringify({ mcpServers: { notes: server } }));
  const { out } = await world.run('scan --json', { env });
  expect(out).toContain('notes');
  const plan = await installHooks(world, 'cursor', [
    { event: 'post_tool_use', matcher: { tool_name: 'mcp__nodes__add' }, context: 'Hello.' },
  ]);
  expect(plan.replace(/\s+/g, ' ')).toMatch(/mcp__nodes__add/);
});
