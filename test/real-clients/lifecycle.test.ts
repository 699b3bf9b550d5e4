// The extended vocabulary in the real clients: the text of each new event arrives. A hook that the user has allowed to block,
// to change an input or to change an output does so. A hook without a grant does not.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Place } from '../../src/clients/driver/driver.ts';
import type { Conversation } from '../../src/clients/driver/model.ts';
import type { Step } from '../../src/clients/driver/script.ts';
import type { Event } from '../../src/declaration/declaration.ts';
import type { Executable } from '../../src/system/child.ts';
import { getPath, parse } from '../../src/system/json.ts';
import { expected, isNever } from '../clients/expectations.ts';
import { clientOf } from '../support/runner/clients.ts';
import { answering, decisionsIn, installAnnal, logged, node } from './annal.ts';
import { CLIENTS, type Client, compacted, LAUNCH, type Session } from './clients.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const installed = (
  client: Client,
  declarations: readonly object[],
  grants?: readonly string[],
  scripts?: Readonly<Record<string, string>>,
): Promise<void> => installAnnal(place, client, declarations, grants, scripts);

const run = (client: Client, session: Omit<Session, keyof Place>) =>
  client.run({ ...place, ...session });

/** With a second prompt for a client that shows texts about a call only then. */
const promptsOf = ({ id }: Client): string[] => [
  'PROMPT-ONE',
  ...(expected[id].real.tellsLater ? ['PROMPT-TWO'] : []),
];

const results = ({ requests }: Conversation): string[] =>
  (requests.at(-1)?.passages ?? []).flatMap(({ kind, text }) => (kind === 'result' ? [text] : []));

/** How often the request with this number holds a text. */
const times = (conversation: Conversation, needle: string, request: number) =>
  JSON.stringify(conversation.requests[request - 1]?.body).split(needle).length - 1;

const decisions = (): string[] => decisionsIn(place);

const SCRIPTS = {
  'change.mjs': answering(
    `{ action: 'modify', modifiedInput: { ...event.tool.input, command: 'echo CHANGED' } }`,
  ),
  'redact.mjs': answering(
    `{ action: 'modify', modifiedOutput: 'REDACTED', additionalContext: 'WAS-REDACTED' }`,
  ),
  'deny.mjs': answering(`{ decision: 'block', reason: 'DENIED-BY-SCRIPT' }`),
};

const BLOCKED = { input_contains: 'FORBIDDEN' };
const DECIDING = [
  { event: 'pre_tool_use', matcher: BLOCKED, block: 'NOT-WANTED' },
  {
    event: 'pre_tool_use',
    matcher: { input_contains: 'ORIGINAL' },
    command: node('change.mjs'),
    may: ['modify'],
  },
  {
    event: 'pre_tool_use',
    matcher: { input_contains: 'UNWISE' },
    command: node('deny.mjs'),
    may: ['block'],
  },
  {
    event: 'post_tool_use',
    matcher: { input_contains: 'hidden' },
    command: node('redact.mjs'),
    may: ['modify'],
  },
];
/** The output of the last call is in no input. */
const DECIDED: Pick<Session, 'prompts' | 'steps'> = {
  prompts: ['PROMPT-ONE'],
  steps: [
    { shell: 'echo FORBIDDEN' },
    { shell: 'echo ORIGINAL' },
    { shell: 'echo UNWISE' },
    { shell: "printf 'hidden-%s' value" },
    { text: 'done' },
  ],
};

