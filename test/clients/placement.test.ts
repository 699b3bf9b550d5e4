// Places for hooks beyond those of our own clients: tested with made-up clients, from the install to the last byte.
import { execFileSync } from 'node:child_process';
import iarna from '@iarna/toml';
import { describe } from 'vitest';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import { type Client, type ConfigFile, UNDER_HOOKS } from '../../src/clients/contract.ts';
import { pluginFile } from '../../src/clients/program-file.ts';
import { ANYTHING, type JsonObject, type Layout } from '../../src/edit/edit.ts';
import { apply } from '../../src/install/apply.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { installHere, uninstallHere } from '../../src/library/planning.ts';
import { disk } from '../../src/system/disk.ts';
import { declaring, placesOf } from '../support/declaring.ts';
import { test, type World } from '../support/world.ts';

const flat: Client['entry'] = {
  shape: 'flat',
  handler: ({ command, timeout }) => ({ command, timeout }),
  commands: ['command'],
};

const madeUp = (files: readonly [ConfigFile, ...ConfigFile[]], more: Partial<Client> = {}) => ({
  ...claudeCode,
  id: 'quux',
  name: 'Quux',
  userFolder: (_: unknown, home: string) => `${home}/.quux`,
  projectFolder: '.quux',
  placement: { kind: 'shared-file', files: { user: files } } as const,
  ...more,
});

const file = (name: string, layout: Layout): ConfigFile => ({
  name,
  format: name.endsWith('.toml') ? 'toml' : 'json',
  layout,
  dialect: ANYTHING,
});

const saying = (label: string) =>
  declaring(
    [
      { event: 'pre_request', context: `From ${label}.` },
      { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'Done.' },
    ],
    {},
    label,
  );

const ROWS: Layout = { kind: 'rows', list: 'hooks', eventKey: 'event' };
const AT_ROOT: Layout = { kind: 'lists' };

interface Case {
  readonly client: Client;
  readonly name: string;
  readonly before: string;
  /** The groups of an event, read by a parser of the test's own. */
  readonly groups: (text: string, event: string) => JsonObject[];
  /** What the user adds while our hooks are in the file. */
  readonly mine: (text: string) => string;
}

const rowsIn = ({ hooks = [] }: { hooks?: JsonObject[] }, of: string) =>
  hooks.flatMap(({ event, ...group }) => (event === of ? [group] : []));

const CASES: Readonly<Record<string, Case>> = {
  'rows of one list in TOML': {
    client: madeUp([file('config.toml', ROWS)], { entry: flat }),
    name: 'config.toml',
    before:
      'model = "x" # mine\n\n[[hooks]]\nevent = "Stop"\ncommand = "true" # mine\n\n[other]\na = 1',
    groups: (text, event) => rowsIn(iarna.parse(text) as { hooks?: JsonObject[] }, event),
    mine: (text) =>
      text.replace(
        '[other]',
        '[[hooks]] # two\nevent = "UserPromptSubmit"\ncommand = "true"\n\n[other]',
      ),
  },
  'rows of one array in TOML': {
    client: madeUp([file('config.toml', ROWS)], { entry: flat }),
    name: 'config.toml',
    before: 'hooks = [\n  { event = "Stop", command = "true" }, # mine\n]\n[other]\na = 1\n',
    groups: (text, event) => rowsIn(iarna.parse(text) as { hooks?: JsonObject[] }, event),
    mine: (text) =>
      text.replace('hooks = [\n', '$&  { event = "UserPromptSubmit", command = "true" }, # two\n'),
  },
  'rows of one list in JSON': {
    client: madeUp([file('config.json', ROWS)], { entry: flat }),
    name: 'config.json',
    before: '{\n\t"hooks": [\n\t\t{"event": "Stop", "command": "true"}\n\t],\n\t"model": "x"\n}',
    groups: (text, event) => rowsIn(JSON.parse(text), event),
    mine: (text) =>
      text.replace('[\n', '[\n\t\t{"event": "UserPromptSubmit", "command": "true"},\n'),
  },
  'events at the root': {
    client: madeUp([file('hooks.json', AT_ROOT)]),
    name: 'hooks.json',
    before: '{\n  "Stop": [\n    { "hooks": [{ "type": "command", "command": "true" }] }\n  ]\n}\n',
    groups: (text, event) => JSON.parse(text)[event] ?? [],
    mine: (text) =>
      text.replace(
        '{\n',
        '{\n  "SessionStart": [{ "hooks": [{ "type": "command", "command": "true" }] }],\n',
      ),
  },
  'events under the name of a hook': {
    client: madeUp([file('hooks.json', { kind: 'lists', under: 'mcp-hooks' })]),
    name: 'hooks.json',
    before: '{ "theirs": { "Stop": [{ "hooks": [] }] } }',
    groups: (text, event) => JSON.parse(text)['mcp-hooks']?.[event] ?? [],
    mine: (text) => text.replace('{ ', '{ "a": 1, '),
  },
};

