// `mcp-hooks import`: what it reads, prints and writes, and what it never does with files from others.
import { existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { byHandOf } from '../../src/clients/registry.ts';
import { readSettings } from '../../src/sources/by-hand/files.ts';
import { known } from '../clients/expectations.ts';
import { runAt } from '../support/columns.ts';
import { manifest } from '../support/hooks.ts';
import { ALL_IDS, type ClientId, clientOf } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const hooks = (native: string, ...handlers: readonly object[]): string =>
  JSON.stringify({ hooks: { [native]: [{ hooks: handlers }] } }, null, 2);
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const TEXT = command("echo 'Notes are kept.'");

const ref = (name: string): string => `\${${name}}`;

const SETTINGS = '.claude/settings.json';

/** The codes of the entries that were left out, or the hooks of the draft. */
async function outcome(world: World, path: string, ...more: string[]): Promise<unknown> {
  const { out } = await world.run(['import', path, '--json', ...more]);
  const { entries, manifest: draft, error, details } = JSON.parse(out);
  if (error) return [error, ...details].join('\n');
  const left = entries.flatMap(
    ({ leftOut }: { leftOut?: { code: string } }) => leftOut?.code ?? [],
  );
  return left.length > 0 ? left : draft?.hooks.declarations;
}

const TEXT_OF_OURS = { context: 'Ours.', priority: 'suggestion' };

describe('what it prints and writes', () => {
  test('prints the draft, and what became of each entry beside it', async ({ world }) => {
    await world.write(SETTINGS, hooks('SessionStart', TEXT, command("echo 'x")));
    const { code, out, err } = await world.run(['import', SETTINGS]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        hooks: {
          declarations: [
            { event: 'session_start', context: 'Notes are kept.', priority: 'suggestion' },
          ],
        },
      },
    ]);
    expect(err).toBe(`.claude/settings.json:6:11: SessionStart: hook 1
.claude/settings.json:10:11: SessionStart: left out: its command ends within quotes
2 entries: 1 hook in the draft, 1 left out.
Read it, then try and install it: mcp-hooks install <file>
The entries stay in their files, so both would run: the install asks whether to take them out, or add --replace-originals.
`);
  });

  test('--out writes a valid file, and overwrites none without --force', async ({ world }) => {
    await world.write(SETTINGS, hooks('Stop', command('bash .claude/notes.sh', { timeout: 5 })));
    await world.write('.claude/notes.sh', 'echo notes\n');
    const first = await world.run(['import', SETTINGS, '--out', 'notes.json']);
    expect([first.code, first.err]).toEqual([0, '']);
    expect(first.out).toContain('mcp-hooks install notes.json --allow command');
    const written = JSON.parse(await world.read('notes.json'));
    expect(written).toEqual({
      version: 2,
      hooks: {
        declarations: [
          {
            event: 'post_request',
            command: ['bash', '.claude/notes.sh'],
            deadline: 5000,
          },
        ],
      },
    });
    expect((await world.run(['validate', 'notes.json', '--strict'])).code).toBe(0);
    await world.write('notes.json', 'mine');
    const again = await world.run(['import', SETTINGS, '--out', 'notes.json']);
    expect([again.code, again.err]).toEqual([
      2,
      'notes.json already exists: --force overwrites it. Nothing was written.\n',
    ]);
    expect(await world.read('notes.json')).toBe('mine');
    const forced = await world.run(['import', SETTINGS, '--out', 'notes.json', '--force']);
    expect([forced.code, JSON.parse(await world.read('notes.json'))]).toEqual([0, written]);
    const spaced = await world.run(['import', SETTINGS, '--out', 'my notes.json']);
    expect(spaced.out).toContain("mcp-hooks install 'my notes.json' --allow command");
    // The paths in a command are relative to the manifest's folder.
    await world.run(['import', SETTINGS, '--out', 'docs/../.claude/notes.json']);
    const beside = JSON.parse(await world.read('.claude/notes.json'));
    expect(beside.hooks.declarations[0].command).toEqual(['bash', 'notes.sh']);
  });

  test('fits the terminal, and keeps the command to copy whole', async ({ world }) => {
    const moves = command(`cat ${'folder/'.repeat(5)}notes.md`);
    await world.write(SETTINGS, hooks('SessionStart', TEXT, moves, command('x=1 make notes')));
    const { err, out } = await runAt(80, world, ['import', SETTINGS]);
    expect(JSON.parse(out)).toHaveProperty('hooks');
    const lines = err.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(err).toMatch(/^ *mcp-hooks install <file>/m);
  });

  test('exits with 1 and writes no file if no entry can become a hook', async ({ world }) => {
    await world.write(SETTINGS, hooks('Setup', TEXT));
    const ran = await world.run(['import', SETTINGS, '--out', 'notes.json', '--json']);
    expect([ran.code, JSON.parse(ran.out).entries[0].leftOut.code]).toEqual([1, 'hand-no-moment']);
    expect(existsSync(world.path('notes.json'))).toBe(false);
  });

  test('drafts a notification with the kind that it waits for, and no text', async ({ world }) => {
    const sound = { type: 'command', command: 'notify-send Waiting' };
    const group = (matcher: string, hook: object) => ({ matcher, hooks: [hook] });
    const Notification = [
      group('permission_prompt', sound),
      group('auth_success', sound),
      group('idle_prompt', TEXT),
    ];
    await world.write(SETTINGS, JSON.stringify({ hooks: { Notification } }));
    const ran = await world.run(['import', SETTINGS, '--out', 'notes.json', '--json']);
    const codes = JSON.parse(ran.out).entries.map(
      (one: { leftOut?: { code: string } }) => one.leftOut?.code,
    );
    expect(codes).toEqual([undefined, 'hand-sources', 'hand-unread']);
    expect(JSON.parse(await world.read('notes.json')).hooks.declarations).toEqual([
      {
        event: 'notification',
        matcher: { waits_for: 'permission' },
        command: ['notify-send', 'Waiting'],
        deadline: 30_000,
      },
    ]);
  });

  test('wrong usage', async ({ world }) => {
    await world.write(SETTINGS, hooks('Stop', TEXT));
    await world.write('empty.json', '{}');
    expect(await outcome(world, 'gone.json')).toBe('gone.json: no such file');
    expect(await outcome(world, 'empty.json', '--client', 'codex')).toBe(
      'empty.json: no hooks in it',
    );
    expect(await outcome(world, 'empty.json')).toMatch(/^empty\.json: unknown client/);
    expect(await outcome(world, SETTINGS, '--name', 'a/b')).toMatch(/can't be used as a label/);
    expect(await outcome(world, SETTINGS, '--force')).toBe('--force is for --out <file>.');
    expect(await outcome(world, SETTINGS, '--client', 'nobody')).toMatch(/no client "nobody"/);
    const unread = ALL_IDS.filter((id) => !byHandOf(clientOf(id)));
    expect(unread).not.toEqual([]);
    for (const id of unread)
      expect((await world.run(['import', '--client', id])).err).toBe(
        `Hooks of ${clientOf(id).name} are programs, which mcp-hooks does not read. To read another file: mcp-hooks import <file>\n`,
      );
    const none = await world.run(['import', '--client', 'codex']);
    expect([none.code, none.err]).toEqual([
      2,
      'No hooks were found in the files of Codex CLI. To read another file: mcp-hooks import <file>\n',
    ]);
  });
});

