// `npm run demo`: the whole way of one hook through all three clients, in a throw-away home. No client is needed.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-demo-'));
const home = join(scratch, 'home');
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** What the three clients send after a `git commit`, recorded from them, and the shell that runs their hooks. */
const CLIENTS = [
  { name: 'Claude Code', id: 'claude-code', payload: 'PostToolUse', shell: 'sh' },
  { name: 'Codex CLI', id: 'codex', payload: 'PostToolUse', shell: 'bash' },
  { name: 'Gemini CLI', id: 'gemini-cli', payload: 'AfterTool', shell: 'bash' },
];
const SETTINGS = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
};

const title = (text) => console.log(`\n\x1b[1m# ${text}\x1b[0m`.replace(/\x1b\[\dm/g, colour));
const colour = (code) => (process.stdout.isTTY && !process.env.NO_COLOR ? code : '');

/** Our tool in the throw-away home; `diff` exits 1 when there is something to do. */
function mcpHooks(...args) {
  console.log(`$ mcp-hooks ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/cli.cjs'), ...args],
    {
      cwd: scratch,
      env: { PATH: process.env.PATH, HOME: home },
      encoding: 'utf8',
    },
  );
  if (status !== 0 && !(args[0] === 'diff' && status === 1)) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

const bytes = () => Object.values(SETTINGS).map((file) => readFileSync(join(home, file)));

/** The command of our entry for an event, from the file that install wrote. */
function commandOf(id, event) {
  const text = readFileSync(join(home, SETTINGS[id]), 'utf8');
  const found = new RegExp(`"([^"]*/${id}\\.${event}\\.sh; [^"]*)"`).exec(text);
  if (!found) throw new Error(`no entry of ours for ${event} in ${SETTINGS[id]}`);
  return JSON.parse(`"${found[1]}"`);
}

if (!process.argv.includes('--no-build')) {
  title('Build');
  execFileSync(process.execPath, ['build.mjs'], { cwd: root, stdio: 'inherit' });
  console.log('dist/ is built.');
}

title('A home with settings of a user, and an MCP server that declares two hooks');
cpSync(join(root, 'fixtures/home'), home, { recursive: true });
cpSync(join(root, 'fixtures/servers/plain.mjs'), join(scratch, 'notes.mjs'));
const before = bytes();
console.log('~/.claude/settings.json, ~/.codex/config.toml, ~/.gemini/settings.json; notes.mjs');

title('What an install would change');
const server = ['--name', 'notes', '--', 'node', 'notes.mjs'];
console.log(mcpHooks('diff', ...server));

title('Install');
console.log(
  mcpHooks('install', '--yes', '--allow', 'context-tool', ...server)
    .split('\n')
    .slice(-4)
    .join('\n')
    .trim(),
);

title('The agent runs git commit: what each client hears from the hook, and its model reads');
for (const { name, id, payload, shell } of CLIENTS) {
  const input = readFileSync(join(root, `fixtures/events/${id}/${payload}.json`), 'utf8');
  const { status, stdout } = spawnSync(shell, ['-c', commandOf(id, payload)], {
    input,
    cwd: scratch,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
  });
  const said = JSON.parse(stdout).hookSpecificOutput.additionalContext;
  console.log(`${name} (exit ${status})\n${said.replace(/^/gm, '  | ')}\n`);
}

title('Uninstall');
console.log(mcpHooks('uninstall', 'notes', '--yes').trim().split('\n').at(-1));
const after = bytes();
if (!before.every((file, index) => file.equals(after[index]))) throw new Error('bytes differ');
console.log('The three files are what they were, byte for byte.');
