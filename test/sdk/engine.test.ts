// The engine as a client uses it: what it answers and refuses, and that it touches nothing else.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEngine, type EventName, UserError } from '../../src/library/engine.ts';
import { code, ROOT } from '../support/pages.ts';
import { legacy, serve } from '../support/servers/addressed.ts';

const engineFor = (options: Parameters<typeof createEngine>[0]) => {
  const engine = createEngine({ label: 'annal', ...options });
  onTestFinished(engine.close);
  return engine;
};

const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const call = { sessionId: 's1', cwd: '/', tool: { name: 'Bash', input: { command: 'rm -rf /' } } };

test('a text of SEP-2282 is shown as the runner shows it', async () => {
  const engine = engineFor({
    manifest: {
      name: 'annal',
      declarations: [
        { event: 'pre_request', context: 'Second.', priority: 'suggestion' },
        { event: 'pre_request', context: 'First.', priority: 'important' },
      ],
    },
  });
  const { additionalContext, ...rest } = await engine.fire({
    event: 'pre_request',
    sessionId: 's1',
    cwd: '/',
    prompt: 'Hi.',
  });
  expect(rest).toEqual({
    action: 'injectContext',
    warnings: [],
    metadata: { hooks: [2, 1], decisions: [], why: [] },
  });
  expect(additionalContext).toEqual([
    [
      'Note from the MCP server "annal", not from the user, about this prompt; each of its lines begins with |. Consider this before you continue.',
      '| First.',
      '',
      'Note from the MCP server "annal", not from the user, about this prompt; each of its lines begins with |. Optional: use it only if it helps.',
      '| Second.',
    ].join('\n'),
  ]);
});

test('a block needs a grant, and then blocks', async () => {
  const declarations = [{ event: 'PreToolUse', block: 'Not {tool_name}.' }];
  const without = await engineFor({ declarations }).fire({ hook: 'PreToolUse', ...call });
  const why = [{ code: 'block-left-out', hook: 1 }];
  expect(without).toMatchObject({
    action: 'passThrough',
    additionalContext: [],
    metadata: { why },
  });
  const engine = engineFor({ declarations, allow: ['block'] });
  expect(await engine.fire({ hook: 'PreToolUse', ...call })).toMatchObject({
    action: 'block',
    reason:
      'Note from the MCP server "annal", not from the user, who has allowed it to block: Not Bash.',
    metadata: { hooks: [1], decisions: [{ hook: 1, action: 'block', reason: 'Not Bash.' }] },
  });
});

test('handlers are evaluated in order, and see the changes of earlier ones', async () => {
  const engine = engineFor({
    declarations: [{ event: 'pre_tool_use', context: 'Declared.', order: 50 }],
    allow: ['modify'],
  });
  const seen: unknown[] = [];
  engine.register(
    'PreToolUse',
    async ({ event, tool, sessionId }) => {
      seen.push([event, sessionId, tool?.input]);
      return 'After.';
    },
    { order: 60 },
  );
  engine.register('pre_tool_use', () => ({ action: 'modify', modifiedInput: { command: 'ls' } }), {
    order: 40,
    may: ['modify'],
    matcher: { tool_name: 'Bash' },
  });
  const answer = await engine.fire({ event: 'pre_tool_use', ...call });
  expect(answer).toMatchObject({
    action: 'modify',
    modifiedInput: { command: 'ls' },
    metadata: { hooks: [3, 1, 2], decisions: [{ hook: 3, action: 'modify' }] },
  });
  expect(answer.additionalContext.join('\n')).toMatch(/Declared\.[\s\S]*After\./);
  expect(seen).toEqual([['pre_tool_use', 's1', { command: 'ls' }]]);
});

test('two handlers that are registered alike count as two', async () => {
  const engine = engineFor({ declarations: [], policy: { cooldown: 60 } });
  engine.register('pre_request', () => 'One.');
  engine.register('pre_request', () => 'Two.');
  const fired = { event: 'pre_request', sessionId: 's', cwd: '/', prompt: 'Hi.' } as const;
  expect((await engine.fire(fired)).metadata.hooks).toEqual([1, 2]);
  engine.register('pre_request', () => 'Later.');
  expect((await engine.fire(fired)).metadata.hooks).toEqual([3]);
});

