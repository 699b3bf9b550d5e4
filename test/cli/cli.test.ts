// The built command line in homes of its own: what the user types, what it prints, and what is on the disk afterwards.
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'smol-toml';
import { afterAll, describe, expect } from 'vitest';
import { runAt } from '../support/columns.ts';
import { CLIENTS, COMMITTED, commands, fire, manifest } from '../support/hooks.ts';
import { ALL_IDS, clientOf, namesOf } from '../support/runner/clients.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const PACKAGE: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
);
const EXAMPLES = join(import.meta.dirname, '..', '..', 'fixtures', 'servers');
/** A short path, so that lines with it do not wrap. */
const NODE = join(mkdtempSync(join(tmpdir(), 'n-')), 'node');
symlinkSync(process.execPath, NODE);
afterAll(() => rmSync(dirname(NODE), { recursive: true }));

const ANNAL = manifest(COMMITTED);
const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const ALL = '--client claude,codex,gemini';

const CLAUDE_SETTINGS = `{
  "model": "opus",
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit",
        "hooks": [{ "type": "command", "command": "prettier --write" }]
      }
    ]
  },
  "permissions": { "allow": ["Bash(git diff:*)"] }
}
`;
const CODEX_CONFIG = `# mine
model = "gpt-5"

[[hooks.PostToolUse]]
matcher = "Bash"
[[hooks.PostToolUse.hooks]]
type = "command"
command = "date >> ~/log" # when

[mcp_servers.annal]
command = "uvx"
`;
const GEMINI_SETTINGS = `// Settings of mine.
{
  "ui": { "theme": "Dark" }, /* at night */
  "hooks": {
    // prompts
    "BeforeAgent": [
      { "hooks": [{ "name": "mine", "type": "command", "command": "date" }] } // the only one
    ]
  }
}
`;

/** A home whose three clients have settings and hooks of the user's own. */
async function furnish(world: World): Promise<void> {
  await world.write('~/.claude/settings.json', CLAUDE_SETTINGS, 0o600);
  await world.write('~/.codex/config.toml', CODEX_CONFIG);
  await world.write('~/.gemini/settings.json', GEMINI_SETTINGS);
  await world.write('~/.claude/CLAUDE.md', '# Rules\n');
  await world.write('annal.json', ANNAL);
}

