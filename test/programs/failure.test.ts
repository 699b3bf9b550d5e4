/** Hooks that may decide and that fail: which calls are blocked, which continue, and for how long. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ChainWorld, chain, DECISIVE, HURRIED, linesIn } from '../support/runner/chain.ts';
import { denial, failures, guard, reasonIn, script } from '../support/runner/guards.ts';

describe('an event cannot be read or evaluated', () => {
  test('its time is over: undecided hooks block before the client gives up', async () => {
    const hangs = { ...guard(['sleep', '60']), on_failure: 'allow', deadline: 30_000 };
    const undecided = guard(['sh', '-c', 'exit 0'], { order: 90 });
    const world = chain({ client: HURRIED, hooks: [hangs, undecided] });
    const { answer, milliseconds } = await world.fire('PreToolUse');
    expect(reasonIn(answer)).toBe(denial('no-answer-in-time', 2));
    expect(failures(world)).toEqual([
      { hook: 1, action: 'allow' },
      { hook: 2, action: 'deny' },
    ]);
    expect(milliseconds).toBeLessThan(3000);
  });

  test.each([
    ['is cut', '{"session_id":"one","tool_name":"Ba'],
    ['is empty', ''],
    ['is a list', '[]'],
    ['is a text', '"x"'],
    ['is a number', '1'],
    ['is null', 'null'],
  ])('its payload %s', async (_, payload) => {
    const { answer } = await chain({ hooks: [guard(['true'])] }).fire('PreToolUse', payload);
    expect(reasonIn(answer)).toBe(denial('payload-invalid'));
    const world = chain({ hooks: [{ ...guard(['true']), on_failure: 'allow' }] });
    expect((await world.fire('PreToolUse', payload)).stdout).toBe('');
    expect(failures(world)).toEqual([{ hook: 1, action: 'allow' }]);
  });

  test('its payload has an object in place of a text, and the client keeps stdin open', async () => {
    const { folder, cwd } = chain({ hooks: [guard(['true'])] });
    const words = ['-c', 'cat | "$@"', 'sh', process.execPath, join(folder, 'runner/runner.cjs')];
    const child = spawn('sh', [...words, 'claude-code', 'PreToolUse', 'stream'], { cwd });
    onTestFinished(() => {
      child.stdin.end();
    });
    child.stdin.write('{"session_id":{"toString":1},"tool_name":"Bash","tool_use_id":"one"}\n');
    const [answer] = await once(child.stdout, 'data');
    expect(reasonIn(JSON.parse(answer))).toBe(denial('TypeError'));
  });

  test('its policy.json is not valid', async () => {
    const world = chain({ hooks: [guard(['true'], { matcher: { tool_name: 'Bash' } })] });
    writeFileSync(join(world.state, 'policy.json'), '{ "cooldown": ');
    expect(reasonIn((await world.fire('PreToolUse')).answer)).toBe(denial('policy-invalid'));
    expect((await world.fire('PreToolUse', { tool_name: 'Read' })).stdout).toBe('');
    const other = chain({ hooks: [guard(['true'])], rules: { command: true } });
    writeFileSync(join(other.state, 'policy.json'), '{ "cooldown": ');
    expect((await other.fire('PreToolUse')).stdout).toBe(''); // it was never allowed to block
  });

  test('the rules for secrets are broken: the decision of a program still counts', async () => {
    const world = chain({ hooks: [guard(['echo', '{"action":"block","reason":"No."}'])] });
    for (const name of readdirSync(join(world.folder, 'runner')))
      if (name === 'redact.cjs') writeFileSync(join(world.folder, 'runner', name), 'throw 1');
    expect(reasonIn((await world.fire('PreToolUse')).answer)).toMatch(
      /allowed it to block: \*\*\*$/,
    );
  });
});

describe('a guard makes an unsupported request', () => {
  const asks = (answer: object, more: object = {}) => guard(['echo', JSON.stringify(answer)], more);
  const ask = { hookSpecificOutput: { permissionDecision: 'ask' } };
  const change = { action: 'modify', modifiedInput: { command: 'true' } };
  const output = { action: 'modify', modifiedOutput: { other: 'true' } };
  /** A client in which hooks may block calls, but not change them. */
  const unchanging = {
    ...DECISIVE,
    lowering: {
      ...DECISIVE.lowering,
      pre_tool_use: {
        ...DECISIVE.lowering.pre_tool_use,
        text: { grade: 'exact', when: 'at once', on: [{ native: 'PreToolUse', act: 'tell' }] },
        decide: { block: { grade: 'exact' } },
      },
    },
  } as const;

  test.each([
    ['to ask the user', 'cannot-ask', { hooks: [asks(ask)] }],
    [
      'to ask the user, with a changed input',
      'cannot-ask',
      { hooks: [asks({ ...ask, ...change })] },
    ],
    [
      'to change an input where the client allows no change',
      'modify-not-possible',
      { hooks: [asks(change)], client: unchanging },
    ],
  ])('%s', async (_what, code, setup) => {
    const world = chain(setup);
    expect(reasonIn((await world.fire('PreToolUse')).answer)).toBe(denial(code));
    expect(failures(world)).toEqual([{ hook: 1, action: 'deny' }]);
    const [hook] = setup.hooks;
    const other = chain({ ...setup, hooks: [{ ...hook, on_failure: 'allow' }] });
    expect(reasonIn((await other.fire('PreToolUse')).answer)).toBeUndefined();
    expect(failures(other)).toEqual([{ hook: 1, action: 'allow' }]);
  });

  test("to change an output to one that does not fit the tool's", async () => {
    const world = chain({ hooks: [asks(output, { event: 'post_tool_use' })] });
    const { answer } = await world.fire('PostToolUse', { tool_response: { image: 'x' } });
    expect(answer).toMatchObject({ decision: 'block', reason: denial('modify-not-possible') });
  });

  test('but an input returned as it was is not a change', async () => {
    const same = { action: 'modify', modifiedInput: { command: 'ls' } };
    const world = chain({ hooks: [asks(same)], client: unchanging });
    expect((await world.fire('PreToolUse')).stdout).toBe('');
    expect(world.log()).toMatchObject([{ each: [{ hook: 1 }] }]);
    expect(failures(world)).toEqual([]);
  });
});

