import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// What can be shown here of macOS and other systems: their shells, what their programs lack, a disk that ignores case, a short
// PATH, and no /proc. Installs nothing, and skips what this machine has no program for.
const config = mergeConfig(usual, {
  test: {
    root: join(import.meta.dirname, '../..'),
    env: { EVERY_SHELL: '1' },
    // Each start of a shell counts here, and there are many.
    testTimeout: 120_000,
  },
});
config.test.include = [
  'test/portable/*.test.ts',
  'test/programs/{first-stage,no-node}.test.ts',
  'test/runner/entry.test.ts',
];
export default config;