describe('the output', () => {
  test('install, list, install again, uninstall', async ({ world, expect }) => {
    await furnish(world);
    expect(
      (await world.run('install annal.json --client claude,codex,gemini --yes')).transcript,
    ).toMatchInlineSnapshot(`
      "
      $ mcp-hooks install annal.json --client claude,codex,gemini --yes
      annal has 1 hook, declared in annal.json.
        1. After Bash calls containing "git commit" (post_tool_use, suggestion)
           | You just committed work. What did you learn?

        Claude Code  exact  ~/.claude/settings.json
        Codex CLI    exact  ~/.codex/config.toml (needs trust)
        Gemini CLI   exact  ~/.gemini/settings.json

      Installed: annal in 3 clients; 3 files changed.
        mcp-hooks trust annal      let Codex CLI run the hooks
        mcp-hooks verify annal     check that they fire
        mcp-hooks uninstall annal  undo
      Restart Codex and Gemini if running.
      exit 0
      "
    `);
    expect((await world.run('list')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks list
      annal  post_tool_use  (from /desk/annal.json)
        Claude Code  intact  ~/.claude/settings.json
        Codex CLI    intact, but does not fire: not trusted  ~/.codex/config.toml
        Gemini CLI   intact  ~/.gemini/settings.json
      exit 0
      "
    `);
    expect(
      (await world.run('install annal.json --client claude,codex,gemini --yes')).transcript,
    ).toMatchInlineSnapshot(`
      "
      $ mcp-hooks install annal.json --client claude,codex,gemini --yes
      annal has 1 hook, declared in annal.json.
        1. After Bash calls containing "git commit" (post_tool_use, suggestion)
           | You just committed work. What did you learn?

        Claude Code  exact  ~/.claude/settings.json (no change)
        Codex CLI    exact  ~/.codex/config.toml (no change)
        Gemini CLI   exact  ~/.gemini/settings.json (no change)

      Nothing to do: the files are up to date.
        No hook fires in Codex CLI: not trusted.
        mcp-hooks trust annal
      exit 0
      "
    `);
    expect((await world.run('uninstall annal --yes')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks uninstall annal --yes
        Claude Code  ~/.claude/settings.json
        Codex CLI    ~/.codex/config.toml
        Gemini CLI   ~/.gemini/settings.json

      Uninstalled: annal in 3 clients; 3 files changed.
      Restart Codex and Gemini if running.
      exit 0
      "
    `);
    expect((await world.run('list')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks list
      Nothing is installed. To find hooks for your servers: mcp-hooks scan
      exit 0
      "
    `);
  });

  test('diff for a machine with one client and no settings', async ({ world, expect }) => {
    await world.folder('~/.gemini');
    await world.write('annal.json', ANNAL);
    const { transcript } = await world.run('diff annal.json');
    const missing = /Not found: (.*(?:\n {2}.*)*)\n/;
    const others = ALL_IDS.filter((one) => one !== 'gemini-cli').map((id) => clientOf(id).name);
    expect(missing.exec(transcript)?.[1]?.replace(/\s+/g, ' ')).toBe(others.join(', '));
    expect(transcript.replace(missing, '')).toMatchInlineSnapshot(`
      "
      $ mcp-hooks diff annal.json
      annal has 1 hook, declared in annal.json.
        1. After Bash calls containing "git commit" (post_tool_use, suggestion)
           | You just committed work. What did you learn?

        Gemini CLI  exact  ~/.gemini/settings.json

      --- /dev/null
      +++ ~/.gemini/settings.json
      @@ -0,0 +1,7 @@
      +{
      +  "hooks": {
      +    "AfterTool": [
      +      { "matcher": "^(?:run_shell_command)$", "hooks": [{ "name": "mcp-hooks annal AfterTool", "type": "command", "command": "{ \\\\trap '\\\\exit 0' EXIT; \\\\. /home/ann/.mcp-hooks/servers/annal/gemini-cli.AfterTool.sh; } 2>/dev/null # mcp-hooks: annal", "timeout": 15000 }] }
      +    ]
      +  }
      +}

      Found: Gemini CLI (~/.gemini)

      To install: annal for Gemini CLI; 1 file to create.
      exit 1
      "
    `);
  });

  test('validate', async ({ world, expect }) => {
    await world.write('annal.json', ANNAL);
    await world.write('warned.json', manifest({ ...HELLO, matcher: {} }));
    await world.write('wrong.json', manifest({ event: 'pre_compact', context: 1, once: true }));
    expect((await world.run('validate annal.json')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks validate annal.json
      annal.json is valid: annal declares 1 hook.
      exit 0
      "
    `);
    expect((await world.run('validate warned.json')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks validate warned.json
      warned.json:8:9: warning: "matcher" is ignored: session_start is not about a tool call (pre_tool_use, post_tool_use are) [matcher-ignored]
      warned.json is valid, with 1 warning: warned declares 1 hook.
      exit 0
      "
    `);
    expect((await world.run('validate warned.json --strict')).code).toBe(2);
    expect((await world.run('validate wrong.json')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks validate wrong.json
      wrong.json:4:7: error: "priority" is missing; allowed: required, important, suggestion [value-missing]
      wrong.json:5:9: error: "event" is "pre_compact"; allowed: session_start, session_end, pre_tool_use, post_tool_use, pre_request, post_request; add "version": 2, which allows it [value-unknown]
      wrong.json:6:9: error: "context" must be a string, not a number [wrong-type]
      wrong.json:7:9: error: unknown key "once"; allowed: event, matcher, context, context_tool, context_tool_args, priority; add "version": 2, which allows it [unknown-key]
      wrong.json: 4 errors.
      exit 2
      "
    `);
    expect((await world.run('validate nowhere.json')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks validate nowhere.json
      ! nowhere.json cannot be read: there is no such file.
      exit 2
      "
    `);
  });

  test('a hook that can never fire is a warning, and --strict refuses it', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    const hook = { event: 'post_tool_use', context: 'Hi.', priority: 'suggestion' };
    const hooks = [
      { ...hook, matcher: { tool_name: 'bASH' } },
      { ...hook, context: '' },
      { ...hook, context: 'Ran {tool_nam}.' },
    ];
    await world.write('typo.json', manifest(...hooks));
    expect((await world.run('validate typo.json')).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks validate typo.json
      typo.json:9:11: warning: no client has a tool "bASH"; did you mean "Bash"? [missing-tool]
      typo.json:14:9: warning: "context" is empty: the text is empty, so nothing is shown [empty-field]
      typo.json:19:9: warning: {tool_nam} is not filled in; did you mean {tool_name}? [unknown-variable]
      typo.json:19:9: note: the model reads it after every tool call; "matcher" limits it to some calls, and "once" or "cooldown" (version 2) shows it less often [after-each-call]
      typo.json is valid, with 3 warnings, 1 note: typo declares 3 hooks.
      exit 0
      "
    `);
    const strict = await world.run('validate typo.json --strict');
    expect(strict.code).toBe(2);
    expect(strict.out.match(/ error: /g)).toHaveLength(3);
    const plan = await world.run('diff typo.json --json');
    for (const { hooks } of JSON.parse(plan.out).clients)
      expect(hooks.map(({ grade }: { grade: string }) => grade)).toEqual(['none', 'none', 'exact']);
    expect((await world.run('diff typo.json --client claude-code')).out).toContain(
      'hook 1: not shown: no client has a tool "bASH"',
    );
    for (const one of hooks) {
      await world.write('one.json', manifest(one));
      const refused = await world.run('install one.json --yes --strict --client claude-code');
      expect([refused.code, refused.err]).toEqual([
        2,
        '--strict: not every hook can do what it seems meant to do. Nothing was written.\n',
      ]);
    }
    expect(await world.run('install typo.json --yes')).toMatchObject({ code: 0 });
  });

  test('errors suggest a similar file, unpacking the package, or the missing --', async ({
    world,
  }) => {
    await furnish(world);
    await world.write('notes.json', ANNAL);
    await world.write('sub/notes.jsonc', ANNAL);
    await world.write('annal-1.0.0.tgz', 'x');
    // `validate` never writes, so it does not say this.
    const unwritten = (line: string) =>
      line.startsWith('validate') ? '' : ' Nothing was written.';
    for (const [line, near] of [
      ['validate nots.json', 'notes.json'],
      ['install ./nots.json', 'notes.json'],
      ['diff sub/nots.jsonc', 'sub/notes.jsonc'],
    ] as const)
      expect(await world.run(line)).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          `there is no such file.${unwritten(line)}\nDid you mean ${near}?\n`,
        ),
      });
    expect((await world.run('validate elsewhere/nots.json')).err).not.toContain('Did you mean');
    for (const verb of ['validate', 'install', 'diff'])
      expect(await world.run(`${verb} annal-1.0.0.tgz`)).toMatchObject({
        code: 2,
        err: `annal-1.0.0.tgz is a package as npm packs it; mcp-hooks does not look into it.${unwritten(verb)}
Unpack it, and give the folder: tar -xzf annal-1.0.0.tgz makes one that is called package.
`,
      });
    for (const [typed, meant] of [
      ['install npx -y annal', 'install --name <label> -- npx -y annal'],
      ['install --name annal uvx annal', 'install --name annal -- uvx annal'],
      [
        'install --client claude,codex --scope project uvx annal',
        'install --client claude,codex --scope project --name <label> -- uvx annal',
      ],
      ['diff docker run -i --rm annal', 'diff --name <label> -- docker run -i --rm annal'],
    ] as const) {
      const { code, err } = await world.run(typed);
      expect([code, err.trimEnd().split('\n').at(-1)]).toEqual([
        2,
        `To install the hooks of a server that a command starts, put -- before the command: mcp-hooks ${meant}`,
      ]);
      const { out } = await world.run(`${typed} --json`);
      expect(JSON.parse(out).details).toHaveLength(1);
    }
    expect((await world.run('install notes.json other.json')).err).not.toContain('put --');
  });

  test('no client at all', async ({ world }) => {
    await world.write('annal.json', ANNAL);
    expect(await world.run('install annal.json --yes')).toMatchObject({
      code: 2,
      err: `No client was found on this machine: no config folder and no executable of ${namesOf(ALL_IDS).join(', ')}. Nothing was written. --client installs for one anyway.\n`,
    });
    expect(await world.snapshot()).toEqual({ '.': expect.stringMatching(/^folder/) });
  });

  test('a server that declares no hooks', async ({ world, expect }) => {
    await world.folder('~/.claude');
    await world.write(
      'hookless.mjs',
      `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'));`,
    );
    const line = ['install', '--name', 'hookless', '--', NODE, 'hookless.mjs'];
    const { transcript } = await world.run(line);
    expect(transcript.replaceAll(NODE, 'node')).toMatchInlineSnapshot(`
      "
      $ mcp-hooks install --name hookless -- node hookless.mjs
      hookless declares no hooks, so there is nothing to install. Its author can declare some (SEP-2282), or you can write a manifest for it: mcp-hooks init drafts one from the server's tools.
      ! Asking hookless for its hooks:
      !   node /desk/hookless.mjs
      !   in /desk
      exit 0
      "
    `);
  });
});

describe.concurrent('which clients', () => {
  test('those with a folder or an executable on the PATH; the others are listed', async ({
    world,
  }) => {
    await world.folder('~/.codex');
    await world.write('../bin/gemini', '#!/bin/sh\n', 0o755);
    await world.write('../bin/claude', 'not executable\n', 0o644);
    await world.write('annal.json', ANNAL);
    const { code, out } = await world.run('diff annal.json');
    expect(code).toBe(1);
    expect(out).toContain('Codex CLI   exact  ~/.codex/config.toml');
    expect(out).toContain('Gemini CLI  exact  ~/.gemini/settings.json');
    expect(out).not.toContain('~/.claude/settings');
    expect(out).toMatch(/^Not found: Claude Code, /m);

    const told = JSON.parse((await world.run('diff annal.json --json')).out);
    expect(told.found).toEqual({
      codex: '~/.codex',
      'gemini-cli': join(world.bin, 'gemini'),
    });
    expect(told.missing).toContainEqual({
      id: 'claude-code',
      looked: 'no ~/.claude, no claude on the PATH',
    });
  });

  test('those that the user names by id or alias, once each, even if not found', async ({
    world,
  }) => {
    await world.write('annal.json', ANNAL);
    const { out } = await world.run(
      'diff annal.json --json --client claude,codex --client gemini-cli --client=gemini,claude-code',
    );
    const ids = JSON.parse(out).clients.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['claude-code', 'codex', 'gemini-cli']);
  });

  test.for(['', 'emacs', 'claude,', ',', 'Claude'])(
    'no client is called %j',
    async (name, { make }) => {
      const world = await make();
      await world.write('annal.json', ANNAL);
      const { code, out, err } = await world.run(['diff', 'annal.json', '--client', name]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(
        name.includes(',') || name === '' ? /ids/ : /known: claude-code, codex, /,
      );
    },
  );
});

describe.concurrent('which places', () => {
  test('CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME and MCP_HOOKS_HOME', async ({ world }) => {
    await world.write('annal.json', ANNAL);
    await world.write('c/settings.json', CLAUDE_SETTINGS);
    const env = {
      CLAUDE_CONFIG_DIR: world.path('c'),
      CODEX_HOME: world.path('x'),
      GEMINI_CLI_HOME: world.path('g'),
      MCP_HOOKS_HOME: world.path('m'),
    };
    const before = await world.snapshot('.');
    const home = await world.stamps();
    expect(await world.run(`install annal.json --yes ${ALL}`, { env })).toMatchObject({ code: 0 });
    expect(await world.stamps()).toEqual(home);
    expect(Object.keys(await world.snapshot('.'))).toEqual(
      expect.arrayContaining([
        'c/settings.json',
        'x/config.toml',
        'g/.gemini/settings.json',
        'm/ledger.json',
        'm/servers/annal/claude-code.PostToolUse.sh',
        'm/servers/annal/codex.PostToolUse.sh',
        'm/servers/annal/gemini-cli.AfterTool.sh',
        'm/servers/annal/runner.cjs',
      ]),
    );
    expect((await world.run('list', { env })).out.match(/intact/g)).toHaveLength(3);
    expect(await world.run('uninstall annal --yes', { env })).toMatchObject({ code: 0 });
    expect(await world.snapshot('.')).toEqual(before);
  });

  test('parent folders that install made are removed again', async ({ world }) => {
    await world.write('annal.json', ANNAL);
    const env = {
      CODEX_HOME: world.path('new/codex/home'),
      MCP_HOOKS_HOME: world.path('new/mcp/hooks'),
    };
    const before = await world.snapshot('.');
    await world.run('install annal.json --yes --client codex', { env });
    expect(await world.run('uninstall annal --yes', { env })).toMatchObject({ code: 0 });
    expect(await world.snapshot('.')).toEqual(before);
  });

  test('an empty variable counts as not set', async ({ world }) => {
    await world.write('annal.json', ANNAL);
    const env = { CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', GEMINI_CLI_HOME: '', MCP_HOOKS_HOME: '' };
    const { out } = await world.run(`diff annal.json ${ALL}`, { env });
    expect(out).toContain('Claude Code  exact  ~/.claude/settings.json');
    expect(out).toContain('Codex CLI    exact  ~/.codex/config.toml');
    expect(out).toContain('Gemini CLI   exact  ~/.gemini/settings.json');
    for (const stage of ['claude-code.PostToolUse', 'codex.PostToolUse', 'gemini-cli.AfterTool'])
      expect(out).toContain(`${world.home}/.mcp-hooks/servers/annal/${stage}.sh`);
  });

  test('uninstall looks where install wrote, even if the variables have changed', async ({
    world,
  }) => {
    await world.write('annal.json', ANNAL);
    await world.write('c/settings.json', CLAUDE_SETTINGS);
    const env = { CLAUDE_CONFIG_DIR: world.path('c') };
    await world.run('install annal.json --yes --client claude', { env });
    // Until then, doctor says where the hooks are, and which variables decide that.
    const { out } = await world.run('doctor annal');
    const flat = out.replace(/\s+/g, ' ');
    expect(flat).toContain(
      `Claude Code now reads ~/.claude/settings.json, but its hooks are in ${world.path('c/settings.json')}`,
    );
    expect(flat).toContain('Start Claude Code with the CLAUDE_CONFIG_DIR and HOME with which');
    await world.run('uninstall annal --yes');
    expect(await world.read('c/settings.json')).toBe(CLAUDE_SETTINGS);
  });

  test('--scope project: the settings of the folder, runners in the home', async ({ world }) => {
    await furnish(world);
    await world.write('.gemini/settings.json', GEMINI_SETTINGS);
    const home = await world.snapshot();
    const work = await world.snapshot('.');
    const { code, out } = await world.run('install annal.json --yes --scope project');
    expect(code).toBe(0);
    expect(out).toContain('Gemini CLI  ');
    const now = await world.snapshot();
    for (const [path, state] of Object.entries(home))
      if (!['.', '.mcp-hooks'].includes(path)) expect(now[path]).toBe(state);
    expect(Object.keys(await world.snapshot('.'))).toEqual(
      expect.arrayContaining([
        '.claude/settings.json',
        '.codex/config.toml',
        '.gemini/settings.json',
      ]),
    );
    expect((await world.run('list')).out).toContain(world.work);

    // The scope and the current folder decide which install the command means.
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 2 });
    await world.folder('elsewhere');
    const cwd = world.path('elsewhere');
    expect(await world.run('uninstall annal --yes --scope project', { cwd })).toMatchObject({
      code: 2,
    });
    await rm(cwd, { recursive: true });

    expect(await world.run('uninstall annal --yes --scope project')).toMatchObject({ code: 0 });
    expect(await world.snapshot('.')).toEqual(work);
    expect(await world.snapshot()).toEqual(home);
  });

  test('the home is not a project', async ({ world }) => {
    await furnish(world);
    const before = await world.stamps();
    const options = { cwd: world.home };
    for (const scope of ['project', 'local']) {
      const line = `install ${world.path('annal.json')} --yes --scope ${scope}`;
      const { code, err } = await world.run(line, options);
      expect([scope, code, err]).toEqual([scope, 2, expect.stringContaining('is your home')]);
    }
    expect(await world.stamps()).toEqual(before);
  });

  test('HOME is not set, is not a folder, or does not exist', async ({ world }) => {
    await world.write('annal.json', ANNAL);
    await world.write('file', '');
    const before = await world.stamps('..');
    for (const [HOME, said] of [
      [undefined, 'HOME is not set'],
      ['', 'HOME is not set'],
      [world.path('file'), 'which is not a folder'],
      [world.path('nowhere'), 'which is not a folder'],
      [`${world.home}\nnext`, 'has a line break or another control character in it'],
      [`${world.home}\uFFFD`, 'is not valid UTF-8'],
    ])
      for (const line of [`install annal.json --yes ${ALL}`, 'list', 'uninstall annal --yes']) {
        const { code, out, err } = await world.run(line, { env: { HOME } });
        expect({ line, code, out }).toEqual({ line, code: 2, out: '' });
        expect(err).toContain(said);
      }
    expect(await world.stamps('..')).toEqual(before);
  });
});