test('a handler can have a budget, and reads the remaining tokens before a compaction', async () => {
  const engine = engineFor({ declarations: [] });
  const seen: unknown[] = [];
  engine.register('OnBudgetExceeded', ({ budget }) => void seen.push(budget), {
    budget: { tokens: 1000, warn: 60 },
  });
  engine.register('PreCompact', (event) => void seen.push(event.remaining_context_tokens));
  const fired = { sessionId: 's1', cwd: '/' } as const;
  for (const usedTokens of [500, 600, 650, 900])
    await engine.fire({ ...fired, event: 'budget_exceeded', budget: { usedTokens } });
  await engine.fire({ ...fired, event: 'pre_compact', budget: { usedTokens: 900 } });
  expect(seen).toEqual([
    expect.objectContaining({ usedTokens: 600, level: 'warn', percent: 60 }),
    expect.objectContaining({ usedTokens: 900, level: 'fire', effectiveLimit: 1000 }),
    100,
  ]);
});

test('an event that cannot be written as JSON is let through', async () => {
  const engine = engineFor({ declarations: [{ event: 'post_tool_use', context: 'A text.' }] });
  const circular: { self?: object } = {};
  circular.self = circular;
  for (const output of [circular, 1n])
    expect(
      await engine.fire({ ...call, event: 'post_tool_use', tool: { name: 'Bash', output } }),
    ).toEqual({
      action: 'passThrough',
      additionalContext: [],
      warnings: [],
      metadata: { hooks: [], decisions: [], why: [{ code: 'error', name: 'TypeError' }] },
    });
});

test('a deeply nested event is still blocked', async () => {
  const declarations = [
    { event: 'pre_tool_use', block: 'No.', matcher: { input_contains: 'DEEP' } },
  ];
  const engine = engineFor({ declarations, allow: ['block'] });
  const input = JSON.parse(`${'['.repeat(20_000)}"DEEP"${']'.repeat(20_000)}`);
  const answer = await engine.fire({
    event: 'pre_tool_use',
    sessionId: 's1',
    tool: { name: 'Bash', input: { command: 'ls', input, output: undefined } },
  });
  expect(answer).toMatchObject({ action: 'block', metadata: { why: [] } });
});

test('a call without the name of a tool still counts as a call', async () => {
  const engine = engineFor({ declarations: [{ event: 'post_tool_use', context: 'A text.' }] });
  const { additionalContext } = await engine.fire({ event: 'post_tool_use', sessionId: 's1' });
  expect(additionalContext.join()).toContain(', after your call; each of its lines');
});

test('an error in a handler lets the event through, and is reported as a code', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const engine = engineFor({ declarations: [] });
  engine.register('session_start', () => {
    throw new RangeError('the text of which nobody reads');
  });
  engine.register('session_start', () => new Promise(() => {}), { order: 51 });
  engine.register('session_start', () => ({ action: 'explode' }), { order: 52 });
  engine.register('session_start', () => null, { order: 53 });
  engine.register('session_start', () => Promise.reject(), { order: 50, may: ['block'] });
  engine.register('session_start', () => 'Still here.', { order: 54 });
  const answering = engine.fire({ event: 'session_start', sessionId: 's1', cwd: '/' });
  await vi.advanceTimersByTimeAsync(20_000);
  const { action, metadata, additionalContext } = await answering;
  expect(action).toBe('injectContext');
  expect(additionalContext.join()).toContain('| Still here.');
  expect(metadata.why).toEqual([
    { code: 'error', name: 'RangeError', hook: 1 },
    { code: 'error', name: 'undefined', hook: 5 },
    { code: 'no-answer-in-time', hook: 2 },
    { code: 'answer-invalid', hook: 3 },
  ]);
});

