/** Folders that bring their own servers, and everything that could make such a folder look trusted. */
import { SITUATIONS, Yard } from '../support/situations.ts';
import { attack, env, Trap } from './attack.ts';

attack(
  'servers of a clone below a trusted folder are not started, whatever its settings say',
  async ({ world, trap, expect }) => {
    const yard = new Yard(world.root, world.home, trap.server('evil'));
    yard.clone();
    yard.trust('src', '', '~');
    await world.run('scan', { env, cwd: yard.at('src/clone') });
    await world.run('install evil --client claude', { env, cwd: yard.at('src/clone') });
    await world.run('diff evil --client claude', { env, cwd: yard.at('src/clone') });
    expect(trap.sprung()).toEqual([]);
  },
);

for (const [client, name] of [
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex CLI'],
  ['gemini-cli', 'Gemini CLI'],
] as const)
  attack(`a folder cannot pretend to be one that ${name} trusts`, async ({ make, expect }) => {
    const work = SITUATIONS.map(async ({ title, make: build, starts, env: own }) => {
      const cell = starts[client];
      if (!cell) return;
      const [, ours] = cell;
      const world = await make();
      const trap = new Trap(world);
      const yard = new Yard(world.root, world.home, trap.server('evil'));
      const cwd = yard.at(build(yard) ?? 'src/clone');
      await world.run(`scan --from ${client}`, { env: { ...env, ...own }, cwd });
      expect([title, trap.sprung()]).toEqual([title, ours ? ['evil'] : []]);
    });
    await Promise.all(work);
  });

attack('a git index cannot hide that settings are committed', async ({ make, expect }) => {
  const indexes: Readonly<Record<string, (yard: Yard) => void>> = {
    'another spelling': (yard) => yard.index('src/clone', '.CLAUDE/Settings.Local.json'),
    // In version 4, each path has only the part that differs from the previous one.
    'shortened paths': (yard) =>
      yard.put(
        'src/clone/.git/index',
        `DIRC\0\0\0\u0004\0\0\0\u0002${'\0'.repeat(62)}\0.claude/a\0${'\0'.repeat(62)}\u0001settings.local.json\0`,
      ),
    'paths that end in the middle': (yard) =>
      yard.put('src/clone/.git/index', 'DIRC\0\0\0\u0004\0\0\0\u0001'),
    'a shared index': (yard) => {
      yard.index('src/clone', '.claude/settings.local.json');
      yard.put('src/clone/.git/sharedindex.0', yard.read('src/clone/.git/index'));
      yard.put('src/clone/.git/index', `DIRC\0\0\0\u0002${'\0'.repeat(24)}`);
    },
    'long hashes that read as short ones and another name': (yard) => {
      // The long hash contains the flags and the name of an entry with a short hash.
      const head = `DIRC\0\0\0\u0002\0\0\0\u0001${'\0'.repeat(60)}`;
      const entry = '\0\u000A0123456789\0\u001B.claude/settings.local.json';
      yard.put('src/clone/.git/index', `${head}${entry}${'\0'.repeat(40)}`);
    },
    'a spelling that some file systems take for it': (yard) =>
      yard.index('src/clone', '.claude/\u017Fettings.local.json'),
    'what some file systems skip': (yard) =>
      yard.index('src/clone', '.claude/settings\u200C.local.json'),
    'an index that is none': (yard) => yard.put('src/clone/.git/index', ''),
    'a repository within': (yard) => yard.repository('src/clone/.claude'),
  };
  for (const [title, hide] of Object.entries(indexes)) {
    const world = await make();
    const trap = new Trap(world);
    const yard = new Yard(world.root, world.home, trap.server('evil'));
    yard.clone();
    yard.trust('src/clone');
    hide(yard);
    await world.run('scan --from claude', { env, cwd: yard.at('src/clone') });
    expect([title, trap.sprung()]).toEqual([title, []]);
  }
});