describe.concurrent('install, then uninstall, gives back every byte', () => {
  test.for<[string, Readonly<Record<string, string>>]>([
    ['an empty home', {}],
    ['empty folders', { '~/.claude/': '', '~/.codex/': '', '~/.gemini/': '' }],
    [
      'settings and hooks of the user',
      {
        '~/.claude/settings.json': CLAUDE_SETTINGS,
        '~/.codex/config.toml': CODEX_CONFIG,
        '~/.gemini/settings.json': GEMINI_SETTINGS,
      },
    ],
    [
      'line breaks of Windows, tabs, no last line break',
      {
        '~/.claude/settings.json': '{\r\n\t"model": "opus"\r\n}',
        '~/.codex/config.toml': '# mine\r\n\r\n[tui]\r\nnotifications = true',
        '~/.gemini/settings.json': '{\r\n\t// mine\r\n\t"ui": {}\r\n}',
      },
    ],
    [
      'all on one line, or almost nothing',
      {
        '~/.claude/settings.json': '',
        '~/.codex/config.toml': '',
        '~/.gemini/settings.json': '{"hooks":{"AfterTool":[]},"a":[1.0,1e3,"\\u00e9"]}',
      },
    ],
    [
      'a byte order mark, hooks of Codex in hooks.json',
      {
        '~/.claude/settings.json': '\uFEFF{}\n',
        '~/.codex/hooks.json': CLAUDE_SETTINGS,
        '~/.gemini/settings.json': '{\n}\n',
      },
    ],
  ])('of %s', async ([_, files], { make }) => {
    const world = await make();
    for (const [path, content] of Object.entries(files))
      await (path.endsWith('/') ? world.folder(path) : world.write(path, content));
    await world.write('annal.json', manifest(COMMITTED, HELLO));
    const before = await world.snapshot();

    const installed = await world.run(`install annal.json --yes ${ALL}`);
    expect(installed).toMatchObject({ code: 0, err: '' });
    for (const client of CLIENTS) {
      if (client.id === 'codex' && files['~/.codex/hooks.json']) continue;
      if (client.id === 'gemini-cli' && files[client.config]?.includes('//')) continue;
      if (files[client.config]?.startsWith('\uFEFF')) continue;
      expect(await commands(world, client)).toContainEqual(
        expect.stringContaining(`annal/${client.id}.${client.event}.sh`),
      );
    }
    // Traces of hooks that ran are removed, too.
    const { config } = CLIENTS[1];
    if (!files['~/.codex/hooks.json'] && files[config] !== undefined) {
      const [command] = (await commands(world, CLIENTS[1])).slice(-1);
      expect((await fire(world, CLIENTS[1], 'sh', command)).out).toContain('You just committed');
      expect(await world.snapshot('~/.mcp-hooks')).toHaveProperty('log');
    }

    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0, err: '' });
    expect(await world.snapshot()).toEqual(before);
  });

  test.for(['annal', 'tasks'])('two labels side by side, %s first', async (first, { make }) => {
    const world = await make();
    await furnish(world);
    await world.write('tasks.json', manifest({ ...COMMITTED, context: 'Tasks.' }, HELLO));
    const before = await world.snapshot();
    await world.run('install annal.json --yes');
    const one = await world.snapshot();
    await world.run('install tasks.json --yes');
    for (const client of CLIENTS.slice(0, 2))
      expect(
        (await commands(world, client)).flatMap(
          (command) => /servers\/(\w+)\/[\w.-]+\.sh/.exec(command)?.slice(1) ?? ['mine'],
        ),
      ).toEqual(['mine', 'annal', 'tasks']);
    expect((await world.run('list --verbose')).out.match(/intact/g)).toHaveLength(6);

    await world.run(`uninstall ${first} --yes`);
    expect((await world.run('list')).out.match(/intact/g)).toHaveLength(3);
    if (first === 'tasks') {
      const now = await world.snapshot();
      for (const { config } of CLIENTS) expect(now[config.slice(2)]).toBe(one[config.slice(2)]);
    }
    await world.run(`uninstall ${first === 'annal' ? 'tasks' : 'annal'} --yes`);
    expect(await world.snapshot()).toEqual(before);
  });

  test('client by client', async ({ world }) => {
    await furnish(world);
    const before = await world.snapshot();
    await world.run('install annal.json --yes --client claude');
    await world.run('install annal.json --yes --client codex,gemini');
    expect((await world.run('list')).out.match(/intact/g)).toHaveLength(3);
    await world.run('uninstall annal --yes --client gemini');
    expect(await world.read('~/.gemini/settings.json')).toBe(GEMINI_SETTINGS);
    expect((await world.run('list')).out.match(/intact/g)).toHaveLength(2);
    await world.run('uninstall annal --yes');
    expect(await world.snapshot()).toEqual(before);
  });

  test('except for what the user has changed in the meantime', async ({ world }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    const edit = async (path: string, from: string, to: string) => {
      const text = await world.read(path);
      expect(text).toContain(from);
      await world.write(path, text.replace(from, to));
    };
    await edit('~/.claude/settings.json', '"opus"', '"sonnet"');
    await edit('~/.codex/config.toml', '"gpt-5"', '"gpt-6"');
    await edit('~/.gemini/settings.json', '"Dark"', '"Light"');
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0 });
    expect(await world.read('~/.claude/settings.json')).toBe(
      CLAUDE_SETTINGS.replace('"opus"', '"sonnet"'),
    );
    expect(await world.read('~/.codex/config.toml')).toBe(
      CODEX_CONFIG.replace('"gpt-5"', '"gpt-6"'),
    );
    expect(await world.read('~/.gemini/settings.json')).toBe(
      GEMINI_SETTINGS.replace('"Dark"', '"Light"'),
    );
  });

  test('even without our record, because the commands identify our entries', async ({ world }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    await rm(world.path('~/.mcp-hooks/ledger.json'));
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0 });
    for (const { config } of CLIENTS) expect(await world.read(config)).not.toContain('mcp-hooks');
    expect(await world.snapshot()).not.toHaveProperty('.mcp-hooks');
  });
});

