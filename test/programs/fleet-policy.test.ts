// What a machine's administrator allows all users, in a policy next to the runner, and how a user can restrict it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { FLEET, fleetFor, isFleetFolder } from '../../src/compile/bundles/fleet.ts';
import { shipmentOf } from '../../src/compile/bundles/shipment.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { template } from '../../src/system/package-files.ts';
import { clientOf, recorded } from '../support/runner/clients.ts';
import { scratch } from '../support/runner/world.ts';

const FILES = `${FLEET}/roles/mcp_hooks_annal/files`;

/** The runner where the role would put it, fired by the command in the client's file. */
function laidOut(declarations: readonly object[]) {
  const at = scratch('machine');
  const [home, lib] = [join(at, 'home'), join(at, 'lib')];
  mkdirSync(join(home, '.mcp-hooks'), { recursive: true });
  const manifest = { name: 'annal', version: 2, hooks: { declarations } };
  const declared = parseManifest(JSON.stringify(manifest), join(at, 'annal.json'));
  const client = clientOf('claude-code');
  const { files } = fleetFor([client], shipmentOf(declared, {}), { folder: lib, template });
  for (const { path, bytes } of files) {
    if (!path.startsWith(`${FILES}/`)) continue;
    const file = join(lib, path.slice(FILES.length + 1).replace(/^runner/, 'annal'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const { hooks } = JSON.parse(readFileSync(join(lib, 'claude-code/mcp-hooks.annal.json'), 'utf8'));
  let firings = 0;
  return {
    administrator: (text: string) => writeFileSync(join(lib, 'annal/policy.json'), text),
    user: (rules: object) =>
      writeFileSync(
        join(home, '.mcp-hooks/policy.json'),
        JSON.stringify({ servers: { annal: rules } }),
      ),
    fire: (event: string, homeOf = home) => {
      const once = `f-${++firings}`;
      const payload = recorded('claude-code', event, { tool_use_id: once, session_id: once });
      const { stdout, stderr, status } = spawnSync(
        '/bin/sh',
        ['-c', hooks[event][0].hooks[0].command],
        {
          cwd: home,
          env: { PATH: process.env.PATH, HOME: homeOf },
          input: JSON.stringify(payload),
          encoding: 'utf8',
        },
      );
      expect([status, stderr]).toEqual([0, '']);
      return stdout;
    },
  };
}

test('a decision is made if the administrator allows it and the user does not forbid it', () => {
  const { administrator, user, fire } = laidOut([
    { event: 'pre_tool_use', block: 'NOT-NOW', priority: 'important' },
  ]);
  const blocks = () => fire('PreToolUse').includes('NOT-NOW');
  expect(blocks()).toBe(false);
  administrator('{"trusted": true, "modify": true}');
  expect(blocks()).toBe(false);
  administrator('{"block": true}');
  expect(blocks()).toBe(true);
  user({ block: false });
  expect(blocks()).toBe(false);
  user({});
  expect(blocks()).toBe(true);
  // Half written, or edited by hand.
  for (const broken of ['{"block": tr', '{"block": "true"}', '[]', 'null']) {
    administrator(broken);
    expect([broken, blocks()]).toEqual([broken, false]);
  }
});

test('a guard works without a folder for its memory', () => {
  const { administrator, fire } = laidOut([
    { event: 'pre_tool_use', block: 'NOT-NOW', priority: 'important' },
    { event: 'post_tool_use', context: 'SAID', priority: 'important' },
  ]);
  administrator('{"block": true}');
  // No folder can be made there.
  expect(fire('PreToolUse', '/dev/null')).toContain('NOT-NOW');
  expect(fire('PostToolUse')).toContain('SAID');
  expect(fire('PostToolUse', '/dev/null')).toBe('');
});

test('a plain text at the start of a session is worded by the trust that the administrator grants', () => {
  const { administrator, fire } = laidOut([
    { event: 'session_start', context: 'AT-THE-START', priority: 'required' },
  ]);
  const plain = fire('SessionStart');
  expect(plain).toContain('AT-THE-START');
  administrator('{"trusted": true}');
  const trusted = fire('SessionStart');
  expect(trusted).toContain('AT-THE-START');
  expect(trusted).not.toBe(plain);
});

test.each([
  ['/usr/local/lib/mcp-hooks', true],
  ['/Library/Application Support/mcp-hooks', true],
  ['relative/lib', false],
  ['/', false],
  ['/opt/../etc', false],
  ['/opt/{{ lookup("pipe", "id") }}', false],
  ['/opt/$(id)', false],
  ["/opt/it's", false],
  ['/opt/a:b', false],
  ['/opt/two\nlines', false],
  ['/opt/ends/', false],
])('runners may be in %j: %s', (folder, fits) => {
  expect(isFleetFolder(folder)).toBe(fits);
});
