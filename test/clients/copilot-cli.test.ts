// GitHub Copilot CLI, as far as it differs from the others: files of their own, payloads of several kinds, and events on which
// only the last hook's answer counts. What the real one does with it: test/real-clients.
import { existsSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import fc from 'fast-check';
import { describe } from 'vitest';
import { copilotCli } from '../../src/clients/copilot-cli/client.ts';
import { copilotCli as servers } from '../../src/clients/copilot-cli/servers.ts';
import type { ServerLook } from '../../src/clients/servers/servers.ts';
import { hookCommand } from '../../src/compile/command.ts';
import { type CompileOptions, compile } from '../../src/compile/compile.ts';
import { fit } from '../../src/diagnose/fire/matching.ts';
import type { JsonObject } from '../../src/edit/edit.ts';
import { env } from '../support/fired.ts';
import { manifest } from '../support/hooks.ts';
import { decides } from '../support/runner/logic.ts';
import { declare, type Hook } from '../support/runner/world.ts';
import { test, type World } from '../support/world.ts';

const PROMPT = 'userPromptTransformed';

const HOOKS = [
  { event: 'session_start', context: 'AT-START' },
  { event: 'pre_request', context: 'WITH-PROMPT' },
  { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, context: 'BEFORE' },
  { event: 'post_tool_use', matcher: { tool_server: 'my.notes' }, context: 'AFTER' },
  { event: 'post_request', context: 'NEXT' },
  { event: 'session_end', context: 'AT-END' },
].map((hook) => ({ ...hook, priority: 'important' }));

const install = async (world: World, label: string, ...flags: string[]) => {
  await world.write(`${label}.json`, manifest(...HOOKS));
  const line = `install ${label}.json --client copilot --yes`.split(' ');
  const { code, err } = await world.run([...line, ...flags], { env });
  if (code !== 0) throw new Error(err);
};

const OWN = '{"hooks":{"UserPromptSubmit":[{"command":"notify"}]}}';

describe.concurrent('its files', () => {
  test('each label has one, beside those of the user; all is as it was after', async ({
    world,
    expect,
  }) => {
    await world.write('~/.copilot/hooks/own.json', OWN);
    await world.write('~/.copilot/settings.json', '// mine\n{ "banner": "never", }\n');
    const before = await world.snapshot('~');
    await install(world, 'annal');
    await install(world, 'ledger');
    const { hooks } = JSON.parse(await world.read('~/.copilot/hooks/mcp-hooks.annal.json'));
    expect(
      Object.entries<{ matcher?: string }[]>(hooks).map(([event, entries]) => [
        event,
        ...entries.map(({ matcher }) => matcher ?? 'all'),
      ]),
    ).toEqual([
      ['SessionStart', 'all'],
      ['SubagentStart', 'all'],
      ['PreCompact', 'all'],
      ['userPromptTransformed', 'all'],
      ['PreToolUse', 'Bash'],
      ['PostToolUse', '^(?:my-notes-.*)$'],
      ['PostToolUseFailure', 'all'],
      ['Stop', 'all'],
    ]);
    expect(await world.read('~/.copilot/hooks/own.json')).toBe(OWN);
    const listed = await world.run('list', { env });
    expect(listed.out).toMatch(/annal[\s\S]*ledger/);
    const again = await world.run('install annal.json --client copilot --yes', { env });
    expect(again.out).toContain('Nothing to do');
    for (const label of ['annal', 'ledger'])
      expect((await world.run(`uninstall ${label} --yes`)).code).toBe(0);
    expect(await world.snapshot('~')).toEqual(before);
  });

  test('a changed declaration changes it, and no other', async ({ world, expect }) => {
    await install(world, 'annal');
    await install(world, 'ledger');
    const other = await world.read('~/.copilot/hooks/mcp-hooks.ledger.json');
    const less = HOOKS.filter(({ event }) => event !== 'pre_tool_use');
    await world.write('annal.json', manifest(...less));
    const told = await world.run('diff annal.json --client copilot', { env });
    expect(told.out).toMatch(/^-.*"PreToolUse"/m);
    expect((await world.run('update annal --yes', { env })).code).toBe(0);
    const changed = await world.read('~/.copilot/hooks/mcp-hooks.annal.json');
    expect(Object.keys(JSON.parse(changed).hooks)).not.toContain('PreToolUse');
    expect(await world.read('~/.copilot/hooks/mcp-hooks.ledger.json')).toBe(other);
  });

  test('a project has them in .github/hooks', async ({ world, expect }) => {
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await install(world, 'annal', '--scope', 'project');
    const { hooks } = JSON.parse(await world.read('.github/hooks/mcp-hooks.annal.json'));
    expect(hooks.Stop[0].command).toContain('copilot-cli.Stop.sh');
    await world.run('uninstall annal --yes --scope project');
    expect(Object.keys(await world.snapshot('.'))).not.toContain('.github');
  });
});

describe.concurrent('what is installed', () => {
  test('fires, by every recording and every hook', async ({ world, expect }) => {
    await install(world, 'annal');
    const { code, out } = await world.run('verify annal --json', { env });
    const { fires, verified } = JSON.parse(out);
    const failures = verified.flatMap(({ events }: { events: { hooks: object[] }[] }) =>
      events.flatMap(({ hooks }) => hooks.filter((hook) => 'failure' in hook)),
    );
    expect({ code, fires, failures }).toEqual({ code: 0, fires: true, failures: [] });
  });

  test.for([
    ['session_start', ['AT-START']],
    ['pre_request', ['WITH-PROMPT']],
    ['pre_tool_use', ['BEFORE']],
    ['post_request', ['NEXT']],
    ['session_end', ['AT-END']],
  ] as const)('%s is told', async ([event, texts], { world, expect }) => {
    await install(world, 'annal');
    const { out } = await world.run(`fire annal ${event} --json`, { env });
    for (const text of texts) expect(out).toContain(text);
  });
});

const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(`fixtures/events/copilot-cli/${name}.json`, 'utf8'));

