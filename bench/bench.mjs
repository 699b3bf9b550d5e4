// `npm run bench`: the cost of starting us, as ratios to `node -e 0` in the same run.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { parse } from 'smol-toml';
import { CLIENTS } from '../scripts/clients.mjs';
import { benchMatchers } from './matchers.mjs';
import { aligned, compare, compareAllowing, compareParts, table } from './measure.mjs';
import { benchRunner } from './runner.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-bench-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
cpSync(join(root, 'fixtures/home'), scratch, { recursive: true });
// The package does not export how Codex records trust in a hook.
const source = join(root, 'src/clients/codex/trust-hash.ts');
const outfile = join(scratch, 'trust-hash.mjs');
buildSync({ entryPoints: [source], outfile, bundle: true, format: 'esm', logLevel: 'error' });
const { stateKey, trustHash } = await import(outfile);

const fixtures = join(root, 'fixtures');
const node = process.execPath;
const cli = join(root, 'dist/cli.cjs');
// Users have a language, which programs such as grep look up.
const LANG = process.env.LANG ?? 'C.UTF-8';
const at = { cwd: scratch, env: { PATH: process.env.PATH, HOME: scratch, LANG } };

const FOUR = ['claude-code', 'codex', 'gemini-cli', 'copilot-cli'];

/** A home with four clients as npm installs them and one server in each, in which `doctor` finds nothing wrong. */
function healthyHome() {
  const root = join(scratch, 'healthy');
  const [home, desk, bin] = ['home', 'desk', 'bin'].map((name) => join(root, name));
  for (const folder of [desk, bin]) mkdirSync(folder, { recursive: true });
  cpSync(join(fixtures, 'home'), home, { recursive: true });
  for (const { executable, npmPackage, evidence } of CLIENTS.filter(({ id }) =>
    FOUR.includes(id),
  )) {
    const folder = join(root, 'lib', npmPackage);
    mkdirSync(folder, { recursive: true });
    const manifest = { name: npmPackage, version: evidence.measured };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'start'), '', { mode: 0o755 });
    symlinkSync(join(folder, 'start'), join(bin, executable));
  }
  // Configures, in each client, the server whose tools the manifest's texts name.
  const mcpServers = { memory: { command: 'npx', args: ['-y', 'memory'] } };
  const trusted = { mcpServers, projects: { [desk]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(trusted));
  appendFileSync(join(home, '.codex/config.toml'), '\n[mcp_servers.memory]\ncommand = "npx"\n');
  const gemini = join(home, '.gemini/settings.json');
  const [server] = JSON.stringify(mcpServers).match(/"memory".*(?=\}$)/);
  const settings = readFileSync(gemini, 'utf8');
  writeFileSync(gemini, settings.replace('"mcpServers": {', `$& ${server},`));
  mkdirSync(join(home, '.copilot'), { recursive: true });
  writeFileSync(join(home, '.copilot/mcp-config.json'), JSON.stringify({ mcpServers }));
  const folders = { [desk]: 'TRUST_FOLDER' };
  writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify(folders));
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, MCP_HOOKS_SYSTEM_ROOT: root };
  const at = { cwd: desk, env, encoding: 'utf8' };
  spawnSync(
    node,
    [cli, 'install', join(fixtures, 'servers/memory.json'), '--yes', '--allow', 'context-tool'],
    at,
  );
  trustHooks(join(home, '.codex/config.toml'));
  const { status, stdout, stderr } = spawnSync(node, [cli, 'doctor', '--json'], at);
  if (status !== 0 || JSON.parse(stdout).worst !== 'info') throw new Error(stdout + stderr);
  return { cwd: desk, env };
}

/** Writes what Codex would write if the user agreed to all hooks in its file. */
function trustHooks(file) {
  const { hooks } = parse(readFileSync(file, 'utf8'));
  const states = Object.entries(hooks).flatMap(([native, groups]) =>
    groups.flatMap(({ matcher, hooks: handlers }, index) =>
      handlers.map((handler, handlerIndex) => {
        const key = stateKey(file, { native, index, handlerIndex });
        return `[hooks.state."${key}"]\ntrusted_hash = "${trustHash({ native, matcher, handler })}"\n`;
      }),
    ),
  );
  appendFileSync(file, `\n${states.join('\n')}`);
}

