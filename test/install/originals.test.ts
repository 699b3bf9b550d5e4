// Hand-written hooks that were imported: an install removes the originals on request, and an uninstall puts them back.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { stringify } from 'smol-toml';
import { describe, expect } from 'vitest';
import { prepare } from '../../src/cli/commands/prepare.ts';
import { HANDLERS } from '../../src/clients/contract.ts';
import { EMPTY_GROUP } from '../../src/clients/entries.ts';
import { filesIn, findPlaces } from '../../src/clients/places.ts';
import { byHandOf } from '../../src/clients/registry.ts';
import { ANYTHING, isObject, type JsonObject } from '../../src/edit/edit.ts';
import { FORMATS } from '../../src/edit/formats.ts';
import { elementOf, eventsOf } from '../../src/edit/value.ts';
import { whyIgnored } from '../../src/install/config-file.ts';
import { disk } from '../../src/system/disk.ts';
import { fingerprint } from '../../src/system/fingerprint.ts';
import { known } from '../clients/expectations.ts';
import { ALL_IDS, type ClientId, clientOf, FOLDERS } from '../support/runner/clients.ts';
import { NO_TERMINAL, test, type World } from '../support/world.ts';

const IDS = ALL_IDS.filter((id) => byHandOf(clientOf(id)));
const ALLOW = '--allow command,project-code,context-tool,block,modify';

const placesIn = (world: World) => findPlaces(world.env(), world.work, 'user');

/** The file of a client in the home, and how the client reads it. */
function fileOf(world: World, id: ClientId) {
  const path = `~/${known[id].byHand}`;
  const config = filesIn(clientOf(id), placesIn(world)).find(
    ({ name }) => basename(name) === basename(path),
  );
  if (!config) throw new Error(`${id} does not read ${path}`);
  return { path, config };
}

/** Native events for which hooks can be declared. */
function eventsIn(id: ClientId): string[] {
  const events = Object.entries(byHandOf(clientOf(id))?.events ?? {});
  return events.flatMap(([native, meaning]) =>
    meaning && ['pre_request', 'post_request'].includes(meaning.event) && native.length > 3
      ? native
      : [],
  );
}

function groupWith(id: ClientId, ...commands: string[]): JsonObject {
  const { entry } = clientOf(id);
  const key = byHandOf(clientOf(id))?.commands[0] ?? 'command';
  const words = { label: '', native: '', command: '', timeout: 1 };
  const typed: JsonObject = 'type' in entry.handler(words) ? { type: 'command' } : {};
  const handlers = commands.map((command) => ({ ...typed, [key]: command }));
  return entry.shape === 'flat' ? { ...handlers[0] } : { [HANDLERS]: handlers };
}

/** Writes a file with hooks, formatted as a user might do it. */
async function write(
  world: World,
  id: ClientId,
  groups: readonly (readonly [event: string, group: JsonObject])[],
): Promise<string> {
  const path = `~/${known[id].byHand}`;
  await world.folder(dirname(path));
  await world.write(path, known[id].byHand.endsWith('.toml') ? '' : '{}');
  const { config } = fileOf(world, id);
  const { layout } = config;
  const start: JsonObject = config.start ? JSON.parse(config.start) : {};
  let document: JsonObject;
  if (layout.kind === 'rows')
    document = {
      ...start,
      [layout.list]: groups.map(([event, group]) => elementOf({ event, group }, layout)),
    };
  else {
    const lists: Record<string, JsonObject[]> = {};
    for (const [event, group] of groups) lists[event] = [...(lists[event] ?? []), group];
    document =
      layout.under === undefined ? { ...start, ...lists } : { ...start, [layout.under]: lists };
  }
  const text =
    config.format === 'toml'
      ? `# By hand.\n${stringify(document)}`
      : `${JSON.stringify(document, null, 3).replaceAll('": ', '"  : ')}\n\n`;
  await world.write(path, text);
  return text;
}

async function commandsIn(world: World, id: ClientId): Promise<string[]> {
  const { path, config } = fileOf(world, id);
  const document = FORMATS[config.format].read(await world.read(path), ANYTHING, config.layout);
  const key = byHandOf(clientOf(id))?.commands[0] ?? 'command';
  return [...eventsOf(document, config.layout).values()].flat().flatMap((group) => {
    const inner = isObject(group) && Array.isArray(group[HANDLERS]) ? group[HANDLERS] : [group];
    return inner.flatMap((one) => {
      const command = isObject(one) ? one[key] : undefined;
      return typeof command === 'string' ? [command.includes('.mcp-hooks') ? 'ours' : command] : [];
    });
  });
}

