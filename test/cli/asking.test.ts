// The question before something is written, in a terminal: yes, no, and the diff first.
import { describe } from 'vitest';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const QUESTION = 'Apply changes to 1 file? (y/N, d shows the diff)';
const DIFF = '+++ ~/.claude/settings.json';

async function furnish(world: World): Promise<void> {
  await world.write('~/.claude/settings.json', '{ "model": "opus" }\n');
  await world.write('annal.json', manifest(COMMITTED));
}

describe.skipIf(!hasTerminal())('d at the question', () => {
  test.for([
    ['in the pager', 'sed "s/^/paged: /"', `paged: ${DIFF}`],
    ['as it is, without a pager', '', `\n${DIFF}`],
    ['as it is, when the pager is not there', 'there-is-no-such-pager', `\n${DIFF}`],
  ] as const)('shows the diff %s, and asks again', async ([, PAGER, shown], { world, expect }) => {
    await furnish(world);
    for (const [answer, code] of [
      ['n', 2],
      ['y', 0],
    ] as const) {
      const keys = [
        { after: QUESTION, type: 'd\r' },
        { after: DIFF, type: `${answer}\r` },
      ];
      const before = await world.read('~/.claude/settings.json');
      const ran = await onTerminal(world, ['install', 'annal.json'], { keys, env: { PAGER } });
      expect([ran.code, ran.asked]).toEqual([code, 2]);
      const [plan = '', ...after] = ran.out.split(QUESTION);
      expect(plan).toContain('| You just committed work.');
      expect(plan).not.toContain(DIFF);
      expect(after.join('')).toContain(shown);
      const now = await world.read('~/.claude/settings.json');
      expect(now === before).toBe(answer === 'n');
    }
  });

  test('is not offered where the diff is shown already', async ({ world, expect }) => {
    await furnish(world);
    const keys = [{ after: 'Apply changes to 1 file?', type: 'y\r' }];
    const { code, out } = await onTerminal(world, ['install', 'annal.json', '--diff'], { keys });
    expect(code).toBe(0);
    expect(out.indexOf(DIFF)).toBeLessThan(out.indexOf('Apply changes to 1 file?'));
    expect(out).not.toContain('d shows the diff');
  });

  test.for(['', 'yess', 'Y es', 'no'])('%j is no yes', async (answer, { world, expect }) => {
    await furnish(world);
    const before = await world.stamps();
    const keys = [{ after: QUESTION, type: `${answer}\r` }];
    const { code } = await onTerminal(world, ['install', 'annal.json'], { keys });
    expect(code).toBe(2);
    expect(await world.stamps()).toEqual(before);
  });
});
