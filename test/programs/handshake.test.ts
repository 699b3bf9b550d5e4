// What we ask a running server, and how we read its answers. Every server here is a real process.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS, EXTENSION } from '../../src/declaration/declaration.ts';
import { type AskOptions, askServer } from '../../src/sources/protocol/ask.ts';
import { isRunning, until } from '../support/processes.ts';
import { linesOf } from '../support/said.ts';

const SCRIPTED = join(import.meta.dirname, '../support', 'servers', 'scripted.mjs');
const ANSWERING = join(import.meta.dirname, '../support', 'servers', 'answering.sh');
const EXAMPLES = join(import.meta.dirname, '..', '..', 'fixtures', 'servers');
const NODE = process.execPath;
const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const hooks = { declarations: [HELLO] };

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'mcp-hooks-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const ask = (command: string, args: readonly string[], options: Partial<AskOptions> = {}) =>
  askServer({
    label: 'annal',
    command,
    args,
    cwd: scratch,
    env: process.env,
    deadline: 10_000,
    version: '1.2.3',
    ...options,
  });

/** Asks a server that behaves as `plan` says; see the head of scripted.mjs. */
const askScripted = async (plan: object, options?: Partial<AskOptions>) =>
  ask(NODE, [SCRIPTED, await planFile(plan)], options);

async function planFile(plan: object): Promise<string> {
  const path = join(scratch, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(plan));
  return path;
}

/** A server that answers with `capabilities`. Without a plan it is a shell script, which takes a tenth of the time. */
const declaring = async (capabilities: unknown, plan?: object) => {
  const body = { result: { protocolVersion: '2025-11-25', capabilities } };
  if (plan) return askScripted({ body, ...plan });
  return ask('/bin/sh', [ANSWERING, await planFile({ body })]);
};

/** The lines that the user reads when it fails. */
async function failure(asking: Promise<unknown>): Promise<string[]> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return linesOf(error).map((line) => line.replace(NODE, 'node'));
}

