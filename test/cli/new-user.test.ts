/** Pitfalls for a user who has just installed a first server. Each is explained, with what to do. */
import { symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { test, type World } from '../support/world.ts';

const TEXT = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const CALL = { event: 'session_start', context_tool: 'recall', priority: 'important' };

const put = (world: World, declarations: readonly object[], name = 'notes.json') =>
  world.write(
    name,
    JSON.stringify({
      server: { command: '/bin/sh', args: ['-c', 'exit 3'] },
      hooks: { declarations },
    }),
  );

const INSTALL = 'install notes.json --client claude --yes';
const env = { PATH: process.env.PATH };
const SKIPPED = 'To allow it:\n  mcp-hooks update notes --allow context-tool';

describe('a hook without consent', () => {
  test('alone is not installed, and no command reports that it is', async ({ world }) => {
    await put(world, [CALL]);
    const { out } = await world.run(INSTALL);
    expect(out).toContain(
      "\nSaved. No hook of notes is active yet; no client's file changes. Hook 1 skipped.\n  mcp-hooks update notes --allow context-tool  allow hook 1\n",
    );
    expect((await world.run('list')).out).toContain(
      'Claude Code  0 of 1 hooks (session_start needs --allow context-tool)  ~/.claude',
    );
    const verified = await world.run('verify notes');
    expect([verified.code, verified.out]).toEqual([
      1,
      expect.stringContaining(
        `\nNothing to fire.\nSkipped hook 1: a server tool would be called. ${SKIPPED}\n`,
      ),
    ]);
    expect(JSON.parse((await world.run('verify notes --json')).out)).toMatchObject({
      fires: false,
      skipped: [{ label: 'notes', hooks: [1], grants: ['context-tool'] }],
    });
  });

  test('is reported after an update has ended its grant', async ({ world }) => {
    await put(world, [CALL]);
    await world.run(`${INSTALL} --allow context-tool`);
    await put(world, [{ ...CALL, priority: 'suggestion' }]);
    const { out } = await world.run('update notes --yes');
    expect(out).toContain('Saved. No hook of notes is active yet; 1 file changed.');
    expect(out).not.toContain('Installed');
  });

  test('beside others is listed as skipped by verify', async ({ world }) => {
    await put(world, [TEXT, CALL]);
    await world.run(INSTALL);
    const { code, out } = await world.run('verify notes', { env });
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `Everything fires once you trust this folder in Claude Code: 1 hook in 1 client.\nSkipped hook 2: a server tool would be called. ${SKIPPED}\n`,
      ),
    ]);
  });

  test('of a manifest that is only tried is listed with the flag that allows it', async ({
    world,
  }) => {
    await put(world, [TEXT, CALL]);
    const { out } = await world.run('verify ./notes.json --client claude', { env });
    expect(out).toContain(
      '\nSkipped hook 2: a server tool would be called. To allow it, add: --allow context-tool\n',
    );
  });
});

describe('a grant', () => {
  test('is given by update only after showing what it allows', async ({ world }) => {
    await put(world, [TEXT, CALL]);
    await world.run(INSTALL);
    const { out } = await world.run('update notes --allow context-tool --yes');
    expect(out).toContain(`notes has not changed since you approved it.
  hook 2 (unchanged) needs your consent
    When a session starts (session_start, important)
    Calls recall and shows the model its reply. It sends no data of yours.
  Runs as you in the session folder: /bin/sh -c 'exit 3'
`);
  });

  test('that an update ended is reported as a change', async ({ world }) => {
    await put(world, [TEXT, CALL]);
    await world.run(`${INSTALL} --allow context-tool`);
    await put(world, [{ ...TEXT, context: 'Good morning.' }, CALL]);
    const { out } = await world.run('update notes --yes');
    expect(out).toContain(
      'notes has changed since you approved it: 1 hook changed, hook 2 skipped until you allow it again.',
    );
    expect(out).toContain('hook 2 (unchanged) needs your consent');
  });

  test('is taken back with --revoke', async ({ world }) => {
    await put(world, [TEXT, CALL]);
    const before = await world.run(INSTALL).then(() => world.snapshot());
    await world.run('update notes --yes --allow context-tool');
    const { code, out } = await world.run('update notes --yes --revoke context-tool');
    expect([code, out]).toEqual([0, expect.stringContaining('Hook 2 skipped.')]);
    expect(await world.snapshot()).toEqual(before);
    await world.run('update notes --yes --allow context-tool');
    await world.run(`${INSTALL} --revoke context-tool`);
    expect(await world.snapshot()).toEqual(before);
    const both = await world.run('update notes --allow context-tool --revoke context-tool --yes');
    expect([both.code, both.err]).toEqual([
      2,
      'notes: Either --allow or --revoke, not both: context-tool. Nothing was written.\n',
    ]);
  });
});

