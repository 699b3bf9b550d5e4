// The promise itself: the model of the real client reads a text that a server declares, at the point that the grade promises.
// It does not read a text whose hook does not match.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Turns } from '../../src/clients/driver/driver.ts';
import type { Conversation } from '../../src/clients/driver/model.ts';
import type { Step } from '../../src/clients/driver/script.ts';
import { expected } from '../clients/expectations.ts';
import { clientOf } from '../support/runner/clients.ts';
import { CLIENTS, type Client } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { delivery, record, shownOn } from './matrix.ts';
import { install, mcpHooks } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ECHO = local('./fixtures/echo-server.mjs');
const WITNESS = local('./fixtures/witness-server.mjs');
const MEMORY = join(
  dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json'),
  ),
  'dist/index.js',
);

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const mcpCall = ({ id }: Client, tool: 'echo' | 'fail', text: string) => ({
  call: { name: `${expected[id].real.tools}${tool}`, input: { text } },
});

const EVENTS = {
  session_start: 'AT-START',
  pre_request: 'WITH-PROMPT',
  pre_tool_use: 'BEFORE-TOOL',
  post_tool_use: 'AFTER-TOOL',
  post_request: 'AFTER-TURN',
  session_end: 'AT-END',
};
type Event = keyof typeof EVENTS;
const eventNames = Object.keys(EVENTS) as Event[];

const COMMIT = { tool_name: 'Bash', input_contains: 'git commit' };
const matcher = (event: Event) => (event.endsWith('tool_use') ? { matcher: COMMIT } : {});

/** Two turns: a commit and an MCP call, the end of the turn (where a hook may ask for more), another prompt. */
const session = (client: Client) => ({
  prompts: ['PROMPT-ONE', 'PROMPT-TWO'],
  steps: [
    { shell: 'git commit --quiet --allow-empty -m done; echo COMMITTED' },
    mcpCall(client, 'echo', 'hello'),
    { text: 'first answer' },
    ...(expected[client.id].asksNothing ? [] : [{ text: 'asked for more' }]),
    { text: 'second answer' },
  ] satisfies Step[],
});

async function prepare(client: Client): Promise<void> {
  client.prepare(place);
  client.addServers(place, { 'my-srv': { command: process.execPath, args: [ECHO] } });
}

const run = (client: Client, turns?: Turns) =>
  client.run({ ...place, ...session(client), ...(turns && { turns }) });

/** The request in which each text is first read. */
function firsts(conversation: Conversation): Record<string, number | undefined> {
  return Object.fromEntries(
    eventNames.map((event) => [event, conversation.first(EVENTS[event])?.request]),
  );
}

/** The distance in passages of a text from another, in the request in which it is first read. */
function distance(conversation: Conversation, needle: string, other: string): number {
  const first = conversation.first(needle);
  const [anchor] = conversation.find(other, first?.request);
  return first && anchor ? Math.abs(first.index - anchor.index) : Number.POSITIVE_INFINITY;
}

/** The text of a hook about a call, up to the word that only this call has, however often it is quoted. */
const aboutCall = (name: string) => new RegExp(`AT-ONCE [^.]*made-${name}`, 'g');

/** The request in which a text about the first call is read. @param next The one with the next prompt. */
const ofCall = ({ id }: Client, next: number) => (expected[id].real.tellsLater ? next : 2);

/** How often the request with this number holds a text. */
const times = (conversation: Conversation, needle: string, request: number) =>
  JSON.stringify(conversation.requests[request - 1]?.body).split(needle).length - 1;

