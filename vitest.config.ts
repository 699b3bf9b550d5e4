import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Unit and CLI tests. The real clients have a config of their own, in test/clients.
export default defineConfig({
  test: {
    include: ['test/!(real-*|faults)/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // No test may see the settings of whoever runs it; a scratch home is made where one is needed.
    env: { HOME: join(import.meta.dirname, 'test', 'there-is-no-home') },
    testTimeout: 30_000,
    // Most of a test here is waiting for processes: every core has something to do.
    maxWorkers: '100%',
  },
});
