// The runner's log is shortened, but its entries stay counted, whatever happens in between.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { countsOf, statsOf } from '../../src/diagnose/stats.ts';
import { runnerCode } from '../../src/system/runner-code.ts';
import { firing } from '../support/firings.ts';
import { scratch } from '../support/runner/world.ts';

const MB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;

function logIn(state: string): string {
  mkdirSync(join(state, 'log'), { recursive: true });
  return join(state, 'log/annal.jsonl');
}

const firings = async (state: string) =>
  (await countsOf(state, 'annal')).counted.reduce((sum, one) => sum + one.firings, 0);

const inFolder = (state: string) => readdirSync(join(state, 'log')).sort();

/** Milliseconds after which no process can still be about to write to a renamed file. */
const QUIET = 120_000;

/** Shortens a log as if this many milliseconds had passed, and reads at most `most` bytes of it. */
function shorten(log: string, later = QUIET, most = 1e9): void {
  const now = Date.now() + later;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  try {
    runnerCode('./counts.cjs').shorten(log, now, most);
  } finally {
    clock.mockRestore();
  }
}

/** The same in a separate process, which is killed before its nth change to the disk. */
const shortenKilled = (log: string, nth: number) =>
  spawnSync(
    process.execPath,
    [
      '-e',
      `const fs = require('node:fs');
       let changes = 0;
       for (const name of ['openSync', 'writeFileSync', 'linkSync', 'renameSync', 'rmSync']) {
         const real = fs[name];
         fs[name] = (...args) => {
           const isLook = name === 'openSync' && typeof args[1] === 'number';
           if (!isLook && ++changes === ${nth}) process.kill(process.pid, 'SIGKILL');
           return real(...args);
         };
       }
       const now = Date.now;
       Date.now = () => now() + ${QUIET};
       require(${JSON.stringify(runnerCode.resolve('./counts.cjs'))}).shorten(${JSON.stringify(log)}, Date.now(), 1e9);`,
    ],
    { encoding: 'utf8' },
  );

test('a long log from an earlier version becomes short, and stats prints the same', async () => {
  const state = scratch();
  const log = logIn(state);
  const lines = Array.from({ length: 10_000 }, (_, at) =>
    firing({
      milliseconds: at % 90,
      text: 'x'.repeat(900),
      ...(at % 7 === 0 && { why: [{ code: 'tool-failed' }] }),
    }),
  );
  writeFileSync(log, lines.join(''));
  const before = statsOf((await countsOf(state, 'annal')).counted, () => 50);
  expect(before[0]?.firings).toBe(lines.length);
  // Each hook shortens only a bounded part, so many hooks follow each other.
  for (let turn = 0; turn < 30; turn++) shorten(log, turn * QUIET, MB / 2);
  const size = inFolder(state).reduce(
    (sum, name) => sum + statSync(join(state, 'log', name)).size,
    0,
  );
  expect(size).toBeLessThan(3 * MB);
  expect(statsOf((await countsOf(state, 'annal')).counted, () => 50)).toEqual(before);
}, 120_000);

test('old entries are counted and removed, those of other labels, too', async () => {
  const state = scratch();
  const log = logIn(state);
  const at = Date.now() - 40 * DAY;
  writeFileSync(log, firing({ at }).repeat(3));
  utimesSync(log, at / 1000, at / 1000);
  shorten(log);
  expect(inFolder(state)).toContain('annal.jsonl.1');
  shorten(log, 2 * QUIET);
  expect(inFolder(state)).toEqual(['annal.counts.json']);
  expect(await firings(state)).toBe(3);
});

test('killed at any moment, nothing is lost and nothing is counted twice', async () => {
  const full = firing({ text: 'x'.repeat(1000) }).repeat(1500);
  const long = Array.from({ length: 2500 }, (_, at) =>
    firing({ characters: at, text: 'x'.repeat(1000) }),
  ).join('');
  const scenes: Record<string, (log: string) => number> = {
    'a full log': (log) => {
      writeFileSync(log, full);
      return 1500;
    },
    'a full log, and an older one': (log) => {
      writeFileSync(`${log}.1`, firing({ at: 1.7e12 }).repeat(100));
      writeFileSync(log, full);
      return 1600;
    },
    'a long older one': (log) => {
      writeFileSync(`${log}.1`, long);
      return 2500;
    },
  };
  let kills = 0;
  for (const [name, make] of Object.entries(scenes)) {
    for (let kill = 1; ; kill++) {
      const state = scratch();
      const log = logIn(state);
      const expected = make(log);
      const { signal, stderr } = shortenKilled(log, kill);
      expect([name, kill, stderr]).toEqual([name, kill, '']);
      expect([name, kill, await firings(state)]).toEqual([name, kill, expected]);
      shorten(log);
      appendFileSync(log, firing());
      shorten(log, 2 * QUIET);
      expect([name, kill, await firings(state)]).toEqual([name, kill, expected + 1]);
      if (signal === null) break;
      kills++;
    }
  }
  expect(kills).toBeGreaterThan(30);
}, 120_000);

