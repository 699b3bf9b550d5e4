import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// After the real clients have run: compares what was seen with what is committed.
export default defineConfig({
  test: { root: dirname(fileURLToPath(import.meta.url)), include: ['*.test.ts'] },
});
