// Shell completion, the manual page, the version and the help.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, inject } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { ALL_EVENTS } from '../../src/declaration/declaration.ts';
import { runAt } from '../support/columns.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const COMMANDS = [
  'scan',
  'install',
  'verify',
  'uninstall',
  'list',
  'diff',
  'update',
  'mute',
  'unmute',
  'trust',
  'login',
  'logout',
  'doctor',
  'fire',
  'log',
  'stats',
  'matrix',
  'init',
  'import',
  'validate',
  'build',
  'schema',
  'conformance',
  'completion',
  'man',
  'version',
];

async function install(world: World): Promise<void> {
  await world.write('annal.json', manifest(COMMITTED));
  const { code } = await world.run('install annal.json --yes -q --client claude-code');
  if (code !== 0) throw new Error('not installed');
}

/** The suggestions after some words, of which the last is incomplete, and the directive for the shell. */
async function offered(world: World, ...typed: string[]) {
  const { code, out, err } = await world.run(['complete', '--', ...typed]);
  if (code !== 0 || err !== '') throw new Error(`${code} ${err}`);
  const lines = out.trimEnd().split('\n');
  return {
    words: lines.slice(0, -1).map((line) => line.split('\t')[0]),
    directive: lines.at(-1),
  };
}

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

describe('complete', () => {
  test('suggests commands, but no internal ones', async ({ world, expect }) => {
    expect(await offered(world, '')).toEqual({ words: COMMANDS, directive: ':4' });
    expect((await offered(world, 'un')).words).toEqual(['uninstall', 'unmute']);
    expect((await offered(world, 'nothing-like-it')).words).toEqual([]);
  });

  test('suggests flags', async ({ world, expect }) => {
    const { words } = await offered(world, 'uninstall', '--');
    expect(words).toEqual(
      expect.arrayContaining(['--all', '--client', '--scope', '--yes', '--quiet', '--json']),
    );
    expect((await offered(world, 'list', '--ver')).words).toEqual(['--verbose']);
  });

  test('suggests choices', async ({ world, expect }) => {
    const ids = CLIENTS.map(({ id }) => id);
    expect((await offered(world, 'install', '--scope', '')).words).toEqual([
      'user',
      'project',
      'local',
    ]);
    expect((await offered(world, 'install', '--scope', 'l')).words).toEqual(['local']);
    expect((await offered(world, 'install', '--client', '')).words).toEqual(ids);
    expect((await offered(world, 'scan', '--from', 'c')).words).toEqual(
      ids.filter((id) => id.startsWith('c')),
    );
    expect((await offered(world, 'fire', 'x', 'session', '--allow', 'c')).words).toEqual([
      'context-tool',
      'command',
    ]);
    expect((await offered(world, 'completion', '')).words).toEqual(['bash', 'zsh', 'fish']);
  });

  test('suggests labels, and events after them', async ({ world, expect }) => {
    for (const command of ['update', 'uninstall', 'list', 'fire', 'verify', 'trust', 'install'])
      expect([command, (await offered(world, command, '')).words]).toEqual([command, []]);
    await install(world);
    for (const command of ['update', 'uninstall', 'list', 'fire', 'verify', 'trust', 'install'])
      expect([command, (await offered(world, command, '')).words]).toEqual([command, ['annal']]);
    expect((await offered(world, 'uninstall', 'annal', 'a')).words).toEqual(['annal']);
    expect((await offered(world, 'fire', 'annal', '')).words).toEqual([...ALL_EVENTS]);
    expect((await offered(world, 'list', 'annal', '')).words).toEqual([]);
    const before = await world.stamps();
    for (const command of ['log', 'doctor'])
      expect([command, (await offered(world, command, '')).words]).toEqual([command, ['annal']]);
    expect((await offered(world, 'login', '')).words).not.toContain('annal');
    expect((await offered(world, 'verify', './an')).words).not.toContain('annal');
    expect(await world.stamps()).toEqual(before);
  });

  test('leaves paths to the shell', async ({ world, expect }) => {
    await install(world);
    for (const typed of [
      ['install', './a'],
      ['verify', 'annal.j'],
      ['install', 'some folder/'],
      ['validate', ''],
      ['validate', 'annal'],
      ['fire', 'annal', 'session_start', '--payload', ''],
    ])
      expect([typed, await offered(world, ...typed)]).toEqual([
        typed,
        { words: [], directive: ':0' },
      ]);
    expect((await offered(world, 'validate', '--str')).words).toEqual(['--strict']);
  });

  test.for<[string, string]>([
    ['broken', '{'],
    ['of another shape', '{ "version": 1, "installs": 7 }'],
    ['not text', '\u0000\u0001'],
  ])('ignores a ledger that is %s', async ([, text], { world, expect }) => {
    await install(world);
    await world.write('~/.mcp-hooks/ledger.json', text);
    expect(await offered(world, 'uninstall', '')).toEqual({ words: [], directive: ':4' });
    expect((await offered(world, '')).words).toEqual(COMMANDS);
  });

  test('does not suggest a label that the shell would interpret', async ({ world, expect }) => {
    await install(world);
    const text = await world.read('~/.mcp-hooks/ledger.json');
    for (const label of ['$(touch owned)', 'a\\nb', '--all']) {
      await world.write(
        '~/.mcp-hooks/ledger.json',
        text.replaceAll('"label": "annal"', `"label": "${label}"`),
      );
      expect((await offered(world, 'uninstall', '')).words).toEqual([]);
    }
  });

  test('works without a home folder', async ({ world, expect }) => {
    for (const HOME of [undefined, '/nowhere']) {
      const { code, out } = await world.run(['complete', '--', 'unin'], { env: { HOME } });
      expect([code, out]).toEqual([0, 'uninstall\tremove exactly what install added\n:4\n']);
    }
  });

  test('answers the shell scripts from a process of its own', async ({ world, expect }) => {
    const { code, out, err } = await world.runProcess(['complete', '--', 'verif']);
    expect([code, out, err]).toEqual([0, 'verify\tprove that installed hooks fire\n:4\n', '']);
  });
});

