/** Commands in the background: the client continues at once, and no process or record is left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { processes } from '../../src/system/process-id.ts';
import { endAll, running, token } from '../support/processes.ts';
import { type ChainWorld, chain, reasonsOf } from '../support/runner/chain.ts';

const hook = (
  script: string,
  { mark = '', ...more }: { mark?: string; deadline?: number } = {},
) => ({
  event: 'post_tool_use',
  command: ['sh', '-c', script, 'sh', mark],
  async: true,
  ...more,
});

const soon = { timeout: 10_000, interval: 50 };
const runs = (mark: string) => expect.poll(() => running(mark), soon).not.toEqual([]);
const isGone = (mark: string) => expect.poll(() => running(mark), soon).toEqual([]);

const recordsOf = ({ state }: ChainWorld): string[] =>
  readdirSync(join(state, 'sessions')).filter((name) => name.startsWith('background.'));
const isOver = (world: ChainWorld) => expect.poll(() => recordsOf(world), soon).toEqual([]);

/** The command waits for the file `go`, and then writes `done`. */
const WAITS = 'cat >told; until [ -e go ]; do sleep 0.05; done; echo >done';

test('the client gets its answer, and every stream closes, before the command ends', async () => {
  const world = chain({
    hooks: [hook(WAITS), { event: 'post_tool_use', context: 'Shown.', order: 60 }],
  });
  const there = (name: string) => existsSync(join(world.cwd, name));
  // It returns when the streams have ended, which the command would hold open.
  const { answer } = await world.fire('PostToolUse');
  expect(JSON.stringify(answer)).toContain('Shown.');
  expect(there('done')).toBe(false);
  writeFileSync(join(world.cwd, 'go'), '');
  await expect.poll(() => there('done'), soon).toBe(true);
  await isOver(world);
  expect(JSON.parse(readFileSync(join(world.cwd, 'told'), 'utf8'))).toMatchObject({
    event: 'post_tool_use',
    cwd: world.cwd,
    tool_name: 'Bash',
  });
  expect(world.log()).toMatchObject([
    {
      hooks: [1, 2],
      each: [
        { hook: 1, characters: 0, background: true },
        { hook: 2, characters: expect.any(Number) },
      ],
    },
  ]);
  expect(world.log()[0]).not.toHaveProperty('why');
});

test('the command reads an event of any size', async () => {
  const world = chain({ hooks: [hook('cat >told; mv told whole')] });
  const command = 'x'.repeat(3_000_000);
  await world.fire('PostToolUse', { tool_input: { command } });
  const file = join(world.cwd, 'whole');
  await expect.poll(() => existsSync(file), soon).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8')).tool_input.command).toBe(command);
});

test('the command inherits no open file of the client', async () => {
  const mark = token();
  const world = chain({ hooks: [hook('exec sleep $1', { mark })] });
  const words = [join(world.folder, 'runner/runner.cjs'), 'claude-code', 'PostToolUse', 'whole'];
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] as const;
  const env = { PATH: process.env.PATH, HOME: world.folder };
  const client = spawn(process.execPath, words, { stdio: [...stdio], cwd: world.cwd, env });
  client.stdin?.end(JSON.stringify({ session_id: 'one', cwd: world.cwd, tool_name: 'Bash' }));
  for (const stream of client.stdio.slice(1)) (stream as NodeJS.ReadableStream).resume();
  await once(client, 'close'); // of all five
  await runs(mark);
});

test('the answer of the command blocks nothing, and is not shown', async () => {
  const said = JSON.stringify({ decision: 'block', reason: 'No.', additionalContext: 'Read me.' });
  const world = chain({ hooks: [hook(`echo '${said}'; echo No. >&2; exit 2`)] });
  expect((await world.fire('PostToolUse')).stdout).toBe('');
  await expect.poll(() => reasonsOf(world), soon).toEqual(['command-failed']);
  expect(world.log()).toMatchObject([
    { hooks: [1] },
    { hooks: [], each: [{ hook: 1, failed: true, background: true }], why: [{ status: '2' }] },
  ]);
});

test('a command that prints forever runs until its deadline', async () => {
  const mark = token();
  const world = chain({ hooks: [hook('exec yes $1', { mark, deadline: 1500 })] });
  await world.fire('PostToolUse');
  await runs(mark);
  await isGone(mark);
  await expect.poll(() => reasonsOf(world), soon).toEqual(['background-ended']);
});

