// The harness itself, proven with hooks written by hand: what each real client sends to its model, in which request and where
// in it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Place } from '../../src/clients/driver/driver.ts';
import { HookProcesses } from '../../src/clients/driver/hook-processes.ts';
import type { Conversation, TextOccurrence } from '../../src/clients/driver/model.ts';
import { run as start } from '../../src/system/child.ts';
import { getPath, type JsonObject, parse, str } from '../../src/system/json.ts';
import { CLIENTS, type Client, claude, codex, gemini, type Session } from './clients.ts';
import { listHooks, trustHooks } from './codex-app-server.ts';
import { addHooks } from './entries.ts';
import { type Answers, context, type Probe, probe } from './probe.ts';
import { type Scratch, scratch } from './scratch.ts';

const ECHO = fileURLToPath(new URL('./fixtures/echo-server.mjs', import.meta.url));

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

/** A client with the echo server and one hook that records all events and answers as planned. */
async function prepared(client: Client, answers: Answers): Promise<Probe> {
  client.prepare(place);
  client.addServers(place, { 'my-srv': { command: process.execPath, args: [ECHO] } });
  const hook = probe(place.files, answers);
  addHooks(client.id, place.home, Object.keys(answers), hook.command);
  if (client.id === 'codex') {
    await trustHooks(place.home, place.project);
  }
  return hook;
}

function run(client: Client, session: Omit<Session, keyof Place>) {
  return client.run({ ...place, ...session });
}

function seen(conversation: Conversation, needle: string): TextOccurrence {
  const first = conversation.first(needle);
  if (first === undefined) {
    throw new Error(`The model never read ${needle}`);
  }
  return first;
}

/** Where a text is first read: its request, and its distance in passages from another's. */
function from(conversation: Conversation, needle: string, other: string): [number, number] {
  const { request, index } = seen(conversation, needle);
  const [anchor] = conversation.find(other, request);
  return [request, anchor === undefined ? Number.NaN : index - anchor.index];
}

const events = (hook: Probe) =>
  hook.firings().map((firing) => str(getPath(firing, 'hook_event_name')));
const all = (hook: Probe, key: string) => [
  ...new Set(hook.firings().map((it) => getPath(it, key))),
];

const TWO_TURNS: Pick<Session, 'prompts' | 'steps'> = {
  prompts: ['PROMPT-ONE', 'PROMPT-TWO'],
  steps: [{ shell: "printf 'shell-%d' 42" }, { text: 'one' }, { text: 'forced' }, { text: 'two' }],
};