describe.concurrent('a session', () => {
  /** What the runner prints for a recorded payload with changes. */
  const said = async (world: World, name: string, changes: object = {}) => {
    const [native = ''] = name.split('.');
    const payload = JSON.stringify({ ...recorded(name), ...changes });
    const stage = world.path(`~/.mcp-hooks/servers/annal/copilot-cli.${native}.sh`);
    const [shell, ...flags] = copilotCli.hookShell;
    const options = { input: payload, env: world.env(env), extendEnv: false };
    return (await execa(shell, [...flags, hookCommand(stage)], options)).stdout;
  };
  const START = HOOKS.slice(0, 1);
  const only = async (world: World, hooks: readonly object[]) => {
    await world.write('annal.json', manifest(...hooks));
    await world.run('install annal.json --client copilot --yes', { env });
  };

  test('is told at its start, and in each process that goes on with it', async ({
    world,
    expect,
  }) => {
    await only(world, START);
    const answer = JSON.parse(await said(world, 'SessionStart'));
    expect(answer.additionalContext).toContain('AT-START');
    expect(answer.hookSpecificOutput).toEqual({
      hookEventName: 'SessionStart',
      additionalContext: answer.additionalContext,
    });
    expect(await said(world, 'SessionStart')).toBe('');
    for (const timestamp of ['2026-11-22T12:00:00.001Z', '2026-11-22T12:00:00.002Z'])
      expect(await said(world, 'SessionStart.resume', { timestamp })).toContain('AT-START');
  });

  test('is told with the next prompt after a compaction, once', async ({ world, expect }) => {
    await only(world, START);
    const prompt = async (timestamp: number) => said(world, 'userPromptTransformed', { timestamp });
    expect(await prompt(1)).toBe('');
    expect(await said(world, 'PreCompact')).toBe('');
    const { modifiedTransformedPrompt: text } = JSON.parse(await prompt(2));
    expect(text.startsWith(`${recorded('userPromptTransformed').transformedPrompt}\n\n`)).toBe(
      true,
    );
    expect(text).toContain('AT-START');
    expect(await prompt(3)).toBe('');
  });

  test('tells its subagents at their start, and takes no task for a prompt', async ({
    world,
    expect,
  }) => {
    await only(world, HOOKS.slice(0, 2));
    expect(await said(world, 'SubagentStart')).toContain('AT-START');
    expect(await said(world, 'SubagentStart')).toBe('');
    expect(await said(world, 'SubagentStart', { agent_id: 'another' })).toContain('AT-START');
    expect(await said(world, 'userPromptTransformed.in-subagent')).toBe('');
    expect(await said(world, 'userPromptTransformed.escapes')).toContain('WITH-PROMPT');
  });
});

