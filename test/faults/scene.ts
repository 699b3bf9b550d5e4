/** The home in which runs go wrong, and the conditions that must always hold for it. */
import { basename, dirname, join } from 'node:path';
import { clientOf } from '../../src/compile/runner-files.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import type { World } from '../support/world.ts';
import { type Ended, ours } from './processes.ts';
import { capture, differences, restore, sameBytes, type Tree } from './tree.ts';

/** The settings files by client, below the home. */
export const CONFIGS = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
} as const;

export const STATE = '.mcp-hooks';
const RUNNER = `${STATE}/servers/notes`;
/** The first stages named in a client's file. Each has its program beside it. */
const STAGE = new RegExp(`${RUNNER}/([\\w.-]+)\\.sh`, 'g');

export const CLAUDE_SETTINGS = `{
  "model": "opus",
  "hooks": {
    "PostToolUse": [
      { "matcher": "Edit", "hooks": [{ "type": "command", "command": "prettier --write" }] }
    ]
  }
}
`;
export const CODEX_CONFIG = `# mine
model = "gpt-5"

[[hooks.PostToolUse]]
matcher = "Bash"
[[hooks.PostToolUse.hooks]]
type = "command"
command = "date >> ~/log" # when

[mcp_servers.files]
command = "uvx"
`;

/** The clients are named, because the search for installed clients is not under test here. */
const ALL = '--client claude,codex,gemini --name notes --yes';
export const INSTALL = `install notes.json ${ALL}`;
const UPDATE = `install changed.json ${ALL} --replace`;
/** Takes out the hooks that the manifest was imported from, and adds its server to the clients' files. */
const MOVE = `install moved.json ${ALL} --allow command,project-code --replace-originals --with-server`;
export const UNINSTALL = 'uninstall notes --yes';

/** Claude Code and Codex have settings with hooks of the user; Gemini CLI has an empty folder. */
export async function furnish(world: World): Promise<void> {
  await world.write('~/.claude/settings.json', CLAUDE_SETTINGS, 0o640);
  await world.write('~/.codex/config.toml', CODEX_CONFIG);
  await world.folder('~/.gemini');
  await world.write('notes.json', manifest(COMMITTED));
  await world.write('changed.json', manifest({ ...COMMITTED, matcher: { tool_name: 'Write' } }));
}

/** A command, the home before it, and the home after it if nothing goes wrong. */
export interface Scenario {
  readonly line: string;
  readonly before: Tree;
  readonly after: Tree;
}

export const SCENARIOS = ['install', 'update', 'uninstall', 'move'] as const;
export type Scenarios = Readonly<Record<(typeof SCENARIOS)[number], Scenario>>;

/**
 * The undisturbed runs. Checks once that an uninstall restores the first home, byte for byte. After that, a home
 * equal to the home after an install counts as restorable.
 */
export async function undisturbed(world: World): Promise<Scenarios> {
  await furnish(world);
  const first = capture(world.home);
  const scenario = async (line: string, before: Tree): Promise<Scenario> => {
    restore(world.home, before);
    const { code, err } = await ours(world, line);
    if (code !== 0 || err !== '') throw new Error(`${line} ended with ${code}: ${err}`);
    return { line, before, after: capture(world.home) };
  };
  const install = await scenario(INSTALL, first);
  const update = await scenario(UPDATE, install.after);
  const uninstall = await scenario(UNINSTALL, install.after);
  restore(world.home, first);
  await drafted(world);
  const move = await scenario(MOVE, first);
  for (const [path, taken, added] of MOVED) {
    const text = String(move.after.get(path)?.bytes);
    if (text.includes(taken)) throw new Error(`${path} still has ${taken}`);
    if (!text.includes(added)) throw new Error(`${path} has no ${added}`);
  }
  const all = [uninstall.after];
  for (const { after } of [update, move]) all.push((await scenario(UNINSTALL, after)).after);
  const wrong = all.flatMap((tree) => differences(tree, first));
  if (wrong.length > 0) throw new Error(`uninstall does not give back the home: ${wrong}`);
  return { install, update, uninstall, move };
}

