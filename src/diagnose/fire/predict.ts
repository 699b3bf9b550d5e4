/**
 * Predicts what the runner will do with a payload for each hook, and why a hook will not be shown. It calls the runner's own
 * functions, and removes possible reasons one by one. The real memory of sessions is not changed.
 */

import { existsSync } from 'node:fs';
import { globsOf } from '../../compile/glob.ts';
import {
  type EventProgram,
  mutedAs,
  type ProgramHook,
  type ProgramRules,
  turnMarkOf,
  withoutTurnMarks,
} from '../../compile/program.ts';
import type { RunnerReason } from '../../compile/runner-messages.ts';
import {
  type Condition,
  type Moment,
  type SecondStage,
  secondStage,
} from '../../compile/second-stage.ts';
import type { Repeat } from '../../declaration/declaration.ts';
import { isMuted, RULES } from '../../declaration/policy.ts';
import type { Said } from '../../system/errors.ts';
import { inScratch } from './session-memory.ts';

/** Why a hook shows nothing. The words are in src/present/render/fired.ts. */
export type Reason =
  | Said<'matcher', { field: Field; wanted: string; got: string }>
  /** A condition of the extended vocabulary does not hold. */
  | Said<'conditions', { field: Condition; repeat?: Repeat }>
  | Said<Code>
  | Said<'tool', { tool: string; server: string; why: readonly RunnerReason[] }>
  | Said<'command', { why: readonly RunnerReason[] }>
  /** By a failed call, or by another answer of ours. */
  | Said<'dropped', { by: Dropped['by'] }>
  | Said<'undecided', { why: readonly RunnerReason[] }>
  | Said<'trouble', { what: string }>;

export type Dropped = Extract<RunnerReason, { code: 'dropped' }>;

type Field = 'tool_name' | 'tool_server' | 'input_contains';

type Code =
  | 'no-request' // a prompt that was not written by the user
  | 'elsewhere' // the session is not in the only folder for these hooks
  | 'muted'
  | 'continued' // the turn was started by a hook
  | 'marked' // it is shown later
  | 'tool-off'
  | 'not-marked'
  | 'once-per-turn'
  | 'once'
  | 'not-allowed' // to block, or to run its program
  | 'ended' // an earlier hook has blocked
  | 'hooks-per-event'
  | 'hooks-per-server'
  | 'same-moment'
  | 'cooldown'
  | 'in-history' // the session's history has it
  | 'twin' // an identical hook is declared
  | 'no-room'
  | 'blank'
  | 'nothing-shown';

/** The expected result for one hook. */
export interface Prediction {
  readonly hook: ProgramHook;
  /** Undefined: it should be shown. */
  readonly reason?: Reason;
  /** It is `required`, but the policy does not honour that. */
  readonly demoted?: true;
}

/** The expected results for a payload as sent on stdin, in declared order. */
export function predict(program: EventProgram, payload: string): Prediction[] {
  // A turn's mark shows nothing if its hook can be shown on the same event.
  const hooks = withoutTurnMarks(program.hooks).toSorted((a, b) => a.number - b.number);
  const all = (reason: Reason): Prediction[] => hooks.map((hook) => ({ hook, reason }));
  const stage = secondStage();
  try {
    const rules = stage.rulesFor(program);
    const active = { ...program };
    stage.leaveOutMuted(active, rules);
    const moment = stage.read(program, payload);
    if (!moment) return all({ code: 'no-request' });
    if (stage.isElsewhere(program, moment)) return all({ code: 'elsewhere' });
    return inScratch(active, moment, (fresh) => {
      const why = asking(stage, active, moment, rules, fresh);
      return hooks.map((hook) => {
        const reason = isMuted(rules, mutedAs(hook.id)) ? ({ code: 'muted' } as const) : why(hook);
        const demoted = hook.priority === 'required' && !rules.trusted;
        return { hook, ...(reason && { reason }), ...(demoted && { demoted }) };
      });
    });
  } catch (error) {
    // The runner shows nothing in that case, too.
    return all({ code: 'undecided', why: [stage.reasonOf(error)] });
  }
}

/** Whether a hook matches a payload, whatever was shown before. */
export function isMet(program: EventProgram, hook: ProgramHook, payload: string): boolean {
  const stage = secondStage();
  const moment = stage.read(program, payload);
  return moment !== undefined && stage.fits(hook, moment, program);
}

/**
 * Finds out why a hook shows nothing, by evaluating one payload repeatedly. `fresh` gives the program a new copy of the memory.
 */