describe('without an install, the next command is named by', () => {
  const COMMANDS = ['list', 'verify', 'update', 'fire notes session_start', 'verify notes --live'];
  const OF_LABELS = 'verify update uninstall mute trust doctor log stats'.split(' ');
  test.for([...COMMANDS, ...OF_LABELS.map((name) => `${name} notes`)])(
    '%s',
    async (line, { world }) => {
      const { out, err } = await world.run(line, { env });
      expect(out + err).toContain('mcp-hooks scan');
    },
  );

  test.for(['scan', 'install --all'])('%s', async (line, { world }) => {
    expect((await world.run(line)).out).toContain('mcp-hooks install <server>');
  });
});

describe('verify', () => {
  test('names a client that runs no hooks in an untrusted folder', async ({ world }) => {
    await put(world, [TEXT]);
    await world.write('~/.gemini/settings.json', '{"security":{"folderTrust":{"enabled":true}}}');
    await world.run('install notes.json --client gemini --yes');
    const { code, out } = await world.run('verify notes', { env });
    expect(code).toBe(0);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'BeforeAgent, but not in this folder until you trust it',
    );
    expect(out).toContain('Everything fires once you trust this folder in Gemini CLI: 1 hook in');
  });

  test('reports the same untrusted folder as doctor, for every client', async ({ world }) => {
    await put(world, [TEXT]);
    const seen: string[] = [];
    for (const scope of ['user', 'project'] as const) {
      const ids = CLIENTS.filter(({ placement }) => placement.files[scope]).map(({ id }) => id);
      await world.run(`install notes.json --scope ${scope} --client ${ids} --yes`);
      const doctor = JSON.parse((await world.run('doctor notes --json', { env })).out);
      const verify = await world.run(`verify notes --scope ${scope} --json`, { env });
      const plain = await world.run(`verify notes --scope ${scope}`, { env });
      const findings: { check: string; level: string; about: string; todo: string }[] =
        doctor.findings;
      const waiting = findings.filter(
        ({ check, level }) => check === 'folder-trust' && level !== 'ok',
      );
      const verified: { client: string; folderTrusted: boolean }[] = JSON.parse(
        verify.out,
      ).verified;
      const names = verified.flatMap(({ client, folderTrusted }) =>
        folderTrusted ? [] : [CLIENTS.find(({ id }) => id === client)?.name],
      );
      expect(names).toEqual(waiting.map(({ about }) => about));
      for (const { todo } of waiting)
        expect(plain.out.replace(/\s+/g, ' ')).toContain(todo.replace(/\s+/g, ' '));
      seen.push(...waiting.map(({ level }) => level));
      await world.run(`uninstall notes --scope ${scope} --yes`);
    }
    // In some clients, only the hooks of projects wait for trust.
    expect(new Set(seen)).toEqual(new Set(['warning', 'error']));
  });
});

