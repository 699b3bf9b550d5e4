// Runs every case of the conformance suite with the engine, and with the installed runner in a process that a shell starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { commandsAt, handlersIn } from '../../src/clients/entries.ts';
import { compile } from '../../src/compile/compile.ts';
import { runnerFiles } from '../../src/compile/runner-files.ts';
import { ownEventName } from '../../src/declaration/declaration.ts';
import { RULE } from '../../src/declaration/grants.ts';
import { RULES, rulesFor } from '../../src/declaration/policy.ts';
import { sentences } from '../../src/present/messages/sentence.ts';
import {
  byEngine,
  type Case,
  type CaseRequest,
  type Evaluate,
  readCases,
  tryCase,
} from '../../src/sdk/engine/conformance.ts';
import { neutral } from '../../src/sdk/engine/neutral.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { CONFORMANCE, template } from '../../src/system/package-files.ts';
import { test as inWorld } from '../support/world.ts';

const CASES = readCases();

const nameOf = ({ topic, name, isTwin }: Case) => `${topic}: ${name}${isTwin ? ' (twin)' : ''}`;

test('there are at least 400 cases, each with a unique name', () => {
  expect(CASES.filter(({ isTwin }) => !isTwin).length).toBeGreaterThanOrEqual(400);
  const names = CASES.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('a program that shows nothing and one that shows everything fail every pair of cases', async () => {
  const withTwins = new Set(CASES.filter(({ isTwin }) => isTwin).map(({ name }) => name));
  expect(withTwins.size).toBeGreaterThanOrEqual(150);
  const passedBy = async (evaluate: Evaluate) => {
    const failed = new Set<string>();
    for (const one of CASES)
      if ((await tryCase(one, evaluate)).length > 0) failed.add(`${one.topic}: ${one.name}`);
    return CASES.filter(({ topic, name }) => !failed.has(`${topic}: ${name}`));
  };
  expect((await passedBy(async () => ({}))).map(nameOf)).toEqual([]);
  const shows = await passedBy(async ({ manifest }) => ({
    action: 'injectContext',
    additionalContext: JSON.stringify(manifest),
  }));
  expect(shows.filter(({ isTwin }) => isTwin).map(nameOf)).toEqual([]);
});

test('a reason that is shown beyond its limit is a failure', async () => {
  const one = CASES.find(({ name }) => name === 'limit: of a reason');
  if (!one) throw new Error('no such case');
  const given = { action: 'block', reason: '0123456789abcdef' };
  expect(sentences(await tryCase(one, async () => given))).toEqual([
    'the model reads "0123456789a"',
  ]);
});

/** Runs what `install` would write for the neutral client. */
const byRunner: Evaluate = async (request, folder) => {
  const { label, manifest, allow, policy } = request;
  const file = join(folder, 'manifest.json');
  const [state, runner, home] = ['state', 'runner', 'home'].map((name) => join(folder, name));
  if (!state || !runner || !home) throw new Error(folder);
  for (const made of [state, runner, home]) mkdirSync(made);
  writeFileSync(file, JSON.stringify(manifest));
  if (Object.keys(policy).length > 0)
    writeFileSync(join(state, 'policy.json'), JSON.stringify(policy));
  const defaults = {
    ...RULES,
    ...Object.fromEntries(allow.map((grant) => [RULE[grant], true])),
  };
  const { program, groups } = compile(parseManifest(JSON.stringify(manifest), file), neutral, {
    runner,
    state,
    defaults,
    rules: rulesFor(policy, label, defaults),
  });
  const host = { node: process.execPath, platform: process.platform, template };
  for (const { name, bytes, mode } of runnerFiles(host, runner, [program], Buffer.from('{}')))
    writeFileSync(join(runner, name), bytes, { mode });

  const fire = async ({ event: given, hook = given, ...rest }: CaseRequest['event']) => {
    const event = ownEventName(given ?? hook);
    const [command] = groups
      .filter((placed) => placed.event === event)
      .flatMap(({ group }) => handlersIn(neutral, group))
      .flatMap(({ handler }) => commandsAt(neutral.entry.commands, handler));
    if (command === undefined) return '';
    const { sessionId, ...more } = rest;
    const child = spawn('sh', ['-c', command], { env: { PATH: process.env.PATH, HOME: home } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => {}).end(JSON.stringify({ event, sessionId, ...more }));
    expect([...(await once(child, 'close')), stderr]).toEqual([0, null, '']);
    return stdout;
  };
  for (const { pause, ...before } of request.session) {
    await fire(before);
    if (pause !== undefined) await wait(pause);
  }
  const printed = await fire(request.event);
  return printed === '' ? {} : JSON.parse(printed);
};

describe.each([
  ['the engine', byEngine],
  ['the runner', byRunner],
])('%s', (_, evaluate) => {
  test.concurrent.each(CASES.map((one) => [nameOf(one), one] as const))(
    '%s',
    async (_name, one) => {
      expect(sentences(await tryCase(one, evaluate))).toEqual([]);
    },
    30_000,
  );
});

test('a failed case lists the differences', async () => {
  const one = CASES.find(({ name }) => name === 'a changed input with a text');
  if (!one) throw new Error('no such case');
  expect(sentences(await tryCase(one, async () => 'nothing'))).toEqual([
    'it printed "nothing", which is not a JSON object',
  ]);
  expect(sentences(await tryCase(one, async () => []))).toEqual([
    'it printed [], which is not a JSON object',
  ]);
  const given = { action: 'block', reason: 'x', additionalContext: ['Changed'] };
  expect(sentences(await tryCase(one, async () => given))).toEqual([
    'the action is "block", not "modify"',
    'the model does not read "Changed.", or not in that place',
    '"modifiedInput" is missing, not {"command":"ls"}',
  ]);
  const block = CASES.find(({ name }) => name === 'a block of pre_tool_use');
  if (!block) throw new Error('no such case');
  expect(sentences(await tryCase(block, async () => given))).toEqual([
    'the model reads "Changed"',
    'the reason is "x", without "Not now."',
  ]);
});

inWorld.for([
  ['hangs', '0.3', ['sleep', '60'], 'it took longer than 0.3 seconds and was ended'],
  ['prints without end', '0.3', ['yes'], 'it took longer than 0.3 seconds and was ended'],
  ['prints nothing', '30', ['true'], 'it printed nothing'],
  ['prints no JSON', '30', ['echo', 'Hello {'], 'it printed "Hello {", which is not a JSON object'],
  ['prints a list', '30', ['echo', '[]'], 'it printed [], which is not a JSON object'],
  ['fails', '30', ['sh', '-c', 'exec <&-; echo No. >&2; exit 3'], 'it exited with 3: No.'],
  ['is killed', '30', ['sh', '-c', 'kill -9 $$'], 'it exited with 128'],
] as const)(
  'an implementation that %s fails each case',
  async ([, seconds, program, what], { world }) => {
    const words = ['conformance', '--topic', 'order', '--timeout', seconds, '--json', '--'];
    const { code, out, err } = await world.run([...words, ...program], {
      env: { PATH: process.env.PATH },
    });
    expect([code, err]).toEqual([1, '']);
    const { failures } = JSON.parse(out);
    const all = CASES.filter(({ topic }) => topic === 'order').map(() => [what]);
    expect(failures.map((one: { differences: string[] }) => one.differences)).toEqual(all);
  },
);

test('the schema is of draft 2020-12, and names every key of a case', () => {
  const schema = JSON.parse(readFileSync(join(CONFORMANCE, 'schema.json'), 'utf8'));
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  const keys = new Set(CASES.flatMap(({ topic: _, isTwin: __, ...one }) => Object.keys(one)));
  expect(Object.keys(schema.$defs.case.properties).sort()).toEqual([...keys, 'twin'].sort());
});
