/** mcp-hooks: an event while hooks of the extended vocabulary are evaluated, and what several steps ask about a hook. */

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

/** An event while its hooks are evaluated: which are due, what they answer, and what becomes of that. */
export interface Evaluation extends Condition {
  readonly rules: Rules;
  readonly stage: Stage;
  /** As the last hook that has changed it left it. */
  firing: ChainFiring;
  /** The output as the tool returned it. */
  readonly outputBefore: unknown;
  /** When what is late is ended, as in Date.now(). */
  readonly last: number;
  /** The event as others see it: without secrets, once somebody sees it. */
  readonly view: {
    firing: ChainFiring;
    /** What was masked. */
    secrets: readonly string[];
    /** Why nothing could be masked. */
    failure?: Why | undefined;
  };
  /** Which hooks are due. */
  readonly claims: {
    /** How many are. */
    count: number;
    /** Hooks that the rules leave out. */
    readonly leftOut: ProgramHook[];
    /** How to take back what hooks have claimed. */
    readonly undo: Map<ProgramHook, (() => void)[]>;
    /** Hooks whose texts another process shows. */
    readonly toldElsewhere: Set<ProgramHook>;
    /** Whether a compaction may be held up, once that was found out. */
    mayHoldUp?: boolean;
  };
  /** How they were asked. */
  readonly asking: {
    readonly asked: Map<ProgramHook, Asked>;
    /** Milliseconds that the event took until all had answered. */
    waited: number;
    /** The files with texts that were kept for this event. */
    readonly kept: Map<ProgramHook, string>;
  };
  /** What has become of their answers. */
  readonly outcome: {
    decision?: Decided['decision'];
    /** The reason of the decision without secrets. */
    shownReason?: string;
    changed?: Pick<Decided, 'modifiedInput' | 'modifiedOutput'>;
    readonly decisions: Obeyed[];
    readonly said: Limited[];
    /** Hooks of which the client would drop every text. They were not asked. */
    readonly dropped: ProgramHook[];
    /** Hooks that have answered, and had nothing to show. */
    readonly empty: ProgramHook[];
    /** The hooks that had an effect, but for the texts that are shown. */
    readonly done: ProgramHook[];
    /** For people. */
    readonly warnings: string[];
    /** Why something was not shown or obeyed. */
    readonly reasons: Why[];
  };
  /** What went wrong. */
  readonly failures: {
    /** Hooks for which something did. */
    readonly failed: Set<ProgramHook>;
    /** Why hooks could not be evaluated. */
    readonly faults: Map<ProgramHook, Why>;
    /** What has become of the event because of that. */
    readonly settled: Failure[];
    /** Hooks with which the chain is done. */
    readonly over: Set<ProgramHook>;
  };
}

/** Milliseconds that are left at the end: what is late is ended, and what the other hooks have answered counts. */
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
  const facts = (wire.told ?? [])
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
    claims: { count: 0, leftOut: [], undo: new Map(), toldElsewhere: new Set() },
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

/** Notes that a hook could not be evaluated. What is already noted of the event as a whole is not noted again. */
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

/** Whether a hook can make a decision here. What is kept for later comes too late for one. */
export const decides = (hook: ProgramHook, { rules }: Pick<Evaluation, 'rules'>): boolean =>
  !hook.marked &&
  (hook.extended?.can ?? []).length > 0 &&
  mayOf(hook).some((one) => rules[one] === true);

/**
 * Whether a hook reads the event with its secrets: a program of the user's that may decide has to see what will run. A tool
 * is another's, so it never does.
 */
export const readsAll = (hook: ProgramHook, evaluation: Evaluation): boolean =>
  !hook.call &&
  (hook.extended?.command !== undefined || evaluation.stage.handlers?.has(hook) === true) &&
  decides(hook, evaluation);

/** Whether a tool, a program or a function in this process answers for the hook. */
export const asksOthers = (hook: ProgramHook, { stage }: Evaluation): boolean =>
  Boolean(hook.call || hook.extended?.command || stage.handlers?.has(hook));

/** Whether a hook does nothing but show something now. A program may do more. */
export const onlySays = (hook: ProgramHook, evaluation: Evaluation): boolean =>
  hook.act === 'tell' &&
  !hook.extended?.command &&
  !evaluation.stage.handlers?.has(hook) &&
  !decides(hook, evaluation);

/** Whether anybody gets to see the tool's input or output. */
export const handsOn = (hook: ProgramHook, evaluation: Evaluation): boolean =>
  hook.hands === true || asksOthers(hook, evaluation);

/** A changed input in the client's own form; undefined: it cannot be expressed there. */
export function inClient(changed: unknown, { firing, program, stage }: Evaluation): unknown {
  const form = stage.formOf(program.names.inputs, firing.tool);
  if (!form) return changed;
  const native = stage.get(firing.payload, program.wire.toolInput);
  return require('../vocabulary.cjs').nativeInput(form, changed, native, firing.cwd);
}
