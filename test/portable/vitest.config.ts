import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// The properties of macOS and other systems that this machine can show: their shells, the limits of their programs, a disk that
// ignores case, a short PATH, and no /proc. Installs nothing, and skips a test if this machine lacks its program.
const config = mergeConfig(usual, {
  test: {
    root: join(import.meta.dirname, '../..'),
    env: { EVERY_SHELL: '1' },
    // These tests start many shells, and each start takes time.
    testTimeout: 120_000,
  },
});
config.test.include = [
  'test/portable/*.test.ts',
  'test/programs/{first-stage,no-node}.test.ts',
  'test/runner/entry.test.ts',
];
export default config;
