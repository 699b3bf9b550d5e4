/** Hooks for notifications in every client, with recorded payloads: when they run, what they read, and that they answer nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { expected } from '../clients/expectations.ts';
import {
  type ClientId,
  each,
  eachAsync,
  IDS,
  type Payload,
  recorded,
} from '../support/runner/clients.ts';
import { install } from '../support/runner/world.ts';

/** Answers of a program in every convention. None of them may reach a client that asks its user. */
const ANSWERS = [
  { decision: 'block', reason: 'No.' },
  { decision: 'approve', continue: false, stopReason: 'No.', systemMessage: 'Hello.' },
  { hookSpecificOutput: { permissionDecision: 'allow', additionalContext: 'Hello.' } },
  { hookSpecificOutput: { decision: { behavior: 'allow' } } },
  { action: 'modify', modifiedInput: { command: 'true' } },
];

const world = (...declarations: object[]) =>
  install({
    hooks: [],
    manifest: JSON.stringify({ version: 2, name: 'annal', hooks: { declarations } }),
    defaults: { ...RULES, block: true, modify: true, command: true, projectCode: true },
  });

const hook = (file: string, more: object = {}, answer: object = {}) => ({
  event: 'notification',
  command: ['sh', '-c', `cat >${file}; printf '%s' '${JSON.stringify(answer)}'`],
  ...more,
});

const nativeOf = (recording: string): string => recording.split('.')[0] ?? '';

test('each hook runs for its kind of notification, and reads what the client waits for', async () => {
  const read = await eachAsync(async (id) => {
    const rows = [];
    for (const { recording } of expected[id].notices) {
      const at = world(
        hook('any.json'),
        hook('prompt.json', { matcher: { waits_for: 'prompt' } }),
        hook('permission.json', { matcher: { waits_for: 'permission' } }),
      );
      const answer = await at.fire(
        id,
        nativeOf(recording),
        recorded(id, recording, { cwd: at.cwd }),
      );
      expect(answer).toBe('');
      const ran = ['prompt', 'permission'].filter((one) => existsSync(join(at.cwd, `${one}.json`)));
      const any = join(at.cwd, 'any.json');
      const { waits_for, notification_type, message, hook_event_name }: Payload = existsSync(any)
        ? JSON.parse(readFileSync(any, 'utf8'))
        : {};
      rows.push({ recording, ran, waits_for, notification_type, message, hook_event_name });
    }
    return rows;
  });
  const types: Payload = { prompt: 'idle_prompt', permission: 'permission_prompt' };
  expect(read).toEqual(
    each((id) =>
      expected[id].notices.map(({ recording, waitsFor, message }) => ({
        recording,
        ran: waitsFor ? [waitsFor] : [],
        waits_for: waitsFor,
        notification_type: waitsFor && types[waitsFor],
        message,
        hook_event_name: waitsFor && 'Notification',
      })),
    ),
  );
});

test.each(ANSWERS)('no answer reaches a client: %j', async (answer) => {
  const decides = { may: ['block', 'modify'], on_failure: 'deny' };
  const at = world(hook('a.json', decides, answer), {
    ...hook('b'),
    ...decides,
    command: ['false'],
  });
  const answers = await eachAsync(async (id) => {
    const said = [];
    for (const { recording } of expected[id].notices)
      said.push(await at.fire(id, nativeOf(recording), recorded(id, recording, { cwd: at.cwd })));
    return said;
  });
  expect(answers).toEqual(each((id) => expected[id].notices.map(() => '')));
});

test('two questions in one turn are two notifications', async () => {
  const at = world({ event: 'notification', command: ['sh', '-c', 'echo >>asked'] });
  const asks = IDS.flatMap((id) => {
    const { recording } = expected[id].notices.find((one) => one.waitsFor === 'permission') ?? {};
    return recording === undefined ? [] : [[id, recording] as const];
  });
  for (const [id, recording] of asks)
    for (const session of ['a', 'a'])
      await at.fire(id, nativeOf(recording), recorded(id, recording, { cwd: at.cwd, session }));
  expect(readFileSync(join(at.cwd, 'asked'), 'utf8')).toBe('\n'.repeat(2 * asks.length));
});

test('a secret in the text or the call is masked', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const at = world(hook('told.json'));
  const told = async (id: ClientId, name: string, changes: Payload) => {
    await at.fire(id, name, { ...recorded(id, name, { cwd: at.cwd }), ...changes });
    return readFileSync(join(at.cwd, 'told.json'), 'utf8');
  };
  const asked = { message: `May I run: export TOKEN=${secret}` };
  for (const id of IDS)
    for (const { recording, waitsFor } of expected[id].notices.filter((one) => one.message))
      if (waitsFor) expect(await told(id, recording, asked)).not.toContain(secret);
});

test('a text does nothing, nor does a hook for questions in a client without them', () => {
  const asks = (id: ClientId) => expected[id].notices.some((one) => one.waitsFor === 'permission');
  const { compiled } = world(
    { event: 'notification', context: 'Hello.' },
    hook('a', { matcher: { waits_for: 'permission' } }),
  );
  const planned = each((id) =>
    compiled[id].hooks.map(({ grade, when }) => `${grade} ${when.code}`),
  );
  expect(planned).toEqual(
    each((id) => ['none text-not-read', asks(id) ? 'exact told' : 'none no-such-moment']),
  );
});
