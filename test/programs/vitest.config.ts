import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// Tests that need processes of their own: shells, programs of hooks, servers, concurrent installers, the conformance suite
// through the runner, the package as others use it, examples, shell completion, downloads by npm, and what a collector
// receives.
const config = mergeConfig(usual, { test: { root: join(import.meta.dirname, '../..') } });
config.test.include = ['test/programs/*.test.ts'];
export default config;
