// `fire` and `verify` of a manifest that is not installed: in a scratch home, of which nothing is left.
import { COMMITTED, manifest } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const FIRE = ['fire', './annal.json', 'post_tool_use', '--input', '{"command": "git commit -m x"}'];

/** A home with settings that are not to be touched, wherever variables say that they are. */
async function furnish(world: World) {
  await world.write('~/.claude/settings.json', '{ "disableAllHooks": true }\n');
  await world.write('elsewhere/config.toml', 'model = \n');
  await world.write('annal.json', manifest(COMMITTED));
  return {
    PATH: process.env.PATH,
    CODEX_HOME: world.path('elsewhere'),
    MCP_HOOKS_HOME: world.path('state'),
  };
}

test('fire prints what each model would read, and writes nothing', async ({ world, expect }) => {
  const TMPDIR = world.path('../tmp');
  await world.folder('../tmp');
  const env = { ...(await furnish(world)), TMPDIR };
  const before = [await world.stamps('~'), await world.stamps('.')];
  const { code, out, err } = await world.runProcess(FIRE, { env });
  expect([code, err]).toEqual([0, '']);
  for (const name of ['Claude Code', 'Codex CLI', 'Gemini CLI', 'GitHub Copilot CLI'])
    expect(out).toContain(`${name}\n`);
  expect(out.match(/You just committed work\./g)).toHaveLength(4);
  // What is so in the user's own home says nothing here.
  expect(out).not.toMatch(/do not fire|not trusted|switched off/);
  expect(Object.keys(await world.snapshot(TMPDIR))).toEqual(['.']);
  expect([await world.stamps('~'), await world.stamps('.')]).toEqual(before);
});

test('verify proves it in every client, or in those that are named', async ({ world, expect }) => {
  const env = await furnish(world);
  const before = [await world.stamps('~'), await world.stamps('.')];
  const all = await world.run('verify ./annal.json --json', { env });
  expect([all.code, JSON.parse(all.out)]).toMatchObject([0, { schemaVersion: 1, fires: true }]);
  expect(JSON.parse(all.out).verified).toHaveLength(4);
  const { code, out } = await world.run('verify annal.json --client codex', { env });
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('annal\n  Codex CLI  fires   PostToolUse'),
  ]);
  expect([await world.stamps('~'), await world.stamps('.')]).toEqual(before);
});

test('a hook that cannot fire fails it', async ({ world, expect }) => {
  const env = await furnish(world);
  await world.write('annal.json', manifest({ ...COMMITTED, matcher: { tool_name: 'bash' } }));
  expect(await world.run('verify ./annal.json', { env })).toMatchObject({ code: 1 });
});

test('a tool is called where that is allowed, and not without', async ({ world, expect }) => {
  const env = await furnish(world);
  const said = world.path('called');
  const server = { command: '/bin/sh', args: ['-c', `: > ${said}`] };
  const declarations = [{ event: 'pre_request', context_tool: 'recall', priority: 'important' }];
  await world.write('tool.json', JSON.stringify({ server, hooks: { declarations } }));
  const line = 'fire ./tool.json pre_request --client claude';
  expect((await world.run(line, { env })).out).not.toContain('recall of');
  expect(Object.keys(await world.snapshot('.'))).not.toContain('called');
  expect((await world.run(`${line} --allow context-tool`, { env })).code).toBe(0);
  expect(Object.keys(await world.snapshot('.'))).toContain('called');
});

test('a manifest that is wrong, or not there, is said', async ({ world, expect }) => {
  const env = await furnish(world);
  await world.write('wrong.json', '{');
  for (const name of ['./wrong.json', './nowhere.json'])
    for (const line of [`verify ${name}`, `fire ${name} pre_request`])
      expect(await world.run(line, { env })).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining(name.slice(2)),
      });
});

test('a label stays a label, whatever stands in the folder', async ({ world, expect }) => {
  const env = await furnish(world);
  await world.write('annal', manifest(COMMITTED));
  expect(await world.run('verify annal', { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining('annal is not installed'),
  });
});
