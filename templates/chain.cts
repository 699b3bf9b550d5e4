/**
 * mcp-hooks: events with hooks of the extended vocabulary (src/declaration/declaration.ts). The hooks are evaluated in order:
 * each may add a text, change what later hooks see, or block, which ends the chain. A failure lets everything pass, unless the
 * user wants failures to block (failure.cjs). This file is loaded only if there is such a hook; runner.cjs passes in the event
 * and its own functions.
 */

import { answerWith, attributed, takesText } from './answer.cjs';
import { answersOf } from './chain/ask.cjs';
import { forget, hasTurn, isAllowed, isDue, isSpent, markTurns } from './chain/due.cjs';
import {
  type Evaluation,
  evaluationOf,
  handsOn,
  inClient,
  lose,
  mayOf,
  onlySays,
  orderOf,
  readsAll,
  TO_TELL,
} from './chain/evaluation.cjs';
import { dropKept } from './chain/kept.cjs';
import { obey, whyNot } from './chain/obey.cjs';
import { masked, maskView } from './chain/view.cjs';
import { clockOf } from './clock.cjs';
import { noteCall } from './conditions.cjs';
import { hookResults } from './hook-results.cjs';
import type { EventText, Firing, Limited, ProgramHook, Rules, Running, Stage } from './types.cjs';
import { fault, waitFor } from './values.cjs';

import words = require('./words.cjs');

export { evaluationOf, hasTurn, isAllowed, TO_TELL };

/** The text that is shown for an event. */
interface Said extends EventText {
  readonly said: readonly Limited[];
}

/** Answers an event in time, whatever the tools and commands do. @param stage The functions of runner.cjs. */
export async function fire(
  program: Running,
  firing: Firing,
  rules: Rules,
  stage: Stage,
): Promise<void> {
  const evaluation = evaluationOf(program, firing, rules, stage);
  try {
    const said = await waitFor(program.started + program.most - Date.now(), evaluate(evaluation));
    if (!said) throw fault('no-answer-in-time');
    tell(evaluation, said, await keptOf(evaluation, said));
    note(evaluation, said, await warningsOf(evaluation));
  } catch (error) {
    try {
      answerFailed(evaluation, error);
    } catch (worse) {
      stage.fail(program, error);
      if (!program.isAnswered) throw worse; // our shell may still block
    }
  }
}

/**
 * Answers an event that could not be evaluated, or not completely. Decisions made so far count.
 *
 * @param isRead Whether the payload could be read.
 */
export function answerFailed(evaluation: Evaluation, error: unknown, isRead = true): void {
  const { program, stage, outcome, failures } = evaluation;
  if (!program.isAnswered) settleAll(evaluation, error, isRead);
  if (
    program.isAnswered ||
    (failures.settled.length === 0 && !outcome.decision && !outcome.changed)
  ) {
    stage.fail(program, error);
    return;
  }
  tell(
    evaluation,
    NOTHING,
    outcome.decision && attributed(program.label, outcome.shownReason ?? ''),
  );
  note(evaluation, NOTHING, []);
}

/** Settles an event that could not be evaluated completely: nothing is shown, but hooks that fail may decide. */
export function settleAll(evaluation: Evaluation, error: unknown, isRead = true): Said {
  const chain = { isAllowed, isSpent, orderOf, whyNot };
  require('./failure.cjs').settleAll(error, isRead, evaluation, chain);
  return NOTHING;
}

const NOTHING: Said = { text: '', shown: [], lengths: [], said: [] };

/** Prints the decision and the text. Everything else comes later, because the client may give up and later steps may fail. */
function tell(evaluation: Evaluation, said: Said, kept: string | undefined): void {
  const { program, stage } = evaluation;
  const answer = answerOf(evaluation, said, kept);
  program.isAnswered = true;
  if (answer !== '') stage.print(program, answer);
}

/** The hooks that had an effect. */
export const doneIn = ({ outcome }: Evaluation, { shown }: Said): ProgramHook[] => [
  ...new Set([...outcome.done, ...shown]),
];

