// What a manifest of version 2 may contain in addition to SEP-2282, and the errors for anything else.

import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_EVENTS,
  BASE_COAT_EVENTS,
  EVENTS,
  EXTENSION,
  type HookDeclaration,
  isExtended,
  LIFECYCLE_EVENTS,
  PRIORITIES,
} from '../../src/declaration/declaration.ts';
import { locate } from '../../src/declaration/document.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { sha256 } from '../../src/system/fingerprint.ts';
import { sentences } from '../support/said.ts';

const TEXT = { event: 'session_start', context: 'Hello.' };
const HELLO = { ...TEXT, priority: 'suggestion' };
const TOOL = { event: 'post_tool_use', context_tool: 'recall' };
const CALL = { event: 'post_tool_use', context: 'Look.' };
const BACKGROUND = { event: 'session_end', command: ['true'], async: true };
const SERVER = { command: 'uvx' };

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-hooks-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function parsed(manifest: unknown) {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest, null, 1);
  const declared = parseManifest(text, join(folder, 'annal.json'));
  return {
    ...declared,
    said: sentences(locate('', declared.problems)).map((line) => line.slice(1)),
  };
}

const ofHooks = (...declarations: unknown[]) =>
  parsed({ version: 2, server: SERVER, hooks: { declarations } });

/** The problems of one hook, with the path in place of line and column. */
function said(hook: object): string[] {
  const { problems } = ofHooks(hook);
  return problems.map(({ level, message, path }) => {
    const place = path.slice(3).join('.');
    return `${place}: ${level}: ${sentences([message])[0]}`;
  });
}

