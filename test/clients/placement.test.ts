// Where a client's hooks are, beyond what our own clients have: with made-up clients, from the install to the last byte.
import { execFileSync } from 'node:child_process';
import iarna from '@iarna/toml';
import { describe } from 'vitest';
import { installHere, uninstallHere } from '../../src/cli/library/planning.ts';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import type { Client, ConfigFile } from '../../src/clients/contract.ts';
import { findPlaces } from '../../src/clients/places.ts';
import { ANYTHING, type JsonObject, type Layout } from '../../src/edit/edit.ts';
import { apply } from '../../src/install/apply.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { disk } from '../../src/system/disk.ts';
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
  parseManifest(
    JSON.stringify({
      declarations: [
        { event: 'pre_request', context: `From ${label}.`, priority: 'suggestion' },
        {
          event: 'post_tool_use',
          matcher: { tool_name: 'Bash' },
          context: 'Done.',
          priority: 'suggestion',
        },
      ],
    }),
    `/somewhere/${label}.json`,
  );

const placesOf = (world: World) =>
  findPlaces({ HOME: world.home, PATH: world.bin }, world.work, 'user');

const ROWS: Layout = { kind: 'rows', list: 'hooks', eventKey: 'event' };
const AT_ROOT: Layout = { kind: 'lists' };

interface Case {
  readonly client: Client;
  readonly name: string;
  readonly before: string;
  /** The groups of an event, read by a parser of the test's own. */
  readonly groups: (text: string, event: string) => JsonObject[];
  /** What the owner adds when ours are in the file. */
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

    test('ours are beside those of others, fire, and are gone to the byte', async ({
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

    test('what the owner adds in between stays, and two labels do not mind each other', async ({
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

    test('a file of ours alone goes with the last label', async ({ world, expect }) => {
      const places = placesOf(world);
      const untouched = await world.snapshot();
      for (const label of ['annal', 'ledger'])
        await apply(installHere(saying(label), { places, clients }));
      const text = await world.read(path);
      // As a program writes it anew that knows nothing of us.
      if (name.endsWith('.json')) await world.write(path, JSON.stringify(JSON.parse(text)));
      for (const label of ['annal', 'ledger'])
        await apply(uninstallHere(label, { places, clients }));
      expect(await world.snapshot()).toEqual(untouched);
    });
  },
);