describe.concurrent('install again', () => {
  test('writes nothing if nothing has changed, not even our record', async ({ world }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    const before = await world.stamps();
    const { code, out } = await world.run('install annal.json --yes');
    expect(code).toBe(0);
    expect(out).toContain('Nothing to do: the files are up to date.');
    expect(await world.stamps()).toEqual(before);
    expect(await world.run('diff annal.json')).toMatchObject({ code: 0 });
    expect(await world.stamps()).toEqual(before);
  });

  test('without an event leaves no runner for it', async ({ world }) => {
    await furnish(world);
    const before = await world.snapshot();
    const start = { event: 'session_start', context: 'Hi.', priority: 'suggestion' } as const;
    await world.write('annal.json', manifest(COMMITTED, start));
    await world.run('install annal.json --yes');
    const files = async () =>
      Object.keys(await world.snapshot()).filter((path) => path.includes('/servers/annal/'));
    expect((await files()).filter((path) => /SessionStart|BeforeAgent/.test(path))).toHaveLength(6);
    await world.write('annal.json', manifest(COMMITTED));
    await world.run('install annal.json --yes');
    expect((await files()).filter((path) => /SessionStart|BeforeAgent/.test(path))).toEqual([]);
    expect(await files()).not.toEqual([]);
    for (const { config } of CLIENTS)
      expect(await world.read(config)).not.toMatch(/annal.*(?:SessionStart|BeforeAgent)/);
    expect((await world.run('list')).out).toMatch(/^annal {2}post_tool_use {2}/);
    // The runner's memory is removed with the last label.
    for (const name of [
      'codex.s.annal.1-a.history-3',
      'codex.~0f.annal.1-a.AfterTool-~1',
      'codex.s_1 2.annal.1-a.PostToolUse-turn call_1',
      `codex.s.annal.1-a.PostToolUse-${'x'.repeat(60)}~0f`,
      'claude-code.one.annal.0.denied',
      'annal.0f.modern',
      'clock',
      'swept',
    ])
      await world.write(`~/.mcp-hooks/sessions/${name}`, '');
    await world.run('uninstall annal --yes');
    await rm(world.path('annal.json'));
    expect(await world.snapshot()).toEqual(before);
  });

  test('with a new text changes the program of the runner and no settings', async ({ world }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    const before = await world.stamps();
    await world.write('annal.json', manifest({ ...COMMITTED, context: 'New words.' }));
    const { code, out } = await world.run('diff annal.json');
    expect(code).toBe(1);
    expect(out).toContain("the runner of annal; no client's file changes");
    expect(await world.stamps()).toEqual(before);

    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 0 });
    const after = await world.stamps();
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed.filter((path) => path.endsWith('.json')).toSorted()).toEqual(
      [
        '.mcp-hooks/ledger.json',
        '.mcp-hooks/servers/annal/declaration.json',
        ...CLIENTS.map(({ id, event }) => `.mcp-hooks/servers/annal/${id}.${event}.json`),
        '.mcp-hooks/servers/annal/claude-code.PostToolUseFailure.json',
      ].toSorted(),
    );
    expect(changed.filter((path) => !path.startsWith('.mcp-hooks'))).toEqual([]);
    const [, command] = await commands(world, CLIENTS[0]);
    expect((await fire(world, CLIENTS[0], 'sh', command)).out).toContain('New words.');
  });

  test('with a new matcher changes the settings, which an uninstall restores', async ({
    world,
  }) => {
    await furnish(world);
    const before = await world.snapshot();
    await world.run('install annal.json --yes');
    await world.write('annal.json', manifest({ ...COMMITTED, matcher: { tool_name: 'Write' } }));
    const { code, out } = await world.run('diff annal.json');
    expect(code).toBe(1);
    expect(out).toContain('"matcher": "Write"');
    await world.run('install annal.json --yes');
    expect(await world.read('~/.claude/settings.json')).toContain('"matcher": "Write"');
    expect(await world.read('~/.codex/config.toml')).toContain('matcher = "apply_patch"');
    expect(await world.read('~/.gemini/settings.json')).toContain('^(?:write_file)$');
    await world.run('uninstall annal --yes');
    expect(await world.snapshot()).toEqual(before);
  });

  test('restores an entry that the user removed', async ({ world }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    const whole = await world.snapshot();
    await world.write('~/.claude/settings.json', CLAUDE_SETTINGS, 0o600);
    await rm(world.path('~/.mcp-hooks/servers/annal/runner.cjs'));
    expect((await world.run('list')).out).toMatch(
      /Claude Code +its runner is missing; its entry for PostToolUse is missing;/,
    );
    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 0 });
    expect(await world.snapshot()).toEqual(whole);
  });

  test('over another version of mcp-hooks leaves nothing of that version', async ({ world }) => {
    await furnish(world);
    const before = await world.snapshot();
    await world.run('install annal.json --yes');
    const whole = await world.snapshot();
    const older = async () => {
      const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
      Object.assign(ledger.installs[0].runner, { 'older.cjs': '1-a', '../../mine': '1-b' });
      await world.write('~/.mcp-hooks/ledger.json', JSON.stringify(ledger), 0o600);
      await world.write('~/.mcp-hooks/servers/annal/older.cjs', '', 0o600);
      await world.write('~/.mcp-hooks/servers/annal/theirs.txt', '', 0o600);
      await world.write('~/.mcp-hooks/mine', 'mine', 0o600);
    };
    await older();
    await world.run('install annal.json --yes');
    const updated = Object.keys(await world.snapshot());
    const theirs = ['.mcp-hooks/mine', '.mcp-hooks/servers/annal/theirs.txt'];
    const added = updated.filter((path) => !(path in whole));
    expect(added).toEqual(theirs.map((path) => expect.stringContaining(path)));
    await older();
    await world.run('uninstall annal --yes');
    const left = Object.keys(await world.snapshot()).filter((path) => !(path in before));
    expect(left.filter((path) => /\.(?:cjs|sh|json)$/.test(path))).toEqual([]);
    expect(await world.read('~/.mcp-hooks/mine')).toBe('mine');
  });

  test('with a manifest that has lost its hooks changes nothing, and says how to remove them', async ({
    world,
  }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    await world.write('annal.json', manifest());
    const installed = await world.snapshot();
    const { code, out } = await world.run('install annal.json --yes');
    expect([code, await world.snapshot()]).toEqual([0, installed]);
    expect(out).toContain('to remove it: mcp-hooks uninstall annal');
  });
});

