/** A runner installed in a scratch folder and fired as the clients fire it: whole processes, real commands. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { commandsAt, handlersIn } from '../../../src/clients/entries.ts';
import { type Compiled, type CompileOptions, compile } from '../../../src/compile/compile.ts';
import type { Program } from '../../../src/compile/program.ts';
import { runnerFiles } from '../../../src/compile/runner-files.ts';
import type { Event, Matcher, Priority } from '../../../src/declaration/declaration.ts';
import type { ServerHooks, Source } from '../../../src/declaration/declared.ts';
import { RULES } from '../../../src/declaration/policy.ts';
import { writeApproval } from '../../../src/install/consent/approval.ts';
import { launchText } from '../../../src/present/render/words.ts';
import { parseManifest } from '../../../src/sources/manifests/read.ts';
import { savedSignIn } from '../../../src/sources/oauth/address.ts';
import { template } from '../../../src/system/package-files.ts';
import { canStart, type Start, startSmall } from '../starter.ts';
import {
  type ClientId,
  clientOf,
  type Each,
  each,
  MOMENTS,
  type Moment,
  type Payload,
  recorded,
} from './clients.ts';
import { INSIDE, STAND_IN, saidInside } from './inside.ts';
import { textIn } from './shape.ts';

/** A hook as a test writes it. Fields that are left out do not matter to the test. */
export interface Hook {
  readonly event: Event;
  readonly matcher?: Matcher;
  readonly context?: string;
  readonly context_tool?: string;
  readonly context_tool_args?: Readonly<Record<string, unknown>>;
  readonly priority?: Priority;
}

export interface Setup extends Partial<Pick<CompileOptions, 'actNow' | 'extraTurns' | 'defaults'>> {
  readonly hooks: readonly Hook[];
  readonly label?: string;
  /** As a manifest has it. */
  readonly server?: unknown;
  /** The declaration's source, if it is not a manifest. */
  readonly source?: Source;
  /** The manifest's own text, instead of one made from `hooks`, `label` and `server`. */
  readonly manifest?: string;
  /** The path of Node that is written into the runner. */
  readonly node?: string;
  /** Milliseconds that the runner has; by default as compiled. */
  readonly deadline?: number;
  /** The name of the folder in which everything is. */
  readonly folder?: string;
  /** The state folder of another world, when it is shared. */
  readonly state?: string;
  /** Each client's name for the server. */
  readonly serverNames?: Each<string>;
  /** Second stages are processes, too, for tests about processes. Otherwise only the shells are, which costs a tenth. */
  readonly whole?: boolean;
}

/** A declaration from a manifest, through the reader that the commands use. */
export function declare(
  hooks: readonly Hook[],
  rest: Partial<Setup> = {},
  file = '/m.json',
): ServerHooks {
  const { label = 'annal', server, manifest } = rest;
  const declarations = hooks.map((hook) => ({
    priority: 'suggestion',
    ...(hook.context_tool === undefined && { context: 'Hello.' }),
    ...hook,
  }));
  const needsServer = hooks.some((hook) => hook.context_tool !== undefined);
  const declared = parseManifest(
    manifest ??
      JSON.stringify({
        name: label,
        ...((server !== undefined || needsServer) && { server: server ?? { command: 'none' } }),
        hooks: { declarations },
      }),
    file,
  );
  const errors = declared.problems.filter(({ level }) => level === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return declared;
}

/** A folder that is removed after the test. */
export function scratch(name = 'mcp-hooks'): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const inner = join(folder, name);
  mkdirSync(inner);
  return inner;
}

export interface Firing {
  readonly shell?: 'sh' | 'bash';
  readonly env?: Readonly<Record<string, string>>;
  /** A shell line around the command. With it, everything runs as processes. */
  readonly line?: (command: string) => string;
  /** By default, that of the world. */
  readonly whole?: boolean;
}

export interface World {
  readonly folder: string;
  readonly manifest: string;
  readonly state: string;
  /** Where the runner is. */
  readonly runner: string;
  /** Where the clients are started. */
  readonly cwd: string;
  readonly compiled: Each<Compiled>;
  /** The command in the client's config; undefined: the client starts nothing on this event. */
  readonly command: (id: ClientId, event: string) => string | undefined;
  /** Runs the command of an event. Whatever its input, it must succeed with nothing on stderr. */
  readonly fire: (
    id: ClientId,
    event: string,
    payload: Payload | string | Buffer,
    firing?: Firing,
  ) => Promise<string>;
  /**
   * What the model reads at a moment; undefined if nothing. Sends the recorded payload with changes, and each time with a new
   * occasion, as the client does.
   */
  readonly told: (
    id: ClientId,
    moment: Moment,
    changes?: Payload,
    firing?: Firing,
  ) => Promise<string | undefined>;
}

