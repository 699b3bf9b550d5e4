// `npm run test:properties`: the properties of editing on 100,000 files each, unless MCP_HOOKS_PROPERTY_RUNS says otherwise.
// Each kind of file runs in its own process, as many at a time as there are cores. It takes an hour or more on two cores.
// A failure shows its seed; MCP_HOOKS_PROPERTY_SEED=<seed> runs it again.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const started = Date.now();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const child = spawn(
  process.execPath,
  [vitest, 'run', '--config', 'test/properties.config.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    env: { MCP_HOOKS_PROPERTY_RUNS: '100000', NO_COLOR: '1', ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
let output = '';
child.stdout.setEncoding('utf8').on('data', (text) => {
  output += text;
  process.stdout.write(text);
});
child.on('close', (code) => {
  // At its end, every test file prints how many files it has tried.
  const counts = [...output.matchAll(/^(\d+) documents$/gm)].map((match) => Number(match[1]));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(`${total.toLocaleString('en')} documents in ${minutes} minutes`);
  process.exitCode = code ?? 1;
});
