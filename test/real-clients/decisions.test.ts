// Decisions after a call, and about calls of MCP servers, in the real clients: with a grant, and without.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClientId } from '../../src/clients/registry.ts';
import type { Executable } from '../../src/system/child.ts';
import { expected } from '../clients/expectations.ts';
import { answering, decisionsIn, installAnnal, node } from './annal.ts';
import { CLIENTS, LAUNCH } from './clients.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const SCRIPTS = {
  'change.mjs': answering(`{ action: 'modify', modifiedInput: { text: 'CHANGED' } }`),
  'redact.mjs': answering(`{ action: 'modify', modifiedOutput: 'REDACTED' }`),
  'empty.mjs': answering(`{ action: 'modify', modifiedOutput: '' }`),
  'repeat.mjs': answering(`{ action: 'modify', modifiedOutput: event.tool.output }`),
};
const may = ['modify'];
const when = (input_contains: string, tool_name = '*') => ({
  matcher: { tool_name, input_contains },
});
const HOOKS = [
  { event: 'post_tool_use', ...when('FIRST'), block: 'NOT-WANTED' },
  { event: 'tool_error', ...when('SECOND'), block: 'NOT-AFTER-FAILURE' },
  { event: 'tool_error', ...when('THIRD'), command: node('redact.mjs'), may },
  { event: 'post_tool_use', ...when('FOURTH'), command: node('empty.mjs'), may },
  {
    event: 'pre_tool_use',
    ...when('ORIGINAL', 'mcp__my-srv__echo'),
    command: node('change.mjs'),
    may,
  },
  {
    event: 'post_tool_use',
    ...when('CHANGED', 'mcp__my-srv__echo'),
    command: node('redact.mjs'),
    may,
  },
  { event: 'post_tool_use', ...when('SEVENTH'), command: node('repeat.mjs'), may },
  { event: 'post_tool_use', ...when('SEVENTH'), context: 'TOLD-NEXT-TO-IT' },
];

/** The outputs of the calls. No input contains one. */
const OUTPUTS = ['one-value', 'two-value', 'three-value', 'four-value'];
const stepsFor = (id: ClientId) => [
  { shell: "printf 'one-%s' value # FIRST" },
  { shell: "printf 'two-%s' value; exit 3 # SECOND" },
  { shell: "printf 'three-%s' value; exit 3 # THIRD" },
  { shell: "printf 'four-%s' value # FOURTH" },
  { call: { name: `${expected[id].real.tools}echo`, input: { text: 'ORIGINAL' } } },
  { shell: 'echo seven # SEVENTH' },
  { text: 'done' },
];

describe.each(Object.values(CLIENTS))('$id', (client) => {
  const ran = async (grants: string[]) => {
    await installAnnal(place, client, HOOKS, grants, SCRIPTS);
    const session = { ...place, prompts: ['PROMPT-ONE'], steps: stepsFor(client.id) };
    const { conversation, exitCode, stepsLeft } = await client.run(session);
    expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
    const read = (text: string) => conversation.requestsWith(text).length > 0;
    const echoed = ['echo: ORIGINAL', 'echo: CHANGED'].filter(read);
    return { read, outputs: OUTPUTS.filter(read), echoed, decided: decisionsIn(place) };
  };

  test('decisions take effect with grants', async () => {
    const { read, outputs, echoed, decided } = await ran(['block', 'modify', 'command']);
    const { real, answers } = expected[client.id];
    expect({ outputs, decided }).toEqual({ outputs: real.outputs, decided: real.decided });
    const changes = answers.input !== undefined;
    const decidesAfter = answers.output !== undefined;
    const called = changes ? 'echo: CHANGED' : 'echo: ORIGINAL';
    expect([read('NOT-WANTED'), read('REDACTED'), echoed]).toEqual([
      decidesAfter,
      decidesAfter && changes,
      // The output of the changed call is changed as well.
      changes && decidesAfter ? [] : [called],
    ]);
    expect(read('NOT-AFTER-FAILURE')).toBe(decided.includes('2 block'));
    // A text next to an output that was returned as it was is still shown.
    expect(read('TOLD-NEXT-TO-IT')).toBe(!real.tellsLater);
  });

  test('decisions have no effect without grants', async () => {
    const { read, outputs, echoed, decided } = await ran(['command']);
    expect({ outputs, echoed, decided }).toEqual({
      outputs: OUTPUTS,
      echoed: ['echo: ORIGINAL'],
      decided: [],
    });
    expect(['NOT-WANTED', 'NOT-AFTER-FAILURE', 'REDACTED'].filter(read)).toEqual([]);
  });
});