test('a file that has changed since the user allowed it is not run', async () => {
  const world = chain({
    hooks: [{ event: 'post_tool_use', command: ['./run.sh'], async: true }],
    files: { 'run.sh': '#!/bin/sh\necho ran >ran' },
  });
  writeFileSync(join(world.folder, 'run.sh'), '#!/bin/sh\necho other >ran');
  await world.fire('PostToolUse');
  await expect.poll(() => reasonsOf(world), soon).toEqual(['command-changed']);
  expect(existsSync(join(world.cwd, 'ran'))).toBe(false);
});

test('the command is not started below itself', async () => {
  const world = chain({ hooks: [hook('echo "$MCP_HOOKS_WITHIN" >within')] });
  await world.fire('PostToolUse');
  const file = join(world.cwd, 'within');
  const within = () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');
  await expect.poll(within, soon).toMatch(/^annal\//);
  await isOver(world);
  await world.fire('PostToolUse', {}, { MCP_HOOKS_WITHIN: within() });
  expect(reasonsOf(world)).toEqual(['within-itself']);
});

describe('the command is killed', () => {
  /** Ways for a child to escape its parent. */
  const ESCAPES = [
    'sleep $1 &',
    'nohup sleep $1 >/dev/null 2>&1 &',
    'setsid env -i sleep $1 <&- >&- 2>&- &',
    '(setsid env -i sleep $1 &) &',
  ].join('\n');
  const children = (mark: string) => running(mark).filter((line) => /^ *\d+ sleep /.test(line));
  const started = async (more: object = {}) => {
    const mark = token();
    const script = `${ESCAPES}\nexec sleep $1`;
    const world = chain({ hooks: [hook(script, { ...more, mark })] });
    await world.fire('PostToolUse');
    await expect.poll(() => children(mark).length, soon).toBe(5);
    return { world, mark };
  };

  test('at its deadline, with every process that it started', async () => {
    const { world, mark } = await started({ deadline: 4000 });
    await isGone(mark);
    await isOver(world);
    expect(reasonsOf(world)).toEqual(['background-ended']);
  });

  test.each<[string, (world: ChainWorld) => void]>([
    [
      'its record is gone',
      (world) => {
        for (const name of recordsOf(world)) rmSync(join(world.state, 'sessions', name));
      },
    ],
    ['its runner is gone', ({ folder }) => rmSync(join(folder, 'runner'), { recursive: true })],
    ['the state folder is gone', ({ state }) => rmSync(state, { recursive: true })],
    ['it is muted', (world) => policy(world, { muted: { [idIn(world)]: 'hook' } })],
    ['its label is muted', (world) => policy(world, { muted: true })],
    ['the policy forbids commands', (world) => policy(world, { command: false })],
    ['the policy cannot be read', ({ state }) => writeFileSync(join(state, 'policy.json'), '{')],
  ])('when %s', async (_when, change) => {
    const { world, mark } = await started();
    change(world);
    await isGone(mark);
    if (existsSync(world.state)) await isOver(world);
    // The log reports no failure, because the command was no longer wanted.
    expect(reasonsOf(world)).toEqual([]);
  });

  test('when the process that runs it is killed', async () => {
    const { world, mark } = await started();
    const [record = ''] = recordsOf(world);
    const file = join(world.state, 'sessions', record);
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGKILL');
    await isGone(mark);
    // The record that it left takes no slot.
    await world.fire('PostToolUse', { session_id: 'two' });
    await expect.poll(() => children(mark).length, soon).toBe(5);
  });

  const policy = ({ state }: ChainWorld, rules: object) =>
    writeFileSync(join(state, 'policy.json'), JSON.stringify({ servers: { annal: rules } }));
  const idIn = ({ compiled }: ChainWorld): string =>
    Object.values(compiled.program.events)[0]?.hooks[0]?.id ?? '';
});

describe('an uninstall while the command starts', () => {
  /** Removes files while the runner starts the command. Returns whether it ran, its records, and the log. */
  const meanwhile = async (fault: string) => {
    const world = chain({ hooks: [hook('echo ran >ran')] });
    const file = join(world.folder, 'fault.cjs');
    const started = join(world.folder, 'started');
    const code = `const fs = require('node:fs');
const processes = require('node:child_process');
const { spawn } = processes;
const { linkSync } = fs;
const inFolder = (folder, name) => fs.readdirSync(folder).filter((one) => one.startsWith(name));
const sessions = ${JSON.stringify(join(world.state, 'sessions'))};
const runner = ${JSON.stringify(join(world.folder, 'runner'))};
const remove = (folder, name) => inFolder(folder, name).forEach((one) => fs.rmSync(folder + '/' + one));
processes.spawn = (...words) => {
  const child = spawn(...words);
  fs.writeFileSync(${JSON.stringify(started)}, String(child.pid));
  ${fault === 'spawn' ? "remove(sessions, 'background.')" : ''}
  return child;
};
fs.linkSync = (from, to) => {
  linkSync(from, to);
  ${fault === 'lock' ? "if (to.includes('background.')) remove(runner, 'background.cjs')" : ''}
};
`;
    writeFileSync(file, code);
    await world.fire('PostToolUse', {}, { NODE_OPTIONS: `--require=${file}` });
    const pid = existsSync(started) ? Number(readFileSync(started, 'utf8')) : undefined;
    if (pid !== undefined) {
      const stat = () => {
        try {
          return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) (.).*/s, '$1');
        } catch {
          return 'gone';
        }
      };
      await expect.poll(stat, soon).toMatch(/^(?:gone|Z)$/);
    }
    const ran = existsSync(join(world.cwd, 'ran'));
    return { isStarted: pid !== undefined, ran, records: recordsOf(world), why: reasonsOf(world) };
  };

  test.runIf(process.platform === 'linux')(
    'prevents the run, and the record is not written again',
    async () => {
      const nothing = { ran: false, records: [], why: [] };
      expect(await meanwhile('spawn')).toEqual({ isStarted: true, ...nothing });
      expect(await meanwhile('lock')).toEqual({ isStarted: false, ...nothing });
      expect(await meanwhile('')).toMatchObject({ isStarted: true, ran: true, records: [] });
    },
  );
});

