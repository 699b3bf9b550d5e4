// A text that a client drops was not shown: the hook keeps its `once` and is read the next time, the log says why, and `stats`
// does not count it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Step } from '../../src/clients/driver/script.ts';
import type { ClientId } from '../../src/clients/registry.ts';
import { expected, SITUATIONS, type Situation } from '../clients/expectations.ts';
import { answering, installAnnal, node } from './annal.ts';
import { CLIENTS } from './clients.ts';
import { mcpHooks } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const about = (input_contains: string, tool_name = 'Bash') => ({
  event: 'post_tool_use',
  matcher: { tool_name, input_contains },
});
const text = { once: 'session' };
const HOOKS = [
  { ...about('FIRST'), ...text, context: 'About: failed command.' },
  { ...about('SECOND', 'Read'), ...text, context: 'About: failed call.' },
  { ...about('THIRD', 'mcp__my-srv__*'), ...text, context: 'About: failed MCP call.' },
  { ...about('FOURTH'), ...text, context: 'About: block.' },
  { ...about('FIFTH'), ...text, context: 'About: change.' },
  { ...about('is FOURTH'), block: 'NOT-WANTED' },
  { ...about('is FIFTH'), command: node('change.mjs'), may: ['modify'] },
];
const SCRIPTS = {
  'change.mjs': answering(`{ action: 'modify', modifiedOutput: 'REDACTED' }`),
};

/** For each situation, two calls that its hook matches. The first is the situation itself. */
function stepsFor(id: ClientId): Record<Situation, Step[]> {
  const { tools, fileCalls } = expected[id].real;
  const mcp = (tool: string) => ({ call: { name: `${tools}${tool}`, input: { text: 'THIRD' } } });
  const files = ['SECOND.none', 'SECOND.txt'].map((name) => join(place.project, name));
  return {
    'failed command': [{ shell: 'exit 3 # FIRST' }, { shell: 'echo FIRST' }],
    'failed call': files.flatMap((file) => fileCalls[0]?.steps.read?.(file) ?? []),
    'failed MCP call': [mcp('fail'), mcp('echo')],
    block: [{ shell: 'echo this is FOURTH' }, { shell: 'echo FOURTH' }],
    change: [{ shell: 'echo this is FIFTH' }, { shell: 'echo FIFTH' }],
  };
}

const FAILED = 'it shows no text of a hook after a call that failed like this';
const WHY: Readonly<Record<Situation, string>> = {
  'failed command': FAILED,
  'failed call': FAILED,
  'failed MCP call': FAILED,
  block: 'it shows no text beside a block',
  change: 'it shows no text beside a changed output',
};

/** The call of the two with which the model reads the text, and what the log says about the hook, line by line. */
function expectedIn(situation: Situation, id: ClientId, calls: number): string[] {
  const becomes = expected[id].real.texts[situation];
  if (calls === 0) return ['none'];
  if (becomes === 'read') return ['first', 'shown'];
  const dropped = becomes === 'dropped' ? [`dropped by the client: ${WHY[situation]}`] : [];
  return ['second', ...dropped, 'shown'];
}

interface Line {
  readonly hooks: readonly number[];
  readonly reason?: string;
}

/** What a line of the log says about a hook. */
function saidOf({ hooks, reason = '' }: Line, hook: number): string[] {
  const [, numbers = '', why = ''] = /^hooks? ([\d, ]+) (dropped .*)$/.exec(reason) ?? [];
  if (numbers.split(', ').includes(String(hook))) return [why];
  return hooks.includes(hook) ? ['shown'] : [];
}

/** If all texts about calls wait for the next prompt, none is dropped with its call. */
const AT_ONCE = Object.values(CLIENTS).filter(({ id }) => !expected[id].real.tellsLater);

test.each(AT_ONCE)('$id: a dropped text is shown the next time', async (client) => {
  await installAnnal(place, client, HOOKS, ['block', 'modify', 'command'], SCRIPTS);
  writeFileSync(join(place.project, 'SECOND.txt'), 'a file');
  const all = stepsFor(client.id);
  const steps = [...SITUATIONS.flatMap((one) => all[one]), { text: 'done' }];
  const session = { ...place, prompts: ['PROMPT-ONE'], steps };
  const { conversation, exitCode, stepsLeft } = await client.run(session);
  expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });

  const inJson = async (command: string) =>
    JSON.parse(await mcpHooks(place, command, 'annal', '--json'));
  const { entries }: { entries: Line[] } = await inJson('log');
  const { stats }: { stats: { hook: number; firings: number; failures: number }[] } =
    await inJson('stats');
  let before = 1;
  const seen = SITUATIONS.map((situation, index) => {
    const at = conversation.first(`About: ${situation}.`)?.request;
    const read = at === undefined ? 'none' : ['first', 'second'][at - before - 1];
    before += all[situation].length;
    return [situation, [read, ...entries.flatMap((line) => saidOf(line, index + 1))]];
  });
  const wanted = SITUATIONS.map(
    (one) => [one, expectedIn(one, client.id, all[one].length)] as const,
  );
  expect(seen).toEqual(wanted);

  const counted = SITUATIONS.map((situation, index) => {
    const own = stats.filter(({ hook }) => hook === index + 1);
    const sum = (of: 'firings' | 'failures') => own.reduce((all, one) => all + one[of], 0);
    return [situation, sum('firings'), sum('failures')];
  });
  const shown = wanted.map(([one, seen]) => [one, seen.includes('shown') ? 1 : 0, 0]);
  expect(counted).toEqual(shown);
});
