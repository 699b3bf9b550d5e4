/**
 * What a command learns about the session at a compaction and at its end, in every client, from what the client has recorded.
 */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import {
  type ClientId,
  clientOf,
  type Each,
  each,
  eachAsync,
  type Payload,
  recorded,
} from '../support/runner/clients.ts';
import { install, root, type World } from '../support/runner/world.ts';

/** Of a real session: a prompt with two calls and, but for Gemini CLI, one with another call. */
const transcript = (id: ClientId) => join(root, 'fixtures/transcripts', `${id}.jsonl`);
const BEGAN: Each<string> = {
  'claude-code': '2026-11-23T03:17:31.039Z',
  codex: '2026-11-23T03:17:38.944Z',
  'gemini-cli': '2026-11-23T03:17:46.276Z',
  'copilot-cli': '2026-11-23T03:18:09.253Z',
};

const FIELDS = [
  'conversation_summary',
  'key_decisions',
  'remaining_context_tokens',
  'duration_seconds',
  'tool_calls',
  'tokens_used',
  'estimated',
];

const BUDGET = { event: 'budget_exceeded', context: 'Over.', budget: { tokens: 160_000 } };

const TELL = ['sh', '-c', 'cat >told.json'];

/** A command for the event, next to other hooks, that records its input. */
function world(event: string, ...others: object[]): World {
  return install({
    hooks: [],
    manifest: JSON.stringify({
      version: 2,
      name: 'annal',
      hooks: { declarations: [{ event, command: TELL }, ...others] },
    }),
    defaults: { ...RULES, command: true, projectCode: true },
  });
}

let sessions = 0;
/** All that the command is told on a native event of a client. */
async function allTold(
  at: World,
  id: ClientId,
  native: string,
  changes: Payload,
  more: Readonly<Record<string, string>> = {},
) {
  const cwd = join(at.cwd, id); // they fire side by side
  for (const one of ['objects', 'refs']) mkdirSync(join(cwd, '.git', one), { recursive: true });
  writeFileSync(join(cwd, '.git/HEAD'), 'ref: refs/heads/main\n');
  const file = join(cwd, 'told.json');
  writeFileSync(file, '{}');
  const session = `s-${sessions++}`;
  const env = { PATH: process.env.PATH ?? '', HOME: join(at.folder, 'home'), ...more };
  await at.fire(id, native, recorded(id, native, { cwd, session, ...changes }), { env });
  const all: Payload = JSON.parse(readFileSync(file, 'utf8'));
  expect(all).toHaveProperty('sessionId');
  return all;
}

/** Of it, the fields of the session. */
async function told(...given: Parameters<typeof allTold>): Promise<Payload> {
  const all = await allTold(...given);
  return Object.fromEntries(FIELDS.filter((key) => key in all).map((key) => [key, all[key]]));
}

const nativeOf = (event: Event, id: ClientId): string => {
  const { tool, text } = clientOf(id).lowering[event] ?? {};
  return (tool ?? text)?.on[0]?.native ?? '';
};

/** The inputs of a memory server's own design: of the same names and kinds, whatever else is there. */
test('what subcog reads is there, but for what no client says', async () => {
  const inputs: Readonly<Record<string, Payload>> = JSON.parse(
    readFileSync(join(root, 'fixtures/lifecycle/subcog/inputs.json'), 'utf8'),
  );
  const EVENTS: Readonly<Record<string, Event>> = {
    SessionStart: 'session_start',
    UserPromptSubmit: 'pre_request',
    PostToolUse: 'post_tool_use',
    PreCompact: 'pre_compact',
    Stop: 'session_end',
  };
  const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
  const missing = await eachAsync(async (id) => {
    const found: string[] = [];
    for (const [name, input] of Object.entries(inputs)) {
      const event = EVENTS[name];
      if (!event) throw new Error(name);
      const all = await allTold(world(event, BUDGET), id, nativeOf(event, id), {
        transcript: transcript(id),
        ...(id === 'gemini-cli' && event === 'pre_compact' && { trigger: 'manual' }),
      });
      for (const [key, value] of Object.entries(input))
        if (key === 'hook' ? all[key] !== value : kindOf(all[key]) !== kindOf(value))
          found.push(`${name}.${key}: ${key === 'hook' ? all[key] : kindOf(all[key])}`);
    }
    return found;
  });
  const always = [
    'PreCompact.conversation_summary: undefined',
    'PreCompact.key_decisions: undefined',
    'Stop.hook: SessionEnd',
  ];
  // A tool's output may be an object.
  expect(missing).toEqual({
    'claude-code': ['PostToolUse.tool_output: object', ...always],
    codex: always,
    'gemini-cli': always,
    'copilot-cli': always,
  });
});

