/** mcp-hooks: acts on a hook's answer: shows or keeps its text, and carries out its decision if that was granted. */

import { isPlaced } from '../answer.cjs';
import { jsonOf } from '../json.cjs';
import type { Answer, Limited, ProgramHook } from '../types.cjs';
import { cut, isBlank, plain, withoutHidden } from '../words.cjs';
import { asksOthers, type Evaluation, inClient, readsAll } from './evaluation.cjs';
import { MASK, masked, withoutMasks, withoutSecrets } from './view.cjs';

export async function obey(
  hook: ProgramHook,
  given: Answer,
  evaluation: Evaluation,
): Promise<void> {
  const { outcome, failures } = evaluation;
  const known = readsAll(hook, evaluation) ? given : withoutMasks(given, evaluation);
  const answer = asksOthers(hook, evaluation)
    ? await withoutSecrets(known, hook, evaluation)
    : known;
  if (answer.why) outcome.reasons.push({ ...answer.why, hook: hook.number });
  if (answer.why && UNDECIDED.includes(answer.why.code)) failures.faults.set(hook, answer.why);
  outcome.warnings.push(...answer.warnings);
  const texts = [...answer.texts];
  if (answer.block !== undefined && isGranted(hook, 'block', 'block', evaluation))
    await block(hook, answer.block, evaluation);
  else if (answer.block !== undefined) texts.unshift(answer.block);
  if (!outcome.decision)
    for (const what of ['input', 'output'] as const)
      if (isChange(what, answer, evaluation) && isGranted(hook, 'modify', what, evaluation, answer))
        modify(hook, what, answer, evaluation);
  await show(hook, texts.join('\n'), answer.data === true, evaluation);
}

/** Answers without a decision, from a hook that may have wanted to decide. */
const UNDECIDED = ['answer-invalid', 'answer-unknown', 'cannot-ask'];

async function show(
  hook: ProgramHook,
  words: string,
  data: boolean,
  evaluation: Evaluation,
): Promise<void> {
  const { claims, outcome } = evaluation;
  const limit = hook.extended?.limit ?? Number.POSITIVE_INFINITY;
  const whole = claims.shownElsewhere.has(hook) ? '' : plain(words);
  const text = cut(whole, limit);
  if (isBlank(text)) {
    // A hook that is asked once is not asked again after an answer, even if there was nothing to show.
    if (hook.extended) outcome.empty.push(hook);
    return;
  }
  if (hook.act === 'keep') {
    const [seen] = await masked([whole], evaluation);
    keep(hook, { text: cut(seen, limit), data }, evaluation);
    outcome.done.push(hook);
  } else if (hook.act === 'call') outcome.done.push(hook);
  else outcome.said.push({ hook, text, data, whole, limit });
}

/** Keeps the text of a hook for a later event (kept.cjs). It begins on a new line, even after half a line. */
function keep(
  hook: ProgramHook,
  said: Pick<Limited, 'text' | 'data'>,
  { stage, firing, program }: Evaluation,
): void {
  stage.append(stage.memory(hook, firing, program, 'kept'), `\n${JSON.stringify(said)}\n`);
  stage.remember(stage.memory(hook, firing, program, 'mark'));
}

/** The target of a decision. */
type What = 'block' | 'input' | 'output';

/** Whether an answer really changes the input or output, and does not only repeat it. */
const isChange = (what: 'input' | 'output', answer: Answer, { firing }: Evaluation): boolean =>
  what in answer && jsonOf(answer[what]) !== jsonOf(firing[what]);

/** Reasons why a hook's change is not made. */
const UNCHANGED = ['answer-hides', 'modify-not-possible'];

/** Whether the hook may make a decision, and the client can carry it out there. */
function isGranted(
  hook: ProgramHook,
  decision: 'block' | 'modify',
  what: What,
  evaluation: Evaluation,
  answer?: Answer,
): boolean {
  const code = whyNot(hook, decision, what, evaluation, answer);
  if (code === undefined) return true;
  evaluation.outcome.reasons.push({ code, hook: hook.number });
  if (UNCHANGED.includes(code)) evaluation.failures.faults.set(hook, { code });
  return false;
}

