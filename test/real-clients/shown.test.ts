// The model has read what the log says was shown: in a session of one prompt, in one that is resumed twice, in two at once,
// after a patch of two files, and in a client that a hook has started.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { atHome, type Place, type SessionResult } from '../../src/clients/driver/driver.ts';
import { run as start } from '../../src/system/child.ts';
import { expected, SESSIONS, type SessionKind } from '../clients/expectations.ts';
import { installAnnal, logged, node } from './annal.ts';
import { CLIENTS, type Client, LAUNCH, type Session } from './clients.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

/** Each text is unique, so that a repeated history does not count as a second text. */
const SCRIPTS = {
  'say.mjs': `import { appendFileSync, writeFileSync } from 'node:fs';
const text = 'SAID-' + process.argv[2] + '-' + process.hrtime.bigint() + ';';
appendFileSync(process.env.HOME + '/said', text + '\\n');
writeFileSync(process.env.HOME + '/' + process.argv[2], process.env.MCP_HOOKS_WITHIN);
console.log(text);`,
};
const say = (name: string, event: string, more: object = {}) => ({
  name,
  hook: { event, command: [...node('say.mjs'), name], ...more },
});
const HOOKS = [
  say('start', 'session_start'),
  say('prompt', 'pre_request'),
  say('once', 'pre_request', { once: 'session' }),
  say('call', 'post_tool_use', { matcher: { tool_name: 'Edit' } }),
  say('turn', 'post_request'),
];

/** How many texts of each hook the model has read, and how many were shown by the log, if the numbers differ. */
function seenIn(results: readonly SessionResult[]): string {
  const said = readFileSync(join(place.home, 'said'), 'utf8').trim().split('\n');
  const isRead = (text: string) =>
    results.some(({ conversation }) => conversation.requestsWith(text).length > 0);
  const shown = logged(place).flatMap(({ hooks, characters, each }) =>
    each
      ? each.flatMap((one) => (one.characters > 0 ? [one.hook] : []))
      : characters > 0
        ? hooks
        : [],
  );
  return HOOKS.map(({ name }, index) => {
    const read = said.filter((text) => text.startsWith(`SAID-${name}-`)).filter(isRead).length;
    const claimed = shown.filter((hook) => hook === index + 1).length;
    return `${name} ${read === claimed ? read : `${read}, and ${claimed} by the log`}`;
  }).join(', ');
}

const answer = (text: string) => ({ text });
const run = async (client: Client, session: Omit<Session, keyof Place>) => {
  const result = await client.run({ ...place, ...session });
  expect(result.exitCode).toBe(0);
  return result;
};

/** Undefined if the client does not support this. */
type Run = (client: Client) => Promise<SessionResult[]> | undefined;

const RUNS: Readonly<Record<SessionKind, Run>> = {
  'one prompt': async (client) => [await run(client, { prompts: ['ONE'], steps: [answer('one')] })],
  'a session that is resumed twice': async (client) => [
    await run(client, {
      turns: 'resume',
      prompts: ['ONE', 'TWO', 'THREE'],
      steps: ['one', 'two', 'three'].map(answer),
    }),
  ],
  'two sessions at once': async (client) => {
    const { firstStart } = expected[client.id].real;
    if (firstStart) {
      const options = { cwd: place.project, env: atHome(place) };
      const { exitCode, stderr } = await start(LAUNCH[client.id], firstStart, options);
      expect(exitCode, stderr).toBe(0);
    }
    return Promise.all(
      ['A', 'B'].map((name) => run(client, { prompts: [name], steps: [answer(name)] })),
    );
  },
  'a patch of two files': (client) => {
    const way = expected[client.id].real.fileCalls.find(({ steps }) => steps['edit both']);
    const step = way?.steps['edit both'];
    if (!step) return undefined;
    writeFileSync(join(place.project, 'two.txt'), 'other\n');
    const { model } = way;
    const steps = [step(place.project), answer('one')];
    const session = { prompts: ['ONE'], steps, ...(model !== undefined && { model }) };
    return run(client, session).then((result) => [result]);
  },
  'a client that the first hook has started': async (client) => {
    const first = await run(client, { prompts: ['ONE'], steps: [answer('one')] });
    const MCP_HOOKS_WITHIN = readFileSync(join(place.home, 'start'), 'utf8');
    const env = { MCP_HOOKS_WITHIN };
    return [first, await run(client, { prompts: ['TWO'], steps: [answer('two')], env })];
  },
};

describe.each(Object.values(CLIENTS))('$id', (client) => {
  test.each(SESSIONS)('%s', async (kind) => {
    const hooks = HOOKS.map(({ hook }) => hook);
    await installAnnal(place, client, hooks, ['command'], SCRIPTS);
    const results = await RUNS[kind](client);
    expect(results ? seenIn(results) : 'no patches').toBe(expected[client.id].real.sessions[kind]);
  });
});
