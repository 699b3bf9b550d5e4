// What makes Droid drop hooks, each as seen with 0.215.0.
import { alsoPacked, buildAndInstall } from '../../support/findings.ts';
import { env } from '../../support/fired.ts';
import { test, type World } from '../../support/world.ts';

const OWN = [{ hooks: [{ type: 'command', command: 'echo mine' }] }];

/** The problems that are found with the hooks of an event, in a file that also has others. */
async function foundIn(world: World, file: string, groups: unknown): Promise<unknown[]> {
  const hooks = { SessionStart: OWN, Stop: groups };
  const document = file === 'settings.json' ? { hooks } : hooks;
  await world.write(`~/.factory/${file}`, `${JSON.stringify(document)}\n`);
  const { out } = await world.run('doctor --client droid --json', { env });
  const findings: { check: string; level: string }[] = JSON.parse(out).findings;
  return findings.filter(({ check, level }) => check === 'settings-valid' && level !== 'ok');
}

test.for([
  ['a command that is not a string', [{ hooks: [{ type: 'command', command: 1 }] }]],
  ['a matcher that is not a string', [{ matcher: 3, hooks: [] }]],
  ['a kind of handler that it does not know', [{ hooks: [{ type: 'nope' }] }]],
] as const)('%s voids all hooks of a file', async ([, groups], { world, expect }) => {
  for (const file of ['hooks.json', 'hooks/hooks.json', 'settings.json']) {
    expect([file, await foundIn(world, file, OWN)]).toEqual([file, []]);
    expect(await foundIn(world, file, groups)).toMatchObject([
      // It would be an error if our hooks were in the file.
      { level: 'warning', where: expect.stringContaining(`/.factory/${file}:1:`) },
    ]);
    await world.remove(`~/.factory/${file}`);
  }
});

test('a trailing comma makes Droid ignore the whole file', async ({ world, expect }) => {
  await world.write('~/.factory/settings.json', '{ "hooks": {}, }');
  const { out } = await world.run('doctor --client droid', { env });
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'a trailing comma makes Factory Droid ignore the whole file',
  );
});

test('import reads the hooks of a plugin, in a file that Droid otherwise reads differently', async ({
  world,
  expect,
}) => {
  const hooks = { SessionStart: OWN };
  const leads: unknown[] = [];
  const read = async (file: string, document: unknown, ...args: string[]) => {
    await world.write(file, JSON.stringify(document));
    const { out } = await world.run(['import', file, '--json', ...args]);
    const { entries = [] } = JSON.parse(out);
    leads.push(entries.map(({ client, native }: Record<string, string>) => [client, native]));
  };
  // As in https://docs.factory.ai/cli/configuration/plugins.
  await world.write('team/.factory-plugin/plugin.json', '{"name": "team"}');
  await read('team/hooks/hooks.json', { hooks });
  await read('team/hooks/hooks.json', { hooks }, '--client', 'droid');
  await read('other/hooks/hooks.json', { hooks }, '--client', 'droid');
  await read('.factory/hooks.json', hooks);
  await read('.factory/hooks.json', { hooks }); // Droid reads nothing in it.
  const one = [['droid', 'SessionStart']];
  expect(leads).toEqual([one, one, one, one, []]);
});

test('doctor shows where a plugin also has the installed hooks', async ({ world, expect }) => {
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
  expect(await alsoPacked(world)).toEqual([`shipped-too ${root}/hooks/hooks.json`]);
});
