/** Tries a label's hooks in a session of the real client, in a scratch home and with a scripted model. */

import { setTimeout } from 'node:timers/promises';
import type { Client } from '../../clients/contract.ts';
import { packagedVersion } from '../../clients/detect.ts';
import {
  atHome,
  type Place,
  type Session,
  type SessionResult,
} from '../../clients/driver/driver.ts';
import { Model } from '../../clients/driver/model.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { logFiles, sessionsFolder } from '../../clients/places.ts';
import { findServerClient, trustOf } from '../../clients/registry.ts';
import type { ProgramHook } from '../../compile/program.ts';
import { TOOL_EVENTS } from '../../declaration/declaration.ts';
import { isMuted, RULES, rulesFor } from '../../declaration/policy.ts';
import { readPolicy } from '../../install/policy-file.ts';
import { readConfigurations } from '../../sources/configurations.ts';
import { type Executable, run, TookTooLong } from '../../system/child.ts';
import { type Message, reasonOf, type SystemReason, UserError } from '../../system/errors.ts';
import { list, read } from '../../system/files.ts';
import { redactor } from '../../system/secrets.ts';
import { parseLog } from '../log.ts';
import { copyHooks, placesIn, type Scratch } from './copy.ts';
import { type BoundHook, type Delivery, deliveryOf, mayShowNothing } from './delivery.ts';
import {
  knownHooks,
  mockServers,
  offline,
  programsOf,
  type ScriptedHook,
  type Subject,
  scriptFor,
  TURNS,
} from './hook-scenarios.ts';

/** The result for one declared hook. */
export interface Tried extends Pick<ProgramHook, 'number' | 'event'> {
  readonly natives: readonly string[];
  /** The client's own name of the tool that was called for it. */
  readonly tool?: string | undefined;
  readonly delivery: Delivery;
}

export interface Trial {
  readonly hooks: readonly Tried[];
  /** Native events with an entry for which the runner has no readable program. */
  readonly broken: readonly string[];
  readonly requests: number;
  readonly trouble?: TrialTrouble;
}

interface TrialTrouble {
  readonly kind: 'too-long' | 'exit' | 'loopback' | 'failed';
  /** The exit code, its time limit in seconds, or the system's error. */
  readonly what: Message | string;
  readonly output: string;
}

interface TrialOptions extends Omit<Subject, 'project' | 'servers'> {
  readonly launch: Executable;
  readonly written: readonly ConfiguredHook[];
  readonly scratch: Scratch;
  /** Milliseconds for the client. */
  readonly deadline: number;
}

export async function tryHooks(given: TrialOptions): Promise<Trial> {
  const { driver, label, places, written, disk, scratch } = given;
  const cwd = places.project ?? places.home;
  const { runner, downloads } = offline(given.runner, { cwd, env: places.env });
  const options = { ...given, runner };
  const subject = { ...options, project: scratch.project, servers: serversOf(given, cwd) };
  const programs = programsOf(subject);
  const hooks = knownHooks(programs, subject);
  driver.prepare(scratch);
  driver.addServers(scratch, mockServers(hooks));
  copyHooks(options, scratch.home, { from: programs[0]?.onlyIn, to: scratch.project });
  const { state } = placesIn(scratch.home);
  const logged = () =>
    logFiles(state, label).flatMap(
      (file) => parseLog(label, disk.read(file)?.toString() ?? '').entries,
    );
  // A text that waits for the next prompt is marked but not logged (templates/runner/memory.cts).
  const isNoted = () => list(sessionsFolder(state)).some((name) => name.endsWith('.mark'));
  const script = scriptFor(hooks, driver, (native) =>
    within(HOOK, () => isNoted() || logged().some(({ event }) => event === native)),
  );
  // A session with an additional prompt takes longer, and one with a process per prompt even longer.
  const turns = script.turns === 'resume' ? 1 : TURNS;
  const deadline = (given.deadline * script.prompts.length) / turns;
  const { outcome, trouble } = await runClient({ ...options, deadline }, script);
  const log = logged();
  const entries = [...new Set(written.map(({ native }) => native))];

  const delivery = ({ event, on, fitting }: ScriptedHook): Delivery => {
    if (TOOL_EVENTS.includes(event) && !fitting) return { kind: 'not-tried', why: 'script' };
    const [native = ''] = on.map(({ program }) => program.native);
    if (!on.some(({ program }) => entries.includes(program.native)))
      return { kind: 'missing', why: 'entry', what: native };
    if (!outcome) return { kind: 'missing', why: 'session' };
    const { conversation } = outcome;
    const found = deliveryOf(on, { label, ...script, conversation, log });
    if (found.kind !== 'missing') return found;
    const ruled = byPolicy(on, options);
    if (ruled) return ruled;
    const launcher = on.map(({ program, hook }) => hook.call && downloads(program))[0];
    if (launcher) return { kind: 'not-tried', why: 'network', launcher };
    if (trouble) return { kind: 'missing', why: 'session' };
    return (found.why === 'no-text' ? mayShowNothing(on) : undefined) ?? found;
  };
  return {
    hooks: hooks.map((known): Tried => {
      const { number, event, on, fitting } = known;
      const natives = on.map(({ program }) => program.native);
      const { tool, described = '' } = fitting ?? {};
      const name = tool ?? outcome?.conversation.names.get(described);
      return { number, event, natives, tool: name, delivery: delivery(known) };
    }),
    broken: entries.filter((native) => !programs.some((program) => program.native === native)),
    requests: outcome?.conversation.requests.length ?? 0,
    ...(trouble && { trouble }),
  };
}

