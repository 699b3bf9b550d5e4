/** Guards without Node: the shells that clients use block by themselves, for ten minutes in a session. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { IDS, type Payload, recorded } from '../support/runner/clients.ts';
import { install, type Setup, scratch, type World } from '../support/runner/world.ts';
import { pathOf, SHELLS } from '../support/shells.ts';

const GRANTED = { ...RULES, block: true, command: true, contextTool: true };
const guard = { event: 'pre_tool_use', block: 'No.', on_failure: 'deny', priority: 'suggestion' };

/** An install whose Node is gone. */
function world(hooks: readonly object[], more: Partial<Setup> = {}): World {
  const manifest = JSON.stringify({ version: 2, name: 'annal', hooks: { declarations: hooks } });
  const node = join(scratch('gone'), 'node');
  return install({ hooks: [], manifest, node, defaults: GRANTED, ...more });
}

const call = (tool: string, more: Payload = {}): Payload => ({
  session_id: 'one',
  transcript_path: '/t.jsonl',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: tool,
  tool_input: { command: 'ls', tool_name: 'Read' },
  ...more,
});

interface At {
  readonly shell?: string;
  readonly PATH?: string;
}

/** What the shell prints without Node on the PATH. */
function fire(
  made: World,
  payload: Payload | string,
  { shell = 'sh', PATH = '/nowhere' }: At = {},
) {
  const [, ...words] = shell.split(' ');
  const { status, stdout, stderr } = spawnSync(
    pathOf(shell),
    [...words, '-c', made.command('claude-code', 'PreToolUse') ?? 'exit 9'],
    {
      cwd: made.cwd,
      env: { PATH, SHLVL: '1', HOME: made.folder },
      input: typeof payload === 'string' ? payload : JSON.stringify(payload),
      encoding: 'utf8',
      timeout: 20_000,
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const denied = (why: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: `Note from the MCP server "annal", not from the user, who has allowed it to block: hook 1 failed (${why}), so this was blocked. To see more: mcp-hooks log annal`,
  },
});
const NO_NODE = 'Node.js was not found, or the runner is damaged';
const DENIED = denied(NO_NODE);

const logOf = (made: World) =>
  readFileSync(join(made.state, 'log/annal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.each(SHELLS)('without Node, in %s', (shell) => {
  const at = { shell };

  test('a call that a denying hook may match is blocked, and logged', () => {
    const made = world([{ ...guard, matcher: { tool_name: 'Bash' } }]);
    expect(JSON.parse(fire(made, call('Bash'), at))).toEqual(DENIED);
    expect(logOf(made)).toEqual([
      {
        at: expect.any(Number),
        client: 'claude-code',
        event: 'PreToolUse',
        hooks: [],
        characters: 0,
        why: [{ code: 'node-missing' }],
        onFailure: [{ hook: 1, action: 'deny' }],
        decisions: [
          {
            hook: 1,
            action: 'block',
            reason: expect.stringContaining('Node.js was not found'),
          },
        ],
      },
    ]);
    expect(Math.abs(logOf(made)[0].at - Date.now())).toBeLessThan(60_000);
    expect(fire(made, call('Read'), at)).toBe('');
    // Only the tool_name of the client counts, wherever it is in the payload.
    const { tool_name, ...rest } = call('Bash');
    expect(JSON.parse(fire(made, { ...rest, tool_name }, at))).toEqual(DENIED);
    expect(fire(world([{ ...guard, on_failure: 'allow' }]), call('Bash'), at)).toBe('');
  });

  test('a call is blocked whatever its payload is', () => {
    const made = world([guard]);
    const long = call('Bash', { tool_input: { command: 'x'.repeat(300_000) } });
    for (const payload of [long, '', '{"session_id":"on', `${JSON.stringify(call('Bash'))}\n`])
      expect(JSON.parse(fire(made, payload, at))).toEqual(DENIED);
  });

  test('the call is blocked for ten minutes in a session', () => {
    const made = world([guard]);
    fire(made, call('Bash'), at);
    const [name = '-'] = readdirSync(join(made.state, 'sessions')).filter((one) =>
      one.endsWith('.denied'),
    );
    expect(name).toBe('claude-code.one.annal.0.denied');
    const file = join(made.state, 'sessions', name);
    const now = Math.trunc(Date.now() / 1000);
    expect(Math.abs(Number(readFileSync(file, 'utf8')) - now)).toBeLessThan(60);
    for (const [seconds, isOver] of [
      [590, false],
      [660, true],
      [-9999, false],
    ] as const) {
      writeFileSync(file, `${now - seconds}\n`);
      expect(fire(made, call('Bash'), at) === '', `${seconds}`).toBe(isOver);
    }
    writeFileSync(file, `${now - 660}\n`);
    expect(fire(made, call('Bash', { session_id: 'two' }), at)).not.toBe('');
    expect(fire(made, call('Bash'), at)).toBe('');
    expect(logOf(made).at(-1)).toMatchObject({ onFailure: [{ hook: 1, action: 'allow-again' }] });
    for (const text of ['', 'x', '123456789012']) {
      writeFileSync(file, text);
      expect(fire(made, call('Bash'), at)).not.toBe('');
      expect(Math.abs(Number(readFileSync(file, 'utf8')) - now)).toBeLessThan(60);
    }
  });

  test('each session has ten minutes of its own, whatever form its id has', () => {
    const made = world([guard]);
    const ids = [
      'session_0e0c2b86-9f8e-4b46-9a44-3a1bbd9bd5a1',
      'ses_4f2',
      '01K9-X',
      'a'.repeat(64),
    ];
    for (const session_id of ids) fire(made, call('Bash', { session_id }), at);
    const names = readdirSync(join(made.state, 'sessions')).filter((one) =>
      one.endsWith('.denied'),
    );
    expect(names.sort()).toEqual(ids.map((id) => `claude-code.${id}.annal.0.denied`).sort());
  });

  test('a call is blocked if Node fails, but not if it was killed', () => {
    for (const [script, isBlocked] of [
      ['exit 1', true],
      ['exit 127', true],
      ['kill -SEGV $$', true],
      ['exit 0', false],
      ['kill -KILL $$', false],
      ['kill -TERM $$', false],
    ] as const) {
      const node = join(scratch('node'), 'node');
      writeFileSync(node, `#!/bin/sh\n${script}\n`);
      chmodSync(node, 0o755);
      const said = fire(world([guard], { node }), call('Bash'), { ...at, PATH: '/usr/bin:/bin' });
      expect([script, said !== '']).toEqual([script, isBlocked]);
    }
  });
});

describe('without Node', () => {
  test('the first of several matching hooks is named', () => {
    const made = world([
      { ...guard, order: 60 },
      { ...guard, order: 20, matcher: { tool_name: '{Read,Note*,Web?etch}' } },
    ]);
    const numberOf = (tool: string) => /hook (\d) failed/.exec(fire(made, call(tool)))?.[1];
    for (const [tool, number] of Object.entries({
      Read: '2',
      NotebookEdit: '2',
      WebFetch: '2',
      mcp__other__add: '1',
      Readx: '1',
      'Read x': '2', // it is unknown how the client would read this name
    }))
      expect([tool, numberOf(tool)]).toEqual([tool, number]);
  });

  test.each(['muted', 'block', 'onFailure'])('a policy.json with %s is obeyed', (rule) => {
    const made = world([guard]);
    writeFileSync(join(made.state, 'policy.json'), `{ "cooldown": 5,\n "${rule}": 0 }`);
    expect(fire(made, call('Bash'))).toBe('');
    expect(logOf(made)).toMatchObject([{ onFailure: [{ hook: 1, action: 'allow' }] }]);
    writeFileSync(join(made.state, 'policy.json'), '{ "cooldown": 5 }');
    expect(JSON.parse(fire(made, call('Bash')))).toEqual(DENIED);
  });

  test('nothing is blocked without a grant of the user, or without a runner', () => {
    for (const rules of [RULES, { ...GRANTED, block: false }])
      expect(
        fire(
          world([guard, { ...guard, block: undefined, context: 'Hi.', on_failure: undefined }], {
            defaults: rules,
          }),
          call('Bash'),
        ),
      ).toBe('');
    const made = world([guard]);
    rmSync(made.runner, { recursive: true });
    expect(fire(made, call('Bash'))).toBe('');
  });

  test('the call is blocked each time if nothing can be remembered', () => {
    const made = world([guard]);
    mkdirSync(join(made.state, 'sessions/claude-code.one.annal.0.denied'), { recursive: true });
    for (const _ of [1, 2]) expect(JSON.parse(fire(made, call('Bash')))).toEqual(DENIED);
  });

  test.each([
    ['runner.cjs', undefined],
    ['runner.cjs', "'use strict';\nthrow 1;"],
    ['claude-code.PreToolUse.json', undefined],
    ['claude-code.PreToolUse.json', '{'],
    ['chain.cjs', undefined],
    ['chain.cjs', "'use strict';\nconst fs ="],
    ['values.cjs', undefined],
  ])('with a runner whose %s is broken, the call is blocked', (name, text) => {
    const made = world([{ ...guard, matcher: { tool_name: 'Bash' } }], { node: process.execPath });
    const file = join(made.runner, name);
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    expect(JSON.parse(fire(made, call('Bash')))).toEqual(DENIED);
    expect(logOf(made)).toMatchObject([{ onFailure: [{ hook: 1, action: 'deny' }] }]);
  });

  test.each([
    ['failure.cjs', NO_NODE],
    ['values.cjs', NO_NODE],
    ['command.cjs', 'a program or file that it needs is missing'],
  ])(
    'a call whose guard fails is blocked, with one answer and one block in the log, even without %s',
    (name, why) => {
      const broken = { ...guard, block: undefined, command: ['false'], may: ['block'] };
      const made = world([broken], { node: process.execPath });
      const missing = 'a program or file that it needs is missing';
      expect(JSON.parse(fire(made, call('Bash')))).toEqual(denied(missing));
      rmSync(join(made.runner, name));
      expect(JSON.parse(fire(made, call('Bash')))).toEqual(denied(why));
      expect(logOf(made).flatMap(({ decisions = [] }) => decisions)).toMatchObject(
        [missing, why].map((one) => ({
          hook: 1,
          action: 'block',
          reason: expect.stringContaining(`hook 1 failed (${one})`),
        })),
      );
    },
  );

  test('every client gets the block in its own shape', () => {
    const made = world([guard]);
    for (const id of IDS) {
      const [native = ''] = Object.keys(made.compiled[id].program.events).filter((one) =>
        made.compiled[id].program.events[one]?.hooks.some(({ extended }) => extended),
      );
      const { stdout } = spawnSync(pathOf('sh'), ['-c', made.command(id, native) ?? 'exit 9'], {
        env: { PATH: '/nowhere' },
        input: JSON.stringify(recorded(id, native)),
        encoding: 'utf8',
      });
      expect([id, JSON.stringify(JSON.parse(stdout))]).toEqual([
        id,
        expect.stringContaining('hook 1 failed (Node.js was not found, or the runner is damaged)'),
      ]);
    }
  });
});

test('the shell of an event without such a guard has no code for it', () => {
  const made = world([
    { ...guard, on_failure: 'allow' },
    { ...guard, event: 'pre_request' },
  ]);
  const of = (event: string) => readFileSync(join(made.runner, `claude-code.${event}.sh`), 'utf8');
  expect(of('PreToolUse')).not.toMatch(/mcp_(?:deny|guards|since)/);
  expect(of('UserPromptSubmit')).toMatch(/mcp_deny/);
  expect(existsSync(join(made.runner, 'failure.cjs'))).toBe(true);
});