const run = async (world: World, line: string) => {
  const ran = await world.run(line);
  expect(`${ran.code} ${ran.err}${ran.code === 2 ? ran.out : ''}`).toMatch(/^[01] /);
  return ran;
};

/** Imports a client's hooks, except those with one of these commands. */
async function imported(world: World, id: ClientId, ...without: string[]): Promise<void> {
  await run(world, `import --client ${id} --out own.json --force`);
  const manifest = JSON.parse(await world.read('own.json'));
  manifest.hooks.declarations = manifest.hooks.declarations.filter(
    (hook: unknown) => !without.some((one) => JSON.stringify(hook).includes(one)),
  );
  await world.write('own.json', JSON.stringify(manifest));
}

const install = (world: World, id: ClientId, more = '--replace-originals') =>
  run(world, `install own.json --client ${id} ${ALLOW} --yes ${more}`);

describe('originals are put back to the byte', () => {
  test.for(IDS)('%s', async (id, { world }) => {
    await world.folder(...FOLDERS);
    const [event = ''] = eventsIn(id);
    const text = await write(world, id, [
      [event, groupWith(id, 'say one')],
      [event, groupWith(id, 'say two')],
      [event, groupWith(id, 'say three')],
    ]);
    await imported(world, id, 'two');
    const { path, config } = fileOf(world, id);
    await install(world, id);
    const theirs = (await commandsIn(world, id)).filter((one) => one !== 'ours');
    expect(theirs).toEqual(['say two']);
    expect(whyIgnored(clientOf(id), config, placesIn(world), disk)).toBe(undefined);
    // Nothing is left to remove, so nothing changes.
    const installed = await world.read(path);
    expect((await install(world, id)).out).toContain('Nothing to do');
    await run(world, `uninstall own --yes`);
    expect(await world.read(path)).toBe(text);
    expect(existsSync(world.path('~/.mcp-hooks'))).toBe(false);
    expect(installed).not.toBe(text);
  });
});

describe('originals that start a program without a shell are put back to the byte', () => {
  const programs = IDS.filter((id) => byHandOf(clientOf(id))?.program !== undefined);
  test.for(programs)('%s', async (id, { world }) => {
    await world.folder(...FOLDERS);
    const [event = ''] = eventsIn(id);
    const { program = '' } = byHandOf(clientOf(id)) ?? {};
    const entry = (...[word, ...args]: string[]) => {
      const handler: JsonObject = { type: 'command', [program]: word ?? '', args };
      return clientOf(id).entry.shape === 'flat' ? handler : { [HANDLERS]: [handler] };
    };
    const text = await write(world, id, [
      [event, entry('say', 'number one', '$HOME')],
      [event, entry('say', 'number two')],
    ]);
    await imported(world, id, 'two');
    await install(world, id);
    const { path } = fileOf(world, id);
    expect(await world.read(path)).not.toContain('number one');
    expect(await world.read(path)).toContain('number two');
    await run(world, 'uninstall own --yes');
    expect(await world.read(path)).toBe(text);
  });
});

/** The order in which labels are installed, and uninstalled. `also` replaces originals, too; `notes` has only hooks of its own. */
const ORDERS = [
  [
    ['notes', 'own', 'also'],
    ['notes', 'own', 'also'],
  ],
  [
    ['notes', 'own', 'also'],
    ['own', 'notes', 'also'],
  ],
  [
    ['notes', 'also', 'own'],
    ['also', 'notes', 'own'],
  ],
  [
    ['own', 'notes', 'also'],
    ['own', 'also', 'notes'],
  ],
] as const;

describe('originals are put back to the byte if other labels come and go', () => {
  test.for(IDS)('%s', async (id, { world }) => {
    await world.folder(...FOLDERS);
    const [first = '', last = first] = eventsIn(id);
    const text = await write(world, id, [
      [first, groupWith(id, 'say one')],
      [first, groupWith(id, 'say two')],
      [last, groupWith(id, 'say three')],
      [last, groupWith(id, 'say four')],
    ]);
    await imported(world, id, 'two', 'four');
    const own = JSON.parse(await world.read('own.json'));
    await imported(world, id, 'one', 'three');
    const also = JSON.parse(await world.read('own.json'));
    const texts = ['session_start', 'pre_request', 'post_tool_use', 'post_request'].map(
      (event) => ({ event, context: 'A note.', priority: 'suggestion' }),
    );
    const notes = { hooks: { declarations: texts } };
    for (const [name, manifest] of Object.entries({ own, also, notes }))
      await world.write(`${name}.json`, JSON.stringify({ ...manifest, name }));
    const { path } = fileOf(world, id);
    for (const [installs, uninstalls] of ORDERS) {
      for (const name of installs)
        await run(world, `install ${name}.json --client ${id} ${ALLOW} --yes --replace-originals`);
      const theirs = (await commandsIn(world, id)).filter((one) => one !== 'ours');
      expect(theirs).toEqual([]);
      for (const name of uninstalls) await run(world, `uninstall ${name} --yes`);
      expect(await world.read(path), uninstalls.join()).toBe(text);
    }
  });
});