describe('claude-code', () => {
  const answers: Answers = {
    SessionStart: [context('SessionStart', 'CTX-START')],
    UserPromptSubmit: [context('UserPromptSubmit', 'CTX-PROMPT')],
    PreToolUse: [context('PreToolUse', 'CTX-PRE')],
    PostToolUse: [context('PostToolUse', 'CTX-POST')],
    Stop: [context('Stop', 'CTX-STOP')],
    SessionEnd: [],
  };

  test('the text of each event, in its request and beside what it belongs to', async () => {
    const hook = await prepared(claude, answers);
    const { conversation, exitCode, stepsLeft, refused } = await run(claude, TWO_TURNS);

    expect({ exitCode, stepsLeft, refused }).toEqual({ exitCode: 0, stepsLeft: 0, refused: [] });
    expect(conversation.requests).toHaveLength(4);
    expect(from(conversation, 'CTX-START', 'PROMPT-ONE')).toEqual([1, 1]);
    expect(from(conversation, 'CTX-PROMPT', 'PROMPT-ONE')).toEqual([1, 1]);
    expect(from(conversation, 'CTX-PRE', 'shell-42')).toEqual([2, 1]);
    expect(from(conversation, 'CTX-POST', 'shell-42')).toEqual([2, 1]);
    expect(seen(conversation, 'shell-42').kind).toBe('result');
    expect(seen(conversation, 'CTX-STOP')).toMatchObject({ request: 3, role: 'user' });
    expect(conversation.requestsWith('CTX-START')).toEqual([1, 2, 3, 4]);
    expect(conversation.requestsWith('PROMPT-TWO')).toEqual([4]);
    expect(events(hook)).toEqual([
      ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'Stop'],
      ...['UserPromptSubmit', 'Stop', 'SessionEnd'],
    ]);
    const stops = hook.firings('Stop').map((firing) => getPath(firing, 'stop_hook_active'));
    expect(stops).toEqual([false, true, false]);
    expect(all(hook, 'session_id')).toHaveLength(1);
  });

  test('a resumed session starts and ends twice under one id', async () => {
    const hook = await prepared(claude, { SessionStart: [], SessionEnd: [] });
    await run(claude, { prompts: ['a', 'b'], steps: [], turns: 'resume' });

    const sources = hook.firings('SessionStart').map((firing) => getPath(firing, 'source'));
    expect(sources).toEqual(['startup', 'resume']);
    expect(events(hook)).toEqual(['SessionStart', 'SessionEnd', 'SessionStart', 'SessionEnd']);
    expect(all(hook, 'session_id')).toHaveLength(1);
  });

  test('an MCP tool', async () => {
    const hook = await prepared(claude, { PreToolUse: [], PostToolUse: [] });
    const call = { name: 'mcp__my-srv__echo', input: { text: 'hello' } };
    const { conversation } = await run(claude, { prompts: ['a'], steps: [{ call }] });

    expect(seen(conversation, 'echo: hello').kind).toBe('result');
    expect(hook.firings()).toMatchObject([
      { tool_name: 'mcp__my-srv__echo', mcp_server: { name: 'my-srv', source: 'user' } },
      { tool_response: [{ type: 'text', text: 'echo: hello' }] },
    ]);
  });

  test('a subagent', async () => {
    const SubagentStart = [context('SubagentStart', 'CTX-SUB')];
    const SessionStart = [context('SessionStart', 'CTX-START')];
    const hook = await prepared(claude, { SessionStart, SubagentStart });
    const input = { description: 'd', prompt: 'SUBTASK', subagent_type: 'general-purpose' };
    const { conversation, stepsLeft } = await run(claude, {
      prompts: ['a'],
      steps: [{ call: { name: 'Agent', input: { ...input, run_in_background: false } } }],
      subagents: [{ task: 'SUBTASK', steps: [{ text: 'done' }] }],
    });

    expect(stepsLeft).toBe(0);
    expect(conversation.requests.map(({ task }) => task)).toEqual([
      undefined,
      'SUBTASK',
      undefined,
    ]);
    expect(from(conversation, 'CTX-SUB', 'SUBTASK')).toEqual([2, 1]);
    expect(conversation.requestsWith('CTX-START')).toEqual([1, 3]);
    expect(hook.firings('SubagentStart')).toMatchObject([{ agent_type: 'general-purpose' }]);
  });
});

