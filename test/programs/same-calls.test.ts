/** Identical calls in simultaneous processes: every process gets the decision, but texts and counts happen once. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChainWorld, chain, linesIn } from '../support/runner/chain.ts';

const event = 'pre_tool_use';
const TIMES = 6;

let made = 0;
/** Starts several processes for one call, and counts their decisions. */
async function atOnce(world: ChainWorld, native = 'PreToolUse', times = TIMES, more: object = {}) {
  const call = { tool_use_id: `same-${made}`, prompt_id: `prompt-${made++}`, ...more };
  const all = Array.from({ length: times }, () => world.fire(native, call));
  const answers = (await Promise.all(all)).map(({ answer }) => answer);
  return {
    blocked: answers.filter((one) => JSON.stringify(one ?? '').includes('"deny"')).length,
    changed: answers.filter((one) => JSON.stringify(one ?? '').includes('updatedInput')).length,
    told: answers.flatMap(linesIn),
  };
}

/** A program that blocks, and counts how often it runs. */
const program = (script: string) => ['sh', '-c', `echo run >>runs.txt; ${script}`];
const runs = ({ cwd }: ChainWorld) =>
  existsSync(join(cwd, 'runs.txt'))
    ? readFileSync(join(cwd, 'runs.txt'), 'utf8').trim().split('\n').length
    : 0;

const block = { event, block: 'No.' };
const blocks = { event, may: ['block'], command: program('echo No. >&2; exit 2') };

describe('each of several identical calls is stopped', () => {
  test('by a block, now and later', async () => {
    const world = chain({ hooks: [block] });
    expect((await atOnce(world)).blocked).toBe(TIMES);
    expect((await atOnce(world)).blocked).toBe(TIMES);
  });

  test('by a program, which runs for each', async () => {
    const world = chain({ hooks: [blocks] });
    expect((await atOnce(world)).blocked).toBe(TIMES);
    expect(runs(world)).toBe(TIMES);
  });

  test.each([
    ['with a cooldown', { cooldown: 600 }],
    ['once in a session', { once: 'session' }],
    ['once in a turn', { once: 'turn' }],
  ])('%s, and a later call is not', async (_how, more) => {
    for (const hook of [block, blocks]) {
      const world = chain({ hooks: [{ ...hook, ...more }] });
      expect((await atOnce(world)).blocked).toBe(TIMES);
      expect((await atOnce(world)).blocked).toBe(0);
    }
  });

  test('once in each turn, which a prompt begins', async () => {
    const world = chain({ hooks: [{ ...block, once: 'turn' }] });
    for (const turn of [1, 2, 3]) {
      await world.fire('UserPromptSubmit', { prompt_id: `turn ${turn}` });
      expect((await atOnce(world)).blocked).toBe(TIMES);
      expect((await atOnce(world)).blocked).toBe(0);
    }
  });

  test('again when a cooldown is over', async () => {
    const world = chain({ hooks: [{ ...block, cooldown: 600 }] });
    expect((await atOnce(world)).blocked).toBe(TIMES);
    const folder = join(world.state, 'sessions');
    const shown = readdirSync(folder).filter((name) => name.endsWith('.shown'));
    expect(shown.length).toBe(1);
    for (const name of shown) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
    expect((await atOnce(world)).blocked).toBe(TIMES);
    expect((await atOnce(world)).blocked).toBe(0);
  });

  test('over a budget, once', async () => {
    const world = chain({
      hooks: [{ event: 'budget_exceeded', budget: { tokens: 100 }, block: 'Full.' }],
    });
    writeFileSync(join(world.cwd, 'transcript.jsonl'), 'x'.repeat(4000));
    expect((await atOnce(world)).blocked).toBe(TIMES);
    expect((await atOnce(world)).blocked).toBe(0);
  });

  test.each([
    ['a cooldown', { cooldown: 600 }],
    ['a session', { once: 'session' }],
    ['a turn', { once: 'turn' }],
  ])('even if nothing can be remembered about %s', async (_of, more) => {
    for (const hook of [block, blocks]) {
      const world = chain({ hooks: [{ ...hook, ...more }] });
      // The state folder is gone, and hooks never create it.
      rmSync(world.state, { recursive: true });
      expect((await atOnce(world)).blocked).toBe(TIMES);
    }
  });
});

describe('a repetition', () => {
  const repeat = { times: 3, within: 600, same: 'call' };

  test('counts identical calls once', async () => {
    const world = chain({ hooks: [{ ...block, matcher: { repeat } }] });
    expect((await atOnce(world)).blocked).toBe(0);
    expect((await atOnce(world)).blocked).toBe(0);
    expect((await atOnce(world)).blocked).toBe(TIMES);
  });

  test('counts simultaneous calls with different IDs separately', async () => {
    const world = chain({ hooks: [{ ...block, matcher: { repeat } }] });
    const all = Array.from({ length: TIMES }, () => world.fire('PreToolUse'));
    const answers = (await Promise.all(all)).filter(({ answer }) => answer !== undefined);
    expect(answers.length).toBe(TIMES - 2);
  });

  test('counts simultaneous calls after thousands of others', async () => {
    const world = chain({ hooks: [{ ...block, matcher: { repeat } }] });
    await world.fire('PreToolUse');
    const sessions = join(world.state, 'sessions');
    const [name = ''] = readdirSync(sessions).filter((one) => one.endsWith('.calls'));
    const { tool, input } = JSON.parse(readFileSync(join(sessions, name), 'utf8'));
    const others = Array.from({ length: 3000 }, (_, at) => ({ at, moment: `${at}`, tool, input }));
    const lines = others.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeFileSync(join(sessions, name), lines);
    const all = Array.from({ length: TIMES }, () => world.fire('PreToolUse'));
    const answers = (await Promise.all(all)).filter(({ answer }) => answer !== undefined);
    expect(answers.length).toBe(TIMES - 2);
  });
});

describe('several identical calls', () => {
  test('show a text once, even that of a hook that may decide', async () => {
    const says = { event, may: ['block'], command: program('echo told by a program') };
    const world = chain({ hooks: [{ event, context: 'told' }, says] });
    expect((await atOnce(world)).told.toSorted()).toEqual(['told', 'told by a program']);
    expect(runs(world)).toBe(TIMES);
  });

  test('run a program once if it may not decide', async () => {
    const world = chain({ hooks: [{ event, command: program('echo told') }] });
    expect((await atOnce(world)).told).toEqual(['told']);
    expect(runs(world)).toBe(1);
  });

  test('run a program once if its decision is not granted', async () => {
    const world = chain({ hooks: [blocks], rules: { command: true, projectCode: true } });
    expect(await atOnce(world)).toEqual({ blocked: 0, changed: 0, told: ['No.'] });
    expect(runs(world)).toBe(1);
  });
});

test('each of several identical calls is changed', async () => {
  const answer = JSON.stringify({ action: 'modify', modifiedInput: { command: 'true' } });
  const hook = { event, may: ['modify'], command: program(`echo '${answer}'`) };
  expect((await atOnce(chain({ hooks: [hook] }))).changed).toBe(TIMES);
});
