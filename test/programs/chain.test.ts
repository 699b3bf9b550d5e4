/** Hooks of the extended vocabulary, one after the other: what they show, and what they decide. */
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chain, HURRIED, linesIn, reasonsOf, SPLIT } from '../support/runner/chain.ts';
import { clientOf } from '../support/runner/clients.ts';

const text = (context: string, more: object = {}) => ({ event: 'pre_tool_use', context, ...more });

/** A command that prints the answer. */
const says = (answer: unknown) => [
  'node',
  '-e',
  `process.stdout.write(${JSON.stringify(typeof answer === 'string' ? answer : JSON.stringify(answer))})`,
];

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const denied = (reason: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: `Note from the MCP server "annal", not from the user, who has allowed it to block: ${reason}`,
  },
});

describe('a chain', () => {
  test('ends at the first block, and shows the texts before it', async () => {
    const world = chain({
      hooks: [
        text('before', { order: 1 }),
        { event: 'pre_tool_use', block: 'Not {tool_name}.', order: 2 },
        text('after', { order: 3 }),
      ],
    });
    const { answer } = await world.fire('PreToolUse');
    expect(answer).toEqual({
      hookSpecificOutput: {
        ...denied('Not Bash.').hookSpecificOutput,
        additionalContext: expect.stringContaining('| before'),
      },
    });
    expect(linesIn(answer)).toEqual(['before']);
    expect(world.log()).toMatchObject([
      {
        hooks: [2, 1],
        decisions: [
          {
            hook: 2,
            action: 'block',
            reason: 'Not Bash.',
            before: sha256('{"command":"ls"}'),
          },
        ],
      },
    ]);
  });
});

test('programs that use up the time limit do not affect the other hooks', async () => {
  const hangs = {
    event: 'pre_tool_use',
    command: ['sleep', '60'],
    may: ['block'],
    deadline: 30_000,
  };
  const world = chain({
    client: HURRIED,
    hooks: [
      text('before', { order: 1 }),
      { ...hangs, order: 2 },
      { ...hangs, order: 3 },
      { event: 'pre_tool_use', block: 'No.', order: 4 },
    ],
  });
  const { answer } = await world.fire('PreToolUse');
  expect(answer).toMatchObject(denied('No.'));
  expect(linesIn(answer)).toEqual(['before']);
  expect(reasonsOf(world)).toEqual(['no-answer-in-time', 'no-answer-in-time']);
});

