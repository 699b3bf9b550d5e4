// Hooks that are installed while a session of the real client is running: fired or not, as `readsHooks` of the client says.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../support/runner/clients.ts';
import { CLIENTS } from './clients.ts';
import { install, instead, tree } from './ours.ts';
import { scratch } from './scratch.ts';

/** Long enough for a client that looks for changes every few seconds. */
const SECONDS = 5;

const DECLARED = [{ event: 'post_tool_use', context: 'LATER', priority: 'important' }];

for (const client of Object.values(CLIENTS)) {
  const { readsHooks } = clientOf(client.id);
  test.skipIf(readsHooks === undefined)(`${client.id} reads hooks ${readsHooks}`, async () => {
    const place = scratch();
    const at = (name: string) => join(place.home, name);
    try {
      client.prepare(place);
      const before = tree(place.home);
      await install(place, client, { name: 'annal', hooks: { declarations: DECLARED } });
      const fired = join(place.files, 'fired');
      instead(place, 'annal', () => `echo >> '${fired}'`);
      const settings = Object.entries(tree(place.home)).filter(
        ([name, text]) =>
          /^(?!\.mcp-hooks\/).*\.(?:json|toml|js)$/.test(name) && text !== before[name],
      );
      for (const [name] of settings) {
        const text = before[name];
        if (text === undefined) rmSync(at(name));
        else writeFileSync(at(name), text);
      }
      const ready = join(place.project, 'ready');
      const timer = setInterval(() => {
        if (!existsSync(ready)) return;
        clearInterval(timer);
        for (const [name, text] of settings) {
          mkdirSync(dirname(at(name)), { recursive: true });
          writeFileSync(at(name), text);
        }
      }, 50);
      // Another process for the second prompt would be another session.
      const isLive = client.turns[0] === 'live';
      const { exitCode, stepsLeft } = await client.run({
        ...place,
        prompts: ['PROMPT-ONE', ...(isLive ? ['PROMPT-TWO'] : [])],
        steps: [
          { shell: `echo > '${ready}'; sleep ${SECONDS}` },
          { shell: 'echo two' },
          { text: 'one' },
          ...(isLive ? [{ shell: 'echo three' }, { text: 'two' }] : []),
        ],
      });
      clearInterval(timer);
      expect([exitCode, stepsLeft, settings.length > 0]).toEqual([0, 0, true]);
      const lines = existsSync(fired) ? readFileSync(fired, 'utf8').split('\n').length - 1 : 0;
      expect(lines > 0).toBe(readsHooks === 'when changed');
    } finally {
      place.remove();
    }
  });
}
