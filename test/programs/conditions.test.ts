/** The conditions of hooks of the extended vocabulary: paths, patterns, repetitions, the branch, a budget. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChainWorld, chain, linesIn } from '../support/runner/chain.ts';
import { clientOf } from '../support/runner/clients.ts';

/** The texts that are told for a call; each hook says the name of what it asks for. */
const said = async (world: ChainWorld, payload: object = {}, native = 'PreToolUse') =>
  linesIn((await world.fire(native, payload)).answer);

const asks = (matchers: Readonly<Record<string, object>>, event = 'pre_tool_use') =>
  Object.entries(matchers).map(([context, matcher]) => ({ event, context, matcher }));

describe('what is left out', () => {
  const world = () =>
    chain({
      hooks: asks({
        tool: { exclude: { tools: ['Edit', 'mcp__tiny__*'] } },
        locks: { exclude: { paths: ['*.lock'] } },
        modules: { exclude: { paths: ['node_modules/**'] } },
        anywhere: { exclude: { paths: ['**/secret/*'] } },
        name: { exclude: { paths: ['.env'] } },
        outside: { exclude: { paths: ['/etc/**'] } },
      }),
    });
  const ALL = ['tool', 'locks', 'modules', 'anywhere', 'name', 'outside'];
  const but = (...names: string[]) => ALL.filter((one) => !names.includes(one));

  const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

  test.each([
    ['a command', 'Bash', { command: 'cat a.lock' }, []],
    ['a file', 'Read', { file_path: 'deep/in/yarn.lock' }, ['locks']],
    ['an absolute path', 'Write', { path: '/cwd/node_modules/a/b.js' }, ['modules']],
    ['a folder of another name', 'Read', { path: 'other_node_modules/a' }, []],
    ['what ** stands for, or nothing', 'NotebookEdit', { notebook_path: 'secret/a' }, ['anywhere']],
    ['a list, if all of it is', 'Read', { paths: ['a/secret/a', 'src/secret/b'] }, ['anywhere']],
    ['a list, one of which is not', 'Read', { paths: ['src/a.ts', 'src/secret/b'] }, []],
    ['dots', 'Read', { file_path: '../../../../../../../../etc/passwd' }, ['outside']],
    ['a second path', 'Edit', { file_path: 'src/a.ts', path: 'a.lock' }, []],
    ['a path within', 'Edit', { edits: [{ filePath: 'a/.env' }] }, []],
    ['the path of a tool that has none', 'Bash', { command: 'ls', file_path: 'a.lock' }, []],
    ['the path of a server', 'mcp__fs__Read', { file_path: 'a.lock' }, []],
    ['a path that is none', 'Read', { file_path: ['a.lock', { path: 'b.lock' }] }, []],
    ['a patch', 'Edit', { command: patch('*** Update File: a/b.lock') }, ['locks']],
    ['a text that is a patch', 'Edit', patch('*** Delete File: b.lock'), ['locks']],
    ['a patch of several', 'Edit', patch('*** Add File: a.lock', '*** Add File: b.ts'), []],
    ['a heading with spaces', 'Edit', patch('*** Add File: a.lock', '  *** Add File: b.ts'), []],
    ['a heading of its own', 'Edit', patch('*** Add File: a.lock', '*** Copy File: b.ts'), []],
    ['where it moves to', 'Edit', patch('*** Update File: a.ts', '*** Move to: a.lock'), []],
    [
      'lines of the file',
      'Edit',
      patch('*** Update File: a.lock', '@@', ' ***', '+*** x', '*** End of File'),
      ['locks'],
    ],
    ['a heading in a command', 'Bash', { command: patch('*** Add File: a.lock') }, []],
    ['a heading in a file', 'Write', { file_path: 'a.ts', content: '*** Add File: a.lock' }, []],
    [
      'a patch in a file',
      'Write',
      { file_path: 'a.ts', content: patch('*** Add File: a.lock') },
      [],
    ],
    ['a patch next to more', 'Edit', { command: 'x', patch: patch('*** Add File: a.lock') }, []],
  ])('%s', async (_what, tool_name, input, without) => {
    const at = world();
    const given = JSON.parse(JSON.stringify(input).replace('/cwd', at.cwd));
    const left = [...without, ...(tool_name === 'Edit' ? ['tool'] : [])];
    expect(await said(at, { tool_name, tool_input: given })).toEqual(but(...left));
  });

  const [lock, other] = ['*** Add File: a.lock', '*** Add File: a.ts'];
  test.each([
    ['claude-code', 'PreToolUse', 'Write', { file_path: 'a.lock', content: 'x' }, true],
    ['claude-code', 'PreToolUse', 'Write', { file_path: 'a.ts', content: patch(lock) }, false],
    ['codex', 'PreToolUse', 'apply_patch', { command: patch(lock) }, true],
    ['codex', 'PreToolUse', 'apply_patch', { command: patch(lock, other) }, false],
    ['gemini-cli', 'BeforeTool', 'write_file', { file_path: 'a.lock', content: 'x' }, true],
    ['gemini-cli', 'BeforeTool', 'read_many_files', { include: ['b'], path: 'a.lock' }, false],
    ['copilot-cli', 'PreToolUse', 'Edit', patch(lock), true],
    ['copilot-cli', 'PreToolUse', 'Edit', patch(lock, other), false],
    ['copilot-cli', 'PreToolUse', 'fs-Edit', { path: 'a.lock' }, false],
  ] as const)('in %s, on %s of %s: %j', async (id, native, tool_name, tool_input, isOut) => {
    const matcher = { exclude: { paths: ['*.lock'] } };
    const world = chain({
      client: clientOf(id),
      hooks: [{ event: 'pre_tool_use', block: 'No.', matcher }],
    });
    const { stdout } = await world.fire(native, { tool_name, tool_input });
    expect(stdout === '').toBe(isOut);
  });

  test('tools by their names', async () => {
    const at = world();
    expect(await said(at, { tool_name: 'Edit' })).toEqual(but('tool'));
    expect(await said(at, { tool_name: 'mcp__tiny__echo' })).toEqual(but('tool'));
  });
});

