// Texts about calls and the start of a session wait for the next prompt.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shownOn } from '../../support/runner/shown.ts';
import { bodies, type Hook, install, type World } from '../../support/runner/world.ts';

const ID = 'kimi-code';
const PROMPT = 'UserPromptSubmit';

const said = (world: World, file: string, changes: object = {}) =>
  shownOn(world, ID, file, { session: 'session_1', ...changes });
const call = (command: string) => ({ tool_input: { command } });

const commit: Hook = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'What did you learn?',
};

describe('about a call', () => {
  test('a text is shown once with the next prompt, however many calls there were', async () => {
    const world = install({ hooks: [commit] });
    expect(await said(world, PROMPT)).toEqual([]);
    for (const command of ['git commit -m a', 'git commit -m b'])
      expect(await said(world, 'PostToolUse', call(command))).toEqual([]);
    expect(await said(world, PROMPT)).toEqual(['What did you learn?']);
    expect(await said(world, PROMPT)).toEqual([]);
  });

  test('only matching calls count, and only those of the same session', async () => {
    const before: Hook = { ...commit, event: 'pre_tool_use', context: 'Before.' };
    const world = install({ hooks: [commit, before] });
    await said(world, 'PostToolUse', call('git push'));
    await said(world, 'PreToolUse', { ...call('git commit'), tool_name: 'Read' });
    expect(await said(world, PROMPT)).toEqual([]);
    await said(world, 'PreToolUse', call('git commit'));
    expect(await said(world, PROMPT, { session: 'session_2' })).toEqual([]);
    expect(await said(world, PROMPT)).toEqual(['Before.']);
  });

  test("values are those of the call, and each call's text is shown once", async () => {
    const context = '{tool_name}: {tool_output}';
    const world = install({ hooks: [{ ...commit, context }] });
    for (const tool_output of ['a', 'b', 'b'])
      await said(world, 'PostToolUse', {
        ...call(`git commit # ${tool_output}`),
        tool_output,
        tool_call_id: `call_${tool_output}`,
      });
    expect(await said(world, PROMPT)).toEqual(['Bash: "a"\nBash: "b"']);
    expect(await said(world, PROMPT)).toEqual([]);
  });

  test('with --act-now, a text is shown when the turn ends', async () => {
    const world = install({ hooks: [commit], actNow: true });
    expect(await said(world, 'Stop')).toEqual([]);
    await said(world, 'PostToolUse', call('git commit'));
    expect(await said(world, 'Stop')).toEqual(['What did you learn?']);
    expect(await said(world, 'Stop')).toEqual([]);
    expect(await said(world, PROMPT)).toEqual([]);
  });
});

test("a text at a session's start is shown once, and again after a compaction removed it", async () => {
  const world = install({ hooks: [{ event: 'session_start', context: 'Welcome.' }] });
  const home = join(world.folder, 'home');
  const env = { HOME: home };
  const path = join(home, '.kimi-code/sessions/wd_shop_1/session_1/agents/main/wire.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  const lines: object[] = [];
  const write = (line: object) => {
    lines.push(line);
    writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  };
  write({ type: 'metadata', created_at: 1 });
  const tell = async () => {
    const stdout = await world.fire(ID, PROMPT, JSON.stringify(payload), {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    const text: unknown = stdout === '' ? undefined : JSON.parse(stdout).message;
    if (typeof text === 'string')
      write({
        type: 'context.append_message',
        message: {
          role: 'user',
          content: [
            { type: 'text', text: `<hook_result hook_event="${PROMPT}">\n${text}\n</hook_result>` },
          ],
          origin: { kind: 'hook_result', event: PROMPT },
        },
      });
    return bodies(typeof text === 'string' ? text : undefined);
  };
  const payload = {
    hook_event_name: PROMPT,
    session_id: 'session_1',
    cwd: world.cwd,
    prompt: [{ type: 'text', text: 'Do it.' }],
  };
  expect(await tell()).toEqual(['Welcome.']);
  expect(await tell()).toEqual([]);
  write({ type: 'context.apply_compaction', summary: 'S' });
  expect(await tell()).toEqual(['Welcome.']);
  expect(await tell()).toEqual([]);
});