describe('a change', () => {
  const change = (modifiedInput: object, more: object = {}) => ({
    event: 'pre_tool_use',
    command: says({ action: 'modify', modifiedInput }),
    may: ['modify'],
    ...more,
  });

  // The matcher of the first hook has already looked at the input as it was.
  test.each([
    ['a guard on what it took out lets the call through', false, true],
    ['a guard on what it put in blocks the call', true, false],
  ])('%s', async (_title, before, after) => {
    const is = (dry: boolean) => ({ tool_name: 'Bash', input_contains: `"dry":${dry}` });
    const guard = (dry: boolean, order: number) => ({
      event: 'pre_tool_use',
      matcher: is(dry),
      block: 'No.',
      order,
    });
    const world = chain({
      hooks: [change({ dry: after }, { order: 1, matcher: is(before) }), guard(false, 2)],
    });
    const { answer } = await world.fire('PreToolUse', { tool_input: { dry: before } });
    const decision = after ? 'allow' : 'deny';
    expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: decision } });
  });

  test('is visible to later hooks, and the last change counts', async () => {
    const world = chain({
      hooks: [
        text('not yet', { order: 1, matcher: { input_matches: '^changed' } }),
        change({ command: 'changed once' }, { order: 2 }),
        text('seen: {tool_input}', { order: 3, matcher: { input_matches: '^changed' } }),
        {
          event: 'pre_tool_use',
          order: 4,
          may: ['modify'],
          command: [
            'node',
            '-e',
            `let t = ''; process.stdin.on('data', (d) => { t += d; }).on('end', () => {
              const { tool } = JSON.parse(t);
              process.stdout.write(JSON.stringify({ action: 'modify', additionalContext: ['told'], modifiedInput: { command: tool.input.command + ', twice' } }));
            });`,
          ],
        },
      ],
    });
    const { answer } = await world.fire('PreToolUse');
    expect(answer).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'allow',
        updatedInput: { command: 'changed once, twice' },
      },
    });
    expect(linesIn(answer)).toEqual([expect.stringContaining('seen: '), 'told']);
    const [once, twice] = ['changed once', 'changed once, twice'].map((command) =>
      sha256(JSON.stringify({ command })),
    );
    expect(world.log()).toMatchObject([
      {
        decisions: [
          { hook: 2, action: 'modify', before: sha256('{"command":"ls"}'), after: once },
          { hook: 4, action: 'modify', before: once, after: twice },
        ],
      },
    ]);
    expect(JSON.stringify(world.log())).not.toContain('changed');
  });

  test('of an input that is a text must be a text', async () => {
    const world = (modifiedInput: unknown) =>
      chain({
        hooks: [
          {
            event: 'pre_tool_use',
            command: says({ action: 'modify', modifiedInput }),
            may: ['modify'],
          },
        ],
      });
    const patch = { tool_name: 'apply_patch', tool_input: '*** Begin Patch' };
    expect((await world('*** Other').fire('PreToolUse', patch)).answer).toMatchObject({
      hookSpecificOutput: { updatedInput: '*** Other' },
    });
    const wrong = world({ patch: 'x' });
    expect((await wrong.fire('PreToolUse', patch)).stdout).toBe('');
    expect(reasonsOf(wrong)).toEqual(['answer-invalid']);
  });

  test('of an output replaces the text in the output', async () => {
    const world = chain({
      hooks: [
        {
          event: 'post_tool_use',
          command: says({ action: 'modify', modifiedOutput: '***' }),
          may: ['modify'],
        },
      ],
    });
    expect((await world.fire('PostToolUse')).answer).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: { stdout: '***', stderr: '' },
      },
    });
  });
});

describe('an output', () => {
  const answered = async (modifiedOutput: unknown, id: 'codex' | 'gemini-cli') => {
    const hook = { event: 'post_tool_use', may: ['modify'] };
    const world = chain({
      client: clientOf(id),
      hooks: [{ ...hook, command: says({ action: 'modify', modifiedOutput }) }],
    });
    const native = id === 'codex' ? 'PostToolUse' : 'AfterTool';
    const given = id === 'codex' ? 'SECRET' : { llmContent: 'SECRET' };
    const { answer } = await world.fire(native, { tool_response: given });
    return [answer, world.log().map(({ decisions }) => decisions)];
  };

  // Codex shows the output as it was if the reason is empty, and Gemini CLI says that there was no reason.
  test.each(['', ' \n', '\u200B'])(
    'that is replaced by an empty text (%j) is hidden',
    async (empty) => {
      const [answer] = await answered(empty, 'codex');
      expect(answer).toEqual({ decision: 'block', reason: '(no output)' });
      const [other] = await answered(empty, 'gemini-cli');
      expect(other).toEqual({ decision: 'deny', reason: '(no output)' });
    },
  );

  test("of an MCP server can also be changed through Claude Code's own field", async () => {
    const world = chain({
      hooks: [
        {
          event: 'post_tool_use',
          may: ['modify'],
          command: says({ hookSpecificOutput: { updatedMCPToolOutput: '***' } }),
        },
      ],
    });
    const call = async (tool_name: string) => {
      const { answer } = await world.fire('PostToolUse', { tool_name });
      return JSON.stringify(answer ?? '').includes('***');
    };
    expect([await call('mcp__notes__read'), await call('Bash')]).toEqual([true, false]);
  });

  test('that a hook returns as it was counts as unchanged', async () => {
    expect(await answered('SECRET', 'codex')).toEqual([undefined, [undefined]]);
  });
});