describe('completion', () => {
  test.for(['bash', 'zsh', 'fish'])(
    '%s: is a script that the shell can parse',
    async (shell, { world, expect }) => {
      const { code, out, err } = await world.run(['completion', shell]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('mcp-hooks complete --');
      if (has(shell)) {
        await world.write('script', out);
        const { status, stderr } = spawnSync(shell, ['-n', world.path('script')]);
        expect([status, String(stderr)]).toEqual([0, '']);
      }
      const { out: printed } = await world.run(['completion', shell, '--json']);
      expect(JSON.parse(printed)).toEqual({ schemaVersion: 1, shell, script: out });
    },
  );

  test('makes bash offer the suggestions that it gets', async ({ world, expect, skip }) => {
    if (!has('bash')) skip('no bash here');
    const { out } = await world.run('completion bash');
    await world.write('script', out);
    // The typed line, the words that mcp-hooks gets, its answer, and what bash offers, with or without files.
    for (const [typed, asked, answer, replies] of [
      ['mcp-hooks un', 'un', 'uninstall\\tremove\\nother\\n:4', 'uninstall no files'],
      ['mcp-hooks list ', 'list|', 'annal\\nnotes\\n:4', 'annal notes no files'],
      ['mcp-hooks  install --scope=l', 'install|--scope=l', 'local\\nuser\\n:4', 'local no files'],
      ['mcp-hooks install npm:an', 'install|npm:an', ':4', 'no files'],
      ['mcp-hooks install ./an', 'install|./an', ':0', ''],
      ['mcp-hooks list $(echo>owned', 'list|$(echo>owned', ':4', 'no files'],
      ['mcp-hooks list *', 'list|*', ':4', 'no files'],
    ] as const) {
      const { stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile'], {
        cwd: world.work,
        env: { PATH: '/usr/bin:/bin', LINE: typed, ANSWER: answer },
        input: `
          . ./script; . ./script
          compopt() { [[ $* != '+o default' ]] || files='no files'; }
          mcp-hooks() { local IFS='|'; echo "\${*:3}" > asked; printf "$ANSWER\\n"; }
          COMP_LINE=$LINE COMP_POINT=\${#LINE}
          __mcp_hooks_complete
          echo \${COMPREPLY[*]} $files
        `,
      });
      const said = [String(stdout).trim(), String(stderr), (await world.read('asked')).trim()];
      expect([typed, ...said]).toEqual([typed, replies, '', asked]);
    }
    expect(Object.keys(await world.snapshot('.')).sort()).toEqual(['.', 'asked', 'script']);
    expect(out).toContain('complete -o default -F');
  });

  test('prints no description for a label', async ({ world, expect }) => {
    await install(world);
    expect((await world.run(['complete', '--', 'list', ''])).out).toBe('annal\n:4\n');
  });

  test.for([[], ['tcsh'], ['bash', 'zsh'], ['$(id)']])(
    'rejects an unknown shell: %j',
    async (shells, { world, expect }) => {
      const { code, out, err } = await world.run(['completion', ...shells]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^error: .*(?:shell|arguments)/);
    },
  );
});

