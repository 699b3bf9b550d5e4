/** mcp-hooks: which hooks of the extended vocabulary are due, and what they claim for that. */

import fs = require('node:fs');

import { callOf, claimFor, isOthers, takeOver } from '../claims.cjs';
import { holds } from '../conditions.cjs';
import type { Firing, ProgramHook, Rules, Running, Stage } from '../types.cjs';
import { fault } from '../values.cjs';
import { decides, type Evaluation, lose, mayOf } from './evaluation.cjs';

/**
 * Remembers that a prompt begins a turn, for hooks that are shown once per turn, whatever their conditions. As in runner.cjs,
 * this happens first: a prompt begins a turn for the hooks that match it.
 */
export function markTurns(hooks: readonly ProgramHook[], evaluation: Evaluation): void {
  const { stage, firing, program } = evaluation;
  for (const hook of hooks)
    if (isFor(hook, evaluation, false)) stage.remember(stage.memory(hook, firing, program, 'mark'));
}

/** Whether a hook is due now. Its claims are taken back if it has no effect (`forget`). */
export function isDue(hook: ProgramHook, evaluation: Evaluation): boolean {
  const { program, rules, stage, firing, claims } = evaluation;
  const { act, call, extended } = hook;
  if (!isAllowed(hook, rules) || !isFor(hook, evaluation) || isSpent(hook, evaluation))
    return false;
  if (stage.isWithin(hook, program)) {
    lose(hook, fault('within-itself'), evaluation);
    return false;
  }
  const fileOf = (fact: string) => stage.memory(hook, firing, program, fact);
  const facts = lastingFacts(hook, evaluation).map(fileOf);
  if (act === 'mark') {
    if (takesTurn(hook, evaluation))
      for (const file of [...facts, fileOf('mark')]) stage.remember(file);
    return false;
  }
  const rank = rules.trusted ? hook.ranks.trusted : hook.ranks.other;
  if (claims.count >= rules.hooksPerEvent || rank >= rules.hooksPerServer) {
    claims.leftOut.push(hook);
    return false;
  }
  const cooldown = hook.kept ? 0 : Math.max(rules.cooldown, extended?.cooldown ?? 0);
  if (decides(hook, evaluation)) return isDueToDecide(hook, facts, cooldown, evaluation);
  if (!stage.isDue(hook, firing, program, { ...rules, cooldown })) return false;
  const undo = claiming(hook, evaluation);
  // A claim of another runner is not ours to take back.
  const isFirst = (file: string) => {
    if (!stage.claim(file)) return false;
    undo.push(() => stage.take(file));
    return true;
  };
  try {
    if (!facts.every(isFirst) || !takesTurn(hook, evaluation)) return false;
    if (isPerTurn(hook)) {
      const { begun } = turnOf(hook, firing, program, stage);
      undo.push(() => stage.remember(begun));
    }
    return true;
  } catch (error) {
    const isDue = act === 'tell' && !call && !extended?.command; // as in runner.cjs
    if (!isDue && mayOf(hook).length > 0) lose(hook, error, evaluation);
    return isDue;
  }
}

/**
 * Whether a hook that may decide is asked now. Of several indistinguishable calls, it is asked about each or about none, and
 * only the first gets the texts.
 */
function isDueToDecide(
  hook: ProgramHook,
  facts: readonly string[],
  cooldown: number,
  evaluation: Evaluation,
): boolean {
  const { program, stage, firing, claims } = evaluation;
  const fileOf = (fact: string) => stage.memory(hook, firing, program, fact);
  const undo = claiming(hook, evaluation);
  const claim = (file: string, window?: number) => {
    const { isOurs, isNew } = claimFor(file, firing, stage, window);
    if (isNew) undo.push(() => stage.take(file));
    return isOurs;
  };
  try {
    if (!facts.every((file) => claim(file))) return false;
    if (cooldown > 0 && !claim(fileOf('shown'), cooldown * 1000)) return false;
    if (isPerTurn(hook) && !claimsTurn(hook, evaluation, claim, undo)) return false;
    const call = callOf(firing);
    if (call !== '' && !stage.claim(fileOf(`${program.native}-${call}`)))
      claims.shownElsewhere.add(hook);
    return true;
  } catch {
    // A missing memory does not keep a call from being checked, but it does keep a turn from being restarted.
    return hook.act === 'tell';
  }
}

/** Counts the hook as due from here on. @returns How to take back its claims. */
function claiming(hook: ProgramHook, { claims }: Evaluation): (() => void)[] {
  const undo: (() => void)[] = [];
  claims.undo.set(hook, undo);
  claims.count += 1;
  return undo;
}

