// What the user reads about a hook of the extended vocabulary before agreeing to it: all of it, with the files that it runs.

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalOf } from '../../src/install/consent/approval.ts';
import { changesBetween } from '../../src/install/consent/changes.ts';
import type { Decision } from '../../src/install/consent/grants.ts';
import { showChanges, showDeclared } from '../../src/present/render/declared.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { sha256 } from '../../src/system/fingerprint.ts';
import { every } from '../../src/system/plurals.ts';
import { NO_TERMINAL } from '../support/world.ts';

const PLAN = { grants: { needs: [] } as unknown as Decision, clients: [] };
const terminal = { ...NO_TERMINAL, columns: 1000 };
const noLaunch = () => ({ recorded: [], shown: [] });

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-hooks-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const declared = (...declarations: object[]) =>
  parseManifest(
    JSON.stringify({ version: 2, server: { command: 'x' }, hooks: { declarations } }),
    join(folder, 'annal.json'),
  );
const shownOf = (...hooks: object[]) =>
  showDeclared(terminal, declared(...hooks), PLAN)
    .replaceAll(folder, '<folder>')
    .split('\n');
/** The lines about one hook, without those that are about all hooks or about running tools. */
const lines = (hook: object) =>
  shownOf(hook)
    .slice(1)
    .filter((line) => !/^ {2}(?:Where the runner is missing|Runs as you in)/.test(line))
    .map((line) => line.slice(5));

const CALL = { event: 'post_tool_use', context: 'Look.' };

test('the cases in which nothing is blocked are printed once for all hooks that deny', () => {
  const deny = { block: 'No.', on_failure: 'deny' };
  const said = (...hooks: object[]) =>
    shownOf(...hooks).filter((line) => line.includes('the runner is missing'));
  expect(said({ event: 'pre_tool_use', block: 'No.' })).toEqual([]);
  const both = [
    { ...deny, event: 'pre_tool_use' },
    { ...deny, event: 'post_tool_use' },
  ];
  expect(said(...both)).toEqual([
    "  Where the runner is missing, or the client's own timeout ends it, nothing is blocked or withheld.",
  ]);
  expect(lines(both[1] ?? {})).toEqual([
    'After tool calls (post_tool_use, suggestion)',
    'Withholds the result and gives this reason:',
    '| No.',
    'If it fails, it withholds the result, for ten minutes in a session.',
  ]);
});

