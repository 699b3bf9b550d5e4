/** Context tools in a chain: what they receive, and which parts of their answers are more than text. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventPrograms } from '../../src/compile/program.ts';
import { chain, DECISIVE, linesIn, reasonsOf, serverTold } from '../support/runner/chain.ts';
import { root, scratch } from '../support/runner/world.ts';

test.each(['modern', 'legacy'])('tools receive the event: a server of the %s era', async (era) => {
  const log = join(scratch('log'), 'log');
  const event = 'pre_tool_use';
  const world = chain({
    server: serverTold({ era, log }),
    hooks: [
      {
        event,
        order: 1,
        context_tool: 'one',
        context_tool_args: { about: '{event}', inner: [{ also: '{event}' }], text: 'a {event}' },
      },
      { event, context_tool: 'plain', context_tool_args: { about: '{event}' } },
    ],
  });
  await world.fire('PreToolUse');
  const calls = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ method, params }) => method === 'tools/call' && (era !== 'modern' || params._meta));
  const of = (tool: string) => calls.findLast(({ params }) => params.name === tool).params;
  const envelope = of('one')._meta['io.github.mcp-hooks/event'];
  expect(envelope).toMatchObject({ hook: 'PreToolUse', tool: { name: 'Bash' } });
  expect(of('one').arguments).toEqual({
    about: envelope,
    inner: [{ also: envelope }],
    text: 'a {event}',
  });
  // A hook with only the fields of the SEP works as before.
  expect(of('plain').arguments).toEqual({ about: '{event}' });
  expect(of('plain')._meta ?? {}).not.toHaveProperty('io.github.mcp-hooks/event');
});

test.each([
  [
    'with a list as structured content is text',
    { structuredContent: [{ action: 'block' }] },
    ['the text'],
    [],
  ],
  [
    'that is an error is ignored, whatever else it contains',
    { isError: true, structuredContent: { action: 'block', reason: 'x' } },
    [],
    ['tool-failed'],
  ],
])('an answer %s', async (_what, answered, lines, why) => {
  const tool = { content: [{ type: 'text', text: 'the text' }], ...answered };
  const world = chain({
    server: serverTold({ results: { tool } }),
    hooks: [{ event: 'pre_tool_use', context_tool: 'tool', may: ['block'] }],
  });
  const { answer } = await world.fire('PreToolUse');
  expect(JSON.stringify(answer ?? '')).not.toContain('deny');
  expect([linesIn(answer), reasonsOf(world)]).toEqual([lines, why]);
});

test.each([
  [{}, []],
  [{ show_empty: false }, []],
  [{ show_empty: true }, ['[]']],
  [{ may: ['block'], on_failure: 'deny' }, []],
])('an empty list is shown only if the hook asks for it: %j', async (more, lines) => {
  const tool = { content: [{ type: 'text', text: '[]' }] };
  const world = chain({
    server: serverTold({ results: { tool } }),
    hooks: [{ event: 'pre_tool_use', context_tool: 'tool', ...more }],
  });
  const { answer } = await world.fire('PreToolUse');
  expect(JSON.stringify(answer ?? '')).not.toContain('deny');
  expect(linesIn(answer)).toEqual(lines);
});

describe('secrets', () => {
  // Assembled here, so that secret scanners do not report this file.
  const key = `ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xYzaB3dE6'}`;
  const payload = { tool_input: { command: `curl -H 'authorization: ${key}'` } };
  const hooks = [
    { event: 'pre_tool_use', command: ['sh', '-c', 'cat >told.json'] },
    { event: 'pre_tool_use', context: 'call: {tool_input}', order: 60 },
    {
      event: 'pre_tool_use',
      may: ['block'],
      order: 70,
      command: ['sh', '-c', `echo ${key} >&2; exit 2`],
    },
  ];

  test('are masked before hooks read them, and in the log', async () => {
    const world = chain({ hooks });
    const { stdout } = await world.fire('PreToolUse', payload);
    const told = readFileSync(join(world.cwd, 'told.json'), 'utf8');
    expect(told).toContain('***');
    for (const text of [told, linesIn(JSON.parse(stdout)).join(), JSON.stringify(world.log())])
      expect(text).not.toContain(key);
    expect(JSON.stringify(world.log())).toContain('"action":"block"');
  });

  /** The event contains no secret: each hook brings its own. */
  const printing: [string, object, string][] = [
    ['the text of a program', { command: ['echo', `said ${key}`] }, 'said ***'],
    [
      'the text of a program that may decide',
      { command: ['echo', `said ${key}`], may: ['block'] },
      'said ***',
    ],
    [
      'the reason of a block',
      { command: ['sh', '-c', `echo said ${key} >&2; exit 2`], may: ['block'] },
      'to block: said ***',
    ],
    [
      'the reason of a block that is not granted',
      { command: ['sh', '-c', `echo said ${key} >&2; exit 2`] },
      'said ***',
    ],
    ["a tool's text", { context_tool: 'tool' }, 'said ***'],
    ["a tool's reason", { context_tool: 'tool', may: ['block'] }, 'said ***'],
    [
      'a changed output',
      {
        event: 'post_tool_use',
        command: ['echo', JSON.stringify({ action: 'modify', modifiedOutput: `said ${key}` })],
        may: ['modify'],
      },
      'said ***',
    ],
    [
      'an object that is not a valid answer',
      { command: ['echo', `{"said":"${key}"}`] },
      '\\"said\\":\\"***',
    ],
  ];
  const printed = (hook: object, policy?: object) => {
    const { event = 'pre_tool_use' } = hook as { event?: string };
    const tool = { content: [{ type: 'text', text: `said ${key}` }] };
    const server = serverTold({ results: { tool } });
    const world = chain({ server, hooks: [{ event, ...hook }], ...(policy && { policy }) });
    const native = event === 'pre_tool_use' ? 'PreToolUse' : 'PostToolUse';
    return { world, fire: (changes?: object) => world.fire(native, changes) };
  };

  test.each(printing)('are masked in what a hook prints: %s', async (_what, hook, seen) => {
    const { world, fire } = printed(hook);
    const { stdout } = await fire();
    expect(stdout).toContain(seen);
    for (const text of [stdout, JSON.stringify(world.log())]) expect(text).not.toContain(key);
  });

  test.each(printing)('are shown if the policy switches masking off: %s', async (_what, hook) => {
    expect((await printed(hook, { redact: false }).fire()).stdout).toContain(key);
  });

  test('in a changed input go into the call, and nowhere else', async () => {
    const modifiedInput = { command: `login ${key}` };
    const says = JSON.stringify({ action: 'modify', modifiedInput, additionalContext: key });
    const { world, fire } = printed({ command: ['echo', says], may: ['modify'] });
    const { answer } = await fire();
    expect(answer).toMatchObject({ hookSpecificOutput: { updatedInput: modifiedInput } });
    expect(linesIn(answer)).toEqual(['***']);
    expect(JSON.stringify(world.log())).not.toContain(key);
  });

  test.each(printing)(
    'are masked with the whole text if the rules fail: %s',
    async (what, hook) => {
      const { world, fire } = printed(hook);
      writeFileSync(join(world.folder, 'runner', 'secrets.cjs'), 'throw new Error();');
      const { stdout } = await fire(payload);
      // A tool that decides is not called, because it would not see the call that it decides about.
      const seen = what === "a tool's reason" ? '' : expect.stringContaining('***');
      expect(stdout).toEqual(seen);
      expect(stdout).not.toContain('said');
    },
  );

  test('are seen by conditions', async () => {
    const matcher = { input_matches: key };
    const world = chain({ hooks: [{ event: 'pre_tool_use', context: 'seen', matcher }] });
    expect(linesIn((await world.fire('PreToolUse', payload)).answer)).toEqual(['seen']);
  });
});

