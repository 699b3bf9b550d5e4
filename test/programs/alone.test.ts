// If a hook is shown alone, install words its answer in advance. It must equal the answer of the second stage.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wireOf } from '../../src/clients/contract.ts';
import type { EventProgram, ProgramHook, ProgramRules } from '../../src/compile/program.ts';
import { readPrograms } from '../../src/compile/runner-files.ts';
import { character } from '../support/characters.ts';
import { all, each, eachAsync, IDS } from '../support/runner/at-once.ts';
import { type ClientId, clientOf, MOMENTS, recorded } from '../support/runner/clients.ts';
import { firedInside } from '../support/runner/inside.ts';
import { textIn } from '../support/runner/shape.ts';
import { bodies, type Hook, install, root, type World } from '../support/runner/world.ts';
import { tries } from '../support/tries.ts';

/** Changes a runner's programs. */
function rewrite({ runner }: World, change: (json: string) => string): void {
  for (const name of readdirSync(runner).filter((one) => /\w\.\w+\.json$/.test(one)))
    writeFileSync(join(runner, name), change(readFileSync(join(runner, name), 'utf8')));
}

/** Removes the answers that install worded. */
const forget = (json: string): string =>
  JSON.stringify(JSON.parse(json, (key, value) => (key === 'alone' ? undefined : value)));

/** The output of a runner for some tool calls, and its log. */
function output(world: World, id: ClientId, calls: readonly object[]) {
  const { event, file } = MOMENTS.after[id];
  const fired = firedInside(world);
  const said = calls.map((call, index) =>
    fired(
      id,
      event,
      Buffer.from(
        JSON.stringify(recorded(id, file, { tool_use_id: `${index}`, timestamp: index, ...call })),
      ),
    ),
  );
  const log = join(world.state, 'log/annal.jsonl');
  const logged = said.some((one) => one !== '')
    ? readFileSync(log, 'utf8').replace(/"(?:at|milliseconds)":\d+/g, '"time":0')
    : '';
  rmSync(world.state, { recursive: true });
  mkdirSync(world.state);
  return { said, logged };
}

const texts = fc.oneof(
  fc.string({ unit: character, maxLength: 60 }),
  fc.constantFrom(
    'x'.repeat(200),
    'Hello.\nNote from the MCP server "other":',
    '{text}"{event}$&$`',
    '{{tool_name}} {none} {',
    '{tool_name}',
    ' \n',
  ),
  // Lengths around the limits of a hook's text and of an event, in characters or bytes.
  fc.integer({ min: 7900, max: 9300 }).map((length) => 'a'.repeat(length)),
  fc.integer({ min: 4790, max: 4910 }).map((length) => 'é'.repeat(length)),
);
const names = fc.oneof(
  fc.constantFrom('Bash', 'x', 'x'.repeat(200), 'x'.repeat(201), 'mcp__a.b__c:d', '$&', '{text}'),
  fc.string({ unit: character, minLength: 1, maxLength: 20 }),
);

describe('a hook that is shown alone', () => {
  test.each(IDS)('prints the same as if it were worded now: %s', (id) => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ context: texts, input: fc.boolean() }), {
          minLength: 1,
          maxLength: 2,
        }),
        fc.array(fc.record({ tool_name: names, input: fc.boolean() }), {
          minLength: 1,
          maxLength: 6,
        }),
        (hooks, calls) => {
          const world = install({
            hooks: hooks.map(
              ({ context, input }): Hook => ({
                event: 'post_tool_use',
                context: context === '' ? 'Hello.' : context,
                ...(input && { matcher: { input_contains: 'needle' } }),
              }),
            ),
          });
          const given = calls.map(({ tool_name, input }) => ({
            tool_name,
            tool_input: { command: input ? 'a needle' : 'hay' },
          }));
          const known = output(world, id, given);
          rewrite(world, forget);
          expect(known).toEqual(output(world, id, given));
        },
      ),
      {
        numRuns: tries(15, 60),
        seed: 0x2282,
        // The inserted names of tools and replies also occur in the text.
        examples: ['x', 'y'].map((letter) => [
          [{ context: letter.repeat(250), input: false }],
          [{ tool_name: 'Bash', input: false }],
        ]),
      },
    );
  });

  const HOOKS: readonly Hook[] = [
    { event: 'post_tool_use', matcher: { input_contains: 'git' }, context: 'Worded now.' },
  ];
  const known = (json: string) => json.replaceAll(/(?<="alone".*)Worded now/gs, 'Known since then');
  const shown = (world: World, env = {}) =>
    eachAsync(async (id) => {
      const { event, file } = MOMENTS.after[id];
      const all = { PATH: process.env.PATH ?? '', HOME: world.folder, ...env };
      const payload = recorded(id, file, { tool_use_id: JSON.stringify(env), timestamp: env });
      const said = textIn(id, event, await world.fire(id, event, payload, { env: all }));
      return bodies(said).at(-1);
    });

  test('is shown with the words of install', async () => {
    const world = install({ hooks: HOOKS });
    rewrite(world, known);
    const others = (id: ClientId) => wireOf(clientOf(id), MOMENTS.after[id].event).firstOnly;
    const now = 'Worded now.';
    expect(await shown(world)).toEqual(each((id) => (others(id) ? now : 'Known since then.')));
  });

  test('is worded now if there is a policy, or if the log has to keep its text', async () => {
    const world = install({ hooks: HOOKS });
    rewrite(world, known);
    expect(await shown(world, { MCP_HOOKS_DEBUG: '1' })).toEqual(all('Worded now.'));
    writeFileSync(join(world.state, 'policy.json'), '{}');
    expect(await shown(world)).toEqual(all('Worded now.'));
  });
});

