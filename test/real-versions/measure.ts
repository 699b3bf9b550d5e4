// One version of a client, run with our hooks: as the newest version gets them, and as `install` writes them for this one.
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { inject } from 'vitest';
import type { Client } from '../../src/clients/contract.ts';
import { driverOf } from '../../src/clients/registry.ts';
import { placesIn } from '../../src/diagnose/live/copy.ts';
import { soundFiles } from '../../src/diagnose/live/hook-scenarios.ts';
import { type Scratch, scratch } from '../../src/diagnose/live/scratch.ts';
import { tryHooks } from '../../src/diagnose/live/trial.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { readLedger } from '../../src/install/ledger.ts';
import { type ProcessResult, run } from '../../src/system/child.ts';
import { disk } from '../../src/system/disk.ts';
import { at, type Json, list, parse, str } from '../../src/system/json.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCRATCH = join(import.meta.dirname, '.scratch');
const SERVER = join(ROOT, 'fixtures/servers/plain.mjs');

/** What is declared, in the order of the columns. */
export const CASES = [
  { name: 'session_start', hook: { event: 'session_start', context: 'AT-START' } },
  { name: 'pre_request', hook: { event: 'pre_request', context: 'WITH-PROMPT' } },
  {
    name: 'pre_tool_use',
    hook: { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, context: 'BEFORE-TOOL' },
  },
  {
    name: 'post_tool_use',
    hook: { event: 'post_tool_use', matcher: { tool_name: '{Bash,Edit}' }, context: 'AFTER-TOOL' },
  },
  {
    name: '... of an MCP server',
    hook: { event: 'post_tool_use', matcher: { tool_server: 'quux' }, context: 'OF-SERVER' },
  },
  {
    name: '... of an MCP tool',
    hook: { event: 'post_tool_use', matcher: { tool_name: 'mcp__my-srv__x' }, context: 'OF-TOOL' },
  },
  { name: 'post_request', hook: { event: 'post_request', context: 'AFTER-TURN' } },
  { name: 'session_end', hook: { event: 'session_end', context: 'AT-END' } },
  { name: 'session_end, tool', hook: { event: 'session_end', context_tool: 'recall' } },
] as const;

/** The number of the declaration that `--act-now` changes. */
const ACT_NOW = CASES.findIndex(({ name }) => name === 'post_request');

/** `yes`: as in the newest version; `other way`: as it is installed for this one. */
export type Cell = 'yes' | 'other way' | 'no' | 'not tried';

export interface Measured {
  /** By the names of the cases, and `post_request, --act-now`. */
  readonly cells: Readonly<Record<string, Cell>>;
  readonly asksForTrust: boolean;
  /** Where what we say of a hook is not what was seen. */
  readonly wrong: readonly string[];
}