test('a handler with `deny` blocks if it throws or is late', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const fire = async (handler: () => Promise<undefined>, onFailure?: 'allow' | 'deny') => {
    const engine = engineFor({ declarations: [], allow: ['block'] });
    engine.register('pre_tool_use', handler, { may: ['block'], ...(onFailure && { onFailure }) });
    const tool = { name: 'Bash', input: { command: 'ls' } };
    const answering = engine.fire({ event: 'pre_tool_use', sessionId: 's1', cwd: '/', tool });
    await vi.advanceTimersByTimeAsync(20_000);
    const { action, reason, metadata } = await answering;
    return [action, reason, metadata.onFailure];
  };
  const throws = () => Promise.reject(new RangeError('a secret'));
  const isLate = () => new Promise<undefined>(() => {});
  const because = (what: string) => expect.stringContaining(`hook 1 failed (${what})`);
  const denied = [{ hook: 1, action: 'deny' }];
  expect(await fire(throws, 'deny')).toEqual([
    'block',
    because('an unexpected error, RangeError'),
    denied,
  ]);
  expect(await fire(isLate, 'deny')).toEqual(['block', because('no answer in time'), denied]);
  for (const given of [undefined, 'allow'] as const)
    expect(await fire(throws, given)).toEqual([
      'passThrough',
      undefined,
      [{ hook: 1, action: 'allow' }],
    ]);
  const engine = engineFor({ declarations: [] });
  expect(() => engine.register('pre_tool_use', throws, { onFailure: 'deny' })).toThrow(
    'register cannot be used',
  );
});

test('an event that cannot be written as JSON is blocked by a hook that denies', async () => {
  const declarations = [{ event: 'pre_tool_use', block: 'No.', on_failure: 'deny' }];
  const engine = engineFor({ declarations, allow: ['block'] });
  const tool = { name: 'Bash', input: { much: 1n } };
  const { action, reason } = await engine.fire({ event: 'pre_tool_use', sessionId: 's1', tool });
  expect([action, reason]).toEqual([
    'block',
    expect.stringContaining('failed (an unexpected error, TypeError)'),
  ]);
});

test.each([
  ['plain', {}],
  ['extended', { limit: { characters: 100 } }],
])("no answer contains the server's message about a failure: %s", async (_, more) => {
  const { url } = await serve(legacy({ tools: {} }));
  const hook = { event: 'session_start', context_tool: 'recall', priority: 'important', ...more };
  const hooks = { declarations: [hook] };
  const manifest = { version: 2, name: 'annal', server: { url }, hooks };
  const engine = engineFor({ manifest, allow: ['context-tool'] });
  expect(await engine.fire({ event: 'session_start', sessionId: 's' })).toEqual({
    action: 'passThrough',
    additionalContext: [],
    warnings: ['Hook failed: the server refused the call'],
    metadata: { hooks: [], decisions: [], why: [{ code: 'call-refused', hook: 1 }] },
  });
});

test('a hook that fails is among the warnings, but not one that has nothing to show', async () => {
  const run = (...command: string[]) => ({ event: 'pre_request', command });
  const declarations = [
    run('false'),
    run('no-such-program'),
    run('true'),
    run('echo', '{"action":"x"}'),
  ];
  const file = join(scratch(), 'hooks.json');
  writeFileSync(file, JSON.stringify({ version: 2, name: 'annal', hooks: { declarations } }));
  const engine = engineFor({ manifest: file, allow: ['command'] });
  const { action, warnings } = await engine.fire({ event: 'pre_request', sessionId: 's' });
  expect([action, warnings]).toEqual([
    'passThrough',
    [
      'Hook failed: its program failed',
      'Hook failed: a program or file that it needs is missing',
      'Hook failed: its answer is not valid',
    ],
  ]);
});

test('repeated calls add no listeners to the process', async () => {
  const { url } = await serve(legacy({ tools: {} }));
  const call = { event: 'session_start', context_tool: 'recall', priority: 'important' } as const;
  const command = { event: 'session_start', command: ['true'] } as const;
  const engines = [
    engineFor({
      manifest: { version: 2, name: 'far', server: { url }, hooks: { declarations: [call] } },
      allow: ['context-tool'],
    }),
    engineFor({
      manifest: {
        version: 2,
        name: 'near',
        server: { command: 'true' },
        hooks: { declarations: [call] },
      },
      allow: ['context-tool'],
    }),
    engineFor({ declarations: [command], allow: ['command'] }),
  ];
  const all = async (session: string) => {
    for (const engine of engines) await engine.fire({ event: 'session_start', sessionId: session });
  };
  await all('first');
  const counted = () =>
    [...process.eventNames(), 'exit', 'SIGPIPE'].map((name) => [name, process.listenerCount(name)]);
  const before = counted();
  for (let turn = 0; turn < 20; turn++) await all(`s${turn}`);
  expect(counted()).toEqual(before);
});

