/**
 * What a command learns about the session at a compaction and at its end, in every client, from the client's own records.
 */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { expected, isNever } from '../clients/expectations.ts';
import {
  type ClientId,
  clientOf,
  each,
  eachAsync,
  type Payload,
  recorded,
  WRITING,
  written,
} from '../support/runner/clients.ts';
import { install, root, type World } from '../support/runner/world.ts';

/** From a real session: a prompt with two calls and, except in Gemini CLI, a prompt with one more call. */
const transcript = (id: ClientId) => join(root, 'fixtures/transcripts', `${id}.jsonl`);
/** The clients with a transcript. The payloads of the others have all the facts. */
const ofWriting = <T>(make: (id: ClientId) => T) => each(make, WRITING);
const eachWriting = <T>(make: (id: ClientId) => Promise<T>) => eachAsync(make, WRITING);
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
/** The input of the command at a native event of a client. */
async function allTold(
  at: World,
  id: ClientId,
  native: string,
  changes: Payload,
  more: Readonly<Record<string, string>> = {},
) {
  const cwd = join(at.cwd, id); // the clients fire in parallel
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

/** The fields about the session in that input. */
async function told(...given: Parameters<typeof allTold>): Promise<Payload> {
  const all = await allTold(...given);
  return Object.fromEntries(FIELDS.filter((key) => key in all).map((key) => [key, all[key]]));
}

const nativeOf = (event: Event, id: ClientId): string => {
  const { tool, text } = clientOf(id).lowering[event] ?? {};
  return (tool ?? text)?.on[0]?.native ?? '';
};

/** The inputs that a memory server defines. Ours have the same names and types, among others. */
test('the input has all that subcog reads, except what no client sends', async () => {
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
      if (isNever(id, event)) continue;
      const all = await allTold(world(event, BUDGET), id, nativeOf(event, id), {
        transcript: transcript(id),
        ...(event === 'pre_compact' && expected[id].compaction?.asked),
      });
      for (const [key, value] of Object.entries(input))
        if (key === 'hook' ? all[key] !== value : kindOf(all[key]) !== kindOf(value))
          found.push(`${name}.${key}: ${key === 'hook' ? all[key] : kindOf(all[key])}`);
    }
    return found.sort();
  });
  const inCompactions = [
    'PreCompact.conversation_summary: undefined',
    'PreCompact.key_decisions: undefined',
  ];
  expect(missing).toEqual(
    each((id) =>
      [
        ...expected[id].otherKinds,
        ...(isNever(id, 'pre_compact') ? [] : inCompactions),
        'Stop.hook: SessionEnd',
      ].sort(),
    ),
  );
});

test('at the end of a session: its duration, its number of calls, and the size of its context', async () => {
  const at = world('session_end');
  const ended = await eachWriting(async (id) => {
    const session = '482e785c-aaa7-4ebb-82ea-ca0f79139aef';
    const { began, atEnd } = written(id).transcript;
    if (atEnd) {
      const file = atEnd.file.replace('{session}', session);
      const own = join(at.folder, 'home', expected[id].folder, file);
      mkdirSync(dirname(own), { recursive: true });
      copyFileSync(transcript(id), own);
      appendFileSync(own, `${JSON.stringify(atEnd.lastLine)}\n`);
    }
    const where = atEnd ? {} : { transcript: transcript(id) };
    const { duration_seconds, ...rest } = await told(at, id, nativeOf('session_end', id), {
      session,
      ...where,
    });
    const seconds = (Date.now() - Date.parse(began)) / 1000;
    expect(Math.abs(seconds - Number(duration_seconds))).toBeLessThan(10);
    return rest;
  });
  expect(ended).toEqual(
    ofWriting((id) => {
      const { calls, tokens, estimated } = written(id).transcript;
      const estimates = estimated && { estimated: ['tokens_used'] };
      return { tool_calls: calls, tokens_used: tokens, ...estimates };
    }),
  );
});

