// `fire` and `verify` for a manifest that is not installed: they try it in a scratch home and leave nothing behind.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { expected } from '../clients/expectations.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { until } from '../support/processes.ts';
import { FOLDERS, IDS } from '../support/runner/clients.ts';
import { type RunOptions, test, type World } from '../support/world.ts';

const COMMIT = ['--tool', 'Bash', '--input', '{"command":"git commit -m x"}'];
const SERVER = readFile(join(import.meta.dirname, '../support/servers/notes.sh'), 'utf8');

interface Fired {
  readonly id: string;
  readonly installed: boolean;
  readonly firings?: readonly { readonly text: string | null }[];
}

async function furnish(world: World): Promise<void> {
  await world.folder(...FOLDERS, '../tmp');
  await world.write('annal.json', manifest(COMMITTED));
}

/** The PATH with the clients' shells, and an empty folder for scratch. */
const around = (world: World, env: RunOptions['env'] = {}): RunOptions => ({
  env: { PATH: process.env.PATH, TMPDIR: world.path('../tmp'), ...env },
});
const scratch = (world: World): string[] => readdirSync(world.path('../tmp'));

/** Runs a command with the world's folder for scratch. */
const tried = async (
  world: World,
  words: readonly string[],
  env?: RunOptions['env'],
  how: 'run' | 'runProcess' = 'run',
) => {
  const options = around(world, env);
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = options.env?.TMPDIR;
  try {
    const ran = await world[how](words, options);
    // On a busy machine it prints what it is waiting for.
    return { ...ran, err: ran.err.replace(/^(?:Running|Firing) .* \.\.\.\n/gm, '') };
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  }
};

/** What each client's model would read. */
const texts = (out: string): Record<string, string> => {
  const { clients }: { clients: Fired[] } = JSON.parse(out);
  return Object.fromEntries(
    clients.map(({ id, firings = [] }) => [id, firings.map(({ text }) => text ?? '').join('')]),
  );
};

/** A manifest whose hook calls a tool. Returns the file that the server writes when it is started. */
async function withTool(world: World, body?: string): Promise<string> {
  const started = world.path('../started');
  await world.write('server.sh', `echo $$ > ${started}\n${body ?? (await SERVER)}`);
  const declaration = { event: 'session_start', context_tool: 'recall', priority: 'important' };
  await world.write(
    'tool.json',
    JSON.stringify({
      server: { command: '/bin/sh', args: [world.path('server.sh')] },
      hooks: { declarations: [declaration] },
    }),
  );
  return started;
}
const exists = (path: string) =>
  readFile(path).then(
    () => true,
    () => false,
  );

describe('a manifest', () => {
  test('fires in every client, and leaves nothing behind', async ({ world }) => {
    await furnish(world);
    const before = await world.stamps('..');
    const words = ['fire', './annal.json', 'post_tool_use', ...COMMIT, '--json'];
    const { code, out, err } = await tried(world, words, {}, 'runProcess');
    expect([code, err]).toEqual([0, '']);
    const read = texts(out);
    expect(Object.keys(read)).toEqual(CLIENTS.map(({ id }) => id));
    for (const text of Object.values(read)) expect(text).toContain(COMMITTED.context);
    const { scope, label } = JSON.parse(out);
    expect([scope, label]).toEqual(['user', 'annal']);
    expect({ ...(await world.stamps('..')), tmp: '' }).toEqual({ ...before, tmp: '' });
    expect(scratch(world)).toEqual([]);
  });

  test('is verified in all clients, even those that are not on this machine', async ({ world }) => {
    await world.folder('../tmp');
    await world.write('annal.json', manifest(COMMITTED));
    const all = await tried(world, ['verify', './annal.json']);
    expect([all.code, all.err]).toEqual([0, '']);
    expect(all.out).toContain(`Everything fires: 1 hook in ${CLIENTS.length} clients.`);
    for (const path of ['annal.json', world.path('annal.json')]) {
      const { code, out, err } = await tried(world, ['verify', path, '--client', 'claude-code']);
      expect([path, code, err]).toEqual([path, 0, '']);
      expect(out).toContain('Everything fires: 1 hook in ');
    }
    expect(await world.snapshot()).toEqual({ '.': 'folder 755' });
    expect(scratch(world)).toEqual([]);
  });

  test('needs no home', async ({ world }) => {
    await furnish(world);
    for (const HOME of [undefined, '']) {
      const { code, err } = await tried(world, ['verify', './annal.json', '--client', 'codex'], {
        HOME,
      });
      expect([code, err]).toEqual([0, '']);
    }
  });

  test('is tried only in the named clients', async ({ world }) => {
    await furnish(world);
    const words = ['fire', './annal.json', 'post_tool_use', ...COMMIT, '--json'];
    const { out } = await tried(world, [...words, '--client', 'codex,gemini-cli']);
    expect(Object.keys(texts(out))).toEqual(['codex', 'gemini-cli']);
    const one = await tried(world, ['verify', 'annal.json', '--client', 'codex']);
    expect([one.code, one.out]).toEqual([
      0,
      expect.stringContaining('annal\n  Codex CLI  fires   PostToolUse'),
    ]);
    // A hook that cannot fire.
    await world.write('bash.json', manifest({ ...COMMITTED, matcher: { tool_name: 'BASH' } }));
    expect((await tried(world, ['verify', './bash.json', '--client', 'codex'])).code).toBe(1);
    const wrong = await tried(world, ['verify', './annal.json', '--client', 'zed']);
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringMatching(/^There is no client "zed"/),
    ]);
    expect(scratch(world)).toEqual([]);
  });

  test('works in a folder whose name is hard to quote, and with a name that is not a label', async ({
    world,
  }) => {
    await furnish(world);
    const path = `it's "my"  $(folder)/-- hook; é.json`;
    await world.write(path, manifest(COMMITTED));
    const words = ['fire', path, 'post_tool_use', ...COMMIT, '--json'];
    const { code, out, err } = await tried(world, words);
    expect([code, err]).toEqual([0, '']);
    for (const text of Object.values(texts(out))) expect(text).toContain(COMMITTED.context);
    await world.folder(`../it's "tmp" $(here)`);
    const elsewhere = { TMPDIR: world.path(`../it's "tmp" $(here)`) };
    const { out: there } = await tried(world, words, elsewhere);
    for (const text of Object.values(texts(there))) expect(text).toContain(COMMITTED.context);
    expect(readdirSync(elsewhere.TMPDIR)).toEqual([]);
  });

  test('can be given as its folder', async ({ world }) => {
    await furnish(world);
    await world.write('server/package.json', '{ "name": "annal" }');
    await world.write('server/mcp-hooks.json', manifest(COMMITTED));
    const { code, out } = await tried(world, ['verify', './server', '--client', 'codex']);
    expect([code, out]).toEqual([0, expect.stringContaining('Everything fires: 1 hook')]);
  });
});