test('hooks that write at the same time lose nothing', async () => {
  const state = scratch();
  const log = logIn(state);
  // No two lines of a real log begin with the same characters, because each has its time.
  const [head = '', tail = ''] = firing({ text: 'x'.repeat(1000) })
    .trim()
    .split('"text":"');
  const start = `${head}"text":"`;
  const writers: ChildProcess[] = Array.from({ length: 3 }, (_, nth) =>
    spawn(process.execPath, [
      '-e',
      `const [start, tail, log] = process.argv.slice(1);
      for (let at = 0; at < 500; at++) require('node:fs').appendFileSync(log, start + at + tail + '\\n');`,
      `${start}${nth}-`,
      tail,
      log,
    ]),
  );
  writers.push(
    spawn('sh', [
      '-c',
      'at=0; while [ $at -lt 500 ]; do echo "$1$at$2" >>"$3"; at=$((at + 1)); done',
      'sh',
      start,
      tail,
      log,
    ]),
  );
  let isDone = false;
  const all = Promise.all(writers.map((writer) => once(writer, 'exit'))).then(() => {
    isDone = true;
  });
  while (!isDone) {
    shorten(log, 0);
    await countsOf(state, 'annal', true);
    await pause(20);
  }
  await all;
  // On a busy machine, everything may have been written between two calls.
  shorten(log, 0);
  expect(await firings(state)).toBe(2000);
  expect(existsSync(`${log}.1`)).toBe(true);
}, 120_000);

describe('a broken log', () => {
  test('with broken counts is counted again, and cut lines are reported', async () => {
    const state = scratch();
    const log = logIn(state);
    writeFileSync(log, `${firing()}{"at":1\nnone\n${firing()}`);
    for (const broken of [
      '',
      '{"version":1}',
      '{"version":1,"skipped":0,"marks":[],"days":{"x":1}}',
    ]) {
      writeFileSync(join(state, 'log/annal.counts.json'), broken);
      expect(await countsOf(state, 'annal')).toMatchObject({ entries: 2, skipped: 2 });
    }
  });

  test('can have a line without an end', async () => {
    const state = scratch();
    const log = logIn(state);
    writeFileSync(`${log}.1`, firing() + 'x'.repeat(3 * MB));
    writeFileSync(log, firing().repeat(15_000));
    for (const later of [QUIET, 2 * QUIET]) shorten(log, later);
    expect(await firings(state)).toBe(15_001);
    expect(inFolder(state)).toEqual(['annal.counts.json', 'annal.jsonl.1']);
  });
});

describe('memories of sessions', () => {
  test('are limited in number and size, and the oldest are removed first', () => {
    const state = scratch();
    const folder = join(state, 'sessions');
    mkdirSync(folder);
    for (let at = 0; at < 20_100; at++) {
      const file = join(folder, `codex.s${at}.annal.1-a.mark`);
      writeFileSync(file, '');
      if (at < 100) utimesSync(file, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
    }
    writeFileSync(join(folder, 'codex.s.annal.1-a.kept'), 'x'.repeat(5 * MB));
    const started = Date.now() + 60_000;
    runnerCode('./tidy.cjs').tidy({ started }, { log: logIn(state), folder, claim: () => true });
    const left = new Set(readdirSync(folder));
    expect(left.size).toBe(20_000);
    expect(left.has('codex.s.annal.1-a.kept')).toBe(false);
    expect(left.has('codex.s50.annal.1-a.mark')).toBe(false);
    expect(left.has('codex.s150.annal.1-a.mark')).toBe(true);
  });

  test('of what was shown since a compaction stay for a month, whatever the client calls it', () => {
    const state = scratch();
    const folder = join(state, 'sessions');
    mkdirSync(folder);
    const files = new Set<string>();
    const memory = (_hook: unknown, _firing: unknown, _program: unknown, fact: string) => {
      const file = join(folder, `gemini-cli.s.annal.1-a.${fact}`);
      files.add(file);
      return file;
    };
    const hook = {
      extended: { budget: { tokens: 100, warn: 70, fire: 100 } },
    };
    for (const window of [0, 3, '0e0c2b86-9f8e-4b46-9a44-3a1bbd9bd5a1', '../../../../x', '']) {
      const used = { tokens: 100, window, estimated: false };
      const firing = { used, budgets: new Map(), claimed: new Map() };
      const given = [hook, { firing, program: {}, stage: { memory } }];
      const { isOver } = runnerCode('./budget.cjs');
      const is = isOver(...(given as unknown as Parameters<typeof isOver>));
      expect(is).toBe(true);
    }
    for (const file of files) writeFileSync(file, '');
    const started = Date.now() + 2 * 60 * 60 * 1000;
    runnerCode('./tidy.cjs').tidy({ started }, { log: logIn(state), folder, claim: () => true });
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([...files].sort());
  });
});
