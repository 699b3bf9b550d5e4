// `npm run test:node -- 22`: the demo, and a part of the tests that starts the runner, the command and the package as processes,
// with the newest Node of that line from npm. Without a version, with the Node that runs this. Files after the version replace
// those of test/programs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [version, ...files] = process.argv.slice(2);
const PROGRAMS = [
  'alone',
  'chain.test',
  'command',
  'counts',
  'first-stage',
  'fuzz',
  'memory',
  'no-node',
  'notification',
  'package',
  'runner',
];

function run(program, args, env = process.env) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(1);
}

/** The program of a Node that npm has, in the folder of the cache. */
function downloaded(wanted) {
  const folder = join(root, 'node_modules/.cache/nodes', wanted);
  const name = `node-${process.platform.replace('win32', 'win')}-${process.arch}`;
  const program = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  mkdirSync(folder, { recursive: true });
  if (!existsSync(program))
    run('npm', [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
      `${name}@${wanted}`,
    ]);
  return program;
}

const node = version === undefined ? process.execPath : downloaded(version);
const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
run(node, ['--version'], env);
run(node, ['scripts/demo.mjs'], env);
const vitest = (...args) => run(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], env);
if (files.length === 0) vitest('test/runner', 'test/sdk');
vitest('--config', 'test/programs/vitest.config.ts', ...(files.length > 0 ? files : PROGRAMS));