describe('codex', () => {
  const answers: Answers = {
    SessionStart: [context('SessionStart', 'CTX-START')],
    UserPromptSubmit: [context('UserPromptSubmit', 'CTX-PROMPT')],
    PreToolUse: [context('PreToolUse', 'CTX-PRE')],
    PostToolUse: [context('PostToolUse', 'CTX-POST')],
    Stop: [{ decision: 'block', reason: 'CTX-STOP' }],
    SessionEnd: [],
  };

  test.each([
    'gpt-5.5',
    // Writes JavaScript that calls the tools; the hooks see the inner calls.
    'gpt-6-sol',
  ])('the text of each event, in its request and beside what it belongs to: %s', async (model) => {
    const hook = await prepared(codex, answers);
    const { conversation, exitCode, stepsLeft } = await run(codex, { ...TWO_TURNS, model });

    expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
    expect(conversation.requests).toHaveLength(4);
    expect(from(conversation, 'CTX-START', 'PROMPT-ONE')).toEqual([1, -1]);
    expect(from(conversation, 'CTX-PROMPT', 'PROMPT-ONE')).toEqual([1, 1]);
    expect(from(conversation, 'CTX-PRE', 'shell-42')).toEqual([2, -2]);
    expect(from(conversation, 'CTX-POST', 'shell-42')).toEqual([2, -1]);
    expect(seen(conversation, 'shell-42').kind).toBe('result');
    expect(seen(conversation, 'CTX-STOP')).toMatchObject({ request: 3, role: 'user' });
    expect(conversation.requestsWith('PROMPT-TWO')).toEqual([4]);
    expect(events(hook)).toEqual([
      ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'Stop'],
      ...['UserPromptSubmit', 'Stop', 'SessionEnd'],
    ]);
    const stops = hook.firings('Stop').map((firing) => getPath(firing, 'stop_hook_active'));
    expect(stops).toEqual([false, true, false]);
    expect(hook.firings('PreToolUse')).toMatchObject([{ tool_name: 'Bash' }]);
    expect(all(hook, 'session_id')).toHaveLength(1);
  });

  test('a resumed session starts and ends twice under one id', async () => {
    const hook = await prepared(codex, { SessionStart: [], SessionEnd: [] });
    await run(codex, { prompts: ['a', 'b'], steps: [], turns: 'resume' });

    const sources = hook.firings('SessionStart').map((firing) => getPath(firing, 'source'));
    expect(sources).toEqual(['startup', 'resume']);
    expect(events(hook)).toEqual(['SessionStart', 'SessionEnd', 'SessionStart', 'SessionEnd']);
    expect(all(hook, 'session_id')).toHaveLength(1);
  });

  test('an untrusted hook is skipped until trust is granted', async () => {
    codex.prepare(place);
    const hook = probe(place.files, { UserPromptSubmit: [context('UserPromptSubmit', 'CTX')] });
    addHooks('codex', place.home, ['UserPromptSubmit'], hook.command);

    const skipped = await run(codex, { prompts: ['a'], steps: [] });
    expect(skipped.conversation.requestsWith('CTX')).toEqual([]);
    expect(hook.firings()).toEqual([]);

    const { before, after } = await trustHooks(place.home, place.project);
    expect(before.map(({ trustStatus }) => trustStatus)).toEqual(['untrusted']);
    expect(after.map(({ trustStatus }) => trustStatus)).toEqual(['trusted']);
    expect(after[0]?.command).toBe(hook.command);
    expect(await listHooks(place.home, place.project)).toEqual(after);

    const told = await run(codex, { prompts: ['a'], steps: [] });
    expect(told.conversation.requestsWith('CTX')).toEqual([1]);
  });

  test('an MCP tool and a patch', async () => {
    const hook = await prepared(codex, { PreToolUse: [], PostToolUse: [] });
    const patch = '*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch';
    const { conversation } = await run(codex, {
      prompts: ['a'],
      steps: [
        { call: { name: 'mcp__my_srv.echo', input: { text: 'hello' } } },
        { call: { name: 'apply_patch', input: patch } },
      ],
    });

    expect(seen(conversation, 'echo: hello').kind).toBe('result');
    expect(readFileSync(join(place.project, 'a.txt'), 'utf8')).toBe('hello\n');
    expect(hook.firings()).toMatchObject([
      { tool_name: 'mcp__my_srv__echo', tool_input: { text: 'hello' } },
      { tool_response: { content: [{ type: 'text', text: 'echo: hello' }] } },
      { tool_name: 'apply_patch', tool_input: { command: patch } },
      { tool_name: 'apply_patch' },
    ]);
  });

  test('a subagent', async () => {
    const hook = await prepared(codex, {
      SessionStart: [context('SessionStart', 'CTX-START')],
      SubagentStart: [context('SubagentStart', 'CTX-SUB')],
      UserPromptSubmit: [],
    });
    const { conversation, stepsLeft } = await run(codex, {
      prompts: ['a'],
      steps: [
        { call: { name: 'multi_agent_v1.spawn_agent', input: { message: 'SUBTASK' } } },
        ({ passages }) => {
          const spawned = passages.find(({ kind }) => kind === 'result')?.text ?? '{}';
          const input: JsonObject = { targets: [getPath(parse(spawned), 'agent_id') ?? ''] };
          return { call: { name: 'multi_agent_v1.wait_agent', input } };
        },
      ],
      subagents: [{ task: 'SUBTASK', steps: [{ text: 'done' }] }],
    });

    expect(stepsLeft).toBe(0);
    const sub = conversation.requests.find(({ task }) => task === 'SUBTASK')?.number ?? 0;
    expect(from(conversation, 'CTX-SUB', 'SUBTASK')).toEqual([sub, -1]);
    expect(conversation.requestsWith('CTX-START')).not.toContain(sub);
    expect(hook.firings('SubagentStart')).toMatchObject([{ agent_type: 'default' }]);
    // The task is a prompt of the parent's session.
    expect(hook.firings('UserPromptSubmit')).toMatchObject([
      { prompt: 'a' },
      { prompt: 'SUBTASK', agent_type: 'default' },
    ]);
    expect(all(hook, 'session_id')).toHaveLength(1);
  });
});

