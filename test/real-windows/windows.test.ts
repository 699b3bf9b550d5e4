// Windows' own Node, Claude Code, Codex CLI and Gemini CLI, which Wine runs, in a profile whose folder has a space, an apostrophe and a letter
// of another alphabet. In place of PowerShell, which cannot be had here, a program of ours runs what our entries start.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';

const project = join(import.meta.dirname, '../..');
const machine = join(project, 'node_modules/.cache/windows');
const root = join(machine, 'debian');
const drive = join(root, 'prefix/drive_c');
const USER = "Zoë O'Neil";
const profile = join(drive, 'users', USER);
const desk = join(profile, 'my desk');
const fixture = join(project, 'fixtures/home');
/** Where an install may write, for four clients. What Wine itself keeps in a profile is elsewhere. */
const FOLDERS = readdirSync(fixture).filter((name) => !name.includes('.json'));

const MOUNTED = `
mount --bind /proc "$0/proc" && mount --bind /dev "$0/dev" && mount --bind "$1" "$0/project" || exit 9
cd "$2" && shift 2 && exec chroot "$0" /usr/bin/env -i "$@"`;

/** Runs a program there. Wine's programs want files for their output. */
function wine(...words: string[]) {
  const files = ['out', 'err'].map((name) => join(machine, name));
  const [out, err] = files.map((file) => openSync(file, 'w'));
  const env = [
    ...['PATH=/usr/bin:/bin', 'HOME=/root', `USER=${USER}`, 'LANG=C.UTF-8'],
    ...['WINEPREFIX=/prefix', 'WINEDEBUG=-all'],
  ];
  // A chroot begins at its top, so a shell goes to the folder.
  const start = ['sh', '-c', 'cd "$0" && exec wine "$@"', desk.slice(root.length), ...words];
  const { status } = spawnSync(
    'unshare',
    ['--mount', 'sh', '-c', MOUNTED, root, project, root, ...env, ...start],
    { stdio: ['ignore', out, err], timeout: 200_000 },
  );
  for (const one of [out, err]) if (one !== undefined) closeSync(one);
  const [stdout = '', stderr = ''] = files.map((file) => readFileSync(file, 'utf8'));
  return { status, stdout, stderr: stderr.replace(/^.*XDG_RUNTIME_DIR.*\n/m, '') };
}

const node = (...words: string[]) => wine('C:\\node\\node.exe', ...words);
const mcpHooks = (...words: string[]) => node('Z:\\project\\dist\\cli.cjs', ...words);

/** What a command prints with --json. */
function told(...words: string[]) {
  const { stdout, stderr } = mcpHooks(...words, '--json');
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`${words.join(' ')}: ${stdout}${stderr}`);
  }
}

/** All files in which clients keep something, with their bytes. */
function files(): Record<string, string> {
  const all = FOLDERS.flatMap((folder) =>
    readdirSync(join(profile, folder), { recursive: true, withFileTypes: true }),
  );
  return Object.fromEntries(
    all
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(profile.length), readFileSync(path, 'latin1')]),
  );
}

const NOTE = 'You just committed work. If you learned something, save it with';

/** The texts that `fire` shows, by client. */
function fired(label: string, ...words: string[]): Record<string, string[]> {
  const { clients } = told('fire', label, ...words);
  return Object.fromEntries(
    clients.map(({ id, firings }: { id: string; firings: { text?: string }[] }) => [
      id,
      firings.flatMap(({ text }) => text ?? []),
    ]),
  );
}

const isReady = existsSync(join(machine, 'ready'));

