import { defineConfig } from 'vitest/config';

// The built site, and how a browser shows it. `npm run test:site` builds it first.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    // A browser starts slowly on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