describe('an edited entry in Codex', () => {
  test('has to be updated, not trusted', async ({ world }) => {
    await put(world, [{ ...TEXT, event: 'post_tool_use', matcher: { tool_name: 'Bash' } }]);
    await world.run('install notes.json --client codex --yes');
    const config = await world.read('~/.codex/config.toml');
    await world.write('~/.codex/config.toml', config.replace('"Bash"', '"Edit"'));
    for (const line of ['verify notes', 'fire notes post_tool_use', 'list', 'doctor notes']) {
      const { out } = await world.run(line, { env });
      expect([line, out]).toEqual([line, expect.stringContaining('entry')]);
      expect(out).not.toMatch(/mcp-hooks trust|changed since|not trusted/);
      if (line !== 'list') expect(out).toContain('mcp-hooks update notes');
    }
  });
});

describe('uninstall --all', () => {
  test('removes entries even if the state folder has been deleted', async ({ world }) => {
    await put(world, [TEXT]);
    await world.run(INSTALL);
    await rm(world.path('~/.mcp-hooks'), { recursive: true });
    const { out } = await world.run('uninstall --all --yes');
    expect(out).toContain('Uninstalled: notes');
    const after = JSON.stringify(await world.snapshot());
    expect(after).not.toContain('.mcp-hooks');
    expect((await world.run('uninstall --all')).out).toBe('Nothing is installed.\n');
  });

  test('removes what a process that was ended left behind, but not with --dry-run', async ({
    world,
  }) => {
    const left = `~/.mcp-hooks/ledger.json.mcp-hooks-999999999.a.tmp`;
    await world.write(left, '{');
    await world.run('uninstall --all --dry-run');
    expect(await world.read(left)).toBe('{');
    await world.run('uninstall --all');
    expect(JSON.stringify(await world.snapshot())).not.toContain('.mcp-hooks');
  });

  test('lists what stays in another scope', async ({ world }) => {
    await put(world, [TEXT]);
    await world.run(INSTALL);
    await world.run(`${INSTALL} --scope project`);
    const all = await world.run('uninstall --all --yes');
    expect(all.transcript).toMatch(
      /\nStill installed in \/desk: notes\. Run there: mcp-hooks uninstall --all --scope project\nexit 0\n$/,
    );
    await world.run(INSTALL);
    const there = await world.run('uninstall --all --yes --scope project');
    expect(there.transcript).toMatch(
      /\nStill installed in user scope: notes\. Run: mcp-hooks uninstall --all\nexit 0\n$/,
    );
  });
});

describe('fire', () => {
  test('names the scope that has the install', async ({ world }) => {
    await put(world, [TEXT]);
    await world.run(`${INSTALL} --scope project`);
    const { code, err } = await world.run('fire notes session_start');
    expect([code, err]).toEqual([
      2,
      'notes is not installed in user scope. It is installed in this project: add --scope project. Nothing was fired.\n',
    ]);
  });

  test('reports that a hook was skipped', async ({ world }) => {
    await put(world, [TEXT, CALL]);
    await world.run(INSTALL);
    const { out } = await world.run('fire notes session_start', { env });
    expect(out.replace(/\s+/g, ' ')).toContain(
      `Skipped hook 2: a server tool would be called. ${SKIPPED.replace(/\s+/g, ' ')}`,
    );
    expect((await world.run('fire notes pre_request', { env })).out).not.toContain('Skipped');
  });
});

test.for([
  ['codex', 'after a failed call of an MCP tool', ['Bash', '{Edit,Write}'], ['{Bash,mcp__a__b}']],
  ['gemini', 'only if it was a shell command', ['Bash'], ['Edit', '{Bash,Edit}']],
] as const)(
  'the note of %s about failed calls is printed only for hooks that it concerns',
  async ([client, note, others, concerned], { world, expect }) => {
    const about = async (tool_name: string) => {
      await put(world, [{ ...TEXT, event: 'post_tool_use', matcher: { tool_name } }]);
      return (await world.run(`diff notes.json --client ${client}`)).out;
    };
    for (const tool of others) expect(await about(tool)).not.toContain(note);
    for (const tool of [...concerned, 'mcp__notes__*', '*'])
      expect(await about(tool)).toContain(note);
  },
);

