/** What a package may say about how its server is started: nothing from the machine that builds it. */

import { describe, expect, test } from 'vitest';
import { shipmentOf } from '../../src/compile/bundles/shipment.ts';

/** The word because of which a server is left out. */
function pathIn(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { unshipped } = shipmentOf(
    {
      label: 'annal',
      hooks: [],
      server: { command: 'annal', args, env },
      source: { kind: 'manifest', path: '/build/annal.json' },
      problems: [],
    },
    {},
  );
  return unshipped?.code === 'server-not-shipped' ? unshipped.word : unshipped;
}

describe('a path of this machine is found', () => {
  test.each([
    '/opt/db',
    '--db=/opt/db',
    'C:\\opt',
    '-I/opt',
    '-IC:\\opt',
    '-isystem/opt/include',
    '@/opt/body.json',
    'file:/opt',
    'sqlite:////opt/db',
    'jdbc:sqlite:/opt/notes.db',
    'jdbc:sqlite:///opt/notes.db',
    'jdbc:sqlite:C:\\opt\\notes.db',
    '--url=jdbc:h2:file:/opt/db',
    'lib:/opt/lib',
    '$PATH:/opt/bin',
    './lib:/opt/lib',
    '-javaagent:/opt/agent.jar',
    '{"db":"/opt/notes.db"}',
    "['/opt/notes.db']",
    'cd /opt/annal && node server.mjs',
    'cc -I/opt/include',
    'annal >>/opt/log/annal.log',
    'file:notes.db',
    '\\\\server\\notes',
  ])('in %s', (word) => {
    expect(pathIn(['run', word])).toBe(word);
    expect(pathIn([], { OPTION: word })).toBe(`OPTION=${word}`);
  });

  test.each([
    ['-v', '/opt:/data'],
    ['-v', 'C:/opt:/data'],
    ['--volume', 'C:\\opt:/data'],
  ])('in a mount: %s %s', (...args) => {
    expect(pathIn(args)).toBe(args[1]);
  });
});

test.each([
  ['https://host/home/x'],
  ['--url=https://host:8080/home/x?y=z#/home/x'],
  ['postgres://me@host:5432/notes'],
  ['host.example:/srv/notes'],
  ['me@host:/srv/notes'],
  ['git@host.example:me/notes.git'],
  ['@annals/annal@1.2.3'],
  ['--mode=a/b'],
  ['-a', 'b/c'],
  ['lib/a:lib/b'],
  ['x:y//z'],
  ['name:\\d+'],
  ['application/json; charset=utf-8'],
  ['{"url":"https://host/home/x","file":"notes.db"}'],
  ['Type /help, yes and/or no, 1 / 2'],
  ['annal 2>/dev/null </dev/tty'],
  ['https://host/home/x:/y'],
  ['-v', 'notes:/data'],
  ['--volume', 'notes:/data'],
  ['--volume=notes:/data/db:ro'],
])('none is found in %s %s', (...args) => {
  expect(pathIn(args)).toBeUndefined();
  expect(pathIn(['run', ...args])).toBeUndefined();
});