describe('a failure blocks nothing', () => {
  const passes = async (setup: Parameters<typeof chain>[0], payload: object = {}) =>
    expect((await chain(setup).fire('PreToolUse', payload)).stdout).toBe('');
  const fails = script('exit 1');

  test('if the policy takes that back', () => passes({ hooks: [fails], policy: { block: false } }));
  test('if the policy mutes the server', () => passes({ hooks: [fails], policy: { muted: true } }));
  test('if the hook was shown already, and does not run again', async () => {
    const world = chain({
      hooks: [script('test -e ran && exit 1; echo >ran; echo Once.', { once: 'session' })],
    });
    expect(linesIn((await world.fire('PreToolUse')).answer)).toEqual(['Once.']);
    expect((await world.fire('PreToolUse')).stdout).toBe('');
  });
  test('if the client lets no hook block', async () => {
    const world = chain({
      hooks: [{ ...fails, event: 'subagent_end' }],
      client: {
        ...DECISIVE,
        lowering: {
          ...DECISIVE.lowering,
          subagent_end: {
            text: {
              grade: 'exact',
              when: 'at once',
              on: [{ native: 'SubagentStop', act: 'tell' }],
            },
          },
        },
      },
    });
    expect((await world.fire('SubagentStop')).stdout).toBe('');
    expect(failures(world)).toEqual([]);
  });
});

describe('policy.json', () => {
  const fire = async (onFailure: string, policy: object) =>
    reasonIn(
      (
        await chain({ hooks: [{ ...script('exit 1'), on_failure: onFailure }], policy }).fire(
          'PreToolUse',
        )
      ).answer,
    ) !== undefined;

  test('denies nothing if it forbids blocks, and is invalid with an unknown word', async () => {
    expect(await fire('allow', { onFailure: 'deny', block: false })).toBe(false);
    expect(await fire('deny', { onFailure: 'ask' })).toBe(true);
  });
});

describe('the user is not locked out', () => {
  const remembered = (world: ChainWorld) => {
    const folder = join(world.state, 'sessions');
    const [name = '-'] = readdirSync(folder).filter((one) => one.endsWith('.denied'));
    return join(folder, name);
  };

  test('after ten minutes of denials in a session the call is allowed, and the log says so', async () => {
    const world = chain({ hooks: [script('exit 1')] });
    const denied = async (payload = {}) =>
      reasonIn((await world.fire('PreToolUse', payload)).answer) !== undefined;
    expect(await denied()).toBe(true);
    const file = remembered(world);
    expect(Number(readFileSync(file, 'utf8'))).toBeCloseTo(Date.now() / 1000, -2);
    const ago = (seconds: number) =>
      writeFileSync(file, `${Math.trunc(Date.now() / 1000) - seconds}\n`);
    ago(590);
    expect(await denied()).toBe(true);
    ago(601);
    expect(await denied()).toBe(false);
    expect(await denied({ session_id: 'another' })).toBe(true);
    expect(failures(world).map((one) => Object(one).action)).toEqual([
      'deny',
      'deny',
      'allow-again',
      'deny',
    ]);
  });

  test.each(['', 'x', '99999999999'])('a memory of %j starts again', async (text) => {
    const world = chain({ hooks: [script('exit 1')] });
    await world.fire('PreToolUse');
    writeFileSync(remembered(world), text);
    expect(reasonIn((await world.fire('PreToolUse')).answer)).toBeDefined();
    expect(Number(readFileSync(remembered(world), 'utf8'))).toBeCloseTo(Date.now() / 1000, -2);
  });

  test('an unreadable memory of another hook does not prevent a block', async () => {
    const once = { event: 'pre_tool_use', context: 'Once.', once: 'session', order: 1 };
    const world = chain({ hooks: [once, { event: 'pre_tool_use', block: 'No.', order: 2 }] });
    await world.fire('PreToolUse');
    const folder = join(world.state, 'sessions');
    for (const name of readdirSync(folder).filter((one) => one.includes('once'))) {
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
    }
    expect(reasonIn((await world.fire('PreToolUse')).answer)).toMatch(/No\.$/);
  });
});
