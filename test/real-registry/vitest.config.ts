import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The rehearsal of a release. Run `npm ci --prefix test/real-registry` first, which installs a registry and package managers at
// their pinned versions.
export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ['*.test.ts'],
    env: { HOME: dirname(fileURLToPath(import.meta.url)) },
    // Package managers take seconds, and so does a build for each version.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
