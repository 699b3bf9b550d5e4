/** Lets go of what a file has left in memory when that is much: every process that the next one starts would cost more. */
import { afterAll } from 'vitest';

afterAll(() => {
  if (process.memoryUsage.rss() > 400_000_000) globalThis.gc?.();
});