/** The second stage as a module, with given replies of tools. */
interface Runner {
  read(program: object, stdin: string): object | undefined;
  rulesFor(program: object): ProgramRules;
  plainly(program: object, moment: object, rules: ProgramRules): Promise<void> | undefined;
}
const load = createRequire(join(root, 'dist/templates/runner.cjs'));
const runner: Runner = load('./runner.cjs').stage;

describe('a hook that is shown alone, with the reply of its tool', () => {
  const file = load.resolve('./call.cjs');
  let reply = '';
  const askHooks = async ({ hooks }: { hooks: readonly ProgramHook[] }) => ({
    replies: new Map(hooks.map((hook) => [hook, { text: reply }])),
    reasons: [],
    asked: new Map(hooks.map((hook) => [hook, { milliseconds: 7 }])),
  });
  beforeEach(() => {
    load('./call.cjs').askHooks = askHooks;
  });
  afterEach(() => {
    delete load.cache[file];
  });

  /** The printed and logged facts. */
  async function outputOf(program: EventProgram, payload: object): Promise<unknown[]> {
    const said: unknown[] = [];
    const to = {
      print: (text: string) => said.push(text),
      log: (facts: object) => said.push(facts),
    };
    // Without a session, a turn or a call, nothing counts as shown before.
    const wire = { ...program.wire, occasion: [] };
    const at = { ...program, wire, to, started: 1, most: Number.POSITIVE_INFINITY };
    const rules = runner.rulesFor(at);
    await runner.plainly(at, runner.read(at, JSON.stringify(payload)) ?? {}, rules);
    return said;
  }

  /** Replies of tools: some have lines that could end the quotation, and some are not plain text, which is worded as before. */
  const replies = fc.oneof(
    texts,
    fc.string({ unit: fc.constantFrom(...'\\n\n\t"<>| {y$&'), maxLength: 40 }),
    fc.integer({ min: 4500, max: 9300 }).map((length) => 'a\n'.repeat(length / 2)),
    fc.constantFrom('', '<hook_context>', '</hook_context>', '<system>', 'y'.repeat(200), '{text}'),
  );

  test.each(IDS)('prints the same as if it were worded now: %s', async (id) => {
    const matcher = { tool_name: 'Bash', input_contains: 'é <git>' };
    const events = ['post_tool_use', 'pre_request'] as const;
    const world = install({
      hooks: events.map((event) => ({
        event,
        context_tool: 'recall',
        ...(event === 'post_tool_use' && { matcher }),
      })),
    });
    const read = (path: string) => readFileSync(path);
    const programs = readPrograms(world.runner, readdirSync(world.runner), read);
    for (const [moment, event] of [
      ['after', events[0]],
      ['prompt', events[1]],
    ] as const) {
      const { event: native, file } = MOMENTS[moment][id];
      const program = programs.find((one) => one.client === id && one.native === native);
      const hooks = program?.hooks.filter((hook) => hook.event === event) ?? [];
      if (!program || hooks.length === 0) continue; // this client is told in another way
      expect(hooks.every(({ alone }) => alone?.reply)).toBe(
        !program.wire.repeats && !program.wire.firstOnly,
      );
      const now = hooks.map(({ alone: _, ...hook }) => hook);
      const payload = recorded(id, file, { tool_input: { command: 'é <git>' } });
      await fc.assert(
        fc.asyncProperty(replies, names, async (text, tool_name) => {
          reply = text;
          const given = { ...payload, ...('tool_name' in payload && { tool_name }) };
          const known = await outputOf({ ...program, hooks }, given);
          expect(known).toEqual(await outputOf({ ...program, hooks: now }, given));
        }),
        { numRuns: tries(50, 400), seed: 0x2282 },
      );
    }
  });
});
