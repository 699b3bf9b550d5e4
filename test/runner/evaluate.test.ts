/** Hooks of the extended vocabulary as the runner and the engine evaluate them, without a process. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventPrograms } from '../../src/compile/program.ts';
import { type ChainWorld, chain, linesIn } from '../support/runner/chain.ts';
import { root } from '../support/runner/world.ts';

const load = createRequire(join(root, 'dist/templates/chain.cjs'));
const runner = load('./runner.cjs').stage;

const event = 'pre_tool_use';
const call = { tool_name: 'Bash', tool_input: { command: 'ls' } };

interface Given {
  /** The answer of the hook's program. */
  readonly answer?: unknown;
  readonly rules?: object;
  readonly stage?: object;
  readonly hooks?: (hook: object) => object;
}

let fired = 0;
async function evaluated(world: ChainWorld, native: string, payload: object, given: Given = {}) {
  const program = eventPrograms(world.compiled.program).find((one) => one.native === native);
  if (!program) throw new Error(native);
  const hooks = program.hooks.map((hook) => ({ ...hook, ...given.hooks?.(hook) }));
  const at = { ...program, hooks, started: Date.now() };
  const text = JSON.stringify({
    session_id: 's',
    cwd: world.cwd,
    tool_use_id: `call-${fired}`,
    prompt_id: `prompt-${fired++}`,
    ...payload,
  });
  const handlers = new Map(
    hooks.flatMap((hook) =>
      hook.extended?.command || hook.call ? [[hook, () => given.answer] as const] : [],
    ),
  );
  const rules = { ...at.policy.rules, ...given.rules };
  const stage = { ...runner, ...given.stage, handlers };
  const firing = runner.read(at, text);
  if (!firing) throw new Error('No hook has anything to do with it.');
  const { evaluationOf, evaluate } = load('./chain.cjs');
  const evaluation = evaluationOf(at, firing, rules, stage);
  const said = await evaluate(evaluation);
  const { outcome, failures } = evaluation;
  return { ...outcome, ...outcome.changed, ...failures, lines: linesIn(said.text) };
}

test('if a condition cannot be checked, only its hook fails', async () => {
  const world = chain({
    hooks: [
      { event, context: 'a', order: 1, matcher: { input_matches: 'ls' } },
      { event, context: 'b', order: 2 },
    ],
  });
  // Manifests cannot have this pattern, but a program of another version could.
  const hooks = ({ extended }: { extended?: { when?: object } }) =>
    extended?.when ? { extended: { ...extended, when: { inputMatches: '(?=l)' } } } : {};
  const { lines, reasons, failed } = await evaluated(world, 'PreToolUse', call, { hooks });
  expect(lines).toEqual(['b']);
  expect(reasons).toEqual([{ code: 'pattern-refused', hook: 1 }]);
  expect([...failed].map(({ number }) => number)).toEqual([1]);
});

test('a hook that was already shown takes no place from another one', async () => {
  const hooks = [
    { event, context: 'once', once: 'turn', order: 1 },
    { event, context: 'each time', order: 2 },
  ];
  const world = chain({ hooks });
  const rules = { hooksPerEvent: 1 };
  expect((await evaluated(world, 'PreToolUse', call, { rules })).lines).toContain('once');
  expect((await evaluated(world, 'PreToolUse', call, { rules })).lines).toEqual(['each time']);
});

test('of several runners that see a new turn, only one shows the hook', async () => {
  const world = chain({ hooks: [{ event, context: 'once', once: 'turn' }] });
  await evaluated(world, 'UserPromptSubmit', { prompt: 'Hi.' });
  const others = { stage: { take: () => false } };
  expect((await evaluated(world, 'PreToolUse', call, others)).lines).toEqual([]);
  expect((await evaluated(world, 'PreToolUse', call)).lines).toEqual(['once']);
});

test('a tool changes nothing if its input could not be searched for secrets', async () => {
  const rules = load('./secrets.cjs');
  const { find } = rules;
  rules.find = () => {
    throw new Error('gone');
  };
  onTestFinished(() => {
    rules.find = find;
  });
  const world = chain({ hooks: [{ event, context_tool: 'none', may: ['modify'] }] });
  const payload = { ...call, tool_input: { command: `login --token ${'aB3dE6gH'.repeat(5)}` } };
  const answer = { action: 'modify', modifiedInput: { command: 'ls' } };
  const { modifiedInput, reasons } = await evaluated(world, 'PreToolUse', payload, { answer });
  expect(modifiedInput).toBeUndefined();
  expect(reasons).toEqual([{ code: 'unmasked' }]);
});
