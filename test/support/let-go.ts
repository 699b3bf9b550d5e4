import { afterAll } from 'vitest';
import { endStarter } from './starter.ts';

/**
 * Frees memory of the previous file if it is a lot, because it makes every start of a process more expensive. Runs before a
 * file, because until then the previous tests hold on to what they made.
 */
if (process.memoryUsage.rss() > 400_000_000) globalThis.gc?.();

afterAll(endStarter);
