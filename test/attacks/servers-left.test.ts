// Processes that a server starts, and that detach from it to outlive it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { attempt } from '../../src/system/errors.ts';
import { test } from '../support/world.ts';

const NOTES = join(import.meta.dirname, '../support/servers/notes.sh');
let seconds = 7_000_000 + (process.pid % 10_000) * 100;

/** The number of processes with this word in their command line. */
const running = (word: string): number =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) =>
      (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')) ?? '')
        .split('\0')
        .includes(word),
    ).length;

const WAYS: Readonly<Record<string, string>> = {
  'in the background': 'sleep $S >/dev/null 2>&1 &',
  'with nohup': 'nohup sleep $S >/dev/null 2>&1 &',
  'in a session of its own': 'setsid sleep $S >/dev/null 2>&1 &',
  'without an environment': 'setsid env -i sleep $S >/dev/null 2>&1 &',
  'by a double fork': '(setsid env -i sleep $S >/dev/null 2>&1 &) &',
  'without streams': 'setsid env -i sleep $S <&- >&- 2>&- &',
};

describe.runIf(process.platform === 'linux')('a child of a server ends with it', () => {
  test.for(Object.entries(WAYS))('%s', async ([, way], { world, expect }) => {
    const own = String(seconds++);
    const script = `echo begun >>"${world.path('~/begun')}"\n${way.replace('$S', own)}\nexec /bin/sh ${NOTES}\n`;
    await world.write('server.sh', script);
    const env = { PATH: `${world.bin}:${process.env.PATH}` };
    const begun = async () => (await world.read('~/begun')).split('\n').length - 1;
    await world.folder('~/.codex');
    // The server is only asked for its tools.
    const init = ['init', '--yes', '--', '/bin/sh', world.path('server.sh')];
    expect((await world.run(init, { env })).code).toBe(0);
    expect(await begun()).toBe(1);
    // The system may need a moment to end a killed process. One that is not killed stays for weeks.
    await expect.poll(() => running(own)).toBe(0);
    // The server is called by a hook.
    const fire = 'fire ./mcp-hooks.json session_start --allow context-tool --client codex';
    const fired = await world.run(fire, { env });
    expect([fired.code, fired.out]).toEqual([0, expect.stringContaining('The build needs')]);
    expect(await begun()).toBeGreaterThan(1);
    await expect.poll(() => running(own)).toBe(0);
  });

  test('a process that was there before is not touched', async ({ world, expect }) => {
    const own = String(seconds++);
    const { spawn } = await import('node:child_process');
    const daemon = spawn('sleep', [own], { detached: true, stdio: 'ignore' });
    await world.write('server.sh', `exec /bin/sh ${NOTES}\n`);
    const env = { PATH: `${world.bin}:${process.env.PATH}` };
    await world.run(['init', '--yes', '--', '/bin/sh', world.path('server.sh')], { env });
    expect(running(own)).toBe(1);
    daemon.kill('SIGKILL');
  });
});