/** Logs the decision and the text. */
function note(evaluation: Evaluation, said: Said, warnings: readonly string[]): void {
  const { program, stage, asking, outcome, failures } = evaluation;
  const { decisions } = outcome;
  const { text, shown, noRoom = [] } = said;
  const done = doneIn(evaluation, said);
  const { budgets } = evaluation.firing;
  const estimated = done.filter((hook) => budgets.get(hook)?.estimated);
  const reasons = [
    ...outcome.reasons,
    ...estimated.map(({ number }) => ({ code: 'budget-estimated', hook: number })),
  ];
  const isEach = asking.asked.size + failures.failed.size + noRoom.length > 0 || done.length > 1;
  if (isEach || done.length + reasons.length > 0)
    stage.log(program, {
      hooks: done.map(({ number }) => number),
      characters: shown.length > 0 ? text.length : 0,
      ...(isEach && { each: hookResults({ ...said, ...asking, ...failures, done }, program) }),
      ...(reasons.length > 0 && { why: reasons }),
      ...(decisions.length > 0 && { decisions }),
      ...(failures.settled.length > 0 && { onFailure: failures.settled }),
      ...(warnings.length > 0 && { warnings }),
      ...(process.env.MCP_HOOKS_DEBUG === '1' && { text }),
    });
  if (program.started % 64 === 0 || process.env.MCP_HOOKS_TIDY) stage.tidy(program);
}

/** How many warnings of a firing are logged, and how many characters of each. */
const WARNINGS = 10;
const WARNING = 300;

/** The warnings of answers. They are masked before they are cut, because no rule recognises half a secret. */
async function warningsOf({ outcome, rules, firing }: Evaluation): Promise<string[]> {
  const some = outcome.warnings.slice(0, WARNINGS).map(words.plain);
  const all = await masked(some, { rules, outcome: { reasons: [] }, last: firing.until });
  return all.map((one) => words.cut(one, WARNING));
}

/** The answer to the client. It names the server that blocks and the server that the text is from. */
export function answerOf(evaluation: Evaluation, { text, shown }: Said, kept?: string): string {
  const { program, stage, outputBefore } = evaluation;
  const firing = { ...evaluation.firing, output: outputBefore };
  const act = shown[0]?.act ?? 'tell';
  const { decision, ...decided } = decidedIn(evaluation);
  const repeated = (one: string) => stage.repeated(one, firing, program, kept);
  if (!decision) return answerWith(program, act, text && repeated(text), decided, firing);
  const own = attributed(program.label, decision.reason);
  // A decision counts, whichever runner has the texts.
  const reason = program.wire.firstOnly ? own : repeated(own);
  return answerWith(program, act, text, { ...decided, decision: { reason } }, firing);
}

/** The decision as the answer has it, with a changed input in the client's own form. */
function decidedIn(evaluation: Evaluation) {
  const { decision, changed } = evaluation.outcome;
  const input = changed?.modifiedInput;
  return {
    ...(decision && { decision }),
    ...changed,
    ...(input !== undefined && { modifiedInput: inClient(input, evaluation) }),
  };
}

/** The part of the answer that other runners have to repeat, without secrets. */
async function keptOf(evaluation: Evaluation, { said }: Said): Promise<string | undefined> {
  const { program, rules, firing, stage, claims, outcome } = evaluation;
  if (stage.momentOf(firing, program) === undefined) return undefined;
  if (outcome.decision) return attributed(program.label, outcome.shownReason ?? '');
  const searching = { rules, outcome: { reasons: [] }, last: firing.until };
  const seen = await masked(
    said.map(({ whole }) => whole),
    searching,
  );
  const texts = said.map((one, index) => ({
    ...one,
    text: words.cut(seen[index] ?? '', one.limit),
  }));
  return words.compose(texts, claims.leftOut, firing, program, rules).text;
}

