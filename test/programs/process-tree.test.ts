/** Every process that a hook's program started is recognised as its own, and no other process is. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runnerCode } from '../../src/system/runner-code.ts';
import { isRunning, until } from '../support/processes.ts';
import { scratch } from '../support/runner/world.ts';

const templates = join(import.meta.dirname, '../../dist/templates');

const { connect } = runnerCode('./stdio.cjs');
const { descendantsOf, haveEnded, programTree } = runnerCode('./process-tree.cjs');

const env = { PATH: process.env.PATH };

/** Kills a process that a test left. It may end by itself in the meantime. */
async function end(pid: number): Promise<void> {
  try {
    if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
  } catch {}
}

/** Starts a program like the command of a hook. Returns its PID, and those that it prints. */
async function started(words: readonly string[], script: string): Promise<number[]> {
  const [program = '', ...args] = [...words, 'sh', '-c', script];
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env });
  const pids = [child.pid ?? 0];
  onTestFinished(async () => {
    const below = (await isRunning(pids[0] ?? 0)) ? descendantsOf(pids[0] ?? 0) : [];
    for (const pid of [...below, ...pids]) await end(pid);
  });
  const [said] = await once(child.stdout, 'data');
  pids.push(...String(said).trim().split(/\s+/).map(Number));
  return pids;
}

const runs = (name: string, pid = 0) =>
  until(`it runs ${name}`, async () => readFileSync(`/proc/${pid}/comm`, 'utf8') === `${name}\n`);

/** Shell code that sets the soft limit. The mark does not depend on it. */
const LOWERS = '{ command ulimit -S -w 5 || command ulimit -S -x 5; } 2>/dev/null';

const isGone = (pid = 0) => until('it has ended', async () => !(await isRunning(pid)));

/** A tree without its program, which goes after `words`. */
const newTree = () => programTree(['env'], env, '/');

test('a process from before the program is not killed with it, whatever it looks like', async () => {
  const tree = newTree();
  // The system shows the name within parentheses.
  const odd = join(scratch('odd'), 'a) b');
  symlinkSync('/bin/sleep', odd);
  const [former = 0] = await started(tree.words, 'echo $$; exec sleep 86400');
  const [other = 0] = await started(newTree().words, 'echo $$; exec sleep 86400');
  await new Promise((done) => setTimeout(done, 30)); // the system counts in ticks
  const [leader = 0, child] = await started(
    tree.words,
    `setsid env -i '${odd}' 86400 & echo $!; exec sleep 86400`,
  );
  await runs('a) b', child);
  tree.begun({ pid: leader, stdio: [] });
  tree.end();
  for (const pid of [leader, child]) await isGone(pid);
  expect([await isRunning(former), await isRunning(other)]).toEqual([true, true]);
});

test('processes left by a program that ended before it was looked at are killed', async () => {
  const file = join(scratch('started'), 'pid');
  const script = 'setsid env -i sleep 86400 <&- >&- 2>&- & echo $! >"$0"';
  const tree = programTree(['sh', '-c', script, file], env, '/');
  const [program, ...args] = tree.words;
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: { ...tree.env } });
  // Blocks this process, so that it has not noticed yet that the program ended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  tree.begun(child);
  tree.end();
  const pid = Number(readFileSync(file, 'utf8'));
  onTestFinished(() => end(pid));
  await isGone(pid);
});

test('descendants without a visible mark are found by their parents', async () => {
  const script = `setsid env -i sh -c 'sleep 86400 & echo $!; exec sleep 86400' & echo $!; exec sleep 86400`;
  const [leader = 0, ...children] = await started([], script);
  await until('all are there', () => descendantsOf(leader).length === 2);
  expect(descendantsOf(leader)).toEqual(expect.arrayContaining(children));
  expect(descendantsOf(leader)).not.toContain(process.pid);
  // The search does not find its own processes.
  expect(descendantsOf(process.pid)).toEqual(descendantsOf(process.pid));
});

test('processes of a program end even if its runner is killed', async () => {
  const script = `${LOWERS}; setsid env -i sleep 86400 <&- >&- 2>&- & echo $! >&3; exec sleep 86400`;
  const kills = `
    const { runCommand } = require(${JSON.stringify(join(templates, 'command.cjs'))});
    const words = ['sh', '-c', 'exec 3>"$0"; ${script}', process.argv[1]];
    runCommand({ words, files: {} }, '{}', '/', { until: Date.now() + 60_000 });
    const { readFileSync } = require('node:fs');
    const file = process.argv[1];
    const look = () => {
      let said = '';
      try { said = readFileSync(file, 'utf8') } catch {}
      if (!said.endsWith('\\n')) return setTimeout(look, 10);
      process.stdout.write(said, () => process.kill(process.pid, 'SIGKILL'));
    };
    look();
  `;
  const file = join(scratch('started'), 'pid');
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['-e', kills, file], { env }, (_error, stdout) => resolve(stdout));
  });
  const pid = Number(said);
  expect(pid).toBeGreaterThan(1);
  onTestFinished(() => end(pid));
  await isGone(pid);
});

