// `mcp-hooks stats`: the cost of hooks, from the runner's logs.
import { describe, expect, test as pure } from 'vitest';
import { ALL_EVENTS } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import type { LogEntry } from '../../src/diagnose/log.ts';
import { LATENCY, limitFor, statsOf } from '../../src/diagnose/stats.ts';
import { counted, countsIn, firing } from '../support/firings.ts';
import { test, type World } from '../support/world.ts';

const entry = (more: Partial<LogEntry>): LogEntry => ({
  at: '2026-01-05T13:03:22.000Z',
  label: 'annal',
  client: 'codex',
  event: 'PostToolUse',
  hooks: [1],
  characters: 10,
  milliseconds: 30,
  ...more,
});
const took = (...times: number[]) => times.map((milliseconds) => entry({ milliseconds }));

describe('percentiles', () => {
  const CASES: Record<string, { times: number[]; p50: number; p99: number }> = {
    'of one': { times: [7], p50: 7, p99: 7 },
    'of two': { times: [7, 9], p50: 7, p99: 9 },
    'of a hundred': { times: Array.from({ length: 100 }, (_, at) => 100 - at), p50: 50, p99: 99 },
    'of a thousand': {
      times: Array.from({ length: 1000 }, (_, at) => at + 1),
      p50: 500,
      p99: 990,
    },
  };
  pure.each(Object.entries(CASES))('%s', (_, { times, p50, p99 }) => {
    expect(statsOf(counted(...took(...times)), () => 100)).toMatchObject([
      { p50, p99, timed: times.length },
    ]);
  });
});

pure('a time above its limit is reported, but not one that just reaches it', () => {
  const over = (most: number) =>
    statsOf(counted(...took(40, 100)), () => most).map((stat) => stat.over);
  expect([over(99), over(100)]).toEqual([[true], [false]]);
  expect(statsOf(counted(...took(1e6)), () => undefined)).toMatchObject([{ over: false }]);
});

pure('a long log takes time in proportion to its length', () => {
  const all = firing().repeat(100_000);
  expect(statsOf(countsIn('annal', all).counted, () => 100)).toMatchObject([{ firings: 100_000 }]);
});

pure('an answer of the shell has no time', () => {
  const [stat] = statsOf(counted(entry({ milliseconds: undefined })), () => 100);
  expect(stat).toEqual({
    label: 'annal',
    client: 'codex',
    event: 'PostToolUse',
    hook: 1,
    firings: 1,
    failures: 0,
    characters: 10,
    timed: 0,
    limit: 100,
    over: false,
  });
});

pure('each label, client, event and hook is counted separately', () => {
  const all = [
    entry({}),
    entry({ characters: 5, why: [{ code: 'no-answer-in-time' }] }),
    entry({ hooks: [10] }),
    entry({ hooks: [2] }),
    entry({ hooks: [], characters: 0, why: [{ code: 'policy-invalid' }] }),
    entry({ client: 'claude-code' }),
    entry({ event: 'Stop' }),
    entry({ label: 'notes' }),
  ];
  const found = statsOf(counted(...all), (label, hook) =>
    label === 'annal' ? hook * 100 : undefined,
  );
  expect(
    found.map((one) => [one.label, one.client, one.event, one.hook, one.firings, one.limit]),
  ).toEqual([
    ['annal', 'claude-code', 'PostToolUse', 1, 1, 100],
    ['annal', 'codex', 'PostToolUse', undefined, 1, undefined],
    ['annal', 'codex', 'PostToolUse', 1, 2, 100],
    ['annal', 'codex', 'PostToolUse', 2, 1, 200],
    ['annal', 'codex', 'PostToolUse', 10, 1, 1000],
    ['annal', 'codex', 'Stop', 1, 1, 100],
    ['notes', 'codex', 'PostToolUse', 1, 1, undefined],
  ]);
  expect(found[1]).toMatchObject({ characters: 0, failures: 1 });
  expect(found[2]).toMatchObject({ characters: 15, failures: 1 });
});