describe.concurrent('a server that declares hooks', () => {
  test.each([
    ['capabilities.hooks', { tools: {}, hooks }],
    ['capabilities.experimental.hooks', { experimental: { hooks } }],
    ['our extension', { extensions: { [EXTENSION]: hooks } }],
  ])('under %s', async (_, capabilities) => {
    expect(await declaring(capabilities)).toMatchObject({
      label: 'annal',
      hooks: [HELLO],
      problems: [],
    });
  });

  test('under all of them at once: our extension counts, then capabilities.hooks', async () => {
    const under = (context: string) => ({ declarations: [{ ...HELLO, context }] });
    const experimental = { hooks: under('experimental') };
    const both = { experimental, hooks: under('hooks') };
    const all = { ...both, extensions: { [EXTENSION]: under('extension') } };
    expect((await declaring(both)).hooks).toMatchObject([{ context: 'hooks' }]);
    expect((await declaring(all)).hooks).toMatchObject([{ context: 'extension' }]);
  });

  test('has the name that the user chose, and its command is kept', async () => {
    const plan = await planFile({
      body: { result: { serverInfo: { name: 'its own name' }, capabilities: { hooks } } },
    });
    expect(await ask(NODE, [SCRIPTED, plan], { label: 'mine' })).toMatchObject({
      label: 'mine',
      server: { command: NODE, args: [SCRIPTED, plan] },
      source: { kind: 'command', command: NODE, args: [SCRIPTED, plan] },
    });
  });

  test('gets our events under all three keys', async () => {
    const echoing = { hooks: { declarations: [{ ...HELLO, context: '$request' }] } };
    const { hooks: echoed } = await declaring(echoing, {});
    const known = { supported_events: [...EVENTS] };
    expect(JSON.parse(echoed[0]?.context ?? '')).toEqual({
      jsonrpc: '2.0',
      id: expect.anything(),
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {
          hooks: known,
          experimental: { hooks: known },
          extensions: { [EXTENSION]: known },
        },
        clientInfo: { name: 'mcp-hooks', version: '1.2.3' },
      },
    });
  });

  test('that are newer than we know: these are listed or reported, and the others are kept', async () => {
    const {
      hooks: kept,
      problems,
      unsupported,
    } = await declaring({
      hooks: {
        declarations: [
          { ...HELLO, event: 'pre_compact', once: true },
          HELLO,
          { ...HELLO, once: true },
          { event: 'post_request', context_tool: 'recall', priority: 'important' },
          'session_end',
        ],
        version: 2,
      },
    });
    expect(kept.map(({ event }) => event)).toEqual(['session_start', 'post_request']);
    expect(unsupported).toEqual([
      {
        event: 'pre_compact',
        context: HELLO.context,
        path: ['capabilities', 'hooks', 'declarations', 0],
      },
    ]);
    const leftOut = (at: string, problem: object) => ({
      level: 'warning',
      message: { code: 'left-out-at', at, problem },
    });
    expect(problems).toMatchObject([
      leftOut('capabilities.hooks.version', { code: 'unknown-key', key: 'version' }),
      leftOut('capabilities.hooks.declarations[2].once', { code: 'unknown-key', key: 'once' }),
      leftOut('capabilities.hooks.declarations[4]', { code: 'wrong-type', found: 'string' }),
    ]);
  });

  test('with a matcher that has no effect: a warning, and the hook is kept', async () => {
    const { hooks: kept, problems } = await declaring({
      hooks: { declarations: [{ ...HELLO, matcher: {} }] },
    });
    expect(kept).toHaveLength(1);
    expect(problems).toMatchObject([
      {
        level: 'warning',
        message: {
          code: 'problem-at',
          at: 'capabilities.hooks.declarations[0].matcher',
          problem: { code: 'matcher-ignored', event: 'session_start' },
        },
      },
    ]);
  });

  test.each([
    ['hooks of null', null, { code: 'hooks-no-object', found: 'null' }],
    [
      'declarations that are not an array',
      { declarations: 1 },
      { code: 'declarations-no-array', found: 'number' },
    ],
  ])('in the wrong shape: %s', async (_, odd, problem) => {
    const { hooks: none, problems } = await declaring({ hooks: odd });
    expect(none).toEqual([]);
    expect(problems).toMatchObject([{ level: 'warning', message: { problem } }]);
  });

  test.each([
    ['nothing', {}],
    ['other capabilities', { tools: {}, experimental: { other: {} } }],
    ['no declarations', { hooks: { declarations: [] } }],
    ['no capabilities', undefined],
    ['capabilities of the wrong type', 'hooks'],
  ])('or none at all: %s', async (_, capabilities) => {
    expect(await declaring(capabilities)).toMatchObject({ hooks: [], problems: [] });
  });
});

describe.concurrent('an answer is found', () => {
  const context = `"Grüße" 🙂 ${'x'.repeat(200_000)}`;
  const answer = { hooks: { declarations: [{ ...HELLO, context }] } };

  test('after junk on standard output', async () => {
    const before = 'Welcome!\n{"half\n[1]\n"text"\nnull\n\n{"jsonrpc":"2.0","method":"log"}\n';
    expect((await declaring(answer, { before })).hooks).toMatchObject([{ context }]);
  });

  test('after answers and requests that are not for us', async () => {
    const before =
      '{"jsonrpc":"2.0","id":"x","result":{}}\n{"jsonrpc":"2.0","id":99,"method":"ping"}\n';
    expect((await declaring(answer, { before })).hooks).toMatchObject([{ context }]);
  });

  test('in pieces, even if characters are split', async () => {
    expect((await declaring(answer, { pieces: 999 })).hooks).toMatchObject([{ context }]);
  });

  test('with CRLF', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { capabilities: { hooks } } });
    const script = `read -r line; printf '%s\\r\\n' '${body}'`;
    expect((await ask('/bin/sh', ['-c', script])).hooks).toEqual([HELLO]);
  });

  test('after a byte order mark', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { capabilities: { hooks } } });
    const script = `read -r line; printf '%s\\n' '\uFEFF${body}'`;
    expect((await ask('/bin/sh', ['-c', script])).hooks).toEqual([HELLO]);
  });

  test('after thousands of requests, of which at most a hundred are answered', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { capabilities: { hooks } } });
    const script = `
      const question = JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'ping' }) + '\\n';
      process.stdout.write(question.repeat(5000));
      let received = '';
      process.stdin.on('data', (text) => { received += text; });
      setTimeout(() => {
        if (received.split('"id":"q"').length - 1 <= 100) console.log(${JSON.stringify(body)});
        process.exit();
      }, 500);
    `;
    expect((await ask(NODE, ['-e', script])).hooks).toEqual([HELLO]);
  });

  test('after a line of 30 MB', async () => {
    const script = `
      const answer = ${JSON.stringify(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { capabilities: { hooks } } }))};
      process.stdin.once('data', () => process.stdout.write('x'.repeat(30_000_000) + '\\n' + answer + '\\n'));
    `;
    expect((await ask(NODE, ['-e', script])).hooks).toEqual([HELLO]);
  });

  test('while the server writes a lot to standard error', async () => {
    const stderr = `${'a line of its log\n'.repeat(20_000)}`;
    expect((await declaring({ hooks }, { stderr })).hooks).toEqual([HELLO]);
  });

  test('from a server that then ends at once', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { capabilities: { hooks } } });
    const script = `read -r line; printf '%s\\n' '${body}'; exit 3`;
    expect((await ask('/bin/sh', ['-c', script])).hooks).toEqual([HELLO]);
  });
});

