/** Changes to our entries after the install are reported. An entry that the user removed is restored only on request. */
import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { parse, stringify } from 'smol-toml';
import { describe } from 'vitest';
import { CLIENTS as REGISTERED } from '../../src/clients/registry.ts';
import { CLIENTS, COMMITTED, commands, manifest } from '../support/hooks.ts';
import { type ClientId, entriesIn } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const RUNNER = '~/.mcp-hooks/servers/annal';
const SETTINGS = '{\n  "model": "opus"\n}\n';

async function installed(world: World): Promise<void> {
  await world.write('~/.claude/settings.json', SETTINGS);
  await world.write('~/.codex/config.toml', '# mine\nmodel = "gpt-5"\n');
  await world.write('~/.gemini/settings.json', SETTINGS);
  await world.write('annal.json', manifest(COMMITTED));
  await world.run('install annal.json --yes');
}

/** Rewrites a settings file by value. */
async function rewrite(
  world: World,
  path: string,
  change: (settings: Record<string, Record<string, Record<string, unknown>[]>>) => void,
): Promise<void> {
  const text = await world.read(path);
  const isToml = path.endsWith('.toml');
  const settings = isToml ? parse(text) : JSON.parse(text);
  change(settings);
  await world.write(path, isToml ? stringify(settings) : JSON.stringify(settings, null, 4));
}

const USERS = { matcher: 'Edit', hooks: [{ type: 'command', command: 'date' }] };

/** Removes our entries from every client's file. */
async function takeOut(world: World): Promise<void> {
  for (const { config, event } of CLIENTS)
    await rewrite(world, config, ({ hooks }) => {
      if (hooks) hooks[event] = [];
    });
}

/** Changes the matcher of our entries in every client's file. */
async function editOurs(world: World): Promise<void> {
  for (const { config, event } of CLIENTS)
    await rewrite(world, config, ({ hooks }) => {
      Object.assign(hooks?.[event]?.[0] ?? {}, { matcher: 'Edit' });
    });
}

const everywhere = (said: (event: string) => string): Record<string, string> =>
  Object.fromEntries(CLIENTS.map(({ id, event }) => [id, said(event)]));
const INTACT = everywhere(() => 'intact');

/** Changes to each client's file, and what `list` then reports. */
const DONE: Record<string, [(world: World) => Promise<void>, Record<string, string>]> = {
  nothing: [async () => {}, INTACT],
  'its entries taken out': [takeOut, everywhere((event) => `its entry for ${event} is missing`)],
  'its entries edited': [editOurs, everywhere((event) => `its entry for ${event} was edited`)],
  'its entries moved': [
    async (world) => {
      for (const { config, event } of CLIENTS)
        await rewrite(world, config, ({ hooks }) => hooks?.[event]?.unshift(USERS));
    },
    everywhere((event) => `its entry for ${event} was moved`),
  ],
  'its entries copied': [
    async (world) => {
      for (const { config, event } of CLIENTS)
        await rewrite(world, config, ({ hooks }) =>
          hooks?.[event]?.push(...structuredClone(hooks[event] ?? [])),
        );
    },
    everywhere((event) => `its entry for ${event} is there more than once`),
  ],
  'the files changed elsewhere, and formatted anew': [
    async (world) => {
      for (const { config } of CLIENTS)
        await rewrite(world, config, (settings) => {
          Object.assign(settings, { model: 'other' });
        });
    },
    INTACT,
  ],
  'the files removed': [
    async (world) => {
      for (const { config } of CLIENTS) await world.remove(config);
    },
    everywhere(() => 'the file is gone'),
  ],
  'the files broken': [
    async (world) => {
      for (const { config } of CLIENTS) await appendFile(world.path(config), '\n]');
    },
    {
      ...everywhere(() => 'not valid JSON: end of file expected, found "]"'),
      codex: 'not valid TOML: illegal character in key',
    },
  ],
  'the runner removed': [
    (world) => world.remove(RUNNER),
    everywhere(() => 'its runner is missing'),
  ],
  'the runner altered': [
    (world) => appendFile(world.path(`${RUNNER}/runner.cjs`), 'hello();\n'),
    everywhere(() => 'its runner was modified (runner.cjs)'),
  ],
  "one client's first stage altered": [
    (world) => appendFile(world.path(`${RUNNER}/gemini-cli.AfterTool.sh`), 'echo hello\n'),
    { ...INTACT, 'gemini-cli': 'its runner was modified (gemini-cli.AfterTool.sh)' },
  ],
  "one client's program altered": [
    (world) => world.write(`${RUNNER}/codex.PostToolUse.json`, '{}'),
    { ...INTACT, codex: 'its runner was modified (codex.PostToolUse.json)' },
  ],
};