describe.each(Object.values(CLIENTS))('$id', (client) => {
  const ways = client.turns.map((turns) => ({ turns }));

  test.each(ways)('static texts of all six events arrive, $turns', async ({ turns }) => {
    await prepare(client);
    const never = [
      { matcher: { tool_name: 'Read' }, context: 'NOT-READ' },
      { matcher: { tool_name: 'Bash', input_contains: 'git push' }, context: 'NOT-PUSH' },
      { matcher: { tool_name: 'bASH' }, context: 'NOT-LOWER' },
      { matcher: { tool_server: 'other' }, context: 'NOT-OTHER' },
      { matcher: { tool_server: 'my-srv', input_contains: 'git' }, context: 'NOT-BOTH' },
    ];
    const declarations = [
      ...eventNames.map((event) => ({
        event,
        ...matcher(event),
        context: EVENTS[event],
        priority: 'suggestion',
      })),
      ...[
        { matcher: { tool_server: 'my-srv' }, context: 'OF-SERVER' },
        { matcher: { tool_name: 'mcp__my-srv__*' }, context: 'OF-GLOB' },
        ...never,
      ].map((hook) => ({ event: 'post_tool_use', ...hook, priority: 'suggestion' })),
    ];
    await install(place, client, { name: 'annal', hooks: { declarations } });
    const { conversation, exitCode, stepsLeft } = await run(client, turns);

    expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
    const last = conversation.requests.length;
    expect(last).toBe(expected[client.id].asksNothing ? 4 : 5);
    expect(firsts(conversation)).toEqual({
      session_start: 1,
      pre_request: 1,
      pre_tool_use: ofCall(client, 5), // late: with the result
      post_tool_use: ofCall(client, 5),
      session_end: 4, // adapted: one more turn at the end of the first, if there can be one
      post_request: last, // late: with the next prompt
    });
    const { tellsLater } = expected[client.id].real;
    expect(conversation.first('OF-SERVER')?.request).toBe(tellsLater ? 5 : 3);
    expect(conversation.first('OF-GLOB')?.request).toBe(tellsLater ? 5 : 3);
    for (const { context } of never) expect(conversation.requestsWith(context)).toEqual([]);

    // Beside what they are about: the prompt, the result of the call, the answer that ended the turn.
    const beside = {
      session_start: 'PROMPT-ONE',
      pre_request: 'PROMPT-ONE',
      pre_tool_use: tellsLater ? 'PROMPT-TWO' : 'COMMITTED',
      post_tool_use: tellsLater ? 'PROMPT-TWO' : 'COMMITTED',
      session_end: 'first answer',
      post_request: 'PROMPT-TWO',
    };
    for (const event of eventNames)
      expect([event, distance(conversation, EVENTS[event], beside[event]) <= 3]).toEqual([
        event,
        true,
      ]);

    expect(conversation.first('PROMPT-TWO')?.request).toBe(last);
    // Shown once, however long the session is.
    const { forgetsAsked } = expected[client.id].real;
    for (const event of ['session_start', 'session_end', 'post_request'] as const) {
      const isGone = event === 'session_end' && forgetsAsked && turns === 'resume';
      expect([event, times(conversation, EVENTS[event], last)]).toEqual([event, isGone ? 0 : 1]);
    }
    expect(conversation.first('AFTER-TOOL')?.text).toContain('Note from the MCP server');

    if (turns !== client.turns[0]) return;
    const all = { place, client, label: 'annal', conversation, prompts: session(client).prompts };
    for (const [index, event] of eventNames.entries())
      record(client, `${event}, text`, delivery(all, EVENTS[event], { hook: index + 1 }));
    record(client, 'mcp call', delivery(all, 'OF-SERVER', { hook: eventNames.length + 1 }));
  });

  test('texts of context_tool arrive on all six events', async () => {
    await prepare(client);
    const log = join(place.files, 'witness.log');
    await install(place, client, {
      name: 'witness',
      server: { command: process.execPath, args: [WITNESS, log] },
      hooks: {
        declarations: eventNames.map((event) => ({
          event,
          ...matcher(event),
          context_tool: 'say',
          context_tool_args: { text: `${EVENTS[event]} {project_name}` },
          priority: 'important',
        })),
      },
    });
    const { conversation, exitCode } = await run(client);

    expect(exitCode).toBe(0);
    expect(firsts(conversation)).toEqual({
      session_start: 1,
      pre_request: 1,
      pre_tool_use: ofCall(client, 4),
      post_tool_use: ofCall(client, 4),
      session_end: undefined, // the tool is called, but no model reads its text
      post_request: 4, // no turn is asked for: the second prompt is the fourth request
    });
    expect(conversation.first('AT-START')?.text).toContain('AT-START project');
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    const ends = calls.filter((call) => call.startsWith('AT-END'));
    // Each prompt is a process of its own if there is no other way.
    const isOne = client.turns[0] === 'live' && !expected[client.id].endsEachTurn;
    const { terminal } = expected[client.id].real;
    expect(ends).toHaveLength(terminal ? 0 : isOne ? 1 : session(client).prompts.length);

    const all = { place, client, label: 'witness', conversation, prompts: session(client).prompts };
    for (const [index, event] of eventNames.entries()) {
      const hook = index + 1;
      // See terminal.test.ts.
      if (event === 'session_end' && terminal) continue;
      record(
        client,
        `${event}, tool`,
        event === 'session_end'
          ? {
              by: shownOn(place, client, 'witness', hook).join(', '),
              place: 'nowhere: the tool is called',
            }
          : delivery(all, EVENTS[event], { hook }),
      );
    }
  });

  test('--act-now: the text of post_request at the end of each turn', async () => {
    await prepare(client);
    const declarations = [{ event: 'post_request', context: 'AFTER-TURN', priority: 'required' }];
    await install(place, client, { name: 'now', hooks: { declarations } }, '--act-now');
    const { asksNothing } = expected[client.id];
    const prompts = ['PROMPT-ONE', 'PROMPT-TWO'];
    const ends = ['one', 'more of one', 'two', 'more of two'].map((text) => ({ text }));
    const steps = asksNothing ? ends.filter(({ text }) => !text.startsWith('more')) : ends;
    const { conversation } = await client.run({ ...place, prompts, steps });

    expect(conversation.requests).toHaveLength(steps.length);
    expect(conversation.first('AFTER-TURN')?.request).toBe(2);
    expect(times(conversation, 'AFTER-TURN', steps.length)).toBe(asksNothing ? 1 : 2);
    const seen = delivery({ place, client, label: 'now', conversation, prompts }, 'AFTER-TURN');
    const late = { holds: 'no', why: `no hook makes it go on: ${seen.place}` };
    record(client, 'post_request, act-now', asksNothing ? late : seen);
  });

  test('texts about calls that fail, and about simultaneous calls', async () => {
    await prepare(client);
    const declarations = [
      { matcher: { tool_name: 'Bash', input_contains: 'exit 3' }, context: 'FAILED {tool_output}' },
      { matcher: { tool_server: 'my-srv' }, context: 'OF-FAILED-TOOL' },
      { matcher: { tool_name: 'Bash', input_contains: 'made-' }, context: 'AT-ONCE {tool_input}.' },
    ].map((hook) => ({ event: 'post_tool_use', ...hook, priority: 'suggestion' }));
    await install(place, client, { name: 'annal', hooks: { declarations } });
    const { tellsLater } = expected[client.id].real;
    const prompts = ['PROMPT-ONE', ...(tellsLater ? ['PROMPT-TWO'] : [])];
    const made = ['left', 'right'].map((name) => ({ shell: `echo made-${name}` }));
    const steps = [
      { shell: 'echo BROKEN; exit 3' },
      mcpCall(client, 'fail', 'SORRY'),
      { parallel: made },
      { text: 'done' },
      { text: 'done' },
    ];
    const { conversation } = await client.run({ ...place, prompts, steps });
    const all = { place, client, label: 'annal', conversation, prompts };

    // The failed command has a result like any other, if hooks run after it.
    const { real } = expected[client.id];
    const runs = real.texts['failed command'] !== 'not run';
    expect(conversation.first('FAILED')?.request).toBe(runs ? ofCall(client, 5) : undefined);
    if (runs) expect(conversation.first('FAILED')?.text).toContain('BROKEN');
    record(
      client,
      'failing command',
      runs ? delivery(all, 'FAILED') : { holds: 'no', why: real.untold ?? '' },
    );

    // The MCP tool reports its failure itself.
    expect(conversation.find('SORRY', 3).map(({ kind }) => kind)).toContain('result');
    const shown = tellsLater ? [5] : [3, 4];
    const told = real.hearsFailedTools ? shown : [];
    expect(conversation.requestsWith('OF-FAILED-TOOL')).toEqual(told);
    record(
      client,
      'failing mcp call',
      told.length > 0
        ? delivery(all, 'OF-FAILED-TOOL', { hook: 2 })
        : { holds: 'no', why: real.untold ?? '' },
    );

    // Each of the two calls has its own text, once.
    const last = JSON.stringify(conversation.requests.at(-1)?.body);
    for (const name of ['left', 'right'])
      expect([name, last.match(aboutCall(name))?.length]).toEqual([name, 1]);
    expect(times(conversation, 'AT-ONCE', conversation.requests.length)).toBe(2);
    record(client, 'parallel calls', delivery(all, 'AT-ONCE', { hook: 3 }));
  });

  test.each(['plain', 'sdk'])(
    'the example server %s, which declares its hooks itself',
    async (name) => {
      await prepare(client);
      const server = local(`../../fixtures/servers/${name}.mjs`);
      await mcpHooks(
        place,
        ...[
          'install',
          '--name',
          name,
          '--client',
          client.id,
          '--yes',
          '--allow',
          'context-tool',
          '--',
          process.execPath,
          server,
        ],
      );
      if (client.id === 'codex') await trustHooks(place.home, place.project);
      const { conversation } = await run(client);

      const expected = {
        plain: [
          ['Known so far', 1],
          ['You just committed work', ofCall(client, 4)],
        ],
        sdk: [['Open tasks of project: write the changelog.', 1]],
      }[name];
      for (const [text, request] of expected ?? [])
        expect([text, conversation.first(String(text))?.request]).toEqual([text, request]);
    },
  );

  test('the memory server, which declares no hooks itself', async () => {
    await prepare(client);
    const memory = join(place.files, 'memory.jsonl');
    const entity = {
      type: 'entity',
      name: 'BUILD',
      entityType: 'fact',
      observations: ['needs NODE-20'],
    };
    writeFileSync(memory, `${JSON.stringify(entity)}\n`);
    const { hooks } = JSON.parse(
      readFileSync(local('../../fixtures/servers/memory.json'), 'utf8').replace(/^\/\/.*$/gm, ''),
    );
    await install(place, client, {
      name: 'memory',
      server: { command: process.execPath, args: [MEMORY], env: { MEMORY_FILE_PATH: memory } },
      hooks,
    });
    const { conversation } = await run(client);

    expect(conversation.first('needs NODE-20')?.request).toBe(1);
    expect(conversation.first('You just committed work')?.request).toBe(ofCall(client, 4));
  });

  const { project } = clientOf(client.id).placement.files;
  test.skipIf(!project)('project scope, beside user scope', async () => {
    await prepare(client);
    const installIn = (scope: string) => {
      const context = `OF-${scope.toUpperCase()}`;
      const declarations = [{ event: 'pre_request', context, priority: 'important' }];
      const manifest = { name: `of-${scope}`, hooks: { declarations } };
      return install(place, client, manifest, '--scope', scope);
    };
    await installIn('user');
    await installIn('project');
    const { conversation } = await run(client);
    expect(conversation.first('OF-USER')?.request).toBe(1);
    expect(conversation.first('OF-PROJECT')?.request).toBe(1);
  });

  test('a runner that is gone disturbs nothing', async () => {
    await prepare(client);
    const declarations = eventNames.map((event) => ({
      event,
      context: EVENTS[event],
      priority: 'suggestion',
    }));
    await install(place, client, { name: 'annal', hooks: { declarations } });
    rmSync(join(place.home, '.mcp-hooks'), { recursive: true });
    const { conversation, exitCode } = await client.run({
      ...place,
      prompts: ['PROMPT-ONE'],
      steps: [{ shell: 'echo COMMITTED' }, { text: 'done' }],
    });
    expect(exitCode).toBe(0);
    expect(conversation.requests).toHaveLength(2);
    expect(conversation.find('COMMITTED', 2).map(({ kind }) => kind)).toContain('result');
    for (const event of eventNames) expect(conversation.requestsWith(EVENTS[event])).toEqual([]);
  });
});

