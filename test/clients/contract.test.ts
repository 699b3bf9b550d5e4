// Features of the contract that none or only one of our clients uses: tested with a made-up client.
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import { event } from '../../src/clients/claude-shaped.ts';
import { type Client, wireOf } from '../../src/clients/contract.ts';
import { entryFor, handlersIn } from '../../src/clients/entries.ts';
import { configFolder, filesIn, findPlaces } from '../../src/clients/places.ts';
import { CLIENTS, driverOf, healthOf } from '../../src/clients/registry.ts';
import { measuredIn } from '../../src/clients/version.ts';
import { hookCommand } from '../../src/compile/command.ts';
import { compile } from '../../src/compile/compile.ts';
import { eventPrograms } from '../../src/compile/program.ts';
import { secondStage } from '../../src/compile/second-stage.ts';
import { fit } from '../../src/diagnose/fire/matching.ts';
import { recordings, replayed } from '../../src/diagnose/fire/payload.ts';
import { readAnswer } from '../../src/diagnose/fire/run-hook.ts';
import { apply } from '../../src/install/apply.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { installHere, uninstallHere } from '../../src/library/planning.ts';
import { sentence } from '../../src/present/messages/sentence.ts';
import { withoutScope } from '../../src/present/render/client-view.ts';
import { disk } from '../../src/system/disk.ts';
import { declaring, placesOf } from '../support/declaring.ts';
import { test, type World } from '../support/world.ts';

const [SETTINGS] = claudeCode.placement.files.user;

/** Each label has a file of its own, with flat entries. Payloads begin in the client's own way. */
const quux: Client = {
  ...claudeCode,
  id: 'quux',
  name: 'Quux',
  userFolder: (_, home) => `${home}/.quux`,
  projectFolder: '.quux',
  placement: {
    kind: 'own-file',
    folder: {
      ...SETTINGS,
      name: 'hooks',
      fileOf: (label) => `mcp-hooks.${label}.json`,
      ending: '.json',
    },
    files: { user: [SETTINGS], project: [SETTINGS] },
  },
  entry: {
    shape: 'flat',
    handler: ({ command, timeout }) => ({ run: command, timeout }),
    commands: ['run'],
  },
  wire: { ...claudeCode.wire, begins: '{"hook_event_name":"{event}","session_id":"' },
};

const declared = declaring([
  { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'Hello.' },
  { event: 'pre_request', context: 'Hi.' },
]);

