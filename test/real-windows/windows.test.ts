// The Windows builds of Node, Claude Code, Codex CLI, Gemini CLI and Copilot CLI, run by Wine, in a profile whose folder has a
// space, an apostrophe and a letter of another alphabet. PowerShell is not available here; a program of ours runs our entries
// instead.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
/** The folders in which an install may write, for four clients. Wine keeps its own files in a profile elsewhere. */
const FOLDERS = readdirSync(fixture).filter((name) => !name.includes('.json'));

const ENV = [
  ...['PATH=/usr/bin:/bin', 'HOME=/root', `USER=${USER}`, 'LANG=C.UTF-8'],
  ...['WINEPREFIX=/prefix', 'WINEDEBUG=-all'],
];

const MOUNTED = `
mount --bind /proc "$0/proc" && mount --bind /dev "$0/dev" && mount --bind "$1" "$0/project" || exit 9
cd "$2" && shift 2 && exec chroot "$0" /usr/bin/env -i "$@"`;

/** The words that start a program there. A chroot starts in its top folder, so a shell changes to the right one. */
const started = (words: readonly string[], { env = ENV, cwd = desk }: Place = {}): string[] => [
  ...['--mount', 'sh', '-c', MOUNTED, root, project, root, ...env],
  ...['sh', '-c', 'cd "$0" && exec wine "$@"', cwd.slice(root.length), ...words],
];

/** Where a program is started. By default, on the desk, with `ENV`. */
interface Place {
  readonly env?: readonly string[];
  readonly cwd?: string;
}

/** Runs a program there. Programs in Wine need files for their output. */
function wine(place: Place, ...words: string[]) {
  const files = ['out', 'err'].map((name) => join(machine, name));
  const [out, err] = files.map((file) => openSync(file, 'w'));
  const { status } = spawnSync('unshare', started(words, place), {
    stdio: ['ignore', out, err],
    timeout: 200_000,
  });
  for (const one of [out, err]) if (one !== undefined) closeSync(one);
  const [stdout = '', stderr = ''] = files.map((file) => readFileSync(file, 'utf8'));
  return { status, stdout, stderr: stderr.replace(/^.*XDG_RUNTIME_DIR.*\n/m, '') };
}

const CLI = 'Z:\\project\\dist\\cli.cjs';
const node = (...words: string[]) => wine({}, 'C:\\node\\node.exe', ...words);
const mcpHooks = (...words: string[]) => node(CLI, ...words);

/** The parsed output of a command with --json. */
function parsed(...words: string[]) {
  const { stdout, stderr } = mcpHooks(...words, '--json');
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`${words.join(' ')}: ${stdout}${stderr}`);
  }
}

/** All files of the clients in a home, with their bytes. */
function files(home = profile): Record<string, string> {
  const all = FOLDERS.flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, withFileTypes: true }),
  );
  return Object.fromEntries(
    all
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(home.length), readFileSync(path, 'latin1')]),
  );
}

const NOTE = 'You just committed work. If you learned something, save it with';

