/** A home with hooks of `annal` in every client, and the results of `fire` and `verify` there. */
import { parse, stringify } from 'smol-toml';
import { fingerprint } from '../../src/system/fingerprint.ts';
import { trustInCodex } from './trusted.ts';
import type { World } from './world.ts';

/** The clients' shells, and the programs that a runner's first stage starts, come from the machine's own PATH. */
export const env = { PATH: process.env.PATH };

const STATE = '~/.mcp-hooks';
const LEDGER = `${STATE}/ledger.json`;

export interface Hook {
  readonly event: string;
  readonly matcher?: object;
  readonly context?: string;
  readonly context_tool?: string;
  readonly priority?: string;
}

/** Installs for every client, whether or not it is on this machine. `whole`: second stages are processes, too. */
export async function installed(
  world: World,
  hooks: readonly Hook[],
  rest: object = {},
  flags: readonly string[] = [],
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<void> {
  const declarations = hooks.map((hook) => ({
    priority: 'suggestion',
    ...(hook.context_tool === undefined && { context: 'Hello.' }),
    ...hook,
  }));
  await world.write('annal.json', JSON.stringify({ ...rest, hooks: { declarations } }));
  const all =
    'install annal.json --yes --allow context-tool --client claude-code,codex,gemini-cli'.split(
      ' ',
    );
  const { code, err } = await world.run([...all, ...flags], { env, whole });
  if (code !== 0) throw new Error(err);
  await trustInCodex(world, flags.includes('project') ? 'project' : 'user');
}

export const IDS = ['claude-code', 'codex', 'gemini-cli'] as const;
export type Id = (typeof IDS)[number];

/**
 * The clients' files, and the one native event that each has for `post_tool_use`, with a second in the unit of its timeouts.
 */
export const CONFIGS = {
  'claude-code': { path: '~/.claude/settings.json', event: 'PostToolUse', second: 1 },
  codex: { path: '~/.codex/config.toml', event: 'PostToolUse', second: 1 },
  'gemini-cli': { path: '~/.gemini/settings.json', event: 'AfterTool', second: 1000 },
} as const;

type Settings = Record<string, Record<string, Group[]>>;
export interface Group {
  matcher?: string;
  hooks: { command: string; timeout: number }[];
}

/** Rewrites the groups under every event in every client's file. */
export async function rewrite(
  world: World,
  change: (groups: Group[], event: string, id: Id) => Group[],
): Promise<void> {
  for (const id of IDS) {
    const { path } = CONFIGS[id];
    const isToml = path.endsWith('.toml');
    const text = await world.read(path);
    const settings: Settings = isToml ? parse(text) : JSON.parse(text);
    for (const [event, groups] of Object.entries(settings.hooks ?? {}))
      if (Array.isArray(groups))
        Object.assign(settings.hooks ?? {}, { [event]: change(groups, event, id) });
    await world.write(path, isToml ? stringify(settings) : JSON.stringify(settings, null, 2));
  }
}

/** Replaces files of the runner, by default every first stage, as if a version of ours had installed them. */
export async function replaceRunner(
  world: World,
  change: string | ((text: string) => string),
  names = /\.sh$/,
): Promise<void> {
  const ledger = JSON.parse(await world.read(LEDGER));
  for (const name of Object.keys(await world.snapshot(RUNNER)).filter((one) => names.test(one))) {
    const text =
      typeof change === 'string' ? change : change(await world.read(`${RUNNER}/${name}`));
    await world.write(`${RUNNER}/${name}`, text);
    ledger.installs[0].runner[name] = fingerprint(text);
  }
  await world.write(LEDGER, JSON.stringify(ledger));
}
export const RUNNER = `${STATE}/servers/annal`;

export const policy = (world: World, rules: object): Promise<void> =>
  world.write('~/.mcp-hooks/policy.json', JSON.stringify(rules));

/** The memory of sessions. */
export const remembered = async (world: World): Promise<string[]> =>
  Object.keys(await world.snapshot('~/.mcp-hooks')).filter((name) => name.startsWith('sessions'));
