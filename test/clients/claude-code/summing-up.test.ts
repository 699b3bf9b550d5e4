import { expect, test } from 'vitest';
import { RULES } from '../../../src/declaration/policy.ts';
import { recorded } from '../../support/runner/clients.ts';
import { install } from '../../support/runner/world.ts';

/** What Claude Code is told at the end of an agent of this type, and with the next prompt. */
async function toldAfter(agent_type: string, hook: object): Promise<string> {
  const { cwd, fire } = install({
    hooks: [],
    manifest: JSON.stringify({
      version: 2,
      name: 'annal',
      hooks: { declarations: [{ event: 'subagent_end', ...hook }] },
    }),
    defaults: { ...RULES, block: true },
  });
  const at = (event: string, changes: object) =>
    fire(
      'claude-code',
      event,
      recorded('claude-code', event, { cwd, session_id: 'one', ...changes }),
    );
  return (await at('SubagentStop', { agent_type })) + (await at('UserPromptSubmit', {}));
}

// Claude Code 2.1.329 has an agent sum up the history for a compaction. Its SubagentStop has an empty `agent_type`.
test.each([{ context: 'It is over.' }, { block: 'It is over.' }])(
  'the agent that sums up a history is not a subagent: %j',
  async (hook) => {
    expect(await toldAfter('general-purpose', hook)).toContain('It is over.');
    expect(await toldAfter('', hook)).toBe('');
  },
);
