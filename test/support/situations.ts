/**
 * Folders that come with servers of their own, and the user's decisions about folders: whether a client starts those servers
 * without asking, and whether we do. `test/real-clients/approval.test.ts` compares the former with the real clients.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Host = 'claude-code' | 'codex' | 'gemini-cli';

/** Whether the client starts it, and whether we do. */
type Cell = readonly [client: boolean, ours: boolean];
const BOTH: Cell = [true, true];
const NONE: Cell = [false, false];
const CLIENT_ALONE: Cell = [true, false];

export interface Situation {
  readonly title: string;
  /** Creates it. Returns the user's current folder, unless it is `src/clone`. */
  readonly make: (yard: Yard) => string | undefined;
  /** The clients that it concerns. */
  readonly starts: Readonly<Partial<Record<Host, Cell>>>;
  /** The client's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How the server of a folder is started; its name is `evil`. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

const ALL = { enableAllProjectMcpServers: true };
const TRUSTED = { hasTrustDialogAccepted: true };
const LOCAL = '.claude/settings.local.json';
const SHARED = '.claude/settings.json';

/** A folder with a home in it. */
export class Yard {
  readonly root: string;
  readonly home: string;
  readonly #server: Launch;

  constructor(root: string, home: string, server: Launch) {
    this.root = root;
    this.home = home;
    this.#server = server;
  }

  at(path: string): string {
    return path.startsWith('~') ? join(this.home, path.slice(1)) : join(this.root, path);
  }

  put(path: string, content: string | object): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(
      this.at(path),
      typeof content === 'string' ? content : JSON.stringify(content, null, 1),
    );
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    symlinkSync(this.at(target), this.at(path));
  }

  /** The parts of a repository that clients look at. */
  repository(path: string): void {
    this.put(`${path}/.git/HEAD`, 'ref: refs/heads/main\n');
    mkdirSync(this.at(`${path}/.git/objects`), { recursive: true });
    mkdirSync(this.at(`${path}/.git/refs`), { recursive: true });
  }

  /** A worktree that its repository knows. */
  worktree(path: string, main: string): void {
    const git = `${main}/.git/worktrees/one`;
    this.put(`${path}/.git`, `gitdir: ${this.at(git)}\n`);
    this.put(`${git}/gitdir`, `${this.at(`${path}/.git`)}\n`);
    this.put(`${git}/commondir`, '../..\n');
    this.put(`${git}/HEAD`, 'ref: refs/heads/one\n');
  }

  /** Servers of a folder, for every client. */
  servers(path: string): void {
    const { command, args } = this.#server;
    const mcpServers = { evil: { command, args } };
    this.put(`${path}/.mcp.json`, { mcpServers });
    this.put(`${path}/.gemini/settings.json`, { mcpServers });
    const words = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
    this.put(`${path}/.codex/config.toml`, `[mcp_servers.evil]\n${words}`);
  }

  /** A clone with servers that it approves itself as far as it can. */
  clone(path = 'src/clone'): void {
    this.repository(path);
    this.servers(path);
    this.put(`${path}/${LOCAL}`, ALL);
    this.put(`${path}/${SHARED}`, ALL);
  }

  /** What Claude Code remembers of projects. */
  projects(projects: Readonly<Record<string, object>>): void {
    const named = Object.entries(projects).map(([path, known]) => [this.at(path), known]);
    this.put('~/.claude.json', { projects: Object.fromEntries(named) });
  }

  /** Makes Claude Code and Codex trust folders. */
  trust(...paths: string[]): void {
    this.projects(Object.fromEntries(paths.map((path) => [path, TRUSTED])));
    const levels = paths.map(
      (path) => `[projects.${JSON.stringify(this.at(path))}]\ntrust_level = "trusted"\n`,
    );
    this.put('~/.codex/config.toml', levels.join('\n'));
  }

  /** Rules of Gemini CLI. */
  rules(rules: Readonly<Record<string, string>>): void {
    const named = Object.entries(rules).map(([path, level]) => [this.at(path), level]);
    this.put('~/.gemini/trustedFolders.json', Object.fromEntries(named));
  }

