/** The properties of macOS that a test can show on another system. */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { recorded } from '../support/runner/clients.ts';
import { install, scratch, type World } from '../support/runner/world.ts';

const NODE = process.execPath;
const pathOf = (program: string) =>
  spawnSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();

/** The programs that the first stage starts. */
const PROGRAMS = ['cat', 'date', 'dd', 'grep', 'mkdir'];
/** By program, a check that refuses options outside POSIX. */
const POSIX: Readonly<Record<string, string>> = {
  cat: 'case $* in "") ;; *) exit 2 ;; esac',
  date: 'case $* in +*) ;; *) exit 1 ;; esac',
  dd: 'for word; do case $word in bs=* | count=*) ;; *) exit 2 ;; esac; done',
  grep: 'for word; do case $word in -[EFclqinsvx] | -e | -f) ;; -*) exit 2 ;; esac; done',
  mkdir: 'for word; do case $word in -p | -m) ;; -*) exit 2 ;; esac; done',
};

/** Writes a program that runs a line of shell. */
function script(line: string, name: string, folder = scratch(name)): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return file;
}

describe('a home on a disk that ignores the case and the Unicode form of names', () => {
  const [COMPOSED, OTHER] = ['Jos\u00e9', 'JOSe\u0301'] as const;
  const SETTINGS = '{ "theme": "dark" }\n';

  function machine() {
    const root = realpathSync(scratch('disk'));
    const home = join(root, COMPOSED);
    for (const folder of ['.claude', '.codex']) mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, '.claude/settings.json'), SETTINGS);
    for (const [name, context] of [
      ['one', 'One.'],
      ['two', 'Two.'],
    ] as const) {
      const hook = { event: 'session_start', context, priority: 'suggestion' };
      writeFileSync(
        join(home, `${name}.json`),
        JSON.stringify({ hooks: { declarations: [hook] } }),
      );
    }
    const run = (named: string, ...words: string[]) => {
      const fold = join(import.meta.dirname, 'fold.cjs');
      const { status, stdout, stderr } = spawnSync(
        NODE,
        ['--require', fold, inject('cli'), ...words],
        {
          cwd: home,
          env: { HOME: join(root, named), FOLDED: root, PATH: '/usr/bin:/bin' },
          encoding: 'utf8',
        },
      );
      return { status, said: stdout + stderr };
    };
    const settings = () => readFileSync(join(home, '.claude/settings.json'), 'utf8');
    return { home, run, settings };
  }

  test('is the same home in every spelling: nothing is installed twice, and an uninstall removes everything', () => {
    const { home, run, settings } = machine();
    const add = ['install', './one.json', '--name', 'memory', '--yes'];
    expect(run(COMPOSED, ...add)).toMatchObject({ status: 0 });
    const installed = settings();
    expect(run(OTHER, ...add)).toEqual({
      status: 0,
      said: expect.stringContaining('Nothing to do'),
    });
    expect(run(OTHER, 'list').said).toContain('Claude Code  intact');
    expect(settings()).toBe(installed);
    expect(run(OTHER, 'uninstall', 'memory', '--yes')).toMatchObject({ status: 0 });
    expect(settings()).toBe(SETTINGS);
    expect(readdirSync(home).sort()).toEqual(['.claude', '.codex', 'one.json', 'two.json']);
  });

  test('a label that differs only in case is refused, and the first label is unchanged', () => {
    const { home, run, settings } = machine();
    run(COMPOSED, 'install', './one.json', '--name', 'memory', '--yes');
    const installed = settings();
    expect(run(COMPOSED, 'install', './two.json', '--name', 'Memory', '--yes')).toEqual({
      status: 2,
      said: expect.stringContaining('differs from the installed "memory" only in case'),
    });
    expect(settings()).toBe(installed);
    expect(readdirSync(join(home, '.mcp-hooks/servers'))).toEqual(['memory']);
  });
});

const PAYLOAD = (session: string, source = 'startup') =>
  JSON.stringify(recorded('claude-code', 'SessionStart', { session_id: session, source }));

