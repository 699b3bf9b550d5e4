// Files that a client ignores as a whole: install, diff, verify and doctor report the same.
import { expect as assert, describe } from 'vitest';
import { manifest } from '../support/hooks.ts';
import { trustInCodex } from '../support/trusted.ts';
import { test, type World } from '../support/world.ts';

const HOOK = { event: 'post_tool_use', context: 'Write it down.', priority: 'suggestion' };
const MANIFEST = manifest({ ...HOOK, matcher: { tool_name: 'Bash' } });
const CODEX_HOOKS = '~/.codex/hooks.json';
const CODEX_CONFIG = '~/.codex/config.toml';
const CLAUDE = '~/.claude/settings.json';

/** The text without the line breaks of a narrow terminal. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

async function install(world: World, client: string, more = '') {
  await world.write('annal.json', MANIFEST);
  return world.run(`install annal.json --yes --client ${client} ${more}`);
}

/** Files of a client, the last of which makes the client ignore it, and the reason that is reported. */
type Void = readonly [files: Readonly<Record<string, string>>, why: string, scope?: 'project'];

const REFUSED: readonly Void[] = [
  [
    { [CLAUDE]: '{\n  "apiKeyHelper": null\n}\n' },
    '~/.claude/settings.json:2:19: apiKeyHelper is not a string: Claude Code ignores the whole file, silently',
  ],
  [
    { [CLAUDE]: '{ "permissions": { "defaultMode": "allowEdits" } }\n' },
    'permissions.defaultMode is not one of',
  ],
  [
    { [CLAUDE]: '{ "hooks": { "PreToolUse": [{ "matcher": "Bash" }] } }\n' },
    'hooks.PreToolUse.0 has no "hooks": Claude Code ignores the whole file',
  ],
  [
    { [CODEX_CONFIG]: 'sandbox_mode = "nope"\n' },
    'sandbox_mode is not one of read-only, workspace-write, danger-full-access: it stops Codex CLI from starting',
  ],
  [
    {
      [CODEX_HOOKS]:
        '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }] } }\n',
      [CODEX_CONFIG]: 'notify = { a = 1 }\n',
    },
    '~/.codex/config.toml: notify is not an array: it stops Codex CLI from starting',
  ],
  [
    { [CODEX_CONFIG]: 'model = 5\n' },
    '~/.codex/config.toml: model is not a string: it stops Codex CLI from starting',
    'project',
  ],
  [
    { '~/.gemini/settings.json': '{ "a": 1, }\n' },
    '~/.gemini/settings.json:1:9: a trailing comma stops Gemini CLI from starting',
    'project',
  ],
];

describe.concurrent('nothing is installed in a file that the client ignores', () => {
  for (const [files, why, scope] of REFUSED)
    test(`${Object.keys(files)}, ${scope ?? 'user'} scope: ${why}`, async ({ world, expect }) => {
      const client = /(?<=^~\/\.)\w+/.exec(Object.keys(files)[0] ?? '')?.[0] ?? '';
      for (const [file, text] of Object.entries(files)) await world.write(file, text);
      await world.write('annal.json', MANIFEST);
      const before = await world.stamps();
      const flags = scope ? `--scope ${scope}` : '';
      const { code, out, err } = await install(world, client, flags);
      expect(flat(out)).toContain(why);
      expect(err).toContain('Nothing was written.');
      expect(code).toBe(2);
      const diff = await world.run(`diff annal.json --client ${client} ${flags}`);
      expect(diff.code).toBe(2);
      expect(flat(diff.out)).toContain(why);
      expect(Object.keys(await world.stamps())).toEqual(Object.keys(before));
    });
});

