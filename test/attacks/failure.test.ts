/** An attacker makes a guard fail: calls that it cannot check are blocked, if the user chose that. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chain } from '../support/runner/chain.ts';
import { denial, failures, guard, reasonIn, script } from '../support/runner/guards.ts';

const WAYS: readonly (readonly [what: string, hook: object, code: string])[] = [
  ['its program is not there', guard(['no-such-program-of-anybody']), 'ENOENT'],
  ['its program fails', script('echo secret; exit 1'), 'command-failed'],
  ['its program is killed', script('kill -9 $$'), 'command-failed'],
  ['its program runs out of time', guard(['sleep', '30'], { deadline: 200 }), 'no-answer-in-time'],
  ['its answer is cut', script(`printf '{"action":"allow", "x'`), 'answer-invalid'],
  ['its answer is not valid', script(`echo '{"action":"perhaps"}'`), 'answer-invalid'],
  [
    'its decision is not where it belongs',
    script(`echo '{"systemMessage":"x","permissionDecision":"deny"}'`),
    'answer-invalid',
  ],
  [
    "its decision is among Claude Code's fields",
    script(`echo '{"hookSpecificOutput":{"decision":"block"}}'`),
    'answer-invalid',
  ],
  ['its decision is a text', script(`echo '{"continue":"false"}'`), 'answer-invalid'],
  ['its answer is written as Python', script(`echo "{'decision': 'block'}"`), 'answer-invalid'],
  ['its answer means nothing', script(`echo '{"allowed":false}'`), 'answer-unknown'],
  ['its answer is too long', script('yes'), 'answer-too-long'],
  [
    'it hides something in the input',
    script(`printf '{"action":"modify","modifiedInput":{"command":"ls \\u202e"}}'`),
    'answer-hides',
  ],
  [
    'its tool is not there',
    { event: 'pre_tool_use', context_tool: 'judge', may: ['block'], on_failure: 'deny' },
    'ENOENT',
  ],
];

describe.each(WAYS)('%s', (_, hook, code) => {
  test('a call is blocked if its guard fails and on_failure is deny', async () => {
    const world = chain({ hooks: [hook] });
    const { answer } = await world.fire('PreToolUse');
    expect(reasonIn(answer)).toBe(denial(code));
    expect(failures(world)).toEqual([{ hook: 1, action: 'deny' }]);
    expect(world.log()).toMatchObject([{ decisions: [{ hook: 1, action: 'block' }] }]);
  }, 20_000);

  test('a call goes on if its guard fails and on_failure is allow, and the log says so', async () => {
    const world = chain({ hooks: [{ ...hook, on_failure: 'allow' }] });
    const { answer } = await world.fire('PreToolUse');
    expect(reasonIn(answer)).toBeUndefined();
    expect(failures(world)).toEqual([{ hook: 1, action: 'allow' }]);
  }, 20_000);
});

test.each([['its program has changed', 'check.sh', 'command-changed']])(
  'a guard blocks calls once %s',
  async (_, file, code) => {
    const world = chain({ hooks: [guard([`./${file}`])], files: { [file]: '#!/bin/sh\n' } });
    expect((await world.fire('PreToolUse')).stdout).toBe('');
    writeFileSync(join(world.folder, file), '#!/bin/sh\nexit 0\n');
    expect(reasonIn((await world.fire('PreToolUse')).answer)).toBe(denial(code));
  },
);