describe.concurrent('before anything is written', () => {
  test('install and uninstall need --yes without a terminal', async ({ world }) => {
    await furnish(world);
    const before = await world.stamps();
    const refusal =
      'No terminal to confirm in. Review with mcp-hooks diff, then pass --yes. Nothing was written.\n';
    for (const line of ['install annal.json', 'install annal.json --quiet'])
      expect(await world.run(line)).toMatchObject({ code: 2, err: refusal });
    expect(await world.stamps()).toEqual(before);
    await world.run('install annal.json --yes');
    const installed = await world.stamps();
    expect(await world.run('uninstall annal')).toMatchObject({
      code: 2,
      err: refusal.replace('mcp-hooks diff', 'mcp-hooks uninstall annal --dry-run --diff'),
    });
    expect(await world.stamps()).toEqual(installed);
  });

  test('--json without --yes is the plan, and writes nothing', async ({ world }) => {
    await furnish(world);
    const look = async (line: string) => {
      const before = await world.stamps();
      const { code, out, err } = await world.run(`${line} --json`);
      const said = 'Nothing was written: this is the plan. To carry it out, add --yes.\n';
      expect({ line, code, err }).toEqual({ line, code: 0, err: said });
      expect(await world.stamps()).toEqual(before);
      return JSON.parse(out);
    };
    const planned = { schemaVersion: 1, label: 'annal', written: false, changes: true };
    expect(await look('install annal.json')).toMatchObject(planned);
    await world.run('install annal.json --yes');
    await world.write('annal.json', manifest(COMMITTED, HELLO));
    const { schemaVersion: _, ...each } = planned;
    expect(await look('update annal')).toMatchObject({
      schemaVersion: 1,
      labels: [each],
    });
    expect(await look('uninstall annal')).toMatchObject(planned);
    expect(await look('uninstall --all')).toMatchObject({ results: [{ written: false }] });
  });

  test('--dry-run shows everything and writes nothing, even with --yes', async ({ world }) => {
    await furnish(world);
    const before = await world.stamps();
    for (const line of ['install annal.json --dry-run', 'install annal.json --dry-run --yes']) {
      const { code, out } = await world.run(`${line} --diff`);
      expect(code).toBe(0);
      expect(out).toContain('+++ ~/.claude/settings.json');
      expect(out).toContain('To install: annal in 3 clients;');
    }
    expect(await world.stamps()).toEqual(before);
    await world.run('install annal.json --yes');
    const installed = await world.stamps();
    const { code, out } = await world.run('uninstall annal --yes --dry-run');
    expect(code).toBe(0);
    expect(out).toContain('To uninstall: annal');
    expect(await world.stamps()).toEqual(installed);
  });

  test('--strict refuses hooks that arrive late, and accepts the others', async ({ world }) => {
    await furnish(world);
    await world.write('late.json', manifest({ ...COMMITTED, event: 'pre_tool_use' }));
    const before = await world.stamps();
    for (const command of ['install --yes', 'install --yes --json', 'diff', 'diff --json']) {
      const { code, err } = await world.run(`${command} late.json --strict`);
      expect({ command, code }).toEqual({ command, code: 2 });
      expect(err).toContain('--strict: not every hook arrives exactly as declared.');
    }
    expect(await world.stamps()).toEqual(before);
    expect(await world.run('install --yes annal.json --strict')).toMatchObject({ code: 0 });
  });

  test('--act-now shows post_request texts at the end of the turn', async ({ world }) => {
    await furnish(world);
    await world.write('late.json', manifest({ ...HELLO, event: 'post_request' }));
    const grades = async (flags: string) => {
      const { out } = await world.run(`diff late.json --json ${flags}`);
      const { clients }: { clients: { hooks: { grade: string; native: string[] }[] }[] } =
        JSON.parse(out);
      return clients.map(({ hooks }) => `${hooks[0]?.grade}: ${hooks[0]?.native.join(', ')}`);
    };
    expect(await grades('')).toEqual([
      'late: Stop, UserPromptSubmit',
      'late: Stop, UserPromptSubmit',
      'late: AfterAgent, BeforeAgent',
    ]);
    expect(await grades('--act-now')).toEqual(['exact: Stop', 'exact: Stop', 'exact: AfterAgent']);
    expect(await grades('--act-now --no-extra-turns')).toEqual(await grades(''));
  });

  test('--no-extra-turns skips hooks that cost a turn, and reports it', async ({ world }) => {
    await furnish(world);
    await world.write('end.json', manifest({ ...HELLO, event: 'session_end' }, COMMITTED));
    const with_ = await world.run('diff end.json');
    expect(with_.out).toContain('which costs one turn of the model');
    const { out } = await world.run('install end.json --yes --no-extra-turns --diff');
    expect(out).toMatch(
      /hook 1: skipped: it would cost a turn of the model, which is not wanted here\s+\(--no-extra-turns\)/,
    );
    expect(await world.read('~/.claude/settings.json')).not.toContain('"Stop"');
    expect(await world.run('diff end.json --no-extra-turns')).toMatchObject({ code: 0 });
  });

  test('uninstall of an unknown label lists the installed ones', async ({ world }) => {
    await furnish(world);
    expect(await world.run('uninstall annal --yes')).toMatchObject({
      code: 2,
      err: 'annal is not installed in user scope. To find hooks for your servers: mcp-hooks scan\n',
    });
    await world.run('install annal.json --yes');
    expect(await world.run('uninstall tasks --yes')).toMatchObject({
      code: 2,
      err: 'tasks is not installed in user scope. Installed: annal.\n',
    });
  });

  test('uninstall of an invalid label touches nothing', async ({ world }) => {
    await furnish(world);
    await world.folder('~/.mcp-hooks/servers');
    for (const name of ['runner.cjs', 'claude-code.Stop.sh', 'claude-code.Stop.json'])
      await world.write(`~/precious/${name}`, 'mine\n');
    await world.folder('~/.mcp-hooks/log');
    await world.write('~/precious.jsonl', 'mine\n');
    const before = await world.stamps();
    for (const label of ['../../precious', '..', '.', '', 'a/b']) {
      const { code } = await world.run(['uninstall', label, '--yes']);
      expect({ label, code }).toEqual({ label, code: 2 });
    }
    expect(await world.stamps()).toEqual(before);
  });

  test('ctrl-C at a question changes nothing and ends the command', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    await world.write('required.json', manifest({ ...HELLO, priority: 'required' }));
    const before = await world.stamps();
    for (const [after, ...words] of [
      ['Apply changes to 3 files?', 'install', 'annal.json'],
      ['Allow required to mark texts', 'install', 'required.json'],
    ] as const) {
      const keys = [{ after, type: '\u0003' }];
      const { code, out, asked } = await onTerminal(world, words, { keys });
      expect([words, code, asked]).toEqual([words, 130, 1]);
      expect(out.trimEnd()).toMatch(/Interrupted\. Nothing was written\.$/);
    }
    expect(await world.stamps()).toEqual(before);
  });
});