/** Words that run a program as an ordinary user; undefined if that is not possible here. */
const asUser =
  process.getuid?.() !== 0
    ? ['env']
    : existsSync('/usr/bin/setpriv')
      ? ['/usr/bin/setpriv', '--reuid=65534', '--clear-groups']
      : undefined;

test.skipIf(asUser === undefined)(
  'a program cannot lift the limit that marks it, so processes that it starts after trying end, too',
  async () => {
    const lifts = '{ command ulimit -w unlimited || command ulimit -x unlimited; } 2>/dev/null';
    const tree = newTree();
    const [leader = 0, child] = await started(
      [...tree.words, ...(asUser ?? [])],
      `${lifts} && exit; ${LOWERS}; setsid env -i sleep 86400 & echo $!; exec sleep 86400`,
    );
    await runs('sleep', child);
    tree.begun({ pid: leader, stdio: [] });
    tree.end();
    for (const pid of [leader, child]) await isGone(pid);
  },
);

/** A hook whose program starts another hook, to the depth in `process.argv[1]`. The innermost leaves a process behind. */
const NESTED = `
  const { runCommand } = require(${JSON.stringify(join(templates, 'command.cjs'))});
  const [, depth, file, nested] = process.argv;
  const leaves = 'setsid env -i sleep 86400 <&- >&- 2>&- & echo $! >&3; exec sleep 86400';
  const words = depth === '1'
    ? ['sh', '-c', 'exec 3>"$0"; ' + leaves, file]
    : ['node', '-e', nested, String(depth - 1), file, nested];
  runCommand({ words, files: {} }, '{}', '/', { until: Date.now() + 60_000 });
`;

test.each([1, 2, 3])('processes of nested hooks end, too: depth %i', async (depth) => {
  const file = join(scratch('started'), 'pid');
  const wait = `until [ -s "$3" ]; do sleep 0.02; done; cat "$3"`;
  const tree = newTree();
  const script = `node -e "$1" "$2" "$3" "$1" & ${wait}; wait`;
  const [leader = 0, pid = 0] = await started(
    [...tree.words, 'sh', '-c', script, 'sh', NESTED, String(depth), file],
    '',
  );
  tree.begun({ pid: leader, stdio: [] });
  expect(await isRunning(pid)).toBe(true);
  tree.end();
  await isGone(pid);
});

test('a nested hook kills what its own program left, and nothing of the outer hook', async () => {
  const file = join(scratch('started'), 'pid');
  const inner = `
    const { runCommand } = require(${JSON.stringify(join(templates, 'command.cjs'))});
    const script = 'setsid env -i sleep 86400 <&- >&- 2>&- & echo $! >"$0"';
    runCommand({ words: ['sh', '-c', script, process.argv[1]], files: {} }, '{}', '/', { until: Date.now() + 60_000 });
  `;
  const tree = newTree();
  const script = `setsid sleep 86400 & one=$!; node -e "$1" "$2"; printf "%s\\n" $one $(cat "$2"); wait`;
  const [leader = 0, other, pid] = await started(
    [...tree.words, 'sh', '-c', script, 'sh', inner, file],
    '',
  );
  await isGone(pid);
  expect(await isRunning(other ?? 0)).toBe(true);
  tree.begun({ pid: leader, stdio: [] });
  tree.end();
  for (const one of [leader, other]) await isGone(one);
});

