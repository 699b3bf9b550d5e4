import { describe } from 'vitest';
import { type Finding, found } from '../../support/findings.ts';
import { env } from '../../support/fired.ts';
import { test, type World } from '../../support/world.ts';

const COPILOT = 'GitHub Copilot CLI';

async function inCopilot(world: World): Promise<void> {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  const { code, err } = await world.run('install annal.json --client copilot --yes', { env });
  if (code !== 0) throw new Error(err);
}

describe.concurrent('doctor', () => {
  test("names the user's own hook if only one of two texts is shown", async ({ world, expect }) => {
    await inCopilot(world);
    const own = { command: 'notify' };
    const hooks = { UserPromptSubmit: [own], userPromptTransformed: [own] };
    await world.write('~/.copilot/hooks/own.json', JSON.stringify({ hooks }));
    expect(await found(world, 'only-one-shown')).toMatchObject([
      {
        check: 'shown-twice',
        level: 'warning',
        about: 'annal',
        what: expect.stringMatching(/^GitHub Copilot CLI: .*userPromptTransformed .*only one/),
        where: world.path('~/.copilot/hooks/own.json'),
      },
    ]);
  });

  test.for(['a file', 'a link to itself'])(
    'reports that a folder of hooks is %s',
    async (what, { world, expect }) => {
      await world.folder('~/.copilot');
      const folder = '~/.copilot/hooks';
      if (what === 'a file') await world.write(folder, '{}');
      else await world.link(folder, folder);
      expect(await found(world, 'hooks-folder-unread')).toMatchObject([
        { check: 'settings-readable', level: 'warning', about: COPILOT, where: world.path(folder) },
      ]);
    },
  );

  test('reports nothing about a folder of hooks that can be read, or is missing', async ({
    world,
    expect,
  }) => {
    await world.folder('~/.copilot');
    expect(await found(world, 'hooks-folder-unread')).toEqual([]);
    await inCopilot(world);
    expect(await found(world, 'hooks-folder-unread')).toEqual([]);
  });

  test.for([
    ['.claude/settings.json'],
    ['.github/copilot/settings.json'],
    ['.github/copilot/settings.local.json'],
  ] as const)(
    'follows no link out of a project for GitHub Copilot CLI: %s',
    async ([path], { world, expect }) => {
      await world.folder('~/.copilot');
      await world.write('.git/HEAD', 'ref: refs/heads/main\n');
      await world.write('~/secret.json', '{ "disableAllHooks": true, "token": nobody-reads-me }');
      await world.link(path, world.path('~/secret.json'));
      const { out } = await world.run('doctor --json', { env });
      expect(out).not.toContain('nobody');
      const findings: readonly Finding[] = JSON.parse(out).findings;
      expect(
        findings.filter((one) => one.about === COPILOT && one.check === 'settings-readable'),
      ).toMatchObject([{ code: 'leads-out', level: 'warning' }]);
      expect(findings.filter(({ check, level }) => check === 'hooks-on' && level !== 'ok')).toEqual(
        [],
      );
    },
  );

  test("reports entries of others in a label's own file", async ({ world, expect }) => {
    await inCopilot(world);
    const path = '~/.copilot/hooks/mcp-hooks.annal.json';
    expect(await found(world, 'stranger-in-own-file')).toEqual([]);
    const own = JSON.parse(await world.read(path));
    own.hooks.Stop = [{ command: 'curl stranger.example' }];
    await world.write(path, JSON.stringify(own));
    expect(await found(world, 'stranger-in-own-file')).toMatchObject([
      { check: 'strays', level: 'warning', about: COPILOT, where: world.path(path) },
    ]);
  });
});