describe('a program that allows a call and changes it does not approve it', () => {
  const command = 'touch made-by-changed';
  const allows = answering(`{
    decision: 'approve',
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { ...event.tool.input, command: '${command}', cmd: '${command}' },
    },
  }`);

  /** The flags with which our sessions ask no user. Without its flag, Gemini CLI has no shell tool, as it cannot ask a user. */
  const FLAGS = ['--dangerously-skip-permissions', '--allow-all'];
  /** What the model reads after a refusal, in the words of the clients and their versions. */
  const REFUSED =
    /needs approval|approval request failed|Permission denied because|haven't granted it|blocking it for safety/;
  /** The same client without such a flag. */
  function asking(id: ClientId): Executable {
    const [program, ...args] = LAUNCH[id];
    const file = join(place.files, 'asking.mjs');
    writeFileSync(
      file,
      `import { spawnSync } from 'node:child_process';
const given = process.argv.slice(2).filter((one) => !${JSON.stringify(FLAGS)}.includes(one));
const all = [...${JSON.stringify(args)}, ...given];
process.exit(spawnSync(${JSON.stringify(program)}, all, { stdio: 'inherit' }).status ?? 1);
`,
    );
    return [process.execPath, file];
  }

  test.each(Object.values(CLIENTS).filter(({ id }) => expected[id].real.asks))(
    '$id',
    async (client) => {
      const hook = { event: 'pre_tool_use', command: node('allow.mjs'), may: ['block', 'modify'] };
      const grants = ['block', 'modify', 'command'];
      await installAnnal(place, client, [hook], grants, { 'allow.mjs': allows });
      const isCodex = client.id === 'codex';
      if (isCodex) {
        const file = join(place.home, '.codex/config.toml');
        const asks = readFileSync(file, 'utf8')
          .replace('approval_policy = "never"', 'approval_policy = "on-request"')
          .replace('"danger-full-access"', '"read-only"');
        writeFileSync(file, asks);
      }
      const input = { cmd: 'echo a', sandbox_permissions: 'require_escalated', justification: 'b' };
      const { conversation, exitCode } = await client.run({
        ...place,
        launch: asking(client.id),
        turns: isCodex ? 'live' : 'resume',
        prompts: ['PROMPT-ONE'],
        steps: [
          isCodex ? { call: { name: 'exec_command', input } } : { shell: 'echo a; touch b' },
          { text: 'b' },
        ],
      });
      expect(exitCode).toBe(0);
      expect(decisionsIn(place)).toEqual(['1 modify']);
      expect(existsSync(join(place.project, 'made-by-changed'))).toBe(false);
      expect(
        conversation.requests
          .at(-1)
          ?.passages.map(({ text }) => text)
          .join('\n'),
      ).toMatch(REFUSED);
    },
  );
});

test.each(Object.values(CLIENTS))(
  'a program can stop a command in a part of a call that is masked elsewhere: $id',
  async (client) => {
    const guard = answering(
      `JSON.stringify(event.tool.input).includes('ran.txt') ? { action: 'block', reason: 'NOT-WANTED' } : {}`,
    );
    const hook = { event: 'pre_tool_use', command: node('guard.mjs'), may: ['block'] };
    await installAnnal(place, client, [hook], ['block', 'command'], { 'guard.mjs': guard });
    const steps = [{ shell: ': Cookie: a=1 && echo x >> ran.txt' }, { text: 'done' }];
    const { exitCode } = await client.run({ ...place, prompts: ['PROMPT-ONE'], steps });
    expect(exitCode).toBe(0);
    expect(decisionsIn(place)).toEqual(['1 block']);
    expect(existsSync(join(place.project, 'ran.txt'))).toBe(false);
  },
);

