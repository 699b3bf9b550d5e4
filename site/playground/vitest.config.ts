import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The playground in a browser, next to the command line. `npm run test:playground` builds both first.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/*.test.ts'],
    env: { HOME: join(import.meta.dirname, 'there-is-no-home'), TZ: 'UTC' },
    // A browser starts slowly on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