/** The texts that `fire` shows, by client. */
function fired(label: string, ...words: string[]): Record<string, string[]> {
  const { clients } = parsed('fire', label, ...words);
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
    // Codex creates this file in a way that Wine does not support.
    writeFileSync(join(profile, '.codex/installation_id'), '3f0b5c7e-5d0c-4f59-9d44-0a3a6a4d8f10');
  });

  it.each(['\n', '\r\n'])(
    'an uninstall restores every byte, with %j at the ends of lines',
    (end) => {
      for (const [path, bytes] of Object.entries(files()))
        writeFileSync(join(profile, path), bytes.replaceAll('\n', end), 'latin1');
      const before = files();
      expect(mcpHooks('install', 'memory.json', '--yes')).toMatchObject({ status: 0, stderr: '' });
      const changed = Object.keys(files()).filter((path) => files()[path] !== before[path]);
      expect(changed).toHaveLength(4);
      expect(mcpHooks('uninstall', 'memory', '--yes')).toMatchObject({ status: 0, stderr: '' });
      expect(files()).toEqual(before);
      expect(existsSync(join(profile, '.mcp-hooks'))).toBe(false);
    },
  );

  it('an uninstall restores every byte of files with paths of more than 260 characters', () => {
    const cwd = join(desk, 'd'.repeat(100), 'e'.repeat(115));
    const settings = join(cwd, '.claude/settings.json');
    const windows = `C:${settings.slice(drive.length).replaceAll('/', '\\')}`;
    expect(windows.length).toBeGreaterThan(260);
    mkdirSync(join(cwd, '.claude'), { recursive: true });
    writeFileSync(settings, '{\r\n\t"model": "opus"\r\n}\r\n');
    const manifest = `C:\\users\\${USER}\\my desk\\memory.json`;
    const run = (...words: string[]) => wine({ cwd }, 'C:\\node\\node.exe', CLI, ...words);
    const scope = ['--scope', 'project', '--yes'];
    expect(run('install', manifest, ...scope, '--client', 'claude-code')).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(readFileSync(settings, 'utf8')).toContain('mcp-hooks');
    expect(run('uninstall', 'memory', ...scope)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(settings, 'utf8')).toBe('{\r\n\t"model": "opus"\r\n}\r\n');
    expect(readdirSync(cwd)).toEqual(['.claude']);
  });

  it('hooks in a home on a file server (UNC) fire, and an uninstall restores every byte', () => {
    // Here Wine looks for the shares of servers. They cannot be a working folder.
    const share = join(root, 'prefix/dosdevices/unc/files/team');
    rmSync(share, { recursive: true, force: true });
    cpSync(fixture, share, { recursive: true });
    const before = files(share);
    const home = '\\\\files\\team';
    const run = (...words: string[]) =>
      node(
        '-e',
        `process.env.USERPROFILE = process.argv[1]; process.argv[1] = ${JSON.stringify(CLI)}; require(process.argv[1]);`,
        home,
        ...words,
      );
    expect(run('install', 'memory.json', '--yes')).toMatchObject({ status: 0, stderr: '' });
    const changed = Object.entries(files(share)).filter(([path, bytes]) => bytes !== before[path]);
    expect(changed).toHaveLength(4);
    for (const [, bytes] of changed)
      expect(bytes.replaceAll('\\\\', '\\')).toContain(`${home}\\.mcp-hooks\\servers\\memory`);
    const call = JSON.stringify({ command: 'git commit' });
    const { stdout } = run('fire', 'memory', 'post_tool_use', '--input', call, '--json');
    const { clients } = JSON.parse(stdout);
    expect(clients).toHaveLength(4);
    for (const { firings } of clients) expect(JSON.stringify(firings)).toContain(NOTE);
    expect(run('uninstall', 'memory', '--yes')).toMatchObject({ status: 0, stderr: '' });
    expect(files(share)).toEqual(before);
    expect(existsSync(join(share, '.mcp-hooks'))).toBe(false);
  });

  describe('a file that another program holds open', () => {
    const held = join(profile, '.gemini/settings.json');
    const marker = join(desk, 'held');

    /** The outcome of an install while the file is held. @param more With a word here, the file is released in a moment. */
    async function installing(...more: string[]) {
      const hold = ['C:\\clients\\hold.exe', `C:\\users\\${USER}\\.gemini\\settings.json`, 'held'];
      const holder = spawn('unshare', started([...hold, ...more]), { stdio: 'ignore' });
      const ended = once(holder, 'exit');
      try {
        await expect.poll(() => existsSync(marker), { timeout: 60_000 }).toBe(true);
        return mcpHooks('install', 'memory.json', '--yes');
      } finally {
        rmSync(marker, { force: true });
        await ended;
      }
    }

    it('is written after a short wait if the program releases it in a moment', async () => {
      expect(await installing('a moment')).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(held, 'utf8')).toContain('mcp-hooks');
    });

    it('is left unchanged if the program keeps it open, and so is every other file', async () => {
      const before = files();
      const { status, stderr } = await installing();
      expect(stderr).toMatch(
        /settings\.json cannot be written: another program may have it open\./,
      );
      expect(status).toBe(2);
      expect(files()).toEqual(before);
    });
  });

  it('an install that is killed at any step can be undone, byte for byte', () => {
    // Ends the process before its nth change of the disk. Prints the number of steps left.
    writeFileSync(
      join(desk, 'end.cjs'),
      `const fs = require('node:fs');
      let left = Number(process.env.STEPS);
      const all = 'openSync writeSync writeFileSync renameSync rmSync unlinkSync rmdirSync mkdirSync fsyncSync closeSync linkSync';
      for (const name of all.split(' ')) {
        const real = fs[name];
        fs[name] = (...words) => {
          left -= 1;
          if (left === 0) process.reallyExit(137);
          return real(...words);
        };
      }
      process.on('exit', () => process._rawDebug('left: ' + left));`,
    );
    const before = files();
    const endedAfter = (steps: number) => {
      const env = [...ENV, `STEPS=${steps}`];
      return wine(
        { env },
        'C:\\node\\node.exe',
        '-r',
        './end.cjs',
        CLI,
        'install',
        'memory.json',
        '--yes',
      );
    };
    const MANY = 100_000;
    const [, left] = /left: (\d+)/.exec(endedAfter(MANY).stderr) ?? [];
    mcpHooks('uninstall', 'memory', '--yes');
    const all = MANY - Number(left);
    expect(all).toBeGreaterThan(100);
    const TRIES = 12;
    for (let nth = 1; nth <= TRIES; nth += 1) {
      const steps = Math.ceil((nth * all) / (TRIES + 1));
      expect({ steps, status: endedAfter(steps).status }).toEqual({ steps, status: 137 });
      mcpHooks('uninstall', 'memory', '--yes');
      expect({ steps, files: files() }).toEqual({ steps, files: before });
    }
  });

  it('every client shows the text of a hook after a commit, and after no other command', () => {
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

  it('a hook calls a tool of a server that a cmd.exe script starts, as with npx', () => {
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

  it('a cmd.exe script gets its words unchanged, whatever they mean to cmd.exe', () => {
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
    const { findings } = parsed('doctor');
    const missing = findings.filter(({ check }: { check: string }) => check === 'client-there');
    expect(JSON.stringify(missing)).not.toMatch(/claude|codex|gemini|copilot/);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'all-trusted' }));
    expect(mcpHooks('verify', 'memory').stdout).not.toContain('failed');
  });

  // There is no Git Bash for Claude Code there, so its tool is called PowerShell.
  it.each([
    ['claude-code', 'PostToolUse'],
    ['gemini-cli', 'AfterTool'],
    ['copilot-cli', 'PostToolUse'],
  ])('the model of %s reads the text in its request', (client, event) => {
    mcpHooks('install', 'memory.json', '--yes', '--client', client);
    const before = readdirSync(profile);
    const { stdout } = mcpHooks('verify', 'memory', '--live', '--timeout', '90');
    expect(stdout).toMatch(new RegExp(`post_tool_use +${event} +arrived +in request 2`));
    // A client keeps what it unpacks where it does so anyway.
    expect(readdirSync(profile)).toEqual(before);
  });
});