const cases = [
  { name: 'mcp-hooks --version', command: [node, cli, '--version'], limit: 1.3, times: 3, ...at },
  // The rest of the time is node's start and loading the program.
  { name: 'mcp-hooks list, nothing installed', command: [node, cli, 'list'], times: 3, ...at },
  {
    name: 'mcp-hooks diff <manifest>, three clients',
    command: [node, cli, 'diff', join(root, 'fixtures/servers/memory.json')],
    limit: 3,
    times: 3,
    ...at,
  },
  {
    name: 'mcp-hooks doctor, four clients, all well',
    command: [node, cli, 'doctor'],
    limit: 4,
    times: 3,
    ...healthyHome(),
  },
];

/** A home in which Claude Code's settings contain that many hooks by others. */
function homeWith(count) {
  const home = join(scratch, `with-${count}`);
  mkdirSync(join(home, '.claude'), { recursive: true });
  const hooks = {
    PreToolUse: [],
    PostToolUse: [],
    UserPromptSubmit: [],
    SessionStart: [],
    Stop: [],
  };
  const events = Object.values(hooks);
  for (let index = 0; index < count; index += 1)
    events[index % events.length].push({
      matcher: `Tool${index}`,
      hooks: [{ type: 'command', command: `/usr/local/bin/other --hook ${index}`, timeout: 10 }],
    });
  const text = JSON.stringify({ model: 'opus', hooks }, null, 2);
  if (count > 0) writeFileSync(join(home, '.claude/settings.json'), text);
  return { cwd: home, env: { PATH: process.env.PATH, HOME: home }, bytes: text.length };
}
const planning = [
  node,
  cli,
  'diff',
  join(root, 'fixtures/servers/memory.json'),
  '--client',
  'claude',
];
const sizes = [1250, 2500, 5000, 10_000].map((count) => {
  const { bytes, ...home } = homeWith(count);
  const name = `${count} hooks, ${(bytes / 1e6).toFixed(2)} MB`;
  return { name, command: planning, ...(count === 5000 && { limit: 5 }), ...home };
});

// The first run of a command stores what V8 has compiled for the next runs.
for (const { command, cwd, env } of cases) spawnSync(command[0], command.slice(1), { cwd, env });
console.log('Ratios to `node -e 0`, medians of 20 whole processes.\n');
const baseline = { command: [node, '-e', '0'], ...at };
console.log(table(await compare(cases, { baseline })));

console.log('\nWhat these are made of: parts as ratios to a whole `node -e 0`, medians of 20.\n');
const parts = ['', "node's start", 'reading', 'functions', 'modules', 'work'];
const whole = cases.slice(1).map((one) => ({ ...one, scratch, times: 1 }));
console.log(aligned(await compareParts(whole, { baseline }), parts));

const { bytes: _, ...empty } = homeWith(0);
console.log(
  '\nRatios of planning into a settings file to planning into none, medians of 20 (wall time at most 5).\n',
);
console.log(table(await compare(sizes, { baseline: { command: planning, ...empty } })));

/** Asks a stdio server for its hooks, compared with the bare handshake. */
const memory = 'node_modules/@modelcontextprotocol/server-memory/dist/index.js';
const asking = ['fixtures/servers/plain.mjs', 'fixtures/servers/sdk.mjs', memory].map((path) => {
  const server = [node, join(root, path)];
  return {
    name: `a server is asked: ${path.replace(/^.*(?:servers|modelcontextprotocol)\/|\/dist.*/g, '')}`,
    command: [node, cli, 'diff', '--name', 'asked', '--', ...server],
    bare: { command: [node, join(root, 'bench/handshake.cjs'), ...server], ...at },
    ...at,
  };
});
console.log(
  '\nRatios of `mcp-hooks diff` of a server on stdio to the bare handshake with it (wall time at most 1.25, and 60 ms more).\n',
);
const above = ['', 'cpu', 'wall', 'at most', 'wall ms more'];
console.log(table(await compareAllowing(asking, { times: 1.25, more: 60 }), above));

await benchRunner({ scratch, cli, node, LANG });
await benchMatchers({ scratch, cli, node });