/** Identical calls in one answer of the model: a client may ask about all of them at once, with the same payload. */
describe('identical calls are all stopped', () => {
  test.each(
    Object.values(CLIENTS).flatMap((client) => [2, 36].map((times) => ({ client, times }))),
  )('$client.id, $times times', async ({ client, times }) => {
    const hook = { event: 'pre_tool_use', ...when('FORBIDDEN'), block: 'NOT-WANTED' };
    await installAnnal(place, client, [hook], ['block']);
    const same = { shell: 'echo x >> ran.txt # FORBIDDEN' };
    const steps = [{ parallel: Array.from({ length: times }, () => same) }, { text: 'done' }];
    const { exitCode } = await client.run({ ...place, prompts: ['PROMPT-ONE'], steps });
    expect(exitCode).toBe(0);
    const file = join(place.project, 'ran.txt');
    const ran = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0;
    const { manyCalls = times } = expected[client.id].real;
    const decided = times === 36 ? manyCalls : times;
    // If no call reaches a hook, there is no log.
    const log = join(place.home, '.mcp-hooks/log/annal.jsonl');
    const made = existsSync(log) ? decisionsIn(place).length : 0;
    expect({ ran, decided: made }).toEqual({ ran: 0, decided });
  });
});

describe('a secret that a hook prints is masked before the model reads it', () => {
  // Assembled here, so that secret scanners do not report this file.
  const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xYz123456'}`;
  const says = (answer: object) => answering(JSON.stringify(answer));
  const scripts = {
    'text.mjs': `console.log('BY-PROGRAM ${secret}');`,
    'block.mjs': says({ action: 'block', reason: `BY-REASON ${secret}` }),
    'redact.mjs': says({ action: 'modify', modifiedOutput: `BY-OUTPUT ${secret}` }),
    'change.mjs': answering(
      `{ action: 'modify', modifiedInput: { ...event.tool.input, command: 'printf ${secret} >made-by-call' } }`,
    ),
  };
  const hooks = [
    { event: 'pre_request', command: node('text.mjs') },
    { event: 'pre_tool_use', ...when('FIRST'), command: node('block.mjs'), may: ['block'] },
    { event: 'post_tool_use', ...when('SECOND'), command: node('redact.mjs'), may: ['modify'] },
    { event: 'pre_tool_use', ...when('THIRD'), command: node('change.mjs'), may: ['modify'] },
  ];

  test.each(Object.values(CLIENTS))('$id', async (client) => {
    await installAnnal(place, client, hooks, ['block', 'modify', 'command'], scripts);
    const steps = [
      { shell: 'echo FIRST' },
      { shell: 'echo SECOND' },
      { shell: 'echo THIRD' },
      { text: 'done' },
    ];
    const { conversation, exitCode, stepsLeft } = await client.run({
      ...place,
      prompts: ['PROMPT-ONE'],
      steps,
    });
    expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
    const { input, output } = expected[client.id].answers;
    for (const word of ['BY-PROGRAM', 'BY-REASON', ...(output ? ['BY-OUTPUT'] : [])])
      expect([word, conversation.requestsWith(`${word} ***`).length > 0]).toEqual([word, true]);
    expect(conversation.requestsWith(`BY-REASON ${secret}`)).toEqual([]);
    expect(conversation.requestsWith(`BY-PROGRAM ${secret}`)).toEqual([]);
    expect(conversation.requestsWith(`BY-OUTPUT ${secret}`)).toEqual([]);
    // The changed input goes into the call, and nowhere else.
    const made = join(place.project, 'made-by-call');
    const changes = input !== undefined;
    expect(existsSync(made) && readFileSync(made, 'utf8')).toBe(changes && secret);
  });
});
