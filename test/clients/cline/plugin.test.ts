// Our plugin, as Cline calls it: what it sends to the hooks, what it adds to requests, and that it waits for no hook too long.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLUGIN } from '../../../src/clients/cline/plugin.ts';
import { test as base } from '../../support/world.ts';

type Hook = (given: object) => Promise<unknown>;
type Hooks = Readonly<Record<'beforeRun' | 'beforeModel' | 'beforeTool' | 'afterTool', Hook>>;
type Build = (messages: unknown) => Promise<{ content: { text: string }[] }[]>;

const test = base.extend<{ open: (list: object, api?: object) => Promise<Hooks> }>({
  open: async ({ world }, use) => {
    let count = 0;
    await use(async (list, api = {}) => {
      count += 1;
      const file = join(world.work, `plugin-${count}.mjs`);
      writeFileSync(file, (PLUGIN.start ?? '').replace(' {} ', ` ${JSON.stringify(list)} `));
      const { default: plugin } = await import(pathToFileURL(file).href);
      plugin.setup(api, { session: { sessionId: 's' }, workspaceInfo: { rootPath: '/shop' } });
      return plugin.hooks;
    });
  },
});

const says = (answer: unknown, after = 0) => ({
  command: `cat >/dev/null; sleep ${after}; printf '%s' '${JSON.stringify(answer)}'`,
  timeout: 15,
});
/** Answers with its payload. */
const echoes = {
  command: `input=$(cat | sed 's/"/#/g'); printf '{"context":"%s"}' "$input"`,
  timeout: 15,
};

const message = (id: string, role: string, text: string) => ({
  ...{ id, role, createdAt: 1 },
  content: [{ type: 'text', text }],
});
const PROMPT = message('m1', 'user', '<user_input mode="act">Do it.</user_input>');
const ANSWER = message('m2', 'assistant', 'Done.');
const at = (more: object, ...messages: object[]) => ({
  snapshot: { conversationId: 'c', agentId: 'a', runId: 'r1', messages, ...more },
  request: { messages },
});
const run = async (hooks: Hooks, given: object) => {
  await hooks.beforeRun(given);
  return hooks.beforeModel(given);
};
/** The texts of a request; undefined if it is unchanged. */
const texts = (result: unknown) =>
  Object(result).messages?.map(({ content }: typeof PROMPT) => content[0]?.text);
const CALL = {
  ...at({}, PROMPT),
  toolCall: { toolName: 'run_commands', toolCallId: 'c1' },
  input: { commands: ['ls'] },
};
const RESULT = { ...CALL, result: { output: 'out' }, durationMs: 5 };

test('a text follows its prompt in each request, and is shown once', async ({ open, expect }) => {
  const hooks = await open({
    SessionStart: [says({ context: 'Welcome.' })],
    UserPromptSubmit: [says({ context: 'Hi.' }), { command: 'exit 1', timeout: 5 }, says(null)],
  });
  const [prompt] = PROMPT.content;
  expect(texts(await run(hooks, at({}, PROMPT)))).toEqual([prompt?.text, 'Welcome.\n\nHi.']);
  const later = at({}, PROMPT, ANSWER);
  expect(texts(await hooks.beforeModel(later))).toEqual([
    ...[prompt?.text, 'Welcome.\n\nHi.', 'Done.'],
  ]);
  const next = at({ runId: 'r2' }, PROMPT, ANSWER, { ...PROMPT, id: 'm3' });
  expect(texts(await run(hooks, next))).toEqual([
    ...[prompt?.text, 'Welcome.\n\nHi.', 'Done.', prompt?.text, 'Hi.'],
  ]);
  // A compaction replaces the history.
  const summary = message('m9', 'user', 'A summary.');
  expect(texts(await hooks.beforeModel(at({ runId: 'r2' }, summary, ANSWER)))).toEqual([
    ...['A summary.', 'Welcome.', 'Done.'],
  ]);
  // A request with nothing to add is left alone.
  const silent = await open({});
  expect(await run(silent, at({}, PROMPT))).toBeUndefined();
});

