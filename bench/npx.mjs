// The cost of a hook whose server npx starts: with npx, from npx's own folder, and from our copy. It needs the npm registry, so
// `npm run bench` leaves it out: node build.mjs && node bench/npx.mjs [package] [tool]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, table } from './measure.mjs';

const [name = '@modelcontextprotocol/server-memory', tool = 'read_graph'] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'mcp-hooks-bench-'));
const { MCP_HOOKS_HOME: _, ...env } = { ...process.env, HOME: home }; // with the user's registry and certificates
const at = { cwd: home, env };
const run = (words) => {
  const { status, stderr } = spawnSync(words[0], words.slice(1), {
    ...at,
    encoding: 'utf8',
    input: '',
  });
  if (status !== 0) throw new Error(stderr);
  return stderr;
};

try {
  mkdirSync(join(home, '.claude'));
  const hook = { event: 'session_start', context_tool: tool, priority: 'important' };
  const manifest = {
    server: { command: 'npx', args: ['-y', name] },
    hooks: { declarations: [hook] },
  };
  writeFileSync(join(home, 'bench.json'), JSON.stringify(manifest));
  const cli = join(root, 'dist/cli.cjs');
  const flags = ['--client', 'claude', '--allow', 'context-tool', '--yes'];
  const said = run([process.execPath, cli, 'install', 'bench.json', ...flags]);
  if (!existsSync(join(home, '.mcp-hooks/packages'))) throw new Error(said);
  run(['npx', '-y', name]); // it downloads its own

  const settings = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'));
  const command = ['/bin/sh', '-c', settings.hooks.SessionStart[0].hooks[0].command];
  const stdin = join(home, 'payload');
  const event = { hook_event_name: 'SessionStart', source: 'startup', session_id: '1', cwd: home };
  writeFileSync(stdin, JSON.stringify(event));
  const file = join(home, '.mcp-hooks/servers/bench/claude-code.SessionStart.json');
  const program = JSON.parse(readFileSync(file, 'utf8'));
  const log = join(home, '.mcp-hooks/log/bench.jsonl');
  const { copy, ...server } = program.server;
  const starts = {
    npx: server,
    "npx's folder": program.server,
    'the copy': { ...server, copy: { ...copy, npx: join(home, 'none') } },
  };
  const rows = Object.entries(starts).map(([start, own]) => ({
    ...{ name: `a tool's call, started from ${start}`, command, ...at, stdin },
    before() {
      rmSync(join(home, '.mcp-hooks/sessions'), { recursive: true, force: true });
      writeFileSync(file, JSON.stringify({ ...program, server: own }));
    },
  }));
  const bare = { command: [process.execPath, '-e', '0'], ...at };
  console.log(table(await compare(rows, { runs: 10, baseline: bare })));
  const calls = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const failed = calls.filter(({ why = [] }) => why.some(({ code }) => code !== 'no-text'));
  console.log(`${calls.length} calls, ${failed.length} of them failed`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
