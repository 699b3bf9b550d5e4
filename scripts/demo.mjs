// `npm run demo`: follows one hook through every client, in a throw-away home. Needs no client.
// `npm run demo -- --verbose` also shows the home, and each line that the install adds to it.
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

const isVerbose = process.argv.includes('--verbose');

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
  console.log('Building dist/ ...');
  execFileSync(process.execPath, ['build.mjs'], { cwd: root, stdio: 'inherit' });
}

cpSync(join(root, 'fixtures/home'), home, { recursive: true });
cpSync(join(root, 'fixtures/servers/plain.mjs'), join(scratch, 'notes.mjs'));
const { clients, commandIn, filesIn, recorded, strings } = await import('./installed.mjs');
const ids = clients.map(({ id }) => id).join(',');
const server = ['--client', ids, '--name', 'notes', '--', 'node', 'notes.mjs'];
const files = filesIn(mcpHooks('diff', '--json', ...server), home);
const bytes = () => Object.values(files).map((file) => existsSync(file) && readFileSync(file));
const before = bytes();
if (isVerbose) {
  title('A home with settings of a user, and an MCP server that declares two hooks');
  console.log([...Object.values(files), 'notes.mjs'].join(', ').replaceAll(home, '~'));
  title('What an install would change');
  console.log(mcpHooks('diff', ...server));
}

title(`Install the hooks of an MCP server in ${clients.length} clients, in a temporary home`);
// The plan is what `diff` shows.
const installed = mcpHooks('install', '--yes', '--allow', 'context-tool', ...server);
console.log(installed.slice(installed.indexOf('\nInstalled:')).trim());

title('After `git commit`: what each model reads');
/** Runs the client's command for one of its events. */
function fire(client, native) {
  const [shell, ...flags] = client.shell;
  const { status, stdout } = spawnSync(
    shell,
    [...flags, commandIn(files[client.id], client, native, 'notes')],
    {
      input: JSON.stringify(recorded(client, native)),
      cwd: scratch,
      env: { PATH: process.env.PATH, HOME: home },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${client.name}: ${native} exits with ${status}`);
  return stdout === '' ? [] : strings(JSON.parse(stdout));
}

const readers = new Map();
for (const client of clients) {
  const { tells, notes } = client.eventsOf('post_tool_use');
  // If the text waits for a later event, that event is fired once before: the first time, it shows the text for the session's start.
  const natives = notes === undefined ? [tells] : [tells, notes, tells];
  const shown = natives.map((native) => fire(client, native)).at(-1);
  const text = shown.find((one) => one.includes('committed'));
  if (text === undefined) throw new Error(`${client.name} shows nothing`);
  const name = notes === undefined ? client.name : `${client.name} (with the next prompt)`;
  readers.set(text, [...(readers.get(text) ?? []), name]);
}
for (const [text, names] of readers)
  console.log(`${names.join(', ')}:\n${text.replace(/^/gm, '  ')}`);

title('Uninstall');
console.log(mcpHooks('uninstall', 'notes', '--yes').trim().split('\n').at(-1));
const after = bytes();
if (!isDeepStrictEqual(before, after)) throw new Error('bytes differ');
console.log('Every file is what it was, byte for byte.');
if (!isVerbose) console.log('\nTo see each line that changes: npm run demo -- --verbose');
