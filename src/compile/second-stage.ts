/** The runner's second stage as a module, for code that needs to know what it would do and must not decide that again. */

import type { ToolInput, Wire } from '../clients/contract.ts';
import { valueAt } from '../clients/payload.ts';
import type { JsonObject } from '../edit/edit.ts';
import { memoize } from '../system/memoize.ts';
import { runnerCode } from '../system/runner-code.ts';
import type { EventProgram, ProgramHook, ProgramRules } from './program.ts';
import { type RunnerMessage, runnerMessage } from './runner-messages.ts';

const runner = () => runnerCode('./runner.cjs').stage;
/** An event, as the runner reads it from a payload. */
export type Moment = NonNullable<ReturnType<ReturnType<typeof runner>['read']>>;

/**
 * The functions of `runner.cjs`, `values.cjs` and `words.cjs` in `templates/`, and some from other files. The checks
 * write nothing, except `isDue` and `wouldNotHold`: to `sessions` in the program's state folder.
 */
export const secondStage = memoize(() => {
  const stage = runner();
  const values = runnerCode('./values.cjs');
  const words = runnerCode('./words.cjs');
  const conditions = () => runnerCode('./conditions.cjs');
  return {
    ...values,
    ...stage,
    ...words,
    /** The field of an extended hook whose condition does not hold. */
    wouldNotHold: (hook: ProgramHook, moment: Moment, program: EventProgram) =>
      conditions().wouldNotHold(hook, moment, program, stage),
    /** Whether a hook that is shown once per turn may still be shown; true for any other hook. */
    hasTurn: (hook: ProgramHook, moment: Moment, program: EventProgram) =>
      runnerCode('./chain.cjs').hasTurn(hook, moment, program, stage),
    isElsewhere: (program: EventProgram, moment: Moment) =>
      runnerCode('./repository.cjs').isElsewhere(program, moment),
    /** Whether a call has failed; undefined: the client does not report it. */
    hasFailed: (payload: JsonObject, wire: Pick<Wire, 'failed' | 'toolName'>) => {
      const tool = valueAt(payload, wire.toolName);
      const call = { payload, tool: typeof tool === 'string' ? tool : undefined };
      return conditions().hasFailed(call, { wire }, stage);
    },
    /** The answer that blocks an event for a hook that cannot be evaluated because node does not run. */
    denial: (hook: ProgramHook, program: EventProgram) =>
      runnerCode('./failure.cjs').denial(hook, program),
    /** A tool's input in the form of declarations, converted to a client's form. */
    inClient: (form: ToolInput, input: JsonObject) =>
      runnerCode('./vocabulary.cjs').inClient(form, input),
    isDue: (hook: ProgramHook, moment: Moment, program: EventProgram, rules: ProgramRules) =>
      stage.isDue(hook, moment, { ...program, started: Date.now() }, rules),
    /** An error in its logged form. */
    reasonOf: (error: unknown): RunnerMessage => {
      const { data } = runnerMessage().safeParse(values.reasonOf(error));
      return data ?? { code: 'error', name: 'unknown' };
    },
    /** The output whenever the event happens; undefined: it depends on more than the event. */
    foresee: (program: EventProgram) => words.foresee(program, stage.choose),
  };
});

export type SecondStage = ReturnType<typeof secondStage>;
export type Foresee = SecondStage['foresee'];
export type Foreseen = NonNullable<ReturnType<Foresee>>;
/** A field of the extended vocabulary with a condition. */
export type Condition = NonNullable<ReturnType<SecondStage['wouldNotHold']>>;