describe.concurrent.each(Object.entries(CASES))(
  '%s',
  (_, { client, name, before, groups, mine }) => {
    const path = `~/.quux/${name}`;
    const clients = [client];

    test('our hooks are beside others, fire, and are removed to the byte', async ({
      world,
      expect,
    }) => {
      const places = placesOf(world);
      await world.write(path, before);
      const untouched = await world.snapshot();
      await apply(installHere(saying('annal'), { places, clients }));
      const installed = await world.read(path);
      expect(groups(installed, 'Stop')).toEqual(groups(before, 'Stop'));
      expect(groups(installed, 'PostToolUse')).toMatchObject([{ matcher: 'Bash' }]);

      const ours = readWritten(client, places, disk).hooks.filter(({ label }) => label === 'annal');
      expect(ours.map(({ native, index }) => [native, index])).toEqual([
        ['UserPromptSubmit', 0],
        ['PostToolUse', 0],
        ['PostToolUseFailure', 0],
      ]);
      const payload = { hook_event_name: 'UserPromptSubmit', session_id: 'abc', prompt: 'Do it.' };
      const [group = {}] = groups(installed, 'UserPromptSubmit');
      const [handler = group] = (group.hooks ?? []) as JsonObject[];
      const said = execFileSync('/bin/sh', ['-c', String(handler.command)], {
        input: JSON.stringify(payload),
        encoding: 'utf8',
      });
      expect(said).toContain('From annal.');

      await apply(uninstallHere('annal', { places, clients }));
      expect(await world.snapshot()).toEqual(untouched);
    });

    test("the user's additions stay, and two labels do not affect each other", async ({
      world,
      expect,
    }) => {
      const places = placesOf(world);
      await world.write(path, before);
      await apply(installHere(saying('annal'), { places, clients }));
      await world.write(path, mine(await world.read(path)));
      await apply(installHere(saying('ledger'), { places, clients }));
      const both = groups(await world.read(path), 'PostToolUse').map((group) =>
        JSON.stringify(group),
      );
      expect(both.map((text) => /annal|ledger/.exec(text)?.[0])).toEqual(['annal', 'ledger']);
      await apply(uninstallHere('annal', { places, clients }));
      await apply(uninstallHere('ledger', { places, clients }));
      expect(await world.read(path)).toBe(mine(before));
    });

    test('a file with only our hooks is removed with the last label', async ({ world, expect }) => {
      const places = placesOf(world);
      const untouched = await world.snapshot();
      for (const label of ['annal', 'ledger'])
        await apply(installHere(saying(label), { places, clients }));
      const text = await world.read(path);
      // As another program would rewrite it.
      if (name.endsWith('.json')) await world.write(path, JSON.stringify(JSON.parse(text)));
      for (const label of ['annal', 'ledger'])
        await apply(uninstallHere(label, { places, clients }));
      expect(await world.snapshot()).toEqual(untouched);
    });
  },
);

describe.concurrent('files of which an earlier one hides the events of later ones', () => {
  const files = {
    user: [file('hooks.json', AT_ROOT), file('settings.json', UNDER_HOOKS)],
  } as const;
  const placement = { kind: 'shared-file', files, firstFileWins: true } as const;
  const client: Client = madeUp(files.user, { placement });
  const clients = [client];
  const mine = (...events: string[]) =>
    Object.fromEntries(events.map((event) => [event, [{ hooks: [{ command: 'true' }] }]]));
  const write = async (world: World, atRoot: object, inSettings: object) => {
    await world.write('~/.quux/hooks.json', `${JSON.stringify(atRoot)}\n`);
    await world.write('~/.quux/settings.json', `{"a": 1, "hooks": ${JSON.stringify(inSettings)}}`);
  };
  /** The events of ours in each file, by a reader of the test's own. */
  const ours = async (world: World) => {
    const texts = ['hooks.json', 'settings.json'].map((name) => world.read(`~/.quux/${name}`));
    const [atRoot, { hooks }] = (await Promise.all(texts)).map((text) => JSON.parse(text));
    const own = (events: object) =>
      Object.entries(events).flatMap(([event, groups]) =>
        JSON.stringify(groups).includes('annal') ? [event] : [],
      );
    return [own(atRoot), own(hooks)];
  };

  test('get each event where other hooks for it are', async ({ world, expect }) => {
    const places = placesOf(world);
    await write(world, mine('Stop', 'PostToolUse'), mine('UserPromptSubmit', 'PostToolUse'));
    const untouched = await world.snapshot();
    await apply(installHere(saying('annal'), { places, clients }));
    expect(await ours(world)).toEqual([
      ['PostToolUse', 'PostToolUseFailure'],
      ['UserPromptSubmit'],
    ]);
    const { hooks } = readWritten(client, places, disk);
    expect(hooks.map(({ native, label }) => [native, label])).toEqual([
      ['Stop', undefined],
      ['PostToolUse', undefined],
      ['PostToolUse', 'annal'],
      ['PostToolUseFailure', 'annal'],
      ['UserPromptSubmit', undefined],
      ['UserPromptSubmit', 'annal'],
    ]);
    await apply(uninstallHere('annal', { places, clients }));
    expect(await world.snapshot()).toEqual(untouched);
  });

  test('get it moved when the other hooks are moved', async ({ world, expect }) => {
    const places = placesOf(world);
    await write(world, mine('Stop'), mine('UserPromptSubmit'));
    await apply(installHere(saying('annal'), { places, clients }));
    const atRoot = JSON.parse(await world.read('~/.quux/hooks.json'));
    const prompts = mine('UserPromptSubmit');
    await world.write('~/.quux/hooks.json', JSON.stringify({ ...prompts, ...atRoot }));
    await apply(installHere(saying('annal'), { places, clients }));
    expect(await ours(world)).toEqual([
      ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'],
      [],
    ]);
    await apply(uninstallHere('annal', { places, clients }));
    const left = JSON.parse(await world.read('~/.quux/hooks.json'));
    expect(left).toEqual({ ...prompts, ...mine('Stop') });
  });
});

