// `log` and `stats` in a terminal: one line for each firing, or for each hook on an event, which the terminal need not wrap.
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { parseLog } from '../../src/diagnose/log.ts';
import { statsOf } from '../../src/diagnose/stats.ts';
import { showStats } from '../../src/present/render/counted.ts';
import { showLog } from '../../src/present/render/logged.ts';
import type { Terminal } from '../../src/system/terminal.ts';
import { runAt } from '../support/columns.ts';
import { countsIn, firing, log } from '../support/firings.ts';
import { manifest } from '../support/hooks.ts';
import { wide } from '../support/terminal.ts';
import { tries } from '../support/tries.ts';
import { NO_TERMINAL, test, type World } from '../support/world.ts';

const at = (columns: number): Terminal => ({ ...NO_TERMINAL, tty: true, columns });

const tooWide = (lines: readonly string[], columns: number): string[] =>
  lines.filter((line) => wide(line) > columns);

const second = (number: number) => Date.parse('2026-01-05T13:03:00Z') + 1000 * number;
const line = (number: number, more: object = {}) =>
  firing({ at: second(number), client: 'codex', event: 'PostToolUse', characters: 164, ...more });

/** The client's own events for the hooks of `install`. */
const AFTER = CLIENTS.map(({ id, name, lowering }) => {
  const [on] = lowering.post_tool_use?.text.on ?? [];
  return { client: id, name, event: on?.native ?? '' };
});

async function install(world: World): Promise<void> {
  await world.folder(...CLIENTS.map(({ projectFolder }) => `~/${projectFolder}`));
  const hook = (event: string) => ({ event, context: `Of ${event}.`, priority: 'suggestion' });
  await world.write('memory.json', manifest(hook('post_tool_use'), hook('session_start')));
  await world.run('install memory.json --yes');
}

/** Thirty firings of all clients: after calls, at session starts that the shell answers alone, and a failed one. */
const thirty = (): string[] =>
  Array.from({ length: 30 }, (_, number) => {
    const { client = '', event = '' } = AFTER[number % AFTER.length] ?? {};
    if (number === 25)
      return line(25, { hooks: [2], event: 'SessionStart', milliseconds: undefined });
    const each = [{ hook: 1, characters: 0, milliseconds: 5000, failed: true }];
    const failed = { hooks: [], characters: 0, why: [{ code: 'no-answer-in-time' }], each };
    if (number % 11 === 10) return line(number, { client, event, ...failed });
    return line(number, { client, event, milliseconds: number * 4 });
  });

describe('thirty firings of all clients, at 80 columns', () => {
  test('are a log of some thirty lines, each with its client and its event', async ({
    world,
    expect,
  }) => {
    await install(world);
    await log(world, 'memory', ...thirty());
    const { lines, code } = await runAt(80, world, ['log']);
    expect(code).toBe(0);
    expect(lines.length).toBeLessThanOrEqual(35);
    expect(tooWide(lines, 80)).toEqual([]);
    const firings = lines.filter((one) => /^\d\d:/.test(one));
    expect(firings).toHaveLength(30);
    for (const [number, { name, event }] of AFTER.entries()) {
      expect(firings[number]).toContain(`  ${name}  `);
      expect(firings[number]).toContain(`  ${event}  `);
    }
    expect(lines.at(-1)).toBe('30 firings, 2 failed.');
  });

  test('are counted on one screen, with a line for each client', async ({ world, expect }) => {
    await install(world);
    await log(world, 'memory', ...thirty());
    const { lines } = await runAt(80, world, ['stats']);
    expect(lines.length).toBeLessThanOrEqual(8 + CLIENTS.length);
    expect(tooWide(lines, 80)).toEqual([]);
    for (const { name, event } of AFTER)
      expect(lines.filter((one) => one.startsWith(`${name} `) && one.includes(event))).toHaveLength(
        1,
      );
  });
});

