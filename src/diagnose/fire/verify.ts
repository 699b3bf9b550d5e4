/**
 * Proves that a label's hooks fire in one client: sends recorded payloads, and one payload for each hook, through the entries
 * as written.
 */

import { wireOf } from '../../clients/contract.ts';
import { globsOf } from '../../compile/glob.ts';
import { type MissingTool, matchesNoTool, missingTools } from '../../compile/known-tools.ts';
import { type ProgramHook, turnMarkOf, withoutTurnMarks } from '../../compile/program.ts';
import type { JsonObject } from '../../edit/edit.ts';
import type { Message } from '../../system/errors.ts';
import type { CheckFinding } from '../doctor/status.ts';
import { hadNoText } from '../log.ts';
import { isEarlier, type Obstacle, obstaclesOf } from './fire-client.ts';
import type { Installed, InstalledEvent } from './installed.ts';
import { fit } from './matching.ts';
import { payloadOf, payloadsMatching, recordings, replayed } from './payload.ts';
import { predict, type Reason } from './predict.ts';
import { fireEvent, type HookRun, type Range, type Trouble } from './run-hook.ts';
import { type Scene, withSessions } from './session-memory.ts';

/** Why a hook does not fire. */
export type Failure =
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'trouble'; readonly trouble: Trouble; readonly recording?: string }
  | { readonly kind: 'reason'; readonly reason: Reason }
  /** The client would not start it on all of its events. */
  | {
      readonly kind: 'not-started';
      readonly moment: Pick<HookRun, 'matcher' | 'value'>;
      readonly todo?: Message;
    }
  | { readonly kind: 'unknown-tool'; readonly missing: readonly MissingTool[] }
  | { readonly kind: 'unmet' }
  /** A check of `doctor` found that the client would not start it, or that none of its texts would arrive. */
  | ({ readonly kind: 'blocked' } & Pick<CheckFinding, 'check' | 'brief' | 'what' | 'todo'>);

/** What showing a hook depends on: its conditions, or its program. */
type Until = 'conditions' | 'program';

export interface VerifiedHook extends Pick<ProgramHook, 'number' | 'event'> {
  readonly failure?: Failure;
  /** The user's policy no longer allows its tool to be called. It shows nothing, which is not a failure. */
  readonly isOff?: true;
  /** The client starts it. Whether it is shown depends on more than a single event. */
  readonly until?: Until;
}

/** The results for a label on a native event of a client. */
export interface VerifiedEvent {
  readonly native: string;
  readonly hooks: readonly VerifiedHook[];
  /** A failure of the whole event. */
  readonly failure?: Failure;
  readonly runs: number;
  /** The events that show the texts that this one only marks. Absent if it shows something itself, or calls a tool. */
  readonly marks?: readonly string[];
}

export interface VerifiedClient extends Pick<Installed, 'label' | 'client' | 'drift'> {
  readonly events: readonly VerifiedEvent[];
}

/** The subject and the surroundings of a trial. */
interface Trial {
  readonly installed: Installed;
  readonly range: Omit<Range, 'session'>;
  readonly begin: () => Scene;
}

/** Runs everything, and then removes what it added to the memory of sessions. */
export async function verifyClient(
  installed: Installed,
  range: Omit<Range, 'session'>,
): Promise<VerifiedClient> {
  const { label, client, drift } = installed;
  const events = await withSessions(label, range, async (begin) => {
    const all: VerifiedEvent[] = [];
    for (const event of installed.events)
      all.push(await verifyEvent(event, { installed, range, begin }));
    return all;
  });
  return { label, client, events, drift };
}

async function verifyEvent(event: InstalledEvent, trial: Trial): Promise<VerifiedEvent> {
  const { native, program } = event;
  const hooks = withoutTurnMarks(program?.hooks ?? []).toSorted((a, b) => a.number - b.number);
  const isMark = hooks.length > 0 && hooks.every(isEarlier);
  const marks = isMark ? shownAfter(hooks, trial.installed) : undefined;
  const [obstacle] = obstaclesOf(trial.installed, event, trial.range);
  if (obstacle) {
    const failure: Failure = { kind: 'obstacle', obstacle };
    const all = hooks.flatMap((hook) => resultOf(hook, failure));
    return { native, hooks: all, runs: 0, marks, ...(!program && { failure }) };
  }
  const replays = await replayRecordings(event, trial);
  const shown = new Set(replays.runs.flatMap(shownHooks));
  const failures = new Map<ProgramHook, Failure>();
  let runs = replays.runs.length;
  for (const hook of hooks.filter((one) => !isEarlier(one))) {
    const isShown = shown.has(hook.number);
    if (replays.failure) {
      if (!isShown || replays.failure.trouble.code === 'timeout')
        failures.set(hook, replays.failure);
      continue;
    }
    const probed = await probe(event, hook, isShown, trial);
    runs += probed.ran;
    if (probed.failure) failures.set(hook, probed.failure);
  }
  const isSaid = [...failures.values()].some(({ kind }) => kind === 'trouble');
  return {
    native,
    hooks: hooks.flatMap((hook) => resultOf(hook, failures.get(hook))),
    ...(replays.failure && !isSaid && { failure: replays.failure }),
    runs,
    marks,
  };
}