describe('man', () => {
  const unescaped = (roff: string) =>
    roff.replaceAll('\\-', '-').replaceAll('\\&', '').replaceAll('\\e', '\\');

  test('names every command, flag and example', async ({ world, expect }) => {
    const { code, out, err } = await world.run('man');
    expect([code, err]).toEqual([0, '']);
    const text = unescaped(out);
    for (const command of COMMANDS) {
      expect(text).toMatch(new RegExp(`^\\.SS ${command}\\b`, 'm'));
      const { out: help } = await world.run([command, '--help']);
      for (const [flag] of help.matchAll(/^ {2}(?:-\w, )?--[\w-]+/gm))
        expect(text).toContain(`\\fB${flag.trim()}`);
      for (const [, example = ''] of help.matchAll(/^ {2}\$ (mcp-hooks .*)$/gm))
        expect(text).toContain(`$ ${example}`);
    }
  });

  test('describes flags and commands as --help does', async ({ world, expect }) => {
    const { out } = await world.run('man');
    const folded = (text: string) => text.replace(/\s+/g, ' ').trim();
    const withoutRequests = (roff: string) =>
      unescaped(roff.replace(/^\.[A-Z]{2}$|^\.(?:nf|fi)$/gim, ''));
    const page = folded(withoutRequests(out));
    for (const command of COMMANDS) {
      const [, section = ''] = out.split(new RegExp(`^\\.SS ${command}\\b`, 'm'));
      const own = folded(withoutRequests(section.split(/^\.S[SH]/m)[0] ?? ''));
      const { out: help } = await world.run([command, '--help']);
      const row = /^ {2}(-\S.*?) {2,}(\S.*(?:\n {10,}\S.*)*)/gm;
      const rows = [...help.matchAll(row)];
      expect(rows).not.toHaveLength(0);
      for (const [, flags = '', said = ''] of rows)
        expect(own).toContain(folded(`\\fB${flags}\\fR ${said}`));
      const last = rows.at(-1);
      const [about = ''] = help
        .slice((last?.index ?? 0) + (last?.[0].length ?? 0))
        .split('Examples:');
      expect(about.includes('<server> is one of') ? page : own).toContain(folded(about));
    }
    expect(page).toContain('(choices: "user", "project", "local", default: "user")');
  });

  test('uses only known requests', async ({ world, expect }) => {
    const { out } = await world.run('man');
    const requests = out.match(/^[.'].*$/gm) ?? [];
    const known = /^\.(?:TH MCP|SH [A-Z ]+$|SS [a-z]+ |TP$|PP$|nf$|fi$)/;
    expect(requests.filter((line) => !known.test(line))).toEqual([]);
    // Every backslash begins one of these escapes.
    expect(out.replace(/\\(?:-|e|&|f[BIR])/g, '')).not.toContain('\\');
  });

  test('is a single field in JSON', async ({ world, expect }) => {
    const { out } = await world.run('man');
    const { out: json } = await world.run('man --json');
    expect(JSON.parse(json)).toEqual({ schemaVersion: 1, page: out });
  });

  test('is part of the published package', async ({ world, expect }) => {
    const dist = dirname(inject('cli'));
    const { man } = JSON.parse(await readFile(join(dist, '../package.json'), 'utf8'));
    const { out } = await world.run('man');
    expect(await readFile(join(dist, '..', man), 'utf8')).toBe(out);
  });

  test('is rendered by groff without a warning', async ({ world, expect, skip }) => {
    if (!has('groff')) skip('no groff here');
    const { out } = await world.run('man');
    const { status, stderr, stdout } = spawnSync('groff', ['-man', '-Tascii', '-P-cbou', '-ww'], {
      input: out,
    });
    expect([status, String(stderr)]).toEqual([0, '']);
    expect(String(stdout)).toContain('EXIT STATUS');
  });
});

describe('version', () => {
  test('is printed for each way to ask for it', async ({ world, expect }) => {
    const { out: version } = await world.run('--version');
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const words of ['-v', '-V'])
      expect(await world.runProcess(words)).toMatchObject({ code: 0, out: version, err: '' });
    for (const words of ['-v', '--version', 'version'])
      expect(await world.run(words)).toMatchObject({ code: 0, out: version, err: '' });
    const { out } = await world.run('version --json');
    expect(JSON.parse(out)).toEqual({ schemaVersion: 1, version: version.trim() });
  });
});

describe('help', () => {
  test('lists each command once, on one line, next to its group', async ({ world, expect }) => {
    const { code, out } = await world.run('--help');
    expect(code).toBe(0);
    const rows = [...out.matchAll(/^(Start|Manage|Debug|Author|Other|) {2,}([a-z]+) {2,}\S/gm)];
    expect(rows.map(([, group]) => group).filter(Boolean)).toEqual([
      'Start',
      'Manage',
      'Debug',
      'Author',
      'Other',
    ]);
    expect(rows.map(([, , name]) => name).sort()).toEqual([...COMMANDS].sort());
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('is an error without a command, and is what `help` prints', async ({ world, expect }) => {
    const { out } = await world.run('--help');
    expect(await world.run('')).toMatchObject({ code: 2, out: '', err: out });
    expect(await world.run('help')).toMatchObject({ code: 0, out, err: '' });
    const { out: install } = await world.run('install --help');
    expect(await world.run('help install')).toMatchObject({ code: 0, out: install, err: '' });
    await world.write('annal.json', manifest(COMMITTED));
    const asked = await world.run('help install annal.json --yes --json');
    expect(asked).toMatchObject({ code: 0, out: install, err: '' });
    expect(await world.run('help nothing')).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown command 'nothing'"),
    });
  });

  test.for(COMMANDS)('has an example of %s', async (command, { world, expect }) => {
    const { code, out } = await world.run([command, '--help']);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Examples:\n {2}\\$ mcp-hooks ${command}\\b`, 'm')),
    ]);
  });

  test.for([
    ['80 columns', 80],
    ['60 columns', 60],
    ['no terminal', undefined],
  ] as const)('is no wider than the terminal: %s', async ([, columns], { world, expect }) => {
    for (const words of [['--help'], ...COMMANDS.map((command) => [command, '--help'])]) {
      const run = columns === undefined ? world.run(words) : runAt(columns, world, words);
      const lines = (await run).out.split('\n').filter((line) => line.length > (columns ?? 80));
      // Examples are not wrapped, because users copy them.
      expect([words, lines.filter((line) => !line.startsWith('  $ '))]).toEqual([words, []]);
    }
  });

  test('is the same in a terminal of 80 columns as without a terminal', async ({
    world,
    expect,
  }) => {
    for (const words of [['--help'], ['install', '--help'], ['fire', '--help']])
      expect((await runAt(80, world, words)).out).toBe((await world.run(words)).out);
  });
});