describe.each(Object.values(CLIENTS))('$id', (client) => {
  test('hooks with grants block, change an input and redact an output', async () => {
    await installed(client, DECIDING, ['block', 'modify', 'command'], SCRIPTS);
    const { conversation, exitCode, stepsLeft } = await run(client, DECIDED);
    expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
    const [blocked, changed, denied, redacted] = results(conversation);
    expect(blocked).toContain('NOT-WANTED');
    const [isIn, isOut] = answers.input ? ['CHANGED', 'ORIGINAL'] : ['ORIGINAL', 'CHANGED'];
    expect(changed).toContain(isIn);
    expect(changed).not.toContain(isOut);
    expect(denied).toContain('DENIED-BY-SCRIPT');
    expect(redacted).toContain(answers.output ? 'REDACTED' : 'hidden-value');
    expect(conversation.requestsWith('hidden-value')).toEqual(answers.output ? [] : [5]);
    // If the reason of a denial replaces an output, no other text is shown.
    expect(conversation.requestsWith('WAS-REDACTED')).toEqual(
      real.texts.change === 'read' ? [5] : [],
    );
    expect(decisions()).toEqual([
      '1 block',
      ...(answers.input ? ['2 modify'] : []),
      ...['3 block', ...(answers.output ? ['4 modify'] : [])],
    ]);
  });

  const { answers, real } = expected[client.id];
  test.skipIf(!answers.output)(
    'a block after a changed output: the model reads the reason, and not what was hidden',
    async () => {
      const matcher = { input_contains: 'hidden' };
      const hooks = [
        { event: 'post_tool_use', matcher, command: node('redact.mjs'), may: ['modify'], order: 1 },
        { event: 'post_tool_use', matcher, block: 'NOT-WANTED', order: 2 },
      ];
      await installed(client, hooks, ['block', 'modify', 'command'], SCRIPTS);
      const { conversation, exitCode } = await run(client, {
        prompts: ['PROMPT-ONE'],
        steps: [{ shell: "printf 'hidden-%s' value" }, { text: 'done' }],
      });
      expect(exitCode).toBe(0);
      expect(conversation.requestsWith('NOT-WANTED')).toContain(2);
      expect(conversation.requestsWith('hidden-value')).toEqual([]);
      expect(decisions()).toEqual(['1 modify', '2 block']);
    },
  );

  test('hooks without grants do none of this', async () => {
    await installed(client, DECIDING, ['command'], SCRIPTS);
    const { conversation, exitCode } = await run(client, DECIDED);
    expect(exitCode).toBe(0);
    const [free, original, unwise, shown] = results(conversation);
    expect(free).toContain('FORBIDDEN');
    expect(original).toContain('ORIGINAL');
    expect(unwise).toContain('UNWISE');
    expect(shown).toContain('hidden-value');
    expect(conversation.requestsWith('NOT-WANTED')).toEqual([]);
    // Only the text is shown, if it does not wait for another prompt.
    expect(conversation.requestsWith('REDACTED').length > 0).toBe(!real.tellsLater);
    expect(decisions()).toEqual([]);
  });

  const { asksNothing } = expected[client.id];
  const ends = 'a block ends a prompt once, and continues a turn once';
  test.skipIf(asksNothing)(ends, async () => {
    const declarations = [
      { event: 'pre_request', block: 'NOT-NOW', once: 'session' },
      { event: 'post_request', block: 'ONE-MORE', once: 'session' },
    ];
    await installed(client, declarations, ['block']);
    // In one process, if possible: a prompt that is blocked begins no session that could be resumed.
    const [turns] = client.turns;
    const first = await run(client, {
      prompts: turns === 'live' ? ['PROMPT-ONE', 'PROMPT-TWO'] : ['PROMPT-ONE'],
      steps: [{ text: 'first' }, { text: 'more' }],
    });
    expect(first.conversation.requestsWith('PROMPT-ONE')).toEqual(real.keepsBlocked ? [1, 2] : []);
    if (turns !== 'live') return;
    const { conversation } = first;
    expect(conversation.first('PROMPT-TWO')?.request).toBe(1);
    expect(conversation.first('ONE-MORE')?.request).toBe(2);
    expect(conversation.requests).toHaveLength(2);
  });

  const goes = 'a block at the end of a turn continues it once, and does nothing without a grant';
  test.skipIf(asksNothing)(goes, async () => {
    const declarations = [
      { event: 'post_request', block: 'ONE-MORE', once: 'session' },
      { event: 'pre_request', command: node('deny.mjs'), may: ['block'], once: 'session' },
    ];
    await installed(client, declarations, ['block'], SCRIPTS);
    const steps = [{ text: 'first' }, { text: 'more' }, { text: 'second' }];
    const { conversation } = await run(client, { prompts: ['PROMPT-ONE', 'PROMPT-TWO'], steps });
    expect(conversation.first('PROMPT-ONE')?.request).toBe(1);
    expect(conversation.first('ONE-MORE')?.request).toBe(2);
    expect(conversation.first('PROMPT-TWO')?.request).toBe(3);
    expect(decisions()).toEqual(['1 block']);
  });

  test('texts about a failed call arrive, if hooks run after it', async () => {
    const declarations = [
      { event: 'tool_error', context: 'AFTER-FAILURE' },
      { event: 'post_tool_use', matcher: { failed: true }, context: 'IT-FAILED' },
    ];
    await installed(client, declarations);
    const { conversation } = await run(client, {
      prompts: promptsOf(client),
      steps: [
        ...[{ shell: 'echo FINE' }, { shell: 'echo BROKEN; exit 3' }],
        ...[{ text: 'done' }, { text: 'done' }],
      ],
    });
    const runs = client.id !== 'codex' && !isNever(client.id, 'tool_error');
    const told = runs ? [real.tellsLater ? 4 : 3] : [];
    expect(conversation.requestsWith('AFTER-FAILURE')).toEqual(told);
    expect(conversation.requestsWith('IT-FAILED')).toEqual(told);
  });

  test('a budget shows its text as a warning, and again when it is exceeded', async () => {
    const budget = { tokens: 100_000, warn: 70, fire: 80 };
    await installed(client, [{ event: 'budget_exceeded', context: 'OVER-BUDGET', budget }]);
    const steps: Step[] = [
      { shell: 'echo A', tokens: 10_000 },
      { shell: 'echo B', tokens: 75_000 },
      { shell: 'echo C', tokens: 76_000 },
      { text: 'first', tokens: 85_000 },
      { text: 'second', tokens: 86_000 },
      { text: 'third', tokens: 86_000 },
    ];
    const prompts = ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'];
    const { conversation } = await run(client, { prompts, steps });
    const told = (request: number) => times(conversation, 'OVER-BUDGET', request);
    if (isNever(client.id, 'budget_exceeded')) {
      expect(conversation.requestsWith('OVER-BUDGET')).toEqual([]);
      // The client shows no such text with the result of a call, or writes its record a turn late.
    } else if (isLate(client)) {
      expect(told(4)).toBe(0);
      expect(told(6)).toBeGreaterThan(0);
    } else {
      expect([told(2), told(4)]).toEqual([0, 1]);
      expect(logged(place).filter(({ hooks }) => hooks.includes(1))).toHaveLength(2);
      // On a busy machine, an answer is recorded only after the hook of its call has read the record.
      expect(told(3)).toBeLessThanOrEqual(1);
    }
  });
});

