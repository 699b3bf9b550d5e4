import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Metrics arrive in other vendors' programs, if these are on the machine.
export default defineConfig({
  test: {
    include: ['test/real-collector/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    env: { HOME: join(import.meta.dirname, 'there-is-no-home') },
    testTimeout: 60_000,
  },
});
