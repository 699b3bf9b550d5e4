import { accessSync, constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Unit and CLI tests. The real clients have a config of their own, in test/real-clients.
export default defineConfig({
  test: {
    include: ['test/!(real-*|faults|programs)/*.test.ts', 'test/clients/*/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    env: {
      // No test may see the settings of the person who runs it. Tests that need a home make a scratch one.
      HOME: join(import.meta.dirname, 'test', 'there-is-no-home'),
      TMPDIR: scratchFolder(),
      // Returns freed memory to the system.
      MALLOC_MMAP_THRESHOLD_: '131072',
      TZ: 'UTC',
    },
    // Far more than any test takes on a slow machine: it only ends one that hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most code of a test runs only a few times. V8's helpers, which collect garbage and optimise in the background, cost more
    // processor time than they save. So there are none, and code is optimised late.
    execArgv: [
      '--single-threaded',
      // Node 22 and later have no such option.
      ...(process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []),
      '--max-semi-space-size=32',
      // Files that are almost too large take up to 700 MB.
      '--max-old-space-size=1536',
      '--expose-gc',
    ],
    setupFiles: ['test/support/let-go.ts'],
    // A test mostly waits for processes, so use every core.
    maxWorkers: '100%',
    // Each worker loads src/ once, instead of once per file. Commands keep no state between runs.
    isolate: false,
    reporters: process.stdout.isTTY ? ['default'] : ['minimal'],
  },
});

/**
 * A file system in memory, if there is one with enough room that allows programs to start. An install waits until each file is
 * on the disk, which would be half of the tests' time.
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
