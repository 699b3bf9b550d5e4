// A client whose folder has nothing but `client.ts` and `index.ts`: all that can be done without the other parts works, and
// what cannot be done says so.
import { afterAll, expect, vi } from 'vitest';
import type { ClientFolder } from '../../src/clients/folder.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';

const CODEX = '../../src/clients/codex/index.ts';

// Other test files may have loaded everything with the whole client.
vi.resetModules();
vi.doMock(CODEX, async (original): Promise<ClientFolder> => {
  const { client } = await original<ClientFolder>();
  const none = { bundle: null, byHand: null, servers: null, health: null };
  return { client, ...none, managed: null, driver: null, trust: null, startup: null };
});
const { test } = await import('../support/world.ts');
afterAll(() => {
  vi.doUnmock(CODEX);
  vi.resetModules();
});

test('it is installed, fires, is looked at and is uninstalled', async ({ world }) => {
  await world.write('annal.json', manifest(COMMITTED));
  await world.write('~/.codex/config.toml', 'model = "x"\n');
  const before = await world.snapshot();
  await world.write('../bin/codex', '#!/bin/sh\n', 0o755);
  const lines = [
    'install annal.json --client codex --yes',
    'verify annal',
    'list annal',
    'diff annal.json',
  ];
  for (const line of [...lines, 'uninstall annal --yes']) {
    const { code, transcript } = await world.run(line, {
      env: { PATH: `${world.bin}:/usr/bin:/bin` },
    });
    expect(code, transcript).toBe(0);
  }
  expect(await world.snapshot()).toEqual(before);
});

test.for([
  [
    'build annal.json --out out --target codex',
    'mcp-hooks knows no package with which hooks are shipped to Codex CLI.',
  ],
  [
    'build annal.json --out out --target fleet',
    'mcp-hooks does not know where an administrator puts hooks for Codex CLI.',
  ],
  ['verify annal --live', 'mcp-hooks cannot run Codex CLI with a scripted model.'],
  ['import', 'mcp-hooks does not know what hooks mean that were written by hand for Codex CLI'],
  ['install notes --from codex', 'mcp-hooks does not know where Codex CLI keeps its MCP servers.'],
  ['trust annal', 'Nothing to trust: no client asks for trust.'],
] as const)('%s: %s', async ([line, said], { world, expect }) => {
  await world.write('annal.json', manifest(COMMITTED));
  await world.write('~/.codex/hooks.json', '{"hooks":{"Stop":[{"hooks":[{"command":"true"}]}]}}');
  await world.write('../bin/codex', '#!/bin/sh\n', 0o755);
  await world.run('install annal.json --client codex --yes');
  const { out, err } = await world.run(line);
  expect(`${out}${err}`.replace(/\s+/g, ' ')).toContain(said);
});