describe('an install', () => {
  test('wins over a file of the same name', async ({ world }) => {
    await furnish(world);
    await world.write('mine.json', manifest({ ...COMMITTED, context: 'What is installed.' }));
    const install = await tried(world, [
      ...['install', './mine.json', '--name', 'annal.json', '--yes', '-q'],
      ...['--client', 'claude-code'],
    ]);
    expect(install).toMatchObject({ code: 0, out: '', err: '' });
    const words = ['post_tool_use', ...COMMIT, '--json'];
    const { out } = await tried(world, ['fire', 'annal.json', ...words]);
    expect(texts(out)).toEqual({ 'claude-code': expect.stringContaining('What is installed.') });
    const { out: file } = await tried(world, ['fire', './annal.json', ...words]);
    expect(Object.keys(texts(file))).toHaveLength(CLIENTS.length);
    expect(texts(file)['claude-code']).toContain(COMMITTED.context);
  });

  test('and its policy do not affect a trial', async ({ world }) => {
    await furnish(world);
    await world.write('~/.mcp-hooks/policy.json', '{ "servers": { "annal": { "muted": true } } }');
    const { code } = await tried(world, ['verify', './annal.json']);
    expect(code).toBe(0);
  });
});

test('variables for other homes do not affect the scratch home', async ({ world }) => {
  await furnish(world);
  const names = [
    ...IDS.map((id) => expected[id].variable),
    'MCP_HOOKS_HOME',
    'XDG_CONFIG_HOME',
    'USERPROFILE',
  ];
  const env = Object.fromEntries(names.map((name) => [name, world.path(`../real/${name}`)]));
  await world.folder(...Object.values(env));
  // Settings in the user's own home do not count, either.
  await world.write('~/.claude/settings.json', '{ "disableAllHooks": true }\n');
  await world.write(`../real/CODEX_HOME/config.toml`, 'model = \n');
  const before = [await world.stamps('../real'), await world.stamps()];
  const words = ['fire', './annal.json', 'post_tool_use', ...COMMIT, '--json'];
  const { code, out, err } = await tried(world, words, env);
  expect([code, err]).toEqual([0, '']);
  for (const text of Object.values(texts(out))) expect(text).toContain(COMMITTED.context);
  const said = await tried(world, words.slice(0, -1), env);
  for (const { name } of CLIENTS) expect(said.out).toContain(`${name}\n`);
  expect(said.out).toContain('You just committed work.');
  expect(said.out).not.toMatch(/do not fire|not trusted|switched off/);
  const verified = await tried(world, ['verify', './annal.json', '--json'], env);
  expect([verified.code, JSON.parse(verified.out)]).toMatchObject([
    0,
    { schemaVersion: 1, fires: true },
  ]);
  expect(JSON.parse(verified.out).verified).toHaveLength(CLIENTS.length);
  expect([await world.stamps('../real'), await world.stamps()]).toEqual(before);
  expect(scratch(world)).toEqual([]);
});

