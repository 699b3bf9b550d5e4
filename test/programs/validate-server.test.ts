// `validate --server`: starts the manifest's own server after a yes, and compares its tools with the hooks.
import { join } from 'node:path';
import { ROOT } from '../support/pages.ts';
import { test, type World } from '../support/world.ts';

const SCRIPTED = join(ROOT, 'test/support/servers/scripted.mjs');
const ANSWER = { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } } };
const RECALL = {
  name: 'recall',
  inputSchema: {
    type: 'object',
    properties: { project: { type: 'string' }, limit: { type: 'integer' } },
    required: ['project'],
    additionalProperties: false,
  },
};
const env = { PATH: process.env.PATH };

/** A manifest in a folder with a space, beside the plan of its server. */
async function furnish(world: World, plan: object, ...hooks: object[]): Promise<void> {
  await world.write(
    'my notes/plan.json',
    JSON.stringify({ starts: join(world.work, 'starts'), ...plan }),
  );
  const server = { command: process.execPath, args: [SCRIPTED, './plan.json'] };
  const declarations = hooks.map((hook) => ({
    event: 'session_start',
    priority: 'suggestion',
    ...hook,
  }));
  await world.write(
    'my notes/m.json',
    JSON.stringify({ name: 'notes', server, hooks: { declarations } }, null, 1),
  );
}

const starts = async (world: World) =>
  (await world.read('starts').catch(() => '')).split('\n').length - 1;

test('reports missing tools and wrong arguments with their places', async ({ world, expect }) => {
  await furnish(
    world,
    { body: ANSWER, tools: [[RECALL, { name: 'add' }]] },
    { context_tool: 'recal' },
    { context_tool: 'recall', context_tool_args: { project: '{project_name}', limit: 3 } },
    { context_tool: 'recall', context_tool_args: { limit: 'x', projct: 'y' } },
    { context_tool: 'add', context_tool_args: { any: 1 } },
  );
  const line = ['validate', 'my notes/m.json', '--server', '--yes'];
  const { code, out, err } = await world.run(line, { env });
  expect(out.split('\n').filter(Boolean)).toEqual([
    'my notes/m.json:15:5: error: the server has no tool "recal"; did you mean "recall"? [no-such-server-tool]',
    expect.stringMatching(
      /^my notes\/m\.json:30:\d+: error: the tool "recall" needs the argument "project" \[argument-missing\]$/,
    ),
    expect.stringMatching(
      /^my notes\/m\.json:31:6: error: the argument "limit" of the tool "recall" is of the type string; .* \[argument-type\]$/,
    ),
    expect.stringMatching(
      /^my notes\/m\.json:32:6: error: the tool "recall" has no argument "projct"; it has: project, limit \[argument-unknown\]$/,
    ),
    'my notes/m.json: 4 errors.',
  ]);
  expect([code, await starts(world)]).toEqual([2, 1]);
  expect(err).toContain('Asking notes for its tools:');
  expect(err).not.toContain('its hooks');
  const { out: json } = await world.run([...line, '--json'], { env });
  expect(JSON.parse(json)).toMatchObject({
    valid: false,
    problems: [{ code: 'no-such-server-tool', level: 'error' }, {}, {}, {}],
  });
  expect((await world.run(['validate', 'my notes/m.json'])).code).toBe(0);
});

test('starts the server for a text that names one of its tools', async ({ world, expect }) => {
  await furnish(
    world,
    { body: ANSWER, tools: [[RECALL, { name: 'add' }]] },
    { context: 'mcp__notes__recall finds notes. To keep one, call `remember`.' },
  );
  const line = ['validate', 'my notes/m.json', '--server', '--yes'];
  expect(await world.run(line, { env })).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^my notes\/m\.json:\d+:\d+: warning: the server has no tool "remember"; it has: recall, add \[no-such-server-tool\]$/m,
    ),
  });
  expect(await starts(world)).toBe(1);
});

test('starts nothing without a yes, without a reason, or without a server', async ({
  world,
  expect,
}) => {
  await furnish(world, { body: ANSWER }, { context_tool: 'recall' });
  for (const more of [[], ['--json'], ['--sarif']]) {
    const refused = await world.run(['validate', 'my notes/m.json', '--server', ...more], { env });
    expect(refused.code).toBe(2);
    expect(`${refused.out}${refused.err}`).toContain(
      'No terminal to confirm in. Review the command, then pass --yes.',
    );
    expect(`${refused.out}${refused.err}`).toContain(SCRIPTED);
  }
  await world.write(
    'texts.json',
    JSON.stringify({
      server: { command: 'nope' },
      hooks: { declarations: [{ event: 'session_start', context: 'x', priority: 'suggestion' }] },
    }),
  );
  expect(await world.run('validate texts.json --server --yes')).toMatchObject({ code: 0, err: '' });
  await world.write(
    'other.json',
    JSON.stringify({ hooks: { SessionStart: [{ tool: 'notes.recall' }] } }),
  );
  expect(await world.run('validate other.json --server --yes')).toMatchObject({
    code: 2,
    err: 'other.json does not say how its server is started, so it cannot be asked for its tools.\n',
  });
  expect(await starts(world)).toBe(0);
});

test('a hostile server does no harm, and an incomplete list of tools causes no errors', async ({
  world,
  expect,
}) => {
  const hostile = { name: 'recal\u001b[31m', description: 'x' };
  await furnish(world, { body: ANSWER, tools: [[hostile, RECALL]] }, { context_tool: 'other' });
  const line = ['validate', 'my notes/m.json', '--server', '--yes'];
  expect(await world.run(line, { env })).toMatchObject({
    code: 0,
    out: expect.not.stringContaining('\u001b'),
  });
  await furnish(world, { exit: 3 }, { context_tool: 'other' });
  const gone = await world.run(line, { env });
  expect([gone.code, gone.out]).toEqual([2, '']);
  await furnish(world, { mute: true }, { context_tool: 'other' });
  const hanging = await world.run([...line, '--timeout', '1'], { env, patience: 1 });
  expect([hanging.code, hanging.err]).toEqual([
    2,
    expect.stringMatching(
      /^Asking notes for its tools \.\.\.$[\s\S]*^notes did not answer "initialize" within 1 second and was ended/m,
    ),
  ]);
});