describe('a changed output of a tool with structured output', () => {
  const given = { stdout: 'a', stderr: 'SECRET', interrupted: false };
  const changed = async (modifiedOutput: unknown, tool_response: unknown = given) => {
    const world = chain({
      client: clientOf('claude-code'),
      hooks: [
        {
          event: 'post_tool_use',
          command: says({ action: 'modify', modifiedOutput }),
          may: ['modify'],
        },
      ],
    });
    const { answer } = await world.fire('PostToolUse', { tool_response });
    const { hookSpecificOutput } = Object(answer);
    return hookSpecificOutput?.updatedToolOutput ?? reasonsOf(world);
  };

  // Claude Code ignores an output of another shape, and shows its model the original.
  test.each([
    ['a text', 'b', { ...given, stdout: 'b', stderr: '' }],
    [
      "Base Coat's own example, an object of any shape",
      { summary: 's', redacted: true },
      { ...given, stdout: '{"summary":"s","redacted":true}', stderr: '' },
    ],
    ['the shape itself', { ...given, stdout: 'b' }, { ...given, stdout: 'b' }],
    ['part of the shape', { stdout: 'b' }, { ...given, stdout: 'b', stderr: '' }],
    ['the wrong type', { stdout: 5 }, { ...given, stdout: '{"stdout":5}', stderr: '' }],
  ])('%s', async (_what, output, expected) => {
    expect(await changed(output)).toEqual(expected);
  });

  test('is kept beside a later block where the model reads both', async () => {
    const both = (id: 'claude-code' | 'codex') =>
      chain({
        client: clientOf(id),
        hooks: [
          {
            event: 'post_tool_use',
            command: says({ action: 'modify', modifiedOutput: 'b' }),
            may: ['modify'],
          },
          { event: 'post_tool_use', block: 'No.', order: 60 },
        ],
      }).fire('PostToolUse', { tool_response: id === 'codex' ? 'a' : given });
    const reason = expect.stringMatching(/ to block: No\.$/);
    expect((await both('claude-code')).answer).toEqual({
      decision: 'block',
      reason,
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: { ...given, stdout: 'b', stderr: '' },
      },
    });
    expect((await both('codex')).answer).toEqual({ decision: 'block', reason });
  });

  test('of another tool must be an object like its own', async () => {
    const edited = { filePath: 'a', oldString: 'b' };
    expect(await changed({ ...edited, oldString: '' }, edited)).toEqual({
      ...edited,
      oldString: '',
    });
    const more = { oldString: '', newString: 'c' };
    expect(await changed(more, edited)).toEqual(more);
    expect(await changed('b', { stdout: 'a' })).toEqual({ stdout: 'b' });
    expect(await changed({ summary: 's' }, edited)).toEqual(['modify-not-possible']);
    expect(await changed('s', edited)).toEqual(['modify-not-possible']);
  });

  test('of an MCP server that returned a list is such a list or a text', async () => {
    const list = [{ type: 'text', text: 'a' }];
    expect(await changed([{ type: 'text', text: 'b' }], list)).toEqual([
      { type: 'text', text: 'b' },
    ]);
    expect(await changed({ summary: 's' }, list)).toBe('{"summary":"s"}');
    for (const none of [['b'], [null], [{ text: 'b' }]])
      expect(await changed(none, list)).toBe(JSON.stringify(none));
  });
});