function asking(
  stage: SecondStage,
  program: EventProgram,
  moment: Moment,
  rules: ProgramRules,
  fresh: () => EventProgram,
): (hook: ProgramHook) => Reason | undefined {
  const fits = (hook: ProgramHook) => stage.fits(hook, moment, program);
  const waits = (hook: ProgramHook) => stage.waits(hook, moment, program);
  const chosenBy = (limits: ProgramRules) =>
    stage.choose(limits, program.hooks.filter(fits), waits).chosen;
  const isDue = (hook: ProgramHook, at = moment, limits = rules, memory = fresh()) => {
    const cooldown = Math.max(limits.cooldown, hook.extended?.cooldown ?? 0);
    return stage.isDue(hook, { ...at, claimed: new Map() }, memory, { ...limits, cooldown });
  };
  const memory = fresh();
  /** The hooks that count, and whether each is due. They are evaluated in order, as in a firing. */
  const due = new Map(
    chosenBy(rules).map((hook) => [hook, isDue(hook, moment, rules, memory)] as const),
  );

  const whyNotFitting = (hook: ProgramHook): Reason => {
    const { tool, mcpTool, server, input } = hook.when ?? {};
    const { server: configured, input: given } = moment;
    const called = [...new Set(moment.names)].join(' or ') || 'no tool';
    const fitsAt = (when: NonNullable<ProgramHook['when']>) => fits({ ...hook, when });
    if (tool !== undefined && !fitsAt({ tool, mcpTool })) {
      const wanted = globsOf(tool).join(' or ');
      return { code: 'matcher', field: 'tool_name', wanted, got: called };
    }
    if (server !== undefined && !fitsAt({ server })) {
      const got = typeof configured === 'string' ? configured : called;
      return { code: 'matcher', field: 'tool_server', wanted: server, got };
    }
    if (input !== undefined && !fitsAt({ input })) {
      const got = typeof given === 'string' ? given : (JSON.stringify(given) ?? 'no input');
      return { code: 'matcher', field: 'input_contains', wanted: input, got };
    }
    return { code: 'continued' };
  };

  const isAllowed = ({ extended }: ProgramHook): boolean =>
    (rules.block || extended?.block === undefined) &&
    (rules.command || !extended?.command) &&
    (rules.projectCode || !extended?.command?.ofProject);

  /** The conditions of a hook that is shown later were checked when it was marked. */
  const unmet = (hook: ProgramHook): Condition | undefined =>
    !hook.extended || hook.marked ? undefined : stage.wouldNotHold(hook, moment, fresh());

  /** It is shown once per session and was already shown. */
  const isOver = (hook: ProgramHook): boolean =>
    hook.extended?.every === 'session' &&
    !hook.marked &&
    existsSync(stage.memory(hook, moment, fresh(), 'session-once'));

  /** An event that begins a turn marks it before its own hooks are shown. */
  const hasTurn = (hook: ProgramHook): boolean =>
    program.hooks.some(({ id }) => id === turnMarkOf(hook.id)) ||
    stage.hasTurn(hook, moment, fresh());

  /** The policy limits the number of hooks. */
  const whyLeft = (hook: ProgramHook): Reason => {
    const unbound = { ...rules, hooksPerEvent: Number.POSITIVE_INFINITY };
    return { code: chosenBy(unbound).includes(hook) ? 'hooks-per-event' : 'hooks-per-server' };
  };

  const whyNotDue = (hook: ProgramHook): Reason => {
    if (isDue(hook)) return { code: 'twin' };
    if (isDue(hook, { ...moment, occasion: [] })) return { code: 'same-moment' };
    const always = { ...hook, extended: undefined };
    if (isDue(always, moment, { ...rules, cooldown: RULES.cooldown })) return { code: 'cooldown' };
    return { code: hook.event === 'session_start' ? 'in-history' : 'once' };
  };

  return (hook) => {
    if (!fits(hook)) return whyNotFitting(hook);
    if (hook.call && !rules.contextTool) return { code: 'tool-off' };
    if (!isAllowed(hook)) return { code: 'not-allowed' };
    const field = unmet(hook);
    const repeat = field === 'repeat' ? hook.extended?.when?.repeat : undefined;
    if (field) return { code: 'conditions', field, ...(repeat && { repeat }) };
    if (isOver(hook)) return { code: 'once' };
    if (!hasTurn(hook)) return { code: 'once-per-turn' };
    if (hook.act === 'mark') return { code: 'marked' };
    if (!waits(hook))
      return { code: waits({ ...hook, marked: undefined }) ? 'not-marked' : 'once' };
    const isNow = due.get(hook);
    if (isNow === undefined) return whyLeft(hook);
    return isNow ? undefined : whyNotDue(hook);
  };
}