/** The files that a move changes, and what each of them loses and gets. */
const MOVED = [
  [CONFIGS['claude-code'], 'prettier', RUNNER],
  [CONFIGS.codex, 'date >>', 'moved-server'],
  [CONFIGS['gemini-cli'], 'prettier', 'moved-server'],
  ['.claude.json', 'prettier', 'moved-server'],
] as const;

/** Writes the manifest that `import` makes of the hooks in the home, with a server. */
async function drafted(world: World): Promise<void> {
  const { code, err } = await ours(world, 'import --out draft.json --client claude,codex');
  if (code !== 0) throw new Error(err);
  const draft = JSON.parse(await world.read('draft.json'));
  const server = { command: 'uvx', args: ['moved-server'] };
  await world.write('moved.json', JSON.stringify({ ...draft, server }));
}

/** Complaints about conditions that must hold in the home at any moment, even in the middle of a run. */
export function torn(home: Tree, { before, after }: Scenario): string[] {
  const complaints: string[] = [];
  const old = (path: string) => sameBytes(home.get(path), before.get(path));
  const whole = (path: string) => old(path) || sameBytes(home.get(path), after.get(path));
  const shared = [...before.keys(), ...after.keys()]
    .filter((path) => dirname(path) === RUNNER && !clientOf(basename(path)))
    .map((path) => basename(path));
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (path.startsWith(STATE) || whole(path)) continue;
    const bytes = home.get(path)?.bytes;
    complaints.push(`${path} is ${bytes ? `torn (${bytes.length} bytes)` : 'missing'}`);
  }
  for (const [client, path] of Object.entries(CONFIGS)) {
    const config = home.get(path)?.bytes;
    if (!config?.includes(RUNNER)) continue;
    const stages = [...config.toString().matchAll(STAGE)].map(([, name = '']) => name);
    if (stages.length === 0 || stages.some((name) => !name.startsWith(`${client}.`)))
      complaints.push(`${path} names ${stages.join(', ') || 'no first stage'}`);
    const files = stages.flatMap((name) => [`${name}.sh`, `${name}.json`]);
    for (const name of new Set([...files, ...shared])) {
      const file = `${RUNNER}/${name}`;
      if (!home.get(file)?.bytes) complaints.push(`${path} names a runner without ${name}`);
      else if (!whole(file)) complaints.push(`${path} names a runner whose ${name} is torn`);
    }
  }
  return complaints;
}

/** Complaints about a run that ended by itself: it must have done everything, or nothing and said why. */
export function halfDone(home: Tree, { code, err }: Ended, { before, after }: Scenario): string[] {
  if (code === 0) return differences(home, after).map((what) => `exit 0, but ${what}`);
  const complaints = code === 2 ? [] : [`exit code ${code}`];
  if (err.trim() === '') complaints.push('it says nothing');
  for (const what of differences(home, before)) complaints.push(`exit ${code}, but ${what}`);
  return complaints;
}

/** Runs the command again, undisturbed. The result must be that of an undisturbed first run. */
export async function again(world: World, { line, after }: Scenario): Promise<string[]> {
  const { code, err, late } = await ours(world, line);
  if (late) return ['run again, it hangs'];
  const gone = line === UNINSTALL && code === 2 && err.includes('is not installed');
  if (code !== 0 && !gone) return [`run again, it ends with ${code}: ${err}`];
  return differences(capture(world.home), after).map((what) => `run again, ${what}`);
}

/** Uninstalls the remains of a killed first install. The home must be the same as before the install. */
export async function takenOut(world: World, home: Tree, { before }: Scenario): Promise<string[]> {
  if (before.has(STATE)) return [];
  restore(world.home, home);
  const { code, err, late } = await ours(world, UNINSTALL);
  if (late) return ['the uninstall hangs'];
  if (code !== 0 && !(code === 2 && err.includes('is not installed')))
    return [`the uninstall ends with ${code}: ${err}`];
  return differences(capture(world.home), before).map((what) => `after the uninstall, ${what}`);
}

export const configOf = (world: World, client: keyof typeof CONFIGS): string =>
  join(world.home, CONFIGS[client]);