test('at the end: how long it was, how many calls, and what the context holds', async () => {
  const at = world('session_end');
  const atEnd = await eachAsync(async (id) => {
    const session = '482e785c-aaa7-4ebb-82ea-ca0f79139aef';
    // It does not say at the end where that is.
    const own = join(at.folder, 'home/.copilot/session-state', session, 'events.jsonl');
    mkdirSync(dirname(own), { recursive: true });
    copyFileSync(transcript('copilot-cli'), own);
    // This shows that everything before it has been recorded.
    const { timestamp } = recorded('copilot-cli', 'SessionEnd');
    appendFileSync(own, `${JSON.stringify({ type: 'hook.start', timestamp })}\n`);
    const where = id === 'copilot-cli' ? {} : { transcript: transcript(id) };
    const { duration_seconds, ...rest } = await told(at, id, nativeOf('session_end', id), {
      session,
      ...where,
    });
    const seconds = (Date.now() - Date.parse(BEGAN[id])) / 1000;
    expect(Math.abs(seconds - Number(duration_seconds))).toBeLessThan(10);
    return rest;
  });
  expect(atEnd).toEqual({
    'claude-code': { tool_calls: 3, tokens_used: 5005 },
    codex: { tool_calls: 3, tokens_used: 5005 },
    'gemini-cli': { tool_calls: 2, tokens_used: 3005 },
    'copilot-cli': { tool_calls: 3, tokens_used: 5005 },
  });
});

test('a client that does not write it down in time: what is there is called an estimate', async () => {
  const at = world('session_end');
  const late = join(at.folder, 'late.jsonl');
  copyFileSync(transcript('copilot-cli'), late);
  // Of an earlier event.
  const hook = { type: 'hook.start', timestamp: '2026-11-23T03:18:10.000Z' };
  appendFileSync(late, `${JSON.stringify(hook)}\n`);
  for (const file of [transcript('copilot-cli'), late]) {
    const { estimated } = await told(at, 'copilot-cli', 'SessionEnd', { transcript: file });
    expect(estimated).toEqual(['tool_calls', 'tokens_used']);
  }
});

test('a client that does not say where its transcript is: in its folder, and nowhere else', async () => {
  const at = world('session_end');
  const folder = join(at.folder, 'elsewhere');
  const put = (path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(transcript('copilot-cli'), path);
  };
  put(join(folder, 'session-state/s-own/events.jsonl'));
  put(join(folder, 'other/events.jsonl'));
  const calls = async (session: string) => {
    const found = await told(
      at,
      'copilot-cli',
      'SessionEnd',
      { session },
      { COPILOT_HOME: folder },
    );
    return found.tool_calls;
  };
  expect([await calls('s-own'), await calls('../other'), await calls('s-no')]).toEqual([
    3,
    undefined,
    undefined,
  ]);
});

test('of a long transcript, when it began; of a clock that was wrong, no time at all', async () => {
  const at = world('session_end');
  const end = async (text: string) => {
    const file = join(at.folder, 'transcript.jsonl');
    writeFileSync(file, text);
    return told(at, 'claude-code', 'SessionEnd', { transcript: file });
  };
  const text = readFileSync(transcript('claude-code'), 'utf8');
  const later = `${'x'.repeat(999)}\n`.repeat(34_000);
  const { duration_seconds, ...rest } = await end(`${text}${later}`);
  expect(duration_seconds).toBeGreaterThan(0);
  expect(rest).toEqual({ tokens_used: expect.any(Number), estimated: ['tokens_used'] });
  expect(await end(text.replaceAll('2026-', '2999-'))).toMatchObject({ duration_seconds: 0 });
});

test('before a compaction: what is left of what the client says, or else of the budget', async () => {
  const [alone, budget] = [world('pre_compact'), world('pre_compact', BUDGET)];
  const left = (at: World) =>
    eachAsync((id) =>
      told(at, id, nativeOf('pre_compact', id), {
        transcript: transcript(id),
        // Gemini CLI's own is before each request.
        ...(id === 'gemini-cli' && { trigger: 'manual' }),
      }),
    );
  const estimated = ['remaining_context_tokens'];
  const known = {
    codex: { remaining_context_tokens: 258_400 - 5005, estimated },
    'copilot-cli': { remaining_context_tokens: 128_000 - 5005, estimated },
  };
  expect(await left(alone)).toEqual({ ...known, 'claude-code': {}, 'gemini-cli': {} });
  // What the client has said last.
  const file = join(alone.folder, 'transcript-codex');
  const last = {
    type: 'event_msg',
    payload: { type: 'token_count', info: { model_context_window: 100_000 } },
  };
  writeFileSync(file, readFileSync(transcript('codex'), 'utf8') + JSON.stringify(last));
  const native = nativeOf('pre_compact', 'codex');
  expect(await told(alone, 'codex', native, { transcript: file })).toEqual({
    remaining_context_tokens: 100_000 - 5005,
    estimated,
  });
  expect(await left(budget)).toEqual({
    ...known,
    'claude-code': { remaining_context_tokens: 160_000 - 5005, estimated },
    'gemini-cli': { remaining_context_tokens: 160_000 - 3005, estimated },
  });
});

