/**
 * Proves, for one client, that a label's hooks fire: sends recorded payloads, and one for each hook, through the entries as
 * they are written.
 */

import { randomUUID } from 'node:crypto';
import { wireOf } from '../../clients/contract.ts';
import { globsOf } from '../../compile/glob.ts';
import { type MissingTool, matchesNoTool, missingTools } from '../../compile/known-tools.ts';
import { type ProgramHook, turnMarkOf, withoutTurnMarks } from '../../compile/program.ts';
import type { JsonObject } from '../../edit/edit.ts';
import { withCleanup } from '../../system/cleanup.ts';
import type { Message } from '../../system/errors.ts';
import type { CheckFinding } from '../doctor/status.ts';
import { hadNoText } from '../log.ts';
import { type Obstacle, obstaclesOf } from './fire-client.ts';
import type { Installed, InstalledEvent } from './installed.ts';
import { fit } from './matching.ts';
import { payloadOf, payloadsMatching, recordings, replayed } from './payload.ts';
import { predict, type Reason } from './predict.ts';
import { fireMoment, type HookRun, type Range, type Trouble } from './run-hook.ts';
import { snapshotMemory } from './session-memory.ts';

/** Why a hook would not fire. */
export type Failure =
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'trouble'; readonly trouble: Trouble; readonly recording?: string }
  | { readonly kind: 'reason'; readonly reason: Reason }
  /** The client would start it on too few events. */
  | {
      readonly kind: 'not started';
      readonly moment: Pick<HookRun, 'matcher' | 'value'>;
      readonly todo?: Message;
    }
  | { readonly kind: 'unknown tool'; readonly missing: readonly MissingTool[] }
  | { readonly kind: 'unmet' }
  /** A check of `doctor` says that the client would not start it, or that nothing it says would arrive. */
  | ({ readonly kind: 'blocked' } & Pick<CheckFinding, 'check' | 'brief' | 'what' | 'todo'>);

/** What a hook waits for: that its conditions hold, or that its program has something to say. */
type Until = 'conditions' | 'program';

export interface VerifiedHook extends Pick<ProgramHook, 'number' | 'event'> {
  readonly failure?: Failure;
  /** The user's policy no longer allows its tool to be called. It is silent, and that is no failure. */
  readonly isOff?: true;
  /** The client starts it; whether it speaks depends on more than one event can show. */
  readonly until?: Until;
}

/** What a label has on a native event of a client. */
export interface VerifiedEvent {
  readonly native: string;
  readonly hooks: readonly VerifiedHook[];
  /** A failure of the event as a whole. */
  readonly failure?: Failure;
  readonly runs: number;
  /** The events that show the texts that this one only marks. Absent if it shows something itself, or calls a tool. */
  readonly marks?: readonly string[];
}

export interface VerifiedClient extends Pick<Installed, 'label' | 'client' | 'drift'> {
  readonly events: readonly VerifiedEvent[];
}

/** Runs everything, then removes what that left in the memory of sessions. */
export async function verifyClient(
  installed: Installed,
  range: Omit<Range, 'session'>,
): Promise<VerifiedClient> {
  const { label, client, drift } = installed;
  const forget = snapshotMemory(range.places.state, label);
  const trial = new Trial(installed, range);
  const events: VerifiedEvent[] = [];
  await withCleanup(
    () => forget(trial.sessions),
    async () => {
      for (const event of installed.events) events.push(await trial.verify(event));
    },
  );
  return { label, client, events, drift };
}

class Trial {
  readonly sessions: string[] = [];

  constructor(
    private readonly installed: Installed,
    private readonly range: Omit<Range, 'session'>,
  ) {}

  async verify(event: InstalledEvent): Promise<VerifiedEvent> {
    const { native, program } = event;
    const hooks = withoutTurnMarks(program?.hooks ?? []).toSorted((a, b) => a.number - b.number);
    const results = (failureOf: (hook: ProgramHook) => Failure | undefined) =>
      hooks.flatMap((hook): VerifiedHook[] => {
        const failure = failureOf(hook);
        if (failure?.kind === 'reason' && failure.reason.code === 'tool off')
          return [{ number: hook.number, event: hook.event, isOff: true }];
        // A mark proves itself where its text is shown.
        if (isEarlier(hook) && !failure) return [];
        const until = failure && untilOf(hook, failure);
        if (until) return [{ number: hook.number, event: hook.event, until }];
        return [{ number: hook.number, event: hook.event, ...(failure && { failure }) }];
      });
    const isMark = hooks.length > 0 && hooks.every(isEarlier);
    const marks = isMark ? this.#toldAfter(hooks) : undefined;
    const [obstacle] = obstaclesOf(this.installed, event, this.range);
    if (obstacle) {
      const failure: Failure = { kind: 'obstacle', obstacle };
      const given = { native, hooks: results(() => failure), runs: 0, marks };
      return { ...given, ...(!program && { failure }) };
    }

    const replays = await this.#replay(event);
    const told = new Set(replays.moments.flatMap(toldIn));
    const failures = new Map<ProgramHook, Failure>();
    let runs = replays.moments.length;
    for (const hook of hooks) {
      if (isEarlier(hook)) continue;
      if (replays.failure) {
        if (!told.has(hook.number) || replays.failure.trouble.code === 'timeout')
          failures.set(hook, replays.failure);
        continue;
      }
      const { failure, ran } = await this.#meet(event, hook, told.has(hook.number));
      runs += ran;
      if (failure) failures.set(hook, failure);
    }
    const shown = [...failures.values()].some(({ kind }) => kind === 'trouble');
    return {
      native,
      hooks: results((hook) => failures.get(hook)),
      ...(replays.failure && !shown && { failure: replays.failure }),
      runs,
      marks,
    };
  }