test('hooks get the session of a prompt, and its folder', async ({ open, expect }) => {
  const hooks = await open({ SessionStart: [echoes], UserPromptSubmit: [echoes] });
  const [, told = ''] = texts(await run(hooks, at({}, PROMPT, ANSWER, { ...PROMPT, id: 'm3' })))
    .filter((text: string) => text.includes('#'))
    .flatMap((text: string) => ['', text.replaceAll('#', '"')]);
  const head = (hook_event_name: string) => ({
    ...{ hook_event_name, session_id: 's', cwd: '/shop' },
    ...{ turn_id: 'r1', compactions: 0 },
  });
  expect(told.split('\n\n').map((line: string) => JSON.parse(line))).toEqual([
    { ...head('SessionStart'), source: 'resume' },
    { ...head('UserPromptSubmit'), prompt: 'Do it.' },
  ]);
  // A subagent's task is not a prompt of the user.
  const sub = at({ conversationId: 'd', parentAgentId: 'a' }, PROMPT);
  expect(await run(hooks, sub)).toBeUndefined();
});

test('a compaction is recognised by messages that are missing from a request', async ({
  open,
  expect,
}) => {
  const hooks = await open({ PostCompact: [echoes] });
  const metrics = { inputTokens: 70, outputTokens: 5, cacheReadTokens: 60 };
  const counted = { ...ANSWER, metrics };
  const all = [PROMPT, counted, message('m3', 'user', 'Go on.')];
  const asks = async (taken: number) => {
    const request = { messages: all.slice(taken) };
    const [told] = (texts(await hooks.beforeModel({ ...at({}, ...all), request })) ?? []).filter(
      (text: string) => text.includes('#'),
    );
    const last = told?.split('\n\n').at(-1);
    return last && JSON.parse(last.replaceAll('#', '"')).compactions;
  };
  expect(await asks(0)).toBeUndefined();
  expect(await asks(1)).toBe(1);
  // The text stays where it is, and the hook is not started again.
  expect(await asks(1)).toBe(1);
  expect(await asks(2)).toBe(2);
});

test('hooks get the number of tokens that the model has counted', async ({ open, expect }) => {
  const hooks = await open({ PostToolUse: [echoes] });
  const metrics = { inputTokens: 70, outputTokens: 5, cacheReadTokens: 60 };
  const counted = { ...ANSWER, metrics };
  const told = async (...given: Parameters<typeof at>) => {
    const { appendContext } = Object(await hooks.afterTool({ ...RESULT, ...at(...given) }));
    return JSON.parse(appendContext.replaceAll('#', '"')).tokens_used;
  };
  expect(await told({}, PROMPT)).toBeUndefined();
  expect(await told({}, PROMPT, counted)).toBe(75);
  // The tokens of a subagent do not count.
  expect(await told({ conversationId: 'd', parentAgentId: 'a' }, PROMPT, counted)).toBeUndefined();
  // A count from before a compaction does not apply to the history after it.
  const messages = [PROMPT, counted];
  await hooks.beforeModel(at({}, ...messages));
  await hooks.beforeModel({ ...at({}, ...messages), request: { messages: [PROMPT] } });
  expect(await told({}, ...messages)).toBeUndefined();
  expect(await told({}, ...messages, { ...counted, id: 'm9' })).toBe(75);
});

test('a late text is in the next request, and a late decision does not count', async ({
  open,
  expect,
}) => {
  const hooks = await open({
    PreToolUse: [says({ context: 'Late.', block: 'No.' }, 3)],
    PostToolUse: [says({ output: 'other' })],
  });
  const began = Date.now();
  expect(await hooks.beforeTool(CALL)).toEqual({});
  expect(Date.now() - began).toBeLessThan(3000);
  expect(await hooks.afterTool(RESULT)).toEqual({ result: { output: 'other' } });
  expect(texts(await hooks.beforeModel(at({}, PROMPT)))?.[1]).toBe('Late.');
});

test('a request waits for texts that come later', async ({ open, expect }) => {
  let build: Build = async () => [];
  const api = {
    registerMessageBuilder: (builder: { build: Build }) => {
      build = builder.build;
    },
  };
  const hooks = await open(
    {
      SessionStart: [says({ context: 'Welcome.' }, 6)],
      UserPromptSubmit: [says({ context: 'Hi.', block: 'Late.' }, 6)],
    },
    api,
  );
  const built = async (result: unknown) =>
    (await build(Object(result).messages)).map(({ content }) => content[0]?.text);
  const [prompt] = PROMPT.content;
  // The reason of a block that comes too late is not added to this request.
  expect(await built(await run(hooks, at({}, PROMPT)))).toEqual([prompt?.text]);
  expect(await hooks.beforeModel(at({}, PROMPT, ANSWER))).toEqual({ stop: true, reason: 'Late.' });

  const other = await open({ SessionStart: [says({ context: 'Welcome.' }, 6)] }, api);
  expect(await built(await run(other, at({}, PROMPT)))).toEqual([prompt?.text, 'Welcome.']);
  expect(texts(await other.beforeModel(at({}, PROMPT, ANSWER)))).toEqual([
    ...[prompt?.text, 'Welcome.', 'Done.'],
  ]);
});

