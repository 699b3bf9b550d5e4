import { accessSync, constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Unit and CLI tests. The real clients have a config of their own, in test/real-clients.
export default defineConfig({
  test: {
    include: ['test/!(real-*|faults|programs)/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    env: {
      // No test may see the settings of whoever runs it; a scratch home is made where one is needed.
      HOME: join(import.meta.dirname, 'test', 'there-is-no-home'),
      TMPDIR: scratchFolder(),
      // What is freed goes back to the system.
      MALLOC_MMAP_THRESHOLD_: '131072',
      TZ: 'UTC',
    },
    testTimeout: 30_000,
    // Most code of a test runs a few times: V8's helpers, which collect garbage and optimize at the side, take more of the
    // processor than they give back. So there are none of them, and what runs is optimized late.
    execArgv: [
      '--single-threaded',
      '--interrupt-budget=1000000',
      '--max-semi-space-size=32',
      '--max-old-space-size=768',
      '--expose-gc',
    ],
    setupFiles: ['test/support/let-go.ts'],
    // Most of a test here is waiting for processes: every core has something to do.
    maxWorkers: '100%',
    // What is loaded of src/ is loaded once for each worker and not for each file: a command keeps nothing of a run.
    isolate: false,
    reporters: process.stdout.isTTY ? ['default'] : ['minimal'],
  },
});

/**
 * A file system in memory where there is one with room, from which programs may be started: an install waits for each
 * file to be on the disk, and that is half of what the tests would take.
 */
function scratchFolder(): string {
  const memory = '/dev/shm';
  const program = join(memory, `mcp-hooks-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < 2 ** 30) return tmpdir();
    writeFileSync(program, '', { flag: 'wx', mode: 0o755 });
    accessSync(program, constants.X_OK);
    return memory;
  } catch {
    return tmpdir();
  } finally {
    rmSync(program, { force: true });
  }
}
