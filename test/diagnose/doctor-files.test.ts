/** `mcp-hooks doctor`: faults in files and folders that a person would not think of. */
import { describe } from 'vitest';
import { env, installed } from '../support/fired.ts';
import { test, type World } from '../support/world.ts';

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly about: string;
  readonly code: string;
  readonly what: string;
  readonly where?: string;
  readonly todo?: string;
}

async function found(world: World, ...codes: string[]): Promise<readonly Finding[]> {
  const { out } = await world.run('doctor --json', { env });
  const { findings }: { findings: readonly Finding[] } = JSON.parse(out);
  return findings.filter(({ code }) => codes.includes(code));
}

const COPILOT = 'GitHub Copilot CLI';

async function inCopilot(world: World): Promise<void> {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  const { code, err } = await world.run('install annal.json --client copilot --yes', { env });
  if (code !== 0) throw new Error(err);
}

describe.concurrent('doctor', () => {
  test("names the user's own hook where only one of two is heard, and no other", async ({
    world,
    expect,
  }) => {
    await inCopilot(world);
    const own = { command: 'notify' };
    const hooks = { UserPromptSubmit: [own], userPromptTransformed: [own] };
    await world.write('~/.copilot/hooks/own.json', JSON.stringify({ hooks }));
    expect(await found(world, 'only-one-heard')).toMatchObject([
      {
        check: 'told-twice',
        level: 'warning',
        about: 'annal',
        what: expect.stringMatching(/^GitHub Copilot CLI: .*userPromptTransformed .*only one/),
        where: world.path('~/.copilot/hooks/own.json'),
      },
    ]);
  });

  test.for([
    ['claude-code', '~/.claude/settings.json', 'PostToolUse'],
    ['codex', '~/.codex/hooks.json', 'PostToolUse'],
    ['gemini-cli', '~/.gemini/settings.json', 'AfterTool'],
    ['copilot-cli', '~/.copilot/hooks/own.json', 'PostToolUse'],
  ] as const)(
    'names what was written by hand and says the same: %s',
    async ([id, file, native], { world, expect }) => {
      const text = 'Is the changelog up to date?';
      const answer = { hookSpecificOutput: { hookEventName: native, additionalContext: text } };
      const own = { type: 'command', command: `echo '${JSON.stringify(answer)}'` };
      const groups = id === 'copilot-cli' ? [own] : [{ hooks: [own] }];
      await world.write(file, JSON.stringify({ hooks: { [native]: groups } }));
      const draft = `import ${world.path(file)} --client ${id} --out annal.json`;
      for (const line of [draft, `install annal.json --client ${id} --yes`]) {
        const { code, err } = await world.run(line, { env });
        if (code !== 0) throw new Error(err);
      }
      expect(await found(world, 'by-hand-too')).toMatchObject([
        { check: 'told-twice', level: 'warning', about: 'annal', where: world.path(file) },
      ]);
      const other = { ...own, command: 'echo What else?' };
      const rest = id === 'copilot-cli' ? [other] : [{ hooks: [other] }];
      const written = JSON.parse(await world.read(file));
      written.hooks[native].splice(0, 1, ...rest);
      await world.write(file, JSON.stringify(written));
      expect(await found(world, 'by-hand-too')).toEqual([]);
    },
  );

  test.for([
    ['its arguments', 'sh', ['sh', './checks/changelog.sh']],
    ['itself, where it has none', '', ['./checks/changelog.sh']],
  ] as const)(
    'names what was written by hand and starts the same program, known by %s',
    async ([, shell, command], { world, expect }) => {
      await world.write('checks/changelog.sh', '#!/bin/sh\n', 0o755);
      const declarations = [{ event: 'post_tool_use', command }];
      await world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
      const byHand = async (file: string) => {
        const own = { type: 'command', command: `${shell} ${world.path(file)}`.trim() };
        const hooks = { PostToolUse: [{ hooks: [own] }] };
        await world.write('~/.claude/settings.json', JSON.stringify({ hooks }));
        await world.run('install annal.json --client claude --allow command --yes', { env });
        return found(world, 'by-hand-too');
      };
      expect(await byHand('checks/changelog.sh')).toMatchObject([{ about: 'annal' }]);
      expect(await byHand('checks/spelling.sh')).toEqual([]);
    },
  );

  test('a manifest whose hooks need grants has changed only when it has', async ({
    world,
    expect,
  }) => {
    await world.write('check.sh', '#!/bin/sh\n', 0o755);
    const hooks = [
      { event: 'pre_tool_use', command: ['./check.sh'], may: ['block', 'modify'] },
      { event: 'pre_tool_use', block: 'No.' },
      { event: 'post_tool_use', context: 'Hello.' },
    ];
    const write = (...declarations: object[]) =>
      world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
    const changed = async () => (await found(world, 'manifest-declares-else')).length > 0;
    await write(...hooks);
    for (const flags of ['', '--allow block', '--allow command', '--allow modify']) {
      await world.run(`install annal.json ${flags} --yes --client claude,gemini`, { env });
      expect(await changed(), flags).toBe(false);
    }
    await write(...hooks.slice(1));
    expect(await changed()).toBe(true);
  });

  test('names the setting and the file that switch hooks off', async ({ world, expect }) => {
    await installed(world, [{ event: 'pre_request' }]);
    const path = '~/.gemini/settings.json';
    const settings = JSON.parse(await world.read(path));
    await world.write(path, JSON.stringify({ ...settings, hooksConfig: { enabled: false } }));
    expect(await found(world, 'switched-off')).toMatchObject([
      { todo: `Remove hooksConfig.enabled from ${path}, or set it to true.` },
    ]);
  });

  test.for(['a file', 'a link that leads to itself'])(
    'says that a folder of hooks is %s',
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

  test('says nothing of a folder of hooks that is one, or is not there', async ({
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

  test("points out entries of strangers in a label's own file", async ({ world, expect }) => {
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
