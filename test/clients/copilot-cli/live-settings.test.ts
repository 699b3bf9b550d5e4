// A session of `verify --live` runs none of the user's commands.
import { expect, test } from 'vitest';
import { copied, OURS } from '../../support/live-copy.ts';

test("the user's hooks do nothing under any key", async () => {
  const theirs = { type: 'command', bash: 'theirs', powershell: 'theirs', timeoutSec: 3 };
  const text = await copied(
    'copilot-cli',
    'settings.json',
    JSON.stringify({ hooks: { Stop: [theirs, OURS] } }),
  );
  expect(JSON.parse(text).hooks.Stop).toEqual([
    { ...theirs, bash: 'true', powershell: 'true' },
    { ...OURS, command: '/copy/servers/annal/x.sh' },
  ]);
});
