// Droid reads only one of several texts. The plan says so to users with a hook of their own on the event.
import { endingsPlanned } from '../../support/endings.ts';
import { env } from '../../support/fired.ts';
import { COMMITTED, manifest } from '../../support/hooks.ts';
import { test } from '../../support/world.ts';

const OWN = [{ hooks: [{ type: 'command', command: 'echo mine' }] }];

test.for([
  ['no hooks of their own', {}, false],
  ['one for another event', { Stop: OWN }, false],
  ['one for the same event', { PostToolUse: OWN }, true],
] as const)(
  'the plan has the right note for a user with %s',
  async ([, hooks, isTold], { world, expect }) => {
    await world.write('~/.factory/hooks.json', JSON.stringify(hooks));
    await world.write('annal.json', manifest(COMMITTED));
    const line = 'install annal.json --client droid --yes';
    const note = 'the model reads only one of the two.';
    for (const again of ['', ' --dry-run']) {
      const { out } = await world.run(line + again, { env });
      expect(out.replace(/\s+/g, ' ').includes(note)).toBe(isTold);
    }
  },
);

const SUBAGENT = [
  'At the end of a subagent, it is shown to the subagent.',
  'It also runs at the end of a subagent.',
  'Each subagent is a session of its own, so it is shown there, too.',
];

test('the plan says what also happens at the end of a subagent', async ({ world, expect }) => {
  const out = await endingsPlanned(world, 'droid', '--act-now');
  for (const note of SUBAGENT) expect(out).toContain(note);
});
