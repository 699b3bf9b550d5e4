// Kimi Code sends its event for the end of a turn at the end of a subagent, too. The plan says so.
import { endingsPlanned } from '../../support/endings.ts';
import { test } from '../../support/world.ts';

const SUBAGENT = [
  'At the end of a subagent, it is shown to the subagent.',
  'It also runs at the end of a subagent, but not after a turn that another hook continued.',
  'It also runs at the end of a subagent.',
  'If a subagent is the first to end a turn, it is shown there.',
];

test('the plan says what also happens at the end of a subagent', async ({ world, expect }) => {
  const later = await endingsPlanned(world, 'kimi-code');
  const out = later + (await endingsPlanned(world, 'kimi-code', '--act-now'));
  for (const note of SUBAGENT) expect(out).toContain(note);
});
