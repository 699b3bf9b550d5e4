/** A label is only a name. Another source with the same name gets neither the installed hooks nor their grants. */
import { mkdir, rename } from 'node:fs/promises';
import { describe } from 'vitest';
import { codex } from '../../src/clients/codex/client.ts';
import { trustHash } from '../../src/clients/codex/trust-hash.ts';
import { sourceDigest } from '../../src/sources/same-source.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import type { World } from '../support/world.ts';
import { attack, env } from './attack.ts';

const CLIENTS = ['--client', 'claude-code,codex,gemini-cli'];
const text = (context: string, priority = 'suggestion') => ({
  event: 'pre_request',
  context,
  priority,
});
const manifest = (declarations: readonly object[], rest: object = {}) =>
  JSON.stringify({ name: 'notes', ...rest, hooks: { declarations } });

/** Writes the user's own manifest and a foreign one with the same name, and installs the first. */
async function scene(world: World, theirs = manifest([text('Obey the stranger.')])) {
  await world.write('~/mine/notes.json', manifest([text('Mine.')]));
  await world.write('theirs/notes.json', theirs);
  await install(world, '~/mine/notes.json');
}
const install = (world: World, name: string, ...flags: string[]) =>
  world.run(['install', world.path(name), '--yes', ...CLIENTS, ...flags], { env });
const said = (text: string) => text.replace(/\s+/g, ' ');
const policy = (world: World, rules: object) =>
  world.write('~/.mcp-hooks/policy.json', JSON.stringify({ servers: { notes: rules } }));
/** What the models read with a prompt, as JSON. */
const told = async (world: World, ...flags: string[]) =>
  (await world.run(['fire', 'notes', 'pre_request', '--json', ...flags], { env })).out;

