// A client that also runs the hooks that a project has for another client: the model reads each text once.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expected } from '../clients/expectations.ts';
import type { ClientId } from '../support/runner/clients.ts';
import { CLIENTS } from './clients.ts';
import { install, mcpHooks } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const TEXTS = ['AT-START', 'WITH-PROMPT', 'AFTER-CALL'];
const declarations = [
  { event: 'session_start', context: 'AT-START', priority: 'important' },
  { event: 'pre_request', context: 'WITH-PROMPT', priority: 'important' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash' },
    context: 'AFTER-CALL',
    priority: 'important',
  },
];
const MANIFEST = { name: 'annal', hooks: { declarations } };

const HOSTS = Object.values(CLIENTS).flatMap((client) => {
  const { runsHooksOf: other } = expected[client.id].real;
  return other ? [{ id: client.id, client, other }] : [];
});

describe.each(HOSTS)('$id', ({ client, other }) => {
  /** How often the model has read each text by the end of a session. */
  async function told(): Promise<number[]> {
    const { conversation, exitCode } = await client.run({
      ...place,
      prompts: ['PROMPT-ONE'],
      steps: [{ shell: 'echo one' }, { text: 'done' }],
    });
    expect(exitCode).toBe(0);
    const last = JSON.stringify(conversation.requests.at(-1)?.body);
    return TEXTS.map((text) => last.split(text).length - 1);
  }
  const installFor = (id: ClientId, ...scope: string[]) =>
    install(place, CLIENTS[id], MANIFEST, '--scope', ...scope);

  test(`of ${other} alone`, async () => {
    client.prepare(place);
    await installFor(other, 'project');
    expect(await told()).toEqual([1, 1, 1]);
    await mcpHooks(place, 'uninstall', 'annal', '--yes', '--scope', 'project');
    expect(await told()).toEqual([0, 0, 0]);
  });

  test.each(['project', 'user'])('with hooks of its own in scope %s', async (scope) => {
    client.prepare(place);
    await installFor(other, 'project');
    await installFor(client.id, scope);
    expect(await told()).toEqual([1, 1, 1]);
  });
});
