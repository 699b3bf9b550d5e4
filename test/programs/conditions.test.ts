/** The conditions of hooks of the extended vocabulary: paths, patterns, repetitions, the branch, a budget. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expected } from '../clients/expectations.ts';
import { type ChainWorld, chain, linesIn } from '../support/runner/chain.ts';
import { clientOf, IDS } from '../support/runner/clients.ts';

/** The texts that are shown for a call. Each names the condition of its hook. */
const said = async (world: ChainWorld, payload: object = {}, native = 'PreToolUse') =>
  linesIn((await world.fire(native, payload)).answer);

const asks = (matchers: Readonly<Record<string, object>>, event = 'pre_tool_use') =>
  Object.entries(matchers).map(([context, matcher]) => ({ event, context, matcher }));

describe('exclude', () => {
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
    ['a ** that matches no folder', 'NotebookEdit', { notebook_path: 'secret/a' }, ['anywhere']],
    [
      'a list, if all of its paths match',
      'Read',
      { paths: ['a/secret/a', 'src/secret/b'] },
      ['anywhere'],
    ],
    ['a list, if one path does not match', 'Read', { paths: ['src/a.ts', 'src/secret/b'] }, []],
    ['dots', 'Read', { file_path: '../../../../../../../../etc/passwd' }, ['outside']],
    ['a second path', 'Edit', { file_path: 'src/a.ts', path: 'a.lock' }, []],
    ['a path within', 'Edit', { edits: [{ filePath: 'a/.env' }] }, []],
    ['the path of a tool that has none', 'Bash', { command: 'ls', file_path: 'a.lock' }, []],
    ['the path of a server', 'mcp__fs__Read', { file_path: 'a.lock' }, []],
    ['a path of the wrong type', 'Read', { file_path: ['a.lock', { path: 'b.lock' }] }, []],
    ['a patch', 'Edit', { command: patch('*** Update File: a/b.lock') }, ['locks']],
    ['a text that is a patch', 'Edit', patch('*** Delete File: b.lock'), ['locks']],
    ['a patch of several', 'Edit', patch('*** Add File: a.lock', '*** Add File: b.ts'), []],
    ['a heading with spaces', 'Edit', patch('*** Add File: a.lock', '  *** Add File: b.ts'), []],
    ['a heading of its own', 'Edit', patch('*** Add File: a.lock', '*** Copy File: b.ts'), []],
    ['the target of a move', 'Edit', patch('*** Update File: a.ts', '*** Move to: a.lock'), []],
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

  test.each(IDS)('in %s', async (id) => {
    const matcher = { exclude: { paths: ['*.lock'] } };
    const world = chain({
      client: clientOf(id),
      hooks: [{ event: 'pre_tool_use', block: 'No.', matcher }],
    });
    for (const [tool_name, tool_input, isOut] of expected[id].excluded) {
      const { stdout } = await world.fire(expected[id].decidesBefore, { tool_name, tool_input });
      expect([tool_name, tool_input, stdout === '']).toEqual([tool_name, tool_input, isOut]);
    }
  });
});

describe('patterns', () => {
  /** Each takes forever in a backtracking engine, or exhausts memory in an engine that keeps all groups. */
  const CATASTROPHES = [
    '(a*)*b',
    '(a|a)*b',
    '(a|aa)+$b',
    `${'(a?)'.repeat(60)}b`,
    '([a-zA-Z]+)*b',
    '(?:(?:(?:a+)+)+)+b',
    '(?<name>a+)+b',
  ];

  test.each(CATASTROPHES)('%s is matched in time', async (input_matches) => {
    const world = chain({ hooks: asks({ found: { input_matches } }) });
    const tool_input = { command: 'a'.repeat(1_000_000) };
    const { stdout, milliseconds } = await world.fire('PreToolUse', { tool_input });
    expect(stdout).toBe('');
    expect(milliseconds).toBeLessThan(5000);
  });

  test('$ matches at the end of the text, however long it is', async () => {
    const world = chain({ hooks: asks({ whole: { input_matches: '^a+$' } }) });
    const command = (text: string) => said(world, { tool_input: { command: text } });
    expect(await command('a'.repeat(200_000))).toEqual(['whole']);
    expect(await command(`${'a'.repeat(200_000)}b`)).toEqual([]);
  });

  test('a parenthesis in brackets or after a backslash is not a group', async () => {
    const world = chain({
      hooks: asks({ escaped: { input_matches: '^\\(a\\)[(]?[\\](]b(c)$' } }),
    });
    expect(await said(world, { tool_input: { command: '(a)(]bc' } })).toEqual(['escaped']);
  });
});

describe('failures', () => {
  test('are those that the client reports', async () => {
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

describe('the repository', () => {
  const hooks = [
    { event: 'session_start', context: 'feature', matcher: { branch: 'feat/{a,b}*' } },
    { event: 'session_start', context: 'any', matcher: { branch: '*' } },
    { event: 'session_start', context: 'project', matcher: { project: 'sh*' } },
  ];
  const start = (world: ChainWorld, more: object = {}) =>
    said(world, { session_id: String(Math.random()), source: 'startup', ...more }, 'SessionStart');

  test('of a worktree is found by its .git file', async () => {
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
    const logged = world.log().map(({ hooks, why }) => ({ hooks, why }));
    expect(logged).toEqual([{ hooks: [1], why: [{ code: 'budget-estimated', hook: 1 }] }]);
  });
});