describe('a subagent gets the text at its start, if its client can show it', () => {
  const hooks = {
    declarations: [
      { event: 'session_start', context: 'AT-START', priority: 'important' },
      { event: 'pre_request', context: 'WITH-PROMPT', priority: 'important' },
    ],
  };
  const subagents = [{ task: 'SUBTASK', steps: [{ text: 'done' }] }];
  const ofSubagent = ({ requests }: Conversation) =>
    requests.find(({ task }) => task === 'SUBTASK')?.number ?? 0;

  function told(client: Client, conversation: Conversation): void {
    const its = ofSubagent(conversation);
    expect(conversation.requestsWith('AT-START')).toContain(its);
    expect(conversation.requestsWith('WITH-PROMPT')).not.toContain(its);
    const all = { place, client, label: 'annal', conversation, prompts: ['PROMPT-ONE'] };
    const { by = '', ...seen } = delivery(all, 'AT-START', { from: its });
    // The session itself got the text at its own start.
    record(client, 'subagent', { ...seen, by: by.replace('SessionStart, ', '') });
  }

  test.each(Object.values(CLIENTS))('$id', async (client) => {
    await prepare(client);
    await install(place, client, { name: 'annal', hooks });
    const { steps, isTold } = expected[client.id].real.subagent;
    const session = { ...place, prompts: ['PROMPT-ONE'], steps, subagents };
    const { conversation } = await client.run(session);
    if (isTold) return told(client, conversation);
    const its = ofSubagent(conversation);
    expect(its).toBeGreaterThan(1);
    expect(conversation.requestsWith('AT-START')).not.toContain(its);
    record(client, 'subagent', { holds: 'no', why: 'subagents get no text' });
  });
});

