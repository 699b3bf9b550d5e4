// A user's whole set-up moves over and back. test/real-clients/move.test.ts records it with the real clients.
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  MOVE,
  OWN_FILES,
  OWN_SERVERS,
  PROGRAMS,
  SERVERS_FILE,
  serversFile,
} from '../support/move.ts';
import { test, type World } from '../support/world.ts';

async function furnish(world: World): Promise<void> {
  for (const [path, text] of Object.entries(OWN_FILES)) await world.write(`~/${path}`, text);
  await world.write(`~/${SERVERS_FILE}`, serversFile());
  for (const [name, text] of Object.entries(PROGRAMS))
    await world.write(join(world.bin, name), text, 0o755);
}

/** Codex is not here, so it cannot trust anything. */
const untrusted = (line: string) => line.replace(' --trust', '');

const flat = (text: string) => text.replace(/\s+/g, ' ');

test('a whole set-up moves over, and an uninstall gives back every byte', async ({ world }) => {
  await furnish(world);
  const before = await world.snapshot();
  const run = async (line: string) => {
    const done = await world.run(line, { env: { PATH: `${world.bin}:${process.env.PATH}` } });
    expect(done.code, done.out + done.err).toBe(0);
    return done.out;
  };
  expect(await run(MOVE.scan)).toContain('mcp-hooks install --all');
  expect(flat(await run(untrusted(MOVE.servers)))).toContain(
    'Installed: memory, filesystem, think, browser and docs in 3 clients',
  );
  await run(MOVE.import);
  expect(
    flat(await run('install mine.json --allow block,command,project-code --dry-run')),
  ).toContain('so they run twice');
  await run(untrusted(MOVE.own));
  const { installed } = JSON.parse(await run('list --json'));
  expect(installed.map(({ label }: { label: string }) => label)).toEqual([
    ...Object.keys(OWN_SERVERS),
    'mine',
  ]);
  const moved = await Promise.all(Object.keys(OWN_FILES).map((path) => world.read(`~/${path}`)));
  // The hook's script is missing here, so import left the entry unchanged.
  expect(moved.join().match(/guard\.py/g)).toHaveLength(1);
  expect(moved.join()).not.toMatch(/eslint|prettier|terminal-notifier|afplay/);
  await run(MOVE.undo);
  expect(await world.snapshot()).toEqual(before);
});
