/** A label's hooks as known to its runner, and the parts of a session without a network in which all of them run. */

import { isAbsolute, join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import type { ClientDriver, Session, StdioServer } from '../../clients/driver/driver.ts';
import { type Step, shell } from '../../clients/driver/script.ts';
import { type Places, runnerFolder } from '../../clients/places.ts';
import { namesFor } from '../../compile/glob.ts';
import type { EventProgram, ProgramHook, ProgramServer } from '../../compile/program.ts';
import { parseProgram } from '../../compile/runner-files.ts';
import { secondStage } from '../../compile/second-stage.ts';
import { type Event, TOOL_EVENTS } from '../../declaration/declaration.ts';
import { runnerDrift } from '../../install/drift.ts';
import type { Install } from '../../install/ledger.ts';
import { startsWithoutNpx } from '../../install/package-copies.ts';
import { partsOf, readAt, seenAs } from '../../sources/entry.ts';
import { type Launcher, launcherOf } from '../../sources/launchers/launcher.ts';
import { type NpxPlace, programOfNpx } from '../../sources/launchers/npx.ts';
import { isForNode } from '../../sources/manifests/package-json.ts';
import type { Disk } from '../../system/disk.ts';
import { attempt } from '../../system/errors.ts';
import { TEMPLATES } from '../../system/package-files.ts';
import { stringsIn } from '../../system/strings.ts';
import type { BoundHook } from './delivery.ts';

type RunnerFiles = ReadonlyMap<string, Buffer>;

/** The files of a label's runner that are as installed. No other files of it may be run. */
export function soundFiles(
  install: Install | undefined,
  places: Places,
  disk: Pick<Disk, 'read'>,
): RunnerFiles {
  if (!install) return new Map();
  const folder = runnerFolder(places, install.label);
  const wrong = runnerDrift(install, places, disk.read).map(({ what }) => what);
  return new Map(
    Object.keys(install.runner).flatMap((name) => {
      const bytes = wrong.includes(name) ? null : disk.read(join(folder, name));
      return bytes ? [[name, bytes] as const] : [];
    }),
  );
}

export interface Subject {
  readonly client: Client;
  readonly driver: ClientDriver;
  readonly label: string;
  readonly places: Places;
  readonly disk: Pick<Disk, 'read'>;
  /** Names and bytes of the runner's files that are as installed. */
  readonly runner: RunnerFiles;
  /** The folder of the session. */
  readonly project: string;
  /** The names of the client's servers, as the user has configured them. */
  readonly servers: readonly string[];
}

export interface ScriptedHook extends Pick<ProgramHook, 'number' | 'event'> {
  readonly on: readonly BoundHook[];
  /** The call for a hook that is about tools; absent if no script can make it. */
  readonly fitting?: Fitting | undefined;
}

/** The runner's readable programs. The check of the runner reports the others. */
export const programsOf = ({ client, runner }: Subject): EventProgram[] =>
  [...runner].flatMap(([name, bytes]) =>
    name.startsWith(`${client.id}.`) && name.endsWith('.json') ? (parseProgram(bytes) ?? []) : [],
  );

/** A declared hook may be shown on several native events. Events on which it only sets a mark do not count. */
export function knownHooks(programs: readonly EventProgram[], subject: Subject): ScriptedHook[] {
  const hooks = new Map<number, ScriptedHook>();
  const all = programs.flatMap((program) => program.hooks.map((hook) => ({ program, hook })));
  for (const bound of all) {
    const { number, event, act } = bound.hook;
    if (act === 'mark') continue;
    // A hook that waits for another event has its conditions on the event that marks it.
    const { program, hook } =
      all.find((one) => one.hook.number === number && one.hook.when !== undefined) ?? bound;
    const fitting = TOOL_EVENTS.includes(event)
      ? fittingCall(hook.when ?? {}, program, subject, isOfFailures(hook))
      : undefined;
    const on = [...(hooks.get(number)?.on ?? []), bound];
    hooks.set(number, { number, event, on, fitting });
  }
  return [...hooks.values()].sort((a, b) => a.number - b.number);
}

/** A server for each tool that will be called. None of the user's servers is started. */
export function mockServers(hooks: readonly ScriptedHook[]): Record<string, StdioServer> {
  const wanted = hooks.flatMap(({ fitting }) => fitting?.standIn ?? []);
  const tools = (server: string) =>
    new Set(wanted.flatMap((one) => (one.server === server ? [one.tool] : [])));
  return Object.fromEntries(
    wanted.map(({ server }) => [
      server,
      {
        command: process.execPath,
        args: [join(TEMPLATES, 'mock-server.cjs'), server, ...tools(server)],
      },
    ]),
  );
}

type Script = Pick<Session, 'prompts' | 'aside' | 'turns'> & {
  readonly steps: Step[];
  /** The history after a compaction. */
  readonly summary?: string;
};

const PROMPTS = ['The first prompt of mcp-hooks verify.', 'The second prompt of mcp-hooks verify.'];
/** The prompts of a session without a compaction. */
export const TURNS = PROMPTS.length;

/**
 * One turn with each call once, and one turn after it. At the end of the script, the model still answers hooks. If a hook needs
 * it, the calls use up a budget, and the history is compacted between the turns or in the second one.
 *
 * @param haveRun Waits until the hooks of a native event have run.
 */
export function scriptFor(
  hooks: readonly ScriptedHook[],
  { compaction }: ClientDriver,
  haveRun: (native: string) => Promise<void>,
): Script {
  const calls = hooks.flatMap(({ fitting }) => (fitting ? [fitting.steps] : []));
  const distinct = new Map(calls.map((steps) => [JSON.stringify(steps), steps]));
  const tokens = tokensFor(hooks);
  // On a busy machine, the client writes down the usage of an answer only after the hook of its call has looked.
  const spent = tokens === undefined ? [] : [shell('spent'), shell('spent again')];
  const used = tokens === undefined ? {} : { tokens };
  const steps: Step[] = [
    ...[...distinct.values()].flat(),
    ...spent.map((step) => ({ ...step, ...used })),
    { text: 'The first answer.', ...used },
  ];
  if (!compaction || !hooks.some(({ event }) => COMPACTIONS.includes(event)))
    return { prompts: PROMPTS, steps };
  const { turns, prompt, aside, unawaited } = compaction;
  const after = unawaited === undefined ? undefined : () => haveRun(unawaited);
  const more = compaction.steps.map((step) => ({ ...step, ...(after && { after }) }));
  const [first = '', ...later] = PROMPTS;
  const prompts = [first, ...(prompt === undefined ? [] : [prompt]), ...later];
  return {
    ...{ prompts, steps: [...steps, ...more], summary: 'The summary.' },
    ...(turns && { turns }),
    ...(aside !== undefined && { aside }),
  };
}

const COMPACTIONS: readonly Event[] = ['pre_compact', 'post_compact'];

/** The number of tokens at which every budget warns; undefined: there is no budget, or the client would compact before. */
function tokensFor(hooks: readonly ScriptedHook[]): number | undefined {
  const budgets = hooks.flatMap(({ on }) => on.flatMap(({ hook }) => hook.extended?.budget ?? []));
  const enough = budgets.map(({ tokens, warn, fire }) => (tokens * Math.min(warn, fire)) / 100);
  const most = Math.ceil(Math.max(0, ...enough));
  return most > 0 && most <= UNCOMPACTED ? most : undefined;
}

/** The number of tokens up to which no client compacts. */
const UNCOMPACTED = 120_000;

/** Whether a hook is only about failed calls. */
const isOfFailures = ({ event, extended }: ProgramHook): boolean =>
  event === 'tool_error' || extended?.when?.failed === true;

/** A command that ends with an error. */
const failing = (step: Step): Step =>
  'shell' in step ? { ...step, shell: `${step.shell}\nexit 3` } : step;

/** The model's calls, in order, and the MCP tool that must exist for them. */
interface Fitting {
  readonly steps: readonly Step[];
  /** The client's own tool. */
  readonly tool?: string;
  /** The description of the server's tool for the model. */
  readonly described?: string;
  readonly standIn?: { readonly server: string; readonly tool: string };
}

type When = NonNullable<ProgramHook['when']>;

/** Undefined if no script can make such a call. */
function fittingCall(
  when: When,
  { names }: EventProgram,
  subject: Subject,
  fails: boolean,
): Fitting | undefined {
  const { tool, mcpTool, input = '', server } = when;
  const { driver, project, servers } = subject;
  const isMeant = (name: string) =>
    tool === undefined || secondStage().isOf(name, { tool, ...(mcpTool && { mcpTool }) });
  if (server === undefined)
    for (const [native, calling] of Object.entries(driver.tools).slice(0, fails ? 1 : undefined)) {
      if (![native, ...(names.aliases[native] ?? [])].some(isMeant)) continue;
      const steps = calling(input, project);
      if (steps && contains(steps, input))
        return { steps: fails ? steps.map(failing) : steps, tool: native };
    }
  if (fails) return undefined;
  const clean = (text: string) => text.replace(new RegExp(`[^${names.allowed}]`, 'g'), '_');
  const wanted = [
    ...(server === undefined ? [] : [`mcp__${clean(server)}__note`]),
    ...namesFor(tool ?? []),
  ].flatMap((name) => split(name, server === undefined ? undefined : clean(server)));
  for (const one of wanted) {
    if (!isMeant(`mcp__${one.server}__${one.tool}`)) continue;
    // The client builds a tool's name from the server's real name.
    const real = servers.find((name) => clean(name) === clean(server ?? one.server));
    const standIn = { server: real ?? server ?? one.server, tool: one.tool };
    const described = `: ${standIn.tool} of ${standIn.server}.`;
    return { steps: [{ described, input: { text: input } }], described, standIn };
  }
  return undefined;
}

/** The server and the tool in `mcp__<server>__<tool>`. */
function split(name: string, server: string | undefined) {
  const [, first = '', rest = ''] =
    server !== undefined && name.startsWith(`mcp__${server}__`)
      ? ['', server, name.slice(`mcp__${server}__`.length)]
      : (/^mcp__(.+?)__(.+)$/s.exec(name) ?? []);
  return first === '' || rest === '' ? [] : [{ server: first, tool: rest }];
}

/** Whether a string of the call contains the word, as the hook would check it. */
const contains = (steps: readonly Step[], word: string): boolean =>
  steps.some((step) =>
    'shell' in step
      ? step.shell.includes(word)
      : 'call' in step && stringsIn(step.call.input).some((text) => text.includes(word)),
  );

type Command = Extract<ProgramServer, { command: string }>;

/**
 * Replaces the runner's servers with servers that can start here. `downloads` returns the launcher that would first have to
 * download a program's server.
 *
 * @param around Where npx looks for the packages of a server without a working directory.
 */
export function offline(runner: RunnerFiles, around: NpxPlace) {
  const missing = new Map<string, Launcher>();
  const keyOf = ({ client, native }: EventProgram) => `${client} ${native}`;
  const files = [...runner].map(([name, bytes]): [string, Buffer] => {
    const program = name.endsWith('.json') ? parseProgram(bytes) : undefined;
    const started = program?.server && commandOf(program.server);
    const launcher = started && launcherOf(started.command, started.args);
    // Docker stores its images outside the home.
    if (!program || !started || !launcher || launcher.kind === 'docker') return [name, bytes];
    const { copy } = program.server ?? {};
    if (copy && startsWithoutNpx(copy)) return [name, bytes];
    const there = { ...around, cwd: started.cwd ?? around.cwd };
    const file =
      launcher.kind === 'npm' && started.whole ? programOfNpx(launcher, there) : undefined;
    if (file === undefined) missing.set(keyOf(program), launcher);
    const { whole: _, ...command } = started;
    const [first, ...more] = file === undefined ? NOTHING : [...starting(file), ...launcher.args];
    const server: Command = { ...command, command: first ?? '', args: more };
    return [name, Buffer.from(JSON.stringify({ ...program, server }))];
  });
  const downloads = (program: EventProgram) => missing.get(keyOf(program));
  return { runner: new Map(files), downloads };
}

/** Exits immediately, where a launcher would wait for a registry. */
const NOTHING: readonly string[] = [process.execPath, '-e', ''];

/** The words that start a program. Node scripts run with our own node. */
const starting = (file: string): string[] => (isForNode(file) ? [process.execPath, file] : [file]);

/**
 * How a server is started, with its variables unresolved. Undefined if it has a URL, or if its configuration has changed, which
 * the runner notices.
 *
 * @returns `whole`: this form loses nothing of its configuration.
 */
function commandOf(server: ProgramServer): (Command & { readonly whole: boolean }) | undefined {
  if ('command' in server) return { ...server, whole: true };
  if ('url' in server) return undefined;
  const { given, entry } = server;
  const parts = attempt(() => partsOf(readAt(entry), entry.fields)); // the runner reports an unreadable entry
  if (!parts || !('command' in parts) || seenAs(parts) !== entry.seen) return undefined;
  const { command, args, cwd, envFile, passedOn } = parts;
  const { file, format, path, names, steering, passing } = entry;
  const env = { file, format, path: [...path, 'env'], names, steering, passing };
  const isWhole = envFile === undefined && passedOn.length === 0;
  const whole = isWhole && (cwd === undefined || isAbsolute(cwd));
  return { given, command, args, env, cwd, whole };
}