describe.concurrent('files that cannot be edited', () => {
  // test/edit/edit.test.ts has the mistakes themselves; test/diagnose/doctor.test.ts has what each client does with them.
  test.for<[string, string, string, RegExp]>([
    [
      'a trailing comma',
      '~/.gemini/settings.json',
      '{\n  "a": [1,],\n  "b": 2\n}\n',
      /:2:10: a trailing comma (?=.*Gemini CLI)(?=.*start)/,
    ],
    ['a line that is no TOML', '~/.codex/config.toml', 'model = "x"\nmodel gpt\n', /:2:\d+: /],
    [
      'hooks of another shape',
      '~/.claude/settings.json',
      '{\n  "hooks": []\n}\n',
      /:2:12: "hooks" /,
    ],
    [
      'bytes that are no UTF-8',
      '~/.claude/settings.json',
      '{\n  "a": "\xff"\n}\n',
      /:2:9: the file is not valid UTF-8/,
    ],
  ])('%s: refused with its place', async ([_, path, content, said], { make }) => {
    const id = CLIENTS.find(({ config }) => config === path)?.id;
    const world = await make();
    await furnish(world);
    await world.write(path, Buffer.from(content, 'latin1'));
    const before = await world.stamps();
    const flat = (text: string) => text.replace(/\s+/g, ' ');

    const shown = await world.run('diff annal.json');
    expect(shown.code).toBe(2);
    const [, about] = flat(shown.out).split(`refused: ${path}`);
    expect(about).toMatch(new RegExp(`^${said.source}`));

    const { code, out, err } = await world.run('install annal.json --yes --json');
    expect(code).toBe(2);
    expect(err).toBe(
      `Nothing was written. Fix the refused file, then run this command again. Without that client: --client ${['claude', 'codex', 'gemini'].filter((one) => !id?.startsWith(one)).join(',')}\n`,
    );
    const told: { written: boolean; clients: { id: string; refusal?: { line: number } }[] } =
      JSON.parse(out);
    expect(told.written).toBe(false);
    expect(told.clients.filter(({ refusal }) => refusal).map((client) => client.id)).toEqual([id]);
    expect(told.clients.find((client) => client.id === id)?.refusal?.line).toBeGreaterThan(0);
    expect(await world.stamps()).toEqual(before);
  });

  test.for(CLIENTS)(
    'a folder in the place of the file of $id after an install',
    async ({ config }, { world }) => {
      await furnish(world);
      await world.run('install annal.json --yes');
      await rm(world.path(config));
      await world.folder(config);
      const list = await world.run('list');
      expect([list.code, list.out]).toEqual([0, expect.stringContaining('it is a folder')]);
      const fired = await world.run('fire annal post_tool_use');
      expect([fired.code, fired.out]).toEqual([0, expect.stringContaining('it is a folder')]);
      const gone = await world.run('uninstall annal --yes');
      expect([gone.code, gone.out]).toEqual([2, expect.stringContaining('it is a folder')]);
    },
  );

  test('a file in the place of a folder', async ({ world }) => {
    await world.write('~/.claude', 'mine\n');
    await world.write('annal.json', ANNAL);
    const before = await world.stamps();
    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 2 });
    expect(await world.stamps()).toEqual(before);
  });

  test.for<[string, string]>([
    ['is not JSON', '{'],
    ['is of another shape', '{"version":1,"installs":{},"files":{}}'],
    ['lacks parts', '{"version":1,"installs":[{"label":"x","clients":["codex"]}],"files":{}}'],
    [
      'lacks parts of files',
      '{"version":1,"installs":[],"files":{"HOME/.claude/settings.json":{"client":"claude-code","record":{}}}}',
    ],
  ])('our own record, when it %s, is put aside', async ([_, content], { make }) => {
    const world = await make();
    await furnish(world);
    const settings = CLIENTS.map(({ config }) => config);
    const before = await Promise.all(settings.map((path) => world.read(path)));
    const breakIt = () =>
      world.write('~/.mcp-hooks/ledger.json', content.replace('HOME', world.home));
    await world.run('install annal.json --yes');
    await breakIt();
    expect(await world.run('uninstall x --yes')).toMatchObject({ code: 2 });
    const list = await world.run('list');
    expect(list.out + list.err).toContain('the record of what is installed, cannot be read.');
    expect((await world.run('uninstall annal --yes')).out).toContain('It is moved to');
    for (const path of settings) expect(await world.read(path)).not.toContain('mcp-hooks');
    for (const [index, path] of settings.entries()) await world.write(path, before[index] ?? '');

    await world.run('install annal.json --yes');
    await breakIt();
    const again = await world.run('install annal.json --yes --diff');
    expect(again.out).toContain('no change');
    expect(again.out).toContain('It is moved to');
    expect((await world.run('list')).out.match(/intact/g)).toHaveLength(3);
    const left = Object.keys(await world.snapshot('~/.mcp-hooks'));
    expect(left.filter((name) => name.startsWith('ledger.json'))).toEqual([
      'ledger.json',
      expect.stringMatching(/^ledger\.json\.broken-/),
    ]);
  });

  test('our own record of a newer version is not touched', async ({ world }) => {
    await furnish(world);
    await world.write('~/.mcp-hooks/ledger.json', '{"version":2,"installs":[],"files":{}}');
    const before = await world.stamps();
    for (const line of ['install annal.json --yes', 'list', 'uninstall x --yes']) {
      const { code, err } = await world.run(line);
      expect({ line, code }).toEqual({ line, code: 2 });
      expect(err).toContain('was written by a newer mcp-hooks.');
    }
    expect(await world.stamps()).toEqual(before);
  });
});

describe.concurrent('--json', () => {
  test('prints JSON and nothing else for every command', async ({ world }) => {
    await furnish(world);
    await world.write('wrong.json', manifest({ event: 'x' }));
    const json = async (line: string, code: number) => {
      const ran = await world.run(`${line} --json`);
      expect({ line, code: ran.code, err: ran.err }).toEqual({ line, code, err: '' });
      return JSON.parse(ran.out);
    };
    expect(await json('validate annal.json', 0)).toMatchObject({ valid: true, hooks: 1 });
    expect(await json('validate wrong.json', 2)).toMatchObject({
      valid: false,
      label: 'wrong',
      problems: expect.arrayContaining([
        expect.objectContaining({ level: 'error', line: 5, column: 9 }),
      ]),
    });
    expect(await json('list', 0)).toEqual({
      schemaVersion: 1,
      readable: true,
      installed: [],
      managed: [],
      shipped: [],
    });
    expect(await json('log', 0)).toEqual({ schemaVersion: 1, entries: [] });
    expect(await json('diff annal.json', 1)).toMatchObject({ written: false, changes: true });
    expect(await json('install annal.json --dry-run', 0)).toMatchObject({ written: false });
    expect(await json('install annal.json --yes', 0)).toMatchObject({
      label: 'annal',
      scope: 'user',
      written: true,
      changes: true,
      hooks: [COMMITTED],
      problems: [],
      clients: CLIENTS.map(({ id, config }) => ({
        id,
        file: world.path(config),
        changes: true,
        hooks: [{ event: 'post_tool_use', grade: 'exact' }],
        diff: expect.stringMatching(/^--- ~.*\n\+\+\+ ~/),
      })),
    });
    expect(await json('install annal.json --yes', 0)).toMatchObject({
      written: false,
      changes: false,
    });
    expect(await json('diff annal.json', 0)).toMatchObject({ changes: false });
    expect(await json('list', 0)).toMatchObject({
      installed: [
        {
          label: 'annal',
          scope: 'user',
          source: world.path('annal.json'),
          events: ['post_tool_use'],
          clients: CLIENTS.map(({ id, config }) => ({
            id,
            file: world.path(config),
            state: 'intact',
            // Codex does not run a hook before the user trusts it.
            fires: id !== 'codex',
            hooks: [{ hook: 1, event: 'post_tool_use', fires: id !== 'codex' }],
            leftOut: [],
            drift: [],
            backup: expect.stringMatching(/\.mcp-hooks\/backups\/[0-9a-f]{12}-/),
          })),
        },
      ],
    });
    expect(await json('uninstall annal --yes', 0)).toMatchObject({
      written: true,
      changes: true,
    });
    await world.write('none.json', manifest());
    expect(await json('install none.json --yes', 0)).toMatchObject({ hooks: [], changes: false });
  });
});

describe.concurrent('secrets beside our lines are not shown', () => {
  const JSON_FILE = '~/.gemini/settings.json';
  const TOML_FILE = '~/.codex/config.toml';
  const SECRETS = /hunter2|4711|ghp_0123456789/;
  const servers = (server: string) => `{\n  "mcpServers": { "x": ${server} }\n}\n`;

  test.for<[string, string]>([
    ['in env', servers('{ "env": { "PLAIN": "hunter2-hunter2" } }')],
    ['in env, short', servers('{ "env": { "PIN": "4711" } }')],
    ['in env, a number', servers('{ "env": { "PIN": 47114711 } }')],
    ['in headers', servers('{ "headers": { "X-Who": "hunter2-hunter2" } }')],
    ['under a telling name', '{\n  "apiKey": "hunter2-hunter2"\n}\n'],
    ['under a telling name, in a list', '{\n  "tokens": ["hunter2-hunter2"]\n}\n'],
    ['with escapes', servers('{ "env": { "P": "a\\/hunter2\\u0021" } }')],
    ['of a known shape', '{\n  "note": "ghp_0123456789abcdefghij"\n}\n'],
    ['in an argument', servers('{ "args": ["--api-key=hunter2-hunter2"] }')],
    ['in the next argument', servers('{ "args": ["--api-key", "hunter2-hunter2"] }')],
    ['in an address', servers('{ "url": "https://ann:hunter2-hunter2@x.example/" }')],
    ['in the query of an address', servers('{ "url": "https://x.example/?token=hunter2hunter2" }')],
    ['in a comment', '{\n  "a": 1 // token: hunter2-hunter2\n}\n'],
    ['in env of TOML', '[mcp_servers.x]\n[mcp_servers.x.env]\nPLAIN = "hunter2-hunter2"\n'],
    ['in a literal string of TOML', "[mcp_servers.x.env]\nPLAIN = 'hunter2\\hunter2'\n"],
    ['in lines of TOML', '[mcp_servers.x.env]\nPLAIN = """\nhunter2-hunter2\n"""\n'],
    ['in headers of TOML', '[mcp_servers.x]\nhttp_headers = { who = "hunter2-hunter2" }\n'],
    ['in a setting of TOML', 'experimental_bearer_token = "hunter2-hunter2"\n'],
    ['in a comment of TOML', '# token = hunter2-hunter2\n'],
  ])('%s', async ([_, content], { make }) => {
    const world = await make();
    await world.write(content.startsWith('{') ? JSON_FILE : TOML_FILE, content);
    await world.write('annal.json', ANNAL);
    const { out, err } = await world.run('diff annal.json');
    expect(`${out}${err}`).not.toMatch(SECRETS);
    expect(out).toContain('***');
    expect(out).toMatch(/annal\/(?:codex\.PostToolUse|gemini-cli\.AfterTool)\.sh/);
  });

  test('by install, uninstall and --json, either, and they stay in the file', async ({ world }) => {
    const content = servers('{ "env": { "PLAIN": "hunter2-hunter2" } }');
    await world.write(JSON_FILE, content);
    await world.write('annal.json', ANNAL);
    const json = await world.run('diff annal.json --json');
    expect(JSON.parse(json.out).clients[0].diff).toContain('"PLAIN": "***"');
    expect(json.out).not.toContain('hunter2');
    const install = await world.run('install annal.json --yes --diff');
    expect(await world.read(JSON_FILE)).toContain('"PLAIN": "hunter2-hunter2"');
    const uninstall = await world.run('uninstall annal --yes --diff');
    expect(await world.read(JSON_FILE)).toBe(content);
    for (const { out } of [install, uninstall]) {
      expect(out).toContain('"PLAIN": "***"');
      expect(out).not.toContain('hunter2');
    }
  });
});