/** Whether texts about the budget of a session are shown only with a prompt. */
const isLate = ({ id }: Client): boolean => {
  const { lowering, nativeEvents } = clientOf(id);
  const on = lowering.budget_exceeded?.text.on ?? [];
  return !on.some(({ native }) => nativeEvents[native]?.matcher === 'tool');
};

const able = (event: Event) => Object.values(CLIENTS).filter(({ id }) => !isNever(id, event));

test.each(able('budget_exceeded').filter((client) => !isLate(client)))(
  '$id: the budget of a block warns with the result of a call',
  async (client) => {
    const budget = { tokens: 100_000, warn: 70, fire: 80 };
    const hooks = [{ event: 'budget_exceeded', block: 'OVER-BUDGET', budget }];
    await installed(client, hooks, ['block']);
    const steps: Step[] = [
      { shell: 'echo A', tokens: 60_000 },
      { shell: 'echo B', tokens: 86_000 },
      { shell: 'echo C', tokens: 86_000 },
      { text: 'first', tokens: 86_000 },
    ];
    const { conversation } = await run(client, { prompts: ['PROMPT-ONE'], steps });
    // On a busy machine, an answer is recorded only after the hook of its call has read the record.
    expect([2, 4].map((request) => times(conversation, 'OVER-BUDGET', request))).toEqual([0, 1]);
  },
);

test.each(able('budget_exceeded'))(
  '$id: a spent budget ends the next prompt, once',
  async (client) => {
    const budget = { tokens: 30_000 };
    await installed(
      client,
      [{ event: 'budget_exceeded', block: 'OVER-BUDGET', budget }],
      ['block'],
    );
    const answer = { text: 'answer', tokens: 27_000 };
    const { conversation } = await run(client, {
      // Codex begins with some 10,000 tokens of its own.
      prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE', 'PROMPT-FOUR'],
      steps: [answer, answer, answer, answer],
    });
    const isBlocked = clientOf(client.id).lowering.budget_exceeded?.decide !== undefined;
    const { keepsBlocked } = expected[client.id].real;
    const first = (prompt: string) => conversation.first(prompt)?.request;
    expect([first('PROMPT-TWO'), first('PROMPT-THREE'), first('PROMPT-FOUR')]).toEqual(
      isBlocked ? [keepsBlocked ? 2 : undefined, 2, 3] : [2, 3, 4],
    );
    expect(isBlocked ? decisions() : []).toEqual(isBlocked ? ['1 block'] : []);
  },
);