describe.concurrent('a failure is reported', () => {
  test('when there is no such command', async () => {
    expect(await failure(ask('no-such-command-anywhere', []))).toEqual([
      'no-such-command-anywhere could not be started: command not found. Nothing was written.',
    ]);
  });

  test('when the command may not be run', async () => {
    const [said] = await failure(ask(SCRIPTED, []));
    expect(said).toMatch(/could not be started: .*(permission denied|EACCES)/);
  });

  test('when the server answers with an error', async () => {
    const body = { error: { code: -32602, message: 'no \u001b[31mway\u001b[0m' } };
    expect(await failure(askScripted({ body }))).toEqual([
      'node answered "initialize" with an error: no \\u{1B}[31mway\\u{1B}[0m (-32602). Nothing was written.',
    ]);
  });

  test('when the error has no text', async () => {
    const [said] = await failure(askScripted({ body: { error: { code: -32602 } } }));
    expect(said).toContain('-32602');
    expect(said).not.toContain('undefined');
  });

  test('when the answer has no result', async () => {
    expect(await failure(askScripted({ body: { result: 'hello' } }))).toEqual([
      'node answered, but not as an MCP server: the answer has no result. Nothing was written.',
    ]);
  });

  test('when the server ends before it answers: its last words are shown, harmlessly', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const stderr = [...lines, '\u001b[2Jcannot open \u202Eevil', ''].join('\n');
    expect(await failure(askScripted({ stderr, exit: 3 }))).toEqual([
      'node ended (exit code 3) before it answered. Nothing was written.',
      'Its last lines on standard error:',
      ...lines.slice(-7).map((line) => `  | ${line}`),
      '  | \\u{1B}[2Jcannot open \\u{202E}evil',
    ]);
  });

  test('when the server ends without having read or sent anything', async () => {
    expect(await failure(ask('/bin/sh', ['-c', '']))).toEqual([
      '/bin/sh ended (exit code 0) before it answered. Nothing was written.',
    ]);
  });

  test('when the server is killed', async () => {
    expect(await failure(ask('/bin/sh', ['-c', 'kill -9 $$']))).toEqual([
      '/bin/sh ended (SIGKILL) before it answered. Nothing was written.',
    ]);
  });

  test('when there is nothing but junk: its first line is shown, harmlessly', async () => {
    const before = '\u001b[1mWelcome\u001b[0m to the server\nsecond line\n';
    expect(await failure(askScripted({ before, exit: 0 }))).toEqual([
      'node ended (exit code 0) before it answered. Nothing was written.',
      'Its standard output had this instead of JSON: \\u{1B}[1mWelcome\\u{1B}[0m to the server',
    ]);
    // A shell starts at once even on a busy machine, where Node may take longer than the deadline.
    const script = `printf '${before}'; exec sleep 60`;
    expect(await failure(ask('/bin/sh', ['-c', script], { deadline: 2000 }))).toEqual([
      expect.stringContaining('/bin/sh did not answer "initialize" within 2 seconds'),
      'Its standard output had this instead of JSON: \\u{1B}[1mWelcome\\u{1B}[0m to the server',
    ]);
  });

  test('when the server never answers, as soon as the time is up', async () => {
    const start = performance.now();
    expect(await failure(askScripted({}, { deadline: 500 }))).toEqual([
      'node did not answer "initialize" within 0.5 seconds and was ended (--timeout allows more). Nothing was written.',
    ]);
    expect(performance.now() - start).toBeLessThan(3000);
  });

  test('when the server writes without end', async () => {
    const script = "const more = () => process.stdout.write('x'.repeat(65536), more); more();";
    expect(await failure(ask(NODE, ['-e', script], { deadline: 700 }))).toEqual([
      expect.stringContaining('did not answer'),
    ]);
  });

  test.each([
    ['a fraction of a millisecond', 1500.25],
    ['more than a timer can hold', 2 ** 31],
    ['forever', Number.POSITIVE_INFINITY],
  ])('but not because of an unusual deadline: %s', async (_, deadline) => {
    expect(
      await askScripted({ body: { result: { capabilities: {} } } }, { deadline }),
    ).toMatchObject({ hooks: [] });
  });
});