  /** Replays every recording that the client would start it for, up to the first failure. */
  async #replay(event: InstalledEvent) {
    const { client } = this.installed;
    const moments: HookRun[] = [];
    for (const { name: recording, payload } of recordings(client, event.native)) {
      const scene = this.#scene();
      const here = replayed(wireOf(client, event.native), payload, scene);
      // A tool is called once, for its own hook.
      if (callsTools(event, here)) continue;
      for (const moment of await this.#fire(event, here, scene)) {
        if (!moment.started) continue;
        moments.push(moment);
        const { trouble } = moment;
        if (trouble) return { moments, failure: { kind: 'trouble', trouble, recording } as const };
      }
    }
    return { moments };
  }

  /**
   * Makes a moment that one hook is about. If the hook was shown already, only checks that the client would start it each time.
   */
  async #meet(
    event: InstalledEvent,
    hook: ProgramHook,
    isTold: boolean,
  ): Promise<{ failure?: Failure; ran: number }> {
    const { client } = this.installed;
    const { native, program, entries } = event;
    const scene = this.#scene();
    const met = program ? payloadsMatching(client, native, hook, program, scene) : [];
    for (const payload of met) {
      const fits = entries.map((entry) => ({ entry, ...fit(entry, payload) }));
      const [first] = fits;
      if (!first || fits.some((one) => one.fits)) continue;
      const moment = { matcher: first.entry.matcher, value: first.value };
      return { failure: { kind: 'not started', moment }, ran: 0 };
    }
    if (isTold) return { ran: 0 };
    const globs = globsOf(hook.when?.tool ?? []);
    if (globs.length > 0 && globs.every(matchesNoTool))
      return { failure: { kind: 'unknown tool', missing: globs.flatMap(missingTools) }, ran: 0 };
    const [payload] = met;
    if (!payload) return { failure: { kind: 'unmet' }, ran: 0 };

    if (hook.marked)
      for (const before of this.#marking(hook))
        await this.#fire(before, payloadOf(client, before.native, {}, scene), scene);
    const fired = await this.#fire(event, payload, scene);
    if (fired.flatMap(toldIn).includes(hook.number)) return { ran: fired.length };
    const trouble = fired.find((moment) => moment.trouble)?.trouble;
    const reason = fired.flatMap(({ hooks }) => hooks).find(({ number }) => number === hook.number)
      ?.reason ?? { code: 'silent' };
    // It was called, and had nothing to say.
    if (!trouble && reason.code === 'tool' && hadNoText(reason.why)) return { ran: fired.length };
    const failure: Failure = trouble ? { kind: 'trouble', trouble } : { kind: 'reason', reason };
    return { failure, ran: fired.length };
  }

  /** The events on which marked hooks are shown. */
  #toldAfter(marks: readonly ProgramHook[]): string[] {
    const isTold = (hook: ProgramHook) =>
      !isEarlier(hook) &&
      marks.some(({ id }) => id === (hook.marked ? hook.id : '') || id === turnMarkOf(hook.id));
    return this.installed.events.flatMap(({ native, program }) =>
      program?.hooks.some(isTold) ? native : [],
    );
  }

  /** The events on which a hook is marked that is shown later. */
  #marking({ id }: ProgramHook): InstalledEvent[] {
    return this.installed.events.filter(({ program }) =>
      program?.hooks.some((hook) => hook.id === id && isEarlier(hook)),
    );
  }

  async #fire(
    event: InstalledEvent,
    payload: JsonObject,
    scene: { readonly session: string },
  ): Promise<HookRun[]> {
    const moments: HookRun[] = [];
    for (const entry of event.entries)
      moments.push(await fireMoment(entry, event, payload, { ...this.range, ...scene }));
    return moments;
  }

  #scene() {
    const session = randomUUID();
    this.sessions.push(session);
    return { session, cwd: this.range.cwd, home: this.range.places.home };
  }
}

/** Its effect shows only on a later event. */
const isEarlier = ({ act }: ProgramHook): boolean => act === 'mark' || act === 'keep';

function untilOf({ extended }: ProgramHook, failure: Failure): Until | undefined {
  if (!extended || failure.kind !== 'reason') return undefined;
  const { reason } = failure;
  const { code } = reason;
  if (code === 'conditions' || code === 'not marked') return 'conditions';
  if (code === 'silent' && extended.command) return 'program';
  // The plan has said that nothing can be changed there.
  const isAnswer = code === 'tool' || code === 'command';
  return isAnswer && reason.why.every((one) => one.code === 'modify-not-possible')
    ? 'program'
    : undefined;
}

const toldIn = ({ hooks }: HookRun): number[] =>
  hooks.flatMap(({ told, number }) => (told ? [number] : []));

/** Whether a tool of the server would be called. */
const callsTools = ({ program }: InstalledEvent, payload: JsonObject): boolean =>
  program?.hooks.some(({ call }) => call) === true &&
  predict(program, JSON.stringify(payload)).some(({ hook, reason }) => hook.call && !reason);
