/** Files about sessions, logs and tokens are private to their owner, whatever the user's umask. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { IDS, MOMENTS, type Moment, recorded } from '../support/runner/clients.ts';
import { type Hook, install, type World as Runner, scratch } from '../support/runner/world.ts';
import { attack } from './attack.ts';

/** Files that users other than the owner can access. */
const open = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0);

const HOOKS: readonly Hook[] = [
  { event: 'session_start', context: 'Welcome.' },
  { event: 'session_end', context: 'Anything left?' },
  { event: 'post_request', context: 'Done?' },
  { event: 'post_tool_use', context: 'After.' },
];

async function fire(world: Runner, moments: readonly Moment[], shell: 'sh' | 'bash') {
  for (const id of IDS)
    for (const moment of moments) {
      const { event, file } = MOMENTS[moment][id];
      const payload = recorded(id, file, { cwd: world.cwd });
      await world.fire(id, event, payload, { shell, line: (command) => `umask 000; ${command}` });
    }
}

attack('what hooks write is closed to others, even under umask 000', async () => {
  for (const shell of ['sh', 'bash'] as const)
    for (const hooks of [HOOKS, HOOKS.slice(0, 1), HOOKS.slice(1, 2), HOOKS.slice(2, 3)]) {
      const world = install({ hooks });
      await fire(world, ['start', 'start', 'prompt', 'after', 'turnEnd', 'sessionEnd'], shell);
      expect(readdirSync(world.state).length).toBeGreaterThan(0);
      expect(open(world.state)).toEqual([]);
    }
});

attack("a hook does not change the umask of the user's server", async () => {
  const seen = join(scratch('seen'), 'mask');
  const server = { command: '/bin/sh', args: ['-c', `umask >>'${seen}'`] };
  const call: Hook = { event: 'post_tool_use', context_tool: 'recall' };
  const world = install({ hooks: [...HOOKS, call], server, deadline: 2000 });
  writeFileSync(seen, '');
  await fire(world, ['start', 'prompt', 'after', 'turnEnd'], 'sh');
  const masks = readFileSync(seen, 'utf8').trim().split('\n');
  expect(new Set(masks)).toEqual(new Set(['0000']));
});

attack('what an install writes is closed to others, even under umask 000', async ({ world }) => {
  await world.folder('~/.claude', '~/.codex', '~/.gemini');
  await world.write('annal.json', manifest(COMMITTED));
  const before = process.umask(0);
  try {
    for (const line of ['install annal.json --yes', 'install annal.json --yes --name other'])
      expect((await world.run(line)).code).toBe(0);
  } finally {
    process.umask(before);
  }
  expect(open(world.path('~/.mcp-hooks'))).toEqual([]);
  for (const file of ['.claude/settings.json', '.codex/config.toml', '.gemini/settings.json'])
    expect(statSync(world.path(`~/${file}`)).mode & 0o077).toBe(0);
});