/** Milliseconds for a client to run a hook that it does not wait for. */
const HOOK = 10_000;

/** Waits until the condition holds or the time is over. */
async function within(milliseconds: number, isSo: () => boolean): Promise<void> {
  const until = Date.now() + milliseconds;
  while (!isSo() && Date.now() < until) await setTimeout(20);
}

function serversOf({ client, places: { env, home } }: TrialOptions, cwd: string) {
  const from = findServerClient(client.id);
  const at = { env, home, cwd, platform: process.platform };
  const { entries } = readConfigurations(at, from ? [from] : []);
  return entries.map(({ name }) => name);
}

/** Why the user's policy leaves out a hook. */
function byPolicy(on: readonly BoundHook[], { places, label, disk }: TrialOptions) {
  try {
    const [then] = on.map(({ program }) => program.policy);
    const policy = readPolicy(places.state, disk.read);
    const granted = { ...RULES, ...then?.rules };
    const rules = rulesFor(policy, label, granted, then?.restricting !== undefined);
    const isOff = on.every(
      ({ hook }) => isMuted(rules, hook.id) || (hook.call && !rules.contextTool),
    );
    return isOff ? ({ kind: 'off' } as const) : undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: 'missing', why: 'policy', what: error.problem } as const;
  }
}

async function runClient(
  { client, driver, launch, scratch, deadline }: TrialOptions,
  script: Pick<Session, 'prompts' | 'steps' | 'aside' | 'turns'>,
): Promise<{ outcome?: SessionResult; trouble?: TrialTrouble }> {
  const { home, project, outer, files } = scratch;
  const alone = await loopbackTrouble();
  if (alone !== undefined) return { trouble: { kind: 'loopback', what: alone, output: '' } };
  const env = {
    // The home may be outside the temporary folder, in which a client may do less.
    TMPDIR: files,
    // Makes the runner log the texts that it shows.
    MCP_HOOKS_DEBUG: '1',
  };
  try {
    const until = Date.now() + deadline;
    if (trustOf(client)) await driver.trust?.(scratch, launch, { env, deadline });
    const left = Math.max(1, until - Date.now());
    const session = { home, project, outer, launch, ...script, env };
    const outcome = await driver.run({ ...session, deadline: left });
    const { exitCode, stdout, stderr } = outcome;
    const what = String(exitCode);
    const trouble = { kind: 'exit', what, output: mask(stderr || stdout) } as const;
    return exitCode === 0 ? { outcome } : { outcome, trouble };
  } catch (error) {
    return { trouble: troubleOf(error, deadline) };
  }
}

/** A client's output may contain a secret, and its end is enough. */
const mask = (output: string): string => redactor({})(output.slice(-20_000));

function troubleOf(error: unknown, deadline: number): TrialTrouble {
  if (error instanceof TookTooLong) {
    const output = mask(error.stderr || error.stdout);
    return { kind: 'too-long', what: String(deadline / 1000), output };
  }
  if (error instanceof UserError) return { kind: 'failed', what: error.problem, output: '' };
  const what = (error instanceof Error ? error.message : String(error)).trim();
  return { kind: 'failed', what, output: '' };
}

/** Milliseconds in which the model must be reachable. */
const REACHED = 2000;

/** Why a server on 127.0.0.1 cannot be reached, which the scripted model needs. Undefined if it can. */
async function loopbackTrouble(): Promise<SystemReason | undefined> {
  try {
    const model = await Model.start(undefined, { steps: [] });
    try {
      await fetch(model.url, { signal: AbortSignal.timeout(REACHED) });
    } finally {
      await model.close();
    }
    return undefined;
  } catch (error) {
    return reasonOf(error instanceof Error ? (error.cause ?? error) : error);
  }
}

/** Milliseconds. A client's `--version` takes up to two seconds, and several times as long on a busy machine. */
const SAYING = 10_000;

/** The version of a client's executable; undefined if neither its package nor the executable has it. */
export async function versionOf(client: Client, executable: string, place: Omit<Place, 'project'>) {
  const packaged = packagedVersion(client, executable, read);
  if (packaged !== undefined) return packaged;
  const options = { cwd: place.home, env: atHome(place), deadline: SAYING };
  // The trial itself reports what is wrong with it.
  const said = await run([executable], ['--version'], options).catch(() => undefined);
  return /(?<!\d)\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0];
}