describe('a hook', () => {
  test('has its times in the largest unit that gives a whole number', () => {
    const times = [1, 45, 60, 90, 600, 3600, 5400, 86_400, 172_800];
    expect(times.map(every)).toEqual([
      'every second',
      'every 45 seconds',
      'every minute',
      'every 90 seconds',
      'every 10 minutes',
      'every hour',
      'every 90 minutes',
      'every day',
      'every 2 days',
    ]);
  });

  test.each<[object, string[]]>([
    [
      { ...CALL, order: 50, enabled: true },
      ['After tool calls (post_tool_use, suggestion)', '| Look.'],
    ],
    [
      {
        ...CALL,
        enabled: false,
        order: -3,
        once: 'session',
        cooldown: 1,
        limit: { tokens: 100 },
      },
      [
        'After tool calls (post_tool_use, suggestion)',
        'It is switched off: it does nothing.',
        'Order -3 (default 50; lower runs first).',
        'At most once in a session.',
        'At most once every second.',
        'It shows at most 100 tokens, counted as 400 characters.',
        '| Look.',
      ],
    ],
    [
      {
        event: 'OnError',
        context: 'Look.',
        limit: { characters: 1 },
        matcher: {
          tool_name: 'Bash',
          exclude: { tools: ['Read', 'G*'], paths: ['*.lock', 'a/**', 'b'] },
          input_matches: 'rm\\s+-rf\u202e',
          output_matches: 'x|y',
          output_contains: 'a"b\n',
          failed: true,
          repeat: { times: 3, within: 360, same: 'error' },
          branch: 'feat/*',
          project: 'notes',
        },
      },
      [
        'After failed Bash calls (tool_error, suggestion)',
        'Not for tools called "Read" or "G*".',
        'Not when the call\'s input names a path like "*.lock", "a/**" or "b".',
        "Only if the call's input matches /rm\\s+-rf\\u{202E}/.",
        "Only if the call's output matches /x|y/.",
        'Only if the call\'s output contains "a\\"b\\n".',
        'Only if the call failed.',
        'Only if a call fails with the same output 3 times within 6 minutes.',
        'Only on a branch called "feat/*".',
        'Only in a project called "notes".',
        'It shows at most 1 character.',
        '| Look.',
      ],
    ],
    [
      {
        event: 'pre_request',
        context: 'x',
        matcher: { failed: false, input_matches: '[Dd]eploy', output_matches: 'x' },
      },
      [
        'With your prompts (pre_request, suggestion)',
        'Only if the prompt matches /[Dd]eploy/.',
        '| x',
      ],
    ],
    [
      { event: 'SessionStart', context: 'x', matcher: { failed: false, branch: 'main' } },
      [
        'When a session starts (session_start, suggestion)',
        'Only on a branch called "main".',
        '| x',
      ],
    ],
    [
      { event: 'session_start', context: 'x', limit: { characters: 8001 } },
      [
        'When a session starts (session_start, suggestion)',
        'It shows at most 8001 characters; by default no more than 8000 characters.',
        '| x',
      ],
    ],
    [
      { event: 'session_start', context: 'x', limit: { tokens: 2000 } },
      [
        'When a session starts (session_start, suggestion)',
        'It shows at most 2000 tokens, counted as 8000 characters.',
        '| x',
      ],
    ],
    [
      { event: 'session_start', context_tool: 'recall', show_empty: true },
      [
        'When a session starts (session_start, suggestion)',
        'It shows a reply with nothing in it, too.',
        'Calls recall and shows the model its reply.',
        "The server is given the event: the session's id, folder and transcript file, its repository and branch, the prompt if there is one.",
        'Its answer is only text.',
      ],
    ],
    [
      { event: 'session_end', command: ['true'], async: true, deadline: 300_000 },
      [
        'When a session ends (session_end, suggestion)',
        "Runs true in the session's folder.",
        '"true" is looked up on the PATH each time.',
        "It is given the event: the session's id, folder and transcript file, its repository and branch, the prompt if there is one.",
        'It runs in the background for up to 5 minutes: no client waits for it, and its answer is not read.',
      ],
    ],
    [
      {
        event: 'budget_exceeded',
        block: 'Hand over.\nThen rest.\u001b[2J',
        budget: { tokens: 160_000, fire: 90 },
      },
      [
        'When the conversation comes near its budget of tokens (budget_exceeded, suggestion)',
        'Its budget is 160,000 tokens since the last compaction: it warns at 70% and fires at 90%, by an estimate.',
        'Blocks it and gives this reason:',
        '| Hand over.',
        '| Then rest.\\u{1B}[2J',
        'If it fails, things go on.',
      ],
    ],
    [
      { event: 'pre_tool_use', context_tool: 'judge', may: ['block', 'modify'], deadline: 90 },
      [
        'Before tool calls (pre_tool_use, suggestion)',
        'Calls judge and shows the model its reply.',
        "The server is given the event: the session's id, folder and transcript file, its repository and branch, the prompt if there is one, the tool's name, and the whole input and output of the call.",
        "Its answer may block what was about to happen and change the call's input or output.",
        "It reads the event with secrets masked, so it can't see code that looks like a secret.",
        'If it fails, the call goes on.',
        'It has 0.09 seconds.',
      ],
    ],
    [
      { event: 'pre_tool_use', command: ['judge'], may: ['block'] },
      [
        'Before tool calls (pre_tool_use, suggestion)',
        "Runs judge in the session's folder.",
        '"judge" is looked up on the PATH each time.',
        "It is given the event: the session's id, folder and transcript file, its repository and branch, the prompt if there is one, the tool's name, and the whole input and output of the call.",
        'Its answer may block what was about to happen.',
        'It reads the event with secrets unmasked, so that it sees what will run.',
        'If it fails, the call goes on.',
      ],
    ],
    [
      { event: 'pre_tool_use', block: 'No.', on_failure: 'deny' },
      [
        'Before tool calls (pre_tool_use, suggestion)',
        'Blocks it and gives this reason:',
        '| No.',
        'If it fails, it blocks the call, for ten minutes in a session.',
      ],
    ],
    [
      { event: 'session_end', command: ['subcog', 'hook', "it's"] },
      [
        'When a session ends (session_end, suggestion)',
        "Runs subcog hook 'it'\\''s' in the session's folder.",
        '"subcog" is looked up on the PATH each time.',
        "It is given the event: the session's id, folder and transcript file, its repository and branch, the prompt if there is one.",
        'No model reads its answer.',
        'Its answer is only text.',
      ],
    ],
  ])('%j', (hook, expected) => {
    expect(lines(hook)).toEqual(expected);
  });
});

