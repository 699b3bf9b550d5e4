// Where `verify --live` looks for a hook's words in the model's requests: below the hook's own heading, and nowhere else.
import { describe, expect, test } from 'vitest';
import { Conversation } from '../../src/clients/driver/model.ts';
import type { EventProgram, ProgramCommand, ProgramHook } from '../../src/compile/program.ts';
import type { RunnerReason } from '../../src/compile/runner-messages.ts';
import { type BoundHook, deliveryOf, mayShowNothing } from '../../src/diagnose/live/delivery.ts';

const TOLD =
  'Note from the MCP server "notes", not from the user, after your Bash call; each of its lines begins with |. Optional: use it only if it helps.\n| srv';
const START =
  'Note from the MCP server "notes", not from the user, at the start of the session; each of its lines begins with |. Consider this before you continue.';

const hook = { number: 2, event: 'post_tool_use', act: 'tell', text: 'srv' } as ProgramHook;
const on: BoundHook[] = [{ hook, program: { native: 'PostToolUse' } as EventProgram }];
const LOGGED = { label: 'notes', at: '', client: 'codex', event: 'PostToolUse', characters: 9 };
const log = [{ ...LOGGED, hooks: [2], text: TOLD }];

/** Each request repeats the earlier texts, as the clients' requests do. */
function reading(...texts: string[]): Conversation {
  const conversation = new Conversation();
  for (const number of texts.keys())
    conversation.requests.push({
      number: number + 1,
      path: '/',
      body: null,
      task: undefined,
      passages: texts
        .slice(0, number + 1)
        .map((text) => ({ role: 'user', kind: 'text', text }) as const),
    });
  return conversation;
}

const told = (...texts: string[]) =>
  deliveryOf(on, { label: 'notes', prompts: ['PROMPT'], conversation: reading(...texts), log });

test('a text counts below its own heading', () => {
  expect(told('PROMPT', TOLD)).toMatchObject({ kind: 'arrived', request: 2 });
});

test('a text does not count below the heading of another hook of the label', () => {
  const other = `PROMPT ${START}\nThe tools of srv.`;
  expect(told(other, TOLD)).toMatchObject({ kind: 'arrived', request: 2 });
  expect(told(other)).toEqual({ kind: 'missing', why: 'dropped' });
});

test('a text does not count in what the client prints afterwards', () => {
  const far = `${TOLD.replace('srv', 'other words')}\n${'The client talks. '.repeat(30)}srv`;
  expect(told('PROMPT', far)).toEqual({ kind: 'missing', why: 'dropped' });
});

test('a text does not count below a later heading', () => {
  const elsewhere = `${TOLD.replace('srv', 'other words')}\n\n${START}\nsrv`;
  expect(told('PROMPT', elsewhere)).toEqual({ kind: 'missing', why: 'dropped' });
});

test('only a reason about the hook itself, or about the whole event, explains why it is missing', () => {
  const why = (...reasons: RunnerReason[]) => {
    const log = reasons.map((reason) => ({ ...LOGGED, hooks: [], why: [reason] }));
    return deliveryOf(on, { label: 'notes', prompts: [], conversation: reading(), log });
  };
  const late = { code: 'no-answer-in-time', seconds: 5 } as const;
  expect(why({ ...late, hook: 1 })).toEqual({ kind: 'missing', why: 'no-text' });
  for (const reason of [{ ...late, hook: 2 }, late])
    expect(why({ ...late, hook: 1 }, reason)).toEqual({
      ...{ kind: 'missing', why: 'reason' },
      reasons: [reason],
    });
});

describe('a hook that made a decision', () => {
  const decided = (...texts: string[]) =>
    deliveryOf(on, {
      label: 'notes',
      prompts: ['PROMPT'],
      conversation: reading(...texts),
      log: [
        {
          ...LOGGED,
          characters: 0,
          hooks: [2],
          text: '',
          decisions: [{ hook: 2, action: 'block', reason: 'Write a test first.' }],
        },
      ],
    });

  test('has arrived if the model reads the reason', () => {
    expect(decided('PROMPT', 'Done.', 'Stop hook feedback: Write a test first.')).toMatchObject({
      kind: 'arrived',
      request: 3,
    });
  });

  test('counts as ready if the reason is not read', () => {
    expect(decided('PROMPT', 'Done.')).toEqual({ kind: 'ready' });
  });
});

describe("if a hook's runner showed nothing", () => {
  const verdict = (of: Partial<ProgramHook>) =>
    mayShowNothing([{ hook: { ...hook, ...of }, program: { native: 'X' } as EventProgram }]);
  const extended = { order: 50, may: [], can: [] } as const;
  const command = { words: ['x'] } as unknown as ProgramCommand;

  test.each<[string, Partial<ProgramHook>, ReturnType<typeof mayShowNothing>]>([
    ['a text should have been shown', {}, undefined],
    ['in version 2, too', { extended }, undefined],
    ['a program need not answer', { extended: { ...extended, command } }, { kind: 'ready' }],
    [
      'nor does a condition hold',
      { extended: { ...extended, when: { failed: true } } },
      { kind: 'ready' },
    ],
    ['no condition is one that is empty', { extended: { ...extended, when: {} } }, undefined],
    ['nothing is compacted', { event: 'pre_compact' }, { kind: 'not-tried', why: 'script' }],
  ])('%s', (_, of, expected) => {
    expect(verdict(of)).toEqual(expected);
  });
});