test('a nested mark begins with the outer one, and is a lower limit or none', async () => {
  const look = `
    const { programTree } = require(${JSON.stringify(join(templates, 'process-tree.cjs'))});
    const { words: [, , , , given, limit], env } = programTree(['env'], process.env, '/');
    const mark = env.MCP_HOOKS_COMMAND;
    console.log(JSON.stringify([mark, given === mark ? limit : given]));
  `;
  const below = async (limit: string): Promise<[string, string]> => {
    const script = `command ulimit -w ${limit} || command ulimit -x ${limit}; exec node -e "$0"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script, look], { env });
    return JSON.parse(stdout);
  };
  const [outer, first] = await below('unlimited');
  expect([outer, first]).toEqual([expect.stringMatching(/^[1-7]\d{9}$/), `${outer}999999999`]);
  const [second, its] = await below(first);
  expect([second, its]).toEqual([expect.stringMatching(`^${outer}[1-8]\\d{8}$`), second]);
  const [third, none] = await below(second);
  expect([third, none]).toEqual([expect.stringMatching(`^${second}\\d{9}$`), '']);
  const [other] = await below('1000');
  expect(other).toMatch(/^\d{10}$/);
});

test('a process that started during a search is found by the next search', async () => {
  const tree = newTree();
  const [leader = 0, first, second] = await started(
    tree.words,
    'setsid sleep 86400 & one=$!; setsid sleep 86400 & printf "%s\\n" $one $!; exec sleep 86400',
  );
  for (const pid of [first, second]) await runs('sleep', pid);
  vi.spyOn(fs, 'readdirSync').mockReturnValueOnce([String(first)] as never);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  tree.begun({ pid: leader, stdio: [] });
  tree.end();
  for (const pid of [leader, first, second]) await isGone(pid);
});

test('a program is looked up from the folder where it runs, and a folder is not a program', () => {
  const folder = scratch('programs');
  for (const name of ['first', 'second']) mkdirSync(join(folder, name));
  mkdirSync(join(folder, 'first/it'));
  const it = join(folder, 'second/it');
  writeFileSync(it, '');
  chmodSync(it, 0o755);
  const PATH = `${folder}/first:${folder}/second`;
  expect(programTree(['it'], { PATH }, '/').words.at(-1)).toBe(it);
  expect(programTree(['./it'], {}, join(folder, 'second')).words.at(-1)).toBe(it);
});

test('a missing program and a file that is not executable have errors of their own', () => {
  const codeOf = (program: string, path?: string) => {
    try {
      return programTree([program], path === undefined ? {} : { PATH: path }, '/').words.at(-1);
    } catch (error) {
      return Reflect.get(Object(error), 'code');
    }
  };
  expect([
    codeOf('no-such-program', '/usr/bin:/bin'),
    codeOf('/no/such/program'),
    codeOf(import.meta.filename),
    codeOf('env'),
    codeOf('env', ''),
    codeOf('env', '/no/such/folder:/usr/bin'),
  ]).toEqual(['ENOENT', 'ENOENT', 'EACCES', '/usr/bin/env', '/usr/bin/env', '/usr/bin/env']);
});

test('a group has ended when nothing in it runs, even if it was not reaped', async () => {
  // With job control, both programs are one group of the shell's children. The shell becomes a program that never reaps them.
  const jobs =
    'set -m; sleep 86400 | sleep 86400 & printf "%s %s\\n" "$(jobs -p)" $!; exec sleep 86400';
  const [parent = 0, leader = 0, other = 0] = await started([], `exec bash -c '${jobs}'`);
  await runs('sleep', parent);
  // 0 would mean the group of this process.
  expect([leader, other].map((pid) => pid > 1)).toEqual([true, true]);
  expect(haveEnded(leader)).toBe(false);
  process.kill(leader, 'SIGKILL');
  await isGone(leader);
  expect(haveEnded(leader)).toBe(false);
  process.kill(other, 'SIGKILL');
  await until('all of it has ended', async () => haveEnded(leader));
  // Both still exist as zombies.
  process.kill(-leader, 0);
});

test.runIf(process.platform === 'linux')(
  'what a server writes as it ends is read, even if this process is busy meanwhile',
  async () => {
    const folder = scratch();
    const go = join(folder, 'go');
    const script = `until [ -e '${go}' ]; do sleep 0.01; done; echo no database >&2; exit 7`;
    const server = connect({ command: '/bin/sh', args: ['-c', script], cwd: folder, env });
    const hasEnded = (pid = 0) => /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // Node learns of the server's end from the signal of another program, before it looks for output.
    const other = spawn('/bin/sh', ['-c', 'echo now'], { env });
    other.stdout.once('data', () => {
      writeFileSync(go, '');
      while (!hasEnded(server.child.pid));
    });
    server.child.once('exit', () => {
      setImmediate(() => {
        for (const since = performance.now(); performance.now() - since < 300; );
      });
    });
    const asked = server.ask('initialize', {});
    while (!hasEnded(other.pid));
    await expect(asked).rejects.toMatchObject({ why: { code: 'ended' }, ended: 7 });
    expect(server.noise.stderr).toBe('no database\n');
  },
);