describe('a declaration may have', () => {
  test('every event, by our names and by those of Base Coat', () => {
    const needs = (event: string) =>
      ['budget_exceeded', 'OnBudgetExceeded'].includes(event) ? { budget: { tokens: 1000 } } : {};
    const names = [...ALL_EVENTS, ...Object.keys(BASE_COAT_EVENTS)];
    const { said, hooks, unsupported } = ofHooks(
      ...names.map((event) => ({
        event,
        ...(event === 'notification' ? { command: ['true'] } : { context: 'x' }),
        ...needs(event),
      })),
    );
    expect(said).toEqual([]);
    expect(unsupported).toEqual([]);
    expect(hooks.map(({ event }) => event)).toEqual([
      ...ALL_EVENTS,
      ...Object.values(BASE_COAT_EVENTS),
    ]);
    expect(Object.keys(BASE_COAT_EVENTS)).toHaveLength(8);
  });

  test.each<[string, object]>([
    ['a reason to block', { event: 'pre_tool_use', block: 'Not on Fridays.' }],
    ['a program that PATH finds', { event: 'session_end', command: ['subcog', 'hook', 'stop'] }],
    ['what an answer may decide', { ...TOOL, may: ['block', 'modify'] }],
    ['an order', { ...TEXT, order: -1_000_000 }],
    ['once', { ...TEXT, once: 'turn' }],
    ['a cooldown', { ...TEXT, cooldown: 31_536_000 }],
    ['a limit of characters', { ...TEXT, limit: { characters: 1_000_000 } }],
    ['a limit of tokens', { ...TEXT, limit: { tokens: 1 } }],
    ['a failure that denies', { ...TOOL, may: ['modify', 'block'], on_failure: 'deny' }],
    ['a failure of a block', { event: 'pre_tool_use', block: 'No.', on_failure: 'deny' }],
    ['a failure that allows', { ...TOOL, may: ['modify'], on_failure: 'allow' }],
    ['a deadline', { ...TOOL, deadline: 30_000 }],
    ['being off', { ...TEXT, enabled: false }],
    ['a budget', { event: 'budget_exceeded', context: 'x', budget: { tokens: 1, warn: 80 } }],
    [
      'lists of exceptions',
      { ...CALL, matcher: { exclude: { tools: ['R*'], paths: ['**/x/**/*.lock'] } } },
    ],
    ['expressions', { ...CALL, matcher: { input_matches: '^a+$', output_matches: '(?:x|y)*' } }],
    ['an output', { ...CALL, matcher: { output_contains: 'fatal', failed: true } }],
    ['repetition', { ...CALL, matcher: { repeat: { times: 2, within: 86_400, same: 'error' } } }],
    [
      'where it is, on an event of no tool',
      { ...TEXT, matcher: { branch: 'feat/*', project: 'a' } },
    ],
  ])('%s', (_, hook) => {
    const { said, hooks } = ofHooks(hook);
    expect(said).toEqual([]);
    expect(hooks).toEqual([{ priority: 'suggestion', ...hook }]);
    expect(hooks.map(isExtended)).toEqual([true]);
  });

  test('extended fields in every form of a manifest of ours', () => {
    const hook = { ...TEXT, order: 1 };
    const own = { version: 2, declarations: [hook] };
    for (const manifest of [
      own,
      { version: 2, hooks: { declarations: [hook] } },
      { capabilities: { extensions: { [EXTENSION]: own } } },
      { version: 2, capabilities: { extensions: { [EXTENSION]: { declarations: [hook] } } } },
    ])
      expect(parsed(manifest)).toMatchObject({ said: [], hooks: [{ ...HELLO, order: 1 }] });
  });

  test('version 1, which is the default', () => {
    expect(parsed({ version: 1, declarations: [HELLO] })).toMatchObject({
      said: [],
      hooks: [HELLO],
    });
  });

  test('hooks of the SEP, which mean the same in version 2, with the same findings', () => {
    const text = fc.string({ maxLength: 20 });
    const glob = fc.constantFrom('Bash', '*', 'Bsh', '****a*b', 'mcp__x__*', '');
    const hook = fc.record(
      {
        event: fc.constantFrom(...EVENTS),
        matcher: fc.record(
          { tool_name: glob, input_contains: text, tool_server: text },
          { requiredKeys: [] },
        ),
        context: text,
        context_tool: text,
        context_tool_args: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
        priority: fc.constantFrom(...PRIORITIES),
      },
      { requiredKeys: ['event', 'priority'] },
    );
    fc.assert(
      fc.property(hook, (one) => {
        const read = (version: 1 | 2) => parsed({ server: SERVER, version, declarations: [one] });
        const [before, after] = [read(1), read(2)];
        expect(after.hooks).toEqual(before.hooks);
        expect(after.hooks.map(isExtended)).toEqual(after.hooks.map(() => false));
        // Matchers without effect, and fields that exclude each other, have different messages.
        if (before.hooks.length > 0 && !before.said.some((line) => line.includes('is ignored')))
          expect(after.said).toEqual(before.said);
      }),
      { numRuns: 300 },
    );
  });
});

