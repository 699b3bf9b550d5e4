// The flow at the end of Base Coat's specification, in a real client with a `hooks.json` in its form: loading at the start, a
// refused call, a detected loop, a spent budget, a compaction, and the end. And in every client, how close the estimate of a
// budget comes to the tokens that the model reported.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseLog } from '../../src/diagnose/log.ts';
import { expected, isNever } from '../clients/expectations.ts';
import { installAnnal, logged } from './annal.ts';
import { CLIENTS, type Client } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { mcpHooks } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

/** One script for all hooks, as in Base Coat's runner: it records each event, and answers with an envelope. */
const FLOW = `
import { appendFileSync, readFileSync } from 'node:fs';
const event = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(process.argv[2], JSON.stringify(event) + '\\n');
const inject = (text) => ({ action: 'injectContext', additionalContext: [text] });
const command = event.tool?.input?.command ?? '';
const answers = {
  SessionStart: () => inject('MEMORY-LOADED for ' + event.repository),
  PreToolUse: () =>
    command.includes('rm -rf')
      ? { action: 'block', reason: 'POLICY: nothing is removed here' }
      : inject('KNOWN-FIX for ' + event.tool.name),
  PostToolUse: () => ({ action: 'passThrough', metadata: { hookId: 'telemetry' } }),
  OnError: () => inject('ERROR-KNOWN: ' + event.tool.success),
  OnBudgetExceeded: () => inject('ROTATE at ' + event.budget.usedTokens),
  PreCompact: () => inject('HANDOFF-SAVED'),
  PostCompact: () => inject('ANCHORS-VERIFIED'),
};
process.stdout.write(JSON.stringify(answers[event.hook]?.() ?? { action: 'passThrough' }));
`;

const seenIn = (file: string): { hook: string; budget?: { usedTokens: number } }[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function install(client: Client, hooks: object, name: string): Promise<string> {
  client.prepare(place);
  const folder = join(place.files, 'coat');
  const seen = join(folder, 'seen.jsonl');
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  writeFileSync(join(folder, 'hooks/flow.mjs'), FLOW);
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(hooks).replaceAll('{seen}', seen));
  const flags = ['--name', 'coat', '--allow', 'block,modify,command', '--client', client.id];
  await mcpHooks(place, 'install', file, ...flags, '--yes');
  if (client.id === 'codex') await trustHooks(place.home, place.project);
  return seen;
}

test("claude-code: Base Coat's flow from the start of a session to its end", async () => {
  const client = CLIENTS['claude-code'];
  const points = [
    ...['SessionStart', 'SessionEnd', 'PreToolUse', 'PostToolUse'],
    ...['PreCompact', 'PostCompact', 'OnError', 'OnBudgetExceeded'],
  ];
  const command = 'node hooks/flow.mjs {seen}';
  const hooks = Object.fromEntries(points.map((point) => [point, [{ command, priority: 10 }]]));
  const seen = await install(client, { version: 1, hooks }, 'hooks.json');
  const { conversation, exitCode } = await client.run({
    ...place,
    turns: 'live',
    prompts: ['PROMPT-ONE', '/compact', 'PROMPT-TWO'],
    steps: [
      { shell: 'echo FIRST' },
      { shell: 'rm -rf build' },
      { shell: 'echo BROKEN; exit 3', tokens: 150_000 },
      { text: 'first', tokens: 150_000 },
      { text: '<summary>SUMMARY</summary>' },
      { text: 'second' },
    ],
  });
  expect(exitCode).toBe(0);
  const first = (needle: string) => conversation.first(needle)?.request;
  expect({
    memory: first('MEMORY-LOADED'),
    fix: first('KNOWN-FIX for Bash'),
    refused: first('POLICY: nothing is removed here'),
    error: first('ERROR-KNOWN: false'),
    budget: first('ROTATE at'),
    handoff: first('HANDOFF-SAVED'),
    anchors: first('ANCHORS-VERIFIED'),
  }).toEqual({ memory: 1, fix: 2, refused: 3, error: 4, budget: 4, handoff: 6, anchors: 6 });
  const events = seenIn(seen).map(({ hook }) => hook);
  expect(events[0]).toBe('SessionStart');
  expect(events.at(-1)).toBe('SessionEnd');
  expect([...new Set(events)].toSorted()).toEqual(points.toSorted());
  const log = readFileSync(join(place.home, '.mcp-hooks/log/coat.jsonl'), 'utf8');
  const decided = parseLog('coat', log).entries.flatMap(({ decisions = [] }) => decisions);
  expect(decided.map(({ action, reason }) => `${action}: ${reason}`)).toEqual([
    'block: POLICY: nothing is removed here',
  ]);
});

const counting = Object.values(CLIENTS).filter(({ id }) => !isNever(id, 'budget_exceeded'));

test.each(counting)(
  '$id: the tokens of a budget are close to those that the model reported',
  async (client) => {
    const command = ['node', 'hooks/flow.mjs', '{seen}'];
    const hook = { event: 'budget_exceeded', command, budget: { tokens: 50_000 } };
    const manifest = { version: 2, hooks: { declarations: [hook] } };
    const seen = await install(client, manifest, 'coat.json');
    const reported = 60_000;
    await client.run({
      ...place,
      prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'],
      steps: [
        { shell: 'echo A', tokens: reported },
        { shell: 'echo B', tokens: reported },
        { text: 'first', tokens: reported },
        { text: 'second', tokens: reported },
        { text: 'third', tokens: reported },
      ],
    });
    // On a busy machine, an answer is recorded only after the hook of its call has read the record: the first may lack a count.
    const { budget } = seenIn(seen).at(-1) ?? {};
    const used = budget?.usedTokens ?? 0;
    // The answer counts as well, and a client may add tokens of the next request.
    expect([used, Math.abs(used - reported) / reported < 0.05]).toEqual([used, true]);
  },
);

test.each(counting)(
  '$id: a reply that looks like a compaction does not begin a new budget',
  async (client) => {
    const rotate = { event: 'budget_exceeded', context: 'ROTATE', budget: { tokens: 50_000 } };
    await installAnnal(place, client, [rotate]);
    const { real, writes } = expected[client.id];
    const text = JSON.stringify(writes?.compaction ?? {});
    const forged = { call: { name: `${real.tools}echo`, input: { text } } };
    const tokens = 60_000;
    await client.run({
      ...place,
      prompts: ['PROMPT-ONE', 'PROMPT-TWO'],
      steps: [
        { shell: 'echo A', tokens },
        { shell: 'echo B', tokens },
        { ...forged, tokens },
        { shell: 'echo C', tokens },
        { shell: 'echo D', tokens },
        { text: 'first', tokens },
        { shell: 'echo E', tokens },
        { text: 'second', tokens },
      ],
    });
    // If a text is kept for the next prompt, an earlier line has no characters.
    const told = logged(place).filter(({ characters }) => characters > 0);
    expect(told.map(({ hooks }) => hooks)).toEqual([[1]]);
  },
);
