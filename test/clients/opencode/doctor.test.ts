// What switches our plugin off in OpenCode, as seen with 1.18.33.
import { alsoPacked, buildAndInstall } from '../../support/findings.ts';
import { env } from '../../support/fired.ts';
import { test } from '../../support/world.ts';

test('doctor finds that OpenCode loads no plugins', async ({ world, expect }) => {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  const { code } = await world.run('install annal.json --client opencode --yes', { env });
  expect(code).toBe(0);
  const fires = async (more: Readonly<Record<string, string>>) => {
    const { out } = await world.run('doctor --json', { env: { ...env, ...more } });
    return JSON.parse(out).fires;
  };
  expect(await fires({})).toBe(true);
  expect(await fires({ OPENCODE_PURE: '0' })).toBe(true);
  for (const OPENCODE_PURE of ['1', 'true', 'yes'])
    expect(await fires({ OPENCODE_PURE }), OPENCODE_PURE).toBe(false);
});

const FOLDER = '~/.config/opencode';

test('doctor shows where a plugin also has the installed hooks', async ({ world, expect }) => {
  await buildAndInstall(world, 'opencode');
  await world.write(`${FOLDER}/plugins/mine.js`, 'export const Mine = async () => ({});\n');
  expect(await alsoPacked(world)).toEqual([]);
  const root = world.path('out/opencode/annal');
  const config = (file: string, ...plugin: unknown[]) =>
    world.write(file, JSON.stringify({ $schema: 'https://opencode.ai/config.json', plugin }));

  // As `opencode plugin --global` of 1.18.33 writes it, and in other forms that its documentation allows.
  for (const one of [root, `file://${root}`, [root, { some: 'option' }], `${root}/index.js`]) {
    await config(`${FOLDER}/opencode.jsonc`, 'opencode-of-others@1.0.0', 1, one);
    expect(await alsoPacked(world)).toEqual([`shipped-too ${root}/index.js`]);
  }
  await world.remove(`${FOLDER}/opencode.jsonc`);
  await config('opencode.json', './out/opencode/annal');
  expect(await alsoPacked(world)).toEqual([`shipped-too ${root}/index.js`]);
  await world.remove('opencode.json');

  await world.link(`${FOLDER}/plugins/annal.js`, 'out/opencode/annal/index.js');
  expect(await alsoPacked(world)).toEqual([
    `shipped-too ${world.path(`${FOLDER}/plugins/annal.js`)}`,
  ]);
});