describe.concurrent('nothing is left running', () => {
  /** Asks a server until the deadline, and returns whether the server and its child still run. */
  async function left(plan: object, deadline: number): Promise<boolean[]> {
    const pids = join(scratch, `${randomUUID()}.pids`);
    await askScripted({ child: true, pids, ...plan }, { deadline }).catch(() => {});
    // On a busy machine, the server may not even have started.
    if (!existsSync(pids) && deadline < 30_000) return left(plan, deadline * 4);
    const both = (await readFile(pids, 'utf8')).split(' ').map(Number);
    expect(both).toHaveLength(2);
    return Promise.all(both.map(isRunning));
  }

  test('after the time is up: neither the server nor its child, which ignores SIGTERM', async () => {
    expect(await left({}, 1500)).toEqual([false, false]);
  });

  test('also when the server itself ignores SIGTERM', async () => {
    expect(await left({ stubborn: true }, 1500)).toEqual([false, false]);
  });

  test('after an answer', async () => {
    // It answers only once the child runs, because otherwise there would be nothing to leave behind.
    const pids = join(scratch, 'answered.pids');
    const child =
      "process.on('SIGTERM', () => {}); process.stdout.write('.'); setInterval(() => {}, 1000);";
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { capabilities: { hooks } } });
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}]);
      child.stdout.once('data', () => {
        require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
        console.log(${JSON.stringify(answer)});
      });
    `;
    expect((await ask(NODE, ['-e', script])).hooks).toEqual([HELLO]);
    const both = (await readFile(pids, 'utf8')).split(' ').map(Number);
    await until(
      'both have ended',
      async () => !(await Promise.all(both.map(isRunning))).some(Boolean),
    );
  });
});

describe.concurrent('the example servers', () => {
  test('plain Node', async () => {
    const { hooks: declared, problems } = await ask(NODE, [join(EXAMPLES, 'plain.mjs')]);
    expect(problems).toEqual([]);
    expect(declared).toMatchObject([
      { event: 'post_tool_use', matcher: { tool_name: 'Bash', input_contains: 'git commit' } },
      { event: 'session_start', context_tool: 'recall' },
    ]);
  });

  test('the official SDK', async () => {
    const { hooks: declared, problems } = await ask(NODE, [join(EXAMPLES, 'sdk.mjs')]);
    expect(problems).toEqual([]);
    expect(declared).toMatchObject([
      { event: 'post_tool_use', matcher: { tool_name: '{Edit,Write}' } },
      { event: 'pre_request', context_tool: 'open_tasks' },
    ]);
  });
});