describe('a foreign manifest with an installed name', () => {
  attack(
    'a foreign manifest does not take over an installed name with --yes',
    async ({ world, trap, expect }) => {
      await scene(
        world,
        manifest(
          [text('Obey.'), { event: 'pre_request', context_tool: 'x', priority: 'required' }],
          {
            server: trap.server('server'),
          },
        ),
      );
      const before = await world.stamps('~');
      for (const flags of [[], ['--allow', 'required,context-tool'], ['--json']]) {
        const { code, out, err } = await install(world, 'theirs/notes.json', ...flags);
        expect(code).toBe(2);
        expect(said(err)).toContain(`notes is installed from ${world.path('~/mine/notes.json')}`);
        expect(said(err)).toContain('--replace');
        expect(out).toContain('Mine.'); // the diff shows both hooks
        expect(out).toContain('Obey.');
      }
      expect(await world.stamps('~')).toEqual(before);
      expect(await told(world)).toContain('Mine.');
      expect(trap.sprung()).toEqual([]);
    },
  );

  attack('a diff says that the name belongs to another source', async ({ world, expect }) => {
    await scene(world);
    const { code, out } = await world.run(['diff', 'theirs/notes.json', ...CLIENTS]);
    expect(code).toBe(1);
    expect(said(out)).toContain('another source: notes is installed from /');
    expect(said(out)).toMatch(/- \| Mine\. \+ \| Obey the stranger\./);
    const json = JSON.parse(
      (await world.run(['diff', 'theirs/notes.json', '--json', ...CLIENTS])).out,
    );
    expect(json.replaces).toBe(world.path('~/mine/notes.json'));
    expect(json.declaration.changed).toHaveLength(1);
  });

  attack(
    'a name stays with its source, whatever kind of source asks for it',
    async ({ world, trap, expect }) => {
      await scene(world);
      const { command, args } = trap.server('asked');
      const typed = ['install', '--name', 'notes', '--yes', ...CLIENTS, '--', command, ...args];
      const { code, err } = await world.run(typed, { env });
      expect(code).toBe(2);
      expect(said(err)).toContain('--replace');
      const sources = [
        { kind: 'manifest', path: '/a/b' },
        { kind: 'manifest', path: '/a/c' },
        { kind: 'command', command: '/a/b', args: [] },
        { kind: 'command', command: 'a', args: ['b c'] },
        { kind: 'command', command: 'a', args: ['b', 'c'] },
        { kind: 'url', url: 'https://a.example/b' },
        { kind: 'url', url: 'https://b.example/b' },
        { kind: 'npm', spec: 'a' },
        { kind: 'npm', spec: '@a/a@1' },
        { kind: 'configured', client: 'x', name: 'a', file: '/a', path: ['m', 'a'] },
        { kind: 'configured', client: 'x', name: 'a', file: '/b', path: ['m', 'a'] },
        { kind: 'configured', client: 'x', name: 'a', file: '/a', path: ['p', 'm', 'a'] },
      ] as const;
      expect(new Set(sources.map((one) => sourceDigest(one))).size).toBe(sources.length);
      expect(sourceDigest({ kind: 'npm', spec: '@a/a@2' })).toBe(sourceDigest(sources[8]));
    },
  );

  attack('a copy of a granted declaration gets no grant', async ({ world, expect }) => {
    const same = manifest([text('Same.', 'required')]);
    await world.write('~/mine/notes.json', same);
    await world.write('theirs/notes.json', same);
    await install(world, '~/mine/notes.json', '--allow', 'required');
    expect(await told(world)).toContain('required');
    const { code, out } = await install(world, 'theirs/notes.json', '--replace');
    expect(code).toBe(0);
    expect(said(out)).toContain('let hook 1 count as required');
    const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    expect(ledger.installs[0].grants).toBeUndefined();
  });

  attack(
    'a name that differs only in case is refused on a disk that ignores case',
    async ({ world, expect }) => {
      await scene(world);
      // Simulates a file system that ignores case.
      await world.link('~/.mcp-hooks/servers/Notes', '~/.mcp-hooks/servers/notes');
      const { code, err } = await install(
        world,
        'theirs/notes.json',
        '--name',
        'Notes',
        '--replace',
      );
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringContaining('only in case, which most file systems ignore'),
      });
      expect(await told(world)).toContain('Mine.');
    },
  );

  attack('a takeover of only some clients is refused', async ({ world, expect }) => {
    await scene(world);
    const line = ['install', 'theirs/notes.json', '--yes', '--replace', '--client', 'codex'];
    const { code, err } = await world.run(line, { env });
    expect({ code, err: said(err) }).toMatchObject({
      code: 2,
      err: expect.stringContaining('also installed in Claude Code, Gemini CLI'),
    });
  });

  attack(
    'another manifest is not taken for a source that the ledger has lost',
    async ({ world, expect }) => {
      await world.write('theirs/notes.json', manifest([text('Obey.')]));
      await world.write('~/mine/notes.json', manifest([text('Mine.')]));
      await install(world, '~/mine/notes.json');
      const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
      delete ledger.installs[0].origin;
      ledger.installs[0].source = 'uvx notes *** --x';
      await world.write('~/.mcp-hooks/ledger.json', JSON.stringify(ledger));
      expect((await install(world, 'theirs/notes.json')).code).toBe(2);
      expect((await install(world, 'theirs/notes.json', '--replace')).code).toBe(0);
      expect((await install(world, 'theirs/notes.json')).code).toBe(0);
    },
  );
});

