// A client whose folder has nothing but `client.ts` and `index.ts`: commands that need no other part work, and the others say
// why they cannot.
import { afterAll, expect, vi } from 'vitest';
import type { ClientFolder } from '../../src/clients/folder.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';

const CODEX = '../../src/clients/codex';
const PAGE = 'https://example.com/hooks';

// Other test files may have loaded the modules with the complete client.
vi.resetModules();
vi.doMock(`${CODEX}/client.ts`, async (original) => {
  const { codex, ...more } = await original<typeof import('../../src/clients/codex/client.ts')>();
  const evidence = { documented: PAGE };
  return { ...more, codex: { ...codex, evidence, minimum: null, npmPackage: null } };
});
vi.doMock(`${CODEX}/index.ts`, async (): Promise<ClientFolder> => {
  const { codex: client } = await import('../../src/clients/codex/client.ts');
  const none = { bundle: null, byHand: null, servers: null, health: null };
  return { client, ...none, managed: null, driver: null, trust: null, startup: null };
});
const SEEN = '../../src/diagnose/matrix/matrix.json';
vi.doMock(SEEN, () => ({ default: { versions: {}, cells: {} } }));
const { test } = await import('../support/world.ts');
afterAll(() => {
  for (const mocked of [`${CODEX}/client.ts`, `${CODEX}/index.ts`, SEEN]) vi.doUnmock(mocked);
  vi.resetModules();
});

test('every command that needs no other part works', async ({ world }) => {
  await world.write('annal.json', manifest(COMMITTED));
  await world.write('~/.codex/config.toml', 'model = "x"\n');
  const before = await world.snapshot();
  await world.write('../bin/codex', '#!/bin/sh\n', 0o755);
  const run = async (line: string, expected = 0) => {
    const env = { PATH: `${world.bin}:/usr/bin:/bin` };
    const { code, out, err, transcript } = await world.run(line, { env });
    expect([code, transcript]).toEqual([expected, transcript]);
    return `${out}${err}`.replace(/\s+/g, ' ');
  };
  const said = '* untested, as documented Codex CLI exact* ~/.codex/config.toml';
  expect(await run('diff annal.json --client codex', 1)).toContain(said);
  expect(await run('install annal.json --client codex --yes')).toContain(said);
  expect(await run('doctor')).toContain(
    "untested: its hooks are based on the client's documentation",
  );
  expect(await run('matrix --client codex')).toMatch(
    /^Codex CLI \(not run\) Untested: .*\(https:\/\/example\.com\/hooks\)\..* session_start /,
  );
  for (const line of [
    ...['verify annal', 'list annal', 'update annal --yes', 'log annal', 'stats annal', 'scan'],
    ...['fire annal post_tool_use --client codex', 'validate annal.json', 'uninstall annal --yes'],
  ])
    await run(line);
  expect(await world.snapshot()).toEqual(before);
});

test.for([
  [
    'build annal.json --out out --target codex',
    'mcp-hooks knows no package with which hooks are shipped to Codex CLI.',
  ],
  [
    'build annal.json --out out --target fleet',
    'mcp-hooks does not know where an administrator puts hooks for Codex CLI',
  ],
  ['verify annal --live', 'mcp-hooks cannot run Codex CLI with a scripted model.'],
  ['import', 'mcp-hooks cannot read hooks that were written by hand for Codex CLI'],
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
