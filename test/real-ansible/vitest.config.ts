import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// The role of a fleet, run by the real Ansible. Each run takes a minute.
const config = mergeConfig(usual, { test: { root: join(import.meta.dirname, '../..') } });
config.test.include = ['test/real-ansible/*.test.ts'];
export default config;