const PROMPT = { hook_event_name: 'UserPromptSubmit', session_id: 'abc', prompt: 'Do it.' };

describe.concurrent('a plugin that starts the hooks', () => {
  const name = 'plugin.mjs';
  const code = `export const prompt = (payload) => answersTo('UserPromptSubmit', () => payload);\n`;
  const running = (program: string) =>
    madeUp([pluginFile(name, program)], {
      entry: flat,
      wire: { ...claudeCode.wire, tell: { context: '{text}' } },
    });
  const client = running(code);
  const clients = [client];
  /** What a client that loads the plugin gets, in a process of its own. */
  const fire = (world: World) => {
    const from = JSON.stringify(world.path(`~/.quux/${name}`));
    const asked = `import { prompt } from ${from};
process.stdout.write((await prompt(${JSON.stringify(PROMPT)})).context ?? "");`;
    return execFileSync(process.execPath, ['--input-type=module', `--eval=${asked}`], {
      encoding: 'utf8',
    });
  };
  const files = async (world: World) =>
    Object.keys(await world.snapshot('~/.quux')).filter((path) => path.endsWith('.mjs'));

  test('starts the hooks of every label, and is removed with the last', async ({
    world,
    expect,
  }) => {
    const places = placesOf(world);
    await world.write('~/.quux/mine.txt', 'mine');
    const untouched = await world.snapshot();
    await apply(installHere(saying('annal'), { places, clients }));
    const alone = await world.snapshot('~/.quux');
    expect(await files(world)).toEqual([name]);
    await apply(installHere(saying('ledger'), { places, clients }));
    const said = fire(world);
    expect(said).toContain('From annal.');
    expect(said).toContain('From ledger.');
    const { hooks } = readWritten(client, places, disk);
    expect(hooks.filter(({ label }) => label === 'annal')).toHaveLength(3);

    await apply(uninstallHere('ledger', { places, clients }));
    expect(await world.snapshot('~/.quux')).toEqual(alone);
    // A hook whose runner is gone shows nothing.
    await world.remove('~/.mcp-hooks/servers');
    expect(fire(world)).toBe('');
    await apply(uninstallHere('annal', { places, clients }));
    expect(await world.snapshot()).toEqual(untouched);
  });

  test('of an older version is replaced with the next change, and removed with the last label', async ({
    world,
    expect,
  }) => {
    const places = placesOf(world);
    const path = `~/.quux/${name}`;
    const untouched = await world.snapshot();
    const older = { places, clients: [running('export const prompt = () => ({});\n')] };
    await apply(installHere(saying('annal'), { places, clients }));
    const now = await world.read(path);
    await apply(uninstallHere('annal', { places, clients }));

    await apply(installHere(saying('annal'), older));
    expect(fire(world)).toBe('');
    await apply(installHere(saying('annal'), { places, clients }));
    expect(await world.read(path)).toBe(now);
    expect(fire(world)).toContain('From annal.');
    const installed = await world.snapshot();
    await apply(installHere(saying('annal'), { places, clients }));
    expect(await world.snapshot()).toEqual(installed);
    await apply(uninstallHere('annal', { places, clients }));
    expect(await world.snapshot()).toEqual(untouched);

    for (const label of ['annal', 'ledger']) await apply(installHere(saying(label), older));
    await apply(uninstallHere('ledger', { places, clients }));
    expect(await world.read(path)).toBe(now);
    await apply(installHere(saying('annal'), older));
    await apply(uninstallHere('annal', { places, clients }));
    expect(await world.snapshot()).toEqual(untouched);
  });

  test('of an older version stays as it is once the user has changed it', async ({
    world,
    expect,
  }) => {
    const places = placesOf(world);
    const path = `~/.quux/${name}`;
    const older = {
      places,
      clients: [running('export const prompt = () => ({ context: "Mine." });\n')],
    };
    await apply(installHere(saying('annal'), older));
    const changed = (await world.read(path)).replace('Mine.', 'Ours.');
    await world.write(path, changed);
    await apply(installHere(saying('annal'), { places, clients }));
    expect(await world.read(path)).toBe(changed);
  });

  test('stays if the user has written into it', async ({ world, expect }) => {
    const places = placesOf(world);
    await apply(installHere(saying('annal'), { places, clients }));
    const path = `~/.quux/${name}`;
    await world.write(path, `${await world.read(path)}// mine\n`);
    await apply(uninstallHere('annal', { places, clients }));
    expect(await files(world)).toEqual([name]);
    expect(await world.read(path)).toMatch(/ \{\} [\s\S]*\/\/ mine\n$/);
    expect(fire(world)).toBe('');
  });

  test('of another owner is refused, and left as it is', async ({ world, expect }) => {
    const places = placesOf(world);
    await world.write(`~/.quux/${name}`, 'export {};\n');
    const untouched = await world.snapshot();
    const plan = installHere(saying('annal'), { places, clients });
    expect(plan.clients.map(({ refusal }) => refusal?.problem)).toContainEqual({
      code: 'not-our-program',
    });
    await expect(apply(plan)).rejects.toThrow();
    expect(await world.snapshot()).toEqual(untouched);
  });
});

