// The record of what the user approved, and comparisons with it, including everything in the extended vocabulary.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HookDeclaration } from '../../src/declaration/declaration.ts';
import type { ServerHooks } from '../../src/declaration/declared.ts';
import { approvalOf, parseApproval, writeApproval } from '../../src/install/consent/approval.ts';
import { changesBetween, isSame } from '../../src/install/consent/changes.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';

const PLAIN = { event: 'post_tool_use', context: 'Look.', priority: 'important' };
const noLaunch = () => ({ recorded: [], shown: [] });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-hooks-'));
  await writeFile(join(folder, 'pre.py'), 'print(1)\n');
  await writeFile(join(folder, 'post.py'), 'print(2)\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function declared(...declarations: object[]): ServerHooks {
  const found = parseManifest(
    JSON.stringify({ version: 2, server: { command: 'x' }, hooks: { declarations } }),
    join(folder, 'annal.json'),
  );
  expect(found.problems.filter(({ level }) => level === 'error')).toEqual([]);
  return found;
}

/** The approval after it was written and read again. */
const kept = (of: ServerHooks) => parseApproval(writeApproval(of, noLaunch)) ?? expect.fail();
const changed = (before: ServerHooks, after: ServerHooks) =>
  changesBetween(kept(before), approvalOf(after, noLaunch));

test('the format of the record stays the same for a declaration of the SEP', () => {
  const hooks = [PLAIN] as HookDeclaration[];
  expect(JSON.parse(writeApproval(declared(PLAIN), noLaunch).toString())).toEqual({
    hooks,
    launch: [],
  });
});

describe('the record of the extended vocabulary', () => {
  const call = { event: 'post_tool_use', context: 'Look.' };
  const HOOKS: object[] = [
    { ...call, order: 3 },
    { ...call, once: 'turn', cooldown: 60, limit: { tokens: 3 }, enabled: false },
    { event: 'OnBudgetExceeded', block: 'Stop.', budget: { tokens: 5, warn: 1, fire: 2 } },
    { event: 'pre_tool_use', command: ['python3', 'pre.py'], may: ['block'], deadline: 7 },
    { event: 'pre_tool_use', context_tool: 't', may: ['modify'] },
    { ...call, matcher: { exclude: { tools: ['a'], paths: ['b'] }, failed: true } },
    { ...call, matcher: { input_matches: 'a+', output_matches: 'b', output_contains: 'c' } },
    {
      ...call,
      matcher: { repeat: { times: 3, within: 9, same: 'tool' }, branch: 'x', project: 'y' },
    },
  ];

  test('has every field, and comparing it with itself finds no change', () => {
    const all = declared(...HOOKS);
    const { hooks, commandsFrom, commandFiles } = all;
    expect(kept(all)).toEqual({ hooks, launch: [], commandsFrom, commandFiles });
    expect(Object.keys(commandFiles ?? {})).toEqual([join(folder, 'pre.py')]);
    expect(isSame(changed(all, all))).toBe(true);
  });

  const without = (hook: object, key: string) =>
    Object.fromEntries(Object.entries(hook).filter(([one]) => one !== key));
  const variants = HOOKS.flatMap((hook) => {
    const free = Object.keys(hook).filter(
      (key) => !['event', 'context', 'context_tool', 'block', 'command', 'budget'].includes(key),
    );
    return free.map((key) => [key, hook, without(hook, key)] as const);
  });
  test.each(variants)('a removed field is a change: %s', (_, hook, fewer) => {
    const { changed: found, added, removed, same } = changed(declared(hook), declared(fewer));
    expect([found.length, added.length, removed.length, same]).toEqual([1, 0, 0, 0]);
    expect(isSame(changed(declared(fewer), declared(hook)))).toBe(false);
  });

  test('a changed script counts as a change of its hook only', async () => {
    const hooks = ['pre.py', 'post.py'].map((file) => ({
      event: 'pre_tool_use',
      command: ['python3', file],
    }));
    const before = declared(...hooks);
    await writeFile(join(folder, 'post.py'), 'print(3)\n');
    const after = declared(...hooks);
    expect(after.hooks).toEqual(before.hooks);
    const { changed: found, same } = changed(before, after);
    expect(found.map(({ before, after }) => [before.number, after.number])).toEqual([[2, 2]]);
    expect(same).toBe(1);
  });

  test.each([
    ['no version', { version: undefined }],
    ['files that are none', { commandFiles: { a: 1 } }],
    ['no folder', { commandsFrom: 7 }],
  ])('an invalid field is ignored: %s', (_, more) => {
    const written = JSON.parse(writeApproval(declared(...HOOKS), noLaunch).toString());
    const read = parseApproval(Buffer.from(JSON.stringify({ ...written, ...more })));
    if ('version' in more) expect(read).toBeUndefined();
    else expect(read).not.toHaveProperty('commandFiles');
  });
});
