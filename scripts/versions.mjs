// `npm run test:versions`: runs versions of the real clients from npm, one after the other, with our hooks, and writes
// docs/versions.md. `npm run test:versions -- codex@0.128.0 gemini-cli` runs only these.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const child = spawn(
  process.execPath,
  [vitest, 'run', '--config', 'test/real-versions/vitest.config.ts'],
  {
    cwd: root,
    env: { ...process.env, MCP_HOOKS_VERSIONS: process.argv.slice(2).join(' ') },
    stdio: 'inherit',
  },
);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
