// A person's whole set-up moves over and back: hooks of one's own in three clients, and five servers with hooks from the catalogue.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answer } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const OWN = join(import.meta.dirname, '../../fixtures/hand-written');
const FILES = {
  '~/.claude/settings.json': 'claude-code/user.json',
  '~/.codex/config.toml': 'codex/config.toml',
  '~/.gemini/settings.json': 'gemini-cli/common.json',
};
const SERVERS = {
  memory: '@modelcontextprotocol/server-memory',
  filesystem: '@modelcontextprotocol/server-filesystem',
  think: '@modelcontextprotocol/server-sequential-thinking',
  browser: '@playwright/mcp',
  docs: '@upstash/context7-mcp',
};

/** The files, and an npx that starts a server which declares no hooks. */
async function furnish(world: World): Promise<void> {
  await world.folder('~/.claude', '~/.codex', '~/.gemini');
  for (const [path, file] of Object.entries(FILES)) await cp(join(OWN, file), world.path(path));
  const mcpServers = Object.fromEntries(
    Object.entries(SERVERS).map(([name, npm]) => [name, { command: 'npx', args: ['-y', npm] }]),
  );
  await world.write('~/.claude.json', JSON.stringify({ mcpServers }));
  await cp(join(import.meta.dirname, '../support/servers/answering.sh'), world.path('server.sh'));
  await world.write('answer.json', answer({ tools: {} }));
  const [script, said] = [world.path('server.sh'), world.path('answer.json')];
  const npx = `#!/bin/sh\nexec /bin/sh '${script}' '${said}'\n`;
  await world.write(join(world.bin, 'npx'), npx, 0o755);
  // Nothing is looked up in a registry.
  await world.write(join(world.bin, 'npm'), '#!/bin/sh\nexit 1\n', 0o755);
}

const flat = (text: string) => text.replace(/\s+/g, ' ');

test('a whole set-up moves over, and an uninstall gives back every byte', async ({ world }) => {
  await furnish(world);
  const before = await world.snapshot();
  const run = async (line: string) => {
    const done = await world.run(line, { env: { PATH: `${world.bin}:${process.env.PATH}` } });
    expect(done.code, done.out + done.err).toBe(0);
    return done.out;
  };
  expect(await run('scan')).toContain('mcp-hooks install --all');
  expect(flat(await run('install --all --yes --allow context-tool'))).toContain(
    'Installed: memory, filesystem, think, browser and docs in 3 clients',
  );
  await run('import --out mine.json');
  expect(
    flat(await run('install mine.json --allow block,command,project-code --dry-run')),
  ).toContain('so they run twice');
  await run('install mine.json --allow block,command,project-code --replace-originals --yes');
  const { installed } = JSON.parse(await run('list --json'));
  expect(installed.map(({ label }: { label: string }) => label)).toEqual([
    ...Object.keys(SERVERS),
    'mine',
  ]);
  const moved = await Promise.all(Object.keys(FILES).map((path) => world.read(path)));
  // It names a script that is not here, so it stays as it was.
  expect(moved.join().match(/guard\.py/g)).toHaveLength(1);
  expect(moved.join()).not.toMatch(/eslint|prettier|terminal-notifier|afplay/);
  await run('uninstall --all --yes');
  expect(await world.snapshot()).toEqual(before);
});
