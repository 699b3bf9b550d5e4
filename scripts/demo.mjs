// `npm run demo`: follows one hook through every client, in a throw-away home. Needs no client.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-demo-'));
const home = join(scratch, 'home');
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const title = (text) => console.log(`\n\x1b[1m# ${text}\x1b[0m`.replace(/\x1b\[\dm/g, colour));
const colour = (code) => (process.stdout.isTTY && !process.env.NO_COLOR ? code : '');

/** Our tool in the throw-away home; `diff` exits 1 when there is something to do. */
function mcpHooks(...args) {
  if (!args.includes('--json')) console.log(`$ mcp-hooks ${args.join(' ')}`);
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

if (!process.argv.includes('--no-build')) {
  title('Build');
  execFileSync(process.execPath, ['build.mjs'], { cwd: root, stdio: 'inherit' });
  console.log('dist/ is built.');
}

title('A home with settings of a user, and an MCP server that declares two hooks');
cpSync(join(root, 'fixtures/home'), home, { recursive: true });
cpSync(join(root, 'fixtures/servers/plain.mjs'), join(scratch, 'notes.mjs'));
const { clients, commandIn, filesIn, recorded, strings } = await import('./installed.mjs');
const ids = clients.map(({ id }) => id).join(',');
const server = ['--client', ids, '--name', 'notes', '--', 'node', 'notes.mjs'];
const files = filesIn(mcpHooks('diff', '--json', ...server), home);
const bytes = () => Object.values(files).map((file) => existsSync(file) && readFileSync(file));
const before = bytes();
console.log([...Object.values(files), 'notes.mjs'].join(', ').replaceAll(home, '~'));

title('What an install would change');
console.log(mcpHooks('diff', ...server));

title('Install');
// The plan has been shown.
const installed = mcpHooks('install', '--yes', '--allow', 'context-tool', ...server);
console.log(installed.slice(installed.indexOf('\nInstalled:')).trim());

title('The agent runs git commit: what each client gets from the hook, and its model reads');
for (const client of clients) {
  const native = client.nativeOf('post_tool_use');
  const [shell, ...flags] = client.shell;
  const command = commandIn(files[client.id], client, native, 'notes');
  const { status, stdout } = spawnSync(shell, [...flags, command], {
    input: JSON.stringify(recorded(client, native)),
    cwd: scratch,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
  });
  const said = strings(JSON.parse(stdout)).find((one) => one.includes('notes'));
  console.log(`${client.name} (exit ${status})\n${said.replace(/^/gm, '  | ')}\n`);
}

title('Uninstall');
console.log(mcpHooks('uninstall', 'notes', '--yes').trim().split('\n').at(-1));
const after = bytes();
if (!isDeepStrictEqual(before, after)) throw new Error('bytes differ');
console.log('Every file is what it was, byte for byte.');