test('a hook that the policy forbids is reported', async () => {
  const folder = scratch();
  const plain = [
    { event: 'session_start', context: 'A text.' },
    { event: 'session_start', context_tool: 'recall' },
  ];
  const extended = [
    { event: 'pre_tool_use', block: 'No.', once: 'turn' },
    { event: 'pre_tool_use', command: ['printf', 'Ran.'], once: 'turn' },
    { event: 'pre_request', context: 'Text.', limit: { characters: 20 } },
  ];
  const server = { url: 'http://127.0.0.1:9/' };
  const allow = ['context-tool', 'block', 'command'] as const;
  const whyOf = async (
    declarations: readonly object[],
    policy: object,
    event: EventName = 'session_start',
  ) => {
    const manifest = { version: 2, name: 'annal', server, hooks: { declarations } };
    const file = join(folder, 'm.json');
    writeFileSync(file, JSON.stringify(manifest));
    const state = mkdtempSync(join(folder, 'state-'));
    writeFileSync(join(state, 'policy.json'), JSON.stringify(policy));
    const whys = [{ policy }, { state }].map(async (more) => {
      const engine = engineFor({ manifest: file, allow, ...more });
      engine.register(event, () => undefined);
      const prompt = event === 'pre_request' ? { prompt: 'Hi.' } : {};
      const { metadata } = await engine.fire({ ...call, ...prompt, event });
      return metadata.why;
    });
    const [given, inFile] = await Promise.all(whys);
    expect(inFile, 'the same from a file').toEqual(given);
    return given;
  };
  expect(await whyOf(plain, { contextTool: false })).toEqual([
    { code: 'tools-forbidden', hook: 2 },
  ]);
  expect(await whyOf(extended, { block: false, command: false }, 'pre_tool_use')).toEqual([
    { code: 'blocks-forbidden', hook: 1 },
    { code: 'commands-forbidden', hook: 2 },
  ]);
  expect(await whyOf(plain, { servers: { annal: { muted: true } } })).toEqual([
    { code: 'muted', hook: 1 },
    { code: 'muted', hook: 2 },
    { code: 'muted', hook: 3 },
  ]);
  expect(
    await whyOf(extended, { muted: true }, 'pre_request'),
    'hooks of other events wait for this one',
  ).toEqual([
    { code: 'muted', hook: 3 },
    { code: 'muted', hook: 4 },
  ]);
  expect(await whyOf(plain, { hooksPerServer: 1, contextTool: false })).toEqual([
    { code: 'tools-forbidden', hook: 2 },
    { code: 'beyond-hooks-per-server', hook: 3 },
  ]);
  expect(await whyOf(extended, { command: false }, 'session_end')).toEqual([]);
});

test('a policy has the same effect as a file and as an object', async () => {
  const declarations = [{ event: 'PreToolUse', block: 'Not {tool_name}.' }];
  const state = scratch();
  const policy = { block: true };
  writeFileSync(join(state, 'policy.json'), JSON.stringify(policy));
  for (const more of [{ policy }, { state }]) {
    const { action } = await engineFor({ declarations, ...more }).fire({
      hook: 'PreToolUse',
      ...call,
    });
    expect(action, Object.keys(more)[0]).toBe('block');
  }
  writeFileSync(join(state, 'policy.json'), '{ "block": ');
  const broken = await engineFor({ declarations, allow: ['block'], state }).fire({
    hook: 'PreToolUse',
    ...call,
  });
  expect(broken.metadata.why).toEqual([{ code: 'policy-invalid' }]);
});

