// Several users on one machine, each with their own user id. Only root can act as all of them.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chain, reasonsOf } from '../support/runner/chain.ts';
import { root } from '../support/runner/world.ts';

const CLI = join(root, 'dist/cli.cjs');
const [ANN, BEN] = [21_001, 21_002];
const isRoot = process.geteuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

const MANIFEST = JSON.stringify({
  hooks: {
    declarations: [{ event: 'session_start', context: 'Hi there.', priority: 'suggestion' }],
  },
});
const EVENT = (session: string) =>
  JSON.stringify({
    session_id: session,
    cwd: '/tmp',
    hook_event_name: 'SessionStart',
    source: 'startup',
  });

function machine() {
  const at = join(
    tmpdir(),
    `mcp-hooks-users-${process.pid}-${Math.random().toString(36).slice(2)}`,
  );
  mkdirSync(at, { mode: 0o755 });
  chmodSync(at, 0o755);
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const homeOf = (uid: number) => join(at, `home ${uid}`);
  for (const uid of [ANN, BEN]) {
    mkdirSync(join(homeOf(uid), '.claude'), { recursive: true });
    for (const folder of [homeOf(uid), join(homeOf(uid), '.claude')]) chownSync(folder, uid, uid);
  }
  writeFileSync(join(at, 'annal.json'), MANIFEST);
  const as = (
    uid: number,
    words: readonly string[],
    { input = '', ...more }: Readonly<Record<string, string>> = {},
  ) =>
    spawnSync('setpriv', [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...words], {
      cwd: homeOf(uid),
      input,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: homeOf(uid), ...more },
    });
  const cli = (uid: number, line: string, env = {}) =>
    as(uid, [process.execPath, CLI, ...line.split(' ')], env);
  const state = join(homeOf(ANN), '.mcp-hooks');
  const installed = () => {
    const ran = cli(ANN, `install ${at}/annal.json --yes --client claude-code`);
    expect(ran).toMatchObject({ status: 0 });
    const settings = readFileSync(join(homeOf(ANN), '.claude/settings.json'), 'utf8');
    return String(JSON.parse(settings).hooks.SessionStart[0].hooks[0].command);
  };
  return { at, as, cli, homeOf, state, installed };
}

