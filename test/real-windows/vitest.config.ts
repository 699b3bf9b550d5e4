import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/real-windows/*.test.ts'],
    // Wine's machine has one user, and a start of Node takes a second there.
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