/** The clients that do not name the transcript at the end of a session. */
const ELSEWHERE = WRITING.flatMap((id) => {
  const { atEnd } = written(id).transcript;
  return atEnd ? [{ id, ...atEnd }] : [];
});
/** Those that also write it late. */
const LATE = ELSEWHERE.filter(({ lastLine }) => lastLine);

test.each(LATE)(
  'numbers from the unfinished transcript of $id are called estimates',
  async (one) => {
    const { id, lastLine } = one;
    const at = world('session_end');
    const late = join(at.folder, 'late.jsonl');
    copyFileSync(transcript(id), late);
    // The last line of an earlier event.
    appendFileSync(late, JSON.stringify({ ...lastLine, timestamp: '2026-11-23T03:18:10.000Z' }));
    for (const file of [transcript(id), late]) {
      const native = nativeOf('session_end', id);
      const { estimated } = await told(at, id, native, { transcript: file });
      expect(estimated).toEqual(['tool_calls', 'tokens_used']);
    }
  },
);

test.each(ELSEWHERE)(
  '$id: a transcript is found in its folder, and nowhere else',
  async ({ id, file }) => {
    const at = world('session_end');
    const folder = join(at.folder, 'elsewhere');
    const put = (path: string) => {
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(transcript(id), path);
    };
    put(join(folder, file.replace('{session}', 's-own')));
    put(join(folder, file.replace('{session}', '../other')));
    const calls = async (session: string) => {
      const native = nativeOf('session_end', id);
      return (await told(at, id, native, { session }, { [expected[id].variable]: folder }))
        .tool_calls;
    };
    expect([await calls('s-own'), await calls('../other'), await calls('s-no')]).toEqual([
      written(id).transcript.calls,
      undefined,
      undefined,
    ]);
  },
);

