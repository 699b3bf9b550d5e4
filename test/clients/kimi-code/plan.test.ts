// Kimi Code sends its event for the end of a turn at the end of a subagent, too. The plan says so.
import { env } from '../../support/fired.ts';
import { test } from '../../support/world.ts';

const SUBAGENT = [
  'At the end of a subagent, it is shown to the subagent.',
  'It also runs at the end of a subagent, but not after a turn that another hook continued.',
  'It also runs at the end of a subagent.',
  'If a subagent is the first to end a turn, it is shown there.',
];

test('the plan says what also happens at the end of a subagent', async ({ world, expect }) => {
  const commands = ['post_request', 'session_end', 'notification'].map((event) => ({
    event,
    command: ['none'],
  }));
  const texts = ['post_request', 'session_end'].map((event) => ({ event, context: 'A.' }));
  const hooks = { declarations: [...commands, ...texts] };
  await world.write('annal.json', JSON.stringify({ version: 2, name: 'annal', hooks }));
  const line = 'diff annal.json --client kimi-code --allow command --json';
  const { out: later } = await world.run(line, { env });
  const { out: atOnce } = await world.run(`${line} --act-now`, { env });
  const out = later + atOnce;
  for (const note of SUBAGENT) expect(out).toContain(note);
});
