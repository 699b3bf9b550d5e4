// The real clients on a machine where Ansible has deployed the hooks of a fleet: an image in a folder, which each client sees
// as /etc and /usr/local. No test writes there.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Executable } from '../../src/system/child.ts';
import { expected } from '../clients/expectations.ts';
import { fleetOf, inImage, NO_ANSIBLE, NO_IMAGE, play, write } from '../support/fleet.ts';
import { CLIENTS, type Client, LAUNCH } from './clients.ts';
import { install } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const START = 'The archive holds 42 notes.';
const AFTER = 'The call was noted.';
const HOOKS = [
  { event: 'session_start', context: START },
  { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: AFTER },
] as const;

const SKIPPED = NO_ANSIBLE ?? NO_IMAGE;

describe.skipIf(SKIPPED !== undefined)(
  `on a machine of a fleet${SKIPPED ? `: ${SKIPPED}` : ''}`,
  () => {
    let shared: Scratch;
    let [root, out] = ['', ''];
    const played = (vars: Readonly<Record<string, unknown>> = {}) => {
      const { ok, said } = play(out, { root, home: shared.home, ...vars });
      expect(ok, said).toBe(true);
    };

    beforeAll(() => {
      shared = scratch();
      root = join(shared.files, 'root');
      out = join(shared.files, 'out');
      for (const folder of ['etc', 'usr/local']) mkdirSync(join(root, folder), { recursive: true });
      write(out, fleetOf(HOOKS));
      played();
    }, 300_000);
    afterAll(() => shared.remove());

    /** How often the model has read each text by its last request. */
    async function read(client: Client, place: Scratch): Promise<Record<string, number>> {
      const launch: Executable = [...inImage(root), ...LAUNCH[client.id]];
      const { exitCode, stderr, conversation } = await client.run({
        ...place,
        launch,
        steps: [{ shell: 'true' }, { text: 'done' }],
        prompts: ['go on'],
        turns: 'resume',
      });
      expect(exitCode, stderr).toBe(0);
      const last = JSON.stringify(conversation.requests.at(-1)?.body);
      return Object.fromEntries([START, AFTER].map((text) => [text, last.split(text).length - 1]));
    }

    const managed = Object.values(CLIENTS).filter(({ id }) => expected[id].managed !== undefined);
    describe.each(managed)('$id', (client) => {
      test('a user who has installed nothing has the hooks, without a question', async () => {
        const place = scratch();
        client.prepare(place);
        expect(await read(client, place)).toEqual({ [START]: 1, [AFTER]: 1 });
        place.remove();
      });

      test('a user who has installed the same hooks gets each text once', async () => {
        const place = scratch();
        client.prepare(place);
        const declarations = HOOKS.map((hook) => ({ priority: 'suggestion', ...hook }));
        await install(place, client, { name: 'annal', declarations });
        expect(await read(client, place)).toEqual({ [START]: 1, [AFTER]: 1 });
        place.remove();
      });
    });

    test('no user has the hooks after the role has removed them', async () => {
      played({ mcp_hooks_state: 'absent' });
      for (const client of Object.values(CLIENTS)) {
        const place = scratch();
        client.prepare(place);
        expect([client.id, await read(client, place)]).toEqual([
          client.id,
          { [START]: 0, [AFTER]: 0 },
        ]);
        place.remove();
      }
    }, 300_000);
  },
);
