// `npm run test:versions` runs the tests of the texts that the models of the real clients read, and of the hooks' decisions there,
// with the oldest supported version of each client, and then with the newest.
// `npm run test:versions -- codex@0.150.0 gemini-cli@latest` runs them only with these versions.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENTS = join(ROOT, 'src/clients');
/** Clients that can be run. */
const IDS = readdirSync(CLIENTS).filter((id) =>
  ['client.ts', 'driver.ts'].every((name) => existsSync(join(CLIENTS, id, name))),
);
const TESTS = ['delivery', 'labels', 'history', 'lifecycle', 'decisions'].map(
  (name) => `${name}.test.ts`,
);

/** A field of a client's `client.ts`. */
const fact = (id, key) =>
  new RegExp(`^  ${key}: '(.+)',$`, 'm').exec(
    readFileSync(join(CLIENTS, id, 'client.ts'), 'utf8'),
  )[1];

function run(program, args, options = {}) {
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (status !== 0) process.exitCode = 1;
  return status === 0;
}

/** @param versions Pairs of a client's id and a version as npm accepts it. */
function tested(versions) {
  const folder = join(ROOT, 'test/real-clients/.scratch/versions');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const wanted = versions.map(([id, version]) => `${fact(id, 'npmPackage')}@${version}`);
  process.stdout.write(`\n${wanted.join(' ')}\n`);
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  if (!run('npm', ['install', '--save-exact', ...quiet, ...wanted], { cwd: folder })) return;
  const env = { ...process.env, MCP_HOOKS_CLIENTS: folder };
  const vitest = (config, ...args) =>
    run(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--config', `test/real-clients/${config}`, ...args],
      { env },
    );
  const names = versions.flatMap(([id]) => [id, fact(id, 'shortName')]);
  const only = versions.length < IDS.length ? ['-t', names.join('|')] : [];
  vitest('vitest.config.ts', ...only, ...TESTS);
  vitest('matrix/vitest.config.ts');
}

const asked = process.argv.slice(2).map((word) => word.split('@'));
if (run(process.execPath, ['build.mjs']))
  if (asked.length > 0) tested(asked);
  else {
    tested(IDS.map((id) => [id, fact(id, 'minimum')]));
    tested(IDS.map((id) => [id, 'latest']));
  }
