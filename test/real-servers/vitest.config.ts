import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Servers of every kind of SDK: after `npm ci --prefix test/real-servers`, which installs them at their pins.
export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ['*.test.ts'],
    globalSetup: ['../support/build.ts'],
    env: { HOME: dirname(fileURLToPath(import.meta.url)) },
    // Some of them take a second to start, and more on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