describe('where it looks', () => {
  test('a file in the folder of a client belongs to that client', async ({ world }) => {
    const files = ALL_IDS.filter((id) => byHandOf(clientOf(id))).map((id) => known[id].byHand);
    const own = files.filter((file) => files.indexOf(file) === files.lastIndexOf(file));
    expect(own.length).toBeGreaterThan(5);
    for (const file of own) {
      await world.write(file, file.endsWith('.toml') ? '' : '{}');
      const read = readSettings(world.path(file), file, { env: {}, home: world.home });
      expect([file, 'client' in read && known[read.client.id as ClientId].byHand]).toEqual([
        file,
        file,
      ]);
    }
  });

  test("without a file, reads the user's and the project's settings, except our entries", async ({
    world,
  }) => {
    await world.folder('~/.codex', '~/.gemini');
    await world.write('notes.json', manifest());
    await world.write('~/.claude/settings.json', hooks('SessionStart', TEXT));
    await world.write(
      'ours.json',
      manifest({ event: 'pre_request', context: 'Ours.', priority: 'suggestion' }),
    );
    await world.run(['install', 'ours.json', '--client', 'claude-code', '--yes']);
    await world.write('.claude/settings.local.json', hooks('Stop', TEXT));
    await world.write(
      '.codex/config.toml',
      `# Notes
[[hooks.SessionStart]]
hooks = [
  { type = "command", command = "echo 'Of a table.'" },
]

[[hooks.PostToolUse]]
matcher = "^Bash$"
[[hooks.PostToolUse.hooks]]
type = "command"
command = "echo 'Of a block.'"
`,
    );
    await world.write('.gemini/settings.json', '{ "hooks": { // a comment\n } }');
    const { out } = await world.run(['import', '--json']);
    const { entries, problems } = JSON.parse(out);
    expect(problems).toEqual([]);
    const rows = entries.map(
      (one: Record<string, unknown> & { leftOut?: { code: string } }) =>
        `${one.file}:${one.line}:${one.column} ${one.client} ${one.native} ${one.hook ?? one.leftOut?.code}`,
    );
    expect(rows).toEqual([
      '~/.claude/settings.json:6:11 claude-code SessionStart 1',
      expect.stringMatching(/claude-code UserPromptSubmit hand-ours$/),
      expect.stringMatching(/\/\.codex\/config\.toml:4:3 codex SessionStart 2$/),
      expect.stringMatching(/\/\.codex\/config\.toml:9:1 codex PostToolUse 3$/),
      expect.stringMatching(/\/\.claude\/settings\.local\.json:6:11 claude-code Stop 4$/),
    ]);
  });

  test('our own entries are only counted, not listed as hand-written', async ({ world }) => {
    await world.folder('~/.claude');
    await world.write('annal.json', manifest({ event: 'session_start', ...TEXT_OF_OURS }));
    await world.run('install annal.json --yes --client claude-code');
    const none = await world.run('import');
    expect([none.code, none.err]).toEqual([
      1,
      'No hand-written hooks found.\nNot counted: 2 entries that mcp-hooks installed.\n',
    ]);
    await world.write(SETTINGS, hooks('SessionStart', TEXT));
    const one = await world.run('import');
    expect(one.err).not.toContain('left out: mcp-hooks');
    expect(one.err).toContain('1 entry: 1 hook in the draft, 0 left out.\nNot counted: 2 entries');
    await world.write('annal.json', manifest({ event: 'pre_request', ...TEXT_OF_OURS }));
    await world.run('install annal.json --yes --client claude-code');
    const { err } = await world.run('import');
    expect(err).toContain('Not counted: 1 entry that mcp-hooks installed.');
  });

  test('entries of a package made by build count as our own', async ({ world }) => {
    const text = { event: 'session_start', context: 'Ours.', priority: 'suggestion' };
    await world.write('annal.json', manifest(text));
    await world.run('build annal.json --out out --target claude-code,codex');
    for (const [file, client] of [
      ['out/claude-code/annal/hooks/hooks.json', 'claude-code'],
      ['out/codex/annal/hooks/hooks.json', 'codex'],
    ] as const) {
      const { out } = await world.run(['import', file, '--client', client, '--json']);
      const { entries } = JSON.parse(out);
      const messages = entries.map(
        (one: { leftOut?: { message: string } }) => one.leftOut?.message,
      );
      expect([...new Set(messages)]).toEqual(['mcp-hooks wrote it, for annal']);
    }
  });

  test("paths in the user's own hooks still work from any folder", async ({ world }) => {
    await world.write('~/.claude/notes.sh', 'echo\n', 0o755);
    await world.write('~/.claude/notes.md', 'Notes.\n');
    await world.write('.claude/notes.sh', 'echo\n', 0o755);
    await world.write(
      '~/.claude/settings.json',
      hooks(
        'SessionStart',
        command('bash .claude/notes.sh'),
        command('"$CLAUDE_PROJECT_DIR/.claude/notes.sh"'),
        command('cat notes.md'),
        command('cat ~/.claude/notes.md'),
        command('$HOME/.claude/notes.sh --all'),
        command('notes add'),
      ),
    );
    const { out } = await world.run(['import', '--json', '--client', 'claude-code']);
    const { entries, manifest: draft } = JSON.parse(out);
    expect(entries.map((one: { hook?: number }) => one.hook)).toEqual([1, 2, 3, 4, 5, 6]);
    const made = draft.hooks.declarations.map(
      (one: { context?: string; command?: readonly string[] }) => one.context ?? one.command,
    );
    expect(made).toEqual([
      ['sh', '-c', 'bash .claude/notes.sh'],
      [
        'sh',
        '-c',
        `export CLAUDE_PROJECT_DIR="${ref('CLAUDE_PROJECT_DIR:-$PWD')}"; "$CLAUDE_PROJECT_DIR/.claude/notes.sh"`,
      ],
      ['cat', 'notes.md'],
      'Notes.',
      [world.path('~/.claude/notes.sh'), '--all'],
      ['notes', 'add'],
    ]);
  });

  test('a plugin with its folder in a variable', async ({ world }) => {
    await world.write('it is/notes.md', 'Notes of the plugin.\n');
    await world.write('it is/run.sh', 'echo\n', 0o755);
    const root = ref('CLAUDE_PLUGIN_ROOT');
    await world.write(
      'it is/hooks/hooks.json',
      hooks(
        'SessionStart',
        command(`cat "${root}/notes.md" 2>/dev/null || true`),
        command(`"${root}"/run.sh`),
        command(`echo "${root}"`),
        command('run', { args: [`${root}/run.sh`, '$x y'] }),
        command('run', { args: [ref('CLAUDE_PLUGIN_DATA')] }),
      ),
    );
    const ran = await world.run(['import', 'it is/hooks/hooks.json', '--out', 'it is/m.json']);
    expect(ran.out).toContain('The text was copied from notes.md:');
    const { declarations } = JSON.parse(await world.read('it is/m.json')).hooks;
    expect(declarations).toEqual([
      { event: 'session_start', context: 'Notes of the plugin.' },
      { event: 'session_start', command: ['./run.sh'], deadline: 30_000 },
      { event: 'session_start', command: ['echo', world.path('it is')], deadline: 30_000 },
      { event: 'session_start', command: ['run', 'run.sh', '$x y'], deadline: 30_000 },
    ]);
    expect(ran.out).toContain(`its client fills in "${ref('CLAUDE_PLUGIN_DATA')}"`);
  });

  test('a server whose tool is called is drafted if its start can be copied', async ({ world }) => {
    const tool = (server: string) => ({ type: 'mcp_tool', server, tool: 'add', input: { a: 1 } });
    const mcpServers = {
      notes: { command: 'notes', args: ['serve'] },
      other: { command: 'other' },
      secret: { command: 'notes', env: { NOTES_TOKEN: 'abc' } },
    };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers }));
    const all = ['secret', 'nobody', 'notes', 'other'].map(tool);
    await world.write(SETTINGS, hooks('Stop', ...all));
    const { out } = await world.run(['import', SETTINGS, '--json']);
    const { entries, manifest: draft, grants } = JSON.parse(out);
    expect(
      entries.map((one: { hook?: number; leftOut?: { code: string } }) => one.leftOut?.code),
    ).toEqual(['hand-tool-values', 'hand-tool-unknown', undefined, 'hand-tool-other']);
    expect([draft.server, grants]).toEqual([
      { command: 'notes', args: ['serve'] },
      ['context-tool'],
    ]);
    expect(out).not.toContain('NOTES_TOKEN');
  });
});