test.each(able('pre_compact'))(
  '$id: each text around a compaction is shown once',
  async (client) => {
    await installed(client, [
      { event: 'pre_compact', context: 'BEFORE-COMPACTION' },
      { event: 'post_compact', context: 'AFTER-COMPACTION' },
    ]);
    const { next } = expected[client.id].real.compaction;
    const { conversation } = await run(client, compacted(client));
    for (const text of ['BEFORE-COMPACTION', 'AFTER-COMPACTION']) {
      const first = conversation.first(text)?.request ?? 0;
      expect([text, first]).toEqual([text, next]);
      // A session of Gemini CLI that is resumed does not have all that the model saw before.
      const last = client.id === 'gemini-cli' ? first : conversation.requests.length;
      expect([text, times(conversation, text, last)]).toEqual([text, 1]);
    }
  },
);

describe('a block of a compaction', () => {
  const DECLARED = [{ event: 'pre_compact', block: 'KEEP-IT' }];
  const ANSWERED = [{ event: 'pre_compact', command: node('deny.mjs'), may: ['block'] }];

  /** The reasons in the log why a decision was not followed. */
  const reasons = (): string[] =>
    logged(place).flatMap(({ why = [] }) => why.map(({ code }) => code));
  /** Whether the model still reads its first answer. */
  const isWhole = (conversation: Conversation): boolean =>
    times(conversation, 'FIRST-ANSWER', conversation.requests.length) > 0;

  test.each(able('pre_compact'))('$id: by the answer of a program', async (client) => {
    await installed(client, ANSWERED, ['block', 'command'], SCRIPTS);
    const { conversation } = await run(client, compacted(client));
    const isBlocked = client.id === 'claude-code';
    // Without a terminal, Gemini CLI announces a compression, and sends the history unchanged.
    expect(isWhole(conversation)).toBe(isBlocked || client.id === 'gemini-cli');
    expect(decisions()).toEqual(isBlocked ? ['1 block'] : []);
    // If a client cannot block it, the reason is a text, and comes with the next texts for the model.
    expect(reasons()).toEqual(isBlocked ? [] : ['block-not-possible']);
    expect(conversation.first('DENIED-BY-SCRIPT')).toBeDefined();
  });

  const claude = CLIENTS['claude-code'];
  const { session } = expected['claude-code'].real.compaction;

  test('claude-code: by a declaration', async () => {
    await installed(claude, DECLARED, ['block']);
    const { conversation } = await run(claude, session);
    expect(isWhole(conversation)).toBe(true);
    expect(conversation.first('KEEP-IT')).toBeDefined();
    expect(decisions()).toEqual(['1 block']);
  });

  test('claude-code: without the grant, it has no effect', async () => {
    await installed(claude, ANSWERED, ['command'], SCRIPTS);
    const { conversation } = await run(claude, session);
    expect(isWhole(conversation)).toBe(false);
    expect(decisions()).toEqual([]);
    expect(reasons()).toEqual(['block-not-allowed']);
  });

  test('claude-code: does not stop the second attempt in a row', async () => {
    await installed(claude, DECLARED, ['block']);
    const { conversation } = await run(claude, {
      ...session,
      prompts: ['PROMPT-ONE', '/compact', '/compact', 'PROMPT-TWO'],
    });
    expect(isWhole(conversation)).toBe(false);
    expect(decisions()).toEqual(['1 block']);
    expect(reasons()).toEqual(['block-not-again']);
  });

  // Its window has a million tokens. Near the end it compacts before the next request, and continues if it may not. Closer to
  // the end it would send nothing more, and tries again at once.
  test.each([
    ['while there is room', 970_000, true, []],
    ['when there is none', 985_000, false, ['block-not-again']],
  ])('claude-code: of an automatic compaction, %s', async (_, tokens, whole, why) => {
    await installed(claude, DECLARED, ['block']);
    const { conversation } = await run(claude, {
      turns: 'live',
      prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'],
      steps: [
        { text: 'FIRST-ANSWER', tokens },
        { text: '<summary>SUMMARY</summary>', tokens: 1000 },
        { text: 'second', tokens: 1000 },
        { text: 'third', tokens: 1000 },
      ],
    });
    expect(isWhole(conversation)).toBe(whole);
    expect(conversation.first('PROMPT-THREE')).toBeDefined();
    expect(decisions()).toEqual(['1 block']);
    expect(reasons()).toEqual(why);
  });
});

