// An editor starts Gemini CLI in a way in which it runs no hooks for calls (../../real-clients/editor.test.ts).
import { env } from '../../support/fired.ts';
import { test } from '../../support/world.ts';

test('the plan says that a guard does not run in an editor', async ({ world, expect }) => {
  const guard = { event: 'pre_tool_use', block: 'No.', priority: 'suggestion' };
  const plan = async (declaration: object) => {
    const manifest = { version: 2, hooks: { declarations: [declaration] } };
    await world.write('annal.json', JSON.stringify(manifest));
    const line = 'install annal.json --client gemini-cli,claude-code --allow block --dry-run';
    return (await world.run(line, { env })).out.replace(/\s+/g, ' ');
  };
  expect(await plan(guard)).toContain(
    '† Where an editor starts Gemini CLI (gemini --acp), no such hook runs.',
  );
  // Hooks for a prompt run there.
  expect(await plan({ ...guard, event: 'pre_request' })).not.toContain('editor');
});