  /** A git index with one path in it. */
  index(path: string, tracked: string): void {
    const head = Buffer.from([0x44, 0x49, 0x52, 0x43, 0, 0, 0, 2, 0, 0, 0, 1]);
    const entry = Buffer.alloc(62);
    entry.writeUInt16BE(Buffer.byteLength(tracked), 60);
    const bytes = Buffer.concat([head, entry, Buffer.from(tracked), Buffer.alloc(40)]);
    writeFileSync(this.at(`${path}/.git/index`), bytes);
  }

  /** A file of the yard. */
  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }
}

/** Rules of Gemini CLI, and their effect. */
const RULES: readonly { readonly rules: Readonly<Record<string, string>>; readonly cell: Cell }[] =
  [
    { rules: { src: 'TRUST_FOLDER' }, cell: BOTH },
    { rules: { 'src/other': 'TRUST_PARENT' }, cell: BOTH },
    { rules: { src: 'TRUST_FOLDER', 'src/clone': 'DO_NOT_TRUST' }, cell: NONE },
    { rules: { 'src/clo': 'TRUST_FOLDER' }, cell: NONE },
    { rules: { src: 'TRUST_EVERYTHING' }, cell: NONE },
  ];

const situation = (
  title: string,
  starts: Situation['starts'],
  make: Situation['make'],
  env?: Situation['env'],
): Situation => ({ title, starts, make, ...(env && { env }) });

const both = (cell: Cell): Situation['starts'] => ({ 'claude-code': cell, codex: cell });

