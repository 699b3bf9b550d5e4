// Hooks that Gemini CLI's list of disabled hooks names, as its /hooks disable writes it (0.61.0).
import { env } from '../../support/fired.ts';
import { test } from '../../support/world.ts';

test('a disabled hook keeps no other hook from firing', async ({ world, expect }) => {
  const declarations = ['pre_request', 'post_tool_use'].map((event) => {
    return { event, context: 'Hello.', priority: 'suggestion' };
  });
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  await world.write(
    '~/.gemini/settings.json',
    JSON.stringify({ hooksConfig: { disabled: ['mcp-hooks annal AfterTool'] } }),
  );
  const { code } = await world.run('install annal.json --client gemini-cli --yes', { env });
  expect(code).toBe(0);
  const { out } = await world.run('list', { env });
  expect(out).toContain('hook 2 does not fire: hooks are switched off');
  const verified = await world.run('verify', { env });
  expect(verified.code).toBe(1);
  expect(verified.out).toContain('1 hook does not fire.');
});
