/** Hooks of the extended vocabulary in every client: what each receives for the same declaration, side by side. */
import { describe, expect, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { readAnswer } from '../../src/diagnose/fire/hook-output.ts';
import { linesIn } from '../support/runner/chain.ts';
import {
  type ClientId,
  clientOf,
  type Each,
  each,
  eachAsync,
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

/** Copilot is told twice, for itself and for VS Code. */
const linesOnce = (answer: unknown): string[] => [...new Set(linesIn(answer))];

const answers = (stdout: string): unknown => (stdout === '' ? undefined : JSON.parse(stdout));

/** What each client is given for the call of its shell tool, before it. */
const BEFORE: Each<string> = {
  'claude-code': 'PreToolUse',
  codex: 'PreToolUse',
  'gemini-cli': 'BeforeTool',
  'copilot-cli': 'PreToolUse',
};

const fired = (at: World, id: ClientId, event: string, changes: Payload = {}) =>
  at.fire(id, event, recorded(id, event, { cwd: at.cwd, ...changes })).then(answers);

const says = (answer: object) => [
  'node',
  '-e',
  `console.log(${JSON.stringify(JSON.stringify(answer))})`,
];
const denies = (reason: string) =>
  `Note from the MCP server "annal", not from the user, who has allowed it to block: ${reason}`;

test('texts come in their order after the shell tool, each on its condition', async () => {
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

describe('calls that are counted', () => {
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

  const FAILED: Partial<Each<readonly [file: string, one: string, other: string]>> = {
    'claude-code': ['PostToolUseFailure', 'Exit code 7', 'Exit code 7'],
    'gemini-cli': [
      'AfterTool.shell-exit7',
      'Output: x\nExit Code: 7\nProcess Group PGID: 1',
      'Output: x\nExit Code: 7\nProcess Group PGID: 2',
    ],
    'copilot-cli': [
      'PostToolUse.shell-exit7',
      '\n<shellId: 2 completed with exit code 7>',
      '\n<shellId: 3 completed with exit code 7>',
    ],
  };
  test('fail in the same way, whatever the number of the process', async () => {
    const at = world({ ...AFTER, matcher: twice('error') });
    const told = await eachAsync(async (id) => {
      const [file, ...outputs] = FAILED[id] ?? [];
      const said = [];
      for (const [index, toolOutput] of outputs.entries())
        said.push(await after(at, id, { toolOutput, ...moment(index) }, file));
      return said;
    });
    expect(told).toEqual({ ...each(() => [[], ['again']]), codex: [] });
  });

  test.each([
    ['gemini-cli', 'a log\nExit Code: 1\nof something'],
    ['gemini-cli', 'a log\nExit Code: 1'],
    ['copilot-cli', 'a log: <shellId: 2 completed with exit code 7>'],
  ] as const)('did not fail where %s reads a file that says so', async (id, toolOutput) => {
    const at = world({ event: 'tool_error', context: 'failed' });
    const read = { toolOutput, toolName: id === 'gemini-cli' ? 'read_file' : 'Read' };
    expect(await after(at, id, read)).toEqual([]);
  });
});

/** What tells two calls apart, in any client. */
const moment = (number: number) => ({
  timestamp: `2026-11-22T11:01:0${number}.000Z`,
  tool_use_id: `call-${number}`,
});

describe('before a call', () => {
  const deny = (event: string, reason: string) => ({
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  });

  test('a block', async () => {
    const at = world({ event: 'pre_tool_use', block: 'Not {tool_name}.' });
    const reason = (tool: string) => denies(`Not ${tool}.`);
    const printed = await eachAsync((id) =>
      at.fire(id, BEFORE[id], recorded(id, BEFORE[id], { cwd: at.cwd })),
    );
    expect(each((id) => answers(printed[id]))).toEqual({
      'claude-code': deny('PreToolUse', reason('Bash')),
      codex: deny('PreToolUse', reason('Bash')),
      'gemini-cli': { decision: 'deny', reason: reason('run_shell_command') },
      'copilot-cli': deny('PreToolUse', reason('Bash')),
    });
    // And it is what a client takes, as `fire` and `verify` read it.
    expect(each((id) => readAnswer(clientOf(id), BEFORE[id], printed[id], {}, true))).toEqual(
      each((id) => ({
        text: undefined,
        decided: { block: reason(id === 'gemini-cli' ? 'run_shell_command' : 'Bash') },
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
    const specific = { hookEventName: 'PreToolUse', updatedInput: input };
    const changed = await eachAsync((id) => fired(at, id, BEFORE[id]));
    const taken = each((id) =>
      readAnswer(clientOf(id), BEFORE[id], JSON.stringify(changed[id]), {}, true),
    );
    expect(taken).toEqual(each(() => ({ text: undefined, decided: {} })));
    expect(changed).toEqual({
      'claude-code': { hookSpecificOutput: specific },
      codex: { hookSpecificOutput: { ...specific, permissionDecision: 'allow' } },
      'gemini-cli': { hookSpecificOutput: { tool_input: input } },
      'copilot-cli': { hookSpecificOutput: specific },
    });
  });

  test('nothing of it without a grant', async () => {
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
    const before = await eachAsync((id) => fired(at, id, BEFORE[id]));
    const later = { ...before, 'gemini-cli': await fired(at, 'gemini-cli', 'AfterTool') };
    expect(each((id) => linesOnce(later[id]))).toEqual(each(() => ['text', 'no']));
    expect(JSON.stringify([before, later])).not.toMatch(/deny|updatedInput|tool_input/);
  });
});

test('a changed output', async () => {
  const at = world({
    event: 'post_tool_use',
    may: ['modify'],
    command: says({ action: 'modify', modifiedOutput: 'gone' }),
  });
  const event = (id: ClientId) => MOMENTS.after[id].event;
  const given = recorded('claude-code', 'PostToolUse').tool_response;
  expect(await eachAsync((id) => fired(at, id, event(id)))).toEqual({
    'claude-code': {
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: { ...(given as object), stdout: 'gone' },
      },
    },
    codex: { decision: 'block', reason: 'gone' },
    'gemini-cli': { decision: 'deny', reason: 'gone' },
    'copilot-cli': { modifiedResult: { resultType: 'success', textResultForLlm: 'gone' } },
  });
});

test('a command is told of a call in the same words', async () => {
  const at = world({ event: 'post_tool_use', command: ['cat'] });
  const told = await eachAsync(async (id) => {
    const lines = linesOnce(await fired(at, id, MOMENTS.after[id].event));
    return JSON.stringify(lines);
  });
  // A whole envelope is no answer: it is JSON that follows no convention, and so it is text.
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

test('a command is told of a prompt as the user wrote it', async () => {
  const at = world({ event: 'pre_request', command: ['cat'] });
  const told = await eachAsync(async (id) => {
    const [line = ''] = linesOnce(await fired(at, id, MOMENTS.prompt[id].event));
    return JSON.parse(line).prompt;
  });
  expect(told['gemini-cli']).toBe('please commit é日本');
  expect(told).toEqual(each(() => expect.stringMatching(/^[^<]+$/)));
});

test('before a compaction a command runs at once, and what it says is told when that is possible', async () => {
  const at = world({ event: 'pre_compact', command: ['sh', '-c', 'echo handoff'] });
  const compacts: Each<string> = {
    'claude-code': 'PreCompact',
    codex: 'PreCompact',
    'gemini-cli': 'PreCompress',
    'copilot-cli': 'PreCompact',
  };
  const next: Each<readonly [event: string, file: string]> = {
    'claude-code': ['SessionStart', 'SessionStart.compact'],
    codex: ['SessionStart', 'SessionStart.compact'],
    'gemini-cli': ['BeforeAgent', 'BeforeAgent'],
    'copilot-cli': ['userPromptTransformed', 'userPromptTransformed'],
  };
  const told = await eachAsync(async (id) => {
    const session = { session: 'one', cwd: at.cwd };
    const now = await at.fire(id, compacts[id], recorded(id, compacts[id], session));
    const [event, file] = next[id];
    const [then, again] = [
      await at.fire(id, event, recorded(id, file, session)),
      await at.fire(id, event, recorded(id, file, { ...session, prompt_id: 'next' })),
    ];
    return [now, ...[then, again].map((stdout) => linesOnce(answers(stdout)))];
  });
  expect(told).toEqual(each(() => ['', ['handoff'], []]));
});