/** The user's policy has switched the hook off. */
const OFF: readonly Reason['code'][] = ['tool-off', 'muted'];

function resultOf(hook: ProgramHook, failure: Failure | undefined): VerifiedHook[] {
  const { number, event } = hook;
  if (failure?.kind === 'reason' && OFF.includes(failure.reason.code))
    return [{ number, event, isOff: true }];
  // A mark is proved by the event that shows its text.
  if (isEarlier(hook) && !failure) return [];
  const until = failure && untilOf(hook, failure);
  if (until) return [{ number, event, until }];
  return [{ number, event, ...(failure && { failure }) }];
}

/** Replays every recording for which the client would start it, up to the first failure. */
async function replayRecordings(event: InstalledEvent, { installed, range, begin }: Trial) {
  const { client } = installed;
  const runs: HookRun[] = [];
  for (const { name: recording, payload } of recordings(client, event.native)) {
    const scene = begin();
    const here = replayed(wireOf(client, event.native), payload, scene);
    // A tool is called only once, for its own hook.
    if (callsTools(event, here)) continue;
    for (const run of await fireEvent(event, here, { ...range, ...scene })) {
      if (!run.started) continue;
      runs.push(run);
      const { trouble } = run;
      if (trouble) return { runs, failure: { kind: 'trouble', trouble, recording } as const };
    }
  }
  return { runs };
}

/** Creates an event that matches one hook. If it was shown already, only checks that the client would start it each time. */
async function probe(
  event: InstalledEvent,
  hook: ProgramHook,
  isShown: boolean,
  { installed, range, begin }: Trial,
): Promise<{ failure?: Failure; ran: number }> {
  const { client } = installed;
  const { native, program, entries } = event;
  const scene = begin();
  const fitting = program ? payloadsMatching(client, native, hook, program, scene) : [];
  for (const payload of fitting) {
    const fits = entries.map((entry) => ({ entry, ...fit(entry, payload) }));
    const [first] = fits;
    if (!first || fits.some((one) => one.fits)) continue;
    const moment = { matcher: first.entry.matcher, value: first.value };
    return { failure: { kind: 'not-started', moment }, ran: 0 };
  }
  if (isShown) return { ran: 0 };
  const globs = globsOf(hook.when?.tool ?? []);
  if (globs.length > 0 && globs.every(matchesNoTool))
    return { failure: { kind: 'unknown-tool', missing: globs.flatMap(missingTools) }, ran: 0 };
  const [payload] = fitting;
  if (!payload) return { failure: { kind: 'unmet' }, ran: 0 };

  const here = { ...range, ...scene };
  // A hook that is shown later is marked on an earlier event.
  for (const before of hook.marked ? installed.events : []) {
    const mark = before.program?.hooks.find((one) => one.id === hook.id && isEarlier(one));
    if (!mark || !before.program) continue;
    const [about] = payloadsMatching(client, before.native, mark, before.program, scene);
    await fireEvent(before, about ?? payloadOf(client, before.native, {}, scene), here);
  }
  const runs = await fireEvent(event, payload, here);
  const ran = runs.length;
  if (runs.flatMap(shownHooks).includes(hook.number)) return { ran };
  const trouble = runs.find((run) => run.trouble)?.trouble;
  if (trouble) return { failure: { kind: 'trouble', trouble }, ran };
  const own = runs.flatMap(({ hooks }) => hooks).find(({ number }) => number === hook.number);
  const reason = own?.reason ?? ({ code: 'nothing-shown' } as const);
  // The tool was called and had nothing to show.
  if (reason.code === 'tool' && hadNoText(reason.why)) return { ran };
  return { failure: { kind: 'reason', reason }, ran };
}

/** The events on which marked hooks are shown. */
function shownAfter(marks: readonly ProgramHook[], { events }: Installed): string[] {
  const isShown = (hook: ProgramHook) =>
    !isEarlier(hook) &&
    marks.some(({ id }) => id === (hook.marked ? hook.id : '') || id === turnMarkOf(hook.id));
  return events.filter(({ program }) => program?.hooks.some(isShown)).map(({ native }) => native);
}

function untilOf({ extended }: ProgramHook, failure: Failure): Until | undefined {
  if (!extended || failure.kind !== 'reason') return undefined;
  const { reason } = failure;
  const { code } = reason;
  if (code === 'conditions' || code === 'not-marked') return 'conditions';
  if (code === 'nothing-shown' && extended.command) return 'program';
  // The plan already says that nothing can be changed there.
  const isAnswer = code === 'tool' || code === 'command';
  return isAnswer && reason.why.every((one) => one.code === 'modify-not-possible')
    ? 'program'
    : undefined;
}

const shownHooks = ({ hooks }: HookRun): number[] =>
  hooks.flatMap(({ shown, number }) => (shown ? [number] : []));

/** Whether a tool of the server would be called. */
const callsTools = ({ program }: InstalledEvent, payload: JsonObject): boolean =>
  program?.hooks.some(({ call }) => call) === true &&
  predict(program, JSON.stringify(payload)).some(({ hook, reason }) => hook.call && !reason);
