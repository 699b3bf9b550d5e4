// What switches our plugin off in Cline, as it was seen with 3.0.65.
import { env } from '../../support/fired.ts';
import { test, type World } from '../../support/world.ts';

const PLUGIN = '.cline/plugins/mcp-hooks.js';
const SETTINGS = '~/.cline/data/settings/global-settings.json';

async function installed(world: World, flags: string): Promise<void> {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  const { code, err } = await world.run(`install annal.json --client cline --yes ${flags}`, {
    env,
  });
  if (code !== 0) throw new Error(err);
}

/** Whether hooks fire, and where the reason is why they do not. */
async function doctor(world: World, more: Readonly<Record<string, string>> = {}) {
  const { out } = await world.run('doctor --json', { env: { ...env, ...more } });
  const { fires, findings } = JSON.parse(out);
  const off = findings.filter(
    ({ check, level }: Record<string, unknown>) => check === 'hooks-on' && level === 'error',
  );
  return { fires, where: off.map(({ where }: { where: string }) => where) };
}

const FIRES = { fires: true, where: [] };

test.for([
  ['user', `~/${PLUGIN}`],
  ['project', PLUGIN],
] as const)(
  'doctor finds the plugin of a %s disabled',
  async ([scope, file], { world, expect }) => {
    await installed(world, `--scope ${scope}`);
    expect(await doctor(world)).toEqual(FIRES);
    await world.write(SETTINGS, JSON.stringify({ disabledPlugins: [world.path(file)] }));
    const off = { fires: false, where: [world.path(SETTINGS)] };
    expect(await doctor(world)).toEqual(off);
    expect(await doctor(world, { CLINE_DATA_DIR: world.path('elsewhere') })).toEqual(FIRES);
    const CLINE_GLOBAL_SETTINGS_PATH = world.path(SETTINGS);
    expect(
      await doctor(world, { CLINE_DATA_DIR: world.path('elsewhere'), CLINE_GLOBAL_SETTINGS_PATH }),
    ).toEqual(off);
  },
);

test('doctor does not mind the plugins of others', async ({ world, expect }) => {
  await installed(world, '');
  const others = [world.path('~/.cline/plugins/mine.js'), world.path(PLUGIN)];
  await world.write(SETTINGS, JSON.stringify({ disabledPlugins: others }));
  // The second is a project's, in which nothing is installed.
  expect(await doctor(world)).toEqual(FIRES);
});
