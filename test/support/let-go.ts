import { afterAll } from 'vitest';
import { endStarter } from './starter.ts';

/** As much as a process may grow, in bytes, before what the previous files left is freed. */
const GROWTH = 150_000_000;

declare global {
  /** Memory of this process, in bytes, after it was last freed. */
  var memoryKept: number | undefined;
}

/**
 * Frees memory of previous files if it is a lot, because it makes every start of a process more expensive. Runs before a file,
 * because until then the previous tests hold on to what they made.
 */
globalThis.memoryKept ??= process.memoryUsage.rss();
if (process.memoryUsage.rss() > globalThis.memoryKept + GROWTH) {
  globalThis.gc?.();
  globalThis.memoryKept = process.memoryUsage.rss();
}

afterAll(endStarter);
