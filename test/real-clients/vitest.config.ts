import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The real clients: after `npm install --no-save --prefix test/real-clients`, which installs them at their pins.
const HERE = dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  test: {
    root: HERE,
    include: ['*.test.ts'],
    globalSetup: ['matrix/results.ts'],
    // A client takes one to three seconds per prompt and a whole core while it starts.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // On two cores: a client keeps a core busy for two thirds of the time.
    maxWorkers: 3,
  },
});
