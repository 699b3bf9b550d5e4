// VS Code, where it differs from the others, according to its pages: it was not run. It has its hooks in GitHub Copilot CLI's
// folder, and also runs those of GitHub Copilot CLI and of Claude Code.
import { describe } from 'vitest';
import { env } from '../../support/fired.ts';
import { fired, installHooks } from '../../support/installed-client.ts';
import { test, type World } from '../../support/world.ts';

const FILE = '~/.copilot/hooks/mcp-hooks.annal.json';
const HOOKS = [
  { event: 'session_start', context: 'Hello.' },
  { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'After.' },
];
const said = (answers: readonly object[], text: string): number =>
  answers.filter((one) => JSON.stringify(one).includes(text)).length;

/** The clients that have entries in the file, by event. */
async function entries(world: World): Promise<Record<string, string[]>> {
  const { hooks } = JSON.parse(await world.read(FILE));
  return Object.fromEntries(
    Object.entries<{ command: string }[]>(hooks).map(([event, all]) => [
      event,
      all.map(({ command }) => /annal\/([a-z-]+)\./.exec(command)?.[1] ?? 'none'),
    ]),
  );
}
const owners = async (world: World) => [...new Set(Object.values(await entries(world)).flat())];

describe.concurrent('the file that it shares with GitHub Copilot CLI', () => {
  test('has entries without matchers for VS Code', async ({ world, expect }) => {
    await installHooks(world, 'vs-code', HOOKS);
    const { hooks } = JSON.parse(await world.read(FILE));
    expect(hooks.PostToolUse).toEqual([
      {
        type: 'command',
        command: expect.stringContaining('/annal/vs-code.PostToolUse.sh'),
        timeout: 15,
      },
    ]);
    expect(Object.keys(hooks)).toEqual([
      'SessionStart',
      'SubagentStart',
      'PreCompact',
      'PreToolUse',
      'PostToolUse',
    ]);
  });

  for (const [first, second] of [
    ['vs-code', 'copilot-cli'],
    ['copilot-cli', 'vs-code'],
  ] as const) {
    test(`is right for both: ${first}, then ${second}`, async ({ world, expect }) => {
      const before = await world.snapshot('~');
      await installHooks(world, first, HOOKS);
      const alone = await world.read(FILE);
      await installHooks(world, second, HOOKS);
      expect((await owners(world)).toSorted()).toEqual(['copilot-cli', 'vs-code']);
      const both = await world.read(FILE);

      // Another install changes nothing.
      for (const id of [first, second, `${first},${second}`]) {
        const again = await world.run(`install annal.json --client ${id} --yes`, { env });
        expect([id, again.code, again.out]).toEqual([
          id,
          0,
          expect.stringContaining('Nothing to do'),
        ]);
      }
      const { installed } = JSON.parse((await world.run('list --json', { env })).out);
      const states = installed[0].clients.map(({ id, state }: Record<string, string>) => [
        id,
        state,
      ]);
      expect(Object.fromEntries(states)).toEqual({ 'copilot-cli': 'intact', 'vs-code': 'intact' });
      expect((await world.run('verify annal', { env })).code).toBe(0);
      expect(await world.read(FILE)).toBe(both);

      // The entries of one client are removed, and those of the other stay.
      await world.run(`uninstall annal --client ${second} --yes`, { env });
      expect(await owners(world)).toEqual([first]);
      expect(await world.read(FILE)).toBe(alone);
      await installHooks(world, second, HOOKS);
      await world.run(`uninstall annal --client ${first} --yes`, { env });
      expect(await owners(world)).toEqual([second]);
      await world.run('uninstall annal --yes', { env });
      expect(await world.snapshot('~')).toEqual(before);
    });
  }

  test('follows a changed declaration in both', async ({ world, expect }) => {
    await installHooks(world, 'vs-code,copilot-cli', HOOKS);
    const declarations = HOOKS.slice(1).map((hook) => ({ priority: 'important', ...hook }));
    await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
    expect((await world.run('update annal --yes', { env })).code).toBe(0);
    expect(await entries(world)).toEqual({
      PostToolUse: ['vs-code', 'copilot-cli'],
      PostToolUseFailure: ['copilot-cli'],
    });
  });

  test('may have belonged to the other client alone before it was shared', async ({
    world,
    expect,
  }) => {
    await installHooks(world, 'copilot-cli', HOOKS);
    const ledger = '~/.mcp-hooks/ledger.json';
    const text = await world.read(ledger);
    expect(text).toContain('"copilot-cli/annal"');
    await world.write(ledger, text.replaceAll('"copilot-cli/annal"', '"annal"'));
    await installHooks(world, 'vs-code', HOOKS);
    expect((await owners(world)).toSorted()).toEqual(['copilot-cli', 'vs-code']);
    await world.run('uninstall annal --yes', { env });
    expect(Object.keys(await world.snapshot('~'))).not.toContain(
      '.copilot/hooks/mcp-hooks.annal.json',
    );
  });

  test('is in .github/hooks in a project', async ({ world, expect }) => {
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await installHooks(world, 'vs-code', HOOKS, ['--scope', 'project']);
    expect(await world.read('.github/hooks/mcp-hooks.annal.json')).toContain('vs-code.PostToolUse');
    await world.run('uninstall annal --yes --scope project', { env });
    expect(Object.keys(await world.snapshot('.'))).not.toContain('.github');
  });
});