describe('commands of one label', () => {
  test('run at most four at a time', async () => {
    const mark = token();
    const world = chain({ hooks: [hook('exec sleep $1', { mark })] });
    await Promise.all(Array.from({ length: 10 }, () => world.fire('PostToolUse')));
    await expect
      .poll(() => running(mark).filter((line) => /^ *\d+ sleep /.test(line)).length, soon)
      .toBe(4);
    expect(reasonsOf(world)).toEqual(Array(6).fill('background-full'));
    endAll(mark);
    await isOver(world);
    await world.fire('PostToolUse');
    await runs(mark);
  });
});

describe('a forged record', () => {
  const stranger = () => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const start = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    return { child, mark: `${child.pid}-${boot}-${start}`, other: `${child.pid}-${boot}-1` };
  };
  const worldWith = (script: string, record: string) => {
    const world = chain({ hooks: [hook(script)] });
    mkdirSync(join(world.state, 'sessions'));
    for (const at of [0, 1, 2, 3])
      writeFileSync(join(world.state, `sessions/background.annal.${at}`), record);
    return world;
  };

  test('with the PID of another program kills nothing, and only takes a slot', async () => {
    const { child, mark } = stranger();
    const world = worldWith('echo >done', mark);
    await world.fire('PostToolUse');
    expect(reasonsOf(world)).toEqual(['background-full']);
    expect(existsSync(join(world.cwd, 'done'))).toBe(false);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });

  test('with a reused PID takes no slot', async () => {
    const { child, other } = stranger();
    const world = worldWith('echo >done', other);
    await world.fire('PostToolUse');
    await expect.poll(() => existsSync(join(world.cwd, 'done')), soon).toBe(true);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });

  test('that replaces the record of a command ends only that command', async () => {
    const { child, mark } = stranger();
    const own = token();
    const world = chain({ hooks: [hook('exec sleep $1', { mark: own })] });
    await world.fire('PostToolUse');
    await runs(own);
    const [record = ''] = recordsOf(world);
    writeFileSync(join(world.state, 'sessions', record), mark);
    await isGone(own);
    expect(readFileSync(join(world.state, 'sessions', record), 'utf8')).toBe(mark);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });
});

test.runIf(process.platform === 'linux')(
  'a process that has ended is not alive, even before its parent reaps it',
  async () => {
    // The shell replaces itself with a program that never reaps its child.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600']);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [said] = await once(parent.stdout, 'data');
    const of = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'latin1');
    await expect.poll(() => of(Number(parent.pid), 'cmdline'), soon).toMatch(/^sleep/);
    process.kill(Number(said), 'SIGKILL');
    await expect.poll(() => of(Number(said), 'stat'), soon).toMatch(/\) Z /);
    const { isAlive, markOf } = processes();
    expect(isAlive(markOf(Number(said)))).toBe(false);
    expect(isAlive(markOf(Number(parent.pid)))).toBe(true);
  },
);
