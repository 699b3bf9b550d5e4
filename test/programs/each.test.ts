/** The log has an entry for each hook of a firing, including hooks that had nothing to show. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countsIn } from '../support/firings.ts';
import { type Chain, type ChainWorld, chain, serverTold } from '../support/runner/chain.ts';

const event = 'pre_tool_use';
const shell = (script: string, more: object = {}) => ({
  event,
  command: ['sh', '-c', script],
  ...more,
});

interface Each {
  readonly hook: number;
  readonly characters: number;
  readonly milliseconds: number;
  readonly failed?: true;
  readonly noRoom?: true;
}

/** The only line of the log. */
function lineOf(world: ChainWorld) {
  const [line, ...more] = world.log();
  expect(more).toEqual([]);
  return line;
}

const eachOf = (world: ChainWorld) => lineOf(world)?.each as Each[] | undefined;

/** Without times. */
const briefly = (world: ChainWorld) =>
  eachOf(world)?.map(({ hook, characters, failed }) => [hook, characters > 0, failed === true]);

async function fired(hooks: Chain['hooks'], more: Partial<Chain> = {}): Promise<ChainWorld> {
  const world = chain({ hooks, ...more });
  await world.fire('PreToolUse');
  return world;
}

const EMPTY = { content: [] };
const said = (text: string) => ({ content: [{ type: 'text', text }] });

describe('the log of a hook with nothing to show', () => {
  test('has the time that a program took', async () => {
    const world = await fired([shell('sleep 0.3')]);
    expect(lineOf(world)).toMatchObject({ hooks: [], characters: 0 });
    expect(lineOf(world)).not.toHaveProperty('why');
    expect(briefly(world)).toEqual([[1, false, false]]);
    expect(eachOf(world)?.[0]?.milliseconds).toBeGreaterThanOrEqual(300);
  });

  test('has a tool of the extended vocabulary and one of SEP-2282', async () => {
    const world = chain({
      server: serverTold({ results: { tool: EMPTY } }),
      hooks: [
        { event, context_tool: 'tool', order: 1 },
        { event: 'pre_request', context_tool: 'tool' },
      ],
    });
    await world.fire('PreToolUse');
    await world.fire('UserPromptSubmit');
    expect(world.log()).toMatchObject([
      { event: 'PreToolUse', hooks: [], each: [{ hook: 1, characters: 0 }] },
      { event: 'UserPromptSubmit', hooks: [], each: [{ hook: 2, characters: 0 }] },
    ]);
    const text = world.log().map((line) => `${JSON.stringify(line)}\n`);
    const { counted } = countsIn('annal', text.join(''));
    expect(counted.map(({ failures }) => failures)).toEqual([0, 0]);
  });

  test('is empty if the condition of a text does not hold', async () => {
    const world = await fired([{ event, context: 'x', matcher: { exclude: { tools: ['Bash'] } } }]);
    expect(world.log()).toEqual([]);
  });
});