describe.concurrent('list reports', () => {
  test.for(Object.entries(DONE))('%s', async ([, [happens, said]], { make, expect }) => {
    const world = await make();
    await installed(world);
    await happens(world);
    const before = await world.stamps();
    const { out } = await world.run('list --json');
    const [{ clients }]: [{ clients: { id: string; state: string }[] }] = JSON.parse(out).installed;
    expect(Object.fromEntries(clients.map(({ id, state }) => [id, state]))).toEqual(said);
    expect(await world.stamps()).toEqual(before);
  });

  test('clients with intact entries in one line, if there are several labels', async ({
    world,
    expect,
  }) => {
    await installed(world);
    const [{ config }] = CLIENTS;
    expect((await world.run('list')).out).toContain(config);
    await world.write('tasks.json', manifest({ ...COMMITTED, context: 'Tasks.' }));
    await world.run('install tasks.json --yes');
    const { out } = await world.run('list');
    expect(out.match(/^ {2}intact in \d+ clients \(--verbose names their files\)$/gm)).toHaveLength(
      2,
    );
    expect(out).not.toContain(config);
    const long = (await world.run('list --verbose')).out;
    expect(long).not.toContain('intact in');
    expect(long.split(config)).toHaveLength(3);
  });

  test('a run that was killed', async ({ world, expect }) => {
    await installed(world);
    const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    for (const file of Object.values<Record<string, unknown>>(ledger.files)) file.next = null; // an uninstall has begun
    await world.write('~/.mcp-hooks/ledger.json', JSON.stringify(ledger));
    expect((await world.run('list')).out).toContain(
      'a run was interrupted: run the same command again',
    );
    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 0 });
    expect((await world.run('list')).out.match(/ intact/g)).toHaveLength(3);
  });
});

/** Pairs of files that the same client reads. `from` has our entries. */
const BESIDE = [
  { client: 'codex', from: '~/.codex/config.toml', to: '~/.codex/hooks.json' },
  { client: 'codex', from: '~/.codex/hooks.json', to: '~/.codex/config.toml' },
  ...REGISTERED.flatMap(({ id, placement }) => {
    if (placement.kind !== 'own-file') return [];
    const { name, ending } = placement.folder;
    const [settings] = placement.files.user ?? [];
    const from = entriesIn(id as ClientId, 'annal');
    return [`${name}/others${ending}`, `${settings?.name}`].map((file) => ({
      client: id,
      from,
      to: from.replace(/^(~\/[^/]+)\/.*/, `$1/${file}`),
    }));
  }),
];

describe.concurrent('a copy of an entry in another file that the client also reads', () => {
  const parsed = (path: string, text: string) =>
    path.endsWith('.toml') ? parse(text) : JSON.parse(text);

  /** Installs, with the user's own hooks in one file, and a copy of our entry after the hooks in the other. */
  async function copied(world: World, { client, from, to }: (typeof BESIDE)[number]) {
    const users = {
      hooks: { PostToolUse: [client === 'codex' ? USERS : { type: 'command', bash: 'date' }] },
    };
    if (!from.includes('annal')) await put(world, from, users);
    await world.write('annal.json', manifest(COMMITTED));
    await world.run(`install annal.json --yes --client ${client}`);
    const whole = await world.snapshot();
    const ours = Object.values(parsed(from, await world.read(from)).hooks)
      .flat()
      .filter((group) => JSON.stringify(group).includes('annal'));
    await put(world, to, { hooks: { PostToolUse: [...users.hooks.PostToolUse, ...ours] } });
    return { users, whole, ours };
  }
  const put = (world: World, path: string, value: object) =>
    world.write(path, path.endsWith('.toml') ? stringify(value) : JSON.stringify(value, null, 2));
  const listed = async (world: World) =>
    JSON.parse((await world.run('list --json')).out).installed[0].clients[0];
  const found = async (world: World): Promise<unknown[]> =>
    JSON.parse((await world.run('doctor --json')).out).findings.filter(
      ({ check, level }: Record<string, string>) =>
        level !== 'ok' && ['entries', 'strays'].includes(check ?? ''),
    );

  test.for(BESIDE)('$client, from $from to $to', async (beside, { make, expect }) => {
    const world = await make();
    const { from, to, client } = beside;
    const { users, whole } = await copied(world, beside);
    const file = to.replace(/^~\/\.\w+\//, '');
    expect(await listed(world)).toMatchObject({
      state: `its entry for PostToolUse is also in ${file}`,
      drift: [{ code: 'entry-copied', what: 'PostToolUse', file }],
    });
    expect(await found(world)).toEqual([
      expect.objectContaining({
        check: 'entries',
        level: 'warning',
        what: expect.stringContaining(`its entry for PostToolUse is also in ${file}`),
        todo: expect.stringContaining('mcp-hooks update annal'),
      }),
    ]);
    if (client === 'codex')
      expect(await world.run('trust annal')).toMatchObject({
        code: 2,
        err: expect.stringContaining(`is also in ${file}`),
      });

    const { code, out } = await world.run('update annal --yes');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(file) });
    expect(parsed(to, await world.read(to))).toEqual(users);
    const { [to.slice(2)]: _, ...rest } = await world.snapshot();
    const { [to.slice(2)]: __, ...before } = whole;
    expect(rest).toEqual(before);
    expect(await listed(world)).toMatchObject({ state: 'intact' });
    expect(await found(world)).toEqual([]);
    expect((await world.run('update annal --yes')).out).toContain('Nothing to do');

    // An uninstall without an update in between removes the copy, too.
    const other = await make();
    await copied(other, beside);
    expect(await other.run('uninstall annal --yes')).toMatchObject({ code: 0 });
    expect(parsed(to, await other.read(to))).toEqual(users);
    expect(await other.snapshot()).not.toHaveProperty('.mcp-hooks');
    if (client === 'codex') expect(await other.read(from)).not.toContain('annal');
  });

  test.for(BESIDE.slice(0, 2))('moved: $from to $to', async (beside, { make, expect }) => {
    const world = await make();
    const { users } = await copied(world, beside);
    await put(world, beside.from, users);
    const file = beside.to.replace('~/.codex/', '');
    expect(await listed(world)).toMatchObject({
      state: `its entry for PostToolUse was moved to ${file}`,
      drift: [{ code: 'entry-moved', what: 'PostToolUse', file }],
    });
    expect(await world.run('update annal --yes')).toMatchObject({ code: 0 });
    expect(await world.read(beside.to)).toContain('annal');
    expect(await world.read(beside.from)).not.toContain('annal');
    expect(await listed(world)).toMatchObject({ state: 'intact', file: world.path(beside.to) });
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0 });
    expect(parsed(beside.to, await world.read(beside.to))).toEqual(users);
    expect(await world.snapshot()).not.toHaveProperty('.mcp-hooks');
  });
});

