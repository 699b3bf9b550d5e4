/** The runner's second stage as a module. Code that wants to know what it would do asks it, and does not decide that again. */

import type { Wire } from '../clients/contract.ts';
import { valueAt } from '../clients/payload.ts';
import type { Rules } from '../declaration/policy.ts';
import type { JsonObject } from '../edit/edit.ts';
import { memoize } from '../system/memoize.ts';
import { runnerCode } from '../system/runner-code.ts';
import type { Alone, EventProgram, ProgramHook, ToolGlobs } from './program.ts';
import type { RunnerMessage } from './runner-messages.ts';

/** Predicts the second stage's answer; undefined: it depends on more than the event. */
export type Foresee = (program: EventProgram) => Foreseen | undefined;

export interface Foreseen {
  /** What is printed. */
  readonly answer: string;
  /** Characters of the text in it. */
  readonly characters: number;
  /** The numbers of the hooks whose texts are in it. */
  readonly told: readonly number[];
  /** How many characters are from each of them. */
  readonly lengths: readonly number[];
}

const stage = () => runnerCode('./runner.cjs').stage;
/** An event, as the runner reads it from a payload. */
export type Moment = NonNullable<ReturnType<ReturnType<typeof stage>['read']>>;

/** A field of the extended vocabulary with a condition. */
export type Condition =
  | 'failed'
  | 'exclude'
  | 'branch'
  | 'project'
  | 'output_contains'
  | 'input_matches'
  | 'output_matches'
  | 'repeat'
  | 'budget';
const conditions = () => runnerCode('./conditions.cjs');

/**
 * The functions of `runner.cjs`, `values.cjs` and `words.cjs` in `templates/` that we use. Only `isDue` writes: to
 * `sessions` in the program's state folder.
 */
export interface SecondStage {
  readonly foresee: Foresee;
  readonly alone: (hook: ProgramHook, program: EventProgram) => Alone | undefined;
  /** How an event is blocked for a hook that cannot be evaluated, because no node runs: the answer, and the reason in it. */
  readonly denial: (
    hook: ProgramHook,
    program: EventProgram,
  ) => { readonly answer: string; readonly reason: string };
  /** Throws what the runner logs. */
  readonly rulesFor: (program: EventProgram) => Rules;
  /** Undefined: hooks have nothing to do with it. */
  readonly read: (program: EventProgram, stdin: string) => Moment | undefined;
  readonly fits: (hook: ProgramHook, moment: Moment, program: EventProgram) => boolean;
  /** The condition of a hook of the extended vocabulary that does not hold; writes as `isDue` does. */
  readonly wouldNotHold: (
    hook: ProgramHook,
    moment: Moment,
    program: EventProgram,
  ) => Condition | undefined;
  /** Whether a hook that speaks once per turn may still do so; true for any other hook. */
  readonly hasTurn: (hook: ProgramHook, moment: Moment, program: EventProgram) => boolean;
  /** Whether a call has failed; undefined: the client does not say. */
  readonly hasFailed: (
    payload: JsonObject,
    wire: Pick<Wire, 'failed' | 'toolName'>,
  ) => boolean | undefined;
  readonly isOf: (name: string, meant: ToolGlobs) => boolean;
  readonly matches: (when: Matched, moment: Moment, program: EventProgram) => boolean;
  readonly choose: (
    rules: Rules,
    hooks: readonly ProgramHook[],
    waits: (hook: ProgramHook) => boolean,
  ) => { readonly chosen: readonly ProgramHook[]; readonly leftOut: readonly ProgramHook[] };
  readonly waits: (hook: ProgramHook, moment: Moment, program: EventProgram) => boolean;
  readonly isDue: (
    hook: ProgramHook,
    moment: Moment,
    program: EventProgram,
    rules: Rules,
  ) => boolean;
  readonly memory: (
    hook: Pick<ProgramHook, 'id'>,
    moment: Moment,
    program: EventProgram,
    fact: string,
  ) => string;
  /** `change` gets each variable that is known at that moment, and its name. */
  readonly replaceVariables: (
    text: string,
    known: {
      readonly cwd: string;
      readonly session: string;
      /** The client's name for the server, which is only filled into arguments here. */
      readonly own?: string;
      readonly tool?: string;
      readonly input?: unknown;
      readonly output?: unknown;
    },
    change: (value: string, name: string) => string,
  ) => string;
  /** How the heading of each text begins. */
  readonly origin: (label: string) => string;
  /** A text as it is told, without the marks of its lines. */
  readonly plain: (text: string) => string;
  readonly isBlank: (text: string) => boolean;
  /** An error as it is logged. */
  readonly reasonOf: (error: unknown) => RunnerMessage;
}

type Matched = NonNullable<ProgramHook['when']>;

export const secondStage = memoize((): SecondStage => {
  const runner = stage();
  const words = runnerCode('./words.cjs');
  return {
    ...runnerCode('./values.cjs'),
    ...runner,
    ...words,
    reasonOf: (error) => runnerCode('./values.cjs').reasonOf(error) as RunnerMessage,
    // A program that decides nothing has no rules about that.
    rulesFor: (program) => runner.rulesFor(program) as Rules,
    isDue: (hook, moment, program, rules) =>
      runner.isDue(hook, moment, { ...program, started: Date.now() }, rules),
    wouldNotHold: (hook, moment, program) =>
      conditions().wouldNotHold(hook, moment, program, runner),
    hasTurn: (hook, moment, program) =>
      runnerCode('./chain.cjs').hasTurn(hook, moment, program, runner),
    hasFailed: (payload, wire) =>
      conditions().hasFailed({ payload, tool: valueAt(payload, wire.toolName) }, { wire }, runner),
    denial: (hook, program) => runnerCode('./failure.cjs').denial(hook, program),
    foresee: (program) => words.foresee(program, runner.choose),
  };
});
