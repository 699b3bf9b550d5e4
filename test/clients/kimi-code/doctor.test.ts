// What makes Kimi Code drop hooks, each as seen with 2.1.0.
import { describe } from 'vitest';
import { alsoPacked, buildAndInstall, type Finding } from '../../support/findings.ts';
import { env } from '../../support/fired.ts';
import { test, type World } from '../../support/world.ts';

const CONFIG = '~/.kimi-code/config.toml';

const row = (...lines: readonly string[]) => `\n[[hooks]]\n${lines.join('\n')}\n`;
const OWN = row('event = "Stop"', 'command = "say done" # mine');

async function installed(world: World): Promise<void> {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  const { code, err } = await world.run('install annal.json --client kimi --yes', { env });
  if (code !== 0) throw new Error(err);
}

/** The findings of a check that are not ok. */
async function said(world: World, check: string): Promise<readonly Finding[]> {
  const { out } = await world.run('doctor --json', { env });
  const findings: readonly Finding[] = JSON.parse(out).findings;
  return findings.filter((one) => one.check === check && one.level !== 'ok');
}

describe.concurrent('doctor', () => {
  test.for([
    ['an unknown key', row('event = "Stop"', 'command = "x"', 'fail_mode = "open"')],
    ['an unknown event', row('event = "AfterTool"', 'command = "x"')],
    ['no command', row('event = "Stop"')],
    ['an empty command', row('event = "Stop"', 'command = ""')],
    ['too much time', row('event = "Stop"', 'command = "x"', 'timeout = 601')],
    ['part of a second', row('event = "Stop"', 'command = "x"', 'timeout = 1.5')],
  ] as const)('finds %s, which voids all rows', async ([, more], { world, expect }) => {
    await world.write(CONFIG, OWN);
    await installed(world);
    expect(await said(world, 'settings-valid')).toEqual([]);
    await world.write(CONFIG, (await world.read(CONFIG)) + more);
    expect(await said(world, 'settings-valid')).toMatchObject([
      { level: 'error', where: world.path(CONFIG) },
    ]);
  });

  test('finds a file that Kimi Code ignores as a whole', async ({ world, expect }) => {
    await world.write(CONFIG, 'a = "\n');
    expect(await said(world, 'settings-readable')).toMatchObject([
      { about: 'Kimi Code', where: expect.stringContaining(world.path(CONFIG)) },
    ]);
  });
});

test('an uninstall restores every byte', async ({ world, expect }) => {
  const before = `# mine\ndefault_model = "kimi"\n${OWN}\n[models.kimi]\nmodel = "k" # the best\n`;
  await world.write(CONFIG, before);
  await installed(world);
  expect(await world.read(CONFIG)).toContain('event = "UserPromptSubmit"');
  const { code } = await world.run('uninstall annal --yes', { env });
  expect(code).toBe(0);
  expect(await world.read(CONFIG)).toBe(before);
});

test('an install for a project is refused', async ({ world, expect }) => {
  await world.write('annal.json', JSON.stringify({ hooks: { declarations: [] } }));
  const install = 'install annal.json --client kimi --scope project --yes';
  const { code, err } = await world.run(install, { env });
  expect([code, err]).toEqual([2, expect.stringContaining('reads no hooks of a project')]);
});

test('doctor shows where a plugin also has the installed hooks', async ({ world, expect }) => {
  await buildAndInstall(world, 'kimi-code');
  expect(await alsoPacked(world)).toEqual([]);
  const root = world.path('out/kimi-code/annal');
  // As the terminal of 2.1.0 records it after /plugins install.
  await world.write(
    '~/.kimi-code/plugins/installed.json',
    JSON.stringify({
      version: 1,
      plugins: [{ id: 'annal', root, source: 'local-path', enabled: true }],
    }),
  );
  expect(await alsoPacked(world)).toEqual([`shipped-too ${root}/kimi.plugin.json`]);
});