/** A code for why the hook may not make a decision, or the client cannot carry it out; undefined: neither is the case. */
export function whyNot(
  hook: ProgramHook,
  decision: 'block' | 'modify',
  what: What,
  evaluation: Evaluation,
  answer?: Answer,
): string | undefined {
  const { extended } = hook;
  const { program, outputBefore, rules, firing } = evaluation;
  const isAllowedTo = rules[decision] && extended?.may.includes(decision);
  // A turn that a block has started is not blocked again.
  const isPossible = {
    block: () => !firing.continued,
    // Its answer is not known before it is asked.
    input: () => !answer || inClient(answer.input, evaluation) !== undefined,
    output: () => isPlaced(answer?.output, outputBefore, program.wire),
  }[what]();
  if (!isAllowedTo || !isPossible || !extended?.can.includes(what))
    return `${decision}-not-${isAllowedTo ? 'possible' : 'allowed'}`;
  if (what === 'block' && hook.event === 'pre_compact' && !mayHoldUp(evaluation))
    return 'block-not-again';
  return what === 'input' && hides(answer?.input, firing.input) ? 'answer-hides' : undefined;
}

/** A history that is never compacted ends the session. So of two attempts in a row, the second is let through. */
function mayHoldUp({ program, firing, stage, claims }: Evaluation): boolean {
  if (claims.mayHoldUp !== undefined) return claims.mayHoldUp;
  const file = stage.memory({ id: '0' }, firing, program, 'held-up');
  try {
    claims.mayHoldUp = stage.claim(file);
    if (!claims.mayHoldUp) stage.take(file);
  } catch {
    claims.mayHoldUp = false; // it could not be remembered
  }
  return claims.mayHoldUp;
}

/** Whether a value adds invisible characters. The person who approves it would be shown something else. */
const hides = (value: unknown, before: unknown): boolean =>
  jsonOf(value) !== jsonOf(withoutNewHidden(value, before));

/** The same value without invisible characters that were not there before. */
function withoutNewHidden(value: unknown, before: unknown): unknown {
  const known = new Set<string>();
  const look = (text: string) => {
    for (const one of text) known.add(one);
    return text;
  };
  const { mapTexts } = require('../redact.cjs');
  mapTexts(before, look);
  return mapTexts(value, (text) => withoutHidden(text, known));
}

async function block(hook: ProgramHook, given: string, evaluation: Evaluation): Promise<void> {
  const { outcome, firing, rules } = evaluation;
  const { number, extended } = hook;
  const whole = plain(given);
  const most = Math.min(extended?.limit ?? Number.POSITIVE_INFINITY, rules.charactersPerHook);
  outcome.decision = { action: 'block', reason: cut(whole, most), hook: number };
  outcome.shownReason = MASK;
  outcome.done.push(hook);
  // If it were cut before masking, a secret at its end would not be recognised.
  const [seen] = await masked([whole], evaluation);
  outcome.shownReason = cut(seen, most);
  outcome.decisions.push({
    hook: number,
    action: 'block',
    reason: cut(seen, Math.min(most, 200)),
    before: require('../files.cjs').hashOf(firing.output ?? firing.input),
  });
}

/** Later hooks see the changed value. */
function modify(
  hook: ProgramHook,
  what: 'input' | 'output',
  answer: Answer,
  evaluation: Evaluation,
): void {
  const { outcome, firing } = evaluation;
  const before = firing[what];
  const after = what === 'output' ? withoutNewHidden(answer.output, before) : answer.input;
  if (jsonOf(after) === jsonOf(before)) return; // only repeated
  outcome.done.push(hook);
  const { native } = firing;
  evaluation.firing = { ...firing, [what]: after };
  if (what === 'input' && native)
    evaluation.firing.native = { ...native, input: inClient(after, evaluation) };
  outcome.changed = {
    ...outcome.changed,
    [what === 'input' ? 'modifiedInput' : 'modifiedOutput']: after,
  };
  outcome.decisions.push({
    hook: hook.number,
    action: 'modify',
    before: require('../files.cjs').hashOf(before),
    after: require('../files.cjs').hashOf(after),
  });
}