describe.concurrent('homes with unusual names', () => {
  test.for([
    `it's a "quoted" $HOME, $(id) and \`id\`; back\\slash #`,
    'Ünïcödé 家 🏠',
    '-[ab]*?{c,d}!',
  ])('%s: the hooks run in sh and in bash, and are removed again', async (name, { make }) => {
    const world = await make(name);
    await furnish(world);
    await rm(world.path('~/.gemini/settings.json')); // its comments are not for JSON.parse
    const before = await world.snapshot();
    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 0, err: '' });
    for (const client of CLIENTS) {
      const command = (await commands(world, client)).at(-1);
      if (client.id === 'gemini-cli') expect(command).not.toContain('$');
      for (const shell of ['sh', 'bash']) {
        const { code, out, err } = await fire(world, client, shell, command);
        expect({ shell, id: client.id, code, err }).toEqual({
          shell,
          id: client.id,
          code: 0,
          err: '',
        });
        expect(JSON.parse(out).hookSpecificOutput).toEqual({
          hookEventName: client.event,
          additionalContext: expect.stringContaining(COMMITTED.context),
        });
      }
    }
    expect((await world.run('list')).out.match(/intact/g)).toHaveLength(3);
    expect(await world.run('install annal.json --yes')).toMatchObject({ code: 0 });
    expect(await world.run('uninstall annal --yes')).toMatchObject({ code: 0 });
    expect(await world.snapshot()).toEqual(before);
  });

  test('a hook whose runner is gone shows nothing and does no harm', async ({ world }) => {
    await furnish(world);
    await rm(world.path('~/.gemini/settings.json'));
    await world.run('install annal.json --yes');
    const quiet = { code: 0, out: '', err: '' };
    const stages = CLIENTS.map(({ id, event }) => `servers/annal/${id}.${event}.sh`);
    for (const lost of ['servers/annal/runner.cjs', ...stages, '']) {
      await rm(world.path(`~/.mcp-hooks/${lost}`), { recursive: true });
      for (const client of CLIENTS)
        expect(await fire(world, client, 'sh', (await commands(world, client)).at(-1))).toEqual(
          quiet,
        );
    }
  });
});

describe.concurrent('servers', () => {
  test('the example in plain Node is installed, called and taken out', async ({ world }) => {
    await world.folder('~/.claude');
    const server = ['--', NODE, join(EXAMPLES, 'plain.mjs')];
    const before = await world.snapshot();
    const allow = ['--allow', 'context-tool'];
    const line = ['install', '--name', 'notes', '--yes', ...allow, ...server];
    const { code, err } = await world.run(line);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^Asking notes for .*\n.*\n {2}in .*\n(Asking .*\n)?$/),
    ]);
    const settings = JSON.parse(await world.read('~/.claude/settings.json'));
    const { command } = settings.hooks.SessionStart[0].hooks[0];
    const { stdout } = await execa('sh', ['-c', command], {
      input: JSON.stringify({ session_id: 's', cwd: world.work, source: 'startup' }),
    });
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain(
      'The build needs Node 20.',
    );
    expect(await world.run(['diff', '--name', 'notes', ...server])).toMatchObject({ code: 0 });
    expect(await world.run('uninstall notes --yes')).toMatchObject({ code: 0 });
    expect(await world.snapshot()).toEqual(before);
  });

  const answering = (declarations: readonly object[]) => {
    const result = { capabilities: { hooks: { declarations } } };
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
    const says = `process.stdin.once('data', () => console.log(${JSON.stringify(answer)}))`;
    return ['--', NODE, '-e', says];
  };

  test('declarations of a newer version are reported and left out; --strict refuses them', async ({
    world,
  }) => {
    await world.folder('~/.claude');
    const server = answering([{ ...HELLO, event: 'pre_compact' }, COMMITTED]);
    const before = await world.stamps();
    const strict = await world.run(['install', '--name', 'new', '--yes', '--strict', ...server]);
    expect(strict.code).toBe(2);
    expect(strict.err).toContain(
      '--strict: not everything that the server declares is understood.',
    );
    expect(await world.stamps()).toEqual(before);
    const { code, out } = await world.run(['install', '--name', 'new', '--yes', ...server]);
    expect(code).toBe(0);
    expect(out).toContain('new declares 1 hook.');
    expect(out).toContain('pre_compact: no client here has this event');
    expect(await world.read('~/.claude/settings.json')).toContain('PostToolUse');
  });

  test('if no declaration is understood, nothing is written', async ({ world }) => {
    await world.folder('~/.claude');
    const before = await world.stamps();
    const server = answering([{ ...HELLO, event: 'pre_compact' }]);
    const { out, err } = await world.run(['install', '--name', 'new', '--yes', ...server]);
    expect(`${out}${err}`).toContain('pre_compact');
    expect(await world.stamps()).toEqual(before);
  });

  test("a server's failure is quoted, with exit code 2, and nothing is written", async ({
    world,
  }) => {
    await world.folder('~/.claude');
    const before = await world.stamps();
    const script = "console.error('no \\u001b[31mdatabase'); process.exit(7)";
    const line = ['install', '--name', 'x', '--yes', '--', NODE, '-e', script];
    const { code, out, err } = await world.run(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.replaceAll(NODE, 'node').replace(/^Asking x for (?:.*\n)*? {2}in .*\n/, '')).toBe(
      'node ended (exit code 7) before it answered. Nothing was written.\nIts last lines on standard error:\n  | no \\u{1B}[31mdatabase\n',
    );
    expect(await world.stamps()).toEqual(before);
  });

  test('--timeout limits how long a server may take, and a wait is explained', async ({
    world,
  }) => {
    await world.folder('~/.claude');
    const hanging = ['--timeout', '1.2', '--', NODE, '-e', 'process.stdin.resume()'];
    const line = ['install', '--name', 'x', ...hanging];
    const { code, out, err } = await world.run(line, { patience: 1 });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('for its hooks ...\n');
    expect(err).toContain('did not answer "initialize" within 1.2 seconds');
  });

  test("a server's flags are not read as flags of mcp-hooks", async ({ world }) => {
    await world.folder('~/.claude');
    const server = [...answering([COMMITTED]), '--', '--json', '--yes', '--verbose'];
    const { code, out, err } = await world.run(['install', '--name', 'x', ...server]);
    expect(code).toBe(2);
    expect(out).toContain('x declares 1 hook.');
    expect(err).toContain('then pass --yes');
    expect(err).not.toMatch(/^ +at /m);
  });
});

describe.concurrent('wrong usage is exit code 2, with the correct usage', () => {
  test.for<[readonly string[], string]>([
    [[], 'Usage: mcp-hooks'],
    [['frobnicate'], 'unknown command'],
    [['add', 'annal'], 'Try: mcp-hooks install annal'],
    [['rm', 'annal'], 'Try: mcp-hooks uninstall annal'],
    [['status'], "error: unknown command 'status'\nSee mcp-hooks --help\nTry: mcp-hooks list\n"],
    [
      ['install', 'annal.json', '--client', 'codex', 'gemini', '--yes'],
      'gemini is a client: --client codex,gemini',
    ],
    [['fire', 'annal', 'post_tool_us'], 'did you mean post_tool_use'],
    [['install'], 'Name a server: a manifest, an address'],
    [['diff'], 'Name a server: a manifest, an address'],
    [['validate'], "missing required argument 'manifest'"],
    [['list', '--frobnicate'], "unknown option '--frobnicate'"],
    [['list', 'annal', 'extra'], 'too many arguments'],
    [['install', 'npx', 'annal', '--yes'], 'npx is a command, not a server'],
    [['diff', 'annal.json', 'extra'], 'too many arguments'],
    [['install', 'annal.json', '--scope', 'galaxy'], 'Allowed choices are user, project'],
    [['install', 'annal.json', '--timeout', '0'], 'Give a number of seconds'],
    [['install', 'annal.json', '--timeout', 'soon'], 'Give a number of seconds'],
    [['install', 'annal.json', '--name', 'a b'], `"a b" can't be used as a label`],
    [['validate', 'annal.json', '--name', '../x'], `"../x" can't be used as a label`],
    [['install', '--', 'node'], 'needs a label: add --name <label>'],
    [['install', 'annal.json', '--name', 'x', '--', 'node'], 'not both'],
    [['install', '--name', 'x', '--'], 'Name a server: a manifest, an address'],
    [['install', 'npm:annal'], 'there is no npm on the PATH'],
    [['install', 'nobody'], '"nobody" is not a file here'],
    [['list', '--', 'node'], '--'],
  ])('%j', async ([args, said], { make }) => {
    const world = await make();
    await furnish(world);
    const before = await world.stamps();
    const { code, out, err } = await world.run(args);
    expect({ code, said: `${out}${err}` }).toEqual({
      code: 2,
      said: expect.stringContaining(said),
    });
    expect(err).not.toMatch(/^ +at /m);
    // A narrow terminal breaks no word.
    const narrow = await runAt(80, world, args);
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    if (args.length > 0) expect(words(narrow.err)).toEqual(words(err));
    expect(narrow.lines.filter((line) => line.length > 80)).toEqual([]);
    expect(await world.stamps()).toEqual(before);
  });
});

