import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/real-windows/*.test.ts'],
    // The Wine machine has only one user profile, and starting Node takes a second there.
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