describe('mistakes are reported at their places', () => {
  const events = ALL_EVENTS.join(', ');
  test.each<[object, string, string]>([
    [
      { event: 'sesion_start', context: 'x' },
      'event',
      `is "sesion_start"; allowed: ${events}; did you mean "session_start"?`,
    ],
    [{ ...TEXT, order: 1.5 }, 'order', 'must be a whole number, not 1.5'],
    [{ ...TEXT, order: '1' }, 'order', 'must be a number, not a string'],
    [{ ...TEXT, order: 1_000_001 }, 'order', 'must not be above 1000000'],
    [{ ...TEXT, cooldown: 31_536_001 }, 'cooldown', 'must not be above 31536000'],
    [{ ...TEXT, cooldown: 0 }, 'cooldown', 'must not be below 1'],
    [{ ...TEXT, once: 'day' }, 'once', 'is "day"; allowed: session, turn'],
    [{ ...TEXT, enabled: 'no' }, 'enabled', 'must be a boolean, not a string'],
    [{ ...TEXT, limit: {} }, 'limit', 'must have exactly one of "characters" or "tokens"'],
    [
      { ...TEXT, limit: { characters: 1, tokens: 1 } },
      'limit',
      'must have exactly one of "characters" or "tokens"',
    ],
    [{ ...TEXT, limit: { tokens: 1_000_001 } }, 'limit.tokens', 'must not be above 1000000'],
    [{ ...TEXT, on_failure: 'allow' }, 'on_failure', 'needs "block" or "may"'],
    [{ ...TOOL, on_failure: 'deny' }, 'on_failure', 'needs "block" or "may"'],
    [
      { ...TOOL, may: ['block'], on_failure: 'ask' },
      'on_failure',
      'is "ask"; allowed: allow, deny',
    ],
    [{ ...TEXT, deadline: 5 }, 'deadline', 'needs "context_tool" or "command"'],
    [{ ...TOOL, deadline: 30_001 }, 'deadline', 'must not be above 30000'],
    [{ ...TEXT, async: true }, 'async', 'needs "command"'],
    [{ ...BACKGROUND, deadline: 600_001 }, 'deadline', 'must not be above 600000'],
    [
      { ...BACKGROUND, may: ['block'] },
      'may',
      'is about an answer, and no answer is read from a command with "async": true',
    ],
    [
      { ...BACKGROUND, limit: { tokens: 1 } },
      'limit',
      'is about an answer, and no answer is read from a command with "async": true',
    ],
    [{ ...BACKGROUND, async: false, deadline: 30_001 }, 'deadline', 'must not be above 30000'],
    [{ ...TEXT, may: ['block'] }, 'may', 'needs "context_tool" or "command"'],
    [{ ...CALL, context_tool_args: {} }, 'context_tool_args', 'needs "context_tool"'],
    [
      { ...TEXT, budget: { tokens: 5 } },
      'budget',
      'belongs to budget_exceeded, not to session_start',
    ],
    [
      { event: 'budget_exceeded', context: 'x', budget: {} },
      'budget.tokens',
      'is missing; it must be a number',
    ],
    [{ event: 'pre_tool_use', block: '' }, 'block', 'must not be empty'],
    [{ ...TOOL, context_tool: undefined, command: [] }, 'command', 'must not be empty'],
    [
      { event: 'post_tool_use', command: 'python x.py' },
      'command',
      'must be an array, not a string',
    ],
    [
      { event: 'post_tool_use', command: Array(101).fill('a') },
      'command',
      'has more than 100 entries',
    ],
    [
      { event: 'pre_tool_use', block: 'x'.repeat(1_000_001) },
      'block',
      'has 1000001 characters; at most 1000000 are allowed',
    ],
    [
      { ...CALL, matcher: { input_matches: '(a)\\1' } },
      'matcher.input_matches',
      'cannot be used as a regular expression: Cannot be executed in linear time',
    ],
    [
      { ...CALL, matcher: { output_matches: 'a/(?=b)' } },
      'matcher.output_matches',
      'cannot be used as a regular expression: Cannot be executed in linear time',
    ],
    [
      { ...CALL, matcher: { output_matches: 'a{1000}' } },
      'matcher.output_matches',
      'cannot be used as a regular expression: Cannot be executed in linear time',
    ],
    [
      { ...CALL, matcher: { output_matches: '[a' } },
      'matcher.output_matches',
      'cannot be used as a regular expression: Unterminated character class',
    ],
    [
      { ...CALL, matcher: { exclude: { paths: Array(101).fill('a') } } },
      'matcher.exclude.paths',
      'has more than 100 entries',
    ],
    [{ ...TEXT, matcher: { branch: '*****' } }, 'matcher.branch', 'has more than 4 "*"'],
  ])('%j: %s', (hook, place, message) => {
    expect(said(hook)).toEqual([`${place}: error: "${place}" ${message}`]);
  });

  test.each<[object, string[]]>([
    [
      { event: 'session_start' },
      [': error: one of "context", "context_tool", "block" or "command" is needed'],
    ],
    [
      { ...TEXT, block: 'x', command: ['x'] },
      ['command: error: "context", "block" and "command" exclude each other: keep one'],
    ],
    [
      { ...TEXT, odrer: 1 },
      [/^odrer: error: unknown key "odrer"; allowed: event, .*; did you mean "order"\?$/.source],
    ],
    [
      { ...TOOL, may: ['modify'], on_failure: 'deny' },
      [
        'on_failure: error: "on_failure": "deny" is only for a hook that may block: one with "block", or with "block" in "may"',
      ],
    ],
    [{ ...TOOL, may: ['delete'] }, ['may.0: error: "may[0]" is "delete"; allowed: block, modify']],
    [
      { event: 'budget_exceeded', context: 'x' },
      [': error: "budget" is missing; budget_exceeded needs it'],
    ],
    [
      { event: 'OnBudgetExceeded', context: 'x', budget: { tokens: 0, warn: 101 } },
      [
        'budget.tokens: error: "budget.tokens" must not be below 1',
        'budget.warn: error: "budget.warn" must not be above 100',
      ],
    ],
    [
      { event: 'post_tool_use', command: ['', 'a'] },
      ['command.0: error: "command[0]" must not be empty'],
    ],
    [
      { event: 'post_tool_use', command: ['a', 'b\0'] },
      ['command.1: error: "command[1]" must not contain a null character'],
    ],
    [
      { event: 'post_tool_use', command: ['a', 'x'.repeat(4097)] },
      ['command.1: error: "command[1]" has 4097 characters; at most 4096 are allowed'],
    ],
    [
      { ...CALL, matcher: { repeat: { times: 1, within: 0, same: 'all' } } },
      [
        'matcher.repeat.times: error: "matcher.repeat.times" must not be below 2',
        'matcher.repeat.within: error: "matcher.repeat.within" must not be below 1',
        'matcher.repeat.same: error: "matcher.repeat.same" is "all"; allowed: call, tool, error, call_and_error, event, alternating',
      ],
    ],
    [
      { ...CALL, matcher: { exclude: { path: [] } } },
      [
        'matcher.exclude.path: error: unknown key "path"; allowed: tools, paths; did you mean "paths"?',
      ],
    ],
    [
      { ...CALL, matcher: { exclude: { tools: ['a*b*c*d*e*'] } } },
      ['matcher.exclude.tools.0: error: "matcher.exclude.tools[0]" has more than 4 "*"'],
    ],
    [
      { ...CALL, matcher: { exclude: { paths: ['x'.repeat(1001)] } } },
      [
        'matcher.exclude.paths.0: error: "matcher.exclude.paths[0]" has 1001 characters; at most 1000 are allowed',
      ],
    ],
    [
      { ...TEXT, matcher: { failed: true, branch: 'x' } },
      [
        'matcher.failed: warning: "matcher.failed" is ignored: session_start is not about a tool call (pre_tool_use, post_tool_use, tool_error are)',
      ],
    ],
    // Values that are probably wrong.
    [
      { event: 'session_end', block: 'x' },
      ['block: warning: nothing can be blocked at session_end; it can at pre_tool_use'],
    ],
    [
      { ...TOOL, event: 'pre_request', may: ['block', 'modify'] },
      [
        'may.1: warning: nothing can be changed at pre_request; it can at pre_tool_use, post_tool_use, tool_error',
      ],
    ],
    [
      { ...CALL, event: 'pre_tool_use', matcher: { failed: true } },
      ['matcher.failed: warning: "failed": a call has no output yet at pre_tool_use'],
    ],
    [
      { ...CALL, event: 'OnError', matcher: { failed: false } },
      ['matcher.failed: warning: every call at tool_error has failed: the hook never fires'],
    ],
    [
      { event: 'pre_tool_use', block: 'In {tool_nam}.' },
      ['block: warning: {tool_nam} is not filled in; did you mean {tool_name}?'],
    ],
  ])('%j', (hook, expected) => {
    const lines = said(hook);
    const pattern = (text: string) =>
      text.startsWith('^') ? expect.stringMatching(text) : expect.stringContaining(text);
    expect(lines).toEqual(expected.map(pattern));
  });

  test('all at once, with line and column', () => {
    expect(
      parsed(`{
  "version": 2,
  "hooks": { "declarations": [
    { "event": "OnError", "context": "x",
      "matcher": { "repeat": { "times": 101, "within": 5, "same": "call" } }, "order": "1" },
    { "event": "Never", "command": ["a"], "limit": { "words": 3 } }
  ] }
}`).said,
    ).toEqual([
      '5:32: error: hook 1: "matcher.repeat.times" must not be above 100',
      '5:79: error: "order" must be a number, not a string',
      expect.stringMatching(/^6:7: error: "event" is "Never"; allowed: /),
      '6:43: error: "limit" must have exactly one of "characters" or "tokens"',
      '6:54: error: unknown key "words"; allowed: characters, tokens',
    ]);
  });
});

