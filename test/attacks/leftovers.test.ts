/** The next command removes what a killed process has left, but nothing else that looks like it. */
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { describe, expect, vi } from 'vitest';
import { findPlaces } from '../../src/clients/places.ts';
import { apply } from '../../src/install/apply.ts';
import { uninstallHere } from '../../src/library/planning.ts';
import { processes } from '../../src/system/process-id.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import type { World } from '../support/world.ts';
import { attack, env } from './attack.ts';

/** The number of a process that has ended. */
const gone = (): number => spawnSync(process.execPath, ['-e', '0']).pid;

/** The name of a temporary file as a process of ours chooses it. */
const temporary = (file: string, pid: number): string =>
  `${file}.mcp-hooks-${pid}-00000000-1.abc123.tmp`;

async function furnish(world: World): Promise<void> {
  await world.write('~/.claude/settings.json', '{}\n');
  await world.write('~/.codex/config.toml', '');
  await world.folder('~/.gemini');
  await world.write('annal.json', manifest(COMMITTED));
}

/** Leaves everything that a killed process can leave, in every place where we write. */
async function leave(world: World): Promise<void> {
  const pid = gone();
  for (const file of [
    '~/.claude/settings.json',
    '~/.codex/config.toml',
    '~/.codex/hooks.json',
    '~/.gemini/settings.json',
    '~/.mcp-hooks/ledger.json',
    '~/.mcp-hooks/lock',
    '~/.mcp-hooks/backups/0-settings.json',
    '~/.mcp-hooks/servers/annal/runner.cjs',
    '~/.mcp-hooks/sessions/a.said-1',
    '~/.mcp-hooks/log/annal.counts.json.lock',
    '~/.mcp-hooks/tokens/host.1-a.json',
    '~/.mcp-hooks/tokens/host.1-a.json.lock',
  ])
    await world.write(temporary(file, pid), '{');
  await world.write('~/.mcp-hooks/tokens/host.1-a.json.lock', `${pid}-00000000-1`);
  await world.write('~/.mcp-hooks/lock', `${pid}-00000000-1`, 0o600);
}

describe.concurrent('files of a killed process', () => {
  attack(
    'an uninstall removes what a killed process left, even if nothing was installed',
    async ({ world }) => {
      await furnish(world);
      const before = await world.snapshot();
      await leave(world);
      expect((await world.run('doctor')).out).toContain('a killed run left a file behind');
      expect((await world.run('uninstall annal --yes')).code).toBe(2);
      expect(await world.snapshot()).toEqual(before);
    },
  );

  attack(
    'uninstall --all removes what a killed process left, even if nothing was installed',
    async ({ world }) => {
      await furnish(world);
      const before = await world.snapshot();
      await leave(world);
      const left = await world.snapshot();
      expect((await world.run('uninstall --all --dry-run')).out).toBe('Nothing is installed.\n');
      expect(await world.snapshot()).toEqual(left);
      expect((await world.run('uninstall --all --yes')).code).toBe(0);
      expect(await world.snapshot()).toEqual(before);
      // A folder that the user chose or linked to is emptied, but not removed.
      await world.link('~/.mcp-hooks', world.path('chosen'));
      await world.folder('chosen');
      await leave(world);
      expect((await world.run('uninstall --all --yes')).code).toBe(0);
      expect(await readdir(world.path('chosen'))).toEqual([]);
    },
  );

  attack(
    'an uninstall removes what a killed process left beside what was installed',
    async ({ world }) => {
      await furnish(world);
      const before = await world.snapshot();
      await world.run('install annal.json --yes');
      await leave(world);
      expect((await world.run('uninstall annal --yes')).code).toBe(0);
      expect(await world.snapshot()).toEqual(before);
    },
  );

  attack(
    'an install that has nothing to do removes what a killed process left',
    async ({ world }) => {
      await furnish(world);
      await world.run('install annal.json --yes');
      const before = await world.snapshot();
      await leave(world);
      expect((await world.run('install annal.json --yes')).out).toContain('Nothing to do');
      expect((await world.run('doctor')).out).not.toContain('killed');
      expect({ ...(await world.snapshot()) }).toEqual({
        ...before,
        // Empty folders of our own stay until the uninstall.
        '.mcp-hooks/log': expect.any(String),
        '.mcp-hooks/sessions': expect.any(String),
        '.mcp-hooks/tokens': expect.any(String),
      });
    },
  );

  attack(
    'an uninstall removes what a killed process left beside a list of servers',
    async ({ world }) => {
      const hooks = { declarations: [COMMITTED] };
      const server = { command: 'node', args: ['notes.js'] };
      await world.folder('~/.claude');
      await world.write('annal.json', JSON.stringify({ hooks, server }));
      const before = await world.snapshot();
      await world.run('install annal.json --yes --with-server');
      expect(await world.read('~/.claude.json')).toContain('notes.js');
      await world.write(temporary('~/.claude.json', gone()), '{');
      expect((await world.run('doctor')).out).toContain('a killed run left a file behind');
      expect((await world.run('uninstall annal --yes')).code).toBe(0);
      expect(await world.snapshot()).toEqual(before);
    },
  );

  attack("a lock is removed if its process number now belongs to another user's process", () => {
    const { isAlive, ownMark } = processes();
    const own = ownMark();
    const notOurs = Object.assign(new Error('EPERM'), { code: 'EPERM' });
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw notOurs;
    });
    try {
      expect(isAlive(own)).toBe(true);
      expect(isAlive(own.replace(/-.*/, '-00000000-1'))).toBe(!own.includes('-'));
    } finally {
      kill.mockRestore();
    }
  });

  attack('files of others and of a running process stay', async ({ world }) => {
    await furnish(world);
    const alive = process.pid;
    for (const name of [
      '~/.claude/settings.json.tmp',
      '~/.claude/settings.json.mcp-hooks-notes.tmp',
      '~/.claude/settings.json.mcp-hooks-1.tmp',
      `~/.claude/settings.json.mcp-hooks-${alive}.abc.tmp`,
      `~/.claude/sub/${temporary('settings.json', gone())}`,
      `~/.mcp-hooks/tokens/host.1-a.json.mcp-hooks-${alive}.abc.tmp`,
      '~/.mcp-hooks/tokens/notes.tmp',
    ])
      await world.write(name, 'x');
    const before = await world.snapshot();
    await world.run('install annal.json --yes');
    await world.run('uninstall annal --yes');
    expect(await world.snapshot()).toEqual(before);
  });
});

