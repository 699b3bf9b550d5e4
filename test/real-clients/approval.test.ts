// Servers that come with a folder: whether the real client starts them without asking, and whether we do.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findServerClient } from '../../src/clients/registry.ts';
import { effectiveEntry, readConfigurations } from '../../src/sources/configurations.ts';
import { searchPlaceOf } from '../../src/sources/folder.ts';
import { run } from '../../src/system/child.ts';
import { type Host, SITUATIONS, Yard } from '../support/situations.ts';
import { LAUNCH } from './clients.ts';

let yard: Yard;
beforeEach(() => {
  // Not below our own repository, which would be the clients' project.
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-hooks-approval-'));
  const home = join(root, 'home/ann');
  mkdirSync(home, { recursive: true });
  yard = new Yard(root, home, { command: 'no-such-evil', args: [] });
});
afterEach(() => rmSync(yard.root, { recursive: true, force: true }));

/** What a client prints about `evil` if it would start this server, whose command does not exist. */
const STARTED: Readonly<Record<Host, RegExp>> = {
  'claude-code': /^evil: .*Failed to connect/m,
  codex: /"name": "evil"/,
  'gemini-cli': /evil: .*Disconnected/,
};

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  HOME: yard.home,
  PATH: process.env.PATH ?? '',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  IS_SANDBOX: '1',
  ...more,
});

async function clientStarts(id: Host, cwd: string, env: Record<string, string>) {
  const args = ['mcp', 'list', ...(id === 'codex' ? ['--json'] : [])];
  const { stdout, stderr } = await run(LAUNCH[id], args, { cwd, env });
  return STARTED[id].test(stdout + stderr);
}

function weStart(id: Host, cwd: string, env: Record<string, string>): boolean {
  const client = findServerClient(id);
  const at = searchPlaceOf({ cwd, env }, yard.home);
  const { entries } = readConfigurations(at, client ? [client] : []);
  const entry = effectiveEntry(entries.filter(({ name }) => name === 'evil'));
  return entry !== undefined && !entry.foreign && entry.off === undefined;
}

const CASES = SITUATIONS.flatMap(({ title, make, starts, env }) =>
  (['claude-code', 'codex', 'gemini-cli'] as const).flatMap((id) =>
    starts[id] ? [{ id, title, make, env, cell: starts[id] }] : [],
  ),
);

test.each(CASES)('$id: $title', async ({ id, make, env, cell }) => {
  const cwd = yard.at(make(yard) ?? 'src/clone');
  const around = environment(env);
  const found = [await clientStarts(id, cwd, around), weStart(id, cwd, around)];
  expect(found).toEqual(cell);
  // We never start a server that the client itself would not start.
  expect(found).not.toEqual([false, true]);
});
