/**
 * mcp-hooks: where the answer of an extended hook comes from: its own words, a program, a tool or a function in this process.
 */

import { clockOf } from '../clock.cjs';
import { envelopeOf, isBroken, mayDecide, normalise } from '../envelope.cjs';
import { jsonOf } from '../json.cjs';
import { endWithShell } from '../lifetime.cjs';
import type { Answer, ExtendedHook, ProgramHook } from '../types.cjs';
import { fault, reasonOf } from '../values.cjs';
import { fill } from '../words.cjs';
import { inBackground } from './background.cjs';
import { type Evaluation, lose, mayOf, readsAll } from './evaluation.cjs';
import { keptText } from './kept.cjs';

type Answers = Map<ProgramHook, Answer>;

/** Each hook's answer. A hook without an answer is left out, and the reason is noted. */
export async function answersOf(
  hooks: readonly ProgramHook[],
  evaluation: Evaluation,
): Promise<Answers> {
  const { asking, stage, firing } = evaluation;
  const found: Answers = new Map();
  const began = Date.now();
  const note = (hook: ProgramHook, work: Promise<Answer>) =>
    work.then(
      (answer) => void found.set(hook, answer),
      (error) => lose(hook, error, evaluation),
    );
  const timed = (hook: ProgramHook, work: Promise<Answer>) =>
    note(hook, work).then(() => {
      asking.asked.set(hook, { milliseconds: Date.now() - began });
    });
  const calls = new Map<number, ProgramHook[]>();
  const works = hooks.map((hook) => {
    const handler = stage.handlers?.get(hook);
    const command = hook.extended?.command;
    if (hook.kept) return note(hook, keptText(hook, evaluation));
    if (handler) return timed(hook, ofHandler(handler, hook, evaluation));
    if (command?.isAsync) return note(hook, started(hook, evaluation));
    if (command) return timed(hook, ofCommand(command, hook, evaluation));
    if (!hook.call) return note(hook, ownWords(hook, evaluation));
    const milliseconds = deadlineOf(hook, evaluation);
    calls.set(milliseconds, [...(calls.get(milliseconds) ?? []), hook]);
    return undefined;
  });
  for (const [milliseconds, some] of calls)
    works.push(
      ofTools(some, milliseconds, evaluation, found).catch((error) => {
        for (const hook of some) lose(hook, error, evaluation);
      }),
    );
  await clockOf(firing).wait(Promise.all(works));
  asking.waited += Date.now() - began;
  return new Map(
    hooks.flatMap((hook) => {
      const answer = found.get(hook);
      return answer ? [[hook, answer] as const] : [];
    }),
  );
}

/** A budget hook first only warns. */
async function ownWords(
  hook: ProgramHook,
  { view, firing, rules, outcome }: Evaluation,
): Promise<Answer> {
  const reason = hook.extended?.block;
  const isText = reason === undefined || firing.budgets.get(hook)?.level === 'warn';
  try {
    const { text, data } = fill(reason ?? hook.text ?? '', view.firing, rules);
    return isText
      ? { texts: [text], data, warnings: [] }
      : { texts: [], warnings: [], block: text };
  } catch (error) {
    if (isText) throw error;
    // The block is already decided. Only its words could not be filled in.
    outcome.reasons.push({ ...reasonOf(error), hook: hook.number });
    return { texts: [], warnings: [], block: reason };
  }
}

/**
 * The hook's deadline in milliseconds: the declared one, which the user has agreed to, unless the user's own rule is stricter.
 */
function deadlineOf({ extended }: ProgramHook, { program, rules }: Evaluation): number {
  const rule = program.end ? 'sessionEndSeconds' : 'toolSeconds';
  const most = 1000 * rules[rule];
  const { deadline = most } = extended ?? {};
  return rules[rule] === program.policy.rules[rule] ? deadline : Math.min(deadline, most);
}

const untilOf = (milliseconds: number, { last }: Evaluation): number =>
  Math.min(Date.now() + milliseconds, last);

/** The event as the hook may read it. */
const eventFor = (hook: ProgramHook, evaluation: Evaluation) =>
  envelopeOf(hook, {
    ...evaluation,
    shown: readsAll(hook, evaluation) ? evaluation.firing : evaluation.view.firing,
  });

async function ofHandler(
  handler: (event: never) => unknown,
  hook: ProgramHook,
  evaluation: Evaluation,
): Promise<Answer> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const left = untilOf(deadlineOf(hook, evaluation), evaluation) - Date.now();
    late = setTimeout(() => reject(fault('no-answer-in-time')), Math.max(0, left));
  });
  try {
    const answer = handler(eventFor(hook, evaluation) as never);
    return understood(await Promise.race([answer, timeout]), hook, evaluation);
  } finally {
    clearTimeout(late);
  }
}

const started = async (hook: ProgramHook, evaluation: Evaluation): Promise<Answer> =>
  inBackground(hook, jsonOf(eventFor(hook, evaluation)), evaluation);

async function ofCommand(
  command: NonNullable<ExtendedHook['command']>,
  hook: ProgramHook,
  evaluation: Evaluation,
): Promise<Answer> {
  const { program, firing, stage } = evaluation;
  endWithShell(program);
  const until = untilOf(deadlineOf(hook, evaluation), evaluation);
  const event = jsonOf(eventFor(hook, evaluation));
  const answer = await require('../command.cjs').runCommand(command, event, firing.cwd, {
    until,
    within: stage.within([hook], program),
  });
  const known = understood(answer, hook, evaluation);
  return typeof answer === 'string' && isBroken(answer)
    ? { ...known, why: { code: 'answer-invalid' } }
    : known;
}

/** An answer of any kind. A decision in the middle of a text may not be what its hook wanted to say, so it is no decision. */
function understood(answer: unknown, hook: ProgramHook, { firing }: Evaluation): Answer {
  const known = normalise(answer, firing);
  return typeof answer === 'string' && mayOf(hook).length > 0 && mayDecide(answer)
    ? { ...known, why: { code: 'answer-invalid' } }
    : known;
}

/** @param found Receives the answers of the tools. */
async function ofTools(
  hooks: readonly ProgramHook[],
  milliseconds: number,
  evaluation: Evaluation,
  found: Answers,
): Promise<void> {
  const { program, view, rules, stage, outcome, asking, failures } = evaluation;
  const { server } = program;
  const { firing } = view;
  if (!server) {
    for (const hook of hooks)
      if (mayOf(hook).length > 0) lose(hook, fault('no-answer'), evaluation);
    return;
  }
  const until = untilOf(milliseconds, evaluation);
  const envelope = (hook: ProgramHook) =>
    hook.extended && envelopeOf(hook, { ...evaluation, shown: firing });
  const { replies, reasons, asked } = await require('../call.cjs').askHooks(
    { server, hooks, firing, program, rules, until, envelopeOf: envelope },
    stage,
  );
  outcome.reasons.push(...reasons);
  for (const [hook, call] of asked) {
    asking.asked.set(hook, call);
    // A hook that decides is asked alone.
    if (call.failed) failures.faults.set(hook, reasons[0] ?? { code: 'no-answer' });
  }
  for (const [hook, { text, structured }] of replies)
    found.set(hook, understood(structured ?? text, hook, { ...evaluation, firing }));
}
