/** Several processes at the same time: other installers, killed ones, and locks left behind. */
import { readFile } from 'node:fs/promises';
import { execaSync } from 'execa';
import { parse } from 'smol-toml';
import { describe } from 'vitest';
import { CLIENTS, COMMITTED, commands, manifest } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const MANY = Array.from({ length: 9 }, (_, index) => `server-${index}`);
/** How many of them are killed while they write. */
const VICTIMS = 2;

const SETTINGS: Readonly<Record<string, string>> = {
  '~/.claude/settings.json':
    '{\n  "model": "opus",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "date" }] }] }\n}\n',
  '~/.codex/config.toml':
    '# mine\n[[hooks.PostToolUse]]\nhooks = [{ type = "command", command = "date" }]\n',
  '~/.gemini/settings.json': '{ "ui": { "theme": "Dark" } }\n',
};

async function furnish(world: World, labels: readonly string[]): Promise<void> {
  for (const [path, text] of Object.entries(SETTINGS)) await world.write(path, text);
  for (const label of labels)
    await world.write(`${label}.json`, manifest({ ...COMMITTED, context: `I am ${label}.` }));
}

/** Throws when a settings file is not whole. */
async function readAll(world: World): Promise<void> {
  for (const { config } of CLIENTS) {
    const text = await world.read(config);
    if (config.endsWith('.toml')) parse(text);
    else JSON.parse(text);
  }
}

describe('concurrent installers', () => {
  test(`${MANY.length}, ${VICTIMS} of them killed: the others keep their entries, and every file is always whole`, {
    timeout: 120_000,
  }, async ({ world, expect }) => {
    await furnish(world, MANY);
    const before = await world.snapshot();
    const runs = MANY.map((label) => ({ label, run: world.start(`install ${label}.json --yes`) }));
    const ended = Promise.all(runs.map(({ run }) => run));
    let over = false;
    ended.then(() => {
      over = true;
    });

    const killed = new Set<string>();
    let reads = 0;
    while (!over) {
      await readAll(world);
      reads += 1;
      const holder = await readFile(world.path('~/.mcp-hooks/lock'), 'utf8').catch(() => '');
      const victim = runs.find(({ run }) => run.pid === Number.parseInt(holder, 10));
      if (victim && killed.size < VICTIMS && victim.run.kill('SIGKILL')) killed.add(victim.label);
    }
    expect(killed.size).toBe(VICTIMS);
    expect(reads).toBeGreaterThan(10);
    for (const [index, { exitCode, stderr }] of (await ended).entries())
      if (!killed.has(MANY[index] ?? ''))
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });

    const alive = MANY.filter((label) => !killed.has(label));
    for (const client of CLIENTS) {
      const all = await commands(world, client);
      for (const label of alive)
        expect(all.filter((command) => command.includes(`/${label}/`))).toHaveLength(1);
    }
    // Those that were killed do the same again.
    for (const label of killed)
      expect(await world.run(`install ${label}.json --yes`)).toMatchObject({ code: 0, err: '' });
    expect((await world.run('list --verbose')).out.match(/ intact\b/g)).toHaveLength(
      MANY.length * 3,
    );
    for (const label of MANY)
      expect(await world.run(`uninstall ${label} --yes`)).toMatchObject({ code: 0 });
    expect(await world.snapshot()).toEqual(before);
  });

  test('that both plan before either writes: both are installed', async ({ world, expect }) => {
    await furnish(world, ['annal', 'tasks']);
    const before = await world.snapshot();
    // Our lock holds both up until both have shown their plan.
    await world.write('~/.mcp-hooks/lock', String(process.pid));
    const both = ['annal', 'tasks'].map((label) => world.start(`install ${label}.json --yes`));
    await Promise.all(
      both.map(({ stdout }) => new Promise<void>((done) => stdout.once('data', () => done()))),
    );
    await world.remove('~/.mcp-hooks/lock');
    const ended = await Promise.all(both);
    expect(ended.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
      { exitCode: 0, stderr: '' },
      { exitCode: 0, stderr: '' },
    ]);
    expect((await world.run('list --verbose')).out.match(/ intact\b/g)).toHaveLength(6);
    await world.run('uninstall annal --yes');
    await world.run('uninstall tasks --yes');
    expect(await world.snapshot()).toEqual(before);
  });

  test('a settings file that changes between plan and write is planned again', async ({
    world,
    expect,
  }) => {
    await furnish(world, ['annal']);
    await world.write('~/.mcp-hooks/lock', String(process.pid));
    const run = world.start('install annal.json --yes');
    await new Promise<void>((done) => run.stdout.once('data', () => done()));
    // The client saves its settings after we made our plan.
    const saved = '{ "model": "haiku" }\n';
    await world.write('~/.claude/settings.json', saved);
    await world.remove('~/.mcp-hooks/lock');
    expect(await run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(await world.read('~/.claude/settings.json'))).toMatchObject({
      model: 'haiku',
      hooks: { PostToolUse: [{ matcher: 'Bash' }] },
    });
    await world.run('uninstall annal --yes');
    expect(await world.read('~/.claude/settings.json')).toBe(saved);
  });
});