test.concurrent('wrong usage has a code for scripts', async ({ world }) => {
  const codeOf = async (line: string) => JSON.parse((await world.run(line)).out).code;
  expect(await codeOf('frobnicate --json')).toBe('unknown-command');
  expect(await codeOf('validate --json')).toBe('missing-argument');
  expect(await codeOf('list --json --frobnicate')).toBe('unknown-option');
  expect(await codeOf('list --json annal extra')).toBe('excess-arguments');
  expect(await codeOf('diff annal.json --json --timeout soon')).toBe('invalid-argument');
  expect(await codeOf('diff annal.json --json --name')).toBe('option-missing-argument');
  expect(await codeOf('list --json -- node')).toBe('no-command-here');
  expect(await codeOf('diff annal.json --json --client nobody')).toBe('unknown-client');
});

describe.concurrent('help, version and output', () => {
  test('--version is the version, and --help needs no home', async ({ world }) => {
    const version = { code: 0, out: `${PACKAGE.version}\n`, err: '' };
    expect(await world.runProcess('--version')).toMatchObject(version);
    for (const line of ['--help', 'install --help'])
      expect(await world.run(line, { env: { HOME: undefined } })).toMatchObject({
        code: 0,
        err: '',
      });
  });

  test('a stack is shown with --verbose only', async ({ world }) => {
    const stack = /^ +\| +at .*\.[cm]?[jt]s:\d+/m;
    const plain = await world.run('validate nowhere.json');
    expect(plain.err).not.toMatch(stack);
    const verbose = await world.run('validate nowhere.json --verbose');
    expect(verbose).toMatchObject({ code: 2, out: '' });
    expect(verbose.err).toMatch(stack);
  });

  test('there is no colour without a terminal', async ({ world }) => {
    await furnish(world);
    for (const env of [{}, { FORCE_COLOR: '1' }])
      for (const line of ['diff annal.json', '--help', 'validate nowhere.json']) {
        const { out, err } = await world.run(line, { env });
        expect(`${out}${err}`).not.toContain('\u001b');
      }
  });

  test('text from manifests, files and arguments cannot control the terminal', async ({
    world,
  }) => {
    const evil = '\u001b[2J\u001b]0;title\u0007\u009b1m\u202Etxt.exe\u2066\u200B\r\u{E0041}';
    const ugly =
      /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069\u{E0041}]/u;
    await furnish(world);
    const declared = {
      event: 'post_tool_use',
      matcher: { tool_name: `B${evil}`, input_contains: evil, tool_server: evil },
      priority: 'suggestion',
    };
    await world.write(
      'evil.json',
      JSON.stringify({
        server: { command: 'x' },
        hooks: {
          declarations: [
            { ...declared, context: `Hello ${evil}` },
            { ...declared, context_tool: `t${evil}`, context_tool_args: { [evil]: evil } },
          ],
        },
      }),
    );
    await world.write(
      'wrong.json',
      JSON.stringify({ name: evil, [evil]: 1, declarations: [{ event: evil, [evil]: evil }] }),
    );
    const named = `name ${evil}.json`;
    await world.write(named, ANNAL);
    // As in a cloned project: the refusal names a key that occurs twice.
    await world.write(
      '.claude/settings.json',
      `{\n  "hooks": { ${JSON.stringify(evil)}: [], ${JSON.stringify(evil)}: [] }\n}\n`,
    );

    const bad: unknown[] = [];
    for (const args of [
      ['diff', 'evil.json'],
      ['diff', 'evil.json', '--json'],
      ['install', 'evil.json', '--yes'],
      ['validate', 'evil.json'],
      ['validate', 'wrong.json'],
      ['validate', 'wrong.json', '--json'],
      ['install', 'wrong.json'],
      ['validate', named, '--name', 'x'],
      ['install', named, '--name', 'x', '--yes'],
      ['install', evil],
      ['install', evil, '--verbose'],
      ['list'],
      ['uninstall', evil],
      ['diff', 'annal.json', '--scope', 'project'],
      ['diff', 'annal.json', '--client', evil],
      [evil],
    ]) {
      const { out, err } = await world.run(args);
      const found = ugly.exec(`${out}${err}`)?.[0];
      if (found !== undefined) bad.push([args, JSON.stringify(found), found.codePointAt(0)]);
    }
    expect(bad).toEqual([]);
  });

  test('a closed output pipe is not an error', async ({ world }) => {
    await furnish(world);
    const running = world.start('diff annal.json');
    running.stdout.destroy();
    const { stderr } = await running;
    expect(stderr).toBe('');
  });
});

describe.concurrent('the result', () => {
  test("is what the client reads: the user's settings with our entries among them", async ({
    world,
  }) => {
    await furnish(world);
    await world.run('install annal.json --yes');
    const settings = JSON.parse(await world.read('~/.claude/settings.json'));
    const mine = JSON.parse(CLAUDE_SETTINGS);
    expect(settings).toEqual({
      ...mine,
      hooks: {
        PostToolUse: [...mine.hooks.PostToolUse, expect.objectContaining({ matcher: 'Bash' })],
        PostToolUseFailure: [expect.objectContaining({ matcher: 'Bash' })],
      },
    });
    const { hooks, ...rest } = parse(await world.read('~/.codex/config.toml'));
    const { hooks: own, ...others } = parse(CODEX_CONFIG);
    expect(rest).toEqual(others);
    expect(hooks).toEqual({
      PostToolUse: [
        ...(own as { PostToolUse: object[] }).PostToolUse,
        expect.objectContaining({ matcher: 'Bash' }),
      ],
    });
  });

  test('is readable by its owner only, and other files keep their modes', async ({ world }) => {
    await furnish(world);
    await rm(world.path('~/.codex'), { recursive: true });
    await world.run(`install annal.json --yes ${ALL}`);
    const mode = async (path: string) => ((await stat(world.path(path))).mode & 0o777).toString(8);
    expect(await mode('~/.claude/settings.json')).toBe('600');
    expect(await mode('~/.gemini/settings.json')).toBe('644');
    expect(await mode('~/.codex/config.toml')).toBe('600');
    expect(await mode('~/.codex')).toBe('700');
    for (const [path, state] of Object.entries(await world.snapshot('~/.mcp-hooks')))
      expect({ path, state }).toEqual({
        path,
        state: expect.stringMatching(/^(folder 700|file [67]00)/),
      });
  });

  test('does not contain values of the manifest that may be secret', async ({ world }) => {
    await furnish(world);
    const server = { command: 'annal', env: { ANNAL_TOKEN: 'hunter2-hunter2' } };
    const declarations = [
      { event: 'session_start', context_tool: 'recall', priority: 'important' },
    ];
    await world.write('annal.json', JSON.stringify({ server, hooks: { declarations } }));
    const { out } = await world.run('install annal.json --yes');
    expect(out).not.toContain('hunter2');
    for (const path of Object.keys(await world.snapshot()))
      if ((await stat(join(world.home, path))).isFile())
        expect(await readFile(join(world.home, path), 'utf8')).not.toContain('hunter2');
  });

  test('leaves no temporary files', async ({ world }) => {
    await furnish(world);
    await mkdir(world.path('tmp'));
    await writeFile(world.path('tmp/x'), '');
    await world.runProcess('install annal.json --yes', { env: { TMPDIR: world.path('tmp') } });
    const paths = Object.keys({ ...(await world.snapshot()), ...(await world.snapshot('.')) });
    expect(paths.filter((path) => /\.tmp$|\/lock$/.test(path))).toEqual([]);
    expect(Object.keys(await world.snapshot('tmp'))).toEqual(['.', 'x']);
  });
});