describe('several hooks', () => {
  test('each have their own characters and time; texts do not count the time of programs', async () => {
    const world = await fired([
      { event, context: 'Short.' },
      { event, context: 'Longer than the others.', order: 51 },
      shell('sleep 0.4; echo three', { order: 52 }),
    ]);
    const [one, two, three] = eachOf(world) ?? [];
    expect(lineOf(world)).toMatchObject({ hooks: [1, 2, 3] });
    expect((two?.characters ?? 0) - (one?.characters ?? 0)).toBe(17);
    const between = 2 * '\n\n'.length;
    const sum = [one, two, three].reduce((all, each) => all + (each?.characters ?? 0), between);
    expect(lineOf(world)?.characters).toBe(sum);
    expect(three?.milliseconds).toBeGreaterThanOrEqual(400);
    const rest = Number(lineOf(world)?.milliseconds) - (three?.milliseconds ?? 0);
    for (const words of [one, two]) expect(words?.milliseconds).toBeLessThanOrEqual(rest + 1);
  });

  test.each([
    ['of SEP-2282', {}],
    ['of the extended vocabulary', { order: 1 }],
  ])('with texts %s each have their own characters', async (_what, more) => {
    const declared = ['One.', 'Two and more.'].map((context) => ({ event, context, ...more }));
    expect(briefly(await fired(declared))).toEqual([
      [1, true, false],
      [2, true, false],
    ]);
  });

  test('with too much text: headings count for the hooks that are shown, the closing note for none', async () => {
    const world = await fired(
      ['x', 'y', 'z'].map((letter) => ({ event, context: letter.repeat(3500) })),
    );
    const [one, two, ...none] = eachOf(world) ?? [];
    expect(none).toEqual([{ hook: 3, characters: 0, noRoom: true }]);
    expect(one?.characters).toBeGreaterThan(3600);
    expect(two?.characters).toBe(one?.characters);
    const rest = '\n\n\n\n(No room was left for hook 3 of "annal".)';
    expect(lineOf(world)?.characters).toBe(2 * (one?.characters ?? 0) + rest.length);
  });

  test('beyond the limit of an event are listed as hooks without room', async () => {
    const world = await fired(
      Array.from({ length: 18 }, (_, index) => ({ event, context: `Text ${index}.` })),
    );
    const each = eachOf(world) ?? [];
    expect(each).toHaveLength(18);
    expect(each.flatMap(({ hook, noRoom }) => (noRoom ? hook : []))).toEqual([17, 18]);
  });

  test('are listed, but a single text is not', async () => {
    for (const more of [{}, { order: 1 }])
      expect(lineOf(await fired([{ event, context: 'One.', ...more }]))).not.toHaveProperty('each');
  });

  test('with a text of SEP-2282 and a slow tool each have their own time', async () => {
    const { command, args } = serverTold({ results: { tool: said('one') } });
    const late = { command: 'sh', args: ['-c', 'sleep 0.4; exec "$0" "$@"', command, ...args] };
    const world = await fired(
      [
        { event, context_tool: 'tool' },
        { event, context: 'Two.' },
      ],
      { server: late },
    );
    expect(briefly(world)).toEqual([
      [1, true, false],
      [2, true, false],
    ]);
    const [tool, words] = eachOf(world) ?? [];
    expect(tool?.milliseconds).toBeGreaterThanOrEqual(400);
    expect(words?.milliseconds).toBeLessThanOrEqual(Number(lineOf(world)?.milliseconds) - 400);
  });
});

describe('failures', () => {
  test('are logged for the hook that failed', async () => {
    const world = await fired(
      [
        shell('exit 7', { order: 1 }),
        shell('echo fine', { order: 2 }),
        shell('echo \'{"decision":"block","reason":"no"}\'', { order: 3 }),
        { event, context_tool: 'tool', order: 4 },
      ],
      { server: serverTold({ results: { tool: { isError: true, ...said('broken') } } }) },
    );
    expect(briefly(world)).toEqual([
      [1, false, true],
      [2, true, false],
      [3, true, true],
      [4, false, true],
    ]);
  });

  test('include a decision that is not possible', async () => {
    const world = chain({ hooks: [{ event: 'subagent_end', block: 'Go on.' }] });
    await world.fire('SubagentStop', { stop_hook_active: true });
    expect(lineOf(world)).toMatchObject({ hooks: [1], why: [{ code: 'block-not-possible' }] });
    expect(briefly(world)).toEqual([[1, true, true]]);
  });

  test('include a condition that cannot be evaluated', async () => {
    const world = chain({ hooks: [{ event, context: 'x', matcher: { input_matches: 'ls' } }] });
    const without = join(world.folder, 'without.cjs');
    writeFileSync(without, "require('node:v8').setFlagsFromString = () => {};");
    await world.fire('PreToolUse', {}, { NODE_OPTIONS: `--require ${without}` });
    expect(briefly(world)).toEqual([[1, false, true]]);
  });

  test('include a tool that exceeded its deadline', async () => {
    const world = await fired([{ event, context_tool: 'tool', deadline: 600 }], {
      server: serverTold({ ignored: 'tools/call' }),
    });
    expect(briefly(world)).toEqual([[1, false, true]]);
    expect(eachOf(world)?.[0]?.milliseconds).toBeGreaterThanOrEqual(500);
  });

  test('include a program that exceeded its deadline', async () => {
    const world = await fired([shell('sleep 60', { deadline: 300 }), { event, context: 'x' }]);
    expect(briefly(world)).toEqual([
      [1, false, true],
      [2, true, false],
    ]);
    expect(eachOf(world)?.[0]?.milliseconds).toBeGreaterThanOrEqual(250);
  });
});