describe.runIf(isRoot)('another user can neither read, fire nor restrict hooks', () => {
  test('another user cannot fire hooks whose folder is closed', () => {
    const { as, installed, state } = machine();
    const command = installed();
    expect(as(ANN, ['sh', '-c', command], { input: EVENT('a') }).stdout).toContain('Hi there.');
    const other = as(BEN, ['sh', '-c', command], { input: EVENT('b') });
    expect([other.status, other.stdout]).toEqual([0, '']);
    for (const file of ['log/annal.jsonl', 'ledger.json', 'sessions'])
      expect(as(BEN, ['cat', join(state, file)]).status).not.toBe(0);
    expect(as(BEN, ['touch', join(state, 'policy.json')]).status).not.toBe(0);
  });

  test("an uninstall succeeds even if the hooks' memory cannot be read", () => {
    const { as, cli, homeOf, installed, state } = machine();
    as(ANN, ['sh', '-c', installed()], { input: EVENT('a') });
    const sessions = join(state, 'sessions');
    chmodSync(sessions, 0);
    const ran = cli(ANN, 'uninstall annal --yes');
    expect(ran).toMatchObject({ status: 0 });
    expect(existsSync(join(homeOf(ANN), '.claude/settings.json'))).toBe(false);
    expect(readdirSync(state)).toEqual(['sessions']);
  });

  test('nothing that runs is written into a state folder of another user', () => {
    const { at, cli, homeOf, state } = machine();
    mkdirSync(state);
    chmodSync(state, 0o777);
    chownSync(state, BEN, BEN);
    const ran = cli(ANN, `install ${at}/annal.json --yes --client claude-code`);
    expect([ran.status, ran.stderr]).toEqual([
      2,
      expect.stringContaining(`it belongs to another user (${BEN}). Nothing was written.`),
    ]);
    expect(existsSync(join(homeOf(ANN), '.claude/settings.json'))).toBe(false);
  });

  test("another user of a shared state folder cannot read the first one's files", () => {
    const { at, cli } = machine();
    const shared = join(at, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    const env = { MCP_HOOKS_HOME: shared };
    expect(cli(ANN, `install ${at}/annal.json --yes --client claude-code`, env).status).toBe(0);
    const other = cli(BEN, `install ${at}/annal.json --yes --client claude-code`, env);
    expect([other.status, other.stderr]).toEqual([
      2,
      expect.stringContaining('cannot be read: permission denied. Nothing was written.'),
    ]);
  });

  test('a manifest above a folder is not read if it belongs to another user', () => {
    const { at, cli, as, homeOf } = machine();
    const shared = join(at, 'shared');
    const own = join(shared, 'own');
    mkdirSync(own, { recursive: true });
    chownSync(shared, BEN, BEN);
    chownSync(own, ANN, ANN);
    const manifest = join(shared, 'mcp-hooks.json');
    as(BEN, ['mkdir', join(shared, '.git')]);
    as(BEN, ['tee', manifest], { input: MANIFEST });
    const install = () =>
      as(ANN, ['sh', '-c', `cd '${own}' && "$NODE" "$CLI" install --yes --client claude`], {
        NODE: process.execPath,
        CLI,
      });
    const ran = install();
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('belongs to another user, so it was not read. Nothing was written.'),
    ]);
    // Even the user's own file does not count in such a folder, because the other user can replace it.
    chownSync(manifest, ANN, ANN);
    expect(install().status).toBe(2);
    chownSync(shared, ANN, ANN);
    expect(install().status).toBe(0);
    expect(cli(ANN, 'uninstall shared --yes').status).toBe(0);
    expect(existsSync(join(homeOf(ANN), '.claude/settings.json'))).toBe(false);
  });

  test('doctor reports if another user can write a policy', () => {
    const { as, cli, installed, state } = machine();
    installed();
    chmodSync(state, 0o777);
    expect(as(BEN, ['sh', '-c', `echo '{}' >"${state}/policy.json"`]).status).toBe(0);
    expect(cli(ANN, 'doctor').stdout).toContain('other users may write into it');
    chmodSync(state, 0o700);
    expect(cli(ANN, 'doctor').stdout).not.toContain('other users may write into it');
  });

  test('a lock of another user does not hold up a hook', () => {
    const { as, installed, state } = machine();
    const command = installed();
    as(ANN, ['sh', '-c', command], { input: EVENT('a') });
    const log = join(state, 'log/annal.jsonl');
    const line = readFileSync(log, 'utf8');
    writeFileSync(log, line.repeat(20_000));
    const lock = join(state, 'log/annal.counts.json.lock');
    writeFileSync(lock, '1', { mode: 0o600 });
    chownSync(lock, BEN, BEN);
    const fired = as(ANN, ['sh', '-c', command], {
      input: EVENT('c00'),
      MCP_HOOKS_TIDY: '1',
    });
    expect([fired.status, fired.stdout]).toEqual([0, expect.stringContaining('Hi there.')]);
    expect(existsSync(`${log}.1`)).toBe(false);
  });
});

test.runIf(isRoot)(
  'no command is started if another user owns the folder of the records',
  async () => {
    const hook = { event: 'post_tool_use', command: ['touch', 'ran'], async: true };
    const world = chain({ hooks: [hook] });
    const sessions = join(world.state, 'sessions');
    mkdirSync(sessions, { mode: 0o777 });
    chownSync(sessions, BEN, BEN);
    expect((await world.fire('PostToolUse')).stdout).toBe('');
    expect(reasonsOf(world)).toEqual(['state-of-another']);
    expect(readdirSync(sessions).filter((name) => name.startsWith('background.'))).toEqual([]);
    chownSync(sessions, 0, 0);
    await world.fire('PostToolUse');
    await expect.poll(() => existsSync(join(world.cwd, 'ran')), { timeout: 10_000 }).toBe(true);
  },
);
