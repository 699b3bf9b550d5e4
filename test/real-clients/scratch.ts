import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Scratch, scratch as scratchBelow } from '../../src/diagnose/live/copy.ts';

const HERE = dirname(fileURLToPath(import.meta.url));

export type { Scratch };
export const scratch = (): Scratch => scratchBelow(join(HERE, '.scratch'), 'run-', process.env);