describe('its tools', () => {
  const words = ['fire', './tool.json', 'session_start', '--client', 'codex', '--json'];

  test('are called only with --allow context-tool', async ({ world }) => {
    await furnish(world);
    const started = await withTool(world);
    const { code } = await tried(world, words);
    expect([code, await exists(started)]).toEqual([0, false]);
    expect((await tried(world, ['verify', './tool.json'])).code).not.toBe(2);
    expect(await exists(started)).toBe(false);

    const { out } = await tried(world, [...words, '--allow', 'context-tool']);
    expect(texts(out).codex).toContain('The build needs Node 20.');
    expect(await exists(started)).toBe(true);
    expect(scratch(world)).toEqual([]);
  });

  test.for(['SIGINT', 'SIGTERM'] as const)('%s in a call', async (signal, { world }) => {
    await furnish(world);
    const started = await withTool(world, 'exec /bin/sleep 600\n');
    const before = await world.stamps();
    const running = world.start([...words, '--allow', 'context-tool'], around(world));
    await until('the server runs', () => exists(started));
    expect(scratch(world)).not.toEqual([]);
    running.kill(signal);
    const { exitCode } = await running;
    expect(exitCode).toBeGreaterThan(128);
    await until('nothing is left', () => scratch(world).length === 0);
    expect(await world.stamps()).toEqual(before);
  });
});

describe('errors', () => {
  test('a manifest with problems: each with its place', async ({ world }) => {
    await furnish(world);
    await world.write(
      'bad.json',
      '{\n  "hooks": { "declarations": [{ "event": "post_tool" }] }\n}',
    );
    for (const line of [
      ['verify', './bad.json'],
      ['fire', './bad.json', 'session_start'],
    ]) {
      const { code, out, err } = await tried(world, line);
      expect([line, code, out]).toEqual([line, 2, '']);
      expect(err).toMatch(/^\.\/bad\.json:2:\d+: error: "event" is "post_tool"/m);
    }
    await world.write('half.json', '{ "hooks": ');
    const { code, err } = await tried(world, ['verify', 'half.json']);
    expect([code, err]).toEqual([2, expect.stringMatching(/^half\.json:1:\d+: error: /m)]);
    expect(scratch(world)).toEqual([]);
  });

  test('a manifest that is missing or not a text file', async ({ world }) => {
    await furnish(world);
    await world.write('binary.json', Buffer.from([0, 255, 254, 1]));
    for (const path of ['./nowhere.json', './binary.json', './no/folder', '/dev/null/x']) {
      const { code, out } = await tried(world, ['verify', path]);
      expect([path, code, out]).toEqual([path, 2, '']);
    }
    const { code, out, err } = await tried(world, ['fire', './nowhere.json', 'pre_request']);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('nowhere.json')]);
    // A bare name is a label, even if the folder has a file of that name.
    await world.write('annal', manifest(COMMITTED));
    const label = await tried(world, ['verify', 'annal']);
    expect([label.code, label.err]).toEqual([2, expect.stringContaining('annal is not installed')]);
    expect(scratch(world)).toEqual([]);
  });

  test('an unknown event', async ({ world }) => {
    await furnish(world);
    const { code, err } = await tried(world, ['fire', './annal.json', 'nonsense']);
    expect([code, err]).toEqual([2, expect.stringMatching(/^There is no event "nonsense"/)]);
    expect(scratch(world)).toEqual([]);
  });

  test('a manifest that declares nothing', async ({ world }) => {
    await furnish(world);
    await world.write('none.json', '{ "hooks": { "declarations": [] } }');
    const { code, out } = await tried(world, ['verify', './none.json']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^none declares no hooks/)]);
    expect(scratch(world)).toEqual([]);
  });

  test.for(['https://localhost:1/mcp', 'http://127.0.0.1:1/x.json', 'npm:@someone/server'])(
    '%s is asked for nothing',
    async (named, { world }) => {
      await furnish(world);
      for (const line of [
        ['verify', named],
        ['fire', named, 'session_start'],
      ]) {
        const { code, err } = await tried(world, line);
        expect([line, code, err]).toEqual([
          line,
          2,
          `${named} is not installed in user scope. Nothing is installed. Nothing was fired. To find hooks for your servers: mcp-hooks scan\n`,
        ]);
      }
    },
  );

  test('a scratch folder that cannot be written to', async ({ world }) => {
    await furnish(world);
    const { code, err } = await tried(world, ['verify', './annal.json'], { TMPDIR: '/dev/null' });
    expect([code, err]).toEqual([2, expect.stringMatching(/^\/dev\/null/)]);
  });
});
