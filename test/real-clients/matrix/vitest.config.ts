import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// After the real clients have run: what was seen of them, against what is committed.
export default defineConfig({
  test: { root: dirname(fileURLToPath(import.meta.url)), include: ['*.test.ts'] },
});
