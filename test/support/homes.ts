/** Homes in which hooks fire or do not, and why. Every command that reports on this must say the same. */
import { readFile } from 'node:fs/promises';
import { fingerprint } from '../../src/system/fingerprint.ts';
import { IDS, type Id } from './fired.ts';
import { trustInCodex } from './trusted.ts';
import type { World } from './world.ts';

const SERVER = new URL('./servers/notes.sh', import.meta.url);

/** The clients that have settings for the scope of a home. */
export const idsOf = ({ scope }: Home): readonly Id[] =>
  scope === 'local' ? ['claude-code'] : IDS;

/** The flag for the scope of a home, after a space. */
export const scopeOf = ({ scope }: Home): string => (scope ? ` --scope ${scope}` : '');

/** For each client in which not everything fires: the numbers of the hooks that do not. */
type NotFiring = Readonly<Partial<Record<Id, readonly number[]>>>;

export interface Home {
  readonly title: string;
  /** Added to `install`; by default the tool may be called. */
  readonly flags?: string;
  /** The tool that hook 2 calls. */
  readonly tool?: string;
  /** Given to the server by the manifest. */
  readonly env?: Readonly<Record<string, string>>;
  /** By default, the user's. With another one, every command gets its flag. */
  readonly scope?: 'project' | 'local';
  /** What happens to the home after the install. */
  readonly spoil: (world: World) => Promise<void>;
  /** Whether the user trusts the hooks in Codex before `spoil`; true by default. */
  readonly trusts?: boolean;
  readonly notFiring: NotFiring;
  /** What still does not fire after a second install; by default the same. */
  readonly after?: NotFiring;
  /** A second install is refused. */
  readonly refuses?: true;
  /** Hooks that are not installed anywhere. */
  readonly leftOut?: readonly number[];
  /** The user wants it that way, so `doctor` reports no fault. */
  readonly isWanted?: true;
  /** Clients that are not on the PATH. */
  readonly missing?: readonly Id[];
  /** A folder that comes first on the PATH. */
  readonly first?: string;
  /** Whether Node is on the PATH; true by default. */
  readonly hasNode?: boolean;
}

/** Hook 1 has a text, hook 2 calls a tool. */
const manifest = (server: object, tool = 'recall'): string =>
  JSON.stringify({
    name: 'annal',
    server,
    hooks: {
      declarations: [
        {
          event: 'post_tool_use',
          matcher: { tool_name: 'Bash', input_contains: 'git commit' },
          context: 'You just committed.',
          priority: 'important',
        },
        { event: 'session_start', context_tool: tool, priority: 'important' },
      ],
    },
  });

const BOTH = [1, 2] as const;
const in_ = (...ids: readonly Id[]): NotFiring => Object.fromEntries(ids.map((id) => [id, BOTH]));
const EVERYWHERE = in_(...IDS);
const hooks = (...numbers: number[]): NotFiring =>
  Object.fromEntries(IDS.map((id) => [id, numbers]));

const CLAUDE = '~/.claude/settings.json';
const CODEX = '~/.codex/config.toml';
const GEMINI = '~/.gemini/settings.json';
const STATE = '~/.mcp-hooks';
const RUNNER = `${STATE}/servers/annal`;
const nothing = async () => {};