export const SITUATIONS: readonly Situation[] = [
  situation('the user has not decided anything', { ...both(NONE), 'gemini-cli': NONE }, (yard) => {
    yard.clone();
  }),
  situation('the folder above is trusted', both(NONE), (yard) => {
    yard.clone();
    yard.trust('src');
  }),
  situation('the home and the root are trusted', both(NONE), (yard) => {
    yard.clone('~/src/clone');
    yard.trust('~', '', '~/src');
    return '~/src/clone';
  }),
  situation('the folder above is a trusted repository', both(NONE), (yard) => {
    yard.clone();
    yard.repository('src');
    yard.trust('src');
  }),
  situation('the folder above is trusted, without any repository', both(NONE), (yard) => {
    yard.servers('src/clone');
    yard.put(`src/clone/${LOCAL}`, ALL);
    yard.trust('src');
  }),
  situation(
    'it is part of a trusted repository',
    { 'claude-code': CLIENT_ALONE, codex: BOTH },
    (yard) => {
      yard.repository('src');
      yard.servers('src/clone');
      yard.put(`src/clone/${SHARED}`, ALL);
      yard.trust('src');
    },
  ),
  situation('its .git is an empty folder, in a trusted repository', { codex: BOTH }, (yard) => {
    yard.clone();
    mkdirSync(yard.at('src/other/.git'), { recursive: true });
    yard.servers('src/other');
    yard.repository('src');
    yard.trust('src');
    return 'src/other';
  }),
  situation('its .git is a file that names a trusted repository', both(NONE), (yard) => {
    yard.repository('trusted');
    yard.servers('src/clone');
    yard.put('src/clone/.git', `gitdir: ${yard.at('trusted/.git')}\n`);
    yard.projects({ trusted: { ...TRUSTED, ...ALL } });
    yard.put(
      '~/.codex/config.toml',
      `[projects.${JSON.stringify(yard.at('trusted'))}]\ntrust_level = "trusted"\n`,
    );
  }),
  situation('its .git names the worktree of another folder', both(NONE), (yard) => {
    yard.repository('trusted');
    yard.worktree('wt', 'trusted');
    yard.servers('src/clone');
    yard.put('src/clone/.git', yard.read('wt/.git'));
    approve(yard, 'trusted');
  }),
  situation('its .git names a worktree that it brings along', both(NONE), (yard) => {
    yard.repository('trusted');
    yard.servers('src/clone');
    const own = 'src/clone/own/worktrees/one';
    yard.put('src/clone/.git', `gitdir: ${yard.at(own)}\n`);
    yard.put(`${own}/gitdir`, `${yard.at('src/clone/.git')}\n`);
    yard.put(`${own}/commondir`, `${yard.at('trusted/.git')}\n`);
    yard.put(`${own}/HEAD`, 'ref: refs/heads/main\n');
    approve(yard, 'trusted');
  }),
  situation('its .git is a link to that of a trusted repository', both(NONE), (yard) => {
    yard.repository('trusted');
    yard.servers('src/clone');
    yard.link('src/clone/.git', 'trusted/.git');
    approve(yard, 'trusted');
  }),
  situation('it is a worktree of an approved repository', both(BOTH), (yard) => {
    yard.repository('trusted');
    yard.worktree('wt', 'trusted');
    yard.servers('wt');
    approve(yard, 'trusted');
    return 'wt';
  }),
  situation('it is a submodule of an approved repository', both(NONE), (yard) => {
    yard.repository('src');
    yard.put('src/clone/.git', 'gitdir: ../.git/modules/clone\n');
    yard.put('src/.git/modules/clone/HEAD', 'ref: refs/heads/main\n');
    yard.servers('src/clone');
    approve(yard, 'src');
  }),
  situation('the folder itself is approved', both(BOTH), (yard) => {
    yard.repository('src/clone');
    yard.servers('src/clone');
    approve(yard, 'src/clone');
  }),
  situation('a folder below an approved top of its repository', both(BOTH), (yard) => {
    yard.repository('src/clone');
    yard.servers('src/clone');
    approve(yard, 'src/clone');
    mkdirSync(yard.at('src/clone/a/b'), { recursive: true });
    return 'src/clone/a/b';
  }),
  situation('a folder below the approved one, without any repository', both(NONE), (yard) => {
    yard.servers('src/clone');
    approve(yard, 'src/clone');
    mkdirSync(yard.at('src/clone/a'), { recursive: true });
    return 'src/clone/a';
  }),
  situation('the way to it is a link in an approved folder', both(NONE), (yard) => {
    yard.repository('src/clone');
    yard.servers('src/clone');
    yard.link('trusted/clone', 'src/clone');
    approve(yard, 'trusted', 'trusted/clone');
    return 'trusted/clone';
  }),
  situation('the folder is approved, and the user reached it by a link', both(BOTH), (yard) => {
    yard.repository('src/clone');
    yard.servers('src/clone');
    yard.link('link', 'src/clone');
    approve(yard, 'src/clone');
    return 'link';
  }),
  situation('the folder is approved by a name with a slash', both(NONE), (yard) => {
    yard.repository('src/clone');
    yard.servers('src/clone');
    approve(yard, 'src/clone/');
  }),

  // Claude Code alone.
  ...[
    { what: 'settings that are committed', local: true, tracked: true, cell: CLIENT_ALONE },
    { what: "settings of the user's own", local: true, tracked: false, cell: BOTH },
    { what: 'settings shared with others', local: false, tracked: true, cell: CLIENT_ALONE },
  ].map(({ what, local, tracked, cell }) =>
    situation(`the folder is trusted, and has ${what}`, { 'claude-code': cell }, (yard) => {
      const file = local ? LOCAL : SHARED;
      yard.clone();
      yard.put(`src/clone/${LOCAL}`, {});
      yard.put(`src/clone/${SHARED}`, {});
      yard.put(`src/clone/${file}`, ALL);
      if (tracked) yard.index('src/clone', file);
      yard.trust('src/clone');
    }),
  ),
  situation(
    'the folder is trusted, and its settings are a link',
    { 'claude-code': CLIENT_ALONE },
    (yard) => {
      yard.repository('src/clone');
      yard.servers('src/clone');
      yard.put('src/clone/conf/settings.local.json', ALL);
      yard.link('src/clone/.claude', 'src/clone/conf');
      yard.trust('src/clone');
    },
  ),
  situation('the project is approved, and not trusted', { 'claude-code': NONE }, (yard) => {
    yard.clone();
    yard.projects({ 'src/clone': ALL, src: TRUSTED });
  }),
  situation('it is switched off by its own settings', { 'claude-code': NONE }, (yard) => {
    yard.servers('src/clone');
    yard.put(`src/clone/${SHARED}`, { disabledMcpjsonServers: ['evil'] });
    approve(yard, 'src/clone');
  }),
  situation("it is switched off by the user's settings", { 'claude-code': NONE }, (yard) => {
    yard.servers('src/clone');
    yard.put('~/.claude/settings.json', { disabledMcpjsonServers: ['evil'] });
    approve(yard, 'src/clone');
  }),
  situation("it is denied by the user's settings", { 'claude-code': NONE }, (yard) => {
    yard.servers('src/clone');
    yard.put('~/.claude/settings.json', { deniedMcpServers: [{ serverName: 'evil' }] });
    approve(yard, 'src/clone');
  }),
  situation('it is in the home folder', { 'claude-code': NONE }, (yard) => {
    yard.put('~/.mcp.json', { mcpServers: { evil: { command: 'no-such-evil' } } });
    return '~';
  }),

  // Codex alone.
  situation('a folder in between is not trusted', { codex: NONE }, (yard) => {
    yard.repository('src');
    yard.servers('src/clone');
    mkdirSync(yard.at('src/clone/a'), { recursive: true });
    yard.trust('src');
    const refused = `[projects.${JSON.stringify(yard.at('src/clone'))}]\ntrust_level = "untrusted"\n`;
    yard.put('~/.codex/config.toml', `${yard.read('~/.codex/config.toml')}\n${refused}`);
    return 'src/clone/a';
  }),
  situation("the project has no top, by the user's settings", { codex: NONE }, (yard) => {
    yard.clone();
    mkdirSync(yard.at('src/clone/a'), { recursive: true });
    yard.trust('src/clone');
    const known = yard.read('~/.codex/config.toml');
    yard.put('~/.codex/config.toml', `project_root_markers = []\n${known}`);
    return 'src/clone/a';
  }),
  situation('the folder trusts itself', { codex: NONE, 'gemini-cli': NONE }, (yard) => {
    yard.clone();
    const toml = yard.read('src/clone/.codex/config.toml');
    const trust = `[projects.${JSON.stringify(yard.at('src/clone'))}]\ntrust_level = "trusted"\n`;
    yard.put('src/clone/.codex/config.toml', `${toml}\n${trust}`);
    const json = JSON.parse(yard.read('src/clone/.gemini/settings.json'));
    const security = { folderTrust: { enabled: false } };
    yard.put('src/clone/.gemini/settings.json', { ...json, security });
    yard.put('src/clone/.env', 'GEMINI_CLI_TRUST_WORKSPACE=true\n');
    yard.put('src/clone/.gemini/.env', 'GEMINI_CLI_TRUST_WORKSPACE=true\n');
  }),

  // Gemini CLI alone: its rules apply to everything below a folder.
  ...RULES.map(({ rules, cell }) =>
    situation(`the rules are ${JSON.stringify(rules)}`, { 'gemini-cli': cell }, (yard) => {
      yard.servers('src/clone');
      yard.rules(rules);
    }),
  ),
  situation('a link to it is not trusted', { 'gemini-cli': NONE }, (yard) => {
    yard.servers('src/clone');
    yard.link('a-long-way/to/the-same/folder', 'src/clone');
    yard.rules({ src: 'TRUST_FOLDER', 'a-long-way/to/the-same/folder': 'DO_NOT_TRUST' });
  }),
  situation(
    'it is trusted, but not for the environment',
    { 'gemini-cli': NONE },
    (yard) => {
      yard.servers('src/clone');
      yard.rules({ src: 'TRUST_FOLDER' });
    },
    { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
  ),
  situation('it was switched off by its name', { 'gemini-cli': NONE }, (yard) => {
    yard.servers('src/clone');
    yard.rules({ src: 'TRUST_FOLDER' });
    yard.put('~/.gemini/mcp-server-enablement.json', { evil: { enabled: false } });
  }),
  situation('it allows servers that the user has not allowed', { 'gemini-cli': NONE }, (yard) => {
    yard.servers('src/clone');
    yard.rules({ src: 'TRUST_FOLDER' });
    const json = JSON.parse(yard.read('src/clone/.gemini/settings.json'));
    yard.put('src/clone/.gemini/settings.json', { ...json, mcp: { allowed: ['evil'] } });
    yard.put('~/.gemini/settings.json', { mcp: { allowed: ['other'] } });
  }),
];

/** The user has trusted these folders, and approved their servers. */
function approve(yard: Yard, ...paths: string[]): void {
  yard.trust(...paths);
  yard.projects(Object.fromEntries(paths.map((path) => [path, { ...TRUSTED, ...ALL }])));
}