describe('the one server of a draft', () => {
  const tool = (server: string, more: object = {}) => ({
    type: 'mcp_tool',
    server,
    tool: 'add',
    ...more,
  });
  const drafted = async (world: World, ...line: string[]) => {
    const { out } = await world.run(['import', ...line, '--json']);
    const { entries, manifest: draft } = JSON.parse(out);
    const left = entries.map((one: { leftOut?: { code: string } }) => one.leftOut?.code);
    return [left, draft?.server];
  };

  test('is the server of the first hook that is kept', async ({ world }) => {
    const mcpServers = { notes: { command: 'notes' }, other: { command: 'other' } };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers }));
    for (const [code, more] of [
      ['hand-tool-input', { input: { a: ref('tool_input.file_path') } }],
      ['hand-secret', { input: { a: `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}` } }],
      ['hand-refused', { tool: 'x'.repeat(10_000) }],
    ] as const) {
      await world.write(SETTINGS, hooks('Stop', tool('notes', more), tool('other'), tool('notes')));
      expect(await drafted(world, SETTINGS)).toEqual([
        [code, undefined, 'hand-tool-other'],
        { command: 'other' },
      ]);
    }
  });

  test('is recognized under the names that different clients give it', async ({ world }) => {
    const mcpServers = { notes: { command: 'notes-a' }, codex: { command: 'notes-codex' } };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers }));
    await world.write('~/.claude/settings.json', hooks('Stop', tool('notes')));
    await world.write(
      '~/.codex/config.toml',
      '[mcp_servers.notes]\ncommand = "notes-codex"\n[mcp_servers.mine]\ncommand = "notes-a"\n',
    );
    await world.write(
      '~/.codex/hooks.json',
      hooks('SessionStart', tool('notes'), tool('mine', { tool: 'look' })),
    );
    expect(await drafted(world)).toEqual([
      [undefined, 'hand-tool-other', undefined],
      { command: 'notes-a' },
    ]);
  });
});

