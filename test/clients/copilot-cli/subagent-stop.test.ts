import { expect, test } from 'vitest';
import { RULES } from '../../../src/declaration/policy.ts';
import { recorded } from '../../support/runner/clients.ts';
import { install } from '../../support/runner/world.ts';

/** What Copilot is told at the end of a turn of the session or of a subagent. */
function toldAt(recording: string, hook: object): Promise<string> {
  const { cwd, fire } = install({
    hooks: [],
    manifest: JSON.stringify({ version: 2, name: 'annal', hooks: { declarations: [hook] } }),
    defaults: { ...RULES, block: true },
  });
  return fire('copilot-cli', 'Stop', recorded('copilot-cli', recording, { cwd }));
}

// Copilot 1.0.102 ignores the answer at the end of a subagent, so the log must not say that something was shown or blocked.
test.each([
  { event: 'session_end', context: 'Go on.' },
  { event: 'post_request', block: 'Go on.' },
])('the end of a subagent is not that of a turn: %j', async (hook) => {
  expect(await toldAt('Stop', hook)).toContain('Go on.');
  expect(await toldAt('Stop.in-subagent', hook)).toBe('');
});
