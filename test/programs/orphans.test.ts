/** However a call ends, no process of the server remains. Makes many unanswered calls, in whole processes and in parallel. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { running, token } from '../support/processes.ts';
import { MOMENTS, recorded } from '../support/runner/clients.ts';
import { install, root, scratch } from '../support/runner/world.ts';
import { tries } from '../support/tries.ts';

/** Shell scripts, because so many Node processes would take long to start. `$1` is the token. */
const HELLO =
  '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}';
const SERVERS = {
  'never reads': 'exec sleep $1',
  'ignores what it is asked': "trap '' TERM HUP INT; while :; do sleep $1; done",
  'has children that ignore it, too': "trap '' TERM; (sleep $1; :) & sleep $1 & sleep $1",
  'has grandchildren and ends': '(sleep $1 & sleep $1 & :) & exec sleep $1',
  'says hello, and nothing more': `trap '' TERM; echo '${HELLO}'; while read -r line; do :; done; sleep $1`,
  'closes its streams': "trap '' TERM; exec <&- >&-; sleep $1; sleep $1",
  'writes for ever': 'sleep $1 & exec yes $1',
};
const KINDS = Object.entries(SERVERS);

function serverThat(script: string) {
  const mark = token();
  const log = join(scratch('started'), 'log');
  return {
    mark,
    server: { command: 'sh', args: ['-c', `echo >>"$2"; ${script}`, 'server', mark, log] },
    log,
    /** How many servers have started. */
    started: () => (existsSync(log) ? readFileSync(log, 'utf8').length : 0),
  };
}

const isGone = (mark: string) => expect.poll(() => running(mark), { timeout: 10_000 }).toEqual([]);

const CALLS = tries(34, 136);

test.each(KINDS)(`nothing remains of ${CALLS} calls of a server that %s`, async (_kind, script) => {
  const { mark, server, started, log } = serverThat(script);
  const calls = {
    call: join(root, 'dist/templates/call.cjs'),
    server: { ...server, given: { variables: [] } },
    times: CALLS,
    width: 17,
    deadline: 60,
    started: log,
    cwd: scratch('cwd'),
  };
  const many = join(root, 'test/support/runner/many.cjs');
  const args = [many, JSON.stringify(calls)];
  const { stdout, stderr, exitCode } = await execa(process.execPath, args, { reject: false });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout.split('\n')).toHaveLength(CALLS);
  expect(started()).toBeGreaterThan(0);
  await isGone(mark);
});

const PROCESSES = tries(4, 8);

test.each(KINDS)(
  `nothing remains of ${PROCESSES} whole processes whose server %s`,
  async (_kind, script) => {
    const { mark, server, started } = serverThat(script);
    const world = install({
      hooks: [
        { event: 'pre_request', context_tool: 'recall' },
        { event: 'pre_request', context: 'A text.' },
      ],
      server,
      deadline: 1000,
    });
    const { event, file } = MOMENTS.prompt.codex;
    const turns = Array.from({ length: PROCESSES }, (_, index) =>
      world.fire('codex', event, recorded('codex', file, { turn_id: `turn-${index}` })),
    );
    for (const told of await Promise.all(turns)) expect(told).toContain('A text.');
    expect(started()).toBeGreaterThan(0);
    await isGone(mark);
  },
);

// Simulates Windows as far as that is possible on another system.
test('on Windows, the whole tree is killed, and no window opens', async () => {
  const { mark, server, log } = serverThat(SERVERS['never reads']);
  const folder = scratch('windows');
  const preload = join(folder, 'windows.cjs');
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'platform', { value: 'win32' });
const children = require('node:child_process');
const { spawn } = children;
children.spawn = (file, args, options) => {
  if (!options.windowsHide || options.detached) process.exit(9);
  return spawn(file, args, options);
};
`,
  );
  // Programs have an extension on Windows.
  const program = join(folder, 'sh.exe');
  symlinkSync('/bin/sh', program);
  const killed = join(folder, 'killed');
  const taskkill = `#!/bin/sh\necho "$@" >>'${killed}'\nkill -KILL "$2"\n`;
  writeFileSync(join(folder, 'taskkill'), taskkill, { mode: 0o755 });
  const calls = {
    call: join(root, 'dist/templates/call.cjs'),
    server: { ...server, command: program, given: { variables: [] } },
    times: 3,
    width: 1,
    deadline: 60,
    started: log,
    cwd: folder,
  };
  const many = join(root, 'test/support/runner/many.cjs');
  const args = ['--require', preload, many, JSON.stringify(calls)];
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { exitCode, stderr } = await execa(process.execPath, args, { env, reject: false });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const lines = readFileSync(killed, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/^\/pid \d+ \/T \/F$/);
  await isGone(mark);
});