describe('a client that sends the server and the tool of a call only in one name', () => {
  const { serverName: _, serverTool: __, ...wire } = quux.wire;
  const named: Client = {
    ...quux,
    mcpNames: { prefix: '', separator: '-', allowed: 'A-Za-z0-9_-' },
    tools: { Bash: 'Bash' },
    otherTools: ['read-agent'],
    wire: { ...wire, toolName: 'tool_name' },
  };
  const replacing: Client = {
    ...named,
    mcpNames: { ...named.mcpNames, replacement: '-', limit: { length: 20 } },
  };
  const { serverName: _own, ...unnamed } = quux.wire;
  const bare: Client = {
    ...named,
    mcpNames: { prefix: 'MCP:', separator: '', allowed: 'A-Za-z0-9_:-', withoutServer: true },
  };
  const suffixed: Client = {
    ...quux,
    wire: unnamed,
    mcpNames: { ...quux.mcpNames, suffix: '_[0-9a-f]{4}' },
  };
  const limited: Client = {
    ...named,
    mcpNames: { ...quux.mcpNames, limit: { length: 20 } },
  };
  const cases: readonly (readonly [
    what: string,
    client: Client,
    rows: readonly (readonly [matcher: object, tool: string, expected: boolean])[],
  ])[] = [
    [
      'as it is',
      named,
      [
        [{ tool_name: 'mcp__my-srv__note' }, 'my-srv-note', true],
        [{ tool_name: 'mcp__my-srv__*' }, 'my-srv-note', true],
        [{ tool_name: 'mcp__*' }, 'my-srv-note', true],
        [{ tool_server: 'my-srv' }, 'my-srv-note', true],
        [{ tool_name: 'Bash' }, 'Bash', true],
        [{ tool_server: 'srv' }, 'my-srv-note', false],
        [{ tool_name: 'mcp__*' }, 'read-agent', false],
        [{ tool_name: 'mcp__*' }, 'Bash', false],
      ],
    ],
    [
      'with - for other characters, and a limit',
      replacing,
      [
        [{ tool_name: 'mcp__my.srv__note' }, 'my-srv-note', true],
        [{ tool_name: 'mcp__my_srv__note' }, 'my-srv-note', true],
        [{ tool_name: 'mcp__my-srv__note' }, 'my_srv-note', true],
        [{ tool_server: 'my.srv' }, 'my-srv-note', true],
        [{ tool_name: 'mcp__my-server__take_a_note' }, 'my-server-take_a_not', true],
        [{ tool_server: 'my-server' }, 'my-server-take_a_not', true],
        [{ tool_server: 'other' }, 'my-srv-note', false],
      ],
    ],
    [
      "with the declaration's prefix, and a limit",
      limited,
      [
        [{ tool_name: 'mcp__srv__note' }, 'mcp__srv__note', true],
        [{ tool_name: 'mcp__server__take_note' }, 'mcp__server__take_no', true],
        [{ tool_name: 'mcp__server__*' }, 'mcp__server__take_no', true],
        [{ tool_name: 'mcp__other__take_note' }, 'mcp__server__take_no', false],
      ],
    ],
    [
      'without the server',
      bare,
      [
        [{ tool_name: 'mcp__srv__note' }, 'MCP:note', true],
        [{ tool_name: 'mcp__srv__no*' }, 'MCP:note', true],
        [{ tool_name: 'mcp__*' }, 'MCP:note', true],
        [{ tool_server: 'srv' }, 'MCP:note', true],
        [{ tool_name: 'Bash' }, 'Bash', true],
        [{ tool_name: 'mcp__srv__note' }, 'MCP:other', false],
        [{ tool_name: 'mcp__*' }, 'Bash', false],
        [{ tool_server: 'srv' }, 'Bash', false],
      ],
    ],
    [
      'with more at the end',
      suffixed,
      [
        [{ tool_name: 'mcp__srv__note' }, 'mcp__srv__note_12ab', true],
        [{ tool_name: 'mcp__srv__note' }, 'mcp__srv__note', true],
        [{ tool_name: 'mcp__srv__*te' }, 'mcp__srv__note_12ab', true],
        [{ tool_server: 'srv' }, 'mcp__srv__note_12ab', true],
        [{ tool_name: 'mcp__srv__note' }, 'mcp__srv__note_other', false],
      ],
    ],
  ];
  const rows = cases.flatMap(([what, client, all]) =>
    all.map((row) => [what, ...row, client] as const),
  );

  test.for(rows)('%s: %j matches %s: %s', ([, matcher, tool, expected, client], { expect }) => {
    const one = declaring([{ event: 'post_tool_use', matcher, context: 'Hi.' }]);
    const { groups, hooks, program } = compile(one, client, { runner: '/r', state: '/s' });
    const native = 'PostToolUse';
    const [entry] = groups;
    const starts = fit(
      { client, native, matcher: String(entry?.group.matcher ?? '') },
      { tool_name: tool },
    ).fits;
    const [run] = eventPrograms(program).filter((all) => all.native === native);
    const firing = run && secondStage().read(run, JSON.stringify({ tool_name: tool }));
    const [told] = run?.hooks ?? [];
    const fires = Boolean(firing && told && secondStage().fits(told, firing, run));
    // The client may start the runner too often, but never too rarely.
    expect({ starts: starts || !expected, fires }).toEqual({ starts: true, fires: expected });
    const codes = hooks.flatMap(({ notes }) => notes.map(({ code }) => code));
    const isNamed = client === bare && /srv/.test(JSON.stringify(matcher));
    expect(codes.includes('server-not-told')).toBe(isNamed);
  });
});