describe('a second scope', () => {
  test('is shown before it is installed', async ({ world }) => {
    await put(world, [TEXT]);
    const once = await world.run(INSTALL);
    expect(once.out).not.toContain('twice');
    const note = (text: string) => text.replace(/\s+/g, ' ').replaceAll(world.root, '');
    for (const line of [
      'diff notes.json --client claude --scope project',
      `${INSTALL} --scope project`,
    ])
      expect(note((await world.run(line)).out)).toContain(
        'note: notes is also installed in user scope: in /desk its hooks run twice. To remove it there: mcp-hooks uninstall notes ',
      );
    const again = await world.run('diff notes.json --client claude');
    expect(note(again.out)).toContain(
      'notes is also installed in /desk: in /desk its hooks run twice. To remove it there: mcp-hooks uninstall notes --scope project',
    );
    // Another client, so nothing runs twice.
    const other = await world.run('diff notes.json --client gemini --scope project');
    expect(other.out).not.toContain('twice');
  });
});

describe('a tool call that policy.json forbids', () => {
  test('is not reported as a fault', async ({ world }) => {
    await put(world, [TEXT, CALL]);
    await world.run(`${INSTALL} --allow context-tool`);
    await world.write('~/.mcp-hooks/policy.json', '{ "contextTool": false }');
    const doctor = await world.run('doctor notes', { env });
    expect(doctor.code).toBe(0);
    expect(doctor.out.replace(/\s+/g, ' ')).toContain(
      'note your policy.json forbids tool calls, so this hook does nothing: hook 2 (session_start) (policy)',
    );
    const verified = await world.run('verify notes', { env });
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('off')]);
    expect(verified.out).toMatch(
      /off +hook 2 on SessionStart, hook 2 on SubagentStart: your policy\.json/,
    );
    expect(verified.out).toContain(
      'Everything fires once you trust this folder in Claude Code: 1 hook in 1 client.',
    );
    expect((await world.run('list')).out).toContain(
      'intact, but hook 2 does not fire: your policy.json forbids tool calls',
    );
  });
});

test('a label that policy.json has mistyped', async ({ world }) => {
  await put(world, [TEXT]);
  await world.run(INSTALL);
  await world.write(
    '~/.mcp-hooks/policy.json',
    '{ "servers": { "note": { "muted": true }, "others": { "muted": true } } }',
  );
  const said =
    'policy.json has rules for "note", and nothing is installed under that name: did you mean notes?';
  expect((await world.run('list')).err).toBe(`warning: ${said}\n`);
  const { findings } = JSON.parse((await world.run('doctor --json', { env })).out);
  const found = findings.filter(({ check }: { check: string }) => check === 'policy-readable');
  expect(found.map(({ level, what }: Record<string, string>) => [level, what])).toEqual([
    ['warning', said],
  ]);
  await world.write('~/.mcp-hooks/policy.json', '{ "mute": true }');
  expect((await world.run('list')).out).toContain('does not fire: policy.json is not valid');
});

test('a policy.json that is a broken link is an error', async ({ world }) => {
  await put(world, [TEXT]);
  await world.run(INSTALL);
  symlinkSync('nowhere', world.path('~/.mcp-hooks/policy.json'));
  const said = 'policy.json is a link to a file that is not there';
  for (const command of ['diff notes.json', INSTALL, 'update notes']) {
    const { code, err } = await world.run(command);
    expect([command, code, err]).toEqual([command, 2, expect.stringContaining(said)]);
  }
  expect((await world.run('list')).err).toContain(said);
  expect((await world.run('doctor', { env })).out.replace(/\s+/g, ' ')).toContain(
    'it is a link to a file that is not there (policy-readable)',
  );
  expect((await world.run('uninstall notes --yes')).code).toBe(0);
});

