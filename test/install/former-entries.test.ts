// Entries with the command from before its form was frozen: they are ours, and `update` replaces them.
import { formerHookCommand, startedBy } from '../../src/compile/command.ts';
import { env } from '../support/fired.ts';
import { test, type World } from '../support/world.ts';

const MANIFEST = JSON.stringify({
  name: 'annal',
  hooks: { declarations: [{ event: 'pre_request', context: 'Hi.', priority: 'suggestion' }] },
});
const FILES = ['~/.claude/settings.json', '~/.codex/config.toml', '~/.gemini/settings.json'];
const OWN = '~/.copilot/hooks/mcp-hooks.annal.json';
const FLAGS = '--client claude-code,codex,gemini-cli,copilot-cli --yes';

/** An install with the user's own files beside it, whose entries are then in the former form. */
async function former(world: World): Promise<void> {
  await world.write('annal.json', MANIFEST);
  await world.write('~/.claude/settings.json', '{ "model": "x" }\n');
  await world.write('~/.codex/config.toml', '# mine\n');
  await world.write('~/.gemini/settings.json', '{ /* mine */ }\n');
  await world.run(`install annal.json ${FLAGS}`);
  for (const file of [...FILES, OWN]) {
    const text = await world.read(file);
    const older = text.replace(/"(\{ \\\\trap .*?)"(?=, "?timeout)/g, (_, inside) => {
      const stage = startedBy(JSON.parse(`"${inside}"`));
      return stage === undefined ? '' : JSON.stringify(formerHookCommand(stage));
    });
    if (older === text) throw new Error(`${file} has no entry of ours.`);
    await world.write(file, older);
  }
}

const entries = async (world: World) =>
  Promise.all([...FILES, OWN].map((file) => world.read(file)));

test('are ours: they are shown to fire, and the rest of each file is given back', async ({
  world,
  expect,
}) => {
  await former(world);
  const { code, out } = await world.run('fire annal pre_request --prompt hi --json', { env });
  expect([code, out.match(/\| Hi\./g)?.length]).toEqual([0, 4]);
  expect((await world.run('uninstall annal --yes')).code).toBe(0);
  expect(await Promise.all(FILES.map((file) => world.read(file)))).toEqual([
    '{ "model": "x" }\n',
    '# mine\n',
    // The record no longer fits the bytes, so only what is ours is cut out.
    '{ /* mine */ \n}\n',
  ]);
  await expect(world.read(OWN)).rejects.toThrow('ENOENT');
});

test('get the form of today, once, and what Codex then asks for is said', async ({
  world,
  expect,
}) => {
  await former(world);
  const { code, out } = await world.run('update annal --yes');
  expect(code).toBe(0);
  expect(out).toContain('Codex runs new hooks only after you trust them.');
  for (const text of await entries(world)) {
    expect(text).toContain('# mcp-hooks: annal');
    expect(text).not.toContain('[ -r ');
  }
  const after = await entries(world);
  expect((await world.run('update annal --yes')).out).not.toContain('Updated');
  expect(await entries(world)).toEqual(after);
});
