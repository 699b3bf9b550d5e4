// What makes Droid drop hooks, each as it was seen with 0.215.0.
import { alsoPacked, buildAndInstall } from '../../support/findings.ts';
import { env } from '../../support/fired.ts';
import { test, type World } from '../../support/world.ts';

const OWN = [{ hooks: [{ type: 'command', command: 'echo mine' }] }];

/** What is found wrong with the hooks of an event, in a file that has others, too. */
async function foundIn(world: World, file: string, groups: unknown): Promise<unknown[]> {
  const hooks = { SessionStart: OWN, Stop: groups };
  const document = file === 'settings.json' ? { hooks } : hooks;
  await world.write(`~/.factory/${file}`, `${JSON.stringify(document)}\n`);
  const { out } = await world.run('doctor --client droid --json', { env });
  const findings: { check: string; level: string }[] = JSON.parse(out).findings;
  return findings.filter(({ check, level }) => check === 'settings-valid' && level !== 'ok');
}

test.for([
  ['a command that is no string', [{ hooks: [{ type: 'command', command: 1 }] }]],
  ['a matcher that is no string', [{ matcher: 3, hooks: [] }]],
  ['a kind of handler that it does not know', [{ hooks: [{ type: 'nope' }] }]],
] as const)('%s voids all hooks of a file', async ([, groups], { world, expect }) => {
  for (const file of ['hooks.json', 'hooks/hooks.json', 'settings.json']) {
    expect([file, await foundIn(world, file, OWN)]).toEqual([file, []]);
    expect(await foundIn(world, file, groups)).toMatchObject([
      // It would be an error if hooks of ours were in it.
      { level: 'warning', where: expect.stringContaining(`/.factory/${file}:1:`) },
    ]);
    await world.remove(`~/.factory/${file}`);
  }
});

test('doctor shows where a plugin has what is installed, too', async ({ world, expect }) => {
  await buildAndInstall(world, 'droid');
  expect(await alsoPacked(world)).toEqual([]);
  const root = world.path('out/droid/annal');
  // As `droid plugin install` of 0.215.0 records it.
  await world.write(
    '~/.factory/plugins/installed_plugins/annal-droid-user-dfea81b75e55.json',
    JSON.stringify({
      schemaVersion: 1,
      pluginId: 'annal@droid',
      entry: { scope: 'user', installPath: root },
    }),
  );
  expect(await alsoPacked(world)).toEqual([`info ${root}/hooks/hooks.json`]);
});