describe('a program that may decide', () => {
  // Assembled here, so that secret scanners do not report this file.
  const key = `ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xYz123456'}`;
  const odd = 'p"a\\ss1word9';
  const tool_input = { command: `login ${key}`, password: odd, note: 'a *** b' };
  const answering = (answer: string, may?: string[], more: object = {}) => {
    const script = `let t = ''; process.stdin.on('data', (d) => { t += d; }).on('end', () => {
      const event = JSON.parse(t);
      process.stdout.write(JSON.stringify(${answer}));
    });`;
    return { event: 'pre_tool_use', command: ['node', '-e', script], ...(may && { may }), ...more };
  };
  const isWhole = `JSON.stringify(event.tool.input) === ${JSON.stringify(JSON.stringify(tool_input))}`;
  const seen = `{ additionalContext: String(${isWhole}) }`;

  test.each([
    ['as it will run if its decision is granted', { block: true }, 'true'],
    ['with secrets masked if its decision is not granted', {}, 'false'],
    ['with secrets masked if only another decision is granted', { modify: true }, 'false'],
  ])('reads the call %s', async (_what, granted, whole) => {
    const rules = { command: true, projectCode: true, ...granted };
    const world = chain({ hooks: [answering(seen, ['block'])], rules });
    expect(linesIn((await world.fire('PreToolUse', { tool_input })).answer)).toEqual([whole]);
  });

  test('reads the call with secrets masked if no decision is possible', async () => {
    const hook = { ...answering(seen, ['block']), event: 'tool_error' };
    const world = chain({ hooks: [hook] });
    const { answer } = await world.fire('PostToolUseFailure', { tool_input });
    expect(linesIn(answer)).toEqual(['false']);
  });

  test('can change the input without masking its secrets', async () => {
    const modifiedInput = `{ ...event.tool.input, command: 'curl -k ' + event.tool.input.command }`;
    const hooks = [answering(`{ action: 'modify', modifiedInput: ${modifiedInput} }`, ['modify'])];
    const { answer } = await chain({ hooks }).fire('PreToolUse', { tool_input });
    expect(answer).toMatchObject({
      hookSpecificOutput: { updatedInput: { ...tool_input, command: `curl -k login ${key}` } },
    });
  });

  test('has secrets masked in its texts, warnings and reasons', async () => {
    const quoting = [
      `JSON.stringify(event.tool.input)`,
      `event.tool.input.command + event.tool.input.password`,
      `event.tool.input.command.split(' ')[1] + '!'`,
    ];
    for (const words of quoting) {
      const hooks = [
        answering(`{ additionalContext: ${words}, warnings: [${words}] }`, ['block'], { order: 1 }),
        answering(`{ action: 'block', reason: ${words} }`, ['block'], { order: 2 }),
      ];
      const world = chain({ hooks });
      const { stdout } = await world.fire('PreToolUse', { tool_input });
      expect(stdout).toContain('***');
      const log = JSON.stringify(world.log());
      expect(log).toContain('"action":"block"');
      for (const said of [stdout, log])
        for (const secret of [key, odd, JSON.stringify(odd).slice(1, -1)])
          expect(JSON.stringify(said)).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
  });

  test('has secrets masked in a changed output, and may return it unchanged', async () => {
    const changed = async (modifiedOutput: string) => {
      const answer = `{ action: 'modify', modifiedOutput: ${modifiedOutput} }`;
      const hooks = [{ ...answering(answer, ['modify']), event: 'post_tool_use' }];
      const world = chain({ hooks });
      const tool_response = { stdout: `first\nthe key ${key}`, stderr: '' };
      return (await world.fire('PostToolUse', { tool_input, tool_response })).answer;
    };
    expect(await changed('event.tool.output.stdout.slice(6)')).toMatchObject({
      hookSpecificOutput: { updatedToolOutput: { stdout: 'the key ***' } },
    });
    expect(await changed('event.tool.output')).toBeUndefined();
  });

  test('has all that it prints masked if the rules for secrets fail', async () => {
    const hooks = [answering(`{ action: 'block', reason: event.tool.input.command }`, ['block'])];
    const world = chain({ hooks });
    writeFileSync(join(world.folder, 'runner', 'secrets.cjs'), 'throw new Error();');
    const { answer } = await world.fire('PreToolUse', { tool_input });
    expect(answer).toMatchObject(denied('***'));
  });
});

describe('a decision that could do harm', () => {
  test('a compaction is not stopped twice in a row', async () => {
    const world = chain({
      client: clientOf('claude-code'),
      hooks: [
        { event: 'pre_compact', block: 'Write it down first.' },
        { event: 'pre_compact', block: 'And this.' },
      ],
    });
    const stopped = async (more?: object) =>
      JSON.stringify((await world.fire('PreCompact', more)).answer)?.includes('"block"') ?? false;
    expect([await stopped(), await stopped(), await stopped(), await stopped()]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(reasonsOf(world)).toEqual(Array.from({ length: 4 }, () => 'block-not-again'));
    expect(await stopped({ session_id: 'other' })).toBe(true);
  });

  test('an input with invisible characters is refused, unless the original had them', async () => {
    const hooks = (command: string) => [
      {
        event: 'pre_tool_use',
        command: says({ action: 'modify', modifiedInput: { command } }),
        may: ['modify'],
      },
    ];
    const hidden = chain({ hooks: hooks('ls \u202e\u001b[8m; rm') });
    expect((await hidden.fire('PreToolUse')).answer).toBeUndefined();
    expect(reasonsOf(hidden)).toEqual(['answer-hides']);
    const had = chain({ hooks: hooks('echo 👩\u200d💻\r\n') });
    const before = { tool_input: { command: 'echo 👩\u200d💻 now' } };
    expect((await had.fire('PreToolUse', before)).answer).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: 'echo 👩\u200d💻\r\n' } },
    });
  });

  test('invisible characters are removed from a changed output', async () => {
    const world = chain({
      hooks: [
        {
          event: 'post_tool_use',
          command: says({ action: 'modify', modifiedOutput: 'a\u202eb\u001b[2Jc\n\td\u{e0041}' }),
          may: ['modify'],
        },
      ],
    });
    expect((await world.fire('PostToolUse')).answer).toMatchObject({
      hookSpecificOutput: { updatedToolOutput: { stdout: 'ab[2Jc\n\td' } },
    });
  });
});