const ENDING = Object.values(CLIENTS).filter(({ id }) => !expected[id].real.terminal);

test.each(ENDING)('$id: a command reads the facts of a session at its end', async (client) => {
  const file = join(place.files, 'told.jsonl');
  await installed(client, [{ event: 'session_end', command: node('keep.mjs') }], ['command'], {
    'keep.mjs': `
import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(file)}, readFileSync(0, 'utf8') + '\\n');
`,
  });
  const started = Date.now();
  await run(client, {
    prompts: ['PROMPT-ONE'],
    steps: [
      { shell: 'echo A', tokens: 10_000 },
      { shell: 'echo B', tokens: 20_000 },
      { text: 'done', tokens: 30_000 },
    ],
  });
  const [told = {}] = readFileSync(file, 'utf8').trim().split('\n').map(parse);
  const seconds = Number(getPath(told, 'duration_seconds'));
  expect(seconds).toBeGreaterThanOrEqual(0);
  expect(seconds).toBeLessThanOrEqual((Date.now() - started) / 1000 + 1);
  const guesses = isNever(client.id, 'budget_exceeded');
  expect(getPath(told, 'tool_calls')).toBe(2);
  if (!guesses) expect(getPath(told, 'tokens_used')).toBe(30_005);
  expect(getPath(told, 'estimated')).toEqual(guesses ? ['tokens_used'] : undefined);
});

describe('a subagent', () => {
  const hooks = [
    { event: 'subagent_start', context: 'IN-SUBAGENT' },
    { event: 'subagent_end', context: 'SUBAGENT-OVER' },
  ];
  const subagents = [{ task: 'SUBTASK', steps: [{ text: 'done' }] }];
  test.each(Object.values(CLIENTS))('$id', async (client) => {
    await installed(client, hooks);
    const { conversation } = await run(client, {
      prompts: promptsOf(client),
      steps: [...expected[client.id].real.subagent.steps, { text: 'over' }, { text: 'next' }],
      subagents,
    });
    const its = conversation.requests.find(({ task }) => task === 'SUBTASK')?.number;
    expect(its).toBeGreaterThan(1);
    const { isTold } = expected[client.id].real.subagent;
    const told = isTold && !isNever(client.id, 'subagent_start') ? its : undefined;
    expect(conversation.first('IN-SUBAGENT')?.request).toBe(told);
    const last = conversation.requests.length;
    expect(conversation.first('SUBAGENT-OVER')?.request).toBe(last);
    expect(conversation.requests.at(-1)?.task).toBeUndefined();
  });

  test.each(
    Object.values(CLIENTS).flatMap((client) =>
      [true, false].map((granted) => ({ id: client.id, client, granted })),
    ),
  )(
    '$id: is continued once by a block, if that is granted: $granted',
    async ({ client, granted }) => {
      const hook = { event: 'subagent_end', command: node('deny.mjs'), may: ['block'] };
      await installed(client, [hook], ['command', ...(granted ? ['block'] : [])], SCRIPTS);
      const { conversation } = await run(client, {
        prompts: promptsOf(client),
        steps: [...expected[client.id].real.subagent.steps, { text: 'over' }, { text: 'next' }],
        subagents: [{ task: 'SUBTASK', steps: [{ text: 'done' }, { text: 'again' }] }],
      });
      const { isTold, goesOn = isTold } = expected[client.id].real.subagent;
      const isBlocked = granted && goesOn === true;
      const told = conversation.requests.find(
        ({ number }) => number === conversation.first('DENIED-BY-SCRIPT')?.request,
      );
      expect(told?.task).toBe(isBlocked ? 'SUBTASK' : undefined);
      expect(decisions()).toEqual(isBlocked ? ['1 block'] : []);
      // A block that may not repeat, or is not granted, is shown to the model that started the subagent.
      expect(conversation.requestsWith('DENIED-BY-SCRIPT')).toContain(conversation.requests.length);
    },
  );
});

