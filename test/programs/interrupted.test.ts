// SIGINT while a server is being asked: the message is true, and nothing is left behind.
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { test, type World } from '../support/world.ts';

/** A server that records its start, and never answers. */
const hanging = (world: World): readonly string[] => [
  process.execPath,
  '-e',
  `require('node:fs').writeFileSync(${JSON.stringify(world.path('started'))}, '');
   process.stdin.resume();`,
];

test.for([
  ['install --yes --name x --client claude', 'Interrupted. Nothing was written.\n'],
  ['validate --server --yes annal.json', 'Interrupted.\n'],
] as const)('%s', async ([line, told], { world }) => {
  await world.folder('~/.claude');
  const [command = '', ...args] = hanging(world);
  const hooks = {
    declarations: [{ event: 'session_start', context_tool: 'x', priority: 'important' }],
  };
  await world.write('annal.json', JSON.stringify({ server: { command, args }, hooks }));
  const before = await world.snapshot();
  const words = line.split(' ');
  const running = world.start(words[0] === 'install' ? [...words, '--', command, ...args] : words);
  while (!existsSync(world.path('started'))) await new Promise((done) => setTimeout(done, 20));
  running.kill('SIGINT');
  const { exitCode, stderr } = await running;
  expect([exitCode, stderr.split('\n').slice(-2).join('\n')]).toEqual([130, told]);
  expect(await world.snapshot()).toEqual(before);
});