/** Finds a client with groups of several handlers in JSON, whose trust depends on positions or not. */
const having = (positional: boolean): ClientId => {
  const found = IDS.find((id) => {
    const { entry, positional: own } = clientOf(id);
    return entry.shape === 'grouped' && own === positional && known[id].byHand.endsWith('.json');
  });
  if (!found) throw new Error('no such client');
  return found;
};
const ID = having(false);
const POSITIONAL = having(true);
const EVENT = eventsIn(ID)[0] ?? '';

const ledgerOf = (world: World) => world.read('~/.mcp-hooks/ledger.json');

describe('an original that is one of several handlers', () => {
  test('is removed alone', async ({ world }) => {
    const group = { ...groupWith(ID, 'say one', 'say two', 'say three') };
    const text = await write(world, ID, [[EVENT, group]]);
    await imported(world, ID, 'two');
    await install(world, ID);
    expect(await commandsIn(world, ID)).toEqual(['say two', 'ours']);
    await run(world, 'uninstall own --yes');
    expect(await world.read(`~/${known[ID].byHand}`)).toBe(text);
  });

  test('stays if its removal would cost other hooks their trust', async ({ world }) => {
    const [event = ''] = eventsIn(POSITIONAL);
    const text = await write(world, POSITIONAL, [
      [event, groupWith(POSITIONAL, 'say one', 'say two')],
      [event, groupWith(POSITIONAL, 'say three')],
      [event, groupWith(POSITIONAL, 'say two')],
    ]);
    await imported(world, POSITIONAL, 'two');
    const { out } = await install(world, POSITIONAL);
    expect(out).toMatch(
      /They stay:\n {2}Later hooks of its group would lose the trust [^:]+:[^:]+:\n {4}.*: say one\n/,
    );
    expect(await commandsIn(world, POSITIONAL)).toEqual(['say one', 'say two', 'say two', 'ours']);
    // An empty group keeps the third group in its position.
    const document = JSON.parse(await world.read(`~/${known[POSITIONAL].byHand}`));
    expect(document.hooks[event][1]).toEqual(EMPTY_GROUP);
    await run(world, 'uninstall own --yes');
    expect(await world.read(`~/${known[POSITIONAL].byHand}`)).toBe(text);
  });
});

