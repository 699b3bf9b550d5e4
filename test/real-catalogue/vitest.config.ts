import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The servers of the catalogue that npm has. Each test installs one of them, which may take minutes, so no CI runs this.
export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ['*.test.ts'],
    globalSetup: ['../support/build.ts'],
    env: { HOME: dirname(fileURLToPath(import.meta.url)) },
    testTimeout: 600_000,
  },
});