test('a decision that is not allowed is reported with its hook', async () => {
  const engine = engineFor({ declarations: [], allow: ['block'], policy: { block: false } });
  engine.register('pre_tool_use', () => 'Fine.');
  engine.register('pre_tool_use', () => ({ action: 'block', reason: 'No.' }), { may: ['block'] });
  engine.register('pre_tool_use', () => ({ action: 'modify', modifiedInput: {} }), {
    may: ['modify'],
  });
  const { action, metadata } = await engine.fire({ event: 'pre_tool_use', ...call });
  expect(action).toBe('injectContext');
  expect(metadata.why).toEqual([
    { code: 'block-not-allowed', hook: 2 },
    { code: 'modify-not-allowed', hook: 3 },
  ]);
});

test('an event without hooks and a muted server get an empty answer', async () => {
  const nothing = {
    action: 'passThrough',
    additionalContext: [],
    warnings: [],
    metadata: { hooks: [], decisions: [], why: [] },
  };
  const declarations = [{ event: 'session_end', context: 'Bye.' }];
  expect(
    await engineFor({ declarations }).fire({ event: 'session_start', sessionId: 's' }),
  ).toEqual(nothing);
  const muted = engineFor({ declarations, policy: { servers: { annal: { muted: true } } } });
  const why = [{ code: 'muted', hook: 1 }];
  expect(await muted.fire({ event: 'session_end', sessionId: 's' })).toEqual({
    ...nothing,
    metadata: { ...nothing.metadata, why },
  });
});

test('a command is taken only from a manifest that is named by its path, not from an object', async () => {
  const folder = scratch();
  const manifest = {
    version: 2,
    name: 'annal',
    hooks: { declarations: [{ event: 'session_start', command: ['printf', 'From a command.'] }] },
  };
  writeFileSync(join(folder, 'm.json'), JSON.stringify(manifest));
  const fired = { event: 'session_start', sessionId: 's', cwd: folder } as const;
  const allow = ['command'] as const;
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const listening = () => signals.map((signal) => process.listenerCount(signal));
  const before = listening();
  const named = await engineFor({ manifest: join(folder, 'm.json'), allow }).fire(fired);
  expect(named.additionalContext.join()).toContain('| From a command.');
  expect(listening(), 'what ends our process is not its business').toEqual(before);
  const declarations = [
    ...manifest.hooks.declarations,
    { event: 'session_start', context: 'Off.', enabled: false },
    { event: 'session_start', context: 'A text.' },
  ];
  const object = await engineFor({ declarations, allow }).fire(fired);
  expect(object.additionalContext.join()).toMatch(/\| A text\.$/);
  expect(object.metadata).toMatchObject({
    hooks: [3],
    why: [{ code: 'command-not-named', hook: 1 }],
  });
});

test('mistakes of the host are reported', async () => {
  const codeOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return error instanceof UserError ? `${error.code}: ${error.details.join(' ')}` : error;
    }
    return undefined;
  };
  expect(codeOf(() => createEngine({}))).toBe('nothing-to-evaluate: ');
  expect(codeOf(() => createEngine({ declarations: [{ event: 'sesion_start' }] }))).toMatch(
    /^manifest-refused: declarations: error: hook 1: .*did you mean "session_start"/,
  );
  // @ts-expect-error: no such grant
  expect(codeOf(() => createEngine({ declarations: [], allow: ['blok'] }))).toBe('grant-unknown: ');
  expect(codeOf(() => createEngine({ declarations: [], policy: { mutd: true } }))).toMatch(
    /^policy-refused: .*mutd/,
  );
  const engine = engineFor({ declarations: [] });
  // @ts-expect-error: no such event
  expect(codeOf(() => engine.register('Never', () => ''))).toMatch(/^engine-event-unknown/);
  expect(
    codeOf(() => engine.register('pre_tool_use', () => '', { matcher: { input_matches: '(a' } })),
  ).toMatch(/^manifest-refused: .*input_matches/);
  // @ts-expect-error: `sessionId` is missing
  await expect(engine.fire({ event: 'session_start' })).rejects.toThrow('no "sessionId"');
  engine.close();
  engine.close();
  await expect(engine.fire({ event: 'session_start', sessionId: 's' })).rejects.toThrow('closed');
});

