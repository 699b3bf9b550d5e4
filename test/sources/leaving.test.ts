// After its answer, a server may end on its own while the caller continues, and it has ended when the caller is informed.
import { join } from 'node:path';
import { describe } from 'vitest';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { runnerCode } from '../../src/system/runner-code.ts';
import { test, type World } from '../support/world.ts';

const ANSWERING = join(import.meta.dirname, '../support/servers/answering.sh');
const ANSWER = JSON.stringify({
  body: { result: { protocolVersion: '2025-11-25', capabilities: {} } },
});

/** Asks a server that records its process number and how it ends. `rest` is what it does after the end of its input. */
async function asked(world: World, rest: string, leave?: (gone: Promise<void>) => void) {
  await world.write('answer.json', ANSWER);
  await world.write(
    'server.sh',
    `trap 'echo killed >>end; exit' TERM\necho $$ >pid\n/bin/sh ${ANSWERING} answer.json\n${rest}\n`,
  );
  await askServer({
    label: 'annal',
    command: '/bin/sh',
    args: [world.path('server.sh')],
    cwd: world.work,
    env: process.env,
    deadline: 20_000,
    version: '1.2.3',
    ...(leave && { leave }),
  });
}

const isRunning = async (world: World): Promise<boolean> =>
  !runnerCode('./process-tree.cjs').haveEnded(Number(await world.read('pid')));

describe.runIf(process.platform !== 'win32')('a server that has answered', () => {
  test('has ended when the call returns without a callback', async ({ world, expect }) => {
    await asked(world, 'echo ended >>end; sleep 60 & wait');
    expect(await isRunning(world)).toBe(false);
  });

  test('ends on its own while the caller is busy', async ({ world, expect }) => {
    let gone: Promise<void> | undefined;
    await asked(world, 'echo ended >>end', (end) => {
      gone = end;
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
    expect(await world.read('end')).toBe('ended\n');
    await gone;
    expect(await isRunning(world)).toBe(false);
  });

  test('is ended if it stays', async ({ world, expect }) => {
    let gone: Promise<void> | undefined;
    await asked(world, 'while :; do sleep 60 & wait; done', (end) => {
      gone = end;
    });
    expect(await isRunning(world)).toBe(true);
    await gone;
    expect(await isRunning(world)).toBe(false);
  });

  test('has ended when `diff` ends', async ({ world, expect }) => {
    await world.write('answer.json', ANSWER);
    await world.write('server.sh', `echo $$ >pid\n/bin/sh ${ANSWERING} answer.json\nsleep 60\n`);
    await world.folder('~/.codex');
    const { code } = await world.run(['diff', '--name', 'annal', '--', '/bin/sh', 'server.sh']);
    expect(code).toBe(0);
    expect(await isRunning(world)).toBe(false);
  });
});
