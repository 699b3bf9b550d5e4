// Several labels beside each other and beside a hook of the user: the model reads each text once, and an uninstall removes one.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wireOf } from '../../src/clients/contract.ts';
import type { Conversation } from '../../src/clients/driver/model.ts';
import { expected } from '../clients/expectations.ts';
import { clientOf, MOMENTS } from '../support/runner/clients.ts';
import { CLIENTS, type Client } from './clients.ts';
import { addHooks } from './entries.ts';
import { delivery, record } from './matrix.ts';
import { install, mcpHooks, tree } from './ours.ts';
import { probe } from './probe.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const PROMPTS = ['PROMPT-ONE'];
const run = (client: Client) =>
  client.run({ ...place, prompts: PROMPTS, steps: [{ text: 'answer' }] });

/** How often the request with this number holds a text. */
const times = (conversation: Conversation, needle: string, request: number) =>
  JSON.stringify(conversation.requests[request - 1]?.body).split(needle).length - 1;

describe.each(Object.values(CLIENTS))('$id', (client) => {
  test("five labels and the user's own hook add their texts; after each uninstall the rest still do", async () => {
    client.prepare(place);
    const { readsAll } = expected[client.id].real;
    const own = probe(place.files, {
      [readsAll]: Array.from({ length: 20 }, () => ({
        ...expected[client.id].answers.tell(readsAll, 'OWN'),
      })),
    });
    addHooks(client.id, place.home, [readsAll], own.command);
    const declarations = [{ event: 'pre_request', context: 'OURS', priority: 'important' }];
    await install(place, client, { name: 'annal', hooks: { declarations } });
    await install(place, client, {
      name: 'other',
      hooks: { declarations: [{ ...declarations[0], context: 'OTHER' }] },
    });
    const more = ['third', 'fourth', 'fifth'];
    for (const name of more)
      await install(place, client, {
        name,
        hooks: { declarations: [{ ...declarations[0], context: `OF-${name}` }] },
      });
    const both = await run(client);
    for (const name of more) {
      expect([name, both.conversation.first(`OF-${name}`)?.request]).toEqual([name, 1]);
      await mcpHooks(place, 'uninstall', name, '--yes');
    }
    expect(both.conversation.first('OWN')?.request).toBe(1);
    expect(both.conversation.first('OURS')?.request).toBe(1);
    expect(both.conversation.first('OTHER')?.request).toBe(1);
    const { conversation } = both;
    const all = { place, client, conversation, prompts: PROMPTS };
    const seen = (label: string, text: string) => delivery({ ...all, label }, text);
    expect(seen('other', 'OTHER')).toEqual(seen('annal', 'OURS'));
    record(client, 'two labels', seen('annal', 'OURS'));

    await mcpHooks(place, 'uninstall', 'annal', '--yes');
    const one = await run(client);
    expect(one.conversation.requestsWith('OURS')).toEqual([]);
    // Also in Codex, and without a new review: both groups have kept their positions.
    expect(one.conversation.first('OWN')?.request).toBe(1);
    expect(one.conversation.first('OTHER')?.request).toBe(1);

    await mcpHooks(place, 'uninstall', 'other', '--yes');
    const none = await run(client);
    expect(none.conversation.first('OWN')?.request).toBe(1);
    expect(none.conversation.requestsWith('OTHER')).toEqual([]);
    expect(existsSync(join(place.home, '.mcp-hooks'))).toBe(false);
    record(client, 'own hook', { by: readsAll });
    record(client, 'uninstall', { holds: 'yes' });
  });

  test('an uninstall before the client ran restores every byte', async () => {
    client.prepare(place);
    const before = tree(place.home);
    const declarations = [{ event: 'pre_request', context: 'OURS', priority: 'important' }];
    const file = join(place.files, 'annal.json');
    writeFileSync(file, JSON.stringify({ hooks: { declarations } }));
    await mcpHooks(place, 'install', file, '--client', client.id, '--yes');
    expect(tree(place.home)).not.toEqual(before);
    await mcpHooks(place, 'uninstall', 'annal', '--yes');
    expect(tree(place.home)).toEqual(before);
  });
});

/** The clients that read only the answer of the last hook. */
const REPEATING = Object.values(CLIENTS).filter(
  ({ id }) => wireOf(clientOf(id), MOMENTS.prompt[id].event).repeats,
);
describe.each(REPEATING)('$id', (client) => {
  const LABELS = ['annal', 'ledger', 'zebra'];
  const installAll = async (event: 'pre_request' | 'post_request', ...flags: string[]) => {
    for (const name of LABELS) {
      const declarations = [{ event, context: `OF-${name}.`, priority: 'important' }];
      await install(place, client, { name, hooks: { declarations } }, ...flags);
    }
  };
  const shown = (conversation: Conversation, request: number, texts: readonly string[]) =>
    texts.map((text) => times(conversation, text, request));

  const { folder, byHand } = expected[client.id];
  test.each([byHand, `${folder}/settings.json`])(
    'three labels and a hook of the user in %s: each text is shown once with a prompt',
    async (file) => {
      client.prepare(place);
      await installAll('pre_request');
      const own = { command: `echo '{"additionalContext":"OWN."}'` };
      const path = join(place.home, file);
      writeFileSync(path, JSON.stringify({ hooks: { UserPromptSubmit: [own] } }));
      const { conversation } = await client.run({
        ...place,
        prompts: ['PROMPT-ONE "é" \\ <b>'],
        steps: [{ text: 'answer' }],
      });
      const texts = ['PROMPT-ONE', 'OWN.', ...LABELS.map((name) => `OF-${name}.`)];
      expect(shown(conversation, 1, texts)).toEqual([1, 1, 1, 1, 1]);
      expect(conversation.first('PROMPT-ONE')?.text).toContain('PROMPT-ONE "é" \\ <b>');
    },
  );

  const ends = 'three labels at the end of a turn: each text is shown once, in one more turn';
  test.skipIf(expected[client.id].asksNothing)(ends, async () => {
    client.prepare(place);
    await installAll('post_request', '--act-now');
    const { conversation } = await client.run({
      ...place,
      prompts: PROMPTS,
      steps: [{ text: 'answer' }, { text: 'more' }],
    });
    expect(conversation.requests).toHaveLength(2);
    const texts = LABELS.map((name) => `OF-${name}.`);
    expect(shown(conversation, 2, texts)).toEqual([1, 1, 1]);
  });
});
