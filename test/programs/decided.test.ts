/** A hook decides, and something fails before its decision is printed or logged. The decision still counts. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChainWorld, chain, DECISIVE, linesIn } from '../support/runner/chain.ts';
import { reasonIn } from '../support/runner/guards.ts';

const says = (order: number) => ({
  event: 'pre_tool_use',
  context: 'Mind the API_KEY=abcdefghijklmnop1.',
  order,
});
const answers = (answer: object, may: string) => ({
  event: 'pre_tool_use',
  command: ['echo', JSON.stringify(answer)],
  may: [may],
});
const blocks = answers(
  { action: 'block', reason: 'No.', warnings: ['Beware of API_KEY=abcdefghijklmnop1.'] },
  'block',
);
const changes = answers(
  {
    action: 'modify',
    modifiedInput: { command: 'true' },
    warnings: ['Beware of API_KEY=abcdefghijklmnop1.'],
  },
  'modify',
);

/** A client that reads only the last answer, so texts are kept for later runners. */
const repeating = () => {
  const { PreToolUse } = DECISIVE.nativeEvents;
  const wire = { ...PreToolUse?.wire, repeats: 'prompt_id' };
  const nativeEvents = {
    ...DECISIVE.nativeEvents,
    PreToolUse: { matcher: 'tool', timeout: 10, ...PreToolUse, wire },
  } as const;
  return { ...DECISIVE, nativeEvents };
};

/** Replaces the body of a function of the runner. */
const broken =
  (file: string, name: string, body = 'throw new Error("broken")') =>
  ({ folder }: ChainWorld) =>
    appendFileSync(
      join(folder, 'runner', file),
      `\nmodule.exports.${name} = (values, options) => { ${body} };\n`,
    );

const inState =
  (change: (state: string) => void) =>
  ({ state }: ChainWorld) =>
    change(state);

const WAYS: readonly (readonly [what: string, breaks: (world: ChainWorld) => void])[] = [
  ['the room for a text is not known', broken('answer.cjs', 'saysToo')],
  ['texts cannot be put together', broken('words.cjs', 'compose')],
  ['texts cannot be kept', broken('repeats.cjs', 'withOthers')],
  ['what hooks did cannot be listed', broken('each.cjs', 'eachOf')],
  ['secrets cannot be masked', broken('redact.cjs', 'masked')],
  ['the hash of the input cannot be computed', broken('values.cjs', 'hashOf')],
  [
    'the client gives up while a warning is masked for the log',
    broken(
      'redact.cjs',
      'masked',
      `return values.length === 1 && /^Beware/.test(values[0])
        ? process.kill(process.pid, 'SIGKILL')
        : masked(values, options)`,
    ),
  ],
  [
    'the client gives up during an endless search for secrets',
    broken(
      'redact.cjs',
      'masked',
      `return options?.until < Date.now() + 60_000
        ? masked(values, options)
        : process.kill(process.pid, 'SIGKILL')`,
    ),
  ],
  [
    'nothing can be remembered',
    inState((state) => writeFileSync(join(state, 'sessions'), 'a file in place of the folder')),
  ],
  ['the state folder is gone', inState((state) => renameSync(state, `${state}-gone`))],
  ['the state folder is closed', inState((state) => chmodSync(state, 0o500))],
  [
    'a folder is in place of the log',
    inState((state) => mkdirSync(join(state, 'log/annal.jsonl'), { recursive: true })),
  ],
];

describe.each(WAYS)('%s', (_, breaks) => {
  test.each([
    ['comes alone', []],
    ['comes with a text', [says(1)]],
  ])('a decision that %s counts', async (_how, others) => {
    const blocked = chain({ hooks: [...others, blocks], client: repeating() });
    breaks(blocked);
    expect(reasonIn((await blocked.fire('PreToolUse')).answer)).toMatch(
      /allowed it to block: (?:No\.|\*\*\*)$/,
    );
    const changed = chain({ hooks: [...others, changes], client: repeating() });
    breaks(changed);
    expect((await changed.fire('PreToolUse')).answer).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: 'true' } },
    });
  });
});

test('texts of a program are masked whole if the second search for secrets fails', async () => {
  const world = chain({
    hooks: [
      answers(
        { action: 'injectContext', additionalContext: ['One.', 'Two.'], warnings: ['Three.'] },
        'block',
      ),
    ],
  });
  broken(
    'redact.cjs',
    'masked',
    'return masked(values, Array.isArray(values[0]) ? { until: 0 } : options)',
  )(world);
  broken('redact.cjs', 'mayHoldSecrets', 'return true')(world);
  const { answer } = await world.fire('PreToolUse');
  expect(linesIn(answer)).toEqual(['***', '***']);
  expect(world.log()).toMatchObject([{ warnings: ['***'] }]);
});

test('a decision counts even if the record of what was shown cannot be written', async () => {
  const world = chain({ hooks: [says(1), blocks], client: repeating() });
  await world.fire('PreToolUse', { prompt_id: 'one' });
  const folder = join(world.state, 'sessions');
  const said = readdirSync(folder).filter((name) => name.includes('said-'));
  expect(said.length).toBe(1);
  const again = chain({ hooks: [says(1), blocks], client: repeating() });
  for (const name of said) mkdirSync(join(again.state, 'sessions', name), { recursive: true });
  expect(reasonIn((await again.fire('PreToolUse', { prompt_id: 'one' })).answer)).toMatch(/No\.$/);
});