/** The output of an event's command in a client with this environment. */
function prints(made: World, event: string, input: string, env: Record<string, string>) {
  const line = made.command('claude-code', event) ?? 'exit 9';
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], {
    cwd: made.cwd,
    env,
    input,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe("a client that was started from the Dock, with launchd's PATH", () => {
  const hooks = [{ event: 'session_start', context: 'Hi from {project_name}.' }] as const;

  test('hooks run with the node that installed them, which is not in that PATH', () => {
    const PATH = scratch('launchd');
    for (const name of PROGRAMS) symlinkSync(pathOf(name), join(PATH, name));
    const node = script(`exec ${NODE} "$@"`, 'node');
    const made = install({ hooks, node });
    expect(prints(made, 'SessionStart', PAYLOAD('a'), { PATH })).toContain('Hi from');
    rmSync(node);
    // Without this node, the hook is silent, and blocks nothing.
    expect(prints(made, 'SessionStart', PAYLOAD('b'), { PATH })).toBe('');
  });
});

describe('without /proc', () => {
  const darwin = join(import.meta.dirname, 'darwin.cjs');
  const node = () => script(`exec ${NODE} --require ${darwin} "$@"`, 'node');
  const env = { PATH: process.env.PATH ?? '' };

  test('ps tells two processes of one session apart, and each gets the text once', () => {
    const made = install({ hooks: [{ event: 'session_start', context: 'Hi.' }], node: node() });
    const line = made.command('claude-code', 'SessionStart') ?? 'exit 9';
    const file = join(scratch('payload'), 'payload');
    writeFileSync(file, PAYLOAD('s', 'compact'));
    /** How often a client that runs the hook so many times gets the text. */
    const told = (times: number, PATH = env.PATH) => {
      const lines = Array(times).fill('/bin/sh -c "$LINE" <"$FILE"');
      const { stdout } = spawnSync('/bin/sh', ['-c', [...lines, ':'].join('\n')], {
        cwd: made.cwd,
        env: { PATH, LINE: line, FILE: file },
        encoding: 'utf8',
      });
      return stdout.split('additionalContext').length - 1;
    };
    expect([told(3), told(2)]).toEqual([1, 1]);
    // If the parent of a shell cannot be found, it is better to give the text twice than never.
    expect(told(2, '/nonexistent')).toBe(2);
  });

  test('the lock of an ended process is removed, and that of a running process is not', async () => {
    const lock = join(scratch('lock'), 'lock');
    const locked = (holder: string) => {
      writeFileSync(lock, holder);
      const take = `const { lockedNow } = require(${JSON.stringify(join(import.meta.dirname, '../../dist/templates/lock.cjs'))});
        process.stdout.write(String(lockedNow(${JSON.stringify(lock)}, () => 'taken')));`;
      const words = ['--require', darwin, '-e', take];
      return spawnSync(NODE, words, { encoding: 'utf8' }).stdout;
    };
    const other = spawn('sleep', ['60']);
    try {
      expect(locked(String(other.pid))).toBe('undefined');
    } finally {
      other.kill('SIGKILL');
      await new Promise((done) => other.once('exit', done));
    }
    expect(locked(String(other.pid))).toBe('taken');
    expect(existsSync(lock)).toBe(false);
  });

  const unshare = pathOf('unshare');
  const isAllowed =
    spawnSync(unshare, ['-m', 'mount', '-t', 'tmpfs', 'none', '/proc']).status === 0;
  test.skipIf(!isAllowed)(
    'the first stage logs the time (skipped where nothing can be mounted)',
    () => {
      const made = install({ hooks: [{ event: 'session_start', context: 'Hi.' }], node: node() });
      const line = made.command('claude-code', 'SessionStart') ?? 'exit 9';
      const without = 'mount -t tmpfs none /proc && exec /bin/sh -c "$1"';
      const { stdout } = spawnSync(unshare, ['-m', '/bin/sh', '-c', without, 'sh', line], {
        env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
        input: PAYLOAD('a'),
        encoding: 'utf8',
      });
      expect(stdout).toContain('Hi.');
      const { at } = JSON.parse(readFileSync(join(made.state, 'log/annal.jsonl'), 'utf8'));
      expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
      expect(existsSync(join(made.state, 'sessions/clock'))).toBe(false);
    },
  );
});

describe.each(['toybox', 'busybox', 'plan9', 'POSIX alone'])('the programs of %s', (name) => {
  const from = name === 'plan9' ? '/usr/lib/plan9/bin' : pathOf(name);
  const isHere = name === 'POSIX alone' || existsSync(from);
  /** A PATH with only these programs. */
  const only = () => {
    const folder = scratch('programs');
    for (const program of PROGRAMS) {
      const own = name === 'plan9' ? join(from, program) : from;
      if (name === 'POSIX alone')
        script(`${POSIX[program]}\nexec ${pathOf(program)} "$@"`, program, folder);
      // The grep of plan9 exits with 1 for unknown options, as if it had found nothing.
      else if (existsSync(own) && `${name} ${program}` !== 'plan9 grep')
        symlinkSync(own, join(folder, program));
      else symlinkSync(pathOf(program), join(folder, program));
    }
    return { PATH: folder };
  };
  const echo = () => script('printf "given:"; exec /bin/cat', 'node');

  test.skipIf(!isHere)(
    'find the text of a matcher in a payload of any length, and pass the payload on',
    () => {
      const made = install({
        hooks: [
          { event: 'post_tool_use', matcher: { input_contains: 'git commit' }, context: 'Hi.' },
        ],
        node: echo(),
      });
      const env = only();
      for (const length of [10, 70_000, 600_000]) {
        const payload = `{"a":"${'x\\n'.repeat(length / 3)}","b":"git commit"}`;
        const given = prints(made, 'PostToolUse', payload, env);
        expect(given.trimEnd() === `given:${payload}`, `${length}`).toBe(true);
      }
    },
  );

  test.skipIf(!isHere)('show a text known since the install, with a valid line in the log', () => {
    const made = install({ hooks: [{ event: 'session_start', context: 'Hi.' }], node: echo() });
    expect(prints(made, 'SessionStart', PAYLOAD('a'), only())).toContain('Hi.');
    const log = join(made.state, 'log/annal.jsonl');
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    for (const line of lines)
      expect(Math.abs(Date.now() - JSON.parse(line).at)).toBeLessThan(60_000);
    // Without a program for the time, nothing is logged.
    if (name !== 'plan9') expect(lines).toHaveLength(1);
  });

  test.skipIf(!isHere)('block a call that cannot be checked for lack of a node', () => {
    const guard = {
      event: 'pre_tool_use',
      block: 'No.',
      on_failure: 'deny',
      priority: 'suggestion',
    };
    const manifest = JSON.stringify({
      version: 2,
      name: 'annal',
      hooks: { declarations: [guard] },
    });
    const defaults = { ...RULES, block: true };
    const made = install({ hooks: [], manifest, node: '/nowhere/node', defaults });
    const payload = JSON.stringify(recorded('claude-code', 'PreToolUse'));
    expect(prints(made, 'PreToolUse', payload, only())).toContain('"deny"');
  });
});
