/** Events that are nested more deeply than JSON.stringify can write. Guards of each kind still decide about them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Chain, chain, serverTold } from '../support/runner/chain.ts';
import { nested } from '../support/runner/worst.ts';

const DEPTH = 5000;

const server = (answer: object) =>
  serverTold({ results: { judge: { content: [], structuredContent: answer } } });
const pre = { event: 'pre_tool_use' };
const program = (script: string) => ({ ...pre, command: ['sh', '-c', script] });
const KEY = 'API_KEY=abcdefghijklmnop1';

describe.each([
  ['lists', '[', ']'],
  ['objects', '{"path":', '}'],
])('in %s', (_, open, close) => {
  const deep = nested(open, '"DEEP"', close, DEPTH);
  const input = `{"command":"FORBIDDEN ${KEY}","more":${deep}}`;

  async function fired(setup: Chain, native = 'PreToolUse') {
    const world = chain(setup);
    for (const [what, text] of [
      ['Input', 'command'],
      ['Output', 'stdout'],
    ])
      writeFileSync(
        join(world.cwd, `${what}.json`),
        `{"action":"modify","modified${what}":{"${text}":"true","more":${deep}}}`,
      );
    const payload = `{"session_id":"one","hook_event_name":"${native}","cwd":${JSON.stringify(world.cwd)},"tool_name":"Bash","tool_use_id":"use","prompt_id":"prompt","tool_input":${input},"tool_response":{"stdout":"FORBIDDEN","more":${deep}}}`;
    const { stdout } = await world.fire(native, payload);
    return { stdout, why: world.log().flatMap(({ why = [] }) => why) };
  }

  test.each([
    ['a program', { ...program('grep -q FORBIDDEN.*DEEP && exit 2'), may: ['block'] }],
    ['a tool', { ...pre, context_tool: 'judge', may: ['block'] }],
    [
      'a tool that is given the input',
      { ...pre, context_tool: 'judge', context_tool_args: { all: '{tool_input}' }, may: ['block'] },
    ],
    [
      'a tool that is given the event',
      { ...pre, context_tool: 'judge', context_tool_args: { all: '{event}' }, may: ['block'] },
    ],
    ['a text that contains the input', { ...pre, block: 'No {tool_input}.' }],
  ])('%s blocks', async (_how, hook) => {
    const { stdout, why } = await fired({
      hooks: [hook],
      server: server({ action: 'block', reason: 'No.' }),
    });
    expect([stdout.includes('"permissionDecision":"deny"'), why]).toEqual([true, []]);
  });

  test('a program changes the input', async () => {
    const { stdout, why } = await fired({
      hooks: [{ ...program('cat >/dev/null; cat Input.json'), may: ['modify'] }],
    });
    expect([stdout.includes(`"updatedInput":{"command":"true","more":${deep}}`), why]).toEqual([
      true,
      [],
    ]);
  });

  test('a program changes the output', async () => {
    const { stdout, why } = await fired(
      {
        hooks: [
          {
            event: 'post_tool_use',
            command: ['sh', '-c', 'cat >/dev/null; cat Output.json'],
            may: ['modify'],
          },
        ],
      },
      'PostToolUse',
    );
    expect([stdout.includes(`"updatedToolOutput":{"stdout":"true","more":${deep}}`), why]).toEqual([
      true,
      [],
    ]);
  });

  test('a tool that read a masked input may not change it', async () => {
    const { stdout, why } = await fired({
      hooks: [{ ...pre, context_tool: 'judge', may: ['modify', 'block'], on_failure: 'deny' }],
      server: server({ action: 'modify', modifiedInput: { command: 'true ***' } }),
    });
    expect([stdout.includes('"permissionDecision":"deny"'), why]).toEqual([
      true,
      [{ code: 'answer-masked', hook: 1 }],
    ]);
  });
});
