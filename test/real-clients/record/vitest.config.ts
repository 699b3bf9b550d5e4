import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// `npm run record -- <client>`: not a test, but a session of a real client.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    env: { COPILOT_PKG_CACHE_HOME: join(import.meta.dirname, '../.scratch/copilot') },
    include: ['*.test.ts'],
    testTimeout: 120_000,
    maxWorkers: 1,
    silent: false,
  },
});