describe('without a grant', () => {
  const blocks = { action: 'block', reason: 'No.' };

  test.each([
    [
      'the user has not given it',
      { may: ['block'] },
      { command: true, projectCode: true },
      undefined,
    ],
    ['its declaration does not ask', {}, undefined, undefined],
    ['the policy takes it back', { may: ['block'] }, undefined, { block: false }],
    [
      'the policy takes it back for this server',
      { may: ['block'] },
      undefined,
      { servers: { annal: { block: false } } },
    ],
  ])('a block is only text: %s', async (_why, more, rules, policy) => {
    const world = chain({
      hooks: [{ event: 'pre_tool_use', command: says(blocks), ...more }],
      ...(rules && { rules }),
      policy,
    });
    const { answer } = await world.fire('PreToolUse');
    expect(JSON.stringify(answer)).not.toContain('permission');
    expect(linesIn(answer)).toEqual(['No.']);
    expect(reasonsOf(world)).toEqual(['block-not-allowed']);
    expect(world.log()[0]).not.toHaveProperty('decisions');
  });

  test('a change is ignored', async () => {
    const world = chain({
      hooks: [
        {
          event: 'pre_tool_use',
          command: says({ action: 'modify', modifiedInput: { command: 'rm' } }),
          may: ['block'],
        },
      ],
    });
    expect((await world.fire('PreToolUse')).stdout).toBe('');
    expect(reasonsOf(world)).toEqual(['modify-not-allowed']);
  });

  test('hooks that block or run a command are left out', () => {
    const hooks = [
      { event: 'pre_tool_use', block: 'No.' },
      { event: 'pre_tool_use', command: says('x') },
      text('told'),
    ];
    const { compiled } = chain({ hooks, rules: {} });
    expect(compiled.hooks.map(({ grade, when }) => [grade, when.code])).toEqual([
      ['none', 'block-left-out'],
      ['none', 'command-left-out'],
      ['exact', 'told'],
    ]);
    expect(compiled.program.events.PreToolUse?.hooks.map(({ number }) => number)).toEqual([3]);
  });

  test('a block that the client cannot make is text', async () => {
    const world = chain({
      hooks: [{ event: 'session_start', command: says(blocks), may: ['block'] }],
    });
    const { answer } = await world.fire('SessionStart', { source: 'startup' });
    expect(linesIn(answer)).toEqual(['No.']);
    expect(reasonsOf(world)).toEqual(['block-not-possible']);
  });
});

