import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// What happens to people's files when the machine lets us down: failing calls, kills, full disks, other writers.
export default defineConfig({
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // No test may see the settings of whoever runs it; a scratch home is made where one is needed.
    env: { HOME: join(import.meta.dirname, 'there-is-no-home') },
    // A test here is hundreds of runs, and it keeps every core busy by itself.
    testTimeout: 900_000,
    fileParallelism: false,
    maxConcurrency: availableParallelism(),
  },
});
