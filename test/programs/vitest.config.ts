import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// What starts a process for nearly every case: programs of hooks, and the conformance suite through the runner.
const config = mergeConfig(usual, { test: { root: join(import.meta.dirname, '../..') } });
config.test.include = ['test/programs/*.test.ts'];
export default config;