describe.concurrent('a client with a folder of hooks and flat entries', () => {
  const file = '~/.quux/hooks/mcp-hooks.annal.json';

  test('gets a file for each label, which an uninstall removes', async ({ world, expect }) => {
    await world.write('~/.quux/hooks/mine.json', '{"hooks":{"Stop":[{"run":"notify"}]}}');
    const before = await world.snapshot();
    const places = placesOf(world);
    await apply(installHere(declared, { places, clients: [quux] }));
    const { hooks } = JSON.parse(await world.read(file));
    expect(hooks.PostToolUse).toMatchObject([{ matcher: 'Bash', timeout: 15 }]);
    expect(hooks.PostToolUse[0].run).toContain('quux.PostToolUse.sh');
    expect(hooks.UserPromptSubmit[0]).not.toHaveProperty('hooks');

    const written = readWritten(quux, places, disk).hooks;
    expect(
      written.map(({ label, native, path }) => [label, native, path.split('/').at(-1)]),
    ).toEqual([
      ['annal', 'UserPromptSubmit', 'mcp-hooks.annal.json'],
      ['annal', 'PostToolUse', 'mcp-hooks.annal.json'],
      ['annal', 'PostToolUseFailure', 'mcp-hooks.annal.json'],
      [undefined, 'Stop', 'mine.json'],
    ]);
    await apply(uninstallHere('annal', { places, clients: [quux] }));
    expect(await world.snapshot()).toEqual(before);
  });

  test('keeps what the user added to our file', async ({ world, expect }) => {
    const places = placesOf(world);
    await apply(installHere(declared, { places, clients: [quux] }));
    const document = JSON.parse(await world.read(file));
    document.hooks.PostToolUse.push({ run: 'notify' });
    await world.write(file, JSON.stringify(document));
    await apply(uninstallHere('annal', { places, clients: [quux] }));
    expect(JSON.parse(await world.read(file))).toEqual({
      hooks: { PostToolUse: [{ run: 'notify' }] },
    });
  });

  test('runs a first stage that knows how its payloads begin', async ({ world, expect }) => {
    await apply(installHere(declared, { places: placesOf(world), clients: [quux] }));
    const stage = await world.read('~/.mcp-hooks/servers/annal/quux.UserPromptSubmit.sh');
    expect(stage).toContain(`begins='{"hook_event_name":"UserPromptSubmit","session_id":"'`);
  });
});

