// `npm run bench`: what starting us costs, as ratios to `node -e 0` in the same run.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, table } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-bench-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
cpSync(join(root, 'fixtures/home'), scratch, { recursive: true });

const node = process.execPath;
const cli = join(root, 'dist/cli.cjs');
const at = { cwd: scratch, env: { PATH: process.env.PATH, HOME: scratch } };
const cases = [
  { name: 'mcp-hooks --version', command: [node, cli, '--version'], limit: 1.3, ...at },
  {
    name: 'mcp-hooks diff <manifest>, three clients',
    command: [node, cli, 'diff', join(root, 'fixtures/servers/memory.json')],
    limit: 2.0,
    ...at,
  },
];
// The first run of a command line keeps what V8 has compiled for the next ones.
for (const { command, cwd, env } of cases) spawnSync(command[0], command.slice(1), { cwd, env });
console.log('Ratios to `node -e 0`, medians of 20 whole processes.\n');
console.log(table(compare(cases, { baseline: { command: [node, '-e', '0'], ...at } })));