describe('patterns', () => {
  test('of what goes in and comes out', async () => {
    const world = chain({
      hooks: asks(
        {
          input: { input_matches: '^git (push|commit)\\b' },
          serialised: { input_matches: '"command":"git' },
          output: { output_matches: '[0-9]+ errors?$' },
          contained: { output_contains: '3 errors' },
          neither: { output_matches: '^no such' },
        },
        'post_tool_use',
      ),
    });
    const payload = {
      tool_input: { command: 'git commit -m x' },
      tool_response: { stdout: 'there are 3 errors', stderr: '' },
    };
    expect(await said(world, payload, 'PostToolUse')).toEqual([
      'input',
      'serialised',
      'output',
      'contained',
    ]);
    expect(await said(world, { tool_input: { command: 'ls' } }, 'PostToolUse')).toEqual([]);
  });

  /** Each takes for ever in an engine that tries everything, or more memory than there is in one that keeps all groups. */
  const CATASTROPHES = [
    '(a+)+$b',
    '(a*)*b',
    '(a|a)*b',
    '(a|aa)+$b',
    '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)b',
    `${'(a?)'.repeat(60)}b`,
    `${'a*'.repeat(200)}b`,
    '([a-zA-Z]+)*b',
    '(?:(?:(?:a+)+)+)+b',
    '(?<name>a+)+b',
  ];

  test.each(CATASTROPHES)('%s is done in time', async (input_matches) => {
    const world = chain({ hooks: asks({ found: { input_matches } }) });
    const tool_input = { command: 'a'.repeat(1_000_000) };
    const { stdout, milliseconds } = await world.fire('PreToolUse', { tool_input });
    expect(stdout).toBe('');
    expect(milliseconds).toBeLessThan(5000);
  });

  test('of many hooks are done in time together, and the log says which were not looked at', async () => {
    const input_matches = `${'a*'.repeat(200)}b`;
    const hooks = Array.from({ length: 64 }, () => ({
      event: 'pre_tool_use',
      context: 'found',
      matcher: { input_matches },
    }));
    const world = chain({ hooks });
    const tool_input = { command: 'a'.repeat(1_000_000) };
    const { stdout, milliseconds } = await world.fire('PreToolUse', { tool_input });
    expect(stdout).toBe('');
    expect(milliseconds).toBeLessThan(9000);
    expect(JSON.stringify(world.log())).toContain('out-of-time');
  });

  test('the end of a text is not where a search ends', async () => {
    const world = chain({ hooks: asks({ whole: { input_matches: '^a+$' } }) });
    const command = (text: string) => said(world, { tool_input: { command: text } });
    expect(await command('a'.repeat(200_000))).toEqual(['whole']);
    expect(await command(`${'a'.repeat(200_000)}b`)).toEqual([]);
  });

  test('a group in brackets, or behind a backslash, is none', async () => {
    const world = chain({
      hooks: asks({ escaped: { input_matches: '^\\(a\\)[(]?[\\](]b(c)$' } }),
    });
    expect(await said(world, { tool_input: { command: '(a)(]bc' } })).toEqual(['escaped']);
  });
});

