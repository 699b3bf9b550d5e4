/** A machine that gives the shell of a hook too little: memory, open files, a stdin, or a file behind a broken link. */
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '../../src/declaration/policy.ts';
import { type ClientId, IDS, recorded } from '../support/runner/clients.ts';
import { blocking } from '../support/runner/guards.ts';
import { install, type World } from '../support/runner/world.ts';
import { attack } from './attack.ts';

const world = (): World =>
  install({
    hooks: [],
    manifest: JSON.stringify({
      version: 2,
      name: 'annal',
      hooks: {
        declarations: [
          { event: 'session_start', context: 'Hi there.', priority: 'suggestion' },
          blocking({ input_matches: 'FORB[I]DDEN' }),
        ],
      },
    }),
    node: process.execPath,
    defaults: { ...RULES, block: true },
  });

/** Fires each event for which a client starts our hooks, in the shells that clients use. */
function* fired({ command }: World, before: string) {
  for (const id of IDS)
    for (const event of ['SessionStart', 'BeforeAgent', 'PreToolUse', 'BeforeTool'])
      for (const shell of ['sh', 'bash']) {
        const line = command(id, event);
        if (line === undefined) continue;
        const { status, stdout } = spawnSync(shell, ['-c', `${before}\n${line}`], {
          input: JSON.stringify({ ...recorded(id, event), tool_input: { command: 'FORBIDDEN' } }),
          encoding: 'utf8',
          timeout: 30_000,
          killSignal: 'SIGKILL',
          env: { PATH: process.env.PATH, HOME: '/nonexistent' },
        });
        const at: readonly [ClientId, string, string] = [id, event, shell];
        yield { at, status, stdout, isGuarded: event.endsWith('Tool') || event === 'PreToolUse' };
      }
}

attack(
  'a node without memory for its threads counts as gone',
  { timeout: 600_000 },
  ({ expect }) => {
    // With this limit, node 20 starts some of its threads, and waits for the others.
    for (const { at, status, stdout, isGuarded } of fired(world(), 'ulimit -v 105000'))
      expect([at, status, stdout.includes('Node.js was not found')]).toEqual([at, 0, isGuarded]);
  },
);

attack('a hook whose stdin is closed ends', { timeout: 600_000 }, ({ expect }) => {
  for (const { at, status } of fired(world(), 'exec <&-')) expect([at, status]).toEqual([at, 0]);
});

attack(
  'a low limit of open files breaks a hook only if the shell can read no script',
  { timeout: 600_000 },
  ({ expect }) => {
    const made = world();
    const empty = join(made.state, 'empty.sh');
    writeFileSync(empty, '');
    // If a shell can read no script at all, it cannot read ours.
    const unread = (shell: string, limit: string) =>
      spawnSync(shell, ['-c', `${limit}\n. '${empty}'`]).status;
    for (const limit of ['ulimit -n 6', 'ulimit -n 11', 'ulimit -n 12', 'ulimit -n 20'])
      for (const { at, status } of fired(made, limit))
        expect([limit, at, status]).toEqual([limit, at, unread(at[2], limit)]);
    expect(unread('sh', 'ulimit -n 12')).toBe(0);
  },
);

attack(
  'a policy that is a dangling link counts as one that cannot be read',
  { timeout: 600_000 },
  ({ expect }) => {
    const made = world();
    symlinkSync('nowhere', join(made.state, 'policy.json'));
    for (const { at, status, stdout, isGuarded } of fired(made, ''))
      expect([at, status, stdout.includes('Hi there.'), stdout.includes('blocked')]).toEqual([
        at,
        0,
        false,
        isGuarded,
      ]);
  },
);