describe.concurrent('with the two files of Codex', () => {
  const hook = '{ "hooks": [{ "type": "command", "command": "mine" }] }';
  const VOID: Readonly<Record<string, string>> = {
    'a key that is not known there': `{ "version": 1, "hooks": { "Stop": [${hook}] } }`,
    'a handler without a type': '{ "hooks": { "Stop": [{ "hooks": [{ "command": "mine" }] }] } }',
    'a comment': `// mine\n{ "hooks": { "Stop": [${hook}] } }`,
  };
  for (const [name, text] of Object.entries(VOID))
    test(`hooks.json with ${name}: config.toml is written, and nothing else is reported as ignored`, async ({
      world,
      expect,
    }) => {
      await world.write(CODEX_HOOKS, text);
      const { code, out } = await install(world, 'codex');
      expect(out).toContain('Installed: annal for Codex CLI');
      expect(code).toBe(0);
      expect(await world.read(CODEX_HOOKS)).toBe(text);
      expect(await world.read(CODEX_CONFIG)).toContain('[[hooks.PostToolUse]]');
      // verify needs a shell to run the command.
      const env = { PATH: `${world.bin}:/usr/bin:/bin` };
      await trustInCodex(world);
      expect((await world.run('verify', { env })).code).toBe(0);
      const settings = await settingsOf(world);
      expect(settings.map(({ level }) => level)).toEqual(['warning']);
      expect(settings[0]?.todo).toContain('No hook of ours is in this file.');
    });

  test('a valid hooks.json is still preferred', async ({ world, expect }) => {
    await world.write(CODEX_HOOKS, `{ "hooks": { "Stop": [${hook}] } }`);
    expect((await install(world, 'codex')).code).toBe(0);
    expect(await world.read(CODEX_HOOKS)).toContain('PostToolUse');
  });
});

const SPOILT: readonly (readonly [client: string, file: string, from: string, to: string])[] = [
  ['claude', CLAUDE, '{', '{ "cleanupPeriodDays": 0,'],
  ['claude', CLAUDE, '"timeout": 15', '"timeout": 0'],
  ['codex', CODEX_CONFIG, '', 'sandbox_mode = "nope"\n'],
  ['codex', CODEX_CONFIG, 'timeout = 15', 'timeout = 1.5'],
];

describe.concurrent('a file that was broken after an install is reported', () => {
  for (const [client, file, from, to] of SPOILT)
    test(`${client}: ${to.trim()}`, async ({ world, expect }) => {
      expect((await install(world, client)).code).toBe(0);
      await world.write(file, (await world.read(file)).replace(from, to));
      const verified = await world.run('verify');
      expect(verified.code).toBe(1);
      expect((await world.run('doctor')).code).toBe(1);
      // Our entries can still be uninstalled.
      expect((await world.run('uninstall annal --yes')).code).toBe(0);
      expect(await world.read(file).catch(() => '')).not.toContain('.mcp-hooks');
    });
});

test("a project's hooks are reported if the user's file keeps the client from starting", async ({
  world,
  expect,
}) => {
  expect((await install(world, 'codex', '--scope project')).code).toBe(0);
  const env = { PATH: `${world.bin}:/usr/bin:/bin` };
  const verify = () => world.run('verify annal --scope project', { env });
  await trustInCodex(world, 'project');
  expect((await verify()).code).toBe(0);
  await world.write(CODEX_CONFIG, 'sandbox_mode = "nope"\n');
  const { code, out } = await verify();
  expect(flat(out)).toContain('the client does not read ~/.codex/config.toml: sandbox_mode is not');
  expect(code).toBe(1);
});

test('hooks that are not an object are refused by install, and reported by doctor', async ({
  world,
  expect,
}) => {
  await world.write(CLAUDE, '{ "hooks": [] }\n');
  expect((await install(world, 'claude')).code).toBe(2);
  const [finding] = await settingsOf(world);
  expect(finding?.what).toBe(
    'hooks is not an object of events: Claude Code ignores all hooks in the file',
  );
  expect(finding?.level).toBe('warning');
});

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly what: string;
  readonly todo?: string;
}

/** The problems that doctor finds in the settings. */
async function settingsOf(world: World): Promise<Finding[]> {
  const { out } = await world.run('doctor --json');
  const { findings }: { findings: Finding[] } = JSON.parse(out);
  assert(findings).not.toEqual([]);
  return findings.filter(({ check, level }) => check.startsWith('settings-') && level !== 'ok');
}
