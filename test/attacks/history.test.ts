/** Text from a server or a model ends up in the client's own history, next to the client's own records. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerCode } from '../../src/system/runner-code.ts';
import { isNever } from '../clients/expectations.ts';
import { type ClientId, clientOf, WRITING, written } from '../support/runner/clients.ts';
import { root, scratch } from '../support/runner/world.ts';
import { attack } from './attack.ts';

const recordedIn = (name: string): string[] =>
  readFileSync(join(root, 'fixtures/transcripts', name), 'utf8')
    .trim()
    .split('\n');

/** A recorded line with a tool's reply or a call, into which these words are put as if the client had written an object. */
function lineWith(id: ClientId, words: object): string {
  const [line = ''] = recordedIn(`forged/${id}.jsonl`);
  const entry = JSON.parse(line);
  const path = written(id).writes.forged.split('.');
  const last = path.pop() ?? '';
  path.reduce((at, key) => at[key], entry)[last] = words;
  return JSON.stringify(entry);
}

interface Used {
  readonly tokens: number;
  readonly estimated: boolean;
  readonly window: unknown;
}
const { usedIn }: { usedIn(firing: object, at: object, get: unknown): Used | null } =
  runnerCode('./budget.cjs');
const { get } = runnerCode('./runner.cjs').stage;

function used(id: ClientId, lines: readonly string[]): Used | null {
  const transcript = join(scratch('session'), 'session.jsonl');
  writeFileSync(transcript, lines.map((line) => `${line}\n`).join(''));
  return usedIn({ transcript, payload: {} }, { wire: clientOf(id).wire }, get);
}

const COUNTING = WRITING.filter((id) => !isNever(id, 'budget_exceeded'));

const anew = (id: ClientId) => written(id).writes.compaction;

attack("a tool's reply that looks like a compaction does not reset the budget", ({ expect }) => {
  for (const id of COUNTING) {
    const lines = recordedIn(`${id}.jsonl`);
    const before = used(id, lines);
    expect([id, before]).toMatchObject([id, { estimated: false, window: 0 }]);
    const forged = lineWith(id, anew(id));
    // The model's own replies come with counts; in Gemini CLI, these are on the line with the calls.
    const after = used(id, [...lines, forged, ...lines.slice(-8)]);
    expect([id, after?.window, after?.estimated]).toEqual([id, 0, false]);
    expect([id, after?.tokens]).toEqual([id, before?.tokens]);
    // The same record does count if the client itself writes it.
    const real = used(id, [...lines, JSON.stringify(anew(id))]);
    expect([id, real?.window]).not.toEqual([id, 0]);
  }
});

attack("a tool's reply that looks like a count of tokens does not count", ({ expect }) => {
  for (const id of COUNTING) {
    const { answer, countsCalls } = written(id).writes;
    // If the line with a call has its own count, that one counts.
    const lines = recordedIn(countsCalls ? `forged/${id}.jsonl` : `${id}.jsonl`);
    const after = used(id, [...lines, lineWith(id, answer(1_000_000))]);
    expect([id, after]).toEqual([id, used(id, lines)]);
  }
});

attack('a request without an answer leaves the count of tokens as it was', ({ expect }) => {
  for (const id of COUNTING) {
    const lines = recordedIn(`${id}.jsonl`);
    const after = used(id, [...lines, JSON.stringify(written(id).writes.answer(0))]);
    expect([id, after]).toEqual([id, used(id, lines)]);
  }
});

attack("a tool's reply that looks like a new history does not begin one", ({ expect }) => {
  const {
    history,
  }: {
    history(
      hook: object,
      firing: object,
      at: object,
      rules: object,
    ): { has: boolean; begun: number | '' };
  } = runnerCode('./history.cjs');
  const rules = { charactersPerValue: 2000 };
  for (const id of COUNTING) {
    const transcript = join(scratch('session'), 'session.jsonl');
    const begun = (...more: string[]) => {
      writeFileSync(transcript, [...recordedIn(`${id}.jsonl`), ...more, ''].join('\n'));
      const at = { wire: clientOf(id).wire, label: 'annal' };
      return history({ text: 'x' }, { transcript }, at, rules).begun;
    };
    const before = begun();
    expect([id, begun(lineWith(id, anew(id)))]).toEqual([id, before]);
    expect([id, begun(JSON.stringify(anew(id)))]).toEqual([id, Number(before) + 1]);
  }
});