test('Codex: new wording needs no new trust', async () => {
  const client = CLIENTS.codex;
  await prepare(client);
  const hooks = (context: string) => ({
    hooks: { declarations: [{ event: 'pre_request', context, priority: 'important' }] },
  });
  await install(place, client, { name: 'annal', ...hooks('OLD-WORDS') });
  writeFileSync(join(place.files, 'annal.json'), JSON.stringify(hooks('NEW-WORDS')));
  await mcpHooks(place, 'install', join(place.files, 'annal.json'), '--client', 'codex', '--yes');
  const { conversation } = await run(client);
  expect(conversation.requestsWith('OLD-WORDS')).toEqual([]);
  expect(conversation.first('NEW-WORDS')?.request).toBe(1);
});

describe('claude-code, --scope local', () => {
  const declarations = [{ event: 'pre_request', context: 'MINE-ALONE', priority: 'important' }];
  const claude = CLIENTS['claude-code'];
  const arrives = async (project = place.project) => {
    const { conversation } = await claude.run({ ...place, ...session(claude), project });
    return conversation.first('MINE-ALONE')?.request;
  };

  // The user has not trusted the folder: with -p, Claude Code does not ask.
  test('arrives, also below the top of the repository and when git tracks the file', async () => {
    await prepare(claude);
    const manifest = { name: 'mine', hooks: { declarations } };
    await install(place, claude, manifest, '--scope', 'local');
    expect(await arrives()).toBe(1);
    const below = join(place.project, 'sub');
    mkdirSync(below);
    expect(await arrives(below)).toBe(1);
    const file = '.claude/settings.local.json';
    execFileSync('git', ['add', '--force', file], { cwd: place.project });
    expect(await arrives()).toBe(1);
    await mcpHooks(place, 'uninstall', 'mine', '--yes', '--scope', 'local');
    expect(existsSync(join(place.project, file))).toBe(false);
    expect(await arrives()).toBeUndefined();
  });

  test('arrives in a folder below the top of the repository when it is installed there', async () => {
    await prepare(claude);
    const below = join(place.project, 'sub');
    mkdirSync(below);
    const manifest = { name: 'mine', hooks: { declarations } };
    await install({ ...place, project: below }, claude, manifest, '--scope', 'local');
    expect(await arrives(below)).toBe(1);
    expect(await arrives()).toBeUndefined();
  });
});
