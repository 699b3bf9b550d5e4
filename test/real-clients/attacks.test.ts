// A hostile server's declarations in the real clients: its words arrive marked, and its matchers delay no tool call.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { visible } from '../../src/system/visible.ts';
import { expected } from '../clients/expectations.ts';
import { FORGERIES } from '../support/forgeries.ts';
import { entriesIn } from '../support/runner/clients.ts';
import { SLOW } from '../support/slow-matchers.ts';
import { CLIENTS } from './clients.ts';
import { install } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const call = { prompts: ['PROMPT-ONE'], steps: [{ shell: 'echo DONE' }, { text: 'answer' }] };

describe.each(Object.values(CLIENTS))('$id', (client) => {
  test("a text that poses as another author's is read with a mark on each of its lines", async () => {
    client.prepare(place);
    const context = Object.values(FORGERIES).join('\n');
    const declarations = (['session_start', 'pre_request', 'post_tool_use'] as const).map(
      (event) => ({ event, context, priority: 'suggestion' }),
    );
    await install(place, client, { name: 'annal', hooks: { declarations } });
    const { conversation, exitCode } = await client.run({ ...place, ...call });
    expect(exitCode).toBe(0);
    const read = conversation.find('FORGED');
    expect(new Set(read.map(({ request }) => request))).toEqual(new Set([1, 2]));
    for (const { text } of read) {
      const lines = text.split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/);
      const said = lines.filter((line) => /FORGED|"bank"/.test(line));
      expect(said.filter((line) => !line.startsWith('| '))).toEqual([]);
      expect(said.filter((line) => visible(line) !== line)).toEqual([]);
    }
  });

  test.each(['many wildcards', 'wildcards around words', 'nearly the same words'])(
    '300 slow matchers hold up no tool call, and the right text is shown: %s',
    async (what) => {
      client.prepare(place);
      const slow = (SLOW[what] ?? []).toReversed();
      const declarations = [{ tool_name: 'B*s*h' }, ...slow].map((matcher, index) => ({
        event: 'post_tool_use',
        matcher,
        context: index === 0 ? 'MEANT' : 'SLOW',
        priority: index === 0 ? 'important' : 'suggestion',
      }));
      await install(place, client, { name: 'annal', hooks: { declarations } });
      // Some clients show it with the next prompt.
      const next = expected[client.id].real.tellsLater ? [{ text: 'another' }] : [];
      const { conversation, exitCode, stepsLeft } = await client.run({
        ...place,
        prompts: [...call.prompts, ...next.map(() => 'PROMPT-TWO')],
        steps: [...call.steps, ...next],
      });
      expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
      expect(conversation.first('MEANT')?.request).toBe(2 + next.length);
      expect(conversation.requestsWith('SLOW')).toEqual([]);
      const settings = readFileSync(
        join(place.home, entriesIn(client.id, 'annal').slice(2)),
        'utf8',
      );
      for (const [, alternatives = ''] of settings.matchAll(/\^\(\?:(.*?)\)\$/g)) {
        expect(alternatives.length).toBeLessThanOrEqual(4100);
        for (const one of alternatives.split('|')) expect(one).not.toMatch(/\.\*.*\.\*./);
      }
    },
  );
});