describe('a log', () => {
  const SAID = [
    line(1, { milliseconds: 2 }),
    line(2, { client: 'gemini-cli', event: 'AfterTool', hooks: [1, 3], milliseconds: 10 }),
    line(3, {
      client: 'claude-code',
      event: 'PostToolUseFailure',
      hooks: [],
      characters: 0,
      why: [{ code: 'no-answer-in-time' }],
      each: [{ hook: 2, characters: 0, milliseconds: 5000, failed: true }],
      milliseconds: 5001,
    }),
    line(90_000, {
      client: 'claude-code',
      event: 'PreToolUse',
      characters: 0,
      decisions: [
        { hook: 1, action: 'block', reason: 'Run the tests before you commit anything.' },
      ],
    }),
    line(90_001, {
      decisions: [{ hook: 2, action: 'modify', before: 'b'.repeat(64), after: 'a'.repeat(64) }],
    }),
    line(90_002, {
      event: 'PreToolUse',
      hooks: [],
      characters: 0,
      why: [{ code: 'node-missing' }, { code: 'dropped', by: 'block', hooks: [3] }],
      onFailure: [{ hook: 2, action: 'deny' }],
      trial: true,
    }),
    line(90_003, { text: 'Note from "annal":\nHello.', warnings: ['careful'] }),
  ];
  const drawn = async (world: World, columns: number, args: string) => {
    await log(world, 'annal', ...SAID);
    const words = ['log', ...args.split(' ').filter(Boolean)];
    return `\n${(await runAt(columns, world, words)).all}`;
  };

  test('has each date once, and failures and decisions', async ({ world, expect }) => {
    expect(await drawn(world, 80, '--trials')).toMatchInlineSnapshot(`
      "
      2026-01-05
      13:03:01  Codex CLI    PostToolUse                hook 1     164 chars     2 ms
      13:03:02  Gemini CLI   AfterTool                  hook 1, 3  164 chars    10 ms
      13:03:03  Claude Code  PostToolUseFailure         hook 2                5001 ms
                failed: no answer in time
      2026-01-06
      14:03:00  Claude Code  PreToolUse                 hook 1                  20 ms
                blocked: Run the tests before you commit anything.
      14:03:01  Codex CLI    PostToolUse                hook 1     164 chars  changed
      14:03:02  Codex CLI    PreToolUse          trial                          20 ms
                failed: Node.js was not found, or the runner is damaged
                hook 2 failed and blocked it
                hook 3 dropped by the client: it shows no text beside a block
      14:03:03  Codex CLI    PostToolUse                hook 1     warned: "careful"
          | Note from "annal":
          | Hello.
      7 firings, 2 failed, 1 dropped, 1 blocked, 1 changed.
      "
    `);
  });

  test('has more lines in a narrow terminal, without losing anything important', async ({
    world,
    expect,
  }) => {
    expect(await drawn(world, 30, '--last 3')).toMatchInlineSnapshot(`
      "
      2026-01-06
      14:03:00  Claude Code
                PreToolUse  hook 1
                blocked: Run the
                tests before you
                commit anything.
      14:03:01  Codex CLI
                PostToolUse  hook 1
                164 chars  changed
      14:03:03  Codex CLI
                PostToolUse  hook 1
                warned: "careful"
          | Note from "annal":
          | Hello.
      3 firings, 1 blocked, 1
      changed. 3 earlier: --last 0
      shows all.
      "
    `);
  });

  test('names the failed hook if several ran', ({ expect }) => {
    const failed = { code: 'command-failed', status: '3' };
    const each = [
      { hook: 1, characters: 0, milliseconds: 9, failed: true },
      { hook: 2, characters: 164, milliseconds: 9 },
    ];
    const shown = (...lines: readonly string[]) =>
      showLog(at(120), parseLog('annal', lines.join('')).entries, {
        ...{ decided: false, oneLabel: true, earlier: 0 },
      });
    const why = [
      { ...failed, hook: 1 },
      { ...failed, hook: 3 },
    ];
    expect(shown(line(0, { hooks: [2], each, why }))).toContain(
      '  hook 2  164 chars  20 ms  failed: hook 1, 3: its program ended with 3\n',
    );
    expect(shown(line(0, { hooks: [], characters: 0, why: [{ ...failed, hook: 1 }] }))).toContain(
      '  failed: its program ended with 3\n',
    );
  });

  test('has failures in red and decisions in yellow', ({ expect }) => {
    const asked = { decided: false, oneLabel: true, earlier: 0 };
    const { entries } = parseLog('annal', SAID.join(''));
    const painted = showLog({ ...at(80), colour: true }, entries, asked);
    expect(painted.match(/\u001b\[3[13]m\w+(?: \d \w+)?/g)).toEqual([
      '\u001b[31mfailed',
      '\u001b[33mblocked',
      '\u001b[33mchanged',
      '\u001b[31mfailed',
      '\u001b[31mhook 2 failed',
      '\u001b[33mhook 3 dropped',
    ]);
  });

  test('of decisions shows what was changed, and how', async ({ world, expect }) => {
    expect(await drawn(world, 100, '--decisions')).toMatchInlineSnapshot(`
      "
      2026-01-06
      14:03:00  Claude Code  PreToolUse   hook 1  blocked  Run the tests before you commit anything.
      14:03:01  Codex CLI    PostToolUse  hook 2  changed  bbbbbbbbbbbb -> aaaaaaaaaaaa
      2 firings, 1 blocked, 1 changed.
      "
    `);
  });

  test('has the labels if there is more than one', async ({ world, expect }) => {
    await log(world, 'notes', line(4));
    expect(await drawn(world, 80, '--last 3 --client codex,gemini')).toMatchInlineSnapshot(`
      "
      2026-01-05
      13:03:04  notes  Codex CLI  PostToolUse  hook 1  164 chars  20 ms
      2026-01-06
      14:03:01  annal  Codex CLI  PostToolUse  hook 1  164 chars  20 ms  changed
      14:03:03  annal  Codex CLI  PostToolUse  hook 1  164 chars  warned: "careful"
          | Note from "annal":
          | Hello.
      3 firings, 1 changed. 2 earlier: --last 0 shows all.
      "
    `);
    expect((await runAt(80, world, ['log', 'annal'])).out).not.toContain('annal ');
  });

  test('ends with the flag that shows earlier firings', async ({ world, expect }) => {
    await log(world, 'annal', ...Array.from({ length: 53 }, (_, number) => line(number)));
    const last = async (...words: string[]) => {
      const { lines, err } = await runAt(80, world, ['log', ...words]);
      return [lines.at(-1), err];
    };
    expect(await last()).toEqual(['50 firings. 3 earlier: --last 0 shows all.', '']);
    expect(await last('--last', '1')).toEqual(['1 firing. 52 earlier: --last 0 shows all.', '']);
    expect(await last('--last', '0')).toEqual(['53 firings.', '']);
    // The JSON has no last line, so this is on stderr.
    expect((await runAt(80, world, ['log', '--json'])).err).toContain('3 earlier firings');
  });

  const word = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...'abXYZ019._-é世'), minLength, maxLength });
  const WORDS = fc.oneof(
    fc.array(word(1, 9), { minLength: 1, maxLength: 20 }),
    fc.array(word(40, 150), { minLength: 1, maxLength: 2 }),
  );
  const name = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('codex', 'SessionStart', 'gemini-cli', 'x') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(10_000), '世'.repeat(10_000)) },
  );
  const entry = fc.record(
    {
      at: fc.integer({ min: second(0), max: second(200_000) }),
      client: name,
      event: name,
      hooks: fc.array(fc.nat(12), { maxLength: 30 }),
      characters: fc.oneof(fc.nat(9000), fc.double({ noNaN: true, noDefaultInfinity: true })),
      milliseconds: fc.nat(9000),
      said: WORDS,
      blocked: WORDS,
      trial: fc.constant(true),
    },
    { requiredKeys: ['at', 'client', 'event', 'hooks', 'characters'] },
  );

  test('wraps its own lines, and loses nothing of a failure', ({ expect }) => {
    const columns = fc.integer({ min: 30, max: 130 });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), columns, (all, columns) => {
        const lines = all.map(({ said, blocked, ...known }) => {
          const why = said && { why: [{ code: 'call-refused', said: said.join(' ') }] };
          const reason = blocked?.join(' ');
          const decided = reason && { decisions: [{ hook: 1, action: 'block', reason }] };
          return line(0, { ...known, ...why, ...decided });
        });
        const { entries } = parseLog('annal', lines.join(''));
        const asked = { decided: false, oneLabel: true, earlier: 0 };
        const shown = showLog(at(columns), entries, asked);
        expect(entries).toHaveLength(all.length);
        expect(tooWide(shown.split('\n'), columns)).toEqual([]);
        const bare = shown.replace(/\s/g, '');
        for (const { said = [], blocked = [] } of all) {
          expect(bare).toContain(said.join(''));
          expect(bare).toContain(blocked.join(''));
        }
        // Colours do not change the layout.
        const painted = showLog({ ...at(columns), colour: true }, entries, asked);
        expect(stripVTControlCharacters(painted)).toBe(shown);
      }),
      { numRuns: tries(100, 10_000) },
    );
  });
});

