/** The manifest of a clone, which `install` finds without being given its name. */
import { execFileSync } from 'node:child_process';
import { attack, env } from './attack.ts';

const HOOK = { event: 'session_start', context: 'Words of the clone.', priority: 'suggestion' };
const manifest = (more: object = {}, name = 'annal') =>
  JSON.stringify({ version: 2, name, hooks: { declarations: [{ ...HOOK, ...more }] } });

const INSTALL = 'install --yes --client claude';

attack(
  'nothing of a clone runs because install was typed in it',
  async ({ world, trap, expect }) => {
    await world.folder('~/.claude', '.git');
    const command = ['./run.sh'];
    await world.write('run.sh', trap.shell('script'), 0o755);
    await world.write('package.json', JSON.stringify({ name: 'clone', bin: './run.sh' }));
    const server = trap.server('server');
    const hooks = { declarations: [{ event: 'session_start', command, priority: 'suggestion' }] };
    await world.write(
      'mcp-hooks.json',
      JSON.stringify({ version: 2, name: 'clone', server, hooks }),
    );
    for (const line of ['diff', 'install --dry-run', INSTALL, 'update --yes', 'doctor', 'list'])
      await world.run(line, { env });
    expect(trap.sprung()).toEqual([]);
  },
);

attack('only a plain file counts as the manifest of a clone', async ({ world, expect }) => {
  await world.folder('~/.claude', '.git', 'folder');
  await world.write('../elsewhere.json', manifest({ context: 'A file of the user.' }));
  const before = await world.snapshot();
  const all: Readonly<Record<string, () => unknown>> = {
    'a link out of the clone': () => world.link('mcp-hooks.json', '../elsewhere.json'),
    'a link to a device': () => world.link('mcp-hooks.json', '/dev/zero'),
    'a link to nothing': () => world.link('mcp-hooks.json', 'nothing'),
    'a pipe': () => execFileSync('mkfifo', [world.path('mcp-hooks.json')]),
    'a folder': () => world.folder('mcp-hooks.json'),
  };
  for (const [what, make] of Object.entries(all)) {
    await make();
    const { code, out, err } = await world.run(INSTALL);
    expect([what, code, out]).toEqual([what, 2, '']);
    expect(err).toContain('does not count as the manifest of this project. Nothing was written.');
    await world.remove('mcp-hooks.json');
  }
  await world.write('mcp-hooks.json', ' '.repeat(64 * 1024 * 1024));
  expect((await world.run(INSTALL)).code).toBe(2);
  expect(await world.snapshot()).toEqual(before);
});

attack('a manifest that a pull turned into a link is not read', async ({ world, expect }) => {
  await world.folder('~/.claude', '.git');
  await world.write('mcp-hooks.json', manifest());
  await world.run(INSTALL);
  const before = await world.snapshot();
  await world.write('../elsewhere.json', manifest({ context: 'A file of the user.' }));
  await world.remove('mcp-hooks.json');
  await world.link('mcp-hooks.json', '../elsewhere.json');
  const { code, err } = await world.run('update annal --yes');
  expect([code, err]).toEqual([2, expect.stringContaining('is a link or not a file')]);
  expect((await world.run('doctor')).out).not.toContain('A file of the user.');
  expect(await world.snapshot()).toEqual(before);
});

attack(
  'a clone takes over neither an installed name nor what its policy allows',
  async ({ world, trap, expect }) => {
    await world.folder('~/.claude', '.git');
    await world.write('../own.json', manifest({ context: 'Words of the user.' }));
    await world.run('install ../own.json --yes --client claude');
    await world.write(
      '~/.mcp-hooks/policy.json',
      JSON.stringify({ servers: { annal: { command: true } } }),
    );
    const own = await world.snapshot('~/.mcp-hooks/servers/annal');
    await world.write('run.sh', trap.shell('script'), 0o755);
    await world.write('mcp-hooks.json', manifest({ context: undefined, command: ['./run.sh'] }));
    const { out } = await world.run(INSTALL);
    expect(out).toMatch(/^annal-2 has 1 hook/m);
    expect(out).toContain('No hook of annal-2 is active yet');
    expect(await world.snapshot('~/.mcp-hooks/servers/annal')).toEqual(own);
    await world.run('fire annal-2 session_start', { env });
    expect(trap.sprung()).toEqual([]);
  },
);

attack('the question shows where the command of a clone points', async ({ world, expect }) => {
  await world.folder('~/.claude', '.git');
  await world.write('~/secret.sh', '#!/bin/sh\necho whole\n', 0o755);
  await world.write(
    'mcp-hooks.json',
    manifest({ context: undefined, command: [`../home/ann/secret.sh`] }),
  );
  const { out } = await world.run('diff');
  expect(out).toContain(`Runs ${world.path('~/secret.sh')} in the session's folder.`);
});