describe('without the flag', () => {
  test('originals stay, and the plan says that they run twice and how to remove them', async ({
    world,
  }) => {
    const text = await write(world, ID, [[EVENT, groupWith(ID, 'say \u0007one')]]);
    await imported(world, ID);
    const { out } = await install(world, ID, '');
    const place = `  ~/${known[ID].byHand}:6:16: ${EVENT}: say \\u{7}one\n`;
    expect(out).toContain(place);
    expect(out).toMatch(
      /do the same, so they run\s+twice\. To take them out, add\s+--replace-originals/,
    );
    expect(out).toMatch(/mcp-hooks update own --replace-originals/);
    expect(await commandsIn(world, ID)).toEqual(['say \u0007one', 'ours']);
    const { err } = await install(world, ID, '--quiet --no-extra-turns');
    expect(err).toMatch(/runs twice: in ~\//);
    // Later, the same flag removes them, and an uninstall restores them.
    expect((await run(world, 'update own --replace-originals --yes')).out).toContain(place);
    expect(await commandsIn(world, ID)).toEqual(['ours']);
    await run(world, 'uninstall own --yes');
    expect(await world.read(`~/${known[ID].byHand}`)).toBe(text);
  });

  test('diff shows what would be removed', async ({ world }) => {
    await write(world, ID, [[EVENT, groupWith(ID, 'say one')]]);
    await imported(world, ID);
    const { out } = await run(
      world,
      `diff own.json --client ${ID} ${ALLOW} --replace-originals --json`,
    );
    expect(JSON.parse(out).originals).toEqual([
      expect.objectContaining({
        action: 'out',
        client: ID,
        event: EVENT,
        command: 'say one',
        line: 6,
      }),
    ]);
  });
});

describe('an original stays', () => {
  test('if its hook is not installed, so that nothing would run', async ({ world }) => {
    await write(world, ID, [[EVENT, groupWith(ID, 'say one')]]);
    await imported(world, ID);
    const { out } = await run(world, `install own.json --client ${ID} --yes --replace-originals`);
    expect(out).toMatch(/Its hook is not installed in .*:\n +.*: say one\n/);
    expect(await commandsIn(world, ID)).toEqual(['say one']);
  });

  test('if it seems to hold a secret, which is not recorded', async ({ world }) => {
    const group = groupWith(ID, 'say one');
    const [handler] = Array.isArray(group[HANDLERS]) ? group[HANDLERS] : [];
    const token = `ghp_${'aB3dE6gH9j'.repeat(4)}`;
    await write(world, ID, [
      [EVENT, { ...group, [HANDLERS]: [{ ...handler, statusMessage: token }] }],
    ]);
    await imported(world, ID);
    const { out } = await install(world, ID);
    expect(out).toMatch(/It seems to hold a secret.*:\n(?:.*\n)?.*: say one\n/);
    expect(await commandsIn(world, ID)).toEqual(['say one', 'ours']);
    expect(await ledgerOf(world)).not.toContain(token);
  });
});

describe('with an original in a file of the other scope', () => {
  const path = known[ID].byHand;
  test.for([
    { own: `project/${path}`, scope: 'user', other: 'project' },
    { own: `~/${path}`, scope: 'project', other: 'user' },
  ])("the $other's original stays, and the plan says so", async (one, { world }) => {
    await world.folder(`~/${dirname(path)}`, `project/${dirname(path)}`);
    const text = await write(world, ID, [[EVENT, groupWith(ID, 'say one')]]);
    await world.write(`~/${path}`, '{}');
    await world.write(one.own, text);
    const at = { cwd: world.path('project') };
    await world.run(`import --client ${ID} --out own.json`, at);
    const line = `install own.json --client ${ID} --scope ${one.scope} ${ALLOW} --yes`;
    for (const flag of ['--dry-run', '--replace-originals']) {
      const { code, out } = await world.run(`${line} ${flag}`, at);
      expect(code, out).toBe(0);
      expect(out.replace(/\s+/g, ' ')).toMatch(
        /They stay: Its file is of another scope, so it runs as well: [^:]+:6:16: [^:]+: say one/,
      );
    }
    expect(await world.read(one.own)).toBe(text);
    await world.run(`uninstall own --scope ${one.scope} --yes`, at);
    expect(await world.read(one.own)).toBe(text);
  });
});

describe('an original', () => {
  const path = `~/${known[ID].byHand}`;
  const begin = async (world: World) => {
    const text = await write(world, ID, [
      [EVENT, groupWith(ID, 'say one')],
      [EVENT, groupWith(ID, 'say two')],
    ]);
    await imported(world, ID);
    await install(world, ID);
    expect(await commandsIn(world, ID)).toEqual(['ours']);
    return text;
  };
  const declarations = async (world: World, change: (all: { command: string[] }[]) => unknown) => {
    const manifest = JSON.parse(await world.read('own.json'));
    manifest.hooks.declarations = change(manifest.hooks.declarations);
    await world.write('own.json', JSON.stringify(manifest));
    return run(world, `update own ${ALLOW} --yes`);
  };

  test('is put back if its hook is no longer in the manifest', async ({ world }) => {
    const text = await begin(world);
    const { out } = await declarations(world, ([first]) => [first]);
    expect(out).toMatch(/are put back:\n .*: say two\n/);
    expect((await commandsIn(world, ID)).sort()).toEqual(['ours', 'say two']);
    await run(world, 'uninstall own --yes');
    expect(await world.read(path)).toBe(text);
  });

  test('is not put back if its hook was edited', async ({ world }) => {
    const text = await begin(world);
    await declarations(world, ([first]) => [first, { ...first, command: ['say', 'three'] }]);
    expect(await commandsIn(world, ID)).toEqual(['ours']);
    await run(world, 'uninstall own --yes');
    expect(await world.read(path)).toBe(text);
  });

  test('is put back next to what the user wrote in between', async ({ world }) => {
    const text = await begin(world);
    const end = (await world.read(path)).trimEnd().replace(/\}$/, ',"own": true}\n');
    await world.write(path, end);
    await run(world, 'uninstall own --yes');
    expect(await world.read(path)).toBe(text.trimEnd().replace(/\}$/, ',"own": true}\n'));
  });

  test('is put back alone into its group, even if the text around it has changed', async ({
    world,
  }) => {
    await write(world, ID, [[EVENT, groupWith(ID, 'say one', 'say two', 'say three')]]);
    await imported(world, ID, 'three');
    await install(world, ID);
    const edited = (await world.read(path)).replace('{', '{"first": 1,');
    await world.write(path, edited.trimEnd().replace(/\}$/, ',"last": true}\n'));
    await declarations(world, ([_, second]) => (second ? [second] : []));
    const all = ['ours', 'say one', 'say three'];
    expect((await commandsIn(world, ID)).sort()).toEqual(all);
    await run(world, 'uninstall own --yes');
    const back = ['say one', 'say three', 'say two'];
    expect((await commandsIn(world, ID)).sort()).toEqual(back);
  });

  test('is not put back if the user has written it again', async ({ world }) => {
    await begin(world);
    const document = JSON.parse(await world.read(path));
    document.hooks[EVENT].unshift(groupWith(ID, 'say two'));
    await world.write(path, JSON.stringify(document));
    await run(world, 'uninstall own --yes');
    expect((await commandsIn(world, ID)).sort()).toEqual(['say one', 'say two']);
  });

  test('is kept until its file can be read again, and then put back', async ({ world }) => {
    const text = await begin(world);
    const installed = await world.read(path);
    await world.write(path, `${installed}}`);
    const { code, out } = await world.run('uninstall own --yes');
    expect([code, out]).toEqual([2, expect.stringContaining('refused')]);
    expect(await ledgerOf(world)).toContain('say one');
    await world.write(path, installed);
    await run(world, 'uninstall own --yes');
    expect(await world.read(path)).toBe(text);
  });

  test('is put back by the label that removed it', async ({ world }) => {
    const text = await begin(world);
    await run(world, `install own.json --name other --client ${ID} ${ALLOW} --yes`);
    await run(world, 'uninstall other --yes');
    expect(await commandsIn(world, ID)).toEqual(['ours']);
    await run(world, `install own.json --name other --client ${ID} ${ALLOW} --yes`);
    await run(world, 'uninstall own --yes');
    expect((await commandsIn(world, ID)).sort()).toEqual(['ours', 'say one', 'say two']);
    await run(world, 'uninstall other --yes');
    expect(JSON.parse(await world.read(path))).toEqual(JSON.parse(text));
  });
});

