// Our plugin, as OpenCode loads it: what it sends to the hooks, and that only a block stops OpenCode.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLUGIN } from '../../../src/clients/opencode/plugin.ts';
import { test as base } from '../../support/world.ts';

type Hook = (input: object, output?: object) => Promise<void>;

interface Opened {
  readonly hooks: Readonly<Record<string, Hook>>;
  /** The prompts that the plugin sent to OpenCode. */
  readonly asked: unknown[];
}

const test = base.extend<{ open: (list: object) => Promise<Opened> }>({
  open: async ({ world }, use) => {
    let count = 0;
    await use(async (list) => {
      count += 1;
      const file = join(world.work, `plugin-${count}.mjs`);
      writeFileSync(file, (PLUGIN.start ?? '').replace(' {} ', ` ${JSON.stringify(list)} `));
      const { McpHooks } = await import(pathToFileURL(file).href);
      const asked: unknown[] = [];
      const session = {
        get: async ({ path: { id } }: { path: { id: string } }) => ({
          data: id === 'ses_sub' ? { parentID: 'ses_1' } : {},
        }),
        promptAsync: async (given: unknown) => void asked.push(given),
      };
      return { asked, hooks: await McpHooks({ client: { session }, directory: '/shop' }) };
    });
  },
});

const says = (answer: unknown, timeout = 5) => ({
  command: `cat >/dev/null; printf '%s' '${JSON.stringify(answer)}'`,
  timeout,
});
const PROMPT = { sessionID: 'ses_1' };
const prompt = (...parts: object[]) => ({
  message: { id: 'msg_1', agent: 'build', model: {} },
  parts: [{ id: 'prt_1', type: 'text', text: 'Do it.' }, ...parts],
});
const CALL = { tool: 'bash', sessionID: 'ses_1', callID: 'c' };
const texts = ({ parts }: { parts: object[] }) => parts.map((part) => Object(part).text);

test('hooks that fail, hang or print no valid answer do not affect the others', async ({
  open,
  expect,
}) => {
  const { hooks } = await open({
    UserPromptSubmit: [
      { command: 'exit 1', timeout: 5 },
      { command: 'sleep 60 & wait', timeout: 0.2 },
      { command: 'echo null', timeout: 5 },
      { command: 'echo "no JSON"', timeout: 5 },
      says({ context: 'One.' }),
      says({ context: 'Two.' }),
      says({ context: 3 }),
    ],
  });
  const output = prompt();
  await hooks['chat.message']?.(PROMPT, output);
  expect(texts(output)).toEqual(['Do it.', 'One.\n\nTwo.']);
});

test('the plugin throws nothing except a block', async ({ open, expect }) => {
  const list = {
    UserPromptSubmit: [says({ block: 'Not now.' })],
    PreToolUse: [says({ block: 'No.' }), { ...says({ block: 'Nor this.' }), matcher: '(' }],
  };
  const { hooks } = await open(list);
  await expect(hooks['chat.message']?.(PROMPT, prompt())).rejects.toThrow('Not now.');
  await expect(hooks['tool.execute.before']?.(CALL, { args: {} })).rejects.toThrow(/^No\.$/);
  // Unknown fields, as from another version.
  const other = await open({ PreToolUse: [], PostToolUse: [], SessionStart: [], Stop: [] });
  for (const hook of Object.values(other.hooks)) await hook({});
});

test('the model reads the texts of several labels, and one of them changes the call', async ({
  open,
  expect,
}) => {
  const { hooks } = await open({
    PreToolUse: [
      { ...says({ input: { command: 'a' } }), matcher: '^(?:bash)$' },
      { ...says({ context: 'Before.', input: { command: 'b' } }), matcher: 'ba.*' },
      { ...says({ block: 'No.' }), matcher: 'as' },
    ],
    PostToolUse: [says({ output: 'hidden' }), says({ context: 'After.' })],
  });
  const args = { command: 'x', description: 'd' };
  await hooks['tool.execute.before']?.(CALL, { args });
  expect(args).toEqual({ command: 'b' });
  const output = { output: 'secret', metadata: { exit: 0 } };
  await hooks['tool.execute.after']?.({ ...CALL, args }, output);
  expect(output.output).toBe('hidden\n\nBefore.\n\nAfter.');
});

test('messages for a subagent or from OpenCode itself are not prompts', async ({
  open,
  expect,
}) => {
  const { hooks } = await open({ UserPromptSubmit: [says({ context: 'One.' })] });
  const its = prompt();
  await hooks['chat.message']?.({ sessionID: 'ses_sub' }, its);
  const own = { ...prompt(), parts: [{ type: 'text', text: 'Go on.', synthetic: true }] };
  await hooks['chat.message']?.(PROMPT, own);
  expect([texts(its), texts(own)]).toEqual([['Do it.'], ['Go on.']]);
});

test('a turn that the user stopped starts no other turn', async ({ open, expect }) => {
  const { hooks, asked } = await open({ Stop: [says({ ask: 'More.' })] });
  const happens = async (type: string) => {
    await hooks.event?.({ event: { type, properties: { sessionID: 'ses_1' } } });
    await hooks.dispose?.({});
  };
  await happens('session.error');
  await happens('session.idle');
  expect(asked).toEqual([]);
});

test('a text comes before an output that OpenCode would cut', async ({ open, expect }) => {
  const { hooks } = await open({ PostToolUse: [says({ context: 'After.' })] });
  const after = async (text: string) => {
    const output = { content: [{ type: 'text', text }] };
    await hooks['tool.execute.after']?.({ ...CALL, args: {} }, output);
    return output.content.map((one) => one.text.slice(0, 6));
  };
  expect(await after('short')).toEqual(['short', 'After.']);
  expect(await after('x'.repeat(60_000))).toEqual(['After.', 'xxxxxx']);
});