describe.concurrent('a client with an event on which only the last answer counts', () => {
  const rewriting: Client = {
    ...quux,
    nativeEvents: {
      ...quux.nativeEvents,
      UserPromptSubmit: {
        matcher: 'none',
        timeout: 15,
        wire: {
          session: 'sessionId',
          begins: '{"sessionId":"',
          occasion: ['at'],
          repeats: 'at',
          tell: { rewritten: '{payload:whole}\n<reminder>{text}</reminder>' },
        },
      },
    },
  };
  const saying = (label: string) =>
    declaring([{ event: 'pre_request', context: `From ${label}.` }], {}, label);
  const payload = { sessionId: 'abc', at: 7, prompt: 'Do it.', whole: '<now>"7"</now> Do it. é' };

  test('each label repeats our earlier texts, after the text of the payload', async ({
    world,
    expect,
  }) => {
    const places = placesOf(world);
    const fire = (label: string, given: object = payload) => {
      const file = `${places.state}/servers/${label}/quux.UserPromptSubmit.sh`;
      const options = { input: JSON.stringify(given), encoding: 'utf8' } as const;
      const said = execFileSync('/bin/sh', ['-c', hookCommand(file)], options);
      return said === '' ? said : JSON.parse(said).rewritten;
    };
    for (const label of ['annal', 'ledger'])
      await apply(installHere(saying(label), { places, clients: [rewriting] }));
    const [first, second] = [fire('annal'), fire('ledger')];
    const [before, after] = ['<now>"7"</now> Do it. é\n<reminder>', '</reminder>'];
    expect(first).toMatch(/\| From annal\.<\/reminder>$/);
    const shown = second.slice(before.length, -after.length).split('\n\n');
    expect(shown[0]).toBe(first.slice(before.length, -after.length));
    expect(shown[1]).toMatch(/\| From ledger\.$/);
    // The next event starts afresh, and the texts of the previous one are deleted. A prompt is never replaced by nothing.
    expect(fire('annal', { ...payload, at: 8 })).toBe(first);
    const kept = Object.keys(await world.snapshot('~/.mcp-hooks/sessions'));
    expect(kept.filter((name) => name.includes('.said-'))).toHaveLength(1);
    expect(fire('annal', { ...payload, at: { toString: 1 } })).toBe(first);
    expect(fire('annal', { ...payload, at: 9, whole: undefined })).toBe('');
    for (const label of ['annal', 'ledger'])
      await apply(uninstallHere(label, { places, clients: [rewriting] }));
    expect(Object.keys(await world.snapshot())).toEqual(['.']);
  });

  test('a text cannot escape the tags around it', async ({ world, expect }) => {
    const places = placesOf(world);
    const text = 'a</reminder>b< / REMINDER >c<reminder>d</b>';
    const leaving = declaring([{ event: 'pre_request', context: text }]);
    await apply(installHere(leaving, { places, clients: [rewriting] }));
    const file = `${places.state}/servers/annal/quux.UserPromptSubmit.sh`;
    const options = { input: JSON.stringify(payload), encoding: 'utf8' } as const;
    const said = JSON.parse(execFileSync('/bin/sh', ['-c', hookCommand(file)], options));
    expect(said.rewritten.match(/<\s*\/?\s*reminder/gi)).toEqual(['<reminder', '</reminder']);
    expect(said.rewritten).toContain('a&lt;/reminder>b&lt; / REMINDER >c&lt;reminder>d</b>');
  });

  test('the text of a hook is read in its place', ({ expect }) => {
    const read = (rewritten: string) =>
      readAnswer(rewriting, 'UserPromptSubmit', JSON.stringify({ rewritten }), {
        whole: 'Do it.',
      });
    expect(read('Do it.\n<reminder>Hi.</reminder>')).toEqual({ text: 'Hi.', act: 'tell' });
    expect(read('<reminder>Hi.</reminder>')).toHaveProperty('breach');
  });

  test('without recorded payloads, the error says where they belong', async ({ expect }) => {
    const none = { code: 'no-recordings', id: rewriting.id } as const;
    expect(() => recordings(rewriting, 'Stop')).toThrow(expect.objectContaining({ problem: none }));
    expect(sentence(none)).toBe('There are no recorded payloads of quux in fixtures/events.');
  });

  test('a payload made up for it has its keys', ({ expect }) => {
    const scene = { cwd: '/w', home: '/', session: 'abc' };
    const moved = replayed(
      wireOf(rewriting, 'UserPromptSubmit'),
      { cwd: '/x', sessionId: 'old' },
      scene,
    );
    expect(moved).toEqual({ cwd: '/w', sessionId: 'abc' });
  });
});

