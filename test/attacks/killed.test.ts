/** If we are killed by a signal that cannot be caught, nothing of ours keeps running. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Rules } from '../../src/declaration/policy.ts';
import { running, token } from '../support/processes.ts';
import { chain } from '../support/runner/chain.ts';
import { clientOf, IDS, MOMENTS, recorded } from '../support/runner/clients.ts';
import { install, scratch } from '../support/runner/world.ts';
import { attack, env } from './attack.ts';

/** A server that reacts neither to a closed stdin nor to SIGTERM, SIGHUP and SIGINT, and has a child that does the same. */
function stubborn() {
  const mark = token();
  const log = join(scratch('started'), 'log');
  // It has started once it was asked something. Before that, it has no child for the moment that a process needs to start.
  const script = `trap '' TERM HUP INT; sleep $1 & read -r line; : >"$2"; while :; do sleep $1; done`;
  return {
    server: { command: '/bin/sh', args: ['-c', script, 'server', mark, log] },
    started: () => expect.poll(() => existsSync(log), { timeout: 20_000 }).toBe(true),
    isGone: () => expect.poll(() => running(mark), { timeout: 10_000 }).toEqual([]),
  };
}

attack('a server ends when the process group of its hook is killed', async () => {
  for (const id of IDS) {
    const { server, started, isGone } = stubborn();
    const world = install({ hooks: [{ event: 'pre_request', context_tool: 'recall' }], server });
    const { event, file } = MOMENTS.prompt[id];
    const hook = spawn('/bin/sh', ['-c', world.command(id, event) ?? ''], {
      cwd: world.cwd,
      env: { ...env, HOME: world.folder },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    hook.stdin.end(JSON.stringify(recorded(id, file, {})));
    await started();
    process.kill(-(hook.pid ?? 0), 'SIGKILL');
    await isGone();
  }
});

/** A running second stage, and the shell that the client started for it. */
async function firing(hook: object, allow: Partial<Rules>, input: string, shell: string) {
  const mark = `mark${String(Math.random()).slice(2)}`;
  const world = chain({ client: clientOf('claude-code'), hooks: [hook], rules: allow });
  const first = join(world.folder, 'runner/claude-code.PreToolUse.sh');
  const line = `{ trap 'exit 0' EXIT; . '${first}'; } 2>/dev/null # ${mark}`;
  const started = spawn(shell, ['-c', line], {
    cwd: world.cwd,
    env: { ...env, HOME: world.folder },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const payload = { session_id: 'one', cwd: world.cwd, tool_name: 'Bash', tool_input: { input } };
  started.stdin.on('error', () => {}).end(JSON.stringify(payload));
  const second = () => running(join(world.folder, 'runner/runner.cjs'));
  await expect.poll(() => second().length, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0);
  return { world, second, shell: started };
}

attack('a program ends when the client kills only our shell', async () => {
  for (const shell of ['sh', 'bash'])
    for (const length of [10, 10_000]) {
      const mark = token();
      // With this matcher, a shell that is able to reads the payload itself.
      const matcher = { input_contains: 'xxx' };
      const hook = { event: 'pre_tool_use', command: ['sleep', mark], deadline: 30_000, matcher };
      const rules = { command: true };
      const at = await firing(hook, rules, 'x'.repeat(length), shell);
      const program = () => running(`sleep ${mark}`);
      await expect.poll(() => program().length, { timeout: 20_000 }).toBeGreaterThan(0);
      at.shell.kill('SIGKILL');
      await expect.poll(at.second, { timeout: 5000 }).toEqual([]);
      await expect.poll(program, { timeout: 5000 }).toEqual([]);
    }
});

attack('a search ends when the client kills only our shell', async () => {
  const input_matches = `${'a*'.repeat(200)}b`;
  const hook = { event: 'pre_tool_use', block: 'NO', matcher: { input_matches } };
  const at = await firing(hook, { block: true }, 'a'.repeat(1_000_000), 'sh');
  at.shell.kill('SIGKILL');
  await expect.poll(at.second, { timeout: 5000 }).toEqual([]);
  expect(JSON.stringify(at.world.log())).not.toContain('block');
});

attack('a server ends when the command that asked it is killed', async ({ world }) => {
  const { server, started, isGone } = stubborn();
  const words = ['diff', '--name', 'x', '--client', 'codex', '--', server.command, ...server.args];
  const ours = world.start(words, { env });
  await started();
  ours.kill('SIGKILL');
  await ours;
  await isGone();
});

attack('nothing of ours stays behind when a server ends early', async ({ world }) => {
  const words = ['diff', '--name', 'x', '--client', 'codex', '--', '/bin/sh', '-c'];
  const script = 'read -r line; ps -eo pid=,pgid=,args= >"$0"';
  await world.run([...words, script, world.path('processes')], { env });
  const lines = (await world.read('processes')).split('\n').map((line) => line.trim().split(/\s+/));
  const isWaiting = (args: readonly string[]) => args.includes('kill');
  const server = lines.find(([, , , ...args]) => args.includes('ps') && !isWaiting(args));
  const waiting = lines.filter(([, group, ...args]) => group === server?.[1] && isWaiting(args));
  expect(waiting).toHaveLength(1);
  const isThere = () =>
    running('kill -KILL').some((line) => line.startsWith(`${waiting[0]?.[0]} `));
  await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
});