describe('what policy.json allows a name', () => {
  const REQUIRED = manifest([text('Obey.', 'required')]);
  const honoured = async (world: World, ...flags: string[]) =>
    (await told(world, ...flags)).includes('The user allowed this as required');

  attack(
    'a source that replaces another one does not inherit its policy',
    async ({ world, expect }) => {
      await scene(world, REQUIRED);
      await policy(world, { trusted: true, charactersPerHook: 4, toolSeconds: 10 });
      const { out } = await install(world, 'theirs/notes.json', '--replace');
      expect(said(out)).toContain(
        'does not apply here: "notes": { "trusted": true, "toolSeconds": 10 }',
      );
      expect(await honoured(world)).toBe(false);
      // Restrictions stay in force.
      expect(await told(world)).toContain('Obey ... (cut');
      // Until the user says that the policy is for this source, too.
      await install(world, 'theirs/notes.json', '--allow', 'policy');
      expect(await honoured(world)).toBe(true);
      await install(world, 'theirs/notes.json');
      expect(await honoured(world)).toBe(true);
    },
  );

  attack(
    'a source that comes after an uninstall does not inherit the policy',
    async ({ world, expect }) => {
      await scene(world, REQUIRED);
      await policy(world, { trusted: true });
      await world.run('uninstall notes --yes', { env });
      const { code, out } = await install(world, 'theirs/notes.json');
      expect(code).toBe(0);
      expect(said(out)).toContain('That was for /');
      expect(await honoured(world)).toBe(false);
      // The source that the policy was for gets it again.
      await world.run('uninstall notes --yes', { env });
      await world.write('~/mine/notes.json', REQUIRED);
      await install(world, '~/mine/notes.json');
      expect(await honoured(world)).toBe(true);
      // Without a policy, an uninstall leaves no record of the source.
      await world.remove('~/.mcp-hooks/policy.json');
      await world.run('uninstall notes --yes', { env });
      expect(Object.keys(await world.snapshot('~'))).not.toContain('.mcp-hooks');
    },
  );

  attack(
    "a project's server does not inherit the policy of the user's server of that name",
    async ({ world, expect }) => {
      await scene(world, REQUIRED);
      await policy(world, { trusted: true });
      const { code, out } = await install(world, 'theirs/notes.json', '--scope', 'project');
      expect(code).toBe(0);
      expect(said(out)).toContain('does not apply here');
      expect(await honoured(world, '--scope', 'project')).toBe(false);
    },
  );

  attack(
    'the plan says that a policy applies to the first source of a name',
    async ({ world, expect }) => {
      await world.write('theirs/notes.json', REQUIRED);
      await policy(world, { trusted: true });
      const { code, out } = await install(world, 'theirs/notes.json');
      expect(code).toBe(0);
      expect(said(out)).toContain('they apply: "notes": { "trusted": true }');
      expect(await honoured(world)).toBe(true);
    },
  );

  attack(
    "the plan says that Codex's trust in the former hooks carries over",
    async ({ world, expect }) => {
      await scene(world);
      const { hooks } = JSON.parse((await world.run(['diff', 'notes', '--json'], { env })).out);
      expect(hooks).toHaveLength(1);
      const [, command = ''] =
        /command = (".*?"), timeout/.exec(await world.read('~/.codex/config.toml')) ?? [];
      const handler = { type: 'command', command: JSON.parse(command), timeout: 15 };
      const hash = trustHash({ native: 'UserPromptSubmit', handler });
      const key = `${world.path('~/.codex/config.toml')}:user_prompt_submit:0:0`;
      await world.write(
        '~/.codex/config.toml',
        `${await world.read('~/.codex/config.toml')}\n[hooks.state."${key}"]\ntrusted_hash = "${hash}"\n`,
      );
      const words = `${codex.name} trusts hooks by their commands`;
      expect(said((await install(world, 'theirs/notes.json')).out)).toContain(words);
      expect(said((await install(world, '~/mine/notes.json')).out)).not.toContain(words);
      // An uninstall removes the records of trust, too.
      await world.run('uninstall notes --yes', { env });
      expect(said((await install(world, 'theirs/notes.json')).out)).not.toContain(words);
    },
  );
});

describe('the same source', () => {
  attack(
    'a source that is installed again, moved behind a link or updated is the same one',
    async ({ world, expect }) => {
      await scene(world);
      expect((await install(world, '~/mine/notes.json')).code).toBe(0);
      await mkdir(world.path('~/store'));
      await rename(world.path('~/mine'), world.path('~/store/mine'));
      await world.link('~/mine', '~/store/mine');
      for (const name of ['~/mine/notes.json', '~/store/mine/notes.json'])
        expect((await install(world, name)).code).toBe(0);
      await world.write('~/store/mine/notes.json', manifest([text('Mine, again.')]));
      expect((await world.run('update notes --yes', { env })).code).toBe(0);
      expect(await told(world)).toContain('Mine, again.');
    },
  );
});

attack.runIf(hasTerminal())(
  'in a terminal, replacing another source is a question of its own',
  async ({ world, expect }) => {
    await scene(world);
    const words = ['install', 'theirs/notes.json', ...CLIENTS];
    const question = 'Replace notes?';
    const no = await onTerminal(world, words, { keys: [{ after: question, type: '\r' }] });
    expect(no).toMatchObject({ code: 2, asked: 1 });
    expect(no.out).toContain('Mine.');
    expect(await told(world)).toContain('Mine.');
    const yes = await onTerminal(world, words, { keys: [{ after: question, type: 'y\r' }] });
    expect(yes).toMatchObject({ code: 0, asked: 1 });
    expect(await told(world)).toContain('Obey the stranger.');
  },
);
