// Processes that hooks started in the background end with their label, and a false record ends no other process.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { attempt } from '../../src/system/errors.ts';
import { test, type World } from '../support/world.ts';
import { env } from './attack.ts';

/** The processes that sleep for this number of seconds. */
const sleeping = (seconds: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const line = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')) ?? '';
      return line.split('\0')[0]?.endsWith('sleep') && line.split('\0')[1] === seconds;
    });

/** Numbers of seconds that no other process sleeps. */
let next = 8_000_000 + (process.pid % 10_000) * 100;
function seconds(): string {
  const own = String(next++);
  onTestFinished(() => {
    for (const pid of sleeping(own)) attempt(() => process.kill(pid, 'SIGKILL'));
  });
  return own;
}

const SESSIONS = '~/.mcp-hooks/sessions';
const recordsIn = (world: World): string[] =>
  (attempt(() => readdirSync(world.path(SESSIONS))) ?? []).filter((name) =>
    name.startsWith('background.'),
  );

const write = (world: World, label: string, own: string, more: object = {}) => {
  const hook = { event: 'post_request', command: ['sleep', own], async: true, deadline: 600_000 };
  const hooks = { declarations: [{ ...hook, ...more }] };
  return world.write(`${label}.json`, JSON.stringify({ version: 2, name: label, hooks }));
};
async function run(world: World, line: string, code = 0): Promise<string> {
  const ran = await world.run(line, { env });
  expect([ran.code, ran.err]).toEqual([code, expect.any(String)]);
  return ran.out;
}
/** Installs a hook and fires it, so that it starts its command. */
async function started(world: World, label: string): Promise<string> {
  const own = seconds();
  await world.folder('~/.claude');
  await write(world, label, own);
  await run(world, `install ${label}.json --yes --allow command --client claude-code`);
  const { hooks } = JSON.parse(await world.read('~/.claude/settings.json'));
  const commands: string[] = hooks.Stop.map(
    (group: { hooks: { command: string }[] }) => group.hooks[0]?.command,
  );
  const command = commands.find((one) => one.includes(`/${label}/`)) ?? '';
  const input = JSON.stringify({ session_id: own, cwd: world.work, hook_event_name: 'Stop' });
  const client = spawnSync('sh', ['-c', command], { env: world.env(env), cwd: world.work, input });
  expect(String(client.stdout)).toBe('');
  await expect.poll(() => sleeping(own).length, { timeout: 10_000 }).toBe(1);
  return own;
}

describe.runIf(process.platform === 'linux')(
  'a command in the background ends with its label',
  () => {
    test('an uninstall returns once it has ended, and leaves nothing of it', async ({ world }) => {
      const own = await started(world, 'annal');
      const other = await started(world, 'annal.0');
      await run(world, 'uninstall annal --yes');
      expect(sleeping(own)).toEqual([]);
      expect(recordsIn(world)).toEqual(['background.annal.0.0']);
      expect(sleeping(other).length).toBe(1);
      await run(world, 'uninstall annal.0 --yes');
      expect(sleeping(other)).toEqual([]);
      expect(existsSync(world.path('~/.mcp-hooks'))).toBe(false);
    });

    test('an update of its label ends it, unless nothing has changed', async ({ world }) => {
      const own = await started(world, 'annal');
      await run(world, 'update annal --yes');
      expect(sleeping(own).length).toBe(1);
      await write(world, 'annal', own, { deadline: 500_000 });
      await run(world, 'update annal --yes --allow command');
      expect(sleeping(own)).toEqual([]);
      expect(recordsIn(world)).toEqual([]);
    });

    test('it ends when its hook is muted', async ({ world }) => {
      const own = await started(world, 'annal');
      await run(world, 'mute annal 1');
      await expect.poll(() => sleeping(own), { timeout: 10_000 }).toEqual([]);
    });

    test('a false record that names another process ends only the record', async ({ world }) => {
      const own = await started(world, 'annal');
      const child = spawn('sleep', [seconds()], { stdio: 'ignore' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const file = world.path(`${SESSIONS}/background.annal.7`);
      writeFileSync(file, String(child.pid));
      const out = await world.run('uninstall annal --yes', { env });
      expect([out.code, out.err]).toEqual([2, expect.stringContaining('has not ended yet')]);
      expect([child.exitCode, child.signalCode]).toEqual([null, null]);
      expect(sleeping(own)).toEqual([]);
      expect(existsSync(world.path('~/.mcp-hooks'))).toBe(false);
    });

    test('a link in the place of the folder with the records is not followed', async ({
      world,
    }) => {
      await started(world, 'annal');
      const elsewhere = world.path('elsewhere');
      await world.folder('elsewhere');
      writeFileSync(join(elsewhere, 'background.annal.0'), '1');
      rmSync(world.path(SESSIONS), { recursive: true });
      symlinkSync(elsewhere, world.path(SESSIONS));
      await world.run('uninstall annal --yes', { env });
      expect(readdirSync(elsewhere)).toEqual(['background.annal.0']);
    });
  },
);