describe('the files of a command are shown in full', () => {
  const script = 'import os\n\u001b[2Jos.system("x")\t#\u202e\r\n';
  const ofFile = (file: string) => lines({ event: 'pre_tool_use', command: ['python3', file] });
  const head = (file: string, content: string | Buffer) =>
    `<folder>/${file} (SHA-256 ${sha256(content).slice(0, 16)}...):`;
  const write = async (file: string, content: string | Buffer) => {
    await writeFile(join(folder, file), content);
    return ofFile(file).slice(5);
  };

  test('with hidden characters spelled out', async () => {
    expect(await write('pre.py', script)).toEqual([
      head('pre.py', script),
      '| import os',
      '| \\u{1B}[2Jos.system("x")\t#\\u{202E}\\u{D}',
    ]);
    expect(ofFile('pre.py')[1]).toBe("Runs python3 <folder>/pre.py in the session's folder.");
  });

  test.each<[string, string | Buffer, string]>([
    ['binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff]), 'It is not text (5 bytes).'],
    ['with a null character', 'a\0b', 'It is not text (3 bytes).'],
    ['empty', '', 'It is empty.'],
  ])('one that is %s', async (_, content, said) => {
    expect(await write('odd.py', content)).toEqual([head('odd.py', content), said]);
  });

  test('a long one is cut, with the command that shows the rest', async () => {
    const long = Array.from({ length: 1000 }, (_, line) => `line ${line}`).join('\n');
    const shown = await write("it's long.py", long);
    expect(shown).toHaveLength(402);
    expect(shown[400]).toBe('| line 399');
    const left = long.length - long.split('\n').slice(0, 400).join('\n').length;
    expect(shown[401]).toBe(
      `${left} more characters. To read all of it: cat -v '<folder>/it'\\''s long.py'`,
    );
    const wide = await write('wide.py', 'x'.repeat(100_000));
    expect(wide.at(-1)).toBe('60000 more characters. To read all of it: cat -v <folder>/wide.py');
  });

  test('a link out of the folder is shown with its target', async () => {
    const elsewhere = `${folder}-elsewhere`;
    await mkdir(elsewhere);
    try {
      await writeFile(join(elsewhere, 'evil.py'), 'evil()\n');
      await symlink(join(elsewhere, 'evil.py'), join(folder, 'nice.py'));
      expect(ofFile('nice.py').slice(5)).toEqual([
        `<folder>/nice.py, a link to <folder>-elsewhere/evil.py (SHA-256 ${sha256('evil()\n').slice(0, 16)}...):`,
        '| evil()',
      ]);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  test('a file that changed after it was read is not shown', async () => {
    await writeFile(join(folder, 'pre.py'), 'one');
    const found = declared({ event: 'pre_tool_use', command: ['python3', 'pre.py'] });
    await writeFile(join(folder, 'pre.py'), 'two');
    const shown = showDeclared(terminal, found, PLAN);
    expect(shown).toContain('It has changed since it was read; start again.');
    expect(shown).not.toContain('two');
  });

  test('an update shows only the files that have changed', async () => {
    const hook = { event: 'pre_tool_use', command: ['python3', 'pre.py', 'rules.txt'] };
    await writeFile(join(folder, 'rules.txt'), 'rules\n');
    await writeFile(join(folder, 'pre.py'), 'before\n');
    const before = approvalOf(declared(hook), noLaunch);
    await writeFile(join(folder, 'pre.py'), 'after\n');
    const now = declared(hook);
    const changes = changesBetween(before, approvalOf(now, noLaunch));
    const shown = showChanges(terminal, now, changes, PLAN).replaceAll(folder, '<folder>');
    expect(shown).toContain('changed: hook 1');
    expect(
      shown.split('\n').filter((line) => /^ {2}[ +-] .*(?:pre\.py|rules|after|before)/.test(line)),
    ).toEqual([
      "    Runs python3 <folder>/pre.py <folder>/rules.txt in the session's folder.",
      `  - <folder>/pre.py (SHA-256 ${sha256('before\n').slice(0, 16)}...)`,
      `  + ${head('pre.py', 'after\n')}`,
      '  + | after',
      `    ${head('rules.txt', 'rules\n').slice(0, -1)}`,
    ]);
  });
});
