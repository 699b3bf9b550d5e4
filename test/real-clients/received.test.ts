// What the model of a real client reads after a commit, and what it then does. The README's picture shows the first client.
// `UPDATE_MATRIX=1 npm run test:clients` writes what it shows.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Passage } from '../../src/clients/driver/apis/model-api.ts';
import { expected } from '../clients/expectations.ts';
import { RECEIVED, type Received } from '../support/recording.ts';
import { CLIENTS } from './clients.ts';
import { install } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/commit-reminder.json');
const NOTE = 'Note from the MCP server "commit-reminder"';
const PROMPT = 'Commit the search.';
const COMMIT = 'git commit --allow-empty -m "Add a search"';
const CHANGELOG = 'echo "- Add a search." >> CHANGELOG.md';
const ANSWER = 'Committed, and noted in the changelog.';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

test.each(Object.values(CLIENTS))(
  'a note reaches the model of $id after a commit',
  async (client) => {
    client.prepare(place);
    await install(place, client, JSON.parse(readFileSync(EXAMPLE, 'utf8')));
    const { tellsLater } = expected[client.id].real;
    const steps = [{ shell: COMMIT }, { shell: CHANGELOG }, { text: ANSWER }];
    const { conversation, stepsLeft } = await client.run({
      ...place,
      prompts: [PROMPT, ...(tellsLater ? ['And now?'] : [])],
      steps: [...steps, ...(tellsLater ? [{ text: 'Nothing.' }] : [])],
    });
    const read = conversation.requestsWith(NOTE)[0];
    expect([stepsLeft, read]).toEqual([0, tellsLater ? steps.length + 1 : 2]);
    expect(readFileSync(join(place.project, 'CHANGELOG.md'), 'utf8')).toBe('- Add a search.\n');

    if (client.id !== Object.values(CLIENTS)[0]?.id) return;
    const passages = conversation.requests.at(-1)?.passages ?? [];
    const asked = passages.findIndex(({ text }) => text === PROMPT);
    const messages: Received['messages'] = [
      ...passages.slice(asked).flatMap((passage) => messageOf(passage) ?? []),
      { from: 'model', text: ANSWER },
    ];
    const received: Received = { client: client.id, version: client.version, messages };
    if (process.env.UPDATE_MATRIX)
      writeFileSync(RECEIVED, `${JSON.stringify(received, null, 2)}\n`);
    expect(received).toEqual(JSON.parse(readFileSync(RECEIVED, 'utf8')));
  },
);

/** Undefined if the passage is not from the user, the model, the shell or the hook. */
function messageOf({ kind, text }: Passage): Received['messages'][number] | undefined {
  const note = new RegExp(`${NOTE}.*\n(?:\\|.*\n)*`).exec(`${text}\n`)?.[0];
  if (note !== undefined) return { from: 'hook', text: note.trimEnd() };
  if (text === PROMPT) return { from: 'user', text };
  const command = [COMMIT, CHANGELOG].find((one) => text.includes(one));
  if (kind === 'call' && command !== undefined) return { from: 'model', text: `$ ${command}` };
  // The hash differs from run to run.
  const output = /\[main.*/.exec(text)?.[0].replace(/[0-9a-f]{7}(?=\])/, '1a2b3c4');
  return kind === 'result' && output !== undefined ? { from: 'shell', text: output } : undefined;
}