export function install(setup: Setup): World {
  const folder = scratch(setup.folder);
  const manifest = join(folder, 'manifest.json');
  const state = setup.state ?? join(folder, 'state');
  const runner = join(folder, 'runner');
  const home = join(folder, 'home');
  const cwd = join(folder, 'shop');
  for (const made of [home, cwd, runner, state]) mkdirSync(made, { recursive: true });

  const { source } = setup;
  const declared = { ...declare(setup.hooks, setup, manifest), ...(source && { source }) };
  writeFileSync(manifest, setup.manifest ?? JSON.stringify({ server: setup.server }));
  // By default, the user has granted the calls of tools.
  const defaults = { ...RULES, contextTool: true };
  const compiled = each((id) =>
    compile(declared, clientOf(id), {
      defaults,
      ...setup,
      serverName: setup.serverNames?.[id],
      runner,
      state,
      tokens: savedSignIn(declared, state),
    }),
  );
  const programs = Object.values(compiled).map(({ program }) => hurried(program, setup.deadline));
  const runsInside = setup.node === undefined;
  const standIn = join(folder, 'node');
  if (runsInside) writeFileSync(standIn, STAND_IN, { mode: 0o755 });
  const node = runsInside ? standIn : (setup.node ?? process.execPath);
  for (const { name, bytes, mode } of runnerFiles(
    { node, platform: process.platform, template },
    runner,
    programs,
    writeApproval(declared, launchText),
  ))
    writeFileSync(join(runner, name), bytes, { mode });

  const command = (id: ClientId, event: string): string | undefined => {
    const client = clientOf(id);
    return compiled[id].groups
      .filter((placed) => placed.event === event)
      .flatMap(({ group }) => handlersIn(client, group))
      .flatMap(({ handler }) => commandsAt(client.entry.commands, handler))
      .at(0);
  };
  const fire: World['fire'] = async (id, event, payload, firing = {}) => {
    const { shell = 'sh', env, line, whole = setup.whole } = firing;
    const text = command(id, event);
    if (text === undefined) return '';
    const inside = runsInside && !whole && !line;
    const given = env ?? { PATH: process.env.PATH, HOME: home };
    const input = Buffer.isBuffer(payload)
      ? payload
      : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const start = {
      argv: [shell, '-c', line?.(text) ?? text],
      input,
      cwd,
      env: { ...given, ...(inside && INSIDE) },
    };
    const isSmall = inside && canStart(start);
    const { stdout, ...ended } = await (isSmall ? startSmall(start) : run(start));
    expect(ended).toEqual({ code: 0, ...(!isSmall && { signal: null }), stderr: '' });
    return inside ? saidInside({ cwd, env: given }, stdout) : stdout.toString();
  };
  const told: World['told'] = async (id, moment, changes, firing) => {
    const { event, file } = MOMENTS[moment][id];
    const payload = recorded(id, file, { cwd, ...anew(recorded(id, file)), ...changes });
    return textIn(id, event, await fire(id, event, payload, firing));
  };
  return { folder, manifest, state, runner, cwd, compiled, command, fire, told };
}

/** Runs a process from start to end, with nothing more, because there are thousands. */
async function run({ argv: [program = '', ...args], input, ...options }: Start) {
  const child = spawn(program, args, options);
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    return chunks;
  });
  child.stdin.on('error', () => {}).end(input); // it may exit without reading
  const [code, signal] = await once(child, 'close');
  const whole = (chunks: Buffer[] = []) => Buffer.concat(chunks);
  return { stdout: whole(stdout), stderr: whole(stderr).toString(), code, signal };
}

/** Distinguishes one event from the next: never the same twice, as in a real session. */
let occasions = 0;
function anew(payload: Payload): Payload {
  occasions += 1;
  const keys = ['prompt_id', 'turn_id', 'tool_use_id', 'timestamp', 'message_id'];
  const next = (value: unknown) =>
    typeof value === 'number' ? value + occasions : `${value}-${occasions}`;
  return Object.fromEntries(
    keys.filter((key) => key in payload).map((key) => [key, next(payload[key])]),
  );
}

const hurried = (program: Program, deadline: number | undefined): Program =>
  deadline === undefined
    ? program
    : {
        ...program,
        events: Object.fromEntries(
          Object.entries(program.events).map(([event, one]) => [
            event,
            { ...one, deadline, most: deadline },
          ]),
        ),
      };

const HEADING = /(?:^|\n\n)Note from the MCP server "[^"\n]+", not from the user, [^\n]*\.\n/;

/** The texts of the hooks in what the model reads, without headings and the marks of their lines. */
export const bodies = (told: string | undefined): string[] =>
  told === undefined
    ? []
    : told
        .split(HEADING)
        .slice(1)
        .map((text) => text.replace(/^\| /gm, ''));

/** The text of every file below a folder. */
export function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
}

export const root = dirname(dirname(dirname(import.meta.dirname)));
