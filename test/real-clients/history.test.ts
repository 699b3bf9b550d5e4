// The text at a session's start is repeated exactly when its model no longer has it: never because the session is resumed, but
// after its history was compacted. Counted in the body of every request.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Place, SessionResult, Turns } from '../../src/clients/driver/driver.ts';
import { expected } from '../clients/expectations.ts';
import { CLIENTS, type Client, claude, codex, compacted, gemini, type Session } from './clients.ts';
import { delivery, record, shownOn } from './matrix.ts';
import { install } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

/** With the characters that JSON or HTML escapes on the way to the client's record of the session. */
const TEXT = 'AT-START "quoted" <tag> & ünï €😀\nand a second line';
const SUMMARY = 'SCRIPTED-SUMMARY';

const tell = (client: Client) => {
  const declarations = [{ event: 'session_start', context: TEXT, priority: 'important' }];
  return install(place, client, { name: 'annal', hooks: { declarations } });
};

const run = (client: Client, session: Omit<Session, keyof Place>) =>
  client.run({ ...place, ...session });

/** The prompts and the summary in each request, and how often the text is in it. */
function read({ conversation, exitCode, stepsLeft }: SessionResult): string[] {
  expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
  return conversation.requests.map(({ body }) => {
    const all = JSON.stringify(body);
    const prompts = ['ONE', 'TWO', 'THREE', 'FOUR'].filter((one) => all.includes(`PROMPT-${one}`));
    const summary = all.includes(SUMMARY) ? [SUMMARY] : [];
    return `${[...prompts, ...summary].join(' ')}: ${all.split('AT-START').length - 1}`;
  });
}

/** Records where the compacted history has the text again, from this request on. */
function toldAgain(
  client: Client,
  { conversation }: SessionResult,
  prompts: string[],
  from: number,
): void {
  const all = { place, client, label: 'annal', conversation, prompts, summary: SUMMARY };
  const { by = '', ...seen } = delivery(all, 'AT-START', { from });
  // If another event shows it again, the session's own start is not what showed it.
  record(client, 'compaction', { ...seen, by: by.replace('SessionStart, ', '') });
}

/** How often the runner has shown the text. Texts that the client drops are in no request. */
const said = (): number =>
  readFileSync(join(place.home, '.mcp-hooks/log/annal.jsonl'), 'utf8').trim().split('\n').length;

describe.each(Object.values(CLIENTS))('$id', (client) => {
  /** How often a session over several processes gets the text: some clients do not keep it in their history. */
  const saidIn = (processes: number) => (expected[client.id].real.forgetsStart ? processes : 1);

  test('a resumed session gets the text once', async () => {
    client.prepare(place);
    await tell(client);
    const outcome = await run(client, {
      turns: 'resume',
      prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'],
      steps: [{ text: 'first' }, { text: 'second' }, { text: 'third' }],
    });
    expect(read(outcome)).toEqual(['ONE: 1', 'ONE TWO: 1', 'ONE TWO THREE: 1']);
    expect(said()).toBe(saidIn(3));
    record(client, 'resume', { by: shownOn(place, client, 'annal').join(', ') });
  });

  test('a session that is older than the hooks gets the text when it is resumed, once', async () => {
    client.prepare(place);
    const before = await run(client, {
      turns: 'resume',
      prompts: ['PROMPT-ONE'],
      steps: [{ text: 'first' }],
    });
    expect(read(before)).toEqual(['ONE: 0']);
    await tell(client);
    const outcome = await run(client, {
      turns: 'resume',
      resume: client.sessionIn(before.stdout),
      prompts: ['PROMPT-TWO', 'PROMPT-THREE'],
      steps: [{ text: 'second' }, { text: 'third' }],
    });
    expect(read(outcome)).toEqual(['ONE TWO: 1', 'ONE TWO THREE: 1']);
    expect(said()).toBe(saidIn(2));
  });
});

