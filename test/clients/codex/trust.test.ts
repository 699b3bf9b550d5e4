// Trust in Codex without Codex: what its file says, what we ask a codex on the PATH, and every way in which that may fail to
// answer. For the real Codex, see test/real-clients/trust.test.ts.
import { describe } from 'vitest';
import { codex as client } from '../../../src/clients/codex/client.ts';
import { trust } from '../../../src/clients/codex/trust.ts';
import { trustHash } from '../../../src/clients/codex/trust-hash.ts';
import { which } from '../../../src/clients/detect.ts';
import type { ConfiguredHook } from '../../../src/clients/entries.ts';
import { findPlaces } from '../../../src/clients/places.ts';
import type { TrustState, TrustTrouble, WhyUnknown } from '../../../src/clients/trust.ts';
import { findingsOf } from '../../../src/diagnose/doctor/trust.ts';
import { readWritten } from '../../../src/install/configured-hooks.ts';
import { sentenceOrText } from '../../../src/present/messages/sentence.ts';
import { disk } from '../../../src/system/disk.ts';
import { type Answers, asked, fakeCodex, keyOf, onPath } from '../../support/codex.ts';
import { COMMITTED, manifest } from '../../support/hooks.ts';
import { test, type World } from '../../support/world.ts';

const CONFIG = '~/.codex/config.toml';
const MINE =
  'model = "gpt-5"\n\n[[hooks.PostToolUse]]\nhooks = [{ type = "command", command = "mine" }]\n';
const HAND = 'Start codex and answer "Trust all and continue", or type /hooks in it.';

/** A home with a hook of the user's own, and annal on two events. */
async function install(world: World): Promise<void> {
  await world.write(CONFIG, MINE);
  const hello = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
  await world.write('annal.json', manifest(COMMITTED, hello));
  const { code, err } = await world.run('install annal.json --client codex --yes');
  if (code !== 0) throw new Error(err);
}

const placesIn = (world: World) => findPlaces(world.env(), world.work, 'user');

/** Our hooks, in the order of the file. */
const ours = (world: World): ConfiguredHook[] =>
  readWritten(client, placesIn(world), disk).hooks.filter(({ label }) => label === 'annal');

/** Hooks as Codex lists them. */
const listed = (hooks: readonly ConfiguredHook[], more: object = {}) =>
  hooks.map((hook) => ({
    key: keyOf(hook),
    eventName: hook.native,
    command: hook.command,
    currentHash: trustHash(hook),
    trustStatus: 'untrusted',
    enabled: true,
    ...more,
  }));
const list = (...hooks: object[]) => ({ result: { data: [{ hooks }] } });

/** The question, with the codex on the PATH if there is one. */
function questionIn(world: World) {
  const places = placesIn(world);
  const found = which(client.executable, places);
  const question = { places, read: disk.read, cwd: world.work };
  return { ...question, ...(found !== undefined && { launch: [found] as const }) };
}

const readTrust = (world: World, more: { deadline?: number } = {}) =>
  trust.read(ours(world), { ...questionIn(world), ...more });

const trustIn = async (world: World) => {
  const { from, trouble, hooks } = await readTrust(world);
  return { from, trouble, trust: hooks.map((one) => one.trust) };
};

const RUN = 'mcp-hooks trust annal';
const homeOf = (world: World) => placesIn(world).home;

/** The record that Codex would write for a hook of ours. */
const state = (hook: ConfiguredHook | undefined, lines: string) =>
  hook ? `\n[hooks.state."${keyOf(hook)}"]\n${lines}\n` : '';