/** Changes each of the files. If one stays the same, the table is wrong. */
async function edit(
  world: World,
  from: string | RegExp,
  to: string,
  files: readonly string[] = [CLAUDE, CODEX, GEMINI],
): Promise<void> {
  for (const file of files) {
    const before = await world.read(file);
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${file} has no ${from}`);
    await world.write(file, after);
  }
}

const policy = (rules: object) => (world: World) =>
  world.write(`${STATE}/policy.json`, JSON.stringify(rules));

export const HOMES: readonly Home[] = [
  { title: 'all is well', spoil: nothing, notFiring: {} },
  {
    title: 'Codex has not been told to trust',
    trusts: false,
    spoil: nothing,
    notFiring: in_('codex'),
  },
  {
    title: 'Codex has one of them switched off',
    spoil: (world) =>
      edit(world, /(\[hooks\.state\."[^\n]*post_tool_use[^\n]*\n)/, '$1enabled = false\n', [CODEX]),
    notFiring: { codex: [1] },
  },
  { title: 'a tool was not allowed', flags: '', spoil: nothing, notFiring: {}, leftOut: [2] },
  {
    title: 'policy.json mutes the server',
    spoil: policy({ muted: true }),
    notFiring: EVERYWHERE,
    isWanted: true,
  },
  {
    title: 'policy.json lets it call no tool',
    spoil: policy({ contextTool: false }),
    notFiring: hooks(2),
    isWanted: true,
  },
  {
    title: 'policy.json shows one hook of a server',
    spoil: policy({ hooksPerServer: 1 }),
    notFiring: hooks(2),
  },
  {
    title: 'policy.json cannot be read',
    spoil: (world) => world.write(`${STATE}/policy.json`, '{'),
    notFiring: EVERYWHERE,
    refuses: true,
  },
  {
    title: 'an entry runs something else as well',
    spoil: (world) => edit(world, /"command": "\{/g, '"command": "true; {', [CLAUDE]),
    notFiring: in_('claude-code'),
    after: {},
  },
  {
    title: 'the timeout of an entry was edited',
    spoil: (world) => edit(world, /"timeout": 15\b/g, '"timeout": 14', [CLAUDE]),
    notFiring: {},
  },
  {
    title: 'the matcher of an entry was edited',
    spoil: (world) =>
      edit(world, /"matcher": "[^"]*(Bash|run_shell_command)[^"]*"/g, '"matcher": "Nope"', [
        CLAUDE,
        GEMINI,
      ]),
    notFiring: { 'claude-code': [1], 'gemini-cli': [1] },
    after: {},
  },
  {
    title: 'an entry that Codex trusts was edited',
    spoil: (world) => edit(world, /timeout = 15\b/g, 'timeout = 14', [CODEX]),
    notFiring: in_('codex'),
    after: {},
  },
  {
    title: 'the entries are gone',
    spoil: async (world) => {
      for (const file of [CLAUDE, GEMINI]) await world.write(file, '{}\n');
      await world.write(CODEX, '\n');
    },
    notFiring: EVERYWHERE,
    after: in_('codex'),
  },
  {
    title: 'the settings files are gone',
    spoil: async (world) => {
      for (const file of [CLAUDE, CODEX, GEMINI]) await world.remove(file);
    },
    notFiring: EVERYWHERE,
    after: in_('codex'),
  },
  {
    title: 'the runner is gone',
    spoil: (world) => world.remove(RUNNER),
    // The record of its hooks is gone, too.
    notFiring: hooks(),
    after: {},
  },
  {
    title: 'a part of the runner is gone',
    spoil: (world) => world.remove(`${RUNNER}/claude-code.PostToolUse.json`),
    // The other hooks are still on the event for failed calls.
    notFiring: { 'claude-code': [] },
    after: {},
  },
  {
    title: 'a part of the runner was edited',
    spoil: async (world) =>
      world.write(`${RUNNER}/runner.cjs`, `${await world.read(`${RUNNER}/runner.cjs`)}//\n`),
    notFiring: EVERYWHERE,
    after: {},
  },
  {
    title: 'the node of the runner is gone',
    spoil: async (world) => {
      const names = Object.keys(await world.snapshot(RUNNER)).filter((one) => one.endsWith('.sh'));
      for (const name of names) {
        const path = `${RUNNER}/${name}`;
        await asInstalled(
          world,
          path,
          (await world.read(path)).replace(/^node=.*$/m, "node='/gone/node'"),
        );
      }
    },
    hasNode: false,
    notFiring: EVERYWHERE,
    after: {},
  },
  {
    title: 'hooks are switched off',
    spoil: async (world) => {
      await edit(world, '{', '{ "disableAllHooks": true,', [CLAUDE]);
      await edit(world, /^/, '[features]\nhooks = false\n', [CODEX]);
      await edit(world, '{', '{ "hooksConfig": { "enabled": false },', [GEMINI]);
    },
    notFiring: EVERYWHERE,
  },
  {
    title: 'the client ignores the file',
    spoil: async (world) => {
      await edit(world, '{', '{ "cleanupPeriodDays": 0,', [CLAUDE]);
      await edit(world, /^/, 'sandbox_mode = "nope"\n', [CODEX]);
      await edit(world, '{', '{ nothing,', [GEMINI]);
    },
    notFiring: EVERYWHERE,
    refuses: true,
  },
  {
    title: 'a client is too old',
    spoil: async (world) => {
      const package_ = { name: '@google/gemini-cli', version: '0.20.0' };
      await world.write('~/old/package.json', JSON.stringify(package_));
      await world.write('~/old/gemini', '#!/bin/sh\necho 0.20.0\n', 0o755);
    },
    first: '~/old',
    notFiring: in_('gemini-cli'),
  },
  {
    title: 'a client is not there',
    spoil: nothing,
    notFiring: {},
    missing: ['gemini-cli'],
  },
  {
    title: 'the program of the server is gone',
    spoil: (world) => world.remove('~/server'),
    notFiring: hooks(2),
  },
  { title: 'the tool fails', tool: 'there_is_none', spoil: nothing, notFiring: hooks(2) },
  {
    title: 'the values for the server are gone with the manifest',
    env: { TOKEN: 'x' },
    spoil: (world) => world.remove('annal.json'),
    notFiring: hooks(2),
    refuses: true,
  },
  {
    title: 'a run was interrupted',
    spoil: async (world) => {
      const ledger = JSON.parse(await world.read(`${STATE}/ledger.json`));
      const file = ledger.files[world.path(GEMINI)];
      file.next = file.record;
      await world.write(`${STATE}/ledger.json`, JSON.stringify(ledger));
    },
    notFiring: in_('gemini-cli'),
    after: {},
  },
  { title: 'everything is in a project', scope: 'project', spoil: nothing, notFiring: {} },
  {
    title: 'Codex does not trust the project',
    scope: 'project',
    spoil: (world) => edit(world, 'trust_level = "trusted"', 'trust_level = "untrusted"', [CODEX]),
    notFiring: in_('codex'),
  },
  {
    title: 'the user has not said whether Codex trusts the project',
    scope: 'project',
    spoil: (world) => edit(world, /\n\[projects[\s\S]*?"trusted"\n/, '', [CODEX]),
    notFiring: in_('codex'),
  },
  {
    title: "everything is in the user's own settings of a project",
    scope: 'local',
    spoil: nothing,
    notFiring: {},
  },
];

/** Changes a file of the runner, and records it as installed. */
async function asInstalled(world: World, path: string, text: string): Promise<void> {
  await world.write(path, text);
  const ledger = JSON.parse(await world.read(`${STATE}/ledger.json`));
  const name = path.slice(RUNNER.length + 1);
  ledger.installs[0].runner[name] = fingerprint(text);
  await world.write(`${STATE}/ledger.json`, JSON.stringify(ledger));
}

/** The clients' shells, and the programs that a runner starts, come from the machine's own PATH. */
export async function pathOf(world: World, { hasNode = true, first }: Home): Promise<string> {
  if (first) return `${world.path(first)}:${process.env.PATH}`;
  if (hasNode) return process.env.PATH ?? '';
  for (const name of ['sh', 'bash', 'cat', 'grep', 'head', 'ls', 'mkdir', 'rm', 'tr'])
    await world.link(`${world.bin}/${name}`, `/bin/${name}`);
  return world.bin;
}

/** Installs into a home, then spoils it. `run` runs a line of `mcp-hooks`. */
export async function furnish(
  world: World,
  home: Home,
  run: (line: string) => Promise<{ readonly code: number | undefined; readonly err: string }>,
): Promise<void> {
  const { flags = '--allow context-tool', tool, env, scope, trusts = true, spoil } = home;
  await world.write('~/server/notes.sh', await readFile(SERVER, 'utf8'));
  const server = {
    command: '/bin/sh',
    args: [world.path('~/server/notes.sh')],
    ...(env && { env }),
  };
  await world.write('annal.json', manifest(server, tool));
  const line = `install annal.json ${flags} --client ${idsOf(home)} --yes${scopeOf(home)}`;
  const { code, err } = await run(line.replace('  ', ' '));
  if (code !== 0) throw new Error(err);
  if (trusts) await trustInCodex(world, scope === 'project' ? scope : 'user');
  await spoil(world);
}
