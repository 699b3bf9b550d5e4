import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Servers on every SDK. Run `npm ci --prefix test/real-servers` first, which installs them at their pinned versions.
export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ['*.test.ts'],
    globalSetup: ['../support/build.ts'],
    env: { HOME: dirname(fileURLToPath(import.meta.url)) },
    // Some servers take a second to start, and longer on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
