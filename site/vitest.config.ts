import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The built site and its playground, and how a browser shows them. `npm run test:site` and `npm run test:playground` build them first.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/*.test.ts', 'playground/test/*.test.ts'],
    env: { HOME: join(import.meta.dirname, 'there-is-no-home'), TZ: 'UTC' },
    // A browser starts slowly on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
