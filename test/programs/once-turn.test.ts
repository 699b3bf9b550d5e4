/** `once: turn`: what a client reads of a hook in one turn, before the first prompt and after the next one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { linesIn } from '../support/runner/chain.ts';
import { type ClientId, type Payload, recorded } from '../support/runner/clients.ts';
import { install, type World } from '../support/runner/world.ts';

const TOLD = 'told';

const world = (...hooks: object[]): World =>
  install({
    hooks: [],
    manifest: JSON.stringify({
      version: 2,
      name: 'annal',
      hooks: {
        declarations: hooks.map((hook) => ({ context: TOLD, once: 'turn', ...hook })),
      },
    }),
    defaults: { ...RULES, command: true, projectCode: true, modify: true },
  });

/** The lines that each event shows, if any. The events follow each other in one session. */
async function told(at: World, id: ClientId, files: readonly string[], more: Payload = {}) {
  const said: string[] = [];
  for (const [index, file] of files.entries()) {
    const [event = ''] = file.split('.');
    const moment = {
      timestamp: `2026-11-22T11:01:0${index}.000Z`,
      tool_use_id: `call-${index}`,
      prompt_id: `prompt-${index}`,
      session: 'one',
      cwd: at.cwd,
    };
    const stdout = await at.fire(id, event, recorded(id, file, { ...moment, ...more }));
    if (stdout !== '') said.push(`${index} ${file}: ${linesIn(JSON.parse(stdout)).join()}`);
  }
  return said;
}

describe('Claude Code', () => {
  const PROMPT = 'UserPromptSubmit';
  const sequence = (...turn: readonly string[]) => [...turn, ...turn, PROMPT, ...turn, ...turn];

  test.each<[event: string, turn: readonly string[], told: readonly string[]]>([
    [
      'session_start',
      ['SessionStart', 'SessionStart.compact'],
      ['0 SessionStart: told', '5 SessionStart: told'],
    ],
    [
      'pre_compact',
      ['PreCompact', 'SessionStart.compact'],
      ['1 SessionStart.compact: told', '6 SessionStart.compact: told'],
    ],
    [
      'post_compact',
      ['PreCompact', 'SessionStart.compact'],
      ['1 SessionStart.compact: told', '6 SessionStart.compact: told'],
    ],
    [
      'subagent_end',
      ['SubagentStop', 'PostToolUse'],
      ['1 PostToolUse: told', '6 PostToolUse: told'],
    ],
    ['pre_tool_use', ['PreToolUse'], ['0 PreToolUse: told', '3 PreToolUse: told']],
    [
      'tool_error',
      ['PostToolUseFailure'],
      ['0 PostToolUseFailure: told', '3 PostToolUseFailure: told'],
    ],
  ])('%s', async (event, turn, expected) => {
    expect(await told(world({ event }), 'claude-code', sequence(...turn))).toEqual(expected);
  });

  test('tool_error with another hook on the prompt', async () => {
    const at = world({ event: 'tool_error' }, { event: 'pre_request', context: 'asked', order: 1 });
    const failed = 'PostToolUseFailure';
    expect(await told(at, 'claude-code', [failed, PROMPT, failed, failed])).toEqual([
      `0 ${failed}: told`,
      `1 ${PROMPT}: asked`,
      `2 ${failed}: told`,
    ]);
  });

  describe('budget_exceeded', () => {
    const told100 = (hook: object = {}) => {
      const at = world({ event: 'budget_exceeded', budget: { tokens: 100 }, ...hook });
      const transcript = join(at.cwd, 'record.jsonl');
      return async (characters: number, ...files: readonly string[]) => {
        writeFileSync(transcript, `${' '.repeat(characters - 1)}\n`);
        return told(at, 'claude-code', files, { transcript, tool_use_id: `call-${characters}` });
      };
    };

    test('is shown for its warning and its limit only in different turns', async () => {
      const used = told100();
      expect(await used(300, 'PostToolUse')).toEqual(['0 PostToolUse: told']);
      expect(await used(400, 'PostToolUse')).toEqual([]);
      expect(await used(401, PROMPT, 'PostToolUse')).toEqual([`0 ${PROMPT}: told`]);
    });

    test('shown with a prompt belongs to the turn that the prompt begins', async () => {
      const used = told100({ order: 1 });
      expect(await used(300, PROMPT)).toEqual([`0 ${PROMPT}: told`]);
      expect(await used(400, 'PostToolUse')).toEqual([]);
    });
  });

  test('only one of many calls at the same moment shows the text', async () => {
    const at = world({ event: 'pre_tool_use' });
    for (const before of [[], [PROMPT]]) {
      await told(at, 'claude-code', before);
      const calls = Array.from({ length: 6 }, (_, index) =>
        told(at, 'claude-code', ['PreToolUse'], { tool_use_id: `${before.length}-${index}` }),
      );
      expect((await Promise.all(calls)).flat()).toEqual(['0 PreToolUse: told']);
      expect(await told(at, 'claude-code', ['PreToolUse'], { tool_use_id: 'last' })).toEqual([]);
    }
  });

  test('a program that failed runs again in the same turn', async () => {
    const command = ['sh', '-c', 'test -e seen && echo now || { touch seen; exit 1; }'];
    const at = world({ event: 'pre_tool_use', context: undefined, command });
    const calls = ['PreToolUse', 'PreToolUse', 'PreToolUse'];
    expect(await told(at, 'claude-code', calls)).toEqual(['1 PreToolUse: now']);
  });
});

describe('Gemini CLI', () => {
  const changes = {
    event: 'pre_tool_use',
    context: undefined,
    may: ['modify'],
    command: ['printf', '%s', TOLD],
  };
  test.each<[string, object, readonly string[], readonly string[]]>([
    [
      'pre_tool_use that may change the input',
      changes,
      ['BeforeTool', 'AfterTool'],
      ['1 AfterTool: told', '6 AfterTool: told'],
    ],
    [
      'post_tool_use',
      { event: 'post_tool_use' },
      ['AfterTool'],
      ['0 AfterTool: told', '3 AfterTool: told'],
    ],
    [
      'tool_error',
      { event: 'tool_error' },
      ['AfterTool.shell-exit7'],
      ['0 AfterTool.shell-exit7: told', '3 AfterTool.shell-exit7: told'],
    ],
    [
      'pre_compact',
      { event: 'pre_compact' },
      ['PreCompress', 'BeforeAgent'],
      ['1 BeforeAgent: told', '3 BeforeAgent: told', '6 BeforeAgent: told', '8 BeforeAgent: told'],
    ],
  ])('%s', async (_name, hook, turn, expected) => {
    const files = [...turn, ...turn, 'BeforeAgent', ...turn, ...turn];
    expect(await told(world(hook), 'gemini-cli', files)).toEqual(expected);
  });
});
