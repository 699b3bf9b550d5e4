// Several names in one command: an install shows all of them in one plan, and one failure does not stop the others.
import { describe, expect } from 'vitest';
import filesystem from '../../catalogue/server-filesystem.json' with { type: 'json' };
import memory from '../../catalogue/server-memory.json' with { type: 'json' };
import { runAt } from '../support/columns.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { ALL_IDS, clientOf } from '../support/runner/clients.ts';
import { hasTerminal, onTerminal, typed } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

interface Hook {
  readonly context?: string;
  readonly context_tool?: string;
  readonly context_tool_args?: object;
}

/** A server that declares no hooks. */
const SERVER = `#!${process.execPath}
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: '1' },
  };
  const answer = method === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;
const CLIENT = '--client claude-code';
const QUESTION = 'd shows the diff)\u001B[';

interface Result {
  readonly name?: string;
  readonly label?: string;
  readonly written?: boolean;
  readonly code?: string;
  readonly error?: string;
  readonly schemaVersion?: number;
}

async function furnish(world: World): Promise<void> {
  await world.folder('~/.claude');
  for (const name of ['annal', 'notes', 'third'])
    await world.write(`${name}.json`, manifest({ ...COMMITTED, context: `Words of ${name}.` }));
}

const json = async (world: World, line: string) => {
  const { code, out } = await world.run(`${line} --json`);
  const printed: {
    schemaVersion: number;
    results?: Result[];
    labels?: Result[];
    label?: string;
  } = JSON.parse(out);
  return { code, printed };
};

/** The installed labels, from the output of `list`. */
const labels = async (world: World): Promise<string[]> => {
  const { out } = await world.run('list --json');
  const { installed }: { installed: { label: string }[] } = JSON.parse(out);
  return installed.map(({ label }) => label);
};

const outcomes = (results: readonly Result[] = []) =>
  results.map(({ name, label, code, written }) => [name ?? label, code ?? written]);

describe('install', () => {
  test('shows one plan, with every hook under its label', async ({ world }) => {
    await furnish(world);
    const { code, out, err } = await world.run(`install annal.json notes.json --yes ${CLIENT}`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^ {2}annal 1\. After .*\n {5}\| Words of annal\.\n {2}notes 1\. /m);
    expect(out.match(/^ {2}Claude Code +exact {2,}\S+$/gm)).toHaveLength(1);
    expect(out).toMatch(/^Installed: annal and notes for Claude Code; 1 file created\.$/m);
    expect(out).toMatch(/^ {2}mcp-hooks uninstall --all {2}undo$/m);
    expect(await labels(world)).toEqual(['annal', 'notes']);
  });

  test('shows files that differ by label only as one pattern', async ({ world }) => {
    await world.folder('~/.copilot');
    for (const name of ['a', 'b', 'c']) await world.write(`${name}.json`, manifest(COMMITTED));
    const { out } = await world.run('install a.json b.json c.json --yes');
    expect(out).toMatch(/ ~\/\.copilot\/hooks\/mcp-hooks\.\*\.json \(3 files\)\n/);
    expect(out).not.toContain('mcp-hooks.a.json');
  });

  test('names its labels in the command to undo it if there are others', async ({ world }) => {
    await furnish(world);
    await world.run(`install third.json --yes ${CLIENT}`);
    const { out } = await world.run(`install annal.json notes.json --yes ${CLIENT}`);
    expect(out).toMatch(/^Installed: annal and notes for Claude Code; 1 file changed\.$/m);
    expect(out).toMatch(/^ {2}mcp-hooks uninstall annal notes {2}undo$/m);
  });

  test('keeps each next command on one line of a narrow terminal', async ({ world }) => {
    await world.folder('~/.claude');
    const names = ['annal', 'notes', 'other'].map((name) => `${name}-${'x'.repeat(22)}`);
    for (const name of ['first', ...names]) await world.write(`${name}.json`, manifest(COMMITTED));
    await world.run(`install first.json --yes ${CLIENT}`);
    const files = names.map((name) => `${name}.json`);
    const { all } = await runAt(80, world, ['install', ...files, '--yes', ...CLIENT.split(' ')]);
    expect(all).toContain('\n  mcp-hooks verify\n      check that they fire\n');
    expect(all).toContain(`\n  mcp-hooks uninstall ${names.join(' ')}\n      undo\n`);
  });

  test('writes the same bytes as separate installs', async ({ world }) => {
    await furnish(world);
    await world.write('~/.claude/settings.json', '{ "theirs": true }\n');
    const before = await world.read('~/.claude/settings.json');
    const after: string[] = [];
    for (const lines of [['annal.json notes.json'], ['annal.json', 'notes.json']]) {
      for (const files of lines) await world.run(`install ${files} --yes ${CLIENT}`);
      after.push(
        `${await world.read('~/.claude/settings.json')}${await world.read('~/.mcp-hooks/ledger.json')}`,
      );
      await world.run('uninstall --all --yes');
      expect(await world.read('~/.claude/settings.json')).toBe(before);
    }
    expect(after[0]).toBe(after[1]);
  });

  test('does not install two servers with the same name', async ({ world }) => {
    await furnish(world);
    await world.write('other/annal.json', manifest({ ...COMMITTED, context: 'Other words.' }));
    const line = `install annal.json other/annal.json notes.json --yes ${CLIENT}`;
    const { code, out, err } = await world.run(line);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^other\/annal\.json: .* has the name annal/),
    ]);
    expect(out).not.toContain('Other words');
    expect(await labels(world)).toEqual(['annal', 'notes']);
  });

  test('shows a separate plan for a label that replaces another source', async ({ world }) => {
    await furnish(world);
    await world.run(`install annal.json --yes ${CLIENT}`);
    await world.write('other/annal.json', manifest({ ...COMMITTED, context: 'Other words.' }));
    const line = `install other/annal.json notes.json third.json ${CLIENT} --yes`;
    const { code, out, err } = await world.run(line);
    expect([code, err]).toEqual([2, expect.stringContaining('--replace')]);
    expect(out).toMatch(/^Installed: notes and third /m);
    expect((await world.run(`${line} --replace`)).code).toBe(0);
    expect(await labels(world)).toEqual(['annal', 'notes', 'third']);
  });

  test('plans one that has a question of its own when it asks it', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    await world.run(`install annal.json --yes ${CLIENT}`);
    const other = { ...COMMITTED, event: 'session_start', matcher: undefined };
    for (const path of ['other/annal.json', 'notes.json']) await world.write(path, manifest(other));
    const { code, out } = await typed(world, `install other/annal.json notes.json ${CLIENT}`, [
      ['Replace annal?', 'y'],
      ['Apply changes to 1 file?', 'y'],
    ]);
    expect([code, out]).toEqual([0, expect.stringContaining('Installed: notes')]);
  });

  test('ends with one line for all clients that have to be restarted', async ({ world }) => {
    await furnish(world);
    const lastLine = async (line: string) =>
      (await world.run(`${line} --yes`)).out.trimEnd().split('\n').at(-1);
    const [one, other] = ALL_IDS.map(clientOf).filter((it) => it.readsHooks === 'at start');
    const both = `--client ${one?.id},${other?.id}`;
    const restart = `Restart ${one?.shortName} and ${other?.shortName} if running.`;
    expect(await lastLine(`install annal.json notes.json ${both}`)).toBe(restart);
    await world.write('annal.json', manifest({ ...COMMITTED, event: 'pre_tool_use' }));
    expect(await lastLine('update')).toMatch(/^Restart .* if running\.$/);
    expect(await lastLine(`uninstall annal --client ${one?.id}`)).toBe(
      `Restart ${one?.shortName} if running.`,
    );
    expect(await lastLine('uninstall --all')).toMatch(/^Restart \w+ and \w+ if running\.$/);
    // No line if nothing is written, the client rereads changed hooks, or the output is quiet or JSON.
    const { id = '' } = ALL_IDS.map(clientOf).find((it) => it.readsHooks === 'when changed') ?? {};
    for (const line of [
      `install annal.json ${both} --dry-run`,
      `install annal.json --client ${id}`,
      `install notes.json ${both} --quiet`,
      `install third.json ${both} --json`,
    ])
      expect((await world.run(`${line} --yes`)).out).not.toContain('Restart');
  });

  test('reports one that fails, and installs the others', async ({ world }) => {
    await furnish(world);
    await world.write('bad.json', '{ "hooks": 1 }');
    const line = 'install annal.json bad.json nowhere.json notes.json --yes';
    const { code, err } = await world.run(`${line} ${CLIENT}`);
    expect(code).toBe(2);
    expect(err).toMatch(/^bad\.json: bad\.json cannot be used/m);
    expect(err).toMatch(/^bad\.json:1:\d+: error: .* \[hooks-no-object\]$/m);
    expect(err).toMatch(/^nowhere\.json: nowhere\.json cannot be read/m);
    expect(await labels(world)).toEqual(['annal', 'notes']);
  });

  test('reports one that cannot be written, and what the others still need', async ({ world }) => {
    await furnish(world);
    await world.folder('~/.codex');
    await world.write('~/.mcp-hooks/servers/notes', '');
    const { code, out, err } = await world.run('install annal.json notes.json third.json --yes');
    expect(code).toBe(2);
    expect(err).toMatch(/^notes: .*cannot be written: [^\n]*\n$/s);
    expect(out).toMatch(/^Installed: annal and third .*^ {2}mcp-hooks trust annal third /ms);
    expect(await labels(world)).toEqual(['annal', 'third']);
  });

  test('reports one that cannot be read, and installs the others', async ({ world }) => {
    await furnish(world);
    await world.folder('folder.json');
    await world.write('loop', '');
    await world.remove('loop');
    await world.link('loop', 'loop');
    const { code, printed } = await json(
      world,
      `install loop/x.json annal.json folder.json notes.json --yes ${CLIENT}`,
    );
    expect(code).toBe(2);
    expect(outcomes(printed.results).filter(([, what]) => what === true)).toEqual([
      ['annal', true],
      ['notes', true],
    ]);
    expect(printed.results).toHaveLength(4);
  });

  test('prints one JSON document, with a result for each', async ({ world }) => {
    await furnish(world);
    const { code, printed } = await json(
      world,
      `install annal.json nowhere.json notes.json --yes ${CLIENT}`,
    );
    expect([code, printed.schemaVersion]).toEqual([2, 1]);
    expect(outcomes(printed.results)).toEqual([
      ['annal', true],
      ['nowhere.json', 'cannot-read'],
      ['notes', true],
    ]);
    for (const one of printed.results ?? []) expect(one).not.toHaveProperty('schemaVersion');
    const [, failed] = printed.results ?? [];
    expect(failed).toMatchObject({
      error: expect.stringContaining('nowhere.json'),
      details: expect.any(Array),
    });
  });

  test('only plans as JSON without --yes, with exit code 0', async ({ world }) => {
    await furnish(world);
    const before = await world.stamps();
    const line = `install annal.json notes.json ${CLIENT}`;
    const { code, printed } = await json(world, line);
    expect((await world.run(`${line} --json`)).err).toContain(
      'Nothing was written: this is the plan. To carry it out, add --yes.',
    );
    expect([code, outcomes(printed.results)]).toEqual([
      0,
      [
        ['annal', false],
        ['notes', false],
      ],
    ]);
    expect(await world.stamps()).toEqual(before);
  });

  test('installs the same name once', async ({ world }) => {
    await furnish(world);
    const { printed } = await json(world, `install annal.json annal.json --yes ${CLIENT}`);
    expect(outcomes(printed.results)).toEqual([['annal', true]]);
  });

  test.for<[string, string]>([
    ['--name and --from are', 'install annal.json notes.json --name x'],
    ['--name and --from are', 'install annal notes --from claude-code'],
    ['--header is', 'install https://a.example/mcp https://b.example/mcp --header X:secret'],
    ['A command after -- is', 'install annal.json notes.json -- node server.js'],
  ])('%s for one server: %s', async ([said, line], { world }) => {
    await furnish(world);
    const before = await world.stamps();
    // Before the dashes, because everything after them belongs to the server.
    const { code, err } = await world.run(line.replace('install', 'install --yes'));
    expect([code, err]).toEqual([2, `${said} for one server. Nothing was written.\n`]);
    expect(await world.stamps()).toEqual(before);
  });

  test('asks one question for all of them', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    const words = ['install', 'annal.json', 'notes.json', '--client', 'claude-code'];
    const typing = (...types: string[]) =>
      onTerminal(world, words, {
        keys: types.map((type) => ({ after: QUESTION, type })),
        env: { PAGER: 'cat' },
      });
    const no = await typing('n\r');
    expect([no.code, no.asked, await labels(world)]).toEqual([2, 1, []]);
    expect(no.out).toMatch(/(?<!: )Nothing was written\.$/);
    const left = await typing('\u0003');
    expect([left.code, left.asked, await labels(world)]).toEqual([130, 1, []]);
    const yes = await typing('d\r', 'y\r');
    expect([yes.code, yes.asked, await labels(world)]).toEqual([0, 2, ['annal', 'notes']]);
    // The second diff starts right after the first.
    expect(yes.out.match(/^\+\+\+ /gm)).toHaveLength(2);
  });

  test('asks in plain lines in a terminal that cannot move its cursor', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    const { code, out } = await onTerminal(world, ['install', 'annal.json'], {
      env: { TERM: 'dumb', NO_COLOR: undefined },
      keys: [{ after: 'd shows the diff)', type: 'y\n' }],
    });
    expect([code, out]).toEqual([0, expect.stringContaining('Installed: annal')]);
    expect(out).not.toContain('\u001b');
  });
});

describe('all configured servers', () => {
  const SERVERS = {
    memory: { command: 'mcp-server-memory' },
    filesystem: { command: 'mcp-server-filesystem', args: ['/srv'] },
  };
  const GIVEN: readonly (readonly [file: string, text: string])[] = [
    ['~/.claude.json', JSON.stringify({ mcpServers: SERVERS })],
    ['~/.gemini/settings.json', JSON.stringify({ mcpServers: SERVERS })],
    ['~/.cursor/mcp.json', JSON.stringify({ mcpServers: SERVERS })],
    [
      '~/.codex/config.toml',
      `[mcp_servers.memory]\ncommand = "mcp-server-memory"\n[mcp_servers.filesystem]\ncommand = "mcp-server-filesystem"\nargs = ["/srv"]\n`,
    ],
  ];

  /** Four clients with two servers that declare no hooks; the catalogue has hooks for both. */
  async function configured(world: World): Promise<void> {
    await world.folder('~/.claude');
    for (const [file, text] of GIVEN) await world.write(file, text);
    for (const name of ['mcp-server-memory', 'mcp-server-filesystem'])
      await world.write(`${world.bin}/${name}`, SERVER, 0o755);
  }

  test.for(['install memory filesystem', 'install --all'])(
    '%s: two questions, and at most 60 lines with all that is agreed to',
    async (line, { world, skip }) => {
      if (!hasTerminal()) skip('no script(1) here');
      await configured(world);
      const keys = ['call its tools', 'd shows the diff'].map((after) => ({ after, type: 'y\r' }));
      const { code, asked, out } = await onTerminal(world, line.split(' '), { keys });
      expect([code, asked]).toEqual([0, 2]);
      const shown = out.replaceAll(/\s+(?:\| )?/g, ' ');
      for (const { hooks } of [memory, filesystem])
        for (const { context, context_tool, context_tool_args } of hooks.declarations as Hook[]) {
          if (context !== undefined) expect(shown).toContain(context);
          if (context_tool !== undefined) expect(shown).toContain(`Calls ${context_tool} `);
          if (context_tool_args) expect(shown).toContain(JSON.stringify(context_tool_args));
        }
      expect(shown).toContain('Runs as you in the session folder: mcp-server-memory');
      expect(shown).toContain('context-tool: memory 1. The server is called each time');
      expect(out.match(/^Not found:/gm)).toHaveLength(1);
      expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
      expect(await labels(world)).toEqual(['memory', 'filesystem']);
      await world.run('uninstall --all --yes');
      for (const [file, text] of GIVEN)
        expect([file, await world.read(file)]).toEqual([file, text]);
    },
  );

  test('--all skips servers that are installed, have no hooks, or cannot be reached', async ({
    world,
  }) => {
    await configured(world);
    await world.write(`${world.bin}/plain`, SERVER, 0o755);
    const more = { plain: { command: 'plain' }, gone: { command: 'no-such-program' } };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { ...SERVERS, ...more } }));
    expect((await world.run('scan')).out).toMatch(/^ {2}mcp-hooks install --all$/m);
    const first = await world.run('install memory --yes --client claude-code');
    expect(first.code).toBe(0);
    expect((await world.run('scan')).out).not.toContain('install --all');
    const { code, out, err } = await world.run('install --all --yes --client claude-code');
    expect([code, err]).toEqual([2, expect.stringMatching(/^gone: .*no-such-program/m)]);
    expect(out).toContain('plain has no hooks. To write some: mcp-hooks init <server>\n');
    expect(out).toContain('memory is installed already');
    expect(await labels(world)).toEqual(['memory', 'filesystem']);
    const { printed } = await json(world, 'install --all --dry-run --client claude-code');
    expect(outcomes(printed.results)).toEqual([['gone', expect.any(String)]]);
  });

  test('--all takes no names', async ({ world }) => {
    await configured(world);
    const { code, err } = await world.run('install memory --all --yes');
    expect([code, err]).toEqual([
      2,
      'Say what to install: one or more names, or --all. Nothing was written.\n',
    ]);
  });
});

describe('with several installs', () => {
  const installed = async (world: World, ...names: string[]) => {
    await furnish(world);
    const files = names.map((name) => `${name}.json`).join(' ');
    const { code } = await world.run(`install ${files} --yes -q ${CLIENT}`);
    if (code !== 0) throw new Error('not installed');
  };

  test('update takes the named ones, or all', async ({ world }) => {
    await installed(world, 'annal', 'notes', 'third');
    for (const name of ['annal', 'notes', 'third'])
      await world.write(`${name}.json`, manifest({ ...COMMITTED, context: `New of ${name}.` }));
    const some = await json(world, 'update annal third --yes');
    expect([some.code, outcomes(some.printed.labels)]).toEqual([
      0,
      [
        ['annal', true],
        ['third', true],
      ],
    ]);
    const all = await json(world, 'update --yes');
    expect(outcomes(all.printed.labels)).toEqual([
      ['annal', false],
      ['notes', true],
      ['third', false],
    ]);
  });

  test('update goes on after a failure', async ({ world }) => {
    await installed(world, 'annal', 'notes', 'third');
    await world.write('third.json', manifest({ ...COMMITTED, context: 'New.' }));
    await world.remove('annal.json');
    const { code, printed } = await json(world, 'update annal nobody third --yes');
    expect([code, outcomes(printed.labels)]).toEqual([
      2,
      [
        ['annal', expect.any(String)],
        ['third', true],
        ['nobody', 'not-installed'],
      ],
    ]);
    const { err } = await world.run('update nobody third nowhere --yes');
    expect(err).toMatch(/^nobody: nobody is not installed in .*\nnowhere: nowhere is not/);
  });

  test('update has one plan for all, and one question of each kind', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    const file = (name: string, ...declarations: object[]) =>
      world.write(
        `${name}.json`,
        JSON.stringify({ server: { command: 'sh', args: [name] }, hooks: { declarations } }),
      );
    const call = { event: 'session_start', context_tool: 'recall', priority: 'important' };
    const names = ['annal', 'notes', 'third'];
    await world.folder('~/.claude');
    for (const name of names) await file(name, COMMITTED);
    await world.run(`install annal.json notes.json third.json --yes -q ${CLIENT}`);
    await file('annal', { ...COMMITTED, context: 'New of annal.' }, call);
    await file('notes', COMMITTED, call);
    const grant = 'Let hooks of annal and notes call their tools?';
    const key = (after: string, type: string) => ({ after, type: `${type}\r` });
    const keys = [key(grant, 'y'), key(QUESTION, 'y')];
    const { code, asked, out } = await onTerminal(world, ['update'], { keys });
    expect([code, asked]).toEqual([0, 2]);
    const told = out.replaceAll(/\s+/g, ' ');
    expect(told).toContain('context-tool: annal 2 and notes 2.');
    expect(told).toContain('+ | New of annal.');
    expect(told).toContain('third has not changed since you approved it.');
    expect(
      told.match(/Installed: annal.* notes.* for Claude Code; 1 file changed\./g),
    ).toHaveLength(1);
    for (const once of ['context-tool: ', '~/.claude/settings.json'])
      expect([once, told.split(once).length - 1]).toEqual([once, 1]);
    await world.run('update --yes');
    const again = await world.run('update');
    expect([again.code, again.out.match(/has not changed/g)?.length]).toEqual([0, 3]);
    expect(again.out.match(/Nothing to do/g)).toHaveLength(1);
  });

  test('a single label that is not installed is the error itself', async ({ world }) => {
    await installed(world, 'annal');
    for (const command of ['update', 'uninstall', 'list', 'trust']) {
      const yes = /^u/.test(command) ? ' --yes' : '';
      const { code, printed } = await json(world, `${command} nobody${yes}`);
      expect([command, code, printed]).toMatchObject([command, 2, { code: 'not-installed' }]);
    }
  });

  test('uninstall takes several, and names those that are not installed', async ({ world }) => {
    await installed(world, 'annal', 'notes', 'third');
    const { code, printed } = await json(world, 'uninstall annal nobody notes annal --yes');
    expect([code, outcomes(printed.results)]).toEqual([
      2,
      [
        ['annal', true],
        ['nobody', 'not-installed'],
        ['notes', true],
      ],
    ]);
    expect(await labels(world)).toEqual(['third']);
  });

  test('uninstall --all removes all of this scope, and of no other', async ({ world }) => {
    await installed(world, 'annal', 'notes');
    await world.run(`install third.json --yes --scope project ${CLIENT}`);
    const { code, printed } = await json(world, 'uninstall --all --yes');
    expect([code, outcomes(printed.results)]).toEqual([
      0,
      [
        ['annal', true],
        ['notes', true],
      ],
    ]);
    expect(await labels(world)).toEqual(['third']);
    // A single install gives the same shape of output as several.
    const last = await json(world, 'uninstall --all --yes --scope project');
    expect(outcomes(last.printed.results)).toEqual([['third', true]]);
    expect(await json(world, 'uninstall --all --yes')).toMatchObject({
      code: 0,
      printed: { results: [] },
    });
    expect((await world.run('uninstall --all')).out).toBe('Nothing is installed.\n');
  });

  test('uninstall says in a line what it removed, or all of it with --verbose', async ({
    world,
  }) => {
    await installed(world, 'annal', 'notes');
    const { out } = await world.run('uninstall --all --yes');
    expect(out).toBe(
      'Uninstalled: annal for Claude Code; 1 file changed.\nUninstalled: notes for Claude Code; 1 file deleted.\n',
    );
    await installed(world, 'annal', 'notes');
    const look = await world.run('uninstall --all --yes --dry-run');
    expect(look.out.match(/^ {2}Claude Code {2}~\/\.claude\/settings\.json$/gm)).toHaveLength(2);
    const whole = await world.run('uninstall --all --yes --verbose');
    expect(whole.out.match(/^ {2}Claude Code {2}~\/\.claude\/settings\.json$/gm)).toHaveLength(2);
  });

  test('uninstall tells what it cannot remove, however short it is', async ({ world }) => {
    await installed(world, 'annal', 'notes');
    const settings = await world.read('~/.claude/settings.json');
    await world.write('~/.claude/settings.json', settings.replace('{', '{,'));
    const { code, out } = await world.run('uninstall --all --yes');
    expect(code).toBe(2);
    expect(out.match(/^ {2}Claude Code {2}~\/\.claude\/settings\.json: refused$/gm)).toHaveLength(
      2,
    );
  });

  test('uninstall of hooks that were never allowed changes no file', async ({ world }) => {
    await furnish(world);
    const tool = { event: 'session_start', context_tool: 'read_graph', priority: 'important' };
    const server = { command: 'node', args: ['server.mjs'] };
    await world.write('tool.json', JSON.stringify({ server, hooks: { declarations: [tool] } }));
    await world.run(`install tool.json --yes ${CLIENT}`);
    const { out } = await world.run('uninstall tool --yes');
    expect(out).toContain("Uninstalled: tool; no client's file changed.\n");
  });

  test('uninstall --all needs the record of what is installed', async ({ world }) => {
    await installed(world, 'annal');
    await world.write('~/.mcp-hooks/ledger.json', '{');
    const before = await world.stamps();
    const { code, err } = await world.run('uninstall --all --yes');
    expect([code, err]).toEqual([2, expect.stringContaining('ledger.json, the record of what')]);
    expect(await world.stamps()).toEqual(before);
    // For a named install, the entries themselves are enough.
    expect((await world.run('uninstall annal --yes')).code).toBe(0);
  });

  test.for(['uninstall --yes', 'uninstall annal --all --yes'])(
    '%s is ambiguous and removes nothing',
    async (line, { world }) => {
      await installed(world, 'annal');
      const { code, err } = await world.run(line);
      expect([code, err]).toEqual([
        2,
        'Say what to uninstall: one or more names, or --all. Nothing was written.\n',
      ]);
      expect(await labels(world)).toEqual(['annal']);
    },
  );

  test('list shows only the named one', async ({ world }) => {
    await installed(world, 'annal', 'notes');
    const { code, out } = await world.run('list notes');
    expect([code, out.match(/^\w+/gm)]).toEqual([0, ['notes']]);
    const { printed } = await json(world, 'list notes');
    expect(printed).toMatchObject({ installed: [{ label: 'notes' }] });
  });
});

// macOS and Windows would put both in the same folder.
test('a label that differs from another one only in case is refused', async ({ world }) => {
  await furnish(world);
  await world.write('other/Annal.json', manifest({ ...COMMITTED, context: 'Other words.' }));
  const flags = `${CLIENT} --yes`;
  const { code, printed } = await json(world, `install annal.json other/Annal.json ${flags}`);
  expect({
    code,
    labels: printed.results?.map(({ label, written }) => ({ label, written })),
  }).toEqual({
    code: 2,
    labels: [{ label: 'annal', written: true }, {}],
  });
  const again = await world.run(`install other/Annal.json ${flags}`);
  expect(again).toMatchObject({
    code: 2,
    err: `"Annal" differs from the installed "annal" only in case, which most file systems ignore (--name gives another). Nothing was written.\n`,
  });
  expect((await world.run(`install other/Annal.json --name other ${flags}`)).code).toBe(0);
});
