// What switches our plugin off in OpenCode, as it was seen with 1.18.33.
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