describe('stats', () => {
  const shown = (terminal: Terminal, texts: Readonly<Record<string, readonly string[]>>) => {
    const all = Object.entries(texts).flatMap(([label, lines]) => [
      ...countsIn(label, lines.join('')).counted,
    ]);
    return showStats(
      terminal,
      statsOf(all, () => 100),
      false,
    );
  };
  const took = (number: number, milliseconds: number | undefined) =>
    line(number, { client: 'gemini-cli', event: 'AfterTool', milliseconds });
  const FAST = [...Array(7).keys()].map((number) => took(number, 3));
  const SLOW = [
    line(1, { milliseconds: 90 }),
    line(2, { milliseconds: 250, why: [{ code: 'no-answer' }] }),
  ];
  const SHELL = line(3, { client: 'claude-code', event: 'SessionStart', milliseconds: undefined });

  test('have bars for the number of firings and for the time, up to the limit', ({ expect }) => {
    expect(`\n${shown(at(80), { annal: [...FAST, ...SLOW, SHELL] })}`).toMatchInlineSnapshot(`
      "
      client       event         hook  fired         failed  50 %  99 %  limit  (ms)
      Claude Code  SessionStart  1         1  #                 -     -    100
      Codex CLI    PostToolUse   1         2  #           1    90   250    100  ####>
      Gemini CLI   AfterTool     1         7  #####             3     3    100  #....
      1 row over the limit: such a hook should take less time.
      -: answered by the shell alone, which takes a few milliseconds (not timed).
      "
    `);
  });

  test('are grouped by label, and have no failures if there are none', ({ expect }) => {
    expect(`\n${shown(at(80), { annal: FAST, notes: [...FAST, SHELL] })}`).toMatchInlineSnapshot(`
      "
        client       event         hook  fired         chars  50 %  99 %  limit  (ms)
      annal
        Gemini CLI   AfterTool     1         7  #####   1148     3     3    100  #....
      notes
        Claude Code  SessionStart  1         1  #        164     -     -    100
        Gemini CLI   AfterTool     1         7  #####   1148     3     3    100  #....
      -: answered by the shell alone, which takes a few milliseconds (not timed).
      "
    `);
  });

  test('drop the least important columns first, then use a line for each number', ({ expect }) => {
    const head = (columns: number) =>
      shown(at(columns), { annal: [...FAST, ...SLOW] })
        .split('\n')[0]
        ?.replace(/ {2,}/g, '  ');
    expect([90, 80, 70, 65, 60, 50].map(head)).toMatchInlineSnapshot(`
      [
        "client  event  hook  fired  failed  chars  50 %  99 %  limit  (ms)",
        "client  event  hook  fired  failed  50 %  99 %  limit  (ms)",
        "client  event  hook  fired  failed  99 %  (ms)",
        "client  event  hook  fired  failed  99 %  (ms)",
        "client  event  hook  fired  failed  99 %  (ms)",
        "Codex CLI",
      ]
    `);
    expect(`\n${shown(at(30), { annal: SLOW })}`).toMatchInlineSnapshot(`
      "
      Codex CLI
        event   PostToolUse
        hook    1
        fired   2
                #####
        failed  1
        chars   328
        50 %    90
        99 %    250
        limit   100
        (ms)    ####>
      1 row over the limit: such a
         hook should take less time.
      "
    `);
  });

  test('are yellow beyond the limit, and red for failures', ({ expect }) => {
    const painted = shown({ ...at(80), colour: true }, { annal: [...FAST, ...SLOW] });
    expect(painted).toContain('\u001b[33m####>');
    expect(painted).toContain('\u001b[31m1\u001b');
    expect(stripVTControlCharacters(painted)).toBe(shown(at(80), { annal: [...FAST, ...SLOW] }));
  });

  test('fit the terminal, whatever was written into the log', ({ expect }) => {
    const names = ['x'.repeat(10_000), '世'.repeat(10_000), '\u001b[2J\u202E\r\t'.repeat(50)];
    const lines = names.map((one, number) => line(number, { client: one, event: one }));
    for (const columns of [30, 80])
      for (const texts of [{ annal: lines }, { annal: lines, ['n'.repeat(64)]: lines }]) {
        const text = shown(at(columns), texts);
        expect(text).not.toMatch(/[\u001b\u202E\r\t]/);
        const rest = tooWide(text.split('\n'), columns).filter((one) => !/^n{64}$/.test(one));
        expect([columns, rest]).toEqual([columns, []]);
      }
  });
});
