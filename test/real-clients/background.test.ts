// A command in the background: the real client continues while the command runs, and the command runs to its end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLIENTS } from './clients.ts';
import { install } from './ours.ts';
import { scratch } from './scratch.ts';

const ALL = Object.values(CLIENTS).map((client) => ({ client, id: client.id }));

test.each(ALL)('$id continues while a command runs in the background', async ({ client }) => {
  const place = scratch();
  onTestFinished(place.remove);
  client.prepare(place);
  const at = (name: string) => join(place.files, name);
  // It ends only after the model's first call, which a client that waited would never make.
  writeFileSync(
    at('work.sh'),
    `cat >'${at('event')}'; until [ -e '${at('go')}' ]; do sleep 0.1; done; echo >'${at('done')}'\n`,
  );
  const hook = { event: 'pre_request', command: ['sh', './work.sh'], async: true };
  const manifest = { version: 2, name: 'annal', hooks: { declarations: [hook] } };
  await install(place, client, manifest, '--allow', 'command');
  const { exitCode, stepsLeft } = await client.run({
    ...place,
    prompts: ['PROMPT-ONE'],
    steps: [
      { shell: `test ! -e '${at('done')}' && touch '${at('early')}' '${at('go')}'` },
      { shell: `for i in 1 2 3 4 5 6 7 8 9; do test -e '${at('done')}' && break; sleep 1; done` },
      { text: 'one' },
    ],
  });
  expect([exitCode, stepsLeft]).toEqual([0, 0]);
  const there = ['event', 'early', 'go', 'done'].filter((name) => existsSync(at(name)));
  expect(there).toEqual(['event', 'early', 'go', 'done']);
  expect(JSON.parse(readFileSync(at('event'), 'utf8'))).toMatchObject({ event: 'pre_request' });
});