describe('what is declared', () => {
  const compiled = (hook: Hook, options: Partial<CompileOptions> = {}) =>
    compile(declare([hook]), copilotCli, { runner: '/r', state: '/s', ...options });

  test.for<[Hook, string, object, Partial<CompileOptions>?]>([
    [
      { event: 'session_start' },
      'exact',
      { SessionStart: 'tell', SubagentStart: 'tell', PreCompact: 'mark', [PROMPT]: 'tell' },
    ],
    [{ event: 'pre_request' }, 'exact', { [PROMPT]: 'tell' }],
    [{ event: 'pre_tool_use' }, 'late', { PreToolUse: 'tell' }],
    [{ event: 'post_tool_use' }, 'exact', { PostToolUse: 'tell', PostToolUseFailure: 'tell' }],
    [{ event: 'post_request' }, 'late', { [PROMPT]: 'tell', Stop: 'mark' }],
    [{ event: 'post_request' }, 'exact', { Stop: 'ask' }, { actNow: true }],
    [{ event: 'session_end' }, 'adapted', { Stop: 'ask' }],
    [{ event: 'session_end' }, 'none', {}, { extraTurns: false }],
  ])('%j is %s, by %j %j', ([hook, grade, on, options], { expect }) => {
    const { hooks, program } = compiled(hook, options);
    const acts = Object.entries(program.events).map(
      ([
        native,
        {
          hooks: [first],
        },
      ]) => [native, first?.act],
    );
    expect([hooks[0]?.grade, Object.fromEntries(acts)]).toEqual([grade, on]);
  });

  const names = fc.string({ unit: fc.constantFrom(...'ab_-.'), minLength: 1, maxLength: 40 });

  test('is told of whatever tool of a server it names, as the client writes its name', ({
    expect,
  }) => {
    fc.assert(
      fc.property(names, names, fc.boolean(), (server, tool, byServer) => {
        const native = `${server}-${tool}`.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64);
        const matcher = byServer
          ? { tool_server: server }
          : { tool_name: `mcp__${server}__${tool}` };
        const { groups, program } = compiled({ event: 'pre_tool_use', matcher });
        const [placed] = groups;
        const payload = { ...recorded('PreToolUse'), tool_name: native };
        const entry = {
          client: copilotCli,
          native: 'PreToolUse',
          matcher: String(placed?.group.matcher ?? ''),
        };
        const [hook] = program.events.PreToolUse?.hooks ?? [];
        expect([native, fit(entry, payload).fits]).toEqual([native, true]);
        expect([native, hook && decides(program, hook, payload)]).toEqual([native, true]);
      }),
      { numRuns: 300 },
    );
  });

  test('is told of no other tool', ({ expect }) => {
    const matcher = { tool_name: 'mcp__annal__add' };
    const { program } = compiled({ event: 'pre_tool_use', matcher });
    const [hook] = program.events.PreToolUse?.hooks ?? [];
    const wanted = (tool_name: string) =>
      hook && decides(program, hook, { ...recorded('PreToolUse'), tool_name });
    expect(['annal-add', 'annal-added', 'other-add', 'add', 'Bash'].filter(wanted)).toEqual([
      'annal-add',
    ]);
  });
});

