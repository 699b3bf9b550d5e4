import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// The role of a fleet, played by the real Ansible, which takes a minute for each play.
const config = mergeConfig(usual, { test: { root: join(import.meta.dirname, '../..') } });
config.test.include = ['test/real-ansible/*.test.ts'];
export default config;
