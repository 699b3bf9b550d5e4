/** The input of a client's tool in the form that scripts read, and a changed input back in the client's own form. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolInput } from '../../src/clients/contract.ts';
import { secondStage } from '../../src/compile/second-stage.ts';
import type { JsonObject } from '../../src/edit/edit.ts';
import { runnerCode } from '../../src/system/runner-code.ts';
import { IDS, recordedText } from '../support/runner/clients.ts';
import { install, root } from '../support/runner/world.ts';

const CWD = '/home/dev/shop';
const RENAMED: ToolInput = { keys: { path: 'file_path', text: 'content' } };
const WHOLE: ToolInput = { ...RENAMED, patch: '' };
const KEYED: ToolInput = { patch: 'command' };

function called(form: ToolInput, input: unknown) {
  const wire = {
    ...{ session: 's', cwd: 'cwd', source: 'x', transcript: 'x', prompt: 'prompt', continued: 'x' },
    ...{ toolName: 'tool', toolInput: 'input', toolOutput: [], occasion: [] },
  };
  const names = { aliases: {}, allowed: 'A-Za-z0-9_-', inputs: { its_tool: form } };
  const payload = JSON.stringify({ s: '1', cwd: CWD, tool: 'its_tool', input });
  const moment = secondStage().read({ wire, names, most: 1000 } as never, payload);
  const { nativeInput } = runnerCode('./vocabulary.cjs');
  const back = (changed: unknown) => nativeInput(form, changed, input, CWD);
  return { tool: moment?.native?.tool, input: moment?.input, back };
}

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

describe('keys', () => {
  test("have Claude Code's names", () => {
    expect(called(RENAMED, { path: '/a', text: 'b', other: 1 }).input).toEqual({
      ...{ file_path: '/a', content: 'b', other: 1 },
    });
  });

  test('are those that the tool reads, not ones that only look like them', () => {
    expect(called(RENAMED, { file_path: '/harmless', path: '/secret' }).input).toEqual({
      file_path: '/secret',
    });
    expect(called(RENAMED, { path: '/secret', file_path: '/harmless' }).input).toEqual({
      file_path: '/secret',
    });
  });

  test.each(['text', 5, null, ['path']])('%j has no keys, and stays unchanged', (input) => {
    expect(called(RENAMED, input).input).toEqual(input);
  });

  test('are renamed back', () => {
    const { input, back } = called(RENAMED, { path: '/a', text: 'b', other: 1 });
    expect(back({ ...Object(input), content: 'c' })).toEqual({ path: '/a', text: 'c', other: 1 });
    expect(back('text')).toBeUndefined();
  });
});

const file_path = `${CWD}/src/a.ts`;
const UPDATE = ['*** Update File: src/a.ts', '@@', ' one', '-two', '+2', ' three'];
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'deletes a file': ['*** Delete File: src/a.ts'],
  'changes two places': [...UPDATE, '@@', '-x', '+y'],
  'says where the place is': ['*** Update File: src/a.ts', '@@ def a():', '-x', '+y'],
  'only adds lines': ['*** Update File: src/a.ts', '@@', '+y'],
  'changes the end of a file': [...UPDATE, '*** End of File'],
  'has nothing in it': ['*** Add File: src/a.ts'],
  'has a line without a sign': ['*** Add File: src/a.ts', '+x', 'y'],
  'has a heading after a space': [' *** Add File: src/a.ts', '+x'],
};

describe.each([
  ['as the whole input', WHOLE, (text: string) => text],
  ['under a key', KEYED, (text: string) => ({ command: text })],
])('a patch %s', (_where, form, native) => {
  const calledWith = (...lines: string[]) => called(form, native(patch(...lines)));

  test('that makes a file is Write', () => {
    const { back, ...rest } = calledWith('*** Add File: src/a.ts', '+one', '+', '+*** End Patch');
    const input = { file_path, content: 'one\n\n*** End Patch\n' };
    expect(rest).toEqual({ tool: 'Write', input });
    expect(back({ ...input, content: 'new\n' })).toEqual(
      native(patch('*** Add File: src/a.ts', '+new')),
    );
    expect(back({ ...input, file_path: '/tmp/b.ts' })).toEqual(
      native(patch('*** Add File: /tmp/b.ts', '+one', '+', '+*** End Patch')),
    );
  });

  test('that changes one place is Edit', () => {
    const { back, ...rest } = calledWith(...UPDATE);
    const input = { file_path, old_string: 'one\ntwo\nthree', new_string: 'one\n2\nthree' };
    expect(rest).toEqual({ tool: 'Edit', input });
    expect(back({ ...input, new_string: '' })).toEqual(
      native(patch('*** Update File: src/a.ts', '@@', '-one', '-two', '-three')),
    );
  });

  test.each(Object.entries(OTHERS))('that %s is passed on unchanged', (_what, lines) => {
    const { tool, input, back } = calledWith(...lines);
    expect({ tool, input }).toEqual({
      tool: 'Edit',
      input: { file_path, patch: patch(...lines) },
    });
    expect(back({ file_path, patch: 'x' })).toBeUndefined();
  });

  test('of several files has no single file_path', () => {
    const lines = [...UPDATE, '*** Add File: b.ts', '+x'];
    const { tool, input, back } = calledWith(...lines);
    expect({ tool, input }).toEqual({ tool: 'Edit', input: { patch: patch(...lines) } });
    expect(back({ file_path, content: 'x' })).toBeUndefined();
  });

  test('is not made from an input that no patch can express exactly', () => {
    const { back } = calledWith(...UPDATE);
    const input = { file_path, old_string: 'one\ntwo\nthree', new_string: '2' };
    const refused: JsonObject[] = [
      { ...input, old_string: 'tw' },
      { ...input, replace_all: true },
      { ...input, other: 1 },
      { ...input, file_path: 'a\n*** Delete File: b' },
      { ...input, file_path: 5 },
      { file_path },
    ];
    expect(refused.map((one) => back(one))).toEqual(refused.map(() => undefined));
  });
});

test('keys next to a patch are not read as its effect', () => {
  const lines = [...UPDATE, '*** Add File: b.ts', '+x'];
  const beside = { file_path: '/harmless', old_string: 'x', why: 'y' };
  expect(called(KEYED, { ...beside, command: patch(...lines) }).input).toEqual({
    ...{ why: 'y', patch: patch(...lines) },
  });
});

test('text that is not a patch is passed on as a patch', () => {
  expect(called(KEYED, { command: 'rm -rf /' })).toMatchObject({
    ...{ tool: 'Edit', input: { patch: 'rm -rf /' } },
  });
});

test('the first stage lets a call through if a matcher finds a renamed key', async () => {
  const matcher = { tool_name: '{Edit,Write}', input_contains: '"file_path"' };
  const world = install({ hooks: [{ event: 'post_tool_use', matcher, context: 'Found.' }] });
  const found = await Promise.all(
    IDS.flatMap((id) =>
      readdirSync(join(root, 'fixtures/events', id)).map(async (file) => {
        const [native = ''] = file.split('.');
        if (!world.command(id, native)) return 0;
        const text = recordedText(id, file.replace(/\.json$/, ''));
        if (!/"tool_name":"(?:Edit|apply_patch)"/.test(text)) return 0;
        expect([id, file, await world.fire(id, native, text)]).toEqual([
          ...[id, file, expect.stringContaining('Found.')],
        ]);
        return 1;
      }),
    ),
  );
  expect(found.filter((one) => one === 1).length).toBeGreaterThanOrEqual(3);
});