/** Evaluates an event. Prints nothing, and writes only what is remembered of the session. */
export async function evaluate(evaluation: Evaluation): Promise<Said> {
  const { program, firing, claims, outcome } = evaluation;
  clockOf(firing); // the same clock for all copies of the event
  try {
    noteCall(evaluation);
    const marks = program.hooks.filter(({ act, extended }) => act === 'mark' && !extended);
    markTurns(marks, evaluation);
    for (const hooks of stepsOf(program.hooks.filter((hook) => !marks.includes(hook)))) {
      await step(hooks, evaluation);
      if (outcome.decision) break;
    }
  } catch (error) {
    for (const hook of claims.undo.keys())
      if (!outcome.done.includes(hook)) forget(hook, evaluation);
    throw error;
  }
  return saidIn(evaluation);
}

/** The hooks in order. Consecutive hooks form one step if none of them can change what the next ones see. */
function stepsOf(hooks: readonly ProgramHook[]): ProgramHook[][] {
  const ordered = hooks.toSorted((a, b) => orderOf(a) - orderOf(b) || a.number - b.number);
  const steps: ProgramHook[][] = [];
  let open: ProgramHook[] | undefined;
  for (const hook of ordered) {
    const isLast = mayOf(hook).length > 0;
    if (isLast || !open) steps.push([hook]);
    else open.push(hook);
    open = isLast ? undefined : steps.at(-1);
  }
  return steps;
}

/** Finds out which of the hooks are due, asks them, and obeys their answers. */
async function step(hooks: readonly ProgramHook[], evaluation: Evaluation): Promise<void> {
  const { program, stage, firing, view, outcome, failures } = evaluation;
  const all = hooks.filter((hook) => isDue(hook, evaluation));
  const dropped = stage.isDropped(firing, program)
    ? all.filter((hook) => onlySays(hook, evaluation))
    : [];
  outcome.dropped.push(...dropped);
  const due = all.filter((hook) => !dropped.includes(hook));
  if (due.some((hook) => handsOn(hook, evaluation) && !readsAll(hook, evaluation)))
    await clockOf(firing).wait(maskView(evaluation));
  for (const hook of due) {
    // A tool that decides could not see what it decides about.
    const isBlind = view.failure && hook.call && mayOf(hook).length > 0;
    if (isBlind) lose(hook, { why: view.failure }, evaluation);
  }
  const asked = due.filter((hook) => !failures.faults.has(hook));
  for (const [hook, answer] of asked.length === 0 ? [] : await answersOf(asked, evaluation)) {
    const before = outcome.reasons.length;
    try {
      await obey(hook, answer, evaluation);
    } catch (error) {
      lose(hook, error, evaluation);
    }
    if (outcome.reasons.length > before) failures.failed.add(hook);
  }
  for (const hook of hooks) {
    const why = failures.faults.get(hook);
    if (why) require('./failure.cjs').settle(hook, why, evaluation, whyNot);
    failures.over.add(hook);
  }
}

/** What makes the client drop texts: a property of the event or of our own answer; undefined: it shows them. */
function whyDropped(evaluation: Evaluation): 'failure' | 'block' | 'change' | undefined {
  const { program, stage, firing, outcome } = evaluation;
  if (stage.isDropped(firing, program)) return 'failure';
  const [first] = outcome.said;
  if (!first || takesText(program, first.hook.act, decidedIn(evaluation))) return undefined;
  return outcome.decision ? 'block' : 'change';
}

/** The text that is shown if the answer has room for it. A dropped text stays due. */
function saidIn(evaluation: Evaluation): Said {
  const { program, rules, firing, claims, outcome } = evaluation;
  const by = whyDropped(evaluation);
  const said = by === undefined && words.hasBlanks(program, firing) ? outcome.said : [];
  const dropped = [...outcome.dropped, ...(by ? outcome.said.map(({ hook }) => hook) : [])];
  if (dropped.length > 0)
    outcome.reasons.push({ code: 'dropped', by, hooks: dropped.map(({ number }) => number) });
  const composed = words.compose(said, claims.leftOut, firing, program, rules);
  const over = [...outcome.done, ...composed.shown, ...outcome.empty];
  for (const hook of claims.undo.keys()) if (!over.includes(hook)) forget(hook, evaluation);
  dropKept(over, evaluation);
  return { ...composed, said };
}
