import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The SDKs and frameworks that servers are made with: after `npm ci --prefix test/servers`, which installs them at their pins.
export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ['*.test.ts'],
    globalSetup: ['../support/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
