// Clients as an editor starts them (--acp), where that is not how all tests run them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atHome } from '../../src/clients/driver/driver.ts';
import { asEditor } from '../../src/clients/driver/editor.ts';
import { Model } from '../../src/clients/driver/model.ts';
import { expected } from '../clients/expectations.ts';
import { clientOf } from '../support/runner/clients.ts';
import { CLIENTS, LAUNCH } from './clients.ts';
import { install } from './ours.ts';
import { scratch } from './scratch.ts';

const STARTED = Object.values(CLIENTS).flatMap(({ id }) => {
  const { editor } = expected[id].real;
  return editor ? [{ id, ...editor }] : [];
});

test.each(STARTED)(
  'hooks run in an editor as the plan says: $id',
  async ({ id, args, fired, lacks }) => {
    const place = scratch();
    const client = CLIENTS[id];
    try {
      client.prepare(place);
      const say = (event: string) => ({ event, context: `AT ${event}.`, priority: 'important' });
      const events = ['session_start', 'pre_request', 'post_tool_use', 'post_request'];
      const guard = {
        event: 'pre_tool_use',
        matcher: { tool_name: 'Bash', input_contains: 'guarded' },
        block: 'No.',
        priority: 'important',
      };
      const hooks = { declarations: [...events.map(say), guard] };
      await install(place, client, { version: 2, name: 'annal', hooks }, '--allow', 'block');
      const call = (name: string) => ({
        call: {
          name: 'run_shell_command',
          input: { command: `touch ${join(place.project, name)}` },
        },
      });
      const session = {
        ...place,
        launch: LAUNCH[id],
        prompts: ['PROMPT-ONE', 'PROMPT-TWO'],
        steps: [call('free'), call('guarded'), { text: 'first' }, { text: 'second' }],
      };
      const model = await Model.start(client.api, session);
      const env = { ...atHome(place), NO_PROXY: '127.0.0.1', ...client.env(session, model) };
      const { exitCode } = await asEditor(session, { cwd: place.project, env }, { args });
      await model.close();
      expect([exitCode, model.stepsLeft]).toEqual([0, 0]);

      const runsForCalls = lacks.length === 0;
      const made = ['free', 'guarded'].filter((name) => existsSync(join(place.project, name)));
      expect(made).toEqual(runsForCalls ? ['free'] : ['free', 'guarded']);
      const read = JSON.stringify(model.conversation.requests.at(-1)?.body);
      expect(events.filter((event) => read.includes(`AT ${event}.`))).toEqual(
        events.filter((event) => runsForCalls || event !== 'post_tool_use'),
      );
      const log = readFileSync(join(place.home, '.mcp-hooks/log/annal.jsonl'), 'utf8');
      const found = log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event);
      expect([...new Set(found)].sort()).toEqual(fired.toSorted());
      expect(clientOf(id).inEditor?.lacks ?? []).toEqual(lacks);
    } finally {
      place.remove();
    }
  },
);
