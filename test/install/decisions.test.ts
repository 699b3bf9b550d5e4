// The user's grants for decisions and programs, and the messages about missing grants; they are the same in every client.
import { describe, expect, test as pure } from 'vitest';
import type { HookDeclaration } from '../../src/declaration/declaration.ts';
import type { Allowable, Grant } from '../../src/declaration/grants.ts';
import { neededBy } from '../../src/declaration/grants.ts';
import { type Policy, rulesFor } from '../../src/declaration/policy.ts';
import { decide, declarationDigest, denied } from '../../src/install/consent/grants.ts';
import { test, type World } from '../support/world.ts';

const hook = (rest: Partial<HookDeclaration>): HookDeclaration => ({
  event: 'pre_tool_use',
  priority: 'suggestion',
  ...rest,
});
const HOOKS: Record<string, HookDeclaration> = {
  text: hook({ context: 'hello' }),
  blocks: hook({ block: 'not here' }),
  tool: hook({ context_tool: 'judge', may: ['block', 'modify'] }),
  program: hook({ command: ['python3', 'judge.py'] }),
  'program that blocks': hook({ command: ['./judge'], may: ['block'] }),
  required: hook({ context: 'hello', priority: 'required' }),
  'switched off': hook({ command: ['./judge'], may: ['block', 'modify'], enabled: false }),
};
const hooks = Object.values(HOOKS);
const source = { kind: 'manifest', path: '/m.json' } as const;
const declared = { label: 'notes', hooks, source, problems: [] };

const decided = (given: readonly Allowable[], policy: Policy = {}) =>
  decide(declared, { given, policy });
const names = (numbers: readonly number[]) =>
  numbers.map((number) => Object.keys(HOOKS)[number - 1]);

describe('without a grant', () => {
  const decision = decided([]);

  pure('everything beyond a text needs a separate grant', () => {
    expect(decision.needs.map(({ grant, hooks }) => [grant, names(hooks)])).toEqual([
      ['required', ['required']],
      ['context-tool', ['tool']],
      ['block', ['blocks', 'tool', 'program that blocks']],
      ['modify', ['tool']],
      ['command', ['program', 'program that blocks']],
    ]);
    expect(decision.needs.some(({ by }) => by)).toBe(false);
    expect(decision.granted).toBeUndefined();
  });

  pure('none of this is allowed', () => {
    const { trusted, contextTool, block, modify, command } = decision.defaults;
    expect([trusted, contextTool, block, modify, command]).toEqual(Array(5).fill(false));
  });

  pure('hooks that need the grant are left out, the others are downgraded', () => {
    const { leftOut, downgraded, undecided } = denied(hooks, decision);
    expect(names(leftOut)).toEqual(['blocks', 'tool', 'program', 'program that blocks']);
    expect(names(downgraded)).toEqual(['required']);
    expect(names(undecided)).toEqual([]);
  });
});

pure.for<[given: Grant[], leftOut: string[], undecided: string[]]>([
  [['block'], ['tool', 'program', 'program that blocks'], []],
  [['context-tool'], ['blocks', 'program', 'program that blocks'], ['tool']],
  [['command'], ['blocks', 'tool'], ['program that blocks']],
  [['context-tool', 'block'], ['program', 'program that blocks'], ['tool']],
  [['context-tool', 'block', 'modify', 'command'], [], []],
])('a grant of %j leaves out the other hooks', ([given, leftOut, undecided]) => {
  const found = denied(hooks, decided(given));
  expect([names(found.leftOut), names(found.undecided)]).toEqual([leftOut, undecided]);
});

pure('policy.json can grant the same', () => {
  const policy = { servers: { notes: { block: true, command: true } } };
  const { needs, rules } = decided([], policy);
  expect(needs.flatMap(({ grant, by }) => (by ? [`${grant} by ${by}`] : []))).toEqual([
    'block by policy',
    'command by policy',
  ]);
  expect([rules.block, rules.modify, rules.command]).toEqual([true, false, true]);
});

pure('a grant ends if a script has changed', () => {
  const [one, other] = ['1', '2'].map((hash) => ({
    ...declared,
    commandFiles: { '/notes/judge.py': hash },
  }));
  if (!one || !other) throw new Error('two of them');
  const { granted } = decide(one, { given: ['command'], policy: {} });
  const again = (now: typeof one) =>
    decide(now, { given: [], kept: granted, policy: {} }).needs.find(
      ({ grant }) => grant === 'command',
    );
  expect(again(one)).toMatchObject({ by: 'before' });
  expect(again(other)).toMatchObject({ lapsed: true });
  expect(declarationDigest(one)).not.toBe(declarationDigest(declared));
});

pure('a grant ends if a hook changes its on_failure', () => {
  const of = (on_failure?: 'allow' | 'deny') => ({
    ...declared,
    hooks: [hook({ block: 'not here', ...(on_failure && { on_failure }) })],
  });
  const { granted } = decide(of(), { given: ['block'], policy: {} });
  const need = (on_failure?: 'allow' | 'deny') =>
    decide(of(on_failure), { given: [], kept: granted, policy: {} }).needs[0];
  expect(need()).toMatchObject({ by: 'before' });
  expect(need('deny')).toMatchObject({ lapsed: true });
  expect(need('allow')).toMatchObject({ lapsed: true });
});

