import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Versions of the real clients from npm, one after the other: `npm run test:versions`.
export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ['*.test.ts'],
    globalSetup: ['../support/build.ts'],
    maxWorkers: 1,
  },
});
