import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The long run, `npm run test:properties`: every kind of file is a project, so that all cores have work to the end.
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: ['toml', 'json', 'jsonc', 'gemini'].map((kind) => ({
      test: {
        name: kind,
        root: dirname(fileURLToPath(import.meta.url)),
        include: ['edit/*.property.test.ts'],
        env: { MCP_HOOKS_PROPERTY_KIND: kind },
      },
    })),
  },
});