attack('an uninstall removes what hooks of version 2 remember', async ({ world }) => {
  await furnish(world);
  const before = await world.snapshot();
  await world.write('tell.sh', '#!/bin/sh\necho told\n', 0o755);
  const command = ['./tell.sh'];
  const repeat = { times: 2, within: 60, same: 'call' };
  const declarations = [
    { event: 'pre_compact', command, may: ['block'] },
    { event: 'post_tool_use', command, may: ['modify'], once: 'session', cooldown: 60 },
    { event: 'post_tool_use', context: 'Again.', matcher: { repeat }, once: 'turn' },
    { event: 'budget_exceeded', budget: { tokens: 1 }, context: 'Much.' },
    { event: 'post_request', block: 'Go on.' },
  ];
  const own = { version: 2, name: 'annal', hooks: { declarations } };
  await world.write('annal.json', JSON.stringify(own));
  const asked = 'install annal.json --client claude-code --yes --allow command,block,modify';
  expect((await world.run(asked)).code).toBe(0);
  await world.write('transcript.jsonl', `{"type":"user"}\n${'x'.repeat(200)}\n`);
  const runner = world.path('~/.mcp-hooks/servers/annal/runner.cjs');
  const natives = ['UserPromptSubmit', 'PostToolUse', 'PreCompact', 'Stop', 'SessionStart'];
  for (const [at, native] of [...natives, ...natives.slice(0, 3), 'UserPromptSubmit'].entries()) {
    const payload = {
      session_id: 'one',
      hook_event_name: native,
      cwd: world.work,
      transcript_path: world.path('transcript.jsonl'),
      prompt: 'do it',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: { stdout: 'a' },
      tool_use_id: `use-${at}`,
    };
    const input = JSON.stringify(payload);
    spawnSync(process.execPath, [runner, 'claude-code', native], { input, env });
  }
  const remembered = Object.keys(await world.snapshot()).filter((one) =>
    one.includes('/sessions/'),
  );
  for (const fact of ['kept', '.calls', '-once', 'mark', '.turn.mark'])
    expect(remembered.some((one) => one.includes(fact))).toBe(true);
  expect((await world.run('uninstall annal --yes')).code).toBe(0);
  expect(await world.snapshot()).toEqual(before);
});

attack('an uninstall removes what a hook wrote while the user was asked', async ({ world }) => {
  await world.folder('~/.claude');
  const before = await world.snapshot();
  await world.write(
    'annal.json',
    manifest({ event: 'session_start', context: 'Hello.', priority: 'suggestion' }),
  );
  expect((await world.run('install annal.json --yes')).code).toBe(0);
  const places = findPlaces(world.env(), world.work, 'user');
  const removal = uninstallHere('annal', { places });
  // A session goes on while the user is asked.
  const runner = world.path('~/.mcp-hooks/servers/annal/runner.cjs');
  const input = JSON.stringify({
    session_id: 'one',
    hook_event_name: 'SessionStart',
    source: 'startup',
    cwd: world.work,
  });
  const own = { ...env, HOME: world.home };
  spawnSync(process.execPath, [runner, 'claude-code', 'SessionStart'], { input, env: own });
  expect(Object.keys(await world.snapshot()).join()).toMatch(/sessions\/claude-code/);
  await apply(removal);
  expect(await world.snapshot()).toEqual(before);
});
