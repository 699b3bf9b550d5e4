// GitHub Copilot CLI, where it differs from the others and does not fit into their tables: hooks in separate files. For
// what the real client does with them, see test/real-clients.
import { existsSync, readFileSync } from 'node:fs';
import { describe } from 'vitest';
import { copilotCli as servers } from '../../../src/clients/copilot-cli/servers.ts';
import type { ServerLook } from '../../../src/clients/servers/servers.ts';
import type { JsonObject } from '../../../src/edit/edit.ts';
import { env } from '../../support/fired.ts';
import { manifest } from '../../support/hooks.ts';
import { test, type World } from '../../support/world.ts';

const HOOKS = [
  { event: 'session_start', context: 'AT-START' },
  { event: 'pre_request', context: 'WITH-PROMPT' },
  { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, context: 'BEFORE' },
  { event: 'post_tool_use', matcher: { tool_server: 'my.notes' }, context: 'AFTER' },
  { event: 'post_request', context: 'NEXT' },
  { event: 'session_end', context: 'AT-END' },
].map((hook) => ({ ...hook, priority: 'important' }));

const install = async (world: World, label: string, ...flags: string[]) => {
  await world.write(`${label}.json`, manifest(...HOOKS));
  const line = `install ${label}.json --client copilot --yes`.split(' ');
  const { code, err } = await world.run([...line, ...flags], { env });
  if (code !== 0) throw new Error(err);
};

const OWN = '{"hooks":{"UserPromptSubmit":[{"command":"notify"}]}}';

describe.concurrent('the files of GitHub Copilot CLI', () => {
  test("are one for each label, beside the user's own, and an uninstall restores everything", async ({
    world,
    expect,
  }) => {
    await world.write('~/.copilot/hooks/own.json', OWN);
    await world.write('~/.copilot/settings.json', '// mine\n{ "banner": "never", }\n');
    const before = await world.snapshot('~');
    await install(world, 'annal');
    await install(world, 'ledger');
    const { hooks } = JSON.parse(await world.read('~/.copilot/hooks/mcp-hooks.annal.json'));
    expect(
      Object.entries<{ matcher?: string }[]>(hooks).map(([event, entries]) => [
        event,
        ...entries.map(({ matcher }) => matcher ?? 'all'),
      ]),
    ).toEqual([
      ['SessionStart', 'all'],
      ['SubagentStart', 'all'],
      ['PreCompact', 'all'],
      ['userPromptTransformed', 'all'],
      ['PreToolUse', 'Bash'],
      ['PostToolUse', '^(?:my-notes-.*)$'],
      ['PostToolUseFailure', 'all'],
      ['Stop', 'all'],
    ]);
    expect(await world.read('~/.copilot/hooks/own.json')).toBe(OWN);
    const listed = await world.run('list', { env });
    expect(listed.out).toMatch(/annal[\s\S]*ledger/);
    const again = await world.run('install annal.json --client copilot --yes', { env });
    expect(again.out).toContain('Nothing to do');
    for (const label of ['annal', 'ledger'])
      expect((await world.run(`uninstall ${label} --yes`)).code).toBe(0);
    expect(await world.snapshot('~')).toEqual(before);
  });

  test('change only with their own declaration', async ({ world, expect }) => {
    await install(world, 'annal');
    await install(world, 'ledger');
    const other = await world.read('~/.copilot/hooks/mcp-hooks.ledger.json');
    const less = HOOKS.filter(({ event }) => event !== 'pre_tool_use');
    await world.write('annal.json', manifest(...less));
    const told = await world.run('diff annal.json --client copilot', { env });
    expect(told.out).toMatch(/^-.*"PreToolUse"/m);
    expect((await world.run('update annal --yes', { env })).code).toBe(0);
    const changed = await world.read('~/.copilot/hooks/mcp-hooks.annal.json');
    expect(Object.keys(JSON.parse(changed).hooks)).not.toContain('PreToolUse');
    expect(await world.read('~/.copilot/hooks/mcp-hooks.ledger.json')).toBe(other);
  });

  test('are in .github/hooks in a project', async ({ world, expect }) => {
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await install(world, 'annal', '--scope', 'project');
    const { hooks } = JSON.parse(await world.read('.github/hooks/mcp-hooks.annal.json'));
    expect(hooks.Stop[0].command).toContain('copilot-cli.Stop.sh');
    await world.run('uninstall annal --yes --scope project');
    expect(Object.keys(await world.snapshot('.'))).not.toContain('.github');
  });
});

test('a project may link its folder of hooks to another of its own', async ({ world, expect }) => {
  await world.write('.git/HEAD', 'ref: refs/heads/main\n');
  await world.folder('config', '.github');
  await world.link('.github/hooks', world.path('config'));
  await install(world, 'annal', '--scope', 'project');
  expect(await world.read('config/mcp-hooks.annal.json')).toContain('annal');
  await world.run('uninstall annal --yes --scope project');
  expect(existsSync(world.path('config/mcp-hooks.annal.json'))).toBe(false);
});

test('hooks of a project are imported if the client is named', async ({ world, expect }) => {
  const hooks = { sessionStart: [{ bash: "echo 'x'" }] };
  await world.write('.github/hooks/notes.json', JSON.stringify({ hooks }));
  expect((await world.run('import --json')).out).not.toContain('notes.json');
  const { out } = await world.run('import --json --client copilot');
  expect(JSON.parse(out).entries).toHaveLength(1);
});