describe('a hook that is switched off', () => {
  test('is left out, and reported', () => {
    const { compiled } = chain({
      hooks: [text('off', { enabled: false }), text('on', { enabled: true })],
    });
    expect(compiled.hooks.map(({ when }) => when.code)).toEqual(['not-enabled', 'told']);
    expect(compiled.program.events.PreToolUse?.hooks.map(({ number }) => number)).toEqual([2]);
  });
});

describe('once', () => {
  test('in a turn shows a hook again after the next prompt', async () => {
    const world = chain({ hooks: [text('once', { once: 'turn' })] });
    const told = [];
    for (const native of [
      'UserPromptSubmit',
      'PreToolUse',
      'PreToolUse',
      'UserPromptSubmit',
      'PreToolUse',
    ])
      told.push(linesIn((await world.fire(native)).answer));
    expect(told).toEqual([[], ['once'], [], [], ['once']]);
    expect(world.compiled.program.events.UserPromptSubmit).not.toHaveProperty('chain');
  });

  test('in a session does not repeat a command that printed nothing', async () => {
    const world = chain({
      hooks: [
        {
          event: 'pre_tool_use',
          once: 'session',
          command: ['sh', '-c', 'echo >>count'],
        },
      ],
    });
    await world.fire('PreToolUse');
    await world.fire('PreToolUse');
    expect(readFileSync(join(world.cwd, 'count'), 'utf8')).toBe('\n');
  });
});