test('at every event: how much of the budget is used, if there is one', async () => {
  const [alone, budget] = [world('post_tool_use'), world('post_tool_use', BUDGET)];
  const used = (at: World, more: Payload = {}) =>
    eachAsync(async (id) => {
      const native = nativeOf('post_tool_use', id);
      return (await allTold(at, id, native, { transcript: transcript(id), ...more })).budget;
    });
  const none = each(() => undefined);
  expect(await used(alone)).toEqual(none);
  expect(await used(budget, { transcript: join(alone.folder, 'none') })).toEqual(none);
  const of = (usedTokens: number, percent: number) => ({
    ...{ usedTokens, effectiveLimit: 160_000, percent, estimated: false },
  });
  expect(await used(budget)).toEqual({ ...each(() => of(5005, 3)), 'gemini-cli': of(3005, 1) });
});

test('a call that was written down twice is one', async () => {
  const at = world('session_end');
  const calls = await eachAsync(async (id) => {
    const file = join(at.folder, `transcript-${id}`);
    const text = readFileSync(transcript(id), 'utf8');
    writeFileSync(file, `${text}${text}`);
    return (await told(at, id, nativeOf('session_end', id), { transcript: file })).tool_calls;
  });
  expect(calls).toEqual({ 'claude-code': 3, codex: 3, 'gemini-cli': 2, 'copilot-cli': 3 });
});

test('several calls on a line are several, whatever names they have', async () => {
  const calls = [{ id: 'a' }, { id: 'b' }];
  const written: Each<readonly object[]> = {
    'claude-code': [
      {
        type: 'assistant',
        message: { id: 'm', content: calls.map((one) => ({ type: 'tool_use', ...one })) },
      },
    ],
    codex: [
      { type: 'response_item', payload: { type: 'function_call', call_id: 'a', id: 'x' } },
      { type: 'response_item', payload: { type: 'function_call', call_id: 'a', id: 'y' } },
      { type: 'response_item', payload: { type: 'web_search_call', id: 'b' } },
    ],
    'gemini-cli': [{ $set: { messages: [{ toolCalls: calls }] } }],
    'copilot-cli': calls.map(({ id }) => ({
      type: 'tool.execution_start',
      data: { toolCallId: id },
    })),
  };
  // At the end of a turn as at that of the session.
  const at = world('session_end', { event: 'post_request', command: TELL, may: ['block'] });
  const found = await eachAsync(async (id) => {
    const file = join(at.folder, `transcript-${id}`);
    writeFileSync(file, written[id].map((one) => JSON.stringify(one)).join('\n'));
    return (await told(at, id, nativeOf('post_request', id), { transcript: file })).tool_calls;
  });
  expect(found).toEqual(each(() => 2));
});

test('a transcript that is not there, is empty, or is no transcript says nothing', async () => {
  const at = world('session_end', BUDGET);
  const end = (text: string) =>
    eachAsync((id) => {
      const file = join(at.folder, `transcript-${id}`);
      writeFileSync(file, text);
      return told(at, id, nativeOf('session_end', id), { transcript: file });
    });
  const missing = await eachAsync((id) =>
    told(at, id, nativeOf('session_end', id), { transcript: '/no/such/file' }),
  );
  expect(missing).toEqual(each(() => ({})));
  const estimated = each((id) =>
    id === 'copilot-cli' ? ['tool_calls', 'tokens_used'] : ['tokens_used'],
  );
  const all = (tokens_used: number) =>
    each((id) => ({ tool_calls: 0, tokens_used, estimated: estimated[id] }));
  expect(await end('')).toEqual(all(0));
  const lines = [
    'null',
    '[]',
    '{"timestamp":{},"startTime":[],"type":"tool.execution_start"}',
    '{"type":"assistant","message":{"content":{"type":"tool_use"}}}',
    '{"type":"response_item","payload":{"type":"function_call"}}',
    '{"toolCalls":[null,1,{}]}',
    '{"not json',
  ];
  const strange = await end(lines.join('\n'));
  expect(strange).toEqual(all(57));
});
