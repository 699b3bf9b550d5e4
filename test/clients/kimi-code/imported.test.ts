// Hooks that users wrote for Kimi Code, as `import` reads them.
import { expect } from 'vitest';
import { test } from '../../support/world.ts';

/** The codes of what `import` says about a hook. */
const CODES = [
  ['Write|Edit', 'prettier "$(jq -r .tool_input.path)"', ['hand-input-key']],
  ['', `python3 -c 'print(load()["tool_input"].get("path"))'`, ['hand-input-key']],
  ['Write', 'prettier "$(jq -r .tool_input.file_path)"', []],
  // Here, the key is the declared one.
  ['Glob', 'ls "$(jq -r .tool_input.path)"', []],
] as const;

test.for(CODES)('a hook of %j: %s', async ([matcher, command, codes], { world }) => {
  const lines = ['[[hooks]]', 'event = "PostToolUse"', `matcher = "${matcher}"`];
  const file = '~/.kimi-code/config.toml';
  await world.write(file, [...lines, `command = ${JSON.stringify(command)}`, ''].join('\n'));
  const { out } = await world.run(['import', world.path(file), '--json']);
  const [{ hook, notes }] = JSON.parse(out).entries;
  expect(hook).toBe(1);
  const said = notes.map(({ code }: { code: string }) => code);
  expect(said.filter((code: string) => code === 'hand-input-key')).toEqual(codes);
});

test('a matcher of prompts is no kind of subagents', async ({ world }) => {
  const file = '~/.kimi-code/config.toml';
  const lines = ['event = "UserPromptSubmit"', 'matcher = "deploy"', 'command = "echo Wait."'];
  await world.write(file, ['[[hooks]]', ...lines, ''].join('\n'));
  const { out } = await world.run(['import', world.path(file), '--json']);
  expect(JSON.parse(out).entries[0].leftOut.code).toBe('hand-prompts');
});