test('doctor shows where a package also has the installed hooks', async ({ world, expect }) => {
  await install(world, 'annal');
  await world.run('build annal.json --out out');
  const out = world.path('out');
  const source = { source: 'directory', path: `${out}/copilot-cli` };
  const settings = {
    enabledPlugins: { 'annal@annal': true },
    extraKnownMarketplaces: { annal: { source } },
  };
  await world.write('~/.copilot/settings.json', JSON.stringify(settings));
  const { findings } = JSON.parse((await world.run('doctor annal --json', { env })).out);
  expect(findings).toContainEqual(
    expect.objectContaining({
      ...{ check: 'shown-twice', level: 'info', where: `${out}/copilot-cli/annal/hooks.json` },
    }),
  );
});

test('doctor reports that GitHub Copilot CLI also runs the hooks of Claude Code', async ({
  world,
  expect,
}) => {
  await world.write('annal.json', manifest(...HOOKS));
  await world.run('install annal.json --client claude --yes', { env });
  const also = async () => {
    const { findings } = JSON.parse((await world.run('doctor --json', { env })).out);
    return findings.flatMap(({ check, level, what }: Record<string, string>) =>
      check === 'also-run-by' && level === 'info' ? what : [],
    );
  };
  expect(await also()).toEqual([]);
  await world.folder('~/.copilot');
  expect(await also()).toEqual([expect.stringContaining('GitHub Copilot CLI is on this machine')]);
});

test('installed hooks fire with every recording, and with every declared event', async ({
  world,
  expect,
}) => {
  await install(world, 'annal');
  const { code, out } = await world.run('verify annal --json', { env });
  const { fires, verified } = JSON.parse(out);
  const failures = verified.flatMap(({ events }: { events: { hooks: object[] }[] }) =>
    events.flatMap(({ hooks }) => hooks.filter((hook) => 'failure' in hook)),
  );
  expect({ code, fires, failures }).toEqual({ code: 0, fires: true, failures: [] });
  for (const { event, context } of HOOKS.filter(({ event }) => event !== 'post_tool_use'))
    expect((await world.run(`fire annal ${event} --json`, { env })).out).toContain(context);
});

describe.concurrent('doctor', () => {
  test.for(['.claude/settings.json', '.github/copilot/settings.json'])(
    'reports that %s switches all hooks off',
    async (file, { world, expect }) => {
      await world.write('.git/HEAD', 'ref: refs/heads/main\n');
      await install(world, 'annal');
      const well = await world.run('doctor --json', { env });
      await world.write(file, '{ "disableAllHooks": true }');
      const { code, out } = await world.run('doctor --json', { env });
      const findings = (text: string): { check: string; level: string; about: string }[] =>
        JSON.parse(text).findings.filter(
          ({ check, level }: { check: string; level: string }) =>
            check === 'hooks-on' && level === 'error',
        );
      expect(findings(well.out)).toEqual([]);
      expect(findings(out)).toHaveLength(1);
      expect(code).toBe(1);
    },
  );
});

describe.concurrent('the servers of GitHub Copilot CLI', () => {
  const look = (world: World): ServerLook => ({
    env: {},
    home: world.home,
    cwd: world.work,
    platform: 'linux',
    document: (path) =>
      existsSync(path) ? JSON.parse(readFileSync(path, 'utf8').replace(/^\/\/.*$/gm, '')) : {},
  });
  const files = (world: World) =>
    servers
      .files(look(world))
      .map(({ path, scope }) => `${scope} ${path.replace(world.root, '')}`)
      .filter((file) => /home|desk/.test(file));

  test("are in the user's file and in one file of the folder", async ({ world, expect }) => {
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await world.write('.mcp.json', '{}');
    const user = 'user /home/ann/.copilot/mcp-config.json';
    // The client is not used here, so .mcp.json belongs to another client.
    expect(files(world)).toEqual(['project /desk/.github/mcp.json', user]);
    await world.folder('~/.copilot');
    expect(files(world)).toEqual(['project /desk/.mcp.json', user]);
  });

  test('of the folder are started if the user trusts it or a parent folder', async ({
    world,
    expect,
  }) => {
    const [file] = servers.files(look(world));
    const approved = () => file && servers.approved?.('annal', file, look(world));
    expect(approved()).toBe(false);
    for (const [folder, isTrusted] of [
      [world.work, true],
      [world.root, true],
      [world.home, false],
    ] as const) {
      const trusted = JSON.stringify({ trustedFolders: [folder] });
      await world.write('~/.copilot/config.json', `// Do not edit.\n${trusted}`);
      expect([folder, approved()]).toEqual([folder, isTrusted]);
    }
  });

  test('may be switched off in their entry, and by name', async ({ world, expect }) => {
    const [file] = servers.files(look(world));
    const why = (entry: JsonObject, name = 'annal') =>
      file && servers.switchedOff(entry, name, file, look(world));
    expect(why({ enabled: false })).toBeUndefined();
    expect(why({ disabled: true })).toBe('it has "disabled": true');
    await world.write('~/.copilot/settings.json', '{"disabledMcpServers":["annal"]}');
    expect(why({})).toContain('copilot mcp disable');
    expect(why({}, 'Annal')).toBeUndefined();
  });
});