describe('a program that starts the client itself', () => {
  /** The file with the first start of the client, which a program may repeat. */
  const begun = () => join(place.files, 'begun.json');
  function launchOf({ id }: Client): Executable {
    const [program, ...own] = LAUNCH[id];
    const file = join(place.files, 'begins.mjs');
    const script = `import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const words = [${JSON.stringify([program, ...own]).slice(1, -1)}, ...process.argv.slice(2)];
writeFileSync(${JSON.stringify(begun())}, JSON.stringify({ words, env: process.env }));
process.exit(spawnSync(words[0], words.slice(1), { stdio: 'inherit' }).status ?? 1);
`;
    writeFileSync(file, script);
    return [process.execPath, file];
  }

  test.each(Object.values(CLIENTS))('$id: is run once', async (client) => {
    const runs = join(place.files, 'runs');
    const log = join(place.home, '.mcp-hooks/log/annal.jsonl');
    const hook = { event: 'session_start', command: node('again.mjs'), deadline: 30_000 };
    await installed(client, [hook], ['command'], {
      'again.mjs': `import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(runs)}, 'x');
const { words: [program, ...own], env } = JSON.parse(readFileSync(${JSON.stringify(begun())}, 'utf8'));
const args = ${JSON.stringify(expected[client.id].real.again ?? null)} ?? own;
const isAgain = () => readFileSync(${JSON.stringify(runs)}, 'utf8') !== 'x';
// Without this it would never end.
if (!isAgain()) {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...env, ...process.env } });
  while (!isAgain() && !existsSync(${JSON.stringify(log)}) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGKILL');
}
console.log('FROM-PROGRAM');
`,
    });
    const steps = Array.from({ length: 4 }, () => ({ text: 'done' }));
    const launch = launchOf(client);
    const { conversation, exitCode } = await run(client, {
      prompts: ['PROMPT-ONE'],
      steps,
      turns: 'resume',
      launch,
    });
    expect(exitCode).toBe(0);
    expect(readFileSync(runs, 'utf8')).toBe('x');
    expect(conversation.requestsWith('FROM-PROGRAM')).toEqual([conversation.requests.length]);
    expect(
      logged(place).map(({ hooks, why = [] }) => [hooks, why.map(({ code }) => code)]),
    ).toEqual([
      [[], ['within-itself']],
      [[1], []],
    ]);
  });
});

test.each(Object.values(CLIENTS))(
  '$id: after a turn a program is run at once, and its text comes with the next prompt',
  async (client) => {
    const file = join(place.files, 'told.jsonl');
    await installed(client, [{ event: 'post_request', command: node('keep.mjs') }], ['command'], {
      'keep.mjs': `
import { appendFileSync, readFileSync } from 'node:fs';
const event = readFileSync(0, 'utf8');
appendFileSync(${JSON.stringify(file)}, event + '\\n');
console.log('AFTER-TURN', readFileSync(${JSON.stringify(file)}, 'utf8').trim().split('\\n').length);
`,
    });
    const steps = [{ shell: 'echo A' }, { text: 'first' }, { text: 'second' }];
    const told = () => readFileSync(file, 'utf8').trim().split('\n').map(parse);
    const one = await run(client, { prompts: ['PROMPT-ONE'], steps: steps.slice(0, 2) });
    expect(one.exitCode).toBe(0);
    expect(told().map((event) => [getPath(event, 'event'), getPath(event, 'tool_calls')])).toEqual([
      ['post_request', 1],
    ]);
    const { conversation } = await run(client, { prompts: ['PROMPT-ONE', 'PROMPT-TWO'], steps });
    expect(told()).toHaveLength(3);
    expect(conversation.requestsWith('AFTER-TURN 2')).toEqual([3]);
    expect(conversation.first('PROMPT-TWO')?.request).toBe(3);
    expect(conversation.requestsWith('AFTER-TURN 3')).toEqual([]);
  },
);

test.each(ENDING)(
  '$id: at the end of a session a program is run each time the session ends',
  async (client) => {
    const file = join(place.files, 'ends');
    await installed(client, [{ event: 'session_end', command: node('keep.mjs') }], ['command'], {
      'keep.mjs': `
import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(file)}, JSON.parse(readFileSync(0, 'utf8')).session_id + '\\n');
`,
    });
    const steps = [{ text: 'first' }, { text: 'second' }, { text: 'third' }];
    const prompts = ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'];
    const { endsOnlyLive } = expected[client.id].real;
    for (const turns of endsOnlyLive ? (['live'] as const) : client.turns) {
      writeFileSync(file, '');
      const { exitCode } = await run(client, { prompts, steps, turns });
      expect(exitCode).toBe(0);
      const ends = readFileSync(file, 'utf8').trimEnd().split('\n');
      // Each prompt is a process of its own, or all are one.
      const isEach = turns === 'resume' || expected[client.id].endsEachTurn;
      expect([turns, ends.length, new Set(ends).size]).toEqual([turns, isEach ? 3 : 1, 1]);
    }
  },
);