test('an entry that the user removed is restored only by an install of its label', async ({
  world,
  expect,
}) => {
  await installed(world);
  await world.write('tasks.json', manifest({ ...COMMITTED, context: 'Tasks.' }));
  await takeOut(world);
  const mine = async () => {
    const all = await Promise.all(CLIENTS.map((client) => commands(world, client)));
    return all.flat().filter((command) => command.includes('/annal/')).length;
  };
  for (const line of ['install tasks.json --yes', 'uninstall tasks --yes', 'list']) {
    expect(await world.run(line)).toMatchObject({ code: 0 });
    expect({ line, mine: await mine() }).toEqual({ line, mine: 0 });
  }
  await world.run('install annal.json --yes');
  expect(await mine()).toBe(3);
});

test('installing another label keeps an edited entry, which is still reported', async ({
  world,
  expect,
}) => {
  await installed(world);
  await world.write('tasks.json', manifest({ ...COMMITTED, context: 'Tasks.' }));
  await editOurs(world);
  await world.run('install tasks.json --yes');
  expect((await world.run('list')).out.match(/for \w+ was edited/g)).toHaveLength(3);
  for (const { config } of CLIENTS) expect(await world.read(config)).toContain('Edit');
});

test('a missing file of the runner is no longer recorded once nothing needs it', async ({
  world,
  expect,
}) => {
  await installed(world);
  const recorded = async () => {
    const { installs } = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    return Object.keys(installs[0].runner).join();
  };
  const lose = (name: string) => rm(world.path(`${RUNNER}/${name}`));
  await lose('codex.PostToolUse.json');
  await world.run('uninstall annal --client codex --yes');
  expect(await recorded()).not.toContain('codex.');
  await lose('claude-code.PostToolUse.json');
  await world.write('annal.json', manifest({ ...COMMITTED, event: 'session_start' }));
  await world.run('update annal --yes');
  expect(await recorded()).toContain('claude-code.SessionStart.json');
  expect(await recorded()).not.toContain('claude-code.PostToolUse');
});

