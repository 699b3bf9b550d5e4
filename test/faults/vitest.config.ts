import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// What happens to people's files when the machine fails us: failing calls, kills, full disks, other writers.
export default defineConfig({
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // No test may see the settings of the person who runs it. Tests that need a home make a scratch one.
    env: { HOME: join(import.meta.dirname, 'there-is-no-home') },
    // A test here is hundreds of runs, and keeps every core busy on its own.
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    maxConcurrency: availableParallelism(),
  },
});