describe('several hooks in one firing', () => {
  const rows = (more: Partial<LogEntry>) =>
    statsOf(counted(entry({ characters: 30, milliseconds: 900, ...more })), () => 100).map(
      ({ hook, firings, failures, characters, p99, over }) => ({
        ...{ hook, firings, failures, characters, p99, over },
      }),
    );
  const row = { firings: 1, failures: 0, characters: 0, over: false };

  pure('each has its own characters, time and failures, even if it showed nothing', () => {
    const each = [
      { hook: 1, characters: 20, milliseconds: 12 },
      { hook: 2, characters: 10, milliseconds: 850 },
      { hook: 3, characters: 0, milliseconds: 40, failed: true } as const,
      { hook: 4, characters: 0, milliseconds: 101 },
    ];
    const why = [{ code: 'tool-failed' }] as const;
    expect(rows({ hooks: [1, 2], each, why })).toEqual([
      { ...row, hook: 1, characters: 20, p99: 12 },
      { ...row, hook: 2, characters: 10, p99: 850, over: true },
      { ...row, hook: 3, failures: 1, p99: 40 },
      { ...row, hook: 4, p99: 101, over: true },
    ]);
  });

  pure('a failure without a hook counts for all, but an empty text is not a failure', () => {
    const each = [
      { hook: 1, characters: 30, milliseconds: 12 },
      { hook: 2, characters: 0, milliseconds: 40 },
    ];
    const failures = (code: 'no-text' | 'unmasked' | 'budget-estimated') =>
      rows({ hooks: [1], each, why: [{ code }] }).map((one) => one.failures);
    expect((['unmasked', 'no-text', 'budget-estimated'] as const).map(failures)).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
  });
});

pure("the limit of a text is its event's, that of a tool or a program its own", () => {
  const hook = { event: 'pre_request', priority: 'suggestion' } as const;
  expect(limitFor({ ...hook, context: 'x' }, RULES)).toBe(50);
  expect(limitFor({ ...hook, context_tool: 'x' }, RULES)).toBe(5000);
  expect(limitFor({ ...hook, command: ['x'], deadline: 700 }, RULES)).toBe(700);
  expect(limitFor({ ...hook, command: ['x'], deadline: 7000 }, RULES)).toBe(7000);
  const strict = { ...RULES, toolSeconds: 2 };
  expect(limitFor({ ...hook, command: ['x'], deadline: 7000 }, strict)).toBe(2000);
  const end = { ...hook, event: 'session_end', context_tool: 'x' } as const;
  expect(limitFor(end, RULES)).toBe(1000);
  expect(limitFor({ ...end, deadline: 4000 }, RULES)).toBe(4000);
  expect(Object.keys(LATENCY).toSorted()).toEqual([...ALL_EVENTS].toSorted());
});

const LOG = '~/.mcp-hooks/log/annal.jsonl';
const line = (more: object) =>
  JSON.stringify({
    at: Date.now(),
    client: 'codex',
    event: 'Stop',
    hooks: [1],
    characters: 9,
    ...more,
  });

async function logged(world: World): Promise<void> {
  await world.folder('~/.codex');
  const hooks = [
    { event: 'pre_request', context: 'Hello.', priority: 'suggestion' },
    { event: 'post_request', context: 'Bye.', priority: 'suggestion' },
  ];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations: hooks } }));
  expect((await world.run('install annal.json --yes')).code).toBe(0);
  const lines = [
    line({ event: 'UserPromptSubmit', milliseconds: 20 }),
    line({ event: 'UserPromptSubmit', milliseconds: 90 }),
    line({ hooks: [2], at: 1_700_000_000_000, milliseconds: 4000 }),
    line({ event: 'SessionStart', hooks: [7] }),
    line({ milliseconds: 3, trial: true }),
  ];
  await world.write(LOG, `${lines.join('\n')}\n`);
}

describe('the command', () => {
  test('a table', async ({ world, expect }) => {
    await logged(world);
    expect((await world.run('stats annal')).out).toMatchInlineSnapshot(`
      "client  event             hook  fired  failed  characters   p50   p99  limit (ms)
      codex   SessionStart      7         1       0           9     -     -  -
      codex   Stop              2         1       0           9  4000  4000  5000
      codex   UserPromptSubmit  1         2       0          18    20    90  50 over
      1 row over the limit: such a hook should take less time.
      -: answered by the shell alone, which takes a few milliseconds (not timed).
      "
    `);
    expect((await world.run('stats')).out).toMatch(/^label +client +event/);
  });

  test('can be limited to days or clients, include trials, and print JSON', async ({ world }) => {
    await logged(world);
    const rows = async (args: string) =>
      JSON.parse((await world.run(`stats ${args} --json`)).out).stats.map(
        (one: { event: string; hook: number }) => `${one.event} ${one.hook}`,
      );
    expect(await rows('--days 2')).toEqual(['SessionStart 7', 'UserPromptSubmit 1']);
    expect(await rows('--days 0')).toEqual(await rows(''));
    expect(await rows('--trials')).toEqual([
      'SessionStart 7',
      'Stop 1',
      'Stop 2',
      'UserPromptSubmit 1',
    ]);
    expect(await rows('--client gemini-cli')).toEqual([]);
  });

  test('reports that no hook has fired, and an unknown label', async ({ world }) => {
    expect(await world.run('stats')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No hook has fired yet/),
    });
    expect(await world.run('stats nobody')).toMatchObject({ code: 2, out: '' });
  });
});