describe('the version', () => {
  test('2 is needed only for the fields that it adds', () => {
    const lines = (hook: object) =>
      parsed({ declarations: [hook] }).said.map((line) => line.replace(/^\d+:\d+: error: /, ''));
    const allowed = 'event, matcher, context, context_tool, context_tool_args, priority';
    expect(lines({ ...HELLO, order: 3 })).toEqual([
      `unknown key "order"; allowed: ${allowed}; add "version": 2, which allows it`,
    ]);
    expect(lines({ event: 'pre_tool_use', block: 'x', priority: 'required' })).toEqual([
      `unknown key "block"; allowed: ${allowed}; add "version": 2, which allows it`,
    ]);
    expect(lines({ ...HELLO, event: 'pre_tool_use', matcher: { branch: 'x' } })).toEqual([
      'unknown key "branch"; allowed: tool_name, input_contains, tool_server; add "version": 2, which allows it',
    ]);
    for (const event of [...LIFECYCLE_EVENTS, 'PreToolUse'])
      expect(lines({ ...HELLO, event })).toEqual([
        `"event" is "${event}"; allowed: ${EVENTS.join(', ')}; add "version": 2, which allows it`,
      ]);
    expect(lines({ ...HELLO, matcher: 1, x: 2, event: 'y' }).join()).not.toContain('version');
  });

  test.each([3, 0, '2', null, true])(
    'that does not exist is reported with all other mistakes: %j',
    (version) => {
      const { said } = parsed({ version, declarations: [{ ...TEXT, order: 'x' }] });
      expect(said).toEqual([
        `2:2: error: "version" is ${JSON.stringify(version)}; allowed: 1, 2`,
        '7:4: error: "order" must be a number, not a string',
      ]);
    },
  );

  test.each([
    ['capabilities.hooks', (hooks: object) => ({ capabilities: { hooks } })],
    [
      'capabilities.experimental.hooks',
      (hooks: object) => ({ capabilities: { experimental: { hooks } } }),
    ],
    ['experimental.hooks', (hooks: object) => ({ experimental: { hooks } })],
  ])('does not apply to %s', (form, around) => {
    expect(parsed({ version: 2, ...around({ declarations: [HELLO] }) }).said).toEqual([
      `2:2: error: "version": 2 does not apply to ${form}, where only SEP-2282 counts; put the hooks under "hooks"`,
    ]);
    const { said } = parsed(around({ version: 2, declarations: [{ ...HELLO, order: 1 }] }));
    expect(said.join('\n')).toMatch(/unknown key "version".*\n.*unknown key "order"; [^;]*$/s);
  });

  test('is not read from the hooks of a manifest', () => {
    expect(parsed({ hooks: { version: 2, declarations: [] } }).said).toEqual([
      '3:3: error: unknown key "version"; allowed: declarations',
    ]);
  });
});