test('a duration is known from a long transcript, and is 0 if the clock was wrong', async () => {
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

test('before a compaction: what is left of the window that the client reports, or else of the budget', async () => {
  const [alone, budget] = [world('pre_compact'), world('pre_compact', BUDGET)];
  const left = (at: World) =>
    eachWriting(async (id) =>
      isNever(id, 'pre_compact')
        ? undefined
        : told(at, id, nativeOf('pre_compact', id), {
            transcript: transcript(id),
            ...expected[id].compaction?.asked,
          }),
    );
  const estimated = ['remaining_context_tokens'];
  const leftOf = (window: number | undefined, tokens: number) =>
    window === undefined ? {} : { remaining_context_tokens: window - tokens, estimated };
  const known = (budget?: number) =>
    ofWriting((id) => {
      const { window = budget, tokens } = written(id).transcript;
      return isNever(id, 'pre_compact') ? undefined : leftOf(window, tokens);
    });
  expect(await left(alone)).toEqual(known());
  // The last report of the client counts.
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
  expect(await left(budget)).toEqual(known(160_000));
});

test('at every event: how much of the budget is used, if there is one', async () => {
  const [alone, budget] = [world('post_tool_use'), world('post_tool_use', BUDGET)];
  const used = (at: World, more: Payload = {}) =>
    eachWriting(async (id) => {
      const native = nativeOf('post_tool_use', id);
      return (await allTold(at, id, native, { transcript: transcript(id), ...more })).budget;
    });
  const none = ofWriting(() => undefined);
  expect(await used(alone)).toEqual(none);
  expect(await used(budget, { transcript: join(alone.folder, 'none') })).toEqual(none);
  const of = ({
    tokens: usedTokens,
    estimated = false,
  }: ReturnType<typeof written>['transcript']) => ({
    ...{ usedTokens, effectiveLimit: 160_000, estimated },
    percent: Math.floor(usedTokens / 1600),
  });
  expect(await used(budget)).toEqual(ofWriting((id) => of(written(id).transcript)));
});

test('the budget of a block warns with the result of a call, and blocks the next prompt', async () => {
  const budget = { tokens: 100_000, warn: 70, fire: 80 };
  const at = install({
    hooks: [],
    manifest: JSON.stringify({
      version: 2,
      name: 'annal',
      hooks: { declarations: [{ event: 'budget_exceeded', block: 'Full.', budget }] },
    }),
    defaults: { ...RULES, block: true },
  });
  const shown = (after: readonly number[]) =>
    eachWriting(async (id) => {
      const session = `s-${sessions++}`;
      const file = join(at.folder, `spent-${session}`);
      const blocking = clientOf(id).lowering.budget_exceeded?.decide?.block?.on;
      const said: string[] = [];
      const fire = async (native: string, moment: object) => {
        const stdout = await at.fire(id, native, recorded(id, native, { session, ...moment }), {
          env: { PATH: process.env.PATH ?? '', HOME: join(at.folder, 'home') },
        });
        const isTold = stdout.includes('| Full.');
        said.push(isTold ? 'told' : stdout.includes('Full.') ? 'blocked' : '-');
      };
      for (const [nth, tokens] of after.entries()) {
        writeFileSync(file, `${JSON.stringify(written(id).writes.answer(tokens))}\n`);
        const timestamp = new Date(Date.UTC(2026, 0, 1, 0, nth)).toISOString();
        const call = { transcript: file, timestamp, tool_use_id: `c-${nth}` };
        await fire(nativeOf('post_tool_use', id), call);
      }
      if (blocking) await fire(blocking, { transcript: file });
      return said.join();
    });
  const blocks = (said: string, none: string) =>
    ofWriting((id) => {
      if (!clientOf(id).lowering.budget_exceeded?.decide?.block) return none;
      return expected[id].real.tellsLater ? said.replace('told', '-') : said;
    });
  expect(await shown([60_000, 75_000, 76_000, 86_000])).toEqual(
    blocks('-,told,-,-,blocked', '-,-,-,-'),
  );
  // From below the warning to above the limit.
  expect(await shown([60_000, 86_000, 87_000])).toEqual(blocks('-,told,-,blocked', '-,-,-'));
});

test('a call that was recorded twice counts once', async () => {
  const at = world('session_end');
  const calls = await eachWriting(async (id) => {
    const file = join(at.folder, `transcript-${id}`);
    const text = readFileSync(transcript(id), 'utf8');
    writeFileSync(file, `${text}${text}`);
    return (await told(at, id, nativeOf('session_end', id), { transcript: file })).tool_calls;
  });
  expect(calls).toEqual(ofWriting((id) => written(id).transcript.calls));
});

test('several calls on one line are counted separately, whatever their names', async () => {
  // The end of a turn has the same fields as the end of the session.
  const at = world('session_end', { event: 'post_request', command: TELL, may: ['block'] });
  const found = await eachWriting(async (id) => {
    const file = join(at.folder, `transcript-${id}`);
    writeFileSync(
      file,
      written(id)
        .writes.twoCalls.map((one) => JSON.stringify(one))
        .join('\n'),
    );
    return (await told(at, id, nativeOf('post_request', id), { transcript: file })).tool_calls;
  });
  expect(found).toEqual(ofWriting(() => 2));
});

test('a missing transcript gives no fields, and an empty or invalid one gives no calls', async () => {
  const at = world('session_end', BUDGET);
  const end = (text: string) =>
    eachWriting((id) => {
      const file = join(at.folder, `transcript-${id}`);
      writeFileSync(file, text);
      return told(at, id, nativeOf('session_end', id), { transcript: file });
    });
  const missing = await eachWriting((id) =>
    told(at, id, nativeOf('session_end', id), { transcript: '/no/such/file' }),
  );
  expect(missing).toEqual(ofWriting(() => ({})));
  const estimated = ofWriting((id) =>
    written(id).transcript.atEnd?.lastLine ? ['tool_calls', 'tokens_used'] : ['tokens_used'],
  );
  const all = (tokens_used: number) =>
    ofWriting((id) => ({ tool_calls: 0, tokens_used, estimated: estimated[id] }));
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