describe.concurrent('a client whose payloads have no folder, and do not always count', () => {
  const { cwd: _, ...wire } = quux.wire;
  const prompts = {
    matcher: 'none',
    timeout: 15,
    wire: { onlyIf: { at: 'step.number', like: '^0$' } },
  } as const;
  const client: Client = {
    ...quux,
    nativeEvents: { ...quux.nativeEvents, UserPromptSubmit: prompts },
    wire: { ...wire, cwdVariable: 'QUUX_PROJECT' },
  };
  const hooks = [
    { event: 'pre_request', command: ['/bin/pwd'] },
    { event: 'pre_request', context: 'Hello.' },
    { event: 'post_request', context: 'Later.' },
  ];
  const declared = declaring(hooks, { version: 2 });
  const fire = (world: World, native: string, payload: object) => {
    const file = `${world.home}/.mcp-hooks/servers/annal/quux.${native}.sh`;
    const input = JSON.stringify({ hook_event_name: native, session_id: 'abc', ...payload });
    const env = { HOME: world.home, QUUX_PROJECT: world.work };
    return execFileSync('/bin/sh', ['-c', hookCommand(file)], { input, encoding: 'utf8', env });
  };

  test('an event counts only with the right value', async ({ world, expect }) => {
    await apply(installHere(declared, { places: placesOf(world), clients: [client] }));
    fire(world, 'Stop', {});
    const said = (payload: object) =>
      fire(world, 'UserPromptSubmit', { prompt: 'Do it.', ...payload });
    expect([said({}), said({ step: { number: 1 } }), said({ step: 0 })]).toEqual(['', '', '']);
    expect(said({ step: { number: 0 } })).toMatch(/Hello\.[\s\S]*Later\./);
  });

  test('the folder of the session is in a variable', async ({ world, expect }) => {
    const places = placesOf(world);
    await apply(installHere(declared, { places, clients: [client], allow: ['command'] }));
    const said = fire(world, 'UserPromptSubmit', { prompt: 'Do it.', step: { number: 0 } });
    expect(said).toContain(`| ${world.work}`);
    const moved = replayed(
      client.wire,
      { session_id: 'old' },
      { cwd: '/w', home: '/', session: 'abc' },
    );
    expect(moved).toEqual({ session_id: 'abc' });
  });
});

test('a way to show texts that is only documented is marked', ({ expect }) => {
  const text = { grade: 'exact', when: 'then', documented: true, on: [] } as const;
  const lowering = { ...quux.lowering, pre_request: { text } };
  const { hooks } = compile(declared, { ...quux, lowering }, { runner: '/r', state: '/s' });
  const note = { code: 'only-documented', client: 'Quux' };
  expect(hooks.map(({ notes }) => notes)).toEqual([[], [note]]);
});

test('the plan notes that a server may go by the name that it gives itself', ({ expect }) => {
  const codes = (matcher: object) => {
    const mcpNames = { ...quux.mcpNames, announced: true } as const;
    const one = declaring([{ event: 'post_tool_use', matcher, context: 'Hi.' }]);
    const { hooks } = compile(one, { ...quux, mcpNames }, { runner: '/r', state: '/s' });
    return hooks.flatMap(({ notes }) => notes.map(({ code }) => code));
  };
  expect(codes({ tool_name: 'mcp__srv__find' })).toEqual(['server-announced']);
  expect(codes({ tool_server: 'srv' })).toEqual(['server-announced']);
  expect(codes({ tool_name: 'Bash' })).toEqual([]);
});

test('the plan notes that only the text of the first of several hooks is read', ({ expect }) => {
  const PostToolUse = event('tool', {
    wire: { firstOnly: { folder: '.quux/packages', variable: 'QUUX_HOME', at: 'folder' } },
  });
  const nativeEvents = { ...quux.nativeEvents, PostToolUse };
  const notes = (othersOn?: (native: string) => boolean) =>
    compile(declared, { ...quux, nativeEvents }, { runner: '/r', state: '/s', othersOn }).hooks.map(
      (hook) => hook.notes,
    );
  const note = { code: 'first-hook-only', client: 'Quux' };
  expect(notes()).toEqual([[note], []]);
  expect(notes((native) => native === 'PostToolUse')).toEqual([[note], []]);
  expect(notes((native) => native !== 'PostToolUse')).toEqual([[], []]);
});

test('the folder of the configuration may differ by system', ({ world, expect }) => {
  const client: Client = {
    ...quux,
    userFolder: (env, _home, platform) => `${env.APPDATA}/.quux-${platform}`,
  };
  const environment = { HOME: world.home, APPDATA: world.path('~/data') };
  expect(configFolder(client, findPlaces(environment, world.work, 'user'))).toBe(
    world.path(`~/data/.quux-${process.platform}`),
  );
});