describe('within a process', () => {
  const require = createRequire(import.meta.url);
  const runner = require(join(root, 'dist/templates/runner.cjs')).stage;
  const { evaluate, evaluationOf } = require(join(root, 'dist/templates/chain.cjs'));

  test('handlers answer as commands do, and the outcome is returned', async () => {
    const event = 'pre_tool_use';
    const world = chain({
      hooks: [
        { event, context: 'x', order: 1, may: undefined },
        { event, context: 'a text', order: 9 },
        { event, command: ['none'], may: ['modify'], order: 5 },
        { event, command: ['none'], order: 6 },
        { event, command: ['none'], may: ['block'], order: 99 },
      ],
    });
    const [program] = eventPrograms(world.compiled.program).filter(
      ({ native }) => native === 'PreToolUse',
    );
    if (!program) throw new Error('no program');
    const at = { ...program, started: Date.now() };
    const hook = (number: number) => program.hooks.find((one) => one.number === number);
    const seen: unknown[] = [];
    const handlers = new Map<unknown, (envelope: { tool: unknown }) => unknown>([
      [
        hook(3),
        () =>
          Promise.resolve({ action: 'modify', modifiedInput: { command: 'b' }, warnings: ['w'] }),
      ],
      [
        hook(4),
        (envelope) => {
          seen.push(envelope.tool);
          throw new Error('broken');
        },
      ],
      [hook(5), () => ({ action: 'block', reason: 'enough' })],
    ]);
    const payload = {
      session_id: 's',
      cwd: world.cwd,
      tool_name: 'Bash',
      tool_input: { command: 'a' },
    };
    const firing = runner.read(at, JSON.stringify(payload));
    const evaluation = evaluationOf(at, firing, at.policy.rules, { ...runner, handlers });
    const said = await evaluate(evaluation);
    expect(seen).toEqual([{ name: 'Bash', input: { command: 'b' } }]);
    expect(said.shown).toMatchObject([{ number: 1 }, { number: 2 }]);
    expect({ ...evaluation.outcome, ...evaluation.outcome.changed }).toMatchObject({
      decision: { action: 'block', reason: 'enough', hook: 5 },
      modifiedInput: { command: 'b' },
      warnings: ['w'],
      decisions: [
        { hook: 3, action: 'modify' },
        { hook: 5, action: 'block' },
      ],
      reasons: [{ code: 'error', name: 'Error' }],
    });
    expect(linesIn(said.text)).toEqual(['x', 'a text']);
  });
});