test('an entry in a file that its client refuses is reported to have done nothing', async ({
  world,
}) => {
  for (const [before, is] of [
    ['', 'refused'],
    ['// mine\n', 'refused'],
    ['\ufeff', 'read'],
  ] as const) {
    const text = hooks('SessionStart', TEXT);
    await world.write(SETTINGS, before + (before === '' ? text.replace(/\}$/, ',}') : text));
    const { out } = await world.run(['import', SETTINGS, '--json']);
    const [{ notes }] = JSON.parse(out).entries;
    const codes = notes.map(({ code }: { code: string }) => code);
    expect([before, codes]).toEqual([before, is === 'read' ? [] : ['hand-ignored-there']]);
  }
});

describe('files from others', () => {
  test('secrets are neither drafted nor printed', async ({ world }) => {
    const token = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
    const key = `sk-proj-${'aB3dE6gH9j'.repeat(4)}`;
    await world.write('.claude/notes.sh', `echo ${token}\nexit 2\n`, 0o755);
    await world.write('.claude/key.txt', `The key is ${key}.\n`);
    await world.write(
      SETTINGS,
      JSON.stringify({
        hooks: {
          SessionStart: [
            {
              hooks: [
                command(`echo 'Use the token ${token}.'`),
                command(`.claude/notes.sh --token ${token}`),
                command(`NOTES_TOKEN=${token} .claude/notes.sh`),
                command('.claude/notes.sh', { env: { NOTES_TOKEN: token } }),
                command('.claude/notes.sh', { env: { [token]: '1' } }),
                command('.claude/notes.sh', { [token]: '1' }),
                command('cat .claude/key.txt'),
                command('.claude/notes.sh; .claude/notes.sh --all'),
                command(`cat notes-${token}.md`),
                { type: 'http', url: 'https://notes.example', headers: { Authorization: token } },
              ],
            },
          ],
          PreToolUse: [{ matcher: 'Bash', hooks: [command('x', { if: `Bash(${token})x` })] }],
        },
      }),
    );
    for (const flags of [[], ['--json'], ['--out', 'notes.json']]) {
      const { out, err } = await world.run(['import', SETTINGS, ...flags]);
      expect(out + err).not.toContain(token.slice(4, 20));
      expect(out + err).not.toContain(key.slice(8, 20));
    }
    expect(await outcome(world, SETTINGS)).toEqual([
      'hand-secret',
      'hand-secret',
      'hand-secret',
      'hand-variables',
      'hand-variables',
      'hand-secret',
      'hand-no-file',
      'hand-sends',
      'hand-condition',
    ]);
  });

  test('nothing is run, and nothing outside of the folder is read', async ({ world }) => {
    await world.write('~/secret.md', 'Not to be read.\n');
    await world.link('.claude/link.md', '~/secret.md');
    await world.write('.claude/notes.sh', `#!/bin/sh\ntouch ${world.path('~/ran')}\n`, 0o755);
    await world.write(
      SETTINGS,
      hooks(
        'SessionStart',
        command(`touch ${world.path('~/ran')}`),
        command('.claude/notes.sh'),
        command('cat ../home/ann/secret.md'),
        command('cat .claude/link.md'),
        command(`cat ${world.path('~/secret.md')}`),
        command('cat /dev/zero'),
        command('cat /etc/passwd'),
      ),
    );
    const { out } = await world.run(['import', SETTINGS, '--json']);
    expect(out).not.toContain('Not to be read.');
    const { entries } = JSON.parse(out);
    const codes = entries.map((one: { leftOut?: { code: string } }) => one.leftOut?.code);
    expect(codes).toEqual([undefined, undefined, ...Array(5).fill('hand-outside')]);
    expect(existsSync(world.path('~/ran'))).toBe(false);
  });

  test('a link out of a project is not followed', async ({ world }) => {
    await world.write('~/other/settings.json', hooks('Stop', TEXT));
    await world.link('.claude/settings.json', '~/other/settings.json');
    const { out } = await world.run(['import', '--client', 'claude-code', '--json']);
    const { entries, problems } = JSON.parse(out);
    expect([entries, problems]).toEqual([
      [],
      [expect.stringMatching(/a symbolic link points outside the project$/)],
    ]);
  });

  test('control characters are spelled out', async ({ world }) => {
    const evil = '\u001b[2Jevil\u202e\u0007';
    await world.write(
      SETTINGS,
      JSON.stringify({
        hooks: {
          [evil]: [{ hooks: [TEXT] }],
          PreToolUse: [{ matcher: `^${evil}$`, hooks: [TEXT] }],
          SessionStart: [{ hooks: [command(`echo 'Notes ${evil}'`), command('a\u0000b')] }],
        },
      }),
    );
    for (const flags of [[], ['--json']]) {
      const { out, err } = await world.run(['import', SETTINGS, ...flags]);
      expect(out + err).not.toMatch(/[\u001b\u202e\u0007]/);
    }
    const plain = await world.run(['import', SETTINGS]);
    expect(JSON.parse(plain.out).hooks.declarations[0].context).toBe(`Notes ${evil}`);
  });

  test('deep, large, broken and odd files', async ({ world }) => {
    const files: readonly (readonly [string, RegExp])[] = [
      [`{"hooks":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, /brackets inside each other/],
      [`{"hooks":{"Stop":[${'['.repeat(9000)}${']'.repeat(9000)}]}}`, /brackets inside each other/],
      [`{"hooks":{"Stop":["${'x'.repeat(5_000_000)}"]}}`, /4\.0 MiB/],
      ['{"hooks":', /settings\.json:1:10/],
      ['', /no hooks/],
      ['[]', /object/],
      ['\u0000', /null|NUL/i],
    ];
    for (const [text, said] of files) {
      await world.write(SETTINGS, text);
      expect(String(await outcome(world, SETTINGS)), text.slice(0, 20)).toMatch(said);
    }
    await world.write(
      SETTINGS,
      JSON.stringify({
        hooks: {
          Stop: [null, 1, 'x', [], { hooks: 'x' }, { hooks: [null, 1, {}] }, { command: 1 }],
          SessionStart: { command: 'x' },
          PreToolUse: [{ matcher: 5, hooks: [command("echo 'Never.' >&2; exit 2")] }],
        },
        __proto__: { a: 1 },
      }),
    );
    expect(await outcome(world, SETTINGS)).toEqual([
      ...Array(4).fill('hand-no-hook'),
      'hand-no-command',
      ...Array(2).fill('hand-no-hook'),
      ...Array(2).fill('hand-no-command'),
      ...Array(2).fill('hand-no-hook'),
    ]);
  });

  test('thousands of entries, and a matcher that would take forever', async ({ world }) => {
    const many = Array.from({ length: 1500 }, (_, at) => command(`echo 'Note ${at}.'`));
    await world.write(
      SETTINGS,
      JSON.stringify({
        hooks: {
          PreToolUse: [
            { matcher: `^(${'a*'.repeat(500)})*$`, hooks: [TEXT] },
            { matcher: `${'(a|b)?'.repeat(300)}`, hooks: [TEXT] },
          ],
          SessionStart: [{ hooks: many }],
        },
      }),
    );
    const left = (await outcome(world, SETTINGS)) as string[];
    expect(left.slice(0, 2)).toEqual(['hand-matcher', 'hand-matcher']);
    expect(left.slice(2)).toEqual(Array(500).fill('hand-too-many'));
  });

  test('a hook that is too long for a manifest leaves room for the others', async ({ world }) => {
    const long = { type: 'command', command: `echo ${'word '.repeat(250_000)}` };
    await world.write(
      SETTINGS,
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [long, TEXT] }] } }),
    );
    expect(await outcome(world, SETTINGS)).toEqual(['hand-too-many']);
  });

  test('--out follows no link out of its folder', async ({ world }) => {
    await world.write(SETTINGS, hooks('Stop', TEXT));
    await world.link('notes.json', '~/elsewhere.json');
    const { code } = await world.run(['import', SETTINGS, '--out', 'notes.json']);
    expect([code, existsSync(world.path('~/elsewhere.json'))]).toEqual([2, false]);
    // A folder that is a link is allowed, because the user named it.
    await world.folder('docs');
    await world.link('linked', 'docs');
    expect((await world.run(['import', SETTINGS, '--out', 'linked/notes.json'])).code).toBe(0);
    expect(existsSync(world.path('docs/notes.json'))).toBe(true);
  });

  test('the file is left as it was, and the draft is readable', async ({ world }) => {
    await world.write(SETTINGS, hooks('Stop', TEXT));
    const before = readFileSync(world.path(SETTINGS), 'utf8');
    await world.run(['import', SETTINGS, '--out', 'notes.json']);
    expect(readFileSync(world.path(SETTINGS), 'utf8')).toBe(before);
    expect((await stat(world.path('notes.json'))).mode & 0o777).toBe(0o644);
  });
});