/** @param deadline Milliseconds for a session. */
export async function measure(
  client: Client,
  version: string,
  deadline: number,
): Promise<Measured> {
  const folder = join(SCRATCH, `${client.id}-${version}`);
  try {
    const bin = await installed(client, version, folder);
    const plain = await both(client, version, bin, [], deadline);
    const actNow = await both(client, version, bin, ['--act-now'], deadline);
    const rows = [
      ...CASES.map(({ name }, index) => [name, plain, index] as const),
      ['post_request, --act-now', actNow, ACT_NOW] as const,
    ];
    return {
      cells: Object.fromEntries(rows.map(([name, seen, index]) => [name, cellOf(seen, index)])),
      asksForTrust: plain.asksForTrust,
      wrong: rows.flatMap(([name, { usual, own }, index]) => [
        ...differing(`${name}, installed for the newest`, usual, index),
        ...differing(`${name}, installed for it`, own, index),
      ]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Seen {
  /** What became of each declared hook: the state that `verify --live` has for it. */
  readonly seen: readonly string[];
  /** The hooks that do not fire by our own account. */
  readonly blocked: readonly number[];
}

interface Both {
  readonly usual: Seen;
  readonly own: Seen;
  readonly asksForTrust: boolean;
}

const arrives = ({ seen }: Seen, index: number) =>
  ['arrived', 'called'].includes(seen[index] ?? '');

function cellOf({ usual, own }: Both, index: number): Cell {
  if (usual.seen[index] === 'not tried') return 'not tried';
  if (arrives(usual, index)) return 'yes';
  return arrives(own, index) ? 'other way' : 'no';
}

function differing(name: string, seen: Seen, index: number): string[] {
  const said = seen.blocked.includes(index + 1) ? 'does not fire' : 'fires';
  const was = arrives(seen, index) ? 'fires' : 'does not fire';
  return said === was ? [] : [`${name}: it ${was}, and we say that it ${said}`];
}

async function both(
  client: Client,
  version: string,
  bin: string,
  flags: readonly string[],
  deadline: number,
): Promise<Both> {
  const path = `${bin}:${process.env.PATH}`;
  const usual = await inScratch(async (place) => {
    await install(place, client, '/nowhere', flags);
    return {
      seen: await tried(place, client, version, bin, deadline),
      blocked: await blocked(place, path),
    };
  });
  return inScratch(async (place) => {
    const asksForTrust = await install(place, client, path, flags);
    const seen = await tried(place, client, version, bin, deadline);
    return { usual, own: { seen, blocked: await blocked(place, path) }, asksForTrust };
  });
}

/** The client alone in a folder for the PATH. */
async function installed(client: Client, version: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await execa('npm', ['install', ...flags, `${client.npmPackage}@${version}`], { cwd: folder });
  const own = join(folder, 'node_modules', client.npmPackage);
  // What puts the native Claude Code in its place; the only script of a package that is needed.
  if (existsSync(join(own, 'install.cjs')))
    await execa(process.execPath, ['install.cjs'], { cwd: own });
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(join(folder, 'node_modules/.bin', client.executable), join(bin, client.executable));
  return bin;
}

/** Whether the user is told to agree to the hooks. */
async function install(
  place: Scratch,
  client: Client,
  path: string,
  flags: readonly string[],
): Promise<boolean> {
  const file = join(place.files, 'annal.json');
  const declarations = CASES.map(({ hook }) => ({ ...hook, priority: 'important' }));
  const server = { command: process.execPath, args: [SERVER] };
  writeFileSync(file, JSON.stringify({ name: 'annal', server, hooks: { declarations } }));
  const line = [
    'install',
    file,
    '--client',
    client.id,
    '--yes',
    '--json',
    '--allow',
    'context-tool',
  ];
  const { stdout, stderr, exitCode } = await mcpHooks(place, path, ...line, ...flags);
  if (exitCode !== 0) throw new Error(stderr);
  return str(at(list(at(parse(stdout), 'clients'))[0], 'afterInstall')) !== '';
}

/** In a session of its own, also in a version that `verify --live` would not run. */
async function tried(
  place: Scratch,
  client: Client,
  version: string,
  bin: string,
  deadline: number,
): Promise<string[]> {
  const driver = await driverOf(client);
  const places = placesIn(place.home);
  const [known] = readLedger(places.state, disk.read).ledger.installs;
  const { hooks, trouble } = await inScratch((scratch) =>
    tryHooks({
      ...{ client, driver, label: 'annal', places, disk, scratch, deadline, version },
      launch: [join(bin, client.executable)],
      runner: soundFiles(known, places, disk),
      written: readWritten(client, places, disk).hooks,
    }),
  );
  if (trouble) throw new Error(`${trouble.kind} ${trouble.what}: ${trouble.output.slice(-1000)}`);
  return CASES.map(
    (_, index) => hooks.find(({ number }) => number === index + 1)?.delivery.kind ?? '',
  );
}

/** What `list` says of hooks that do not fire because of the version. */
async function blocked(place: Scratch, path: string): Promise<number[]> {
  const { stdout } = await mcpHooks(place, path, 'list', '--json');
  const hooks = objects(parse(stdout)).filter((one) => at(one, 'hook') !== undefined);
  return hooks.flatMap((one) =>
    list(at(one, 'why')).some((why) => at(why, 'check') === 'client-version')
      ? Number(at(one, 'hook'))
      : [],
  );
}

/** Every object in a value. */
const objects = (value: Json | undefined): Json[] =>
  typeof value !== 'object' || value === null
    ? []
    : [value, ...Object.values(value).flatMap((one) => objects(one))];

const mcpHooks = (place: Scratch, path: string, ...args: string[]): Promise<ProcessResult> =>
  run([process.execPath, inject('cli')], args, {
    cwd: place.project,
    env: { HOME: place.home, PATH: path },
  });

async function inScratch<T>(use: (place: Scratch) => Promise<T>): Promise<T> {
  mkdirSync(SCRATCH, { recursive: true });
  const place = scratch(realpathSync(SCRATCH), 'run-', process.env);
  try {
    return await use(place);
  } finally {
    place.remove();
  }
}