test('a client without settings of projects is reported', ({ world, expect }) => {
  const user: Client = { ...quux, placement: { kind: 'shared-file', files: { user: [SETTINGS] } } };
  const environment = { HOME: world.home, PATH: world.bin };
  for (const scope of ['project', 'local'] as const) {
    const places = findPlaces(environment, world.work, scope);
    const problem = { code: 'none-has-project', clients: ['Quux'] } as const;
    expect(() => installHere(declared, { places, clients: [user] })).toThrow(
      expect.objectContaining({ problem }),
    );
    expect(sentence(problem)).toMatch(/^Quux reads no hooks of a project/);
    const clients = [user, claudeCode];
    const plan = installHere(declared, { places, clients });
    expect(withoutScope(plan)).toMatchObject([
      { why: expect.stringMatching(/--scope user, .*folder\.$/) },
    ]);
  }
});

test('a folder of hooks that is a link to itself has no hooks', async ({ world, expect }) => {
  await world.folder('.quux');
  await symlink('hooks', world.path('.quux/hooks'));
  const env = { HOME: world.home, PATH: world.bin };
  const places = findPlaces(env, world.work, 'project');
  expect(filesIn(quux, places)).toEqual([SETTINGS]);
});

test('a file that we create begins as the client needs it, and is removed by uninstall', async ({
  world,
  expect,
}) => {
  const file = { ...SETTINGS, name: 'hooks.json', start: '{\n  "version": 1\n}\n' };
  const clients: Client[] = [
    { ...quux, placement: { kind: 'shared-file', files: { user: [file] } } },
  ];
  const places = placesOf(world);
  await apply(installHere(declared, { places, clients }));
  expect(JSON.parse(await world.read('~/.quux/hooks.json'))).toMatchObject({
    version: 1,
    hooks: {},
  });
  await apply(uninstallHere('annal', { places, clients }));
  expect(Object.keys(await world.snapshot())).toEqual(['.']);
});

test('an entry is read as it was written', () => {
  const handler = { label: 'annal', native: 'Stop', command: 'x', timeout: 5, matcher: 'Bash' };
  for (const client of [quux, ...CLIENTS]) {
    const [found] = handlersIn(client, entryFor(client, handler));
    expect([client.id, found?.matcher]).toEqual([client.id, 'Bash']);
    expect(found?.handler).toEqual(client.entry.handler(handler));
  }
});

test('a matcher has its dollar signs escaped if the client expands variables', () => {
  const entry = { ...quux.entry, expands: true } as const;
  const handler = { label: 'annal', native: 'PostToolUse', command: 'x', timeout: 5 };
  const { matcher } = entryFor({ entry }, { ...handler, matcher: '^\\$HOME$HOME|a\\.b$' });
  expect(matcher).toBe('^\\x24HOME\\x24HOME|a\\.b$');
});

test('every client has all of its parts', async () => {
  for (const client of CLIENTS) {
    expect(healthOf(client).layers).not.toEqual([]);
    // A client that was never run has no driver.
    const driver = await driverOf(client);
    expect([client.id, driver !== undefined]).toEqual([
      client.id,
      measuredIn(client) !== undefined,
    ]);
  }
});

test('our file is removed from where it was written, even if the client now looks elsewhere', async ({
  world,
  expect,
}) => {
  const moved: Client = { ...quux, userFolder: (env, home) => env.QUUX_HOME || `${home}/.quux` };
  const clients = [moved];
  const environment = { HOME: world.home, PATH: world.bin };
  const then = findPlaces({ ...environment, QUUX_HOME: `${world.home}/q` }, world.work, 'user');
  const today = findPlaces(environment, world.work, 'user');
  await apply(installHere(declared, { places: then, clients }));
  expect(Object.keys(await world.snapshot())).toContain('q/hooks/mcp-hooks.annal.json');
  await apply(uninstallHere('annal', { places: today, clients }));
  expect(Object.keys(await world.snapshot()).filter((path) => path.endsWith('.json'))).toEqual([]);
});