test('no error mentions files that would have been written', async () => {
  const saidBy = (options: Parameters<typeof createEngine>[0]) => {
    try {
      createEngine(options).close();
    } catch (error) {
      if (error instanceof UserError) return [error.message, ...error.details].join('\n');
    }
    return undefined;
  };
  const said = [
    saidBy({ declarations: [{ event: 'sesion_start' }] }),
    saidBy({ declarations: [], policy: { mutd: true } }),
    saidBy({ manifest: join(ROOT, 'no-such-file.json') }),
    saidBy({ manifest: ROOT }),
  ];
  expect(said).toEqual([
    expect.stringMatching(/^declarations cannot be used\.\n/),
    expect.stringMatching(
      /^policy cannot be used\. No hook adds anything until it is fixed\.\npolicy: error: /,
    ),
    expect.stringMatching(/no-such-file\.json cannot be read: there is no such file\.$/),
    expect.stringMatching(/ cannot be read: it is a folder\.$/),
  ]);
  const engine = engineFor({ declarations: [] });
  const matcher = { input_matches: '(a' };
  expect(() => engine.register('pre_tool_use', () => '', { matcher })).toThrow(
    /^register cannot be used\.$/,
  );
});

test('its memory is in a temporary folder, or in the given one', async () => {
  const [state, folder] = [scratch(), scratch()];
  vi.stubEnv('TMPDIR', folder);
  const declarations = [{ event: 'session_start', context: 'Once.', once: 'session' }];
  const fired = { event: 'session_start', sessionId: 's', cwd: '/' } as const;
  const said = async () => {
    const engine = engineFor({ declarations, state });
    const { metadata } = await engine.fire(fired);
    engine.close();
    return metadata.hooks;
  };
  expect([await said(), await said()]).toEqual([[1], []]);
  expect(existsSync(join(state, 'sessions'))).toBe(true);
  const own = createEngine({ declarations });
  expect((await own.fire(fired)).metadata.hooks).toEqual([1]);
  own.close();
  expect(readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
});

test('the example in docs/engine.md works', async () => {
  const folder = scratch();
  const script = code('docs/engine.md', 'example: engine');
  const dist = JSON.stringify(join(ROOT, 'dist', 'engine.js'));
  writeFileSync(join(folder, 'script.mjs'), script.replace("'mcp-hooks/engine'", dist));
  const { stdout, stderr } = await execa(process.execPath, ['script.mjs'], {
    cwd: folder,
    env: { HOME: join(folder, 'none') },
  });
  expect(stdout).toMatch(/^block Note from .*: Ask before you delete\.$/);
  expect(stderr).toBe('');
  expect(readdirSync(folder)).toEqual(['script.mjs']);
});

test.each(['with', 'without'])(
  'an engine %s a state folder does not wait for a background command, which survives a close only with the folder',
  async (how) => {
    const folder = scratch();
    const at = (name: string) => join(folder, name);
    const hook = { event: 'pre_request', command: ['sh', './work.sh'], async: true };
    writeFileSync(at('m.json'), JSON.stringify({ version: 2, hooks: { declarations: [hook] } }));
    writeFileSync(
      at('work.sh'),
      `echo >'${at('begun')}'; until [ -e '${at('go')}' ]; do sleep 0.1; done; echo >'${at('done')}'\n`,
    );
    const state = how === 'with' ? { state: scratch() } : {};
    const engine = engineFor({ manifest: at('m.json'), allow: ['command'], ...state });
    const prompt = { event: 'pre_request', sessionId: 's1', cwd: '/', prompt: 'Hi.' } as const;
    const { action, additionalContext } = await engine.fire(prompt);
    expect([action, additionalContext]).toEqual(['passThrough', []]);
    await expect.poll(() => existsSync(at('begun')), { timeout: 10_000 }).toBe(true);
    engine.close();
    // Give a command that has lost its record time to notice.
    await new Promise((done) => setTimeout(done, 2000));
    writeFileSync(at('go'), '');
    await new Promise((done) => setTimeout(done, 1500));
    expect(existsSync(at('done'))).toBe(how === 'with');
  },
);
