import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The long run, `npm run test:properties`: every kind of file is a project, so that all cores have work to the end.
const root = dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      ...[
        'toml',
        'json',
        'hooks.json',
        'jsonc',
        'gemini',
        'rows.json',
        'root.json',
        'rows.toml',
        'root.toml',
      ].map((kind) => ({
        test: {
          name: kind,
          root,
          include: ['edit/*.property.test.ts'],
          env: { MCP_HOOKS_PROPERTY_KIND: kind },
        },
      })),
      {
        test: {
          name: 'others',
          root,
          include: [
            'attacks/{expansion,matchers}.test.ts',
            'compile/{compile,glob}.test.ts',
            'diagnose/matching.test.ts',
            'edit/{outline,place}.test.ts',
            'programs/{alone,first-stage,fuzz,orphans}.test.ts',
            'runner/toml.test.ts',
          ],
          globalSetup: ['support/build.ts'],
          testTimeout: 1_200_000,
        },
      },
    ],
  },
});