describe.concurrent('a lock', () => {
  const dead = () => Number(execaSync(process.execPath, ['-p', 'process.pid']).stdout);
  test.for<[string, () => string]>([
    ['whose holder has ended', () => String(dead())],
    ['whose holder has ended, with its start time', () => `${dead()}-0a1b2c3d-12345`],
    ['whose PID was reused', () => `${process.pid}-0a1b2c3d-12345`],
    ['that was never written', () => ''],
  ])('%s does not stop an install', async ([_, content], { make, expect }) => {
    const world = await make();
    await furnish(world, ['annal']);
    await world.write('~/.mcp-hooks/lock', content());
    // A new lock is empty for a moment, so only an old one is abandoned.
    await world.age('~/.mcp-hooks/lock');
    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 0, err: '' });
    expect(await world.snapshot('~/.mcp-hooks')).not.toHaveProperty('lock');
  });

  test('that is not ours is left alone', async ({ world, expect }) => {
    await furnish(world, ['annal']);
    await world.write('~/.mcp-hooks/lock', 'my precious');
    const before = await world.snapshot();
    const { code, err } = await world.run('install annal.json --yes');
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('lock is not an mcp-hooks lock: move it.'),
    });
    expect(await world.snapshot()).toEqual(before);
  });

  test('and the temporary files of a killed run are removed by the next run', async ({
    world,
    expect,
  }) => {
    await furnish(world, ['annal']);
    const before = await world.snapshot();
    await world.write(`~/.claude/settings.json.mcp-hooks-${dead()}-0a1b2c3d-12345.abc.tmp`, '{');
    // These are kept: one names no process, the other a process that is still running.
    await world.write('~/.claude/settings.json.mcp-hooks-mine.1.tmp', 'not a mark of a process');
    const busy = `~/.codex/config.toml.mcp-hooks-${process.pid}.abc.tmp`;
    await world.write(busy, '');
    await world.run('install annal.json --yes');
    await world.run('uninstall annal --yes');
    expect(await world.read(busy)).toBe('');
    expect(await world.read('~/.claude/settings.json.mcp-hooks-mine.1.tmp')).not.toBe('');
    await world.remove(busy);
    await world.remove('~/.claude/settings.json.mcp-hooks-mine.1.tmp');
    expect(await world.snapshot()).toEqual(before);
  });

  test('that is all a killed uninstall left is removed when it runs again', async ({
    world,
    expect,
  }) => {
    await furnish(world, ['annal']);
    const before = await world.snapshot();
    await world.write('~/.mcp-hooks/lock', `${dead()}-0a1b2c3d-12345`);
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 2 });
    expect(await world.snapshot()).toEqual(before);
  });
});