describe.concurrent('a file that two clients share', () => {
  const shared = (id: string, other: string): Client =>
    madeUp([{ ...file('hooks.json', UNDER_HOOKS), sharedWith: [other] }], { id, name: id });
  const one = shared('quux', 'corge');
  const other = shared('corge', 'quux');
  const path = '~/.quux/hooks.json';
  const mine = '{\n  "hooks": {\n    "Stop": [{ "hooks": [] }]\n  }\n}\n';
  /** The events, each with the clients that have an entry for a label, in the order of the file. */
  const entries = async (world: World, label: string) => {
    const { hooks } = JSON.parse(await world.read(path));
    return Object.entries(hooks).map(([event, groups]) => {
      const ours = JSON.stringify(groups).matchAll(new RegExp(`${label}/(\\w+)\\.`, 'g'));
      return [event, ...[...ours].map(([, id]) => id)].join(' ');
    });
  };
  const both = [
    'Stop',
    'UserPromptSubmit quux corge',
    'PostToolUse quux corge',
    'PostToolUseFailure quux corge',
  ];

  test.for([
    ['at once', [[one, other]]],
    ['one after the other', [[one], [other]]],
  ] as const)('has entries of both, installed %s', async ([, runs], { world, expect }) => {
    const places = placesOf(world);
    await world.write(path, mine);
    const untouched = await world.snapshot();
    for (const clients of runs) await apply(installHere(saying('annal'), { places, clients }));
    expect(await entries(world, 'annal')).toEqual(both);
    const installed = await world.read(path);
    for (const clients of runs) {
      const again = installHere(saying('annal'), { places, clients });
      expect(again.clients.map(({ change }) => change)).toEqual(clients.map(() => undefined));
    }
    await apply(installHere(saying('ledger'), { places, clients: [other] }));
    await apply(uninstallHere('ledger', { places, clients: [other] }));
    expect(await world.read(path)).toBe(installed);

    await apply(uninstallHere('annal', { places, clients: [one] }));
    expect(await entries(world, 'annal')).toEqual(both.map((line) => line.replace(' quux', '')));
    await apply(uninstallHere('annal', { places, clients: [other] }));
    expect(await world.snapshot()).toEqual(untouched);
  });

  test('is removed with both, if it was not there before', async ({ world, expect }) => {
    const places = placesOf(world);
    const clients = [one, other];
    const untouched = await world.snapshot();
    await apply(installHere(saying('annal'), { places, clients }));
    await apply(uninstallHere('annal', { places, clients }));
    expect(await world.snapshot()).toEqual(untouched);
  });

  test('is refused to a client that does not share it', async ({ world, expect }) => {
    const places = placesOf(world);
    const stranger: Client = madeUp([file('hooks.json', UNDER_HOOKS)], { id: 'grault' });
    await apply(installHere(saying('annal'), { places, clients: [one] }));
    const { clients } = installHere(saying('annal'), { places, clients: [stranger] });
    const problem = { code: 'two-names', other: 'quux' };
    expect(clients.map(({ refusal }) => refusal?.problem)).toEqual([problem]);
  });
});