describe('an install', () => {
  test('has no chain if no hook needs it', () => {
    const world = chain({ hooks: [{ event: 'pre_tool_use', context: 'plain' }] });
    expect(world.compiled.program.events.PreToolUse).not.toHaveProperty('chain');
    expect(existsSync(join(world.folder, 'runner/chain.cjs'))).toBe(false);
    expect(world.compiled.program.policy.rules).not.toHaveProperty('block');
  });

  test('passes every event to the second stage that a hook may match', () => {
    const at = (matcher?: object) => {
      const { folder } = chain({
        hooks: [{ event: 'pre_tool_use', context: 'x', order: 1, matcher }],
      });
      return readFileSync(join(folder, `runner/${DECISIVE.id}.PreToolUse.sh`), 'utf8');
    };
    const decides = (shell: string) => /mcp_decide\(\) \{[\s\S]*?\n\}/.exec(shell)?.[0] ?? '';
    expect(decides(at())).not.toContain('exit');
    expect(decides(at({ input_contains: 'git commit' }))).toContain('git commit');
    expect(decides(at({ input_matches: 'git commit' }))).not.toContain('exit');
  });

  test('gives hooks that start a program the environment of the client', () => {
    const { folder } = chain({ hooks: [{ event: 'pre_tool_use', command: ['x'] }] });
    const shell = readFileSync(join(folder, `runner/${DECISIVE.id}.PreToolUse.sh`), 'utf8');
    expect(shell).toContain('mcp_aside');
    expect(shell).not.toContain('OPENSSL_CONF');
  });
});