pure('the policy of a former source may only be stricter about failures', () => {
  const words = ['allow', 'declared', 'deny'] as const;
  for (const [at, all] of words.entries())
    for (const [place, own] of words.entries()) {
      const policy = { onFailure: all, servers: { notes: { onFailure: own } } };
      const { onFailure } = rulesFor(policy, 'notes', undefined, true);
      expect([all, own, onFailure]).toEqual([all, own, place > at ? own : all]);
    }
});

pure('the grants without which a hook is skipped', () => {
  const all = Object.entries(HOOKS).map(([name, one]) => [name, neededBy(one).join()]);
  expect(Object.fromEntries(all)).toEqual({
    text: '',
    blocks: 'block',
    tool: 'context-tool',
    program: 'command',
    'program that blocks': 'command',
    required: '',
    'switched off': '',
  });
});

/** A manifest with these declarations, and the program that they run. */
async function put(world: World, declarations: readonly object[]): Promise<void> {
  await world.write('judge.sh', '#!/bin/sh\n', 0o755);
  await world.write('notes.json', JSON.stringify({ version: 2, hooks: { declarations } }));
}

test('install and verify ask only for the grants without which a hook is skipped', async ({
  world,
  expect,
}) => {
  await world.folder('~/.claude');
  const declarations = [
    { event: 'pre_tool_use', command: ['./judge.sh'], may: ['block', 'modify'] },
  ];
  await put(world, declarations);
  const allow = /mcp-hooks update notes --allow command\b(?!,)/;
  for (const line of ['install notes.json --yes', 'verify notes']) {
    const { out } = await world.run(line);
    expect(out).toMatch(/hook 1 skipped|skipped hook 1/i);
    expect(out).toMatch(allow);
  }
});

test('skipped hooks and undecided hooks each name their own grants', async ({ world, expect }) => {
  await world.folder('~/.claude');
  const declarations = [
    { event: 'pre_tool_use', block: 'No.' },
    { event: 'pre_tool_use', command: ['./judge.sh'], may: ['modify'] },
  ];
  await put(world, declarations);
  const { out } = await world.run('install notes.json --yes --allow command');
  expect(out.match(/(?<=update notes )--allow \S+/g)).toEqual(['--allow block', '--allow modify']);
});

test('no grant is asked for if it would not help', async ({ world, expect }) => {
  await world.folder('~/.gemini');
  const declarations = [
    { event: 'pre_request', context: 'hello' },
    { event: 'pre_tool_use', block: 'No.', enabled: false },
    { event: 'pre_tool_use', command: ['./judge.sh'], enabled: false, may: ['modify'] },
    { event: 'pre_compact', block: 'Gemini CLI cannot do this.' },
    { event: 'subagent_start', command: ['./judge.sh'] },
  ];
  await put(world, declarations);
  const installed = await world.run('install notes.json --yes --allow command,block');
  expect(installed.out).not.toMatch(/Skipped|modify/);
  for (const line of ['verify notes', 'fire notes pre_compact', 'doctor notes']) {
    const { out, err } = await world.run(line);
    expect(out + err).not.toContain('--allow');
  }
  const [{ clients }] = JSON.parse((await world.run('list --json')).out).installed;
  expect(clients[0].leftOut).toEqual([
    { hook: 2, event: 'pre_tool_use', why: 'declaration' },
    { hook: 3, event: 'pre_tool_use', why: 'declaration' },
    {
      ...{ hook: 4, event: 'pre_compact', why: 'client' },
      reason: 'no hook can stop this in Gemini CLI',
    },
    {
      ...{ hook: 5, event: 'subagent_start', why: 'client' },
      reason: expect.stringMatching(/^no matching event in Gemini CLI: a subagent /),
    },
  ]);
});

test('the log shows decisions, to people and to scripts', async ({ world, expect }) => {
  const line = { at: 1_800_000_000_000, client: 'codex', hooks: [2], characters: 0 };
  const [before, after] = ['b'.repeat(64), 'a'.repeat(64)];
  const reason = 'no \u001b[31mred\nlines';
  const lines = [
    { ...line, event: 'Stop' },
    { ...line, event: 'PreToolUse', decisions: [{ hook: 2, action: 'block', reason }] },
    { ...line, event: 'PostToolUse', decisions: [{ hook: 3, action: 'modify', before, after }] },
  ];
  const text = lines.map((one) => JSON.stringify(one)).join('\n');
  await world.write('~/.mcp-hooks/log/notes.jsonl', `${text}\n`);
  const shown = await world.run('log notes --decisions');
  expect(
    shown.out.split('\n').map((row) => row.replace(/^\S+ \S+ +/, '').replace(/ +/g, ' ')),
  ).toMatchInlineSnapshot(`
    [
      "time client event hook decision before after reason",
      "codex PreToolUse 2 block - - no \\u{1B}[31mred\\u{A}lines",
      "codex PostToolUse 3 modify bbbbbbbbbbbb aaaaaaaaaaaa",
      "",
    ]
  `);
  const { out } = await world.run('log notes --decisions --json');
  expect(JSON.parse(out).entries.map((one: { decisions: unknown }) => one.decisions)).toEqual([
    [{ hook: 2, action: 'block', reason }],
    [{ hook: 3, action: 'modify', before, after }],
  ]);
});
