import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// What is seen only in processes of its own: shells, programs of hooks, servers, installers at once, the conformance suite through the runner, the package as others use it,
// examples, shells' completion, what npm downloads and what a collector is sent.
const config = mergeConfig(usual, { test: { root: join(import.meta.dirname, '../..') } });
config.test.include = ['test/programs/*.test.ts'];
export default config;