describe('what to do next', () => {
  test('uninstall without a terminal names the command that shows the changes', async ({
    world,
  }) => {
    await put(world, [TEXT]);
    const first = await world.run('install notes.json --client claude');
    expect(first.err).toContain('Review with mcp-hooks diff, then pass --yes.');
    await world.run(INSTALL);
    const { err } = await world.run('uninstall notes');
    expect(err).toContain(
      'Review with mcp-hooks uninstall notes --dry-run --diff, then pass --yes.',
    );
    await put(world, [{ ...TEXT, context: 'Good morning.' }]);
    const again = await world.run('update notes');
    expect(again.err).toContain('Review with mcp-hooks diff notes, then pass --yes.');
    const { out } = await world.run('doctor notes', { env });
    expect(out.replace(/\s+/g, ' ')).toContain('mcp-hooks update notes');
  });

  test('trust without codex on the PATH says so', async ({ world }) => {
    await put(world, [TEXT]);
    await world.run('install notes.json --client codex --yes');
    expect((await world.run('trust notes')).out.replace(/\s+/g, ' ')).toContain(
      'codex is not on the PATH',
    );
  });

  test('doctor names the command for a moved manifest', async ({ world }) => {
    await put(world, [TEXT]);
    await world.run(INSTALL);
    await put(world, [TEXT], 'moved.json');
    await world.remove('notes.json');
    const { out } = await world.run('doctor notes', { env });
    expect(out.replace(/\s+/g, ' ')).toContain(
      'If you moved it: mcp-hooks install <new path> --name notes --replace',
    );
    const moved = 'install moved.json --name notes --replace --client claude --yes';
    expect((await world.run(moved)).code).toBe(0);
  });

  test('diff refuses what install refuses', async ({ world }) => {
    await put(world, [TEXT]);
    await world.run('install notes.json --client claude,gemini --yes');
    await put(world, [{ ...TEXT, context: 'Good morning.' }], 'other/notes.json');
    const line = 'other/notes.json --client claude';
    const { code, err, out } = await world.run(`diff ${line}`);
    const installed = await world.run(`install ${line} --replace --yes`);
    expect([code, err]).toEqual([installed.code, installed.err]);
    expect(out).not.toContain('To install:');
  });

  test('for a read-only file', async ({ world }) => {
    await put(world, [TEXT]);
    await world.run(INSTALL);
    await world.write(
      '~/.claude/settings.json',
      await world.read('~/.claude/settings.json'),
      0o444,
    );
    const { out } = await world.run('uninstall notes --yes');
    expect(out.replace(/\s+/g, ' ')).toContain(
      'it is read-only (chmod u+w makes it writable). To do it by hand,',
    );
    await world.folder('~/.gemini');
    const previewed = await world.run('diff notes.json --client claude,gemini --name other');
    expect([previewed.code, previewed.err]).toEqual([
      2,
      expect.stringContaining('--client gemini'),
    ]);
    expect(previewed.out).not.toContain('To install');
  });

  test('for a server that crashes is to start it by hand', async ({ world }) => {
    const call = { ...CALL, event: 'session_end' };
    const server = { command: '/bin/sh', args: ['-c', 'echo boom >&2; exit 3'] };
    await world.write('notes.json', JSON.stringify({ server, hooks: { declarations: [call] } }));
    await world.run(`${INSTALL} --allow context-tool`);
    const { out } = await world.run('doctor notes --servers --json', { env });
    const { findings } = JSON.parse(out);
    const found = findings.find(({ check }: { check: string }) => check === 'server');
    expect(found.todo).toBe('Start the server yourself, and fix the errors that it prints.');
    expect(found.what).toContain('boom');
    const { out: told } = await world.run('doctor notes --servers', { env });
    expect(told).toMatch(/\n {11} {2}\| boom\n/);
  });
});
