// What switches our plugin off in Cline, as seen with 3.0.65.
import { cpSync } from 'node:fs';
import { alsoPacked, buildAndInstall } from '../../support/findings.ts';
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

/** Whether hooks fire, and the files with the reasons if they do not. */
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

test('doctor and verify report that a plugin with a syntax error does not fire', async ({
  world,
  expect,
}) => {
  await installed(world, '');
  const plugin = await world.read(`~/${PLUGIN}`);
  await world.write(`~/${PLUGIN}`, `${plugin}{{\n`);
  expect(await doctor(world)).toMatchObject({ fires: false });
  const { code, out } = await world.run('verify annal', { env });
  expect({ code, out }).toMatchObject({
    code: 1,
    out: expect.stringMatching(/not\s+valid\s+JavaScript/),
  });
  for (const mine of [
    'export const mine = await import.meta.url;',
    "import {\n  join,\n  resolve,\n} from 'node:path';",
    "export {\n  join,\n} from 'node:path';",
    "export * from 'node:path';",
    "export * as paths\n  from 'node:path';",
    'const one = 1;\nexport { one as other };',
    "const later = () =>\nimport('node:path');",
  ]) {
    await world.write(`~/${PLUGIN}`, `${plugin}${mine}\n`);
    expect([mine, await doctor(world)]).toEqual([mine, FIRES]);
  }
});

test('doctor ignores that other plugins are disabled', async ({ world, expect }) => {
  await installed(world, '');
  const others = [world.path('~/.cline/plugins/mine.js'), world.path(PLUGIN)];
  await world.write(SETTINGS, JSON.stringify({ disabledPlugins: others }));
  // The second belongs to a project in which nothing is installed.
  expect(await doctor(world)).toEqual(FIRES);
});

test('doctor shows where a plugin also has the installed hooks', async ({ world, expect }) => {
  await buildAndInstall(world, 'cline');
  await world.write('~/.cline/plugins/_installed/notes.txt', 'mine');
  expect(await alsoPacked(world)).toEqual([]);
  // As `cline plugin install` of 3.0.65 leaves it; with --cwd, in a project.
  for (const at of ['~', '.']) {
    const folder = `${at}/.cline/plugins/_installed/local/annal-d927bc18b132`;
    await world.write(
      `${folder}/package.json`,
      JSON.stringify({
        name: 'annal',
        private: true,
        cline: { plugins: [{ paths: ['./package/index.js'] }] },
      }),
    );
    cpSync(world.path('out/cline/annal'), world.path(`${folder}/package`), { recursive: true });
    expect(await alsoPacked(world)).toEqual([
      `shipped-too ${world.path(`${folder}/package/index.js`)}`,
    ]);
    await world.remove(folder);
  }
});