/** Takes back a hook's claims. */
export function forget(hook: ProgramHook, { stage, firing, program, claims }: Evaluation): void {
  stage.forget(hook, firing, program);
  for (const undo of claims.undo.get(hook) ?? []) undo();
}

/** Whether an event matches a hook. For a marked or kept hook, the conditions applied to the earlier event. */
function isFor(hook: ProgramHook, evaluation: Evaluation, hasConditions = !hook.marked): boolean {
  const { stage, firing, program } = evaluation;
  try {
    return stage.fits(hook, firing, program) && (!hasConditions || holds(hook, evaluation));
  } catch (error) {
    if (!isSpent(hook, evaluation)) lose(hook, error, evaluation);
    return false;
  }
}

/** Whether a hook is done, whatever its conditions, or must not fire yet. */
export function isSpent(hook: ProgramHook, evaluation: Evaluation): boolean {
  const { program, firing, stage } = evaluation;
  try {
    if (hook.act !== 'mark' && !stage.waits(hook, firing, program)) return true;
    const isTaken = lastingFacts(hook, evaluation).some((fact) =>
      isOthers(stage.memory(hook, firing, program, fact), firing),
    );
    return isTaken || !hasTurn(hook, firing, program, stage);
  } catch {
    return false; // a missing memory does not keep a call from being checked
  }
}

/** Whether the current rules allow the hook to run. */
export const isAllowed = ({ call, extended }: ProgramHook, rules: Rules): boolean =>
  (!call || rules.contextTool) &&
  (!extended?.command || rules.command === true) &&
  (!extended?.command?.ofProject || rules.projectCode === true) &&
  (extended?.block === undefined || rules.block === true);

/** Facts that become true once: the hook was shown in the session, or fired for its budget since the last compaction. */
function lastingFacts(hook: ProgramHook, { firing }: Evaluation): string[] {
  const { extended, marked } = hook;
  const budget = firing.budgets.get(hook);
  // A block that has only warned must still block.
  const isWarning = extended?.block !== undefined && budget?.level === 'warn';
  return [
    ...(extended?.every === 'session' && !marked && !isWarning ? ['session-once'] : []),
    ...(budget ? [`${budget.level}${budget.window}-once`] : []),
  ];
}

// Hooks that are shown once per turn.

const isPerTurn = ({ extended }: ProgramHook): boolean => extended?.every === 'turn';

/** The owner of a memory. */
type Keeper = Pick<Running, 'state' | 'client' | 'label'>;
type Remembering = Pick<Stage, 'memory'>;

/** `begun`: a prompt came and the hook has not been shown since; `shown`: it was shown in the session. */
const turnOf = ({ id }: ProgramHook, firing: Firing, program: Keeper, stage: Remembering) => ({
  begun: stage.memory({ id: `${id}.turn` }, firing, program, 'mark'),
  shown: stage.memory({ id }, firing, program, 'turn-once'),
});

/** Whether the hook may still be shown in this turn. Everything before the first prompt counts as a turn, too. */
export function hasTurn(
  hook: ProgramHook,
  firing: Firing,
  program: Keeper,
  stage: Remembering,
): boolean {
  if (!isPerTurn(hook)) return true;
  const { begun, shown } = turnOf(hook, firing, program, stage);
  return fs.existsSync(begun) || !isOthers(shown, firing);
}

/** True for one of several runners at the same time. Runners that come after the mark is gone see that the hook was shown. */
function takesTurn(hook: ProgramHook, { firing, program, stage }: Evaluation): boolean {
  if (!isPerTurn(hook)) return true;
  const { begun, shown } = turnOf(hook, firing, program, stage);
  if (!fs.existsSync(begun)) return stage.claim(shown);
  stage.remember(shown);
  return stage.take(begun);
}

/** Like `takesTurn`, for all indistinguishable calls. */
function claimsTurn(
  hook: ProgramHook,
  { firing, program, stage }: Evaluation,
  claim: (file: string) => boolean,
  undo: (() => void)[],
): boolean {
  const { begun, shown } = turnOf(hook, firing, program, stage);
  const turn = fs.statSync(begun, { throwIfNoEntry: false });
  if (!turn) return claim(shown);
  const fact = `turn-${Math.trunc(turn.mtimeMs)}`;
  if (!claim(stage.memory(hook, firing, program, fact))) return false;
  takeOver(shown, firing, stage);
  if (stage.take(begun)) undo.push(() => stage.remember(begun));
  return true;
}