describe('failures', () => {
  test('are those that the client says', async () => {
    const world = chain({
      hooks: [
        ...asks({ failed: { failed: true }, well: { failed: false } }, 'post_tool_use'),
        { event: 'tool_error', context: 'error' },
      ],
    });
    expect(await said(world, {}, 'PostToolUse')).toEqual(['well']);
    expect(
      await said(world, { tool_response: { stdout: '', interrupted: true } }, 'PostToolUse'),
    ).toEqual(['failed']);
    expect(await said(world, {}, 'PostToolUseFailure')).toEqual(['failed', 'error']);
  });
});

describe('the same again', () => {
  const repeated = (same: string, times = 3, more: object = {}) => ({
    repeat: { times, within: 60, same },
    ...more,
  });
  const run = (command: string) => ({ tool_input: { command } });

  test('the same call, the same tool, two in turns', async () => {
    const world = chain({
      hooks: asks({
        call: repeated('call'),
        tool: repeated('tool', 4),
        turns: repeated('alternating', 2),
      }),
    });
    const told = [];
    for (const command of ['a', 'b', 'a', 'b', 'b', 'b'])
      told.push(await said(world, run(command)));
    expect(told).toEqual([[], [], [], ['tool', 'turns'], ['call', 'tool'], ['call', 'tool']]);
  });

  test('what fails in the same way', async () => {
    const world = chain({
      hooks: asks(
        { error: repeated('error', 2), failing: repeated('call', 2, { failed: true }) },
        'post_tool_use',
      ),
    });
    const told = [];
    for (const [command, error] of [
      ['a', 'E1'],
      ['b', 'E1'],
      ['a', 'E2'],
    ] as const)
      told.push(await said(world, { ...run(command), error }, 'PostToolUseFailure'));
    told.push(await said(world, run('a'), 'PostToolUse'));
    expect(told).toEqual([[], ['error'], ['failing'], []]);
  });

  const MOMENT = { tool_use_id: 'x', prompt_id: 'y' };

  test('not what was long ago, in another session, or the same call twice', async () => {
    const world = chain({
      hooks: asks({ soon: { repeat: { times: 2, within: 1, same: 'call' } } }),
    });
    expect(await said(world)).toEqual([]);
    expect(await said(world, { session_id: 'two' })).toEqual([]);
    expect(await said(world, { session_id: 'two', tool_use_id: 'x' })).toEqual(['soon']);
    expect(await said(world, { session_id: 'three', ...MOMENT })).toEqual([]);
    expect(await said(world, { session_id: 'three', ...MOMENT })).toEqual([]);
    await new Promise((done) => setTimeout(done, 1100));
    expect(await said(world)).toEqual([]);
  });
});