describe.skipIf(!isReady)('on Windows', () => {
  beforeEach(() => {
    for (const name of [...FOLDERS, '.mcp-hooks', '.claude.json', 'my desk'])
      rmSync(join(profile, name), { recursive: true, force: true });
    cpSync(fixture, profile, { recursive: true });
    mkdirSync(desk);
    cpSync(join(project, 'examples/memory.json'), join(desk, 'memory.json'));
    // Wine cannot do what Codex does with a new file of this name.
    writeFileSync(join(profile, '.codex/installation_id'), '3f0b5c7e-5d0c-4f59-9d44-0a3a6a4d8f10');
  });

  it.each(['\n', '\r\n'])(
    'an uninstall gives back every byte, with %j at the ends of lines',
    (end) => {
      for (const [path, bytes] of Object.entries(files()))
        writeFileSync(join(profile, path), bytes.replaceAll('\n', end), 'latin1');
      const before = files();
      expect(mcpHooks('install', 'memory.json', '--yes')).toMatchObject({ status: 0 });
      const changed = Object.keys(files()).filter((path) => files()[path] !== before[path]);
      expect(changed).toHaveLength(4);
      expect(mcpHooks('uninstall', 'memory', '--yes')).toMatchObject({ status: 0 });
      expect(files()).toEqual(before);
      expect(existsSync(join(profile, '.mcp-hooks'))).toBe(false);
    },
  );

  it('the text of a hook is shown after a commit in every client, and after nothing else', () => {
    mcpHooks('install', 'memory.json', '--yes');
    const shown = (command: string) =>
      fired('memory', 'post_tool_use', '--input', JSON.stringify({ command }));
    for (const [client, texts] of Object.entries(shown('git commit -m x')))
      expect({ client, texts }).toEqual({
        client,
        texts: expect.arrayContaining([expect.stringContaining(NOTE)]),
      });
    expect(Object.values(shown('git status'))).toEqual([[], [], [], []]);
  });

  it('a tool of a server that a script of cmd.exe starts is called, as with npx', () => {
    cpSync(join(project, 'fixtures/servers/plain.mjs'), join(drive, 'clients/a server.mjs'));
    writeFileSync(
      join(drive, 'clients/a-server.cmd'),
      '@"C:\\node\\node.exe" "%~dp0a server.mjs" %*\r\n',
    );
    const declarations = [{ event: 'pre_request', context_tool: 'recall', priority: 'suggestion' }];
    const server = { command: 'a-server', args: ['--of', 'Zoë & co', '%PATH%'] };
    const manifest = { name: 'notes', server, hooks: { declarations } };
    writeFileSync(join(desk, 'notes.json'), JSON.stringify(manifest));
    mcpHooks(
      'install',
      'notes.json',
      '--yes',
      '--allow',
      'context-tool',
      '--client',
      'claude-code',
    );
    expect(fired('notes', 'pre_request')['claude-code']?.join()).toContain(
      'The build needs Node 20.',
    );
  });

  it('a script of cmd.exe gets its words as they are, whatever they mean to cmd.exe', () => {
    const words = [
      ...[
        '',
        'a b',
        'a"b',
        '%PATH%',
        '%PATH',
        '^',
        '&echo no',
        '!x!',
        'a\\"b',
        'c\\',
        'c d\\',
        '|more',
      ],
      ...['>out.txt', '(x)', "it's", 'é', '*', '?', ';', ',', '=', '"&echo no&"', '%CD:~,1%', '%%'],
      ...['\\\\server\\share\\', '~', '`', 'a\tb', '^%PATH^%', '""', '" "', '\\""'],
    ];
    writeFileSync(join(desk, 'print.js'), 'console.log(JSON.stringify(process.argv.slice(2)));');
    writeFileSync(join(desk, "it's.cmd"), '@"C:\\node\\node.exe" "%~dp0print.js" %*\r\n');
    const start = `
      const { serverTree, startTree } = require('Z:/project/dist/templates/process-tree.cjs');
      const words = [process.cwd() + "\\\\it's", ...${JSON.stringify(words)}];
      const { child } = startTree(serverTree(words, process.env, process.cwd()), process.cwd());
      child.stdout.pipe(process.stdout);`;
    writeFileSync(join(desk, 'start.js'), start);
    expect(JSON.parse(node('start.js').stdout)).toEqual(words);
  });

  it('no program of the current folder is started', () => {
    writeFileSync(join(desk, 'a-clone.cmd'), '@echo started> started.txt\r\n');
    cpSync(join(drive, 'node/node.exe'), join(desk, 'a-clone.exe'));
    const declarations = [{ event: 'pre_request', context_tool: 'x', priority: 'suggestion' }];
    const manifest = { name: 'clone', server: { command: 'a-clone' }, hooks: { declarations } };
    writeFileSync(join(desk, 'clone.json'), JSON.stringify(manifest));
    const how = ['--yes', '--allow', 'context-tool', '--client', 'claude-code'];
    mcpHooks('install', 'clone.json', ...how);
    expect(mcpHooks('fire', 'clone', 'pre_request').stdout).toMatch(/is\s+missing/);
    expect(existsSync(join(desk, 'started.txt'))).toBe(false);
  });

  it('clients are found as .exe and as .cmd, and Codex CLI trusts the hooks', () => {
    mcpHooks('install', 'memory.json', '--yes');
    expect(mcpHooks('trust', 'memory').stdout).toContain('Codex CLI now trusts these hooks');
    const { findings } = told('doctor');
    const missing = findings.filter(({ check }: { check: string }) => check === 'client-there');
    expect(JSON.stringify(missing)).not.toMatch(/claude|codex|gemini/);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'all-trusted' }));
    expect(mcpHooks('verify', 'memory').stdout).not.toContain('failed');
  });

  // Claude Code has no Git Bash there, so its tool is called PowerShell.
  it.each([
    ['claude-code', 'PostToolUse'],
    ['gemini-cli', 'AfterTool'],
  ])('the model of %s reads the text in its request', (client, event) => {
    mcpHooks('install', 'memory.json', '--yes', '--client', client);
    const { stdout } = mcpHooks('verify', 'memory', '--live', '--timeout', '90');
    expect(stdout).toMatch(new RegExp(`post_tool_use +${event} +arrived +in request 2`));
  });
});
