// Commands that are given several names, and `uninstall --all`.
import { describe } from 'vitest';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

/** A client, two manifests, and one that is broken. */
async function furnish(world: World): Promise<void> {
  await world.write('~/.claude/settings.json', '{ "model": "opus" }\n');
  for (const name of ['annal', 'notes']) await world.write(`${name}.json`, manifest(COMMITTED));
  await world.write('broken.json', '{');
}

const installed = async (world: World): Promise<string[]> => {
  const { out } = await world.run('list --json');
  const listed: { label: string; scope: string }[] = JSON.parse(out).installed;
  return listed.map(({ label, scope }) => `${label} ${scope}`).toSorted();
};

describe('install', () => {
  test('one after the other, each on its own', async ({ world, expect }) => {
    await furnish(world);
    const { code, out, err } = await world.run('install annal.json notes.json --yes');
    expect([code, err]).toEqual([0, '']);
    for (const name of ['annal', 'notes']) {
      expect(out).toContain(`Installed: ${name} for Claude Code; 1 file changed.\n`);
      expect(out).toContain(`Undo:  mcp-hooks uninstall ${name}\n`);
    }
    expect(await installed(world)).toEqual(['annal user', 'notes user']);
  });

  test('one that fails is named, and the others are installed', async ({ world, expect }) => {
    await furnish(world);
    const { code, err } = await world.run('install annal.json broken.json notes.json --yes');
    expect([code, err]).toEqual([2, expect.stringMatching(/^broken\.json: broken\.json/)]);
    expect(await installed(world)).toEqual(['annal user', 'notes user']);
  });

  test('as JSON', async ({ world, expect }) => {
    await furnish(world);
    const look = await world.run('install annal.json notes.json --json');
    expect([look.code, JSON.parse(look.out)]).toMatchObject([
      0,
      {
        schemaVersion: 1,
        command: 'install',
        results: [
          { label: 'annal', written: false, changes: true },
          { label: 'notes', written: false, changes: true },
        ],
      },
    ]);
    expect(look.out.match(/schemaVersion/g)).toHaveLength(1);
    expect(await installed(world)).toEqual([]);
    const ran = await world.run('install broken.json notes.json --json --yes');
    expect([ran.code, JSON.parse(ran.out).results]).toMatchObject([
      2,
      [
        { name: 'broken.json', error: expect.any(String), code: expect.any(String) },
        { label: 'notes', written: true },
      ],
    ]);
  });

  test('--quiet prints problems only', async ({ world, expect }) => {
    await furnish(world);
    expect(await world.run('install annal.json --yes --quiet')).toMatchObject({
      code: 0,
      out: '',
      err: '',
    });
    const bad = await world.run('install broken.json --yes -q');
    expect([bad.code, bad.out, bad.err]).toEqual([2, '', expect.stringContaining('broken.json')]);
    expect(await world.run('uninstall annal --yes -q')).toMatchObject({ code: 0, out: '' });
    const settings = await world.read('~/.claude/settings.json');
    await world.write('~/.claude/settings.json', '{\n  // mine\n}\n');
    const refused = await world.run('install annal.json --yes --quiet');
    expect([refused.code, refused.out]).toEqual([
      2,
      expect.stringContaining('refused  ~/.claude/settings.json:2:3: a file with a comment'),
    ]);
    await world.write('~/.claude/settings.json', settings);
    // Who is asked sees what it is about.
    const { out } = await world.run('install notes.json -q');
    expect(out).toContain('You just committed work.');
    expect(await installed(world)).toEqual([]);
  });
});

test('update takes those that are named, and says which is not installed', async ({
  world,
  expect,
}) => {
  await furnish(world);
  await world.write('more.json', manifest(COMMITTED));
  await world.run('install annal.json notes.json more.json --yes');
  for (const name of ['annal', 'notes', 'more'])
    await world.write(`${name}.json`, manifest({ ...COMMITTED, context: 'New words.' }));
  const before = await world.stamps();
  expect(await world.run('update annal nothing --yes')).toMatchObject({
    code: 2,
    err: expect.stringContaining('nothing is not installed in user scope.'),
  });
  expect(await world.stamps()).toEqual(before);
  const { code, out } = await world.run('update annal notes --json --yes');
  expect([code, JSON.parse(out).labels]).toMatchObject([
    0,
    [
      { label: 'annal', written: true },
      { label: 'notes', written: true },
    ],
  ]);
  const left = JSON.parse((await world.run('update --json')).out).labels;
  expect(left.filter(({ changes }: { changes: boolean }) => changes)).toMatchObject([
    { label: 'more' },
  ]);
});

describe('uninstall', () => {
  test('several', async ({ world, expect }) => {
    await furnish(world);
    const before = await world.snapshot();
    await world.run('install annal.json notes.json --yes');
    const { code, err } = await world.run('uninstall annal nothing notes --yes');
    expect([code, err]).toEqual([2, expect.stringMatching(/^nothing: nothing is not installed/)]);
    expect(await world.snapshot()).toEqual(before);
  });

  test('--all, and only what is in the scope', async ({ world, expect }) => {
    await furnish(world);
    const before = await world.snapshot();
    await world.run('install annal.json notes.json --yes');
    await world.run('install annal.json --yes --scope project');
    const look = await world.run('uninstall --all --json');
    expect([look.code, JSON.parse(look.out).results]).toMatchObject([
      0,
      [
        { label: 'annal', written: false },
        { label: 'notes', written: false },
      ],
    ]);
    expect((await world.run('uninstall --all --yes')).code).toBe(0);
    expect(await installed(world)).toEqual([`annal ${world.work}`]);
    expect((await world.run('uninstall --all --yes --scope project')).code).toBe(0);
    expect(await world.snapshot()).toEqual(before);
    expect(await world.run('uninstall --all --yes')).toMatchObject({
      code: 0,
      out: 'Nothing is installed.\n',
    });
  });

  test('--all and a name, or neither, is refused', async ({ world, expect }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    for (const line of ['uninstall --yes', 'uninstall annal --all --yes'])
      expect(await world.run(line)).toMatchObject({
        code: 2,
        err: 'Say what to uninstall: one or more names, or --all. Nothing was written.\n',
      });
    expect(await installed(world)).toEqual(['annal user']);
  });
});

test('list takes a label', async ({ world, expect }) => {
  await furnish(world);
  await world.run('install annal.json notes.json --yes');
  expect((await world.run('list notes')).out).toMatch(/^notes {2}post_tool_use[\s\S]*intact/);
  expect((await world.run('list notes')).out).not.toContain('annal');
  expect(await world.run('list nothing')).toMatchObject({
    code: 2,
    err: 'nothing is not installed in user scope. Installed: annal, notes.\n',
  });
});
