/** Hooks of the extended vocabulary: what each client receives for the same declaration, side by side. */
import { describe, expect, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { readAnswer } from '../../src/diagnose/fire/run-hook.ts';
import { expected, isNever } from '../clients/expectations.ts';
import { each, eachAsync, IDS } from '../support/runner/at-once.ts';
import { linesIn } from '../support/runner/chain.ts';
import {
  type ClientId,
  clientOf,
  MOMENTS,
  type Payload,
  recorded,
} from '../support/runner/clients.ts';
import { filesIn, install, type World } from '../support/runner/world.ts';

const defaults = {
  ...RULES,
  contextTool: true,
  block: true,
  modify: true,
  command: true,
  projectCode: true,
};

const world = (...declarations: object[]): World =>
  install({
    hooks: [],
    manifest: JSON.stringify({
      version: 2,
      name: 'annal',
      server: { command: 'none' },
      hooks: { declarations },
    }),
    defaults,
  });

/** The lines without duplicates: some clients repeat them for another client that runs their hooks. */
const linesOnce = (answer: unknown): string[] => [...new Set(linesIn(answer))];

const answers = (stdout: string): unknown => (stdout === '' ? undefined : JSON.parse(stdout));

const before = (id: ClientId): string => expected[id].decidesBefore;

const fired = (at: World, id: ClientId, event: string, changes: Payload = {}) =>
  at.fire(id, event, recorded(id, event, { cwd: at.cwd, ...changes })).then(answers);

const says = (answer: object) => [
  'node',
  '-e',
  `console.log(${JSON.stringify(JSON.stringify(answer))})`,
];
const denies = (reason: string) =>
  `Note from the MCP server "annal", not from the user, who has allowed it to block: ${reason}`;

test('texts come in their order after a call of the shell, each on its condition', async () => {
  const event = 'post_tool_use';
  const at = world(
    { event, context: 'second', order: 2, matcher: { tool_name: 'Bash' } },
    { event, context: 'first', order: 1, matcher: { input_matches: 'git (commit|push)' } },
    { event, context: 'not: it did not fail', matcher: { failed: true } },
    { event, context: 'not: another command', matcher: { input_matches: '^npm' } },
    { event, context: 'not: left out', matcher: { exclude: { tools: ['Bash'] } } },
    { event, context: 'not: no branch', matcher: { branch: '*' } },
    { event, context: 'third', order: 90, matcher: { project: 'shop' } },
  );
  const told = await eachAsync((id) => fired(at, id, MOMENTS.after[id].event));
  expect(each((id) => linesOnce(told[id]))).toEqual(each(() => ['first', 'second', 'third']));
});

describe('counted calls', () => {
  const AFTER = { event: 'post_tool_use', context: 'again' };
  const twice = (same: string) => ({ repeat: { times: 2, within: 60, same } });
  const after = (at: World, id: ClientId, changes: Payload, file = MOMENTS.after[id].file) =>
    run(at, id, file, changes).then((answer) => linesOnce(answer));
  const run = (at: World, id: ClientId, file: string, changes: Payload) =>
    at
      .fire(id, file.split('.')[0] ?? '', recorded(id, file, { cwd: at.cwd, ...changes }))
      .then(answers);

  test('leave nothing of their input on the disk', async () => {
    const at = world({ ...AFTER, matcher: twice('call') });
    const toolInput = { command: 'echo NOT-TO-BE-KEPT' };
    const told = await eachAsync(async (id) => [
      await after(at, id, { toolInput, ...moment(1) }),
      await after(at, id, { toolInput, ...moment(2) }),
    ]);
    expect(told).toEqual(each(() => [[], ['again']]));
    expect(JSON.stringify(filesIn(at.state))).not.toContain('NOT-TO-BE-KEPT');
  });

  test.each(['error', 'call_and_error'])(
    'fail in the same way, whatever the number of the process: %s',
    async (same) => {
      const at = world({ ...AFTER, matcher: twice(same) });
      const told = await eachAsync(async (id) => {
        const [file, ...outputs] = expected[id].sameFailure ?? [];
        const said = [];
        for (const [index, toolOutput] of outputs.entries())
          said.push(await after(at, id, { toolOutput, ...moment(index) }, file));
        return said;
      });
      expect(told).toEqual(each((id) => (expected[id].sameFailure ? [[], ['again']] : [])));
    },
  );

  test.each(IDS)('did not fail if %s reads a file about failures', async (id) => {
    const at = world({ event: 'tool_error', context: 'failed' });
    const { looksFailed, read } = expected[id];
    for (const toolOutput of looksFailed)
      expect(await after(at, id, { toolOutput, toolName: read })).toEqual([]);
  });
});

/** Fields that distinguish two calls in any client. */
const moment = (number: number) => ({
  timestamp: `2026-11-22T11:01:0${number}.000Z`,
  tool_use_id: `call-${number}`,
});

describe('before a call', () => {
  test('a block', async () => {
    const at = world({ event: 'pre_tool_use', block: 'Not {tool_name}.' });
    const printed = await eachAsync((id) =>
      at.fire(id, before(id), recorded(id, before(id), { cwd: at.cwd })),
    );
    const reasonFor = (id: ClientId) => denies(`Not ${expected[id].shell}.`);
    expect(each((id) => answers(printed[id]))).toEqual(
      each((id) => expected[id].answers.deny(before(id), reasonFor(id))),
    );
    // The client accepts this answer, as `fire` and `verify` read it.
    expect(each((id) => readAnswer(clientOf(id), before(id), printed[id], {}, true))).toEqual(
      each((id) => ({
        text: undefined,
        decided: { block: reasonFor(id) },
      })),
    );
  });

  test('a changed input', async () => {
    const input = { command: 'ls' };
    const at = world({
      event: 'pre_tool_use',
      may: ['modify'],
      command: says({ action: 'modify', modifiedInput: input }),
    });
    const changed = await eachAsync((id) => fired(at, id, before(id)));
    expect(changed).toEqual(each((id) => expected[id].answers.input?.(before(id), input)));
    const taken = IDS.filter((id) => expected[id].answers.input).map((id) =>
      readAnswer(clientOf(id), before(id), JSON.stringify(changed[id]), {}, true),
    );
    expect(taken).toEqual(taken.map(() => ({ text: undefined, decided: {} })));
  });

  test('nothing without a grant', async () => {
    const at = install({
      hooks: [],
      manifest: JSON.stringify({
        version: 2,
        name: 'annal',
        hooks: {
          declarations: [
            {
              event: 'pre_tool_use',
              may: ['modify', 'block'],
              command: says({ action: 'modify', modifiedInput: {}, additionalContext: ['text'] }),
            },
            { event: 'pre_tool_use', may: ['block'], command: ['sh', '-c', 'echo no >&2; exit 2'] },
          ],
        },
      }),
      defaults: { ...RULES, command: true, projectCode: true },
    });
    const now = await eachAsync((id) => fired(at, id, before(id)));
    const later = await eachAsync(async (id) => {
      const { event } = MOMENTS.before[id];
      return event === before(id) ? now[id] : await fired(at, id, event);
    });
    expect(each((id) => linesOnce(later[id]))).toEqual(each(() => ['text', 'no']));
    expect(JSON.stringify([now, later])).not.toMatch(/deny|updatedInput|tool_input/);
  });
});

test('a changed output', async () => {
  const at = world({
    event: 'post_tool_use',
    may: ['modify'],
    command: says({ action: 'modify', modifiedOutput: 'gone' }),
  });
  const event = (id: ClientId) => MOMENTS.after[id].event;
  expect(await eachAsync((id) => fired(at, id, event(id)))).toEqual(
    each((id) => expected[id].answers.output?.(event(id), 'gone')),
  );
});

test('a command reads a call in the same words', async () => {
  const at = world({ event: 'post_tool_use', command: ['cat'] });
  const told = await eachAsync(async (id) => {
    const lines = linesOnce(await fired(at, id, MOMENTS.after[id].event));
    return JSON.stringify(lines);
  });
  // The envelope follows no convention for answers, so it counts as text.
  for (const id of Object.keys(told) as ClientId[]) {
    const { hook, event, client, git_branch, tool_name, tool } = JSON.parse(
      JSON.parse(told[id])[0],
    );
    expect({ hook, event, client, git_branch, tool: tool.name === tool_name }).toEqual({
      hook: 'PostToolUse',
      event: 'post_tool_use',
      client: id,
      git_branch: undefined,
      tool: true,
    });
  }
});

test('a command reads a prompt as the user wrote it', async () => {
  const at = world({ event: 'pre_request', command: ['cat'] });
  const told = await eachAsync(async (id) => {
    const [line = ''] = linesOnce(await fired(at, id, MOMENTS.prompt[id].event));
    return JSON.parse(line).prompt;
  });
  expect(told).toEqual(each(() => expect.stringMatching(/^[^<]+$/)));
});

test('a pattern for the prompt looks at what the user wrote', async () => {
  const hook = (context: string, input_matches: string) => ({
    event: 'pre_request',
    context,
    matcher: { input_matches, failed: true },
  });
  const at = world(hook('deploys', '^Please [Dd]eploy'), hook('not: another word', 'release'));
  const told = await eachAsync(async (id) => {
    const { event } = MOMENTS.prompt[id];
    const prompted = (prompt: string) => fired(at, id, event, { prompt }).then(linesOnce);
    return [await prompted('Please look at it.'), await prompted('Please deploy it.')];
  });
  expect(told).toEqual(each(() => [[], ['deploys']]));
});

const COMPACTING = IDS.filter((id) => expected[id].compaction);
function compactionOf(id: ClientId) {
  const { compaction } = expected[id];
  if (!compaction) throw new Error(id);
  return compaction;
}

test('a text for after a compaction is not shown with the command that asks for one', async () => {
  const at = world({ event: 'pre_compact', context: 'Anew.' });
  const told = await eachAsync(async (id) => {
    const session = { session: 'one', cwd: at.cwd };
    const { event: compacts, next, commands = [] } = compactionOf(id);
    await at.fire(id, compacts, recorded(id, compacts, session));
    const [event, file] = next;
    const asked: string[] = [];
    for (const prompt of commands)
      asked.push(await at.fire(id, event, recorded(id, file, { ...session, prompt })));
    const then = await at.fire(id, event, recorded(id, file, session));
    return { asked, shown: linesOnce(answers(then)) };
  }, COMPACTING);
  const wanted = (id: ClientId) => (compactionOf(id).commands ?? []).map(() => '');
  const shown = (id: ClientId) => (isNever(id, 'pre_compact') ? [] : ['Anew.']);
  expect(told).toEqual(each((id) => ({ asked: wanted(id), shown: shown(id) }), COMPACTING));
});

test('before a compaction, a command runs at once, and its output is shown as soon as possible', async () => {
  const at = world({ event: 'pre_compact', command: ['sh', '-c', 'echo handoff'] });
  const told = await eachAsync(async (id) => {
    const session = { session: 'one', cwd: at.cwd };
    const { event: compacts, next } = compactionOf(id);
    const now = await at.fire(id, compacts, recorded(id, compacts, session));
    const [event, file] = next;
    const [then, again] = [
      await at.fire(id, event, recorded(id, file, session)),
      await at.fire(id, event, recorded(id, file, { ...session, prompt_id: 'next' })),
    ];
    return [now, ...[then, again].map((stdout) => linesOnce(answers(stdout)))];
  }, COMPACTING);
  const later = (id: ClientId) => (isNever(id, 'pre_compact') ? [] : ['handoff']);
  expect(told).toEqual(each((id) => ['', later(id), []], COMPACTING));
});
