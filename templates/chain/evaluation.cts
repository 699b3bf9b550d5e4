/** mcp-hooks: the state of an event while extended hooks are evaluated, and questions about a hook that several steps share. */

import type {
  Asked,
  ChainFiring,
  Condition,
  Decided,
  Failure,
  Firing,
  Limited,
  Obeyed,
  ProgramHook,
  Rules,
  Running,
  Stage,
  Why,
} from '../types.cjs';
import { reasonOf } from '../values.cjs';

/** The state of an event while its hooks are evaluated: which hooks are due, their answers, and the outcome. */
export interface Evaluation extends Condition {
  readonly rules: Rules;
  readonly stage: Stage;
  /** The event after the last change by a hook. */
  firing: ChainFiring;
  /** The output as the tool returned it. */
  readonly outputBefore: unknown;
  /** When late tools and programs are ended, as in Date.now(). */
  readonly last: number;
  /** The event as tools and programs see it: without secrets, once one of them reads it. */
  readonly view: {
    firing: ChainFiring;
    /** What was masked. */
    secrets: readonly string[];
    /** Why masking failed. */
    failure?: Why | undefined;
  };
  /** Which hooks are due. */
  readonly claims: {
    /** The number of due hooks. */
    count: number;
    /** Hooks that the rules leave out. */
    readonly leftOut: ProgramHook[];
    /** How to take back each hook's claims. */
    readonly undo: Map<ProgramHook, (() => void)[]>;
    /** Hooks whose texts another process shows. */
    readonly shownElsewhere: Set<ProgramHook>;
    /** Whether a compaction may be held up; absent: not determined yet. */
    mayHoldUp?: boolean;
  };
  /** How the hooks were asked. */
  readonly asking: {
    readonly asked: Map<ProgramHook, Asked>;
    /** Milliseconds that the event took until all had answered. */
    waited: number;
    /** The texts that were kept for this event, as they are in their files. */
    readonly kept: Map<ProgramHook, string>;
  };
  /** The outcome of their answers. */
  readonly outcome: {
    decision?: Decided['decision'];
    /** The decision's reason without secrets. */
    shownReason?: string;
    changed?: Pick<Decided, 'modifiedInput' | 'modifiedOutput'>;
    readonly decisions: Obeyed[];
    readonly said: Limited[];
    /** Hooks whose texts the client would drop. They were not asked. */
    readonly dropped: ProgramHook[];
    /** Hooks that answered without anything to show. */
    readonly empty: ProgramHook[];
    /** Hooks that had an effect other than a shown text. */
    readonly done: ProgramHook[];
    /** Shown to the user. */
    readonly warnings: string[];
    /** Why something was not shown or obeyed. */
    readonly reasons: Why[];
  };
  /** What went wrong. */
  readonly failures: {
    /** Hooks for which something went wrong. */
    readonly failed: Set<ProgramHook>;
    /** Why hooks could not be evaluated. */
    readonly faults: Map<ProgramHook, Why>;
    /** The consequences for the event. */
    readonly settled: Failure[];
    /** Hooks that the chain has finished. */
    readonly over: Set<ProgramHook>;
  };
}

/** Milliseconds reserved at the end. Late hooks are ended, and the answers of the others count. */
export const TO_TELL = 500;

/**
 * An event that is still to be evaluated.
 *
 * @param stage The functions of runner.cjs.
 */
export function evaluationOf(
  program: Running,
  firing: Firing,
  rules: Rules,
  stage: Stage,
): Evaluation {
  const { wire, started, most } = program;
  const { payload, output } = firing;
  const facts = (wire.facts ?? [])
    .filter((key) => payload[key] !== undefined)
    .map((key) => [key, payload[key]]);
  const own = { ...firing, facts: Object.fromEntries(facts), budgets: new Map() };
  return {
    program,
    rules,
    stage,
    firing: own,
    outputBefore: output,
    last: started + most - TO_TELL,
    view: { firing: own, secrets: [] },
    claims: { count: 0, leftOut: [], undo: new Map(), shownElsewhere: new Set() },
    asking: { asked: new Map(), waited: 0, kept: new Map() },
    outcome: {
      decisions: [],
      said: [],
      dropped: [],
      empty: [],
      done: [],
      warnings: [],
      reasons: [],
    },
    failures: { failed: new Set(), faults: new Map(), settled: [], over: new Set() },
  };
}

/** Records that a hook could not be evaluated. A failure of the whole event is recorded only once. */
export function lose(
  hook: ProgramHook,
  error: unknown,
  { outcome: { reasons }, failures: { failed, faults } }: Evaluation,
): void {
  const why = reasonOf(error);
  if (!reasons.includes(why)) reasons.push({ ...why, hook: hook.number });
  failed.add(hook);
  faults.set(hook, why);
}

export const orderOf = ({ extended }: ProgramHook): number => extended?.order ?? 50;
export const mayOf = ({ extended }: ProgramHook) => extended?.may ?? [];

/** Whether a hook can make a decision here. A kept text comes too late for a decision. */
export const decides = (hook: ProgramHook, { rules }: Pick<Evaluation, 'rules'>): boolean =>
  !hook.marked &&
  (hook.extended?.can ?? []).length > 0 &&
  mayOf(hook).some((one) => rules[one] === true);

/**
 * Whether a hook reads the event with its secrets. A program of the user that may decide has to see what will run. A tool
 * belongs to another party, so it never reads secrets.
 */
export const readsAll = (hook: ProgramHook, evaluation: Evaluation): boolean =>
  !hook.call &&
  (hook.extended?.command !== undefined || evaluation.stage.handlers?.has(hook) === true) &&
  decides(hook, evaluation);

/** Whether a tool, a program or an in-process function answers for the hook. */
export const asksOthers = (hook: ProgramHook, { stage }: Evaluation): boolean =>
  Boolean(hook.call || hook.extended?.command || stage.handlers?.has(hook));

/** Whether a hook only shows something now. A program may do more. */
export const onlySays = (hook: ProgramHook, evaluation: Evaluation): boolean =>
  hook.act === 'tell' &&
  !hook.extended?.command &&
  !evaluation.stage.handlers?.has(hook) &&
  !decides(hook, evaluation);

/** Whether the tool's input or output is passed to anyone. */
export const handsOn = (hook: ProgramHook, evaluation: Evaluation): boolean =>
  hook.hands === true || asksOthers(hook, evaluation);

/** A changed input in the client's own form; undefined: it cannot be expressed there. */
export function inClient(changed: unknown, { firing, program, stage }: Evaluation): unknown {
  const form = stage.formOf(program.names.inputs, firing.tool);
  if (!form) return changed;
  const native = stage.get(firing.payload, program.wire.toolInput);
  return require('../vocabulary.cjs').nativeInput(form, changed, native, firing.cwd);
}