describe('its matchers', () => {
  const fits = (matcher: string, tool_name: string) =>
    fit({ client: copilotCli, native: 'PreToolUse', matcher }, { tool_name }).fits;

  test.for([
    ['Bash', 'Bash', true],
    ['bash|Read', 'Bash', true],
    ['.*ash', 'Bash', true],
    ['as', 'Bash', false],
    ['annal-.*', 'annal-lookup', true],
    ['lookup', 'annal-lookup', false],
    ['*', 'annal-lookup', true],
  ] as const)('%s for %s: %s', ([matcher, tool, expected], { expect }) => {
    expect(fits(matcher, tool)).toBe(expected);
  });
});

describe.concurrent('doctor', () => {
  test.for(['.claude/settings.json', '.github/copilot/settings.json'])(
    'says that %s switches all hooks off',
    async (file, { world, expect }) => {
      await world.write('.git/HEAD', 'ref: refs/heads/main\n');
      await install(world, 'annal');
      const well = await world.run('doctor --json', { env });
      await world.write(file, '{ "disableAllHooks": true }');
      const { code, out } = await world.run('doctor --json', { env });
      const findings = (text: string): { check: string; level: string; about: string }[] =>
        JSON.parse(text).findings.filter(
          ({ check, level }: { check: string; level: string }) =>
            check === 'hooks-on' && level === 'error',
        );
      expect(findings(well.out)).toEqual([]);
      expect(findings(out)).toHaveLength(1);
      expect(code).toBe(1);
    },
  );
});

describe.concurrent('its servers', () => {
  const look = (world: World): ServerLook => ({
    env: {},
    home: world.home,
    cwd: world.work,
    platform: 'linux',
    document: (path) =>
      existsSync(path) ? JSON.parse(readFileSync(path, 'utf8').replace(/^\/\/.*$/gm, '')) : {},
  });
  const files = (world: World) =>
    servers
      .files(look(world))
      .map(({ path, scope }) => `${scope} ${path.replace(world.root, '')}`)
      .filter((file) => /home|desk/.test(file));

  test("stand in the user's file and in one of the folder", async ({ world, expect }) => {
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await world.write('.mcp.json', '{}');
    const user = 'user /home/ann/.copilot/mcp-config.json';
    // Nobody uses it here: that file is another client's.
    expect(files(world)).toEqual(['project /desk/.github/mcp.json', user]);
    await world.folder('~/.copilot');
    expect(files(world)).toEqual(['project /desk/.mcp.json', user]);
  });

  test('of the folder are started where the user trusts it, or a folder above', async ({
    world,
    expect,
  }) => {
    const [file] = servers.files(look(world));
    const approved = () => file && servers.approved?.('annal', file, look(world));
    expect(approved()).toBe(false);
    for (const [folder, isTrusted] of [
      [world.work, true],
      [world.root, true],
      [world.home, false],
    ] as const) {
      const trusted = JSON.stringify({ trustedFolders: [folder] });
      await world.write('~/.copilot/config.json', `// Do not edit.\n${trusted}`);
      expect([folder, approved()]).toEqual([folder, isTrusted]);
    }
  });

  test('may be switched off in their entry, and by name', async ({ world, expect }) => {
    const [file] = servers.files(look(world));
    const why = (entry: JsonObject, name = 'annal') =>
      file && servers.switchedOff(entry, name, file, look(world));
    expect(why({ enabled: false })).toBeUndefined();
    expect(why({ disabled: true })).toBe('it has "disabled": true');
    await world.write('~/.copilot/settings.json', '{"disabledMcpServers":["annal"]}');
    expect(why({})).toContain('copilot mcp disable');
    expect(why({}, 'Annal')).toBeUndefined();
  });
});