describe('a killed run', () => {
  test.for(['before', 'after'] as const)(
    '%s the file was written leaves one of both',
    async (when, { world }) => {
      const path = `~/${known[ID].byHand}`;
      const text = await write(world, ID, [[EVENT, groupWith(ID, 'say one')]]);
      await imported(world, ID);
      await install(world, ID);
      const installed = await world.read(path);
      // The ledger has the state before the write and the planned one.
      const ledger = JSON.parse(await ledgerOf(world));
      const [file] = Object.keys(ledger.files);
      const { record, ...rest } = ledger.files[file ?? ''];
      const during = { ...rest, record: null, next: record, found: fingerprint(text) };
      await world.write(
        '~/.mcp-hooks/ledger.json',
        JSON.stringify({ ...ledger, files: { [file ?? '']: during } }),
      );
      await world.write(path, when === 'before' ? text : installed);
      expect(await commandsIn(world, ID)).toEqual(when === 'before' ? ['say one'] : ['ours']);
      await install(world, ID);
      expect(await world.read(path)).toBe(installed);
      await run(world, 'uninstall own --yes');
      expect(await world.read(path)).toBe(text);
    },
  );
});

test.for([true, false])(
  'in a terminal, the user is asked, and answers %s',
  async (answer, { world }) => {
    await write(world, ID, [[EVENT, groupWith(ID, 'say one', 'say two')]]);
    await imported(world, ID);
    const asked: (string | number)[] = [];
    const printed: string[] = [];
    const terminal = {
      ...NO_TERMINAL,
      interactive: true,
      out: (text: string) => printed.push(text),
    };
    const prepared = await prepare(
      { terminal, env: world.env(), cwd: world.work, version: '0' },
      './own.json',
      { scope: 'user', timeout: 20, browser: true, extraTurns: true, client: [ID] },
      {
        grant: async (_, grant) => asked.push(grant) > 0,
        server: async () => false,
        originals: async (many) => asked.push(many) > 0 && answer,
      },
    );
    // The first question is about grants, because they decide which originals can be replaced.
    expect(asked).toEqual(['command', 2]);
    expect(printed.join('')).toContain(`${EVENT}: say one\n`);
    const actions = prepared?.plan.originals?.map(({ action }) => action);
    expect(actions).toEqual(answer ? ['out', 'out'] : ['twice', 'twice']);
  },
);
