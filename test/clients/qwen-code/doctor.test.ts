// What stops hooks in Qwen Code, each as seen with 0.24.4.
import { describe } from 'vitest';
import type { Finding } from '../../support/findings.ts';
import { env } from '../../support/fired.ts';
import { test, type World } from '../../support/world.ts';

const SETTINGS = '~/.qwen/settings.json';
const QWEN = 'Qwen Code';

async function inQwen(world: World, flags = ''): Promise<void> {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  const { code, err } = await world.run(`install annal.json --client qwen --yes ${flags}`, { env });
  if (code !== 0) throw new Error(err);
}

/** The findings of a check that are not ok. */
async function said(world: World, check: string): Promise<readonly Finding[]> {
  const { out } = await world.run('doctor --json', { env });
  const findings: readonly Finding[] = JSON.parse(out).findings;
  return findings.filter((one) => one.check === check && one.level !== 'ok');
}

const changed = async (world: World, path: string, more: object): Promise<void> => {
  const settings = JSON.parse(await world.read(path));
  await world.write(path, JSON.stringify({ ...settings, ...more }));
};
const TRUST_ON = { security: { folderTrust: { enabled: true } } };

describe.concurrent('doctor', () => {
  test('shows where all hooks are switched off', async ({ world, expect }) => {
    await inQwen(world);
    expect(await said(world, 'hooks-on')).toEqual([]);
    await changed(world, SETTINGS, { disableAllHooks: true });
    expect(await said(world, 'hooks-on')).toMatchObject([
      { about: QWEN, where: world.path(SETTINGS) },
    ]);
    await changed(world, SETTINGS, { disableAllHooks: false });
    await world.write('.qwen/settings.json', '{ "disableAllHooks": true }');
    expect(await said(world, 'hooks-on')).toMatchObject([
      { about: QWEN, where: world.path('.qwen/settings.json') },
    ]);
  });

  test.for(['{ "hooks": }', '', '{ "hooks": {}, }'])(
    'finds a file that stops it from starting: %j',
    async (text, { world, expect }) => {
      await world.write(SETTINGS, text);
      expect(await said(world, 'settings-readable')).toMatchObject([
        { about: QWEN, where: expect.stringContaining(world.path(SETTINGS)) },
      ]);
    },
  );

  test('reports nothing about comments and a byte order mark', async ({ world, expect }) => {
    await world.write(SETTINGS, '\uFEFF{ /* mine */ } // all of it');
    expect(await said(world, 'settings-readable')).toEqual([]);
  });

  test('knows that only hooks of a project wait for trust in the folder', async ({
    world,
    expect,
  }) => {
    await inQwen(world, '--scope project');
    expect(await said(world, 'folder-trust')).toEqual([]);
    await world.write(SETTINGS, JSON.stringify(TRUST_ON));
    expect(await said(world, 'folder-trust')).toMatchObject([{ about: QWEN }]);
    const trusted = { [world.path('.')]: 'TRUST_FOLDER' };
    await world.write('~/.qwen/trustedFolders.json', JSON.stringify(trusted));
    expect(await said(world, 'folder-trust')).toEqual([]);
  });

  test("knows that a user's hooks run in any folder", async ({ world, expect }) => {
    await inQwen(world);
    await changed(world, SETTINGS, TRUST_ON);
    expect(await said(world, 'folder-trust')).toEqual([]);
  });
});