test('a private backup of each file is kept until our last entry is removed', async ({
  world,
  expect,
}) => {
  await installed(world);
  await world.write('tasks.json', manifest({ ...COMMITTED, context: 'Tasks.' }));
  await world.run('install tasks.json --yes');
  const { out } = await world.run('list --json');
  const backups: string[] = JSON.parse(out).installed.flatMap(
    ({ clients }: { clients: { backup: string }[] }) => clients.map(({ backup }) => backup),
  );
  expect(new Set(backups).size).toBe(3);
  for (const [index, path] of backups.slice(0, 3).entries()) {
    expect(await world.read(path)).toBe(index === 1 ? '# mine\nmodel = "gpt-5"\n' : SETTINGS);
    expect((await world.snapshot(path))['.']).toMatch(/^file 600 /);
  }
  await world.run('uninstall annal --yes');
  expect(Object.keys(await world.snapshot('~/.mcp-hooks/backups'))).toHaveLength(4);
  await world.run('uninstall tasks --client codex --yes');
  expect(Object.keys(await world.snapshot('~/.mcp-hooks/backups'))).toHaveLength(3);
  await world.run('uninstall tasks --yes');
  expect(await world.snapshot()).not.toHaveProperty('.mcp-hooks');
});

test('the backup is made once, even if only empty groups of ours were left in between', async ({
  world,
  expect,
}) => {
  await installed(world);
  const config = '~/.codex/config.toml';
  const { out } = await world.run('list --json');
  const [{ clients }] = JSON.parse(out).installed;
  const { backup } = clients.find(({ id }: { id: string }) => id === 'codex');
  await appendFile(world.path(config), '\n[[hooks.PostToolUse]]\nhooks = []\nmatcher = "mine"\n');
  await world.run('uninstall annal --yes');
  expect(await world.read(config)).toContain('hooks = []');
  await world.run('install annal.json --yes');
  expect(await world.read(backup)).toBe('# mine\nmodel = "gpt-5"\n');
});

describe('after each client has saved its own settings', () => {
  const json = (indent?: string | number) => (text: string) =>
    JSON.stringify(JSON.parse(text), null, indent);
  const toml = (text: string) => stringify(parse(text));
  const SAVES = {
    'with two spaces': { json: json(2), toml },
    'with tabs': { json: json('\t'), toml },
    'on one line': { json: json(), toml },
    'with a setting more': {
      json: (text: string) => json(2)(text.replace('{', '{ "theme": "dark",')),
      toml: (text: string) => toml(`theme = "dark"\n${text}`),
    },
  };

  test.for(Object.entries(SAVES))(
    '%s: the entries are intact, and there is nothing to do',
    async ([, save], { world, expect }) => {
      await installed(world);
      for (const { config } of CLIENTS) {
        const rewritten = config.endsWith('.toml') ? save.toml : save.json;
        await world.write(config, rewritten(await world.read(config)));
      }
      const before = await world.stamps();
      const { out } = await world.run('list --json');
      expect(JSON.parse(out).installed[0].clients).toMatchObject(
        CLIENTS.map(({ id }) => ({ id, state: 'intact', drift: [] })),
      );
      expect(await world.run('install annal.json --yes')).toMatchObject({
        code: 0,
        out: expect.stringContaining('Nothing to do'),
      });
      expect(await world.run('diff annal.json')).toMatchObject({ code: 0 });
      expect(await world.stamps()).toEqual(before);

      await world.run('uninstall annal --yes');
      for (const client of CLIENTS) {
        expect(await commands(world, client)).toEqual([]);
        expect(await world.read(client.config)).toContain('model');
      }
      expect(Object.keys(await world.snapshot())).not.toContain('.mcp-hooks');
    },
  );
});

describe('after the user has replaced parts of the home by links', () => {
  /** Moves a file or folder elsewhere and links to it, as dotfile managers do. */
  const adopt = async (world: World, name: string): Promise<void> => {
    await mkdir(world.path('~/dotfiles'), { recursive: true });
    const kept = `~/dotfiles/${name.replace('/', '-')}`;
    await rename(world.path(`~/${name}`), world.path(kept));
    await world.link(`~/${name}`, kept);
  };
  const FILES = ['.claude/settings.json', '.codex/config.toml', '.gemini/settings.json'];
  const FOLDERS = ['.claude', '.codex', '.gemini'];

  for (const [what, names] of Object.entries({ files: FILES, folders: FOLDERS })) {
    test(`${what}: list finds the entries intact, and uninstall removes them`, async ({
      world,
      expect,
    }) => {
      await installed(world);
      for (const name of names) await adopt(world, name);
      const { out } = await world.run('list --json');
      expect(JSON.parse(out).installed[0].clients).toEqual(
        CLIENTS.map(({ id }) => expect.objectContaining({ id, state: 'intact' })),
      );
      expect((await world.run('update --yes')).out).toContain("no client's file changes");
      expect((await world.run('uninstall annal --yes')).code).toBe(0);
      for (const file of FILES)
        expect(await world.read(`~/${file}`)).toBe(
          file.endsWith('.toml') ? '# mine\nmodel = "gpt-5"\n' : SETTINGS,
        );
      for (const name of names) expect((await world.snapshot())[name]).toMatch(/^link to /);
      expect(await world.snapshot()).not.toHaveProperty('.mcp-hooks');
    });
  }
});