describe('the repository', () => {
  const hooks = [
    { event: 'session_start', context: 'feature', matcher: { branch: 'feat/{a,b}*' } },
    { event: 'session_start', context: 'any', matcher: { branch: '*' } },
    { event: 'session_start', context: 'project', matcher: { project: 'sh*' } },
  ];
  const start = (world: ChainWorld, more: object = {}) =>
    said(world, { session_id: String(Math.random()), source: 'startup', ...more }, 'SessionStart');

  test('is read without git', async () => {
    const world = chain({ hooks });
    expect(await start(world)).toEqual(['project']);
    const git = join(world.cwd, '.git');
    for (const one of ['objects', 'refs']) mkdirSync(join(git, one), { recursive: true });
    for (const [head, told] of [
      ['ref: refs/heads/feat/axe\n', ['feature', 'any', 'project']],
      ['ref: refs/heads/main\n', ['any', 'project']],
      ['0123456789012345678901234567890123456789\n', ['project']],
      // What git writes if the branch is in a reftable.
      ['ref: refs/heads/.invalid\n', ['project']],
    ] as const) {
      writeFileSync(join(git, 'HEAD'), head);
      expect(await start(world)).toEqual(told);
    }
  });

  test('of a worktree says itself where it is', async () => {
    const world = chain({ hooks });
    const real = join(world.folder, 'real/.git/worktrees/shop');
    mkdirSync(real, { recursive: true });
    writeFileSync(join(real, 'HEAD'), 'ref: refs/heads/feat/b\n');
    const root = join(world.cwd, 'shelf');
    const cwd = join(root, 'board');
    mkdirSync(cwd, { recursive: true });
    for (const folder of [real, relative(root, real)]) {
      writeFileSync(join(root, '.git'), `gitdir: ${folder}\n`);
      expect(await start(world, { cwd })).toEqual(['feature', 'any', 'project']);
    }
  });
});

describe('a budget', () => {
  const hooks = [
    { event: 'budget_exceeded', context: 'rotate', budget: { tokens: 1000 } },
    { event: 'budget_exceeded', block: 'too much', budget: { tokens: 2000, warn: 50, fire: 90 } },
  ];
  const usage = (input_tokens: number) =>
    `${JSON.stringify({ type: 'assistant', message: { usage: { input_tokens, output_tokens: 0 } } })}\n`;

  test('warns once and fires once, again after each compaction', async () => {
    const world = chain({ hooks });
    const transcript = join(world.cwd, 'transcript.jsonl');
    const after = async (text: string) => {
      appendFileSync(transcript, text);
      const { answer } = await world.fire('PreToolUse');
      return [
        ...linesIn(answer),
        ...(JSON.stringify(answer ?? '').includes('deny') ? ['BLOCK'] : []),
      ];
    };
    expect(await after('')).toEqual([]);
    expect(await after(usage(699))).toEqual([]);
    expect(await after(usage(700))).toEqual(['rotate']);
    expect(await after(usage(750))).toEqual([]);
    expect(await after(usage(1000))).toEqual(['rotate', 'too much']);
    expect(await after(usage(1800))).toEqual(['BLOCK']);
    expect(await after(usage(1900))).toEqual([]);
    const compacted = JSON.stringify({ type: 'system', subtype: 'compact_boundary' });
    expect(await after(`${compacted}\n${usage(100)}`)).toEqual([]);
    expect(await after(usage(800))).toEqual(['rotate']);
  });

  test.each([1, 260_000, 262_144, 1_000_000])(
    'is found in and before lines of %i characters',
    async (length) => {
      const world = chain({ hooks: hooks.slice(0, 1) });
      const long = `${'x'.repeat(length)}\n`;
      const after = async (tokens: number) => {
        const counted = usage(tokens).replace('{', () => `{"padding":"${'é'.repeat(length)}",`);
        writeFileSync(join(world.cwd, 'transcript.jsonl'), `${long}${counted}${long}\n${long}`);
        return said(world);
      };
      expect(await after(100)).toEqual([]); // an estimate would be higher
      expect(await after(800)).toEqual(['rotate']);
    },
  );

  test('is estimated where the client counts nothing', async () => {
    const world = chain({ hooks: hooks.slice(0, 1) });
    const transcript = join(world.cwd, 'transcript.jsonl');
    writeFileSync(transcript, `${'x'.repeat(2000)}\n`);
    expect(await said(world)).toEqual([]);
    appendFileSync(transcript, `${'x'.repeat(2000)}\n`);
    expect(await said(world)).toEqual(['rotate']);
  });

  test('of a history that is long is counted from its end', async () => {
    const world = chain({ hooks: hooks.slice(0, 1) });
    const transcript = join(world.cwd, 'transcript.jsonl');
    writeFileSync(
      transcript,
      `${usage(9999)}${`${'x'.repeat(100_000)}\n`.repeat(300)}${usage(10)}`,
    );
    const { stdout, milliseconds } = await world.fire('PreToolUse');
    expect(stdout).toBe('');
    expect(milliseconds).toBeLessThan(3000);
  });
});
