/**
 * Predicts what the runner will do with a payload for each hook, and why it will not speak. It asks the runner's own functions,
 * removing possible reasons one by one. The real memory of sessions is not changed.
 */

import { existsSync } from 'node:fs';
import { globsOf } from '../../compile/glob.ts';
import {
  type EventProgram,
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
import { RULES } from '../../declaration/policy.ts';
import type { Said } from '../../system/errors.ts';
import { inScratch } from './session-memory.ts';

/** Why a hook says nothing. Words: src/present/render/fired.ts. */
export type Reason =
  | Said<'matcher', { field: Field; wanted: string; got: string }>
  /** A condition of the extended vocabulary does not hold. */
  | Said<'conditions', { field: Condition; repeat?: Repeat }>
  | Said<Code>
  | Said<'tool', { tool: string; server: string; why: readonly RunnerReason[] }>
  | Said<'command', { why: readonly RunnerReason[] }>
  | Said<'undecided', { why: readonly RunnerReason[] }>
  | Said<'trouble', { what: string }>;

type Field = 'tool_name' | 'tool_server' | 'input_contains';

type Code =
  | 'no request' // a prompt that no user wrote
  | 'muted'
  | 'continued' // the turn was started by a hook
  | 'marked' // it is shown later
  | 'tool off'
  | 'not marked'
  | 'once per turn'
  | 'once'
  | 'not allowed' // to block, or to run its program
  | 'ended' // a hook before it has blocked
  | 'hooks per event'
  | 'hooks per server'
  | 'same moment'
  | 'cooldown'
  | 'in history' // the session has it
  | 'twin' // the same is declared twice
  | 'no room'
  | 'blank'
  | 'silent';

/** What the runner should make of one hook. */
export interface Prediction {
  readonly hook: ProgramHook;
  /** Undefined: it should speak. */
  readonly reason?: Reason;
  /** It is `required`, which the policy does not honour. */
  readonly demoted?: true;
}

/** The expected result for a payload as sent on stdin, in the order of the declaration. */
export function predict(program: EventProgram, payload: string): Prediction[] {
  // The mark of a turn says nothing where its hook may speak itself.
  const hooks = withoutTurnMarks(program.hooks).toSorted((a, b) => a.number - b.number);
  const all = (reason: Reason): Prediction[] => hooks.map((hook) => ({ hook, reason }));
  const stage = secondStage();
  try {
    const rules = stage.rulesFor(program);
    if (rules.muted) return all({ code: 'muted' });
    const moment = stage.read(program, payload);
    if (!moment) return all({ code: 'no request' });
    return inScratch(program, moment, (fresh) => {
      const ask = new Question(stage, program, moment, rules, fresh);
      return hooks.map((hook) => {
        const reason = ask.why(hook);
        const demoted = hook.priority === 'required' && !rules.trusted;
        return { hook, ...(reason && { reason }), ...(demoted && { demoted }) };
      });
    });
  } catch (error) {
    // The runner says nothing in that case, too.
    return all({ code: 'undecided', why: [stage.reasonOf(error)] });
  }
}

/** Whether a hook is about what a payload says, whatever was shown before. */
export function isMet(program: EventProgram, hook: ProgramHook, payload: string): boolean {
  const stage = secondStage();
  const moment = stage.read(program, payload);
  return moment !== undefined && stage.fits(hook, moment, program);
}

/** Puts one payload to the runner again and again. `fresh` gives the program a new copy of the memory. */
class Question {
  /** The hooks that are heard, and whether each is due. They are asked in order, as in a firing. */
  readonly #due: ReadonlyMap<ProgramHook, boolean>;

  constructor(
    private readonly stage: SecondStage,
    private readonly program: EventProgram,
    private readonly moment: Moment,
    private readonly rules: ProgramRules,
    private readonly fresh: () => EventProgram,
  ) {
    const memory = fresh();
    this.#due = new Map(
      this.#divided(rules).chosen.map((hook) => [hook, this.#isDue(hook, moment, rules, memory)]),
    );
  }

  why(hook: ProgramHook): Reason | undefined {
    if (!this.stage.fits(hook, this.moment, this.program)) return this.#whyNotFitting(hook);
    if (hook.call && !this.rules.contextTool) return { code: 'tool off' };
    if (!this.#isAllowed(hook)) return { code: 'not allowed' };
    const field = hook.extended && this.#unmet(hook);
    const repeat = field === 'repeat' ? hook.extended?.when?.repeat : undefined;
    if (field) return { code: 'conditions', field, ...(repeat && { repeat }) };
    if (this.#isOver(hook)) return { code: 'once' };
    if (!this.#hasTurn(hook)) return { code: 'once per turn' };
    if (hook.act === 'mark') return { code: 'marked' };
    if (!this.#waits(hook))
      return { code: this.#waits({ ...hook, marked: undefined }) ? 'not marked' : 'once' };
    const due = this.#due.get(hook);
    if (due === undefined) return this.#whyLeft(hook);
    return due ? undefined : this.#whyNotDue(hook);
  }

  #whyNotFitting(hook: ProgramHook): Reason {
    const { tool, mcpTool, server, input } = hook.when ?? {};
    const { server: configured, input: given } = this.moment;
    const names = [...new Set(this.moment.names)];
    const fits = (when: NonNullable<ProgramHook['when']>) =>
      this.stage.fits({ ...hook, when }, this.moment, this.program);
    if (tool !== undefined && !fits({ tool, ...(mcpTool && { mcpTool }) }))
      return {
        code: 'matcher',
        field: 'tool_name',
        wanted: globsOf(tool).join(' or '),
        got: names.join(' or ') || 'no tool',
      };
    if (server !== undefined && !fits({ server })) {
      const got = typeof configured === 'string' ? configured : names.join(' or ') || 'no tool';
      return { code: 'matcher', field: 'tool_server', wanted: server, got };
    }
    if (input !== undefined && !fits({ input })) {
      const got = typeof given === 'string' ? given : (JSON.stringify(given) ?? 'no input');
      return { code: 'matcher', field: 'input_contains', wanted: input, got };
    }
    return { code: 'continued' };
  }

  #isAllowed({ extended }: ProgramHook): boolean {
    const { block, command, projectCode } = this.rules;
    return (
      (block || extended?.block === undefined) &&
      (command || !extended?.command) &&
      (projectCode || !extended?.command?.ofProject)
    );
  }

  /** The conditions of a hook that is shown later were checked when it was marked. */
  #unmet(hook: ProgramHook): Condition | undefined {
    return hook.marked ? undefined : this.stage.wouldNotHold(hook, this.moment, this.fresh());
  }

  /** It comes once in a session, and has come. */
  #isOver(hook: ProgramHook): boolean {
    if (hook.extended?.every !== 'session' || hook.marked) return false;
    return existsSync(this.stage.memory(hook, this.moment, this.fresh(), 'session-once'));
  }

  /** An event that begins a turn marks it before its own hooks speak. */
  #hasTurn(hook: ProgramHook): boolean {
    if (this.program.hooks.some(({ id }) => id === turnMarkOf(hook.id))) return true;
    return this.stage.hasTurn(hook, this.moment, this.fresh());
  }

  /** The policy allows only so many. */
  #whyLeft(hook: ProgramHook): Reason {
    const unbound = { ...this.rules, hooksPerEvent: Number.POSITIVE_INFINITY };
    const { chosen } = this.#divided(unbound);
    return { code: chosen.includes(hook) ? 'hooks per event' : 'hooks per server' };
  }

  #divided(rules: ProgramRules) {
    const { hooks } = this.program;
    const fitting = hooks.filter((one) => this.stage.fits(one, this.moment, this.program));
    return this.stage.choose(rules, fitting, (one) => this.#waits(one));
  }

  #whyNotDue(hook: ProgramHook): Reason {
    const [moment, rules] = [this.moment, this.rules];
    if (this.#isDue(hook, moment, rules)) return { code: 'twin' };
    if (this.#isDue(hook, { ...moment, occasion: [] }, rules)) return { code: 'same moment' };
    const always = { ...hook, extended: undefined };
    if (this.#isDue(always, moment, { ...rules, cooldown: RULES.cooldown }))
      return { code: 'cooldown' };
    return { code: hook.event === 'session_start' ? 'in history' : 'once' };
  }

  #waits(hook: ProgramHook): boolean {
    return this.stage.waits(hook, this.moment, this.program);
  }

  #isDue(hook: ProgramHook, moment: Moment, rules: ProgramRules, memory = this.fresh()): boolean {
    const cooldown = Math.max(rules.cooldown, hook.extended?.cooldown ?? 0);
    const own = { ...rules, cooldown };
    return this.stage.isDue(hook, { ...moment, claimed: new Map() }, memory, own);
  }
}