describe("trust is read from Codex's file", () => {
  test.for([
    ['trusted', (hook: ConfiguredHook) => `trusted_hash = "${trustHash(hook)}"`],
    ['changed', () => 'trusted_hash = "sha256:00"'],
    ['disabled', (hook: ConfiguredHook) => `enabled = false\ntrusted_hash = "${trustHash(hook)}"`],
    ['untrusted', () => 'enabled = true'],
  ] as const)('%s', async ([trust, lines], { world, expect }) => {
    await install(world);
    const [first] = ours(world);
    if (!first) throw new Error('nothing was written');
    await world.write(CONFIG, (await world.read(CONFIG)) + state(first, lines(first)));
    const found = await trustIn(world);
    expect(found).toMatchObject({ from: 'file', trouble: undefined });
    expect(found.trust).toEqual([
      trust,
      ...ours(world)
        .slice(1)
        .map(() => 'untrusted'),
    ]);
  });

  test('another matcher, position or timeout is no longer trusted', async ({ world, expect }) => {
    await install(world);
    const text = await world.read(CONFIG);
    const granted = ours(world).map((hook) => state(hook, `trusted_hash = "${trustHash(hook)}"`));
    const after = async (from: string | RegExp, to: string) => {
      await world.write(CONFIG, text.replace(from, to) + granted.join(''));
      return (await trustIn(world)).trust;
    };
    const one = ours(world).findIndex(({ native }) => native === 'PostToolUse');
    const only = (trust: string) => granted.map((_, at) => (at === one ? trust : 'trusted'));
    expect(granted.length).toBeGreaterThan(1);
    expect(await after('', '')).toEqual(only('trusted'));
    expect(await after('matcher = "Bash"', 'matcher = "Bash|Edit"')).toEqual(only('changed'));
    expect(await after('matcher = "Bash"\n', '')).toEqual(only('changed'));
    expect(
      await after(
        '[[hooks.PostToolUse]]',
        '[[hooks.PostToolUse]]\nhooks = []\n[[hooks.PostToolUse]]',
      ),
    ).toEqual(only('untrusted'));
    expect(await after(/(?<=Bash"\n.*timeout = )\d+/, '14')).toEqual(only('changed'));
  });

  test('trust is unknown if the file cannot be read, which is reported', async ({
    world,
    expect,
  }) => {
    await install(world);
    const hooks = ours(world);
    await world.write(CONFIG, 'model = \n');
    const { hooks: found } = await trust.read(hooks, questionIn(world));
    expect(found.map((one) => one.trust)).toEqual(hooks.map(() => 'unknown'));
    expect(found[0]?.why).toMatchObject({
      code: 'trust-file-unreadable',
      why: { code: 'invalid-toml' },
    });
  });
});

describe('trust is read from the codex on the PATH', () => {
  test('each state is read for each of our hooks, whatever else is listed', async ({
    world,
    expect,
  }) => {
    await install(world);
    const [first, second] = ours(world);
    if (!first || !second) throw new Error('nothing was written');
    const states = async (...hooks: object[]) => {
      await fakeCodex(world, { 'hooks/list': [list(...hooks)], 'config/read': [{ result: {} }] });
      const { from, trust } = await trustIn(world);
      expect(from).toBe('client');
      return trust.slice(0, 2);
    };
    const both = [first, second];
    expect(await states(...listed(both, { trustStatus: 'trusted' }))).toEqual([
      'trusted',
      'trusted',
    ]);
    expect(await states(...listed(both, { trustStatus: 'managed' }))).toEqual([
      'trusted',
      'trusted',
    ]);
    expect(
      await states(...listed([first], { trustStatus: 'modified' }), ...listed([second])),
    ).toEqual(['changed', 'untrusted']);
    expect(
      await states(
        ...listed([first], { enabled: false, trustStatus: 'trusted' }),
        ...listed([second]),
      ),
    ).toEqual(['disabled', 'untrusted']);
    expect(await states(...listed([second], { trustStatus: 'trusted' }))).toEqual([
      'unknown',
      'trusted',
    ]);
    // In the place of our hooks, but with another command.
    expect(await states(...listed(both, { trustStatus: 'trusted', command: 'mine' }))).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  const HANG =
    "#!/bin/sh\necho 'waiting for the moon, token=abcdefghijk' >&2\nexec /bin/sleep 600\n";
  const REFUSED = {
    error: { code: -32600, message: 'Invalid request: unknown variant `hooks/list`' },
  };
  const OLD = {
    initialize: [{ result: { userAgent: 'mcp-hooks/0.120.0 (Debian)' } }],
    'hooks/list': [REFUSED],
  };
  const NO = { error: { code: -32000, message: 'config.toml is read-only' } };
  const BAD: readonly [string, string | Answers, TrustTrouble['code'], RegExp][] = [
    [
      'hangs',
      HANG,
      'ask-timeout',
      /did not answer within 2 seconds and was ended .*The end of its output: waiting for the moon, token=\*\*\*/,
    ],
    [
      'ends',
      "#!/bin/sh\necho 'no such subcommand' >&2\nexit 2\n",
      'ask-ended-early',
      /ended \(exit code 2\) before it answered. It needs Codex CLI 0.145.0 or newer. The end of its output: no such subcommand/,
    ],
    [
      'answers garbage',
      '#!/bin/sh\necho "Welcome \u{1b}[1mto codex"\n/bin/cat\n',
      'ask-not-json',
      /not JSON. The end of its output: Welcome to codex/,
    ],
    ['cannot be run', '#!/no/such/shell\n', 'ask-not-started', /codex could not be started/],
    [
      'is too old',
      OLD,
      'ask-too-old',
      /This Codex CLI \(0.120.0\) cannot be asked about trust: 0.145.0 or newer is needed/,
    ],
    [
      'refuses',
      { 'hooks/list': [NO] },
      'ask-refused',
      /codex app-server refused. The end of its output: .*read-only/,
    ],
  ];

  // Only the program that hangs has a short deadline: the others may be slow on a busy machine.
  const seconds = (how: string) => (how === 'hangs' ? 2 : 20);

  test.for(BAD)(
    'one that %s: the file is read instead, and the reason is reported',
    async ([how, codex, problem, why], { world, expect }) => {
      await install(world);
      await (typeof codex === 'string' ? onPath(world, codex) : fakeCodex(world, codex));
      const found = await readTrust(world, { deadline: seconds(how) * 1000 });
      const { from, trouble, hooks } = found;
      expect([from, trouble?.code]).toEqual(['file', problem]);
      expect(hooks.map((one) => one.trust)).toEqual(hooks.map(() => 'untrusted'));
      const [note, ...others] = findingsOf(client, trust, found, homeOf(world), RUN);
      expect([note?.level, sentenceOrText(note?.what ?? '')]).toEqual([
        'warning',
        expect.stringMatching(why),
      ]);
      expect(others.map(({ level }) => level)).toEqual(ours(world).map(() => 'error'));
    },
  );

  test.for(BAD)(
    'one that %s: install --trust installs, prints why there is no trust, and exits with 2',
    async ([how, codex, , why], { world, expect }) => {
      await install(world);
      const before = await world.read(CONFIG);
      await (typeof codex === 'string' ? onPath(world, codex) : fakeCodex(world, codex));
      const { code, out, err } = await world.run(
        `install annal.json --client codex --yes --trust --timeout ${seconds(how)}`,
      );
      expect(code).toBe(2);
      expect(out).toContain('Nothing to do');
      expect(err.replaceAll('\n', ' ')).toMatch(why);
      expect(err).toContain('The hooks are written; only the trust is missing.');
      expect(await world.read(CONFIG)).toBe(before);
    },
  );
});

describe('granting', () => {
  test.for(['install annal.json --client codex --yes --trust', 'trust annal'])(
    'covers the installed hooks, with the hashes that Codex reports, and no other hooks: %s',
    async (line, { world, expect }) => {
      await install(world);
      const hooks = ours(world);
      const all = readWritten(client, placesIn(world), disk).hooks;
      const others = all.filter(({ label }) => label === undefined);
      expect(others).toHaveLength(1);
      const [off, ...on] = hooks;
      if (!off) throw new Error('nothing was written');
      const seen = (trustStatus: string) =>
        list(
          ...listed(others),
          ...listed([off], { enabled: false }),
          ...listed(on, { trustStatus, currentHash: 'sha256:as-codex-says' }),
        );
      await fakeCodex(world, {
        'hooks/list': [seen('untrusted'), seen('trusted')],
        'config/batchWrite': [{ result: { status: 'ok' } }],
      });
      const { code, out } = await world.run(line);
      expect(code).toBe(0);
      const state = Object.fromEntries(
        on.map((hook) => [keyOf(hook), { trusted_hash: 'sha256:as-codex-says' }]),
      );
      expect(await asked(world, 'config/batchWrite')).toEqual([
        {
          edits: [{ keyPath: 'hooks.state', mergeStrategy: 'upsert', value: state }],
          reloadUserConfig: true,
        },
      ]);
      expect(out).toContain('Codex CLI now trusts these hooks:');
      expect(out).toContain(`Left switched off in Codex CLI: ${off.native}`);
    },
  );

  test('does not cover an entry that is no longer as planned', async ({ world, expect }) => {
    await install(world);
    const places = placesIn(world);
    const [first] = ours(world);
    if (!first) throw new Error('nothing was written');
    // Codex reads another command than we do, so nothing is granted.
    await fakeCodex(world, {
      'hooks/list': [list(...listed([first], { command: `${first.command}\nevil` }))],
      'config/read': [{ result: { layers: [] } }],
    });
    const codex = [`${world.bin}/codex`] as const;
    const question = { places, read: disk.read, cwd: world.work, launch: codex };
    expect(await trust.grant([first], question)).toMatchObject({
      granted: [],
      after: [{ trust: 'unknown', why: { code: 'hook-not-listed' } }],
    });
    expect(await asked(world, 'config/batchWrite')).toEqual([]);
  });

  test('explains that a label is not installed, that codex is missing, or that Codex is not among the clients', async ({
    world,
    expect,
  }) => {
    expect(await world.run('trust annal')).toMatchObject({
      code: 2,
      err: 'annal is not installed in user scope. To find hooks for your servers: mcp-hooks scan\n',
    });
    await install(world);
    expect(await world.run('trust annal')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^codex is not on the PATH/),
    });
    const json = await world.run('trust annal --json');
    expect([json.code, JSON.parse(json.out)]).toMatchObject([
      2,
      { schemaVersion: 1, label: 'annal', trust: { granted: [] } },
    ]);
    await world.run('uninstall annal --yes');
    await world.run('install annal.json --client claude --yes');
    expect(await world.run('trust annal')).toMatchObject({
      out: expect.stringContaining('Nothing to trust: Codex CLI is not among the clients'),
    });
  });

  test('fails if Codex answers yes and does nothing', async ({ world, expect }) => {
    await install(world);
    await fakeCodex(world, {
      'hooks/list': [list(...listed(ours(world)))],
      'config/batchWrite': [{ result: { status: 'ok' } }],
    });
    const { code, out } = await world.run('install annal.json --client codex --yes --trust --json');
    const { trust } = JSON.parse(out);
    expect([code, trust.granted]).toEqual([2, []]);
    expect(trust.problem).toMatch(/still does not trust them/);
  });

  test('writes nothing if Codex trusts the hooks already', async ({ world, expect }) => {
    await install(world);
    await fakeCodex(world, {
      'hooks/list': [list(...listed(ours(world), { trustStatus: 'trusted' }))],
    });
    const { code, out } = await world.run('install annal.json --client codex --yes --trust');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Codex CLI already trusts the hooks of annal.'),
    ]);
    expect(await asked(world, 'config/batchWrite')).toEqual([]);
  });
});

describe('what is printed if no client is asked', () => {
  test('no codex on the PATH: the hooks are installed, and the next step is printed', async ({
    world,
    expect,
  }) => {
    await world.write('annal.json', manifest(COMMITTED));
    const { code, out } = await world.run('install annal.json --client codex --yes --trust');
    expect([code, out.replace(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining(
        'codex is not on the PATH. Install Codex CLI, or run this command where codex is on the PATH. mcp-hooks verify',
      ),
    ]);
  });

  test('Codex is not among the clients', async ({ world, expect }) => {
    await world.write('annal.json', manifest(COMMITTED));
    const { code, out } = await world.run('install annal.json --client claude --yes --trust');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Nothing to trust: Codex CLI is not among the clients'),
    ]);
    const { trust } = JSON.parse(
      (await world.run('install annal.json --client claude --yes --trust --json')).out,
    );
    expect(trust).toMatchObject({ granted: [], hooks: [] });
  });

  test('--dry-run shows what would be trusted, and starts no codex', async ({ world, expect }) => {
    await world.write('annal.json', manifest(COMMITTED));
    await onPath(world, `#!/bin/sh\necho started > ${world.home}/started\n`);
    const { code, out } = await world.run(
      'install annal.json --client codex --yes --trust --dry-run',
    );
    expect([code, out.replace(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining(
        'note: --trust: once this is written, Codex CLI trusts these hooks: PostToolUse of Bash.',
      ),
    ]);
    // Commands without --trust start no codex either.
    for (const line of ['diff annal.json', 'list']) await world.run(line);
    await world.run('install annal.json --client codex --yes');
    expect(Object.keys(await world.snapshot())).not.toContain('started');
  });

  test.for([
    ['diff', `Codex CLI runs new hooks only after you trust them. ${HAND} Or add --trust.`],
    ['install --yes', 'Codex CLI exact ~/.codex/config.toml (needs trust)'],
  ] as const)(
    'without --trust, the plan of %s says that Codex asks the user',
    async ([command, said], { world, expect }) => {
      await world.write('annal.json', manifest(COMMITTED));
      const [name = '', ...flags] = command.split(' ');
      const { out } = await world.run([name, 'annal.json', '--client', 'codex', ...flags]);
      const plan = out.replace(/^(?:---|Files:).*/ms, '').replace(/\s+/g, ' ');
      expect(plan).toContain(said);
      // The note is missing if nothing changes for Codex.
      await world.run('install annal.json --client codex --yes');
      for (const line of ['diff annal.json', 'install annal.json --yes --dry-run'])
        expect((await world.run(`${line} --client codex`)).out).not.toMatch(
          /runs new hooks|needs trust/,
        );
    },
  );
});

test('doctor reports each state of trust, and what to do', async ({ world, expect }) => {
  await install(world);
  const [hook] = ours(world);
  if (!hook) throw new Error('nothing was written');
  const told = (state: TrustState, why?: WhyUnknown) => {
    const one = { hook, trust: state, ...(why && { why }) };
    const reading = { from: 'client', hooks: [one] } as const;
    const [found] = findingsOf(client, trust, reading, homeOf(world), RUN);
    expect(sentenceOrText(found?.what ?? '')).toContain(
      `${hook.native} of Bash in ~/.codex/config.toml`,
    );
    return [found?.level, found?.todo === undefined ? undefined : sentenceOrText(found.todo)];
  };
  const say = 'mcp-hooks trust annal';
  expect(told('trusted')).toEqual(['ok', undefined]);
  expect(told('untrusted')).toEqual(['error', say]);
  expect(told('changed')).toEqual(['error', say]);
  expect(told('disabled')).toEqual(['error', expect.stringContaining('/hooks')]);
  expect(told('unknown', { code: 'hook-not-listed', client: 'Codex CLI' })).toEqual([
    'warning',
    'Codex CLI does not see it where it is written: hooks may be switched off, or the file is not read.',
  ]);
});

describe("an uninstall removes Codex's records of trust in the hooks", () => {
  const granted = (world: World, hooks = ours(world)) =>
    hooks.map((hook) => state(hook, `trusted_hash = "${trustHash(hook)}"`)).join('');
  const FORGETS = /Codex CLI forgets that you trust the \d hooks that are taken out/;

  test('with the header that Codex writes above all records', async ({ world, expect }) => {
    await install(world);
    const before = await world.read(CONFIG);
    await world.write(CONFIG, `${before}\n[hooks.state]\n${granted(world)}`);
    const { out } = await world.run('uninstall annal --dry-run --diff');
    expect(out).toMatch(FORGETS);
    expect(out).toContain('-[hooks.state]');
    expect((await world.run('uninstall annal --yes')).out).toMatch(FORGETS);
    expect(await world.read(CONFIG)).toBe(MINE);
    // Trust is not mentioned if none is recorded.
    await world.run('install annal.json --client codex --yes');
    expect((await world.run('uninstall annal --yes')).out).not.toContain('forgets');
  });

  test('but not the records of other hooks, or one with a comment of the user', async ({
    world,
    expect,
  }) => {
    await install(world);
    const [first, ...others] = ours(world);
    if (!first || others.length === 0) throw new Error('no two hooks were written');
    const theirs = '\n[hooks.state]\n\n[hooks.state."/theirs:stop:0:0"]\nenabled = false\n';
    const kept = `${granted(world, [first])}# mine\nenabled = true\n`;
    await world.write(CONFIG, (await world.read(CONFIG)) + theirs + granted(world, others) + kept);
    await world.run('uninstall annal --yes');
    expect(await world.read(CONFIG)).toBe(MINE + theirs + kept);
  });

  test('but not from one table with all of them, and does not claim to', async ({
    world,
    expect,
  }) => {
    await install(world);
    const keys = [...ours(world).map(keyOf), '/theirs:stop:0:0'];
    const inline = keys.map((key) => `${JSON.stringify(key)} = { enabled = true }`);
    const theirs = `\n[hooks.state]\n${inline.join('\n')}\n`;
    await world.write(CONFIG, (await world.read(CONFIG)) + theirs);
    const { out } = await world.run('uninstall annal --yes');
    expect(out).not.toContain('forgets');
    expect(await world.read(CONFIG)).toBe(MINE + theirs);
  });

  test('as an update does for hooks that are no longer declared', async ({ world, expect }) => {
    await install(world);
    const [first, ...others] = ours(world);
    const staying = ours(world).filter(({ native }) => native === 'PostToolUse');
    if (!first || staying.length !== 1 || others.length === 0) throw new Error('other hooks');
    const before = await world.read(CONFIG);
    await world.write(CONFIG, before + granted(world));
    await world.write('annal.json', manifest(COMMITTED));
    const { out } = await world.run('update annal --yes');
    expect(out).toContain('Codex CLI forgets that you trust the');
    const after = await world.read(CONFIG);
    expect(after).toContain(granted(world, staying));
    expect(after.split('trusted_hash')).toHaveLength(2);
    await world.run('uninstall annal --yes');
    expect(await world.read(CONFIG)).toBe(MINE);
  });

  test("also those of a project's hooks, in the user's file", async ({ world, expect }) => {
    await world.folder('p/.git');
    await world.write('annal.json', manifest(COMMITTED));
    const at = { cwd: world.path('p') };
    await world.run('install ../annal.json --client codex --yes --scope project', at);
    const places = findPlaces(world.env(), at.cwd, 'project');
    const hooks = readWritten(client, places, disk).hooks;
    expect(hooks.length).toBeGreaterThan(0);

    const records = hooks.map((hook) => state(hook, 'enabled = true'));
    await world.write(CONFIG, MINE + records.join(''));
    const dry = await world.run('uninstall annal --dry-run --diff --scope project', at);
    expect(dry.out).toContain('-[hooks.state.');
    const { out } = await world.run('uninstall annal --yes --scope project --json', at);
    expect(JSON.parse(out).trust).toMatchObject([{ client: 'codex', keys: hooks.map(keyOf) }]);
    expect(await world.read(CONFIG)).toBe(MINE);
  });
});

test.for([
  ['a prompt', { type: 'prompt', prompt: 'x' }],
  ['a timeout that Codex does not read', { type: 'command', command: 'x', timeout: 1.5 }],
  ['a text for async', { type: 'command', command: 'x', async: 'yes' }],
] as const)('no hash is computed for %s', ([, handler], { expect }) => {
  expect(trustHash({ native: 'Stop', handler })).toBeUndefined();
});

test('on Windows, the hash is that of commandWindows', ({ expect }) => {
  const handler = { type: 'command', command: 'a', commandWindows: 'b' };
  const as = (platform: NodeJS.Platform) => trustHash({ native: 'Stop', handler }, platform);
  const plain = (command: string) =>
    trustHash({ native: 'Stop', handler: { type: 'command', command } });
  expect([as('linux'), as('win32')]).toEqual([plain('a'), plain('b')]);
});

// The real Codex says the same (test/real-clients/trust.test.ts).
test('a limit of context is part of the hash where it has an effect', ({ expect }) => {
  const hashed = (native: string, limit?: number) => {
    const handler = { type: 'command', command: 'f' };
    return trustHash({
      native,
      handler: limit === undefined ? handler : { ...handler, additionalContextLimit: limit },
    });
  };
  expect(hashed('PostToolUse')).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(hashed('PostToolUse', 2500)).toBe(hashed('PostToolUse'));
  expect(hashed('PostToolUse', 77)).not.toBe(hashed('PostToolUse'));
  expect(hashed('Stop', 77)).toBe(hashed('Stop'));
});