describe('gemini-cli', () => {
  const answers: Answers = {
    SessionStart: [context('SessionStart', 'CTX-START')],
    BeforeAgent: [context('BeforeAgent', 'CTX-PROMPT')],
    BeforeTool: [context('BeforeTool', 'CTX-PRE')],
    AfterTool: [context('AfterTool', 'CTX-POST')],
    AfterAgent: [{ decision: 'deny', reason: 'CTX-STOP' }],
    SessionEnd: [],
  };

  test('the text of each event, in its request and beside what it belongs to', async () => {
    const hook = await prepared(gemini, answers);
    const { conversation, exitCode, stepsLeft, refused } = await run(gemini, TWO_TURNS);

    expect({ exitCode, stepsLeft, refused }).toEqual({ exitCode: 0, stepsLeft: 0, refused: [] });
    expect(conversation.requests).toHaveLength(4);
    expect(from(conversation, 'CTX-START', 'PROMPT-ONE')).toEqual([1, 0]);
    expect(from(conversation, 'CTX-PROMPT', 'PROMPT-ONE')).toEqual([1, 1]);
    expect(conversation.requestsWith('CTX-PRE')).toEqual([]);
    expect(from(conversation, 'CTX-POST', 'shell-42')).toEqual([2, 0]);
    expect(seen(conversation, 'shell-42').kind).toBe('result');
    expect(seen(conversation, 'CTX-STOP')).toMatchObject({ request: 3, role: 'user' });
    expect(conversation.requestsWith('PROMPT-TWO')).toEqual([4]);
    expect(events(hook)).toEqual([
      ...['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent'],
      ...['BeforeAgent', 'AfterAgent', 'SessionEnd'],
      ...['SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd'],
    ]);
    // The retry is a prompt of its own, and its text is the hook's reason.
    const prompts = hook.firings('BeforeAgent').map((firing) => getPath(firing, 'prompt'));
    expect(prompts.slice(1)).toEqual(['CTX-STOP', 'PROMPT-TWO']);
    const stops = hook.firings('AfterAgent').map((firing) => getPath(firing, 'stop_hook_active'));
    expect(stops).toEqual([false, true, false]);
    expect(all(hook, 'session_id')).toHaveLength(1);
  });

  test('an MCP tool', async () => {
    const hook = await prepared(gemini, { BeforeTool: [], AfterTool: [] });
    const call = { name: 'mcp_my-srv_echo', input: { text: 'hello' } };
    const { conversation } = await run(gemini, { prompts: ['a'], steps: [{ call }] });

    expect(seen(conversation, 'echo: hello').kind).toBe('result');
    expect(hook.firings()).toMatchObject([
      {
        tool_name: 'mcp_my-srv_echo',
        mcp_context: { server_name: 'my-srv', tool_name: 'echo' },
      },
      { tool_input: { text: 'hello' } },
    ]);
  });
});

test.each(Object.values(CLIENTS))('$id: simultaneous calls have their results', async (client) => {
  client.prepare(place);
  const calls = ['left', 'right'].map((name) => ({ shell: `touch ${name}; echo made-${name}` }));
  const { conversation } = await run(client, { prompts: ['a'], steps: [{ parallel: calls }] });

  const results = ['made-left', 'made-right'].map((needle) =>
    conversation.find(needle, 2).filter(({ kind }) => kind === 'result'),
  );
  expect(results.map(({ length }) => length)).toEqual([1, 1]);
  expect(existsSync(join(place.project, 'right'))).toBe(true);
});

test('a hanging client is ended with its children, and its last output is shown', async () => {
  const { server, port, gone } = await watch();
  const child = `require('net').connect(${port}, '127.0.0.1', () => console.log('child is up'))`;
  const script = join(place.files, 'hang.mjs');
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process';
     spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });
     setInterval(() => {}, 1000);`,
  );
  const hang = start([process.execPath, script], [], { cwd: place.files, env: {}, deadline: 3000 });

  await expect(hang).rejects.toThrow('took over 3000 ms.\nstdout: child is up');
  await gone;
  server.close();
});

test('hooks that a client does not wait for end before its model continues; earlier processes keep running', async () => {
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const hooks = new HookProcesses();
  hooks.begin();
  const hook = spawn('sh', ['-c', 'sleep 2; exit 3']);
  await hooks.ended();
  expect([hook.exitCode, server.exitCode]).toEqual([3, null]);
  server.kill();
});

/** A server that reports when its first connection closes, which shows that a process has ended. */
async function watch(): Promise<{ server: Server; port: number; gone: Promise<void> }> {
  const server = createServer();
  const gone = new Promise<void>((resolve) => {
    // Reset or end: killed either way.
    server.on('connection', (socket) => socket.on('error', () => {}).on('close', () => resolve()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, gone };
}