test('a result that is changed late is changed in each request', async ({ open, expect }) => {
  let build: Build = async () => [];
  const api = {
    registerMessageBuilder: (builder: { build: Build }) => {
      build = builder.build;
    },
  };
  const hooks = await open({ PostToolUse: [says({ output: 'hidden' }, 6)] }, api);
  const of = (tool_use_id: string) => ({ type: 'tool_result', tool_use_id, content: 'out' });
  const result = { role: 'user', content: [of('c1'), of('c2')] };
  expect(await hooks.afterTool(RESULT)).toEqual({});
  const { messages } = Object(await hooks.beforeModel(at({}, PROMPT)));
  const changed = { role: 'user', content: [{ ...of('c1'), content: 'hidden' }, of('c2')] };
  expect(await build([...messages, result])).toEqual([PROMPT, changed]);
  expect(await build([PROMPT, result])).toEqual([PROMPT, changed]);
});

test('blocks and changes take effect', async ({ open, expect }) => {
  const blocking = await open({
    UserPromptSubmit: [says({ block: 'Not now.' })],
    PreToolUse: [says({ block: 'No.' }), says({ context: 'Hi.' })],
    PostToolUse: [says({ block: 'Bad.' })],
  });
  expect(await run(blocking, at({}, PROMPT))).toEqual({ stop: true, reason: 'Not now.' });
  expect(await blocking.beforeTool(CALL)).toEqual({ skip: true, reason: 'No.\n\nHi.' });
  expect(await blocking.afterTool(RESULT)).toEqual({ result: { output: 'Bad.' } });
  const input = { command: 'pwd' };
  const changing = await open({ PreToolUse: [says({ input, context: 'Hi.' })] });
  expect(await changing.beforeTool(CALL)).toEqual({
    input: { commands: ['pwd'] },
    appendContext: 'Hi.',
  });
});

test.for([
  ['run_commands', { commands: ['ls'] }, 'run_commands', { command: 'ls' }],
  ['run_commands', { commands: ['a', 'b'] }, 'run_commands', { commands: ['a', 'b'] }],
  [
    'read_files',
    { files: [{ path: '/a', start_line: 2 }] },
    'read_files',
    { file_path: '/a', start_line: 2 },
  ],
  [
    'read_files',
    { files: [{ path: '/a' }, { path: '/b' }] },
    'read_files',
    { files: [{ path: '/a' }, { path: '/b' }] },
  ],
  ['editor', { path: '/a', new_text: 'x' }, 'Write', { file_path: '/a', content: 'x' }],
  [
    'editor',
    { path: '/a', old_text: 'x', new_text: 'y' },
    'editor',
    { file_path: '/a', old_string: 'x', new_string: 'y' },
  ],
  [
    'editor',
    { path: '/a', new_text: 'y', insert_line: 1 },
    'editor',
    { file_path: '/a', new_string: 'y', insert_line: 1 },
  ],
  ['apply_patch', { input: '*** Begin Patch' }, 'editor', { input: '*** Begin Patch' }],
  ['tiny__echo', { path: '/a' }, 'tiny__echo', { path: '/a' }],
] as const)(
  'hooks read a call of %s with %j as %s with %j, and changes are translated back',
  async ([toolName, input, name, told], { open, expect }) => {
    const hooks = await open({ PreToolUse: [echoes] });
    const given = { ...CALL, toolCall: { toolName, toolCallId: 'c1' }, input };
    const { appendContext } = Object(await hooks.beforeTool(given));
    const { tool_name, tool_input } = JSON.parse(appendContext.replaceAll('#', '"'));
    expect([tool_name, tool_input]).toEqual([name, told]);
    const changing = await open({ PreToolUse: [says({ input: told })] });
    expect(await changing.beforeTool(given)).toEqual({ input });
  },
);

test('the plugin throws nothing, whatever it is given', async ({ open, expect }) => {
  const hooks = await open({ PreToolUse: [], PostToolUse: [], UserPromptSubmit: [] });
  for (const hook of Object.values(hooks)) expect(await hook({})).toBeUndefined();
});
