import { afterAll } from 'vitest';
import { endStarter } from './starter.ts';

/**
 * Lets go of what the file before has left in memory when that is much: every process that is started would cost more.
 * Before a file, because until then its tests hold on to what they have made.
 */
if (process.memoryUsage.rss() > 400_000_000) globalThis.gc?.();

afterAll(endStarter);
