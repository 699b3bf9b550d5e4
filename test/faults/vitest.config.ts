import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The user's files on a failing machine: failing calls, kills, full disks, other writers.
export default defineConfig({
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // No test may see the settings of the user who runs it. A test that needs a home makes a scratch home.
    env: { HOME: join(import.meta.dirname, 'there-is-no-home') },
    // Each test here does hundreds of runs, and keeps every core busy on its own.
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    maxConcurrency: availableParallelism(),
  },
});