test('the texts of an event stay within its limit, with the lines between them', async () => {
  const world = chain({
    hooks: [text('a'), text('b', { limit: { characters: 5000 } }), text('c')],
  });
  const told = async (charactersPerEvent?: number) => {
    const rules = JSON.stringify({ charactersPerEvent });
    writeFileSync(join(world.state, 'policy.json'), rules);
    const { answer } = await world.fire('PreToolUse');
    return (answer as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
      .additionalContext.length;
  };
  const whole = await told();
  for (let limit = whole - 4; limit <= whole; limit++)
    expect([limit, await told(limit)]).toSatisfy(([most, length]) => length <= most);
});

describe('a hook whose text must wait for a later event', () => {
  test('runs at its own event, and its text is shown as soon as possible', async () => {
    const world = chain({
      hooks: [
        {
          event: 'pre_compact',
          command: ['sh', '-c', 'echo >>count; echo "kept $(wc -l <count)"'],
        },
        { event: 'pre_compact', context: 'a text', order: 60 },
      ],
    });
    const told = [];
    for (const native of ['UserPromptSubmit', 'PreCompact', 'UserPromptSubmit', 'UserPromptSubmit'])
      told.push(linesIn((await world.fire(native)).answer));
    expect(told).toEqual([[], [], ['kept 1', 'a text'], []]);
  });

  /** A hook that counts how often it runs, and the file that keeps its texts. */
  const counting = () => {
    const world = chain({
      hooks: [
        {
          event: 'pre_compact',
          command: ['sh', '-c', 'echo >>count; echo "kept $(wc -l <count)"'],
        },
        // Runs while the kept text is on its way.
        { event: 'pre_request', command: ['sh', '-c', 'eval "$(cat meanwhile)"'], order: 60 },
      ],
    });
    writeFileSync(join(world.cwd, 'meanwhile'), '');
    const file = () => {
      const folder = join(world.state, 'sessions');
      const name = readdirSync(folder).find((one) => one.endsWith('.kept'));
      if (name === undefined) throw new Error('nothing is kept');
      return join(folder, name);
    };
    const count = () => readFileSync(join(world.cwd, 'count'), 'utf8').length;
    return { ...world, file, count };
  };

  test('is not asked again if what it said is gone', async () => {
    const world = counting();
    await world.fire('PreCompact');
    rmSync(world.file());
    expect((await world.fire('UserPromptSubmit')).stdout).toBe('');
    expect(world.count()).toBe(1);
  });

  test('shows the rest if a killed process has left half a text', async () => {
    const world = counting();
    await world.fire('PreCompact');
    appendFileSync(world.file(), '{"text":"hal');
    await world.fire('PreCompact');
    expect(linesIn((await world.fire('UserPromptSubmit')).answer)).toEqual(['kept 1', 'kept 2']);
  });

  test('loses no text that comes in while an earlier one is shown', async () => {
    const world = counting();
    await world.fire('PreCompact');
    const file = world.file();
    const more = JSON.stringify({ text: 'in between', data: false });
    const mark = file.replace(/kept$/, 'mark');
    writeFileSync(
      join(world.cwd, 'meanwhile'),
      `cp '${file}' unshown; printf '%s\\n' '${more}' >>'${file}'; : >'${mark}'`,
    );
    expect(linesIn((await world.fire('UserPromptSubmit')).answer)).toEqual(['kept 1']);
    // Until the client has it, a killed process would not lose it either.
    expect(readFileSync(join(world.cwd, 'unshown'), 'utf8')).toContain('kept 1');
    writeFileSync(join(world.cwd, 'meanwhile'), '');
    expect(linesIn((await world.fire('UserPromptSubmit')).answer)).toEqual(['in between']);
    expect(world.count()).toBe(1);
  });

  test('keeps its text for the next event if this one has no room for it', async () => {
    const long = 'y'.repeat(7900);
    const world = chain({
      hooks: [
        { event: 'pre_request', context: long, once: 'session', order: 1 },
        { event: 'pre_compact', command: ['sh', '-c', 'printf "%07000d" 0'] },
      ],
    });
    const told = [];
    for (const native of ['PreCompact', 'UserPromptSubmit', 'UserPromptSubmit', 'UserPromptSubmit'])
      told.push(linesIn((await world.fire(native)).answer).map(({ length }) => length));
    expect(told).toEqual([[], [7900], [7000], []]);
  });

  test('runs once if the client takes the decision before a call and the text after it', async () => {
    const world = chain({
      client: SPLIT,
      hooks: [
        {
          event: 'pre_tool_use',
          may: ['modify'],
          command: says({ action: 'modify', additionalContext: 'why', modifiedInput: { a: 1 } }),
        },
        { event: 'pre_tool_use', block: 'No.', matcher: { input_contains: 'rm' } },
      ],
    });
    const before = await world.fire('PreToolUse');
    expect(before.answer).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { a: 1 },
      },
    });
    expect(linesIn((await world.fire('PostToolUse')).answer)).toEqual(['why']);
    expect((await world.fire('PostToolUse')).stdout).toBe('');
    const blocked = await world.fire('PreToolUse', { tool_input: { command: 'rm' } });
    expect(blocked.answer).toMatchObject({ hookSpecificOutput: { updatedInput: { a: 1 } } });
  });

  test('shows the text after a call even if the changed input no longer meets its condition', async () => {
    const world = chain({
      client: SPLIT,
      hooks: [
        {
          event: 'pre_tool_use',
          matcher: { tool_name: 'Bash', input_contains: 'ls' },
          may: ['modify'],
          command: says({ action: 'modify', additionalContext: 'why', modifiedInput: { a: 1 } }),
        },
      ],
    });
    expect((await world.fire('PreToolUse')).answer).toMatchObject({
      hookSpecificOutput: { updatedInput: { a: 1 } },
    });
    const changed = { tool_input: { a: 1 } };
    expect((await world.fire('PostToolUse', { ...changed, tool_name: 'Read' })).stdout).toBe('');
    expect(linesIn((await world.fire('PostToolUse', changed)).answer)).toEqual(['why']);
  });
});