describe('files of a command', () => {
  const ofCommand = (...command: string[]) => ofHooks({ event: 'pre_tool_use', command });
  beforeAll(async () => {
    await mkdir(join(folder, 'hooks', 'python'), { recursive: true });
    await writeFile(join(folder, 'hooks', 'pre.py'), 'print(1)\n');
    await writeFile(join(folder, 'python3'), 'not the program\n');
    await writeFile(join(folder, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  });

  test("are found in the manifest's folder, and each has its hash", () => {
    const { said, hooks, commandsFrom, commandFiles } = ofHooks(
      { event: 'pre_tool_use', command: ['python3', '-u', 'hooks/pre.py', 'hooks', 'nothing'] },
      { event: 'pre_tool_use', command: ['./run.sh', join(folder, 'hooks/pre.py')] },
    );
    expect(said).toEqual([]);
    expect(hooks.map(({ command }) => command?.[0])).toEqual(['python3', './run.sh']);
    expect(commandsFrom).toBe(folder);
    expect(commandFiles).toEqual({
      [join(folder, 'hooks/pre.py')]: sha256('print(1)\n'),
      [join(folder, 'run.sh')]: sha256('#!/bin/sh\n'),
    });
  });

  test('do not exist without a command', () => {
    expect(ofHooks(TEXT)).not.toHaveProperty('commandsFrom');
    expect(ofCommand('subcog', 'hook', 'stop')).toMatchObject({ said: [], commandFiles: {} });
  });

  test.each<[string, string[], string]>([
    [
      'a program that is not there',
      ['./gone'],
      '0: there is no file "./gone" in <folder>, the folder of the manifest',
    ],
    [
      'a script that is not there',
      ['python3', '-u', 'hooks/gone.py'],
      '2: there is no file "hooks/gone.py" in <folder>, the folder of the manifest',
    ],
    [
      'a folder',
      ['./hooks'],
      '0: there is no file "./hooks" in <folder>, the folder of the manifest',
    ],
    [
      'a program that is not executable',
      ['hooks/pre.py'],
      '0: "hooks/pre.py" is not executable: make it so with chmod +x, or name the program that runs it first',
    ],
    [
      'a file through a file',
      ['hooks/pre.py/x'],
      '0: there is no file "hooks/pre.py/x" in <folder>, the folder of the manifest',
    ],
    [
      'a link in a circle',
      ['sh', 'circle'],
      '1: <folder>/circle cannot be read: its links go in a circle',
    ],
    [
      'a file that is too large',
      ['sh', 'large.sh'],
      '1: <folder>/large.sh has 16.0 MiB; a file that a hook runs or reads may have at most 16.0 MiB (an installed program can be named without its folder)',
    ],
  ])('are reported at their word if they are wrong: %s', async (_, command, message) => {
    await symlink('circle', join(folder, 'circle')).catch(() => {});
    await writeFile(join(folder, 'large.sh'), '');
    await truncate(join(folder, 'large.sh'), 16 * 1024 * 1024 + 1);
    const { problems } = ofCommand(...command);
    expect(
      problems.map(({ message, path }) =>
        `${path.slice(4)}: ${sentences([message])}`.replaceAll(folder, '<folder>'),
      ),
    ).toEqual([expect.stringContaining(message)]);
    expect(problems.every(({ level, line }) => level === 'error' && line !== undefined)).toBe(true);
  });

  test.skipIf(process.getuid?.() === 0)('are reported if they cannot be read', async () => {
    await writeFile(join(folder, 'secret.sh'), 'x', { mode: 0o000 });
    expect(ofCommand('sh', 'secret.sh').said).toEqual([
      expect.stringMatching(/^\d+:\d+: error: .*secret\.sh cannot be read/),
    ]);
  });

  test('do not include words that are not files', () => {
    const words = ['x'.repeat(4096), 'a.b', '-', '--x=hooks/pre.py', '.', '/dev/null', 'x\u0001'];
    expect(ofCommand('echo', ...words)).toMatchObject({ said: [], commandFiles: {} });
  });
});

test('isExtended is true for anything that the SEP does not have', () => {
  const sep: HookDeclaration = { event: 'pre_tool_use', context: 'x', priority: 'required' };
  expect(isExtended({ ...sep, matcher: { tool_name: 'x' }, context_tool: 'x' })).toBe(false);
  expect(isExtended({ ...sep, event: 'tool_error' })).toBe(true);
  expect(isExtended({ ...sep, enabled: true })).toBe(true);
  expect(isExtended({ ...sep, matcher: { failed: false } })).toBe(true);
});