describe('a compacted session gets the text again, and once', () => {
  const ways: Turns[] = ['live', 'resume'];

  test.each(ways)('claude-code, by /compact, %s', async (turns) => {
    claude.prepare(place);
    await tell(claude);
    const outcome = await run(claude, {
      turns,
      prompts: ['PROMPT-ONE', '/compact', 'PROMPT-TWO', 'PROMPT-THREE'],
      steps: [
        { text: 'first' },
        { text: `<summary>${SUMMARY}</summary>` },
        { text: 'second' },
        { text: 'third' },
      ],
    });
    expect(read(outcome)).toEqual([
      'ONE: 1',
      'ONE: 1', // the request for the summary
      `TWO ${SUMMARY}: 1`,
      `TWO THREE ${SUMMARY}: 1`,
    ]);
    expect(said()).toBe(2);
    if (turns === 'live') toldAgain(claude, outcome, ['PROMPT-ONE', 'PROMPT-TWO'], 3);
  });

  test.each(ways)('codex, by itself when the history is too long, %s', async (turns) => {
    codex.prepare(place);
    await tell(codex);
    const outcome = await run(codex, {
      turns,
      aside: SUMMARY,
      prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'],
      steps: [
        { text: 'first' },
        { shell: 'echo done', tokens: 300_000 },
        { text: 'second' },
        { text: 'third' },
      ],
    });
    // It keeps the prompts themselves.
    expect(read(outcome)).toEqual([
      'ONE: 1',
      'ONE TWO: 1',
      `ONE TWO ${SUMMARY}: 1`,
      `ONE TWO THREE ${SUMMARY}: 1`,
    ]);
    expect(said()).toBe(2);
    const { conversation } = outcome;
    const [again] = conversation.find('AT-START', 3);
    const [summary] = conversation.find(SUMMARY, 3);
    expect(again?.index).toBeGreaterThan(summary?.index ?? Number.POSITIVE_INFINITY);
    if (turns === 'live') toldAgain(codex, outcome, ['PROMPT-ONE', 'PROMPT-TWO'], 3);
  });

  /** The history is compressed in the second process, before its second request. */
  const compressed: Pick<Session, 'prompts' | 'steps'> = {
    prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE', 'PROMPT-FOUR'],
    steps: [
      { text: 'first' },
      { shell: 'echo done', tokens: 900_000 },
      { text: 'second' },
      { text: 'third' },
      { text: 'fourth' },
    ],
  };

  test('gemini-cli, by itself when the history is too long: with the next prompt', async () => {
    gemini.prepare(place);
    await tell(gemini);
    const outcome = await run(gemini, { ...compressed, aside: SUMMARY });
    expect(read(outcome)).toEqual([
      'ONE: 1',
      'ONE TWO: 1',
      `TWO ${SUMMARY}: 0`,
      `TWO THREE ${SUMMARY}: 1`,
      `TWO THREE FOUR ${SUMMARY}: 1`,
    ]);
    expect(said()).toBe(2);
    toldAgain(gemini, outcome, ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'], 4);
  });

  test('gemini-cli, but not if the summary is longer than the history, which stays', async () => {
    gemini.prepare(place);
    await tell(gemini);
    const outcome = await run(gemini, { ...compressed, aside: 'x'.repeat(5_000_000) });
    expect(read(outcome)).toEqual([
      'ONE: 1',
      'ONE TWO: 1',
      'ONE TWO: 1',
      'ONE TWO THREE: 1',
      'ONE TWO THREE FOUR: 1',
    ]);
    expect(outcome.side).not.toEqual([]);
    expect(said()).toBe(1);
  });
});

const FORGETTING = Object.values(CLIENTS).filter(({ id }) => {
  const { forgetsStart, compaction } = expected[id].real;
  return forgetsStart && compaction.session.prompts[1]?.startsWith('/');
});
test.each(FORGETTING)('$id, on demand: the text comes with the next prompt', async (client) => {
  const { compaction, keepsStart } = expected[client.id].real;
  const [, command = ''] = compaction.session.prompts;
  client.prepare(place);
  await tell(client);
  const outcome = await run(client, {
    turns: 'live',
    aside: SUMMARY,
    prompts: ['PROMPT-ONE', command, 'PROMPT-TWO', 'PROMPT-THREE'],
    steps: [{ text: 'first' }, { text: 'second' }, { text: 'third' }],
  });
  const one = compaction.dropsPrompts ? '' : 'ONE ';
  expect(read(outcome)).toEqual([
    'ONE: 1',
    `${one}TWO ${SUMMARY}: 1`,
    `${one}TWO THREE ${SUMMARY}: 1`,
  ]);
  expect(said()).toBe(keepsStart ? 1 : 2);
  toldAgain(client, outcome, ['PROMPT-ONE', 'PROMPT-TWO'], 2);
});

const OTHERS = Object.values(CLIENTS).filter(
  (client) => ![claude, codex, gemini, ...FORGETTING].includes(client),
);
test.each(OTHERS)(
  '$id: the text comes again after a compaction, if hooks run then',
  async (client) => {
    const { next, untold } = expected[client.id].real.compaction;
    client.prepare(place);
    await tell(client);
    const outcome = await run(client, { ...compacted(client), aside: SUMMARY });
    const again = outcome.conversation.find('AT-START', next).length;
    expect([client.id, again > 0]).toEqual([client.id, untold === undefined]);
    if (untold === undefined) toldAgain(client, outcome, ['PROMPT-ONE', 'PROMPT-TWO'], next);
    else record(client, 'compaction', { holds: 'no', why: untold });
  },
);

describe('/clear', () => {
  const clearing = Object.values(CLIENTS).filter(({ id }) => expected[id].real.clears);
  test.each(clearing)('$id: the new session gets the text', async (client) => {
    client.prepare(place);
    await tell(client);
    const outcome = await run(client, {
      prompts: ['PROMPT-ONE', '/clear', 'PROMPT-TWO'],
      steps: [{ text: 'first' }, { text: 'second' }],
    });
    expect(read(outcome)).toEqual(['ONE: 1', 'TWO: 1']);
    expect(said()).toBe(2);
    const { conversation } = outcome;
    const all = { place, client, label: 'annal', conversation, prompts: ['PROMPT-TWO'] };
    record(client, 'clear', delivery(all, 'AT-START', { from: 2 }));
  });

  const others = Object.values(CLIENTS).filter((client) => !clearing.includes(client));
  test.each(others)('$id: only its terminal interface has the command', (client) => {
    record(client, 'clear', { holds: 'not scriptable', why: 'only its terminal has it' });
  });
});