test('VS Code is found by its own folder, not by that of GitHub Copilot CLI', async ({
  world,
  expect,
}) => {
  const found = async () => (await world.run('install annal.json --dry-run', { env })).out;
  const declarations = [{ event: 'session_start', context: 'Hello.', priority: 'important' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  await world.folder('~/.copilot');
  expect(await found()).toMatch(/^Not found: (?:.*\n {2})*.*VS\s+Code/m);
  await world.folder('~/.config/Code/User');
  expect(await found()).not.toMatch(/^Not found: (?:.*\n {2})*.*VS\s+Code/m);
});

test('hooks for VS Code are no sign of GitHub Copilot CLI, but its own hooks are', async ({
  world,
  expect,
}) => {
  const clients = async () => {
    const { out } = await world.run('install annal.json --dry-run --json', { env });
    return JSON.parse(out).clients.map(({ id }: { id: string }) => id);
  };
  const declarations = [{ event: 'session_start', context: 'Hello.', priority: 'important' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  await world.folder('~/.config/Code/User');
  await world.run('install annal.json --yes', { env });
  expect(await clients()).toEqual(['vs-code']);
  await world.run('install annal.json --yes --client copilot-cli', { env });
  expect(await clients()).toEqual(['copilot-cli', 'vs-code']);
  await world.run('uninstall annal --yes --client copilot-cli', { env });
  expect(await clients()).toEqual(['vs-code']);
  await world.write('~/.copilot/config.json', '{}');
  expect(await clients()).toEqual(['copilot-cli', 'vs-code']);
});

describe.concurrent('doctor finds', () => {
  const SETTINGS = '~/.config/Code/User/settings.json';
  const WORKSPACE = '.vscode/settings.json';

  /** Whether hooks fire in each client, and the settings that keep them from it. */
  async function doctor(world: World) {
    const { out } = await world.run('doctor --json', { env });
    const { status, findings } = JSON.parse(out);
    const where = findings
      .filter(
        ({ check, level }: Record<string, string>) => check === 'hooks-on' && level === 'error',
      )
      .map((one: { where: string }) => one.where);
    return {
      fires: Object.fromEntries(
        status.map(({ client, fires }: Record<string, unknown>) => [client, fires]),
      ),
      where,
    };
  }
  const FIRES = { fires: { 'copilot-cli': true, 'vs-code': true }, where: [] };
  const off = (world: World, file: string) => ({
    fires: { 'copilot-cli': true, 'vs-code': false },
    where: [world.path(file)],
  });

  test('the settings that switch hooks off', async ({ world, expect }) => {
    await installHooks(world, 'copilot-cli,vs-code', HOOKS);
    expect(await doctor(world)).toEqual(FIRES);
    await world.write(SETTINGS, '{\n  // mine\n  "chat.useHooks": false,\n}\n');
    expect(await doctor(world)).toEqual(off(world, SETTINGS));
    await world.write(WORKSPACE, '{ "chat.useHooks": true }');
    expect(await doctor(world)).toEqual(FIRES);
    await world.remove(SETTINGS);
    await world.write(WORKSPACE, '{ "chat.useHooks": false }');
    expect(await doctor(world)).toEqual(off(world, WORKSPACE));
  });

  test('hooks that they switch off are not imported', async ({ world, expect }) => {
    const hook = { type: 'command', command: 'say one' };
    const text = JSON.stringify({ hooks: { UserPromptSubmit: [hook] } });
    await world.write('~/.copilot/hooks/mine.json', text);
    await world.write('.github/hooks/ours.json', text);
    const reasons = async () => {
      const { out } = await world.run('import --client vs-code --json');
      return JSON.parse(out).entries.map(
        ({ leftOut }: { leftOut?: { message: string } }) => leftOut?.message,
      );
    };
    const switchedOff = "it is switched off: VS Code's setting chat.useHooks is false";
    expect(await reasons()).toEqual([undefined, undefined]);
    // The workspace's settings are not about the user's hooks, which run elsewhere.
    await world.write(WORKSPACE, '{ "chat.useHooks": false }');
    expect(await reasons()).toEqual([undefined, switchedOff]);
    await world.write(SETTINGS, '{ "chat.useHooks": false }');
    expect(await reasons()).toEqual([switchedOff, switchedOff]);
    await world.write(WORKSPACE, '{ "chat.useHooks": true }');
    expect(await reasons()).toEqual([switchedOff, undefined]);
    await world.remove(WORKSPACE);
    await world.write(SETTINGS, '{ "chat.hookFilesLocations": { "~/.copilot/hooks": false } }');
    expect(await reasons()).toEqual([
      "it is switched off: VS Code's setting chat.hookFilesLocations excludes ~/.copilot/hooks",
      undefined,
    ]);
  });

  test('the folder of hooks excluded', async ({ world, expect }) => {
    await installHooks(world, 'copilot-cli,vs-code', HOOKS);
    for (const key of ['~/.copilot/hooks', '~/.copilot/hooks/', FILE]) {
      const excluding = JSON.stringify({ 'chat.hookFilesLocations': { [key]: false } });
      await world.write(SETTINGS, excluding);
      expect([key, await doctor(world)]).toEqual([key, off(world, SETTINGS)]);
    }
    await world.write(
      WORKSPACE,
      JSON.stringify({
        'chat.hookFilesLocations': { [FILE]: true, '.claude/settings.json': false },
      }),
    );
    expect(await doctor(world)).toEqual(FIRES);
  });

  test('the folder of a project excluded', async ({ world, expect }) => {
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await installHooks(world, 'vs-code', HOOKS, ['--scope', 'project']);
    await world.write(
      SETTINGS,
      JSON.stringify({
        'chat.hookFilesLocations': { '.github/hooks': false, '~/.copilot/hooks': false },
      }),
    );
    expect(await doctor(world)).toMatchObject({ where: [world.path(SETTINGS)] });
  });
});

describe.concurrent('what the model reads', () => {
  const inVsCode = async (world: World, event: string, changes = {}, file = event) => {
    const said: object[] = [];
    // VS Code also runs the hooks of the others, with the same payload.
    for (const id of ['vs-code', 'copilot-cli', 'claude-code'])
      said.push(...(await fired(world, id, event, file, changes, {}, 'vs-code')));
    return said;
  };

  test('is shown once if several clients have the hooks', async ({ world, expect }) => {
    await installHooks(world, 'claude-code,copilot-cli,vs-code', HOOKS);
    expect(said(await inVsCode(world, 'SessionStart'), 'Hello.')).toBe(1);
    expect(said(await inVsCode(world, 'PostToolUse'), 'After.')).toBe(1);
    // Nothing is shown for another tool, although VS Code ignores matchers.
    expect(await inVsCode(world, 'PostToolUse', {}, 'PostToolUse.mcp')).toEqual([]);
  });

  test('comes from the hooks of another client if VS Code has none', async ({ world, expect }) => {
    await installHooks(world, 'claude-code', HOOKS);
    expect(said(await inVsCode(world, 'SessionStart'), 'Hello.')).toBe(1);
  });

  test('is shown once if VS Code has none, and two others have', async ({ world, expect }) => {
    await installHooks(world, 'claude-code,copilot-cli', HOOKS);
    expect(said(await inVsCode(world, 'SessionStart'), 'Hello.')).toBe(1);
    const inCopilot = { COPILOT_CLI: '1' };
    const other = { session_id: 'other' };
    const own = await fired(world, 'copilot-cli', 'SessionStart', 'SessionStart', other, inCopilot);
    expect(said(own, 'Hello.')).toBe(1);
  });

  test('is not shown by the runner for VS Code in GitHub Copilot CLI', async ({
    world,
    expect,
  }) => {
    await installHooks(world, 'copilot-cli,vs-code', HOOKS);
    const inCopilot = { COPILOT_CLI: '1' };
    for (const [event, text] of [
      ['SessionStart', 'Hello.'],
      ['PostToolUse', 'After.'],
    ] as const) {
      const own = await fired(world, 'copilot-cli', event, event, {}, inCopilot);
      expect(said(own, text)).toBe(1);
      const others = await fired(world, 'vs-code', event, event, {}, inCopilot, 'copilot-cli');
      expect(others).toEqual([]);
    }
  });

  test('with a prompt comes with the next call, once', async ({ world, expect }) => {
    await installHooks(world, 'vs-code', [{ event: 'pre_request', context: 'With prompt.' }]);
    const fire = (event: string, changes = {}) => fired(world, 'vs-code', event, event, changes);
    expect(await fire('PreToolUse')).toEqual([]);
    expect(await fire('UserPromptSubmit')).toEqual([]);
    expect(said(await fire('PreToolUse', { tool_use_id: '1' }), 'With prompt.')).toBe(1);
    expect(await fire('PreToolUse', { tool_use_id: '2' })).toEqual([]);
  });

  test("at the end of a turn is asked for in VS Code's own shape", async ({ world, expect }) => {
    await installHooks(
      world,
      'vs-code',
      [{ event: 'post_request', context: 'Anything?' }],
      ['--act-now'],
    );
    const [answer] = await fired(world, 'vs-code', 'Stop', 'Stop');
    expect(answer).toEqual({
      hookSpecificOutput: {
        hookEventName: 'Stop',
        decision: 'block',
        reason: expect.stringContaining('Anything?'),
      },
    });
    expect(await fired(world, 'vs-code', 'Stop', 'Stop.after-block')).toEqual([]);
  });

  test('about a server comes for its tools, as VS Code names them', async ({ world, expect }) => {
    const hook = { event: 'post_tool_use', matcher: { tool_server: 'tiny' }, context: 'Noted.' };
    await installHooks(world, 'vs-code', [hook]);
    expect(await fired(world, 'vs-code', 'PostToolUse', 'PostToolUse')).toEqual([]);
    const mcp = await fired(world, 'vs-code', 'PostToolUse', 'PostToolUse.mcp');
    expect(said(mcp, 'Noted.')).toBe(1);
    const long = { ...hook, matcher: { tool_server: 'a-server-with-a-long-name' } };
    const plan = await installHooks(world, 'vs-code', [long]);
    expect(plan.replace(/\s+/g, ' ')).toContain('VS Code');
    const json = await world.run('diff annal.json --client vs-code --json', { env });
    expect(JSON.parse(json.out).clients[0].hooks[0].grade).toBe('none');
  });
});

test('hand-written hooks are imported', async ({ world, expect }) => {
  const command = `echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"Use pnpm."}}'`;
  const hooks = { SessionStart: [{ type: 'command', command }] };
  await world.write('~/.copilot/hooks/mine.json', JSON.stringify({ hooks }));
  const { code, out } = await world.run('import --json --client vs-code', { env });
  expect([code, out]).toEqual([0, expect.stringContaining('Use pnpm.')]);
});

test('doctor names what shows that VS Code is used', async ({ world, expect }) => {
  const home = { ...env, PATH: world.bin, VSCODE_PORTABLE: world.path('~/portable') };
  await world.folder('~/portable/user-data/User');
  const hook = { event: 'pre_request', context: 'Hello.', priority: 'suggestion' };
  await world.write('annal.json', JSON.stringify({ hooks: { declarations: [hook] } }));
  await world.run('install annal.json --yes --client claude-code', { env: home });
  const { out } = await world.run('doctor', { env: home });
  const text = out.replaceAll(/\s+/g, ' ');
  expect(text).toContain('found ~/portable/user-data/User, but no hooks are installed for VS Code');
  expect(text).toContain(
    'To remove the hooks of claude-code: mcp-hooks uninstall --all --client claude-code ',
  );
});

test('verify says that the hooks are untested, and doctor where they are', async ({
  world,
  expect,
}) => {
  const hook = { event: 'pre_request', context: 'Hello.', priority: 'suggestion' };
  await world.write('annal.json', JSON.stringify({ hooks: { declarations: [hook] } }));
  await world.run('install annal.json --yes --client vs-code --scope project', { env });
  const verified = await world.run('verify annal --scope project', { env });
  expect(verified).toMatchObject({
    code: 0,
    out: expect.stringContaining('Untested in VS Code: based on its documentation.'),
  });
  const { out } = await world.run('doctor', { env: { ...env, PATH: world.bin } });
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'mcp-hooks uninstall --all --client vs-code --scope project',
  );
});

// https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
test('a server that is added has the type that its page asks for', async ({ world, expect }) => {
  const servers = [{ command: 'notes', args: ['--all'] }, { url: 'https://notes.example/mcp' }];
  const entries = [];
  for (const server of servers) {
    const hooks = { declarations: HOOKS.map((hook) => ({ ...hook, priority: 'suggestion' })) };
    await world.write('m.json', JSON.stringify({ name: 'notes', server, hooks }));
    await world.run('install m.json --client vs-code --scope project --with-server --yes');
    entries.push(JSON.parse(await world.read('.vscode/mcp.json')).servers.notes);
    await world.run('uninstall notes --scope project --yes');
  }
  expect(entries).toEqual([
    { type: 'stdio', command: 'notes', args: ['--all'] },
    { type: 'http', url: 'https://notes.example/mcp' },
  ]);
});
