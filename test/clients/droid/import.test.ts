// `mcp-hooks import` for hooks of Factory Droid that are in a plugin.
import { expect } from 'vitest';
import { test } from '../../support/world.ts';

/** In a plugin the events are under `hooks`; in Droid's own hooks.json they are keys of the file. */
const HOOKS = {
  hooks: { SessionStart: [{ hooks: [{ type: 'command', command: "echo 'Notes are kept.'" }] }] },
};

test.for([
  ['the client is named', '--client', 'droid'],
  ['the folder says which client it is for'],
])('the hooks of a Droid plugin are found when %s', async ([, ...flags], { world }) => {
  const plugin = 'my plugin';
  await world.write(`${plugin}/.factory-plugin/plugin.json`, '{"name":"notes"}');
  await world.write(`${plugin}/hooks/hooks.json`, JSON.stringify(HOOKS));
  const { code, out } = await world.run([
    'import',
    `${plugin}/hooks/hooks.json`,
    ...flags,
    '--json',
  ]);
  const { manifest, entries } = JSON.parse(out);
  expect({ code, clients: entries.map(({ client }: { client: string }) => client) }).toEqual({
    code: 0,
    clients: ['droid'],
  });
  expect(manifest.hooks.declarations).toEqual([
    { event: 'session_start', context: 'Notes are kept.', priority: 'suggestion' },
  ]);
});
